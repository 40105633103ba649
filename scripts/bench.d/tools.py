"""How each tool is called, and what it says about its own speed."""
import dataclasses
import json
import pathlib
import re
import shlex
import typing

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
# io_uring as fio does it best
FIXED = ("--fixedbufs", "--registerfiles")
HUGE = ("--iomem=shmhuge",)
OURS = "satabench"


@dataclasses.dataclass
class Contender:
    name: str
    command: list
    # (text of the command, its measurement) -> MiB/s
    rate: typing.Callable
    good: tuple = (0,)  # exit statuses
    warm: bool = False  # run once unmeasured before: the page cache's memory is new else

    @property
    def is_ours(self):
        return self.name.startswith(OURS)

    def within(self, procs):
        """The same command inside the cgroup of this cgroup.procs."""
        command = ["sh", "-c", 'echo $$ >"$0"; exec "$@"', str(procs)] + self.command
        return dataclasses.replace(self, command=command)

    def on_cpu(self, cpu):
        return dataclasses.replace(self, command=["taskset", "-c", str(cpu)] + self.command)


def json_in(text):
    """The first JSON object of a text that may have messages around it."""
    found = re.search(r"^\{", text, re.M)
    if not found:
        raise ValueError("no JSON in: " + text.strip()[-200:])
    return json.JSONDecoder().raw_decode(text[found.start():])[0]


def rate_by_wall(_text, measured):
    return measured["bytes"] / MIB / measured["wall_s"]


def rate_of_fio(text, _measured):
    return sum(job["read"]["bw_bytes"] for job in json_in(text)["jobs"]) / MIB


def rate_of_satabench(text, _measured):
    result = json_in(text)
    rate = result.get("all_bytes_per_second")
    if rate is None:
        rate = [p for p in result["phases"] if p["kind"] == "all"][-1]["bytes_per_second"]
    return rate / MIB


def rate_of_hdparm(text, _measured):
    value, unit = re.search(r"=\s*([\d.]+) (kB|MB|GB)/sec", text).groups()
    return float(value) * {"kB": 1 / 1024, "MB": 1, "GB": 1024}[unit]


def rate_of_script(text, _measured):
    return float(re.search(r"^aggregate ([\d.]+) MiB/s", text, re.M)[1])


def dd(devices, block, mib, *flags):
    count = mib * 1024 // {"128k": 128, "1M": 1024}[block]
    one = "dd if=%s of=/dev/null bs=%s count=%d %s 2>/dev/null"
    lines = [one % (shlex.quote(d), block, count, " ".join(flags)) for d in devices]
    # One alone takes the shell's place, as a person would call it.
    script = "exec " + lines[0] if len(lines) == 1 else " & ".join(lines) + " & wait"
    name = " ".join(["dd bs=" + block, *flags])
    return Contender(name, ["sh", "-c", script], rate_by_wall)


def fio(devices, engine, block, depth, amount, *extra, mode="read"):
    """amount: fio's options that say how much or how long."""
    command = ["fio", "--output-format=json", "--group_reporting", "--thread", "--readonly",
               "--direct=1", "--gtod_reduce=1", "--rw=" + mode, "--ioengine=" + engine,
               "--bs=" + block, "--iodepth=%d" % depth, *amount, *extra]
    for i, device in enumerate(devices):
        command += ["--name=job%d" % i, "--filename=" + device]
    name = "fio %s bs=%s" % (engine, block)
    if engine != "psync":
        name += " iodepth=%d" % depth
    for word in ("fixedbufs", "shmhuge", "batch"):
        if any(word in option for option in extra):
            name += " " + word
    return Contender(name, command, rate_of_fio)


def fio_amount(device_mib, mib):
    return ["--size=%dm" % device_mib, "--io_size=%dm" % mib]


def satabench(program, devices, *options):
    """Without its look at the idle CPU before the load, which the peers do not have."""
    command = [str(program), "--plan", "together", "--baseline", "0", "--output-format", "json",
               *options, "-d", *devices]
    name = " ".join([OURS, *(o for o in options if not re.match(r"--(size|runtime)$|\d+[Ms]$", o))])
    # 3: a mark, for example that a device reads as zeros only
    return Contender(name, command, rate_of_satabench, good=(0, 3))


def hdparm(device):
    return Contender("hdparm -t --direct", ["hdparm", "-t", "--direct", device], rate_of_hdparm)


def script_of_2009(devices, mib):
    command = ["python3", str(HERE / "sata_performance.py"), "-c", str(mib * 8), *devices]
    return Contender("the 2009 script", command, rate_of_script, warm=True)
