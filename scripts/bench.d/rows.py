"""The rows of the comparison: what is read by whom, and what is asked of satabench.

A row is a function that takes a Bench and yields Lines. Bars are ratios of medians, satabench over
the best peer, unless the line says that they are absolute."""
import dataclasses
import os
import statistics
import typing

import cpu
import suite
from measure import median
from rig import Rig
from tools import (FIXED, HUGE, dd, fio, fio_amount, hdparm, satabench, script_of_2009)

LOWER, HIGHER = "<=", ">="
# fio's huge pages: at most 2 jobs of a few MiB
N_HUGE_PAGES = 64
BATCHES = ("--iodepth_batch_submit=32", "--iodepth_batch_complete_min=32")
RANDOM = ("--norandommap", "--randrepeat=0")


@dataclasses.dataclass
class Line:
    what: str
    unit: str
    peer: str  # the best one's name
    peer_value: typing.Optional[float]
    value: typing.Optional[float]  # None: not measured
    sense: str  # LOWER or HIGHER is good
    bar: float
    absolute: bool = False

    @property
    def compared(self):
        """What is held against the bar."""
        if self.value is None or self.absolute:
            return self.value
        return self.value / self.peer_value if self.peer_value else None

    @property
    def is_met(self):
        if self.compared is None:
            return None
        return self.compared <= self.bar if self.sense == LOWER else self.compared >= self.bar


def line(samples, what, unit, key, sense, bar, peers=None):
    """satabench against the best of the peers (all, or those whose names begin so)."""
    ours = [name for name in samples if name.startswith("satabench")]
    others = {name: median(rows, key) for name, rows in samples.items()
              if name not in ours and (peers is None or name.startswith(peers))}
    others = {name: value for name, value in others.items() if value is not None}
    pick = min if sense == LOWER else max
    best = pick(others, key=others.get)
    value = median(samples[ours[0]], key) if ours else None
    return Line(what, unit, best, others[best], value, sense, bar)


def cost_and_rate(samples, where, cost_bar, rate_bar):
    yield line(samples, "CPU per GiB, " + where, "s/GiB", "cost", LOWER, cost_bar)
    yield line(samples, "rate, " + where, "MiB/s", "rate", HIGHER, rate_bar)


def contestants(bench, peers, devices, *options):
    """The peers, and satabench where there is one."""
    return peers + ([satabench(bench.program, devices, *options)] if bench.program else [])


def sequential(bench, rig, devices, device_mib, mib):
    """The best settings of each peer for devices at the speed of memory."""
    rig.huge_pages(N_HUGE_PAGES)
    amount = fio_amount(device_mib, mib)
    peers = [
        fio(devices, "psync", "1M", 1, amount),
        fio(devices, "psync", "1M", 1, amount, *HUGE),
        fio(devices, "io_uring", "1M", 1, amount, *FIXED),
        fio(devices, "io_uring", "1M", 1, amount, *FIXED, *HUGE),
        fio(devices, "io_uring", "1M", 4, amount, *FIXED),
        dd(devices, "1M", min(mib, device_mib), "iflag=direct"),
    ]
    return bench.interleaved(contestants(bench, peers, devices, "--size", "%dM" % mib), devices)


def zram_empty(bench):
    with Rig() as rig:
        devices = rig.zrams(2, 8192)
        samples = sequential(bench, rig, devices, 8192, bench.size(32768))
    yield from cost_and_rate(samples, "2 never-written zram", 0.62, 1.5)


def loop_sparse(bench):
    with Rig() as rig:
        devices = rig.loops(2, 8192)
        samples = sequential(bench, rig, devices, 8192, bench.size(32768))
    yield from cost_and_rate(samples, "2 sparse loops", 0.55, 1.8)


def loop_filled(bench):
    with Rig() as rig:
        devices = rig.loops(2, 2048, filled=True)
        samples = sequential(bench, rig, devices, 2048, bench.size(8192))
    yield from cost_and_rate(samples, "2 filled loops (memory wall)", 0.85, 1.15)


def zram_random(bench):
    with Rig() as rig:
        devices = rig.zrams(2, 2048, filled=True)
        samples = sequential(bench, rig, devices, 2048, bench.size(8192))
    yield from cost_and_rate(samples, "2 zram of random data (memory wall)", 0.90, 1.08)


def disk_file(bench):
    with Rig() as rig:
        mib = 1024 if bench.quick else 2048
        path, disk = rig.disk_file(bench.disk_folder, mib)
        amount = fio_amount(mib, mib)
        peers = [
            dd([path], "1M", mib, "iflag=direct"),
            dd([path], "128k", mib, "iflag=direct"),
            fio([path], "io_uring", "128k", 32, amount, *FIXED),
            fio([path], "io_uring", "1M", 4, amount, *FIXED),
            fio([path], "psync", "1M", 1, amount),
        ]
        samples = bench.interleaved(contestants(bench, peers, [path], "--size", "%dM" % mib),
                                    [disk])
    yield line(samples, "rate, a file on the disk", "MiB/s", "rate", HIGHER, 1.2)
    yield line(samples, "CPU per GiB, a file on the disk", "s/GiB", "cost", LOWER, 0.35)


def throttled(bench):
    limit_mib = 150
    seconds = 2 if bench.quick else 4
    with Rig() as rig:
        devices = rig.loops(1, 2048)
        procs = rig.throttle(devices[0], limit_mib)
        mib = limit_mib * seconds
        amount = fio_amount(2048, mib)
        peers = [
            dd(devices, "1M", mib, "iflag=direct"),
            dd(devices, "128k", mib),
            hdparm(devices[0]),
            fio(devices, "psync", "1M", 1, amount),
            fio(devices, "io_uring", "1M", 4, amount, *FIXED),
        ]
        all_of_them = contestants(bench, peers, devices, "--size", "%dM" % mib)
        samples = bench.interleaved([c.within(procs) for c in all_of_them], devices)
    ours = [name for name in samples if name.startswith("satabench")]
    rate = median(samples[ours[0]], "rate") if ours else None
    yield Line("rate, a loop throttled to 150 MiB/s (against the limit)", "MiB/s", "the limit",
               limit_mib, rate, HIGHER, 0.99)
    yield line(samples, "CPU per GiB, the same", "s/GiB", "cost", LOWER, 0.8)


def classic(bench):
    with Rig() as rig:
        devices = rig.zrams(2, 4096)
        peers = [script_of_2009(devices, bench.size(4096))]
        size = "%dM" % bench.size(32768)
        samples = bench.interleaved(contestants(bench, peers, devices, "--size", size), devices)
    yield line(samples, "rate, beside the 2009 script (warm), 2 zram", "MiB/s", "rate", HIGHER, 10)
    yield line(samples, "CPU per GiB, the same", "s/GiB", "cost", LOWER, 0.1)


def random_reads(bench, devices, *options):
    amount = ["--size=1g", "--time_based", "--runtime=2"]

    def random(engine, depth, *extra):
        return fio(devices, engine, "4k", depth, amount, *RANDOM, *extra, mode="randread")

    peers = [
        random("psync", 1),
        random("io_uring", 1, *FIXED),
        random("io_uring", 32, *FIXED),
        random("io_uring", 128, *FIXED, *BATCHES),
    ]
    ours = ("--workload", "randread", "--bs", "4k", "--runtime", "2s", *options)
    last_cpu = os.cpu_count() - 1
    pinned = [c.on_cpu(last_cpu) for c in contestants(bench, peers, devices, *ours)]
    samples = bench.interleaved(pinned, devices)
    for rows in samples.values():
        for row in rows:
            row["thousands"] = row["rate"] * 256 / 1000
    return samples


def random_zram(bench):
    with Rig() as rig:
        samples = random_reads(bench, rig.zrams(1, 1024))
    yield line(samples, "4 KiB random, one core, zram", "1000/s", "thousands", HIGHER, 1.15)


def random_loop(bench):
    with Rig() as rig:
        samples = random_reads(bench, rig.loops(1, 1024), "--iodepth", "128")
    yield line(samples, "4 KiB random, one core, loop", "1000/s", "thousands", HIGHER, 1.0)


def scale_samples(bench, rig, n, recorder):
    """n sparse loops, 16 GiB in all, 1 GiB of each at most; skews are added to the samples."""
    devices = rig.loops(n, 1024)
    mib = min(1024, max(64, 16384 // n))
    amount = fio_amount(1024, mib)
    peers = [
        dd(devices, "1M", mib, "iflag=direct"),
        fio(devices, "psync", "1M", 1, amount),
        fio(devices, "io_uring", "1M", 1, amount, *FIXED),
    ]

    def add_skew(measured):
        measured["skew_ms"] = recorder.skew_ms(n)

    return bench.interleaved(contestants(bench, peers, devices, "--size", "%dM" % mib), devices,
                             repeats=2 if bench.quick else 5,
                             before=recorder.reset, after=add_skew)


def scale(bench):
    skew_bars = {8: 0.1, 64: 0.1, 256: 0.1}
    memory_bars = {2: 0.25, 64: 0.15, 256: 0.15}
    for n in (2, 8, 64, 256):
        with Rig() as rig:
            samples = scale_samples(bench, rig, n, rig.first_reads())
        where = ", %d loops" % n
        if n == 256:
            yield line(samples, "rate of the whole run" + where, "MiB/s", "wall_rate", HIGHER, 3)
            yield line(samples, "CPU per GiB" + where, "s/GiB", "cost", LOWER, 0.25)
        if n in skew_bars:
            yield line(samples, "start skew" + where, "ms", "skew_ms", LOWER, skew_bars[n])
        if n in memory_bars:
            yield line(samples, "peak memory" + where, "MiB", "peak_mib", LOWER, memory_bars[n],
                       peers="fio")


def fixed_cost(bench):
    with Rig() as rig:
        devices = rig.loops(1, 64)
        amount = fio_amount(64, 1)
        peers = [dd(devices, "1M", 1, "iflag=direct"), fio(devices, "psync", "1M", 1, amount)]
        samples = bench.interleaved(contestants(bench, peers, devices, "--size", "1M"), devices,
                                    repeats=5 if bench.quick else 15)
    fixed = line(samples, "CPU of a run that reads 1 MiB (absolute)", "ms", "cpu_ms", LOWER, 15,
                 peers="fio")
    fixed.absolute = True
    yield fixed


def cpu_busy(bench):
    with Rig() as rig:
        iostat_worst, our_worst = cpu.worst_of_loads(bench, rig.zrams(1, 1024)[0])
    yield Line("CPU busy against the kernel's ns accounting, worst of nine loads (absolute)",
               "points", "iostat -c 1", iostat_worst, our_worst, LOWER, 0.7, absolute=True)


def cpu_figures(bench):
    if bench.program:
        yield Line("the six CPU figures beside iostat, worst of light, half and full load"
                   " (absolute)", "points", "iostat -c 5 2", 0, cpu.worst_beside_iostat(bench),
                   LOWER, 1.0, absolute=True)


def tests_beside(found, where):
    """Within 15 % of the peer, or faster."""
    for test, values in found.items():
        medians = {name: statistics.median(rows) for name, rows in values.items()}
        ours = medians.pop("satabench", None)
        peer, = medians
        unit = "1/s" if test in suite.COUNTED else "MiB/s"
        yield Line("%s, %s" % (test.replace("_", " "), where), unit, peer, medians[peer], ours,
                   HIGHER, 0.85)


def suite_buffered(bench):
    yield from tests_beside(suite.beside_bonnie(bench),
                            "a directory, page cache left alone")


def suite_direct(bench):
    yield from tests_beside(suite.past_the_cache(bench, "write"), "a directory, direct")
    yield from tests_beside(suite.past_the_cache(bench, "rewrite"), "a directory, not in the cache")


def suite_streams(bench):
    yield from tests_beside(suite.beside_fio(bench), "a directory, 4 threads")


ROWS = {
    "zram-empty": zram_empty,
    "loop-sparse": loop_sparse,
    "loop-filled": loop_filled,
    "zram-random": zram_random,
    "disk-file": disk_file,
    "throttled": throttled,
    "classic": classic,
    "random-zram": random_zram,
    "random-loop": random_loop,
    "scale": scale,
    "fixed-cost": fixed_cost,
    "cpu-busy": cpu_busy,
    "cpu-figures": cpu_figures,
    "suite-buffered": suite_buffered,
    "suite-direct": suite_direct,
    "suite-streams": suite_streams,
}
