#!/usr/bin/env python3
"""The 2009 script that satabench replaces, done again from its description, kept as a yardstick.

usage: sata_performance.py [-c COUNT] DEVICE...

A dd with blocks of 128 KiB per device, all at once, while iostat -c -m 1 runs; the mean of iostat's
samples but the first, which is the average since boot.
"""
import argparse
import os
import re
import subprocess
import time

ENVIRONMENT = dict(os.environ, LC_ALL="C")


def start_dd(device, count):
    return subprocess.Popen(
        ["dd", "if=" + device, "of=/dev/null", "bs=128k", "count=%d" % count],
        stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def iostat_means(text):
    lines = text.splitlines()
    rows = [[float(x) for x in lines[i + 1].split()[:6]]
            for i, line in enumerate(lines[:-1])
            if line.startswith("avg-cpu") and len(lines[i + 1].split()) >= 6]
    return [sum(column) / len(rows[1:]) for column in zip(*rows[1:])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-c", "--count", type=int, default=8192)
    parser.add_argument("device", nargs="+")
    args = parser.parse_args()

    iostat = subprocess.Popen(["iostat", "-c", "-m", "1"], stdout=subprocess.PIPE, text=True,
                              env=ENVIRONMENT)
    started = time.monotonic()
    dds = [(device, start_dd(device, args.count)) for device in args.device]
    messages = [(device, dd.communicate()[1]) for device, dd in dds]
    elapsed = time.monotonic() - started
    iostat.terminate()

    total = 0
    for device, message in messages:
        print("dd for %s: %s" % (device, message.strip().splitlines()[-1]))
        found = re.search(r"^(\d+) bytes", message, re.M)
        total += int(found[1]) if found else 0
    print("aggregate %.1f MiB/s" % (total / 1048576 / elapsed))
    means = iostat_means(iostat.communicate()[0])
    if means:
        print("ios avg: user=%.2f, nice=%.2f, sys=%.2f, iowait=%.2f, steal=%.2f, idle=%.2f"
              % tuple(means))


main()
