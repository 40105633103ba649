"""CPU figures: satabench and iostat side by side under known loads, and against what the kernel's
scheduler accounts in nanoseconds."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from accounting import accounted_s
from tools import json_in

# (percent of one core, period in ms): all but these are random to the tick of 4 ms
BURNS = ((25, 10), (50, 10), (50, 4), (50, 8), (25, 4), (90, 100), (20, 1))
FIGURES = ("user", "nice", "system", "iowait", "steal", "idle")  # iostat's order
START_S = 0.3
DISTURBED_POINTS = 4


class Running:
    """Processes that are ended on leaving, in whatever way."""

    def __init__(self, commands):
        self._commands = commands
        self._processes = []

    def __enter__(self):
        self._processes = [subprocess.Popen([str(word) for word in c]) for c in self._commands]
        time.sleep(START_S)
        return self

    def __exit__(self, *_):
        for process in self._processes:
            process.terminate()
            process.wait()


def iostat_figures(text):
    """Mean of all reports but the first, which is since boot."""
    lines = text.splitlines()
    rows = [[float(x) for x in lines[i + 1].split()]
            for i, line in enumerate(lines) if line.startswith("avg-cpu")]
    return dict(zip(FIGURES, (statistics.mean(column) for column in zip(*rows[1:]))))


def satabench_command(bench, seconds, device):
    target = device or "null:idle,rate=10M"
    return [bench.program, "--plan", "together", "--baseline", "0", "--runtime", "%ds" % seconds,
            "--output-format", "json", "-d", target]


def look(bench, seconds, loads, device=None, interval_s=1):
    """One window: (busy by the scheduler, iostat's figures, satabench's "cpu" or None)."""
    bench.wait_for_quiet(time.monotonic() + bench.patience_s)
    with Running(loads), tempfile.TemporaryFile("w+") as output:
        started, used = time.monotonic(), accounted_s()
        ours = None
        if bench.program:
            ours = subprocess.Popen(satabench_command(bench, seconds, device), stdout=output,
                                    stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                    env=bench.environment)
        iostat = ["iostat", "-c", str(interval_s), str(seconds // interval_s + 1)]
        text = subprocess.run(iostat, check=True, text=True, stdout=subprocess.PIPE,
                              env=bench.environment).stdout
        if ours:
            ours.wait()
        used = accounted_s() - used
        truth = 100 * used / (time.monotonic() - started) / os.cpu_count()
        output.seek(0)
        return truth, iostat_figures(text), json_in(output.read())["cpu"] if ours else None


def busy(figures):
    return 100 - figures["idle"] - figures["iowait"] - figures["steal"]


def nine_loads(bench, seconds, device):
    """(name, commands, device to read) of each."""
    yield "nothing", [], None
    for percent, period_ms in BURNS:
        name = "%d %% of a core, period %d ms" % (percent, period_ms)
        yield name, [[bench.burn, percent, period_ms, seconds + 5]], None
    if bench.program:
        yield "reading at full speed", [], device
    else:
        yield "reading at full speed", [["dd", "if=" + device, "of=/dev/null", "bs=1M",
                                         "iflag=direct", "count=10M", "status=none"]], None


def worst_of_loads(bench, device):
    """Largest error of (iostat, satabench) in points; of each load the median of the repeats."""
    seconds = 3 if bench.quick else 5
    worst_peer = worst_ours = 0
    for name, commands, target in nine_loads(bench, seconds, device):
        errors_peer, errors_ours = [], []
        for turn in range(1 if bench.quick else 3):
            truth, peer, ours = look(bench, seconds, commands, target)
            errors_peer.append(abs(busy(peer) - truth))
            if ours:
                errors_ours.append(abs(ours["busy_exact"] - truth))
            bench.record(name, turn, {"truth": truth, "iostat": peer, "satabench": ours})
        error_peer = statistics.median(errors_peer)
        error_ours = statistics.median(errors_ours) if errors_ours else None
        print("  %-34s truth %6.2f %%, iostat off by %.2f, satabench by %s" % (
            name, truth, error_peer, "-" if error_ours is None else "%.2f" % error_ours),
            file=sys.stderr)
        worst_peer = max(worst_peer, error_peer)
        worst_ours = None if error_ours is None else max(worst_ours, error_ours)
    return worst_peer, worst_ours


def undisturbed_look(bench, seconds, loads, expected):
    """(iostat's figures, satabench's), again until the load was what was made, as far as patience
    goes: the two windows differ by the start of satabench, so it must be steady."""
    until = time.monotonic() + bench.patience_s
    while True:
        truth, peer, ours = look(bench, seconds, loads, interval_s=seconds)
        disturbed = abs(truth - expected) > DISTURBED_POINTS
        if not disturbed or time.monotonic() > until:
            bench.n_measured += 1
            bench.n_disturbed += disturbed
            return peer, ours


def worst_beside_iostat(bench):
    """Largest difference of any of the six figures, in points; of each load the median. iostat
    reports once, end less start, as satabench does: means of shorter reports weigh each the same,
    however many ticks it has."""
    seconds = 3 if bench.quick else 5
    n_cpus = os.cpu_count()
    worst = 0
    for name, percent, n in (("light", 10, 1), ("half", 50, n_cpus), ("full", 100, n_cpus)):
        loads = [[bench.burn, percent, 10, seconds + 5]] * n
        differences = []
        for turn in range(1 if bench.quick else 3):
            peer, ours = undisturbed_look(bench, seconds, loads, percent * n / n_cpus)
            differences.append(max(abs(ours[f] - peer[f]) for f in FIGURES))
            bench.record(name, turn, {"iostat": peer, "satabench": ours})
        print("  %-34s off by %.2f" % (name, statistics.median(differences)), file=sys.stderr)
        worst = max(worst, statistics.median(differences))
    return worst
