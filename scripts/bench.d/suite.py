"""Directories: satabench's tests beside bonnie++'s and fio's, on the same directory in turn."""
import shutil
import tempfile

from rig import Missing
from tools import Contender, json_in

# Fields of the CSV line, format 1.98; KiB/s, or operations a second.
BONNIE_FIELDS = {"write": 11, "rewrite": 13, "read": 17, "seeks": 19, "create": 26, "stat": 28,
                 "delete": 30, "random_create": 32, "random_stat": 34, "random_delete": 36}
FIO_TESTS = (("write", "write"), ("random_write", "randwrite"), ("read", "read"),
             ("random_read", "randread"))
COUNTED = {"seeks"} | {test for test in BONNIE_FIELDS if BONNIE_FIELDS[test] > 20}


def figures_of_bonnie(text, measured):
    fields = [line for line in text.splitlines() if line.startswith("1.98,")][-1].split(",")
    measured["figures"] = {
        test: float(fields[at]) / (1 if test in COUNTED else 1024)
        for test, at in BONNIE_FIELDS.items()
        if fields[at] and not fields[at].startswith("+")}


def figures_of_satabench(text, measured):
    jobs = [job for phase in json_in(text)["phases"] for job in phase["jobs"]]
    # what is too short for bonnie++ is too short for us
    measured["figures"] = {
        job["test"]: job["iops"] if job["test"] in COUNTED else job["bytes_per_second"] / 2**20
        for job in jobs if job["elapsed_seconds"] >= 0.5}


def figures_of_fio(text, measured):
    measured["figures"] = {
        job["jobname"]: job["write" if "write" in job["jobname"] else "read"]["bw_bytes"] / 2**20
        for job in json_in(text)["jobs"]}


def bonnie(folder, mib, seeks, files, *options):
    program = shutil.which("bonnie++", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if not program:
        raise Missing("no bonnie++")
    command = [program, "-d", folder, "-s", "%dM:8k:%d" % (mib, seeks), "-n", str(files), "-r",
               str(mib // 2), "-u", "root", "-f", "-q", *options]
    return Contender("bonnie++" + "".join(" " + o for o in options), command, figures_of_bonnie)


def satabench(program, folder, *options):
    command = [str(program), "--baseline", "0", "--output-format", "json", "-u", "root", *options,
               "-d", folder]
    return Contender("satabench", command, figures_of_satabench, good=(0, 3))


def fio(folder, mib, operations, streams):
    """Each test waits for the one before; what is written is synced in its time."""
    command = ["fio", "--output-format=json", "--group_reporting", "--thread", "--ioengine=psync",
               "--bs=4k", "--end_fsync=1", "--refill_buffers=0", "--directory=" + folder,
               "--filename_format=data.$jobnum", "--unlink=0", "--numjobs=%d" % streams,
               "--size=%dk" % (mib * 1024 // streams), "--invalidate=1", "--randrepeat=0"]
    for name, mode in FIO_TESTS:
        command += ["--name=" + name, "--stonewall", "--rw=" + mode]
        if "random" in name:
            command += ["--number_ios=%d" % (operations // streams), "--norandommap"]
    return Contender("fio psync", command, figures_of_fio)


def compared(bench, contenders):
    """{test: [{contender: median}]} of what all of them have a figure for."""
    samples = bench.interleaved(contenders, [])
    found = {}
    for name, rows in samples.items():
        for row in rows:
            for test, value in row["figures"].items():
                found.setdefault(test, {}).setdefault(name, []).append(value)
    return {test: values for test, values in found.items() if len(values) == len(samples)}


def in_a_folder(bench, peers, ours):
    """`peers`: functions of a folder; `ours`: satabench's options."""
    with tempfile.TemporaryDirectory(prefix="satabench-bench.", dir=bench.disk_folder) as folder:
        contenders = [peer(folder) for peer in peers]
        if bench.program:
            contenders.append(satabench(bench.program, folder, *ours))
        return compared(bench, contenders)


def beside_bonnie(bench):
    """Through the page cache, as bonnie++ leaves it."""
    mib, seeks, files = bench.size(4096), 200000, 64 if bench.quick else 512
    return in_a_folder(bench, [lambda folder: bonnie(folder, mib, seeks, files)],
                       ["-f", "-s", "%d:8k:%d" % (mib, seeks), "-n", str(files), "--buffered"])


def past_the_cache(bench, test):
    """bonnie++'s -D holds for the first write alone (strace shows it): that is compared direct, and
    the rewrite of what is not in the cache with ours of what was dropped from it."""
    mib = bench.size(1024)
    found = in_a_folder(bench, [lambda folder: bonnie(folder, mib, 8192, 0, "-D")],
                        ["-s", str(mib), "-n", "0", "--tests", test,
                         *(["--direct"] if test == "write" else [])])
    return {name: values for name, values in found.items() if name == test}


def beside_fio(bench):
    mib, operations, streams = bench.size(2048), 20000, 4
    return in_a_folder(bench, [lambda folder: fio(folder, mib, operations, streams)],
                       ["--workload", "tiobench", "--streams", str(streams), "-s",
                        "%d:4k:%d" % (mib, operations)])
