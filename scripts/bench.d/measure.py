"""Running commands, accounted for from outside by meas."""
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from accounting import accounted_s
from tools import HERE

GIB = 1 << 30
TIMEOUT_S = 300
# Others may use so much of all CPUs, and this program and meas so many seconds.
FOREIGN_SHARE = 0.04
OWN_S = 0.03
LOOK_S = 0.3


class Failed(Exception):
    """A command did not do what was asked of it."""


def compile_tool(name, folder):
    program = pathlib.Path(folder) / name
    subprocess.run(["cc", "-O2", "-o", program, HERE / (name + ".c")], check=True)
    return str(program)


def run_group(command, environment, timeout_s=TIMEOUT_S):
    """stdout of a command in a process group of its own, which is ended if this is interrupted."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment,
                               stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        return process.communicate(timeout=timeout_s)[0]
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise


class Bench:
    """What all rows share: the programs, how often, how much, and where raw figures go."""

    def __init__(self, program, folder, quick, repeats, disk_folder, patience_s, raw):
        self.program = program  # None: peers only
        self.quick = quick
        self.repeats = repeats
        self.disk_folder = disk_folder
        self.patience_s = patience_s
        self.n_measured = self.n_disturbed = 0
        self.raw = raw
        self.row = ""
        self.environment = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=str(folder))
        self._meas = compile_tool("meas", folder)
        self.burn = compile_tool("burn", folder)

    def size(self, mib):
        return mib // 4 if self.quick else mib

    def wait_for_quiet(self, until):
        """Until others use next to nothing of the CPUs, or that time."""
        allowed_s = FOREIGN_SHARE * LOOK_S * os.cpu_count()
        while time.monotonic() < until:
            before = accounted_s()
            time.sleep(LOOK_S)
            if accounted_s() - before <= allowed_s:
                return

    def undisturbed(self, contender, devices, before=None):
        """A measurement during which others left the CPUs alone, as far as patience goes."""
        until = time.monotonic() + self.patience_s
        while True:
            self.wait_for_quiet(until)
            if before:
                before()
            started, used = time.monotonic(), accounted_s()
            measured = self.once(contender, devices)
            foreign_s = accounted_s() - used - measured["cpu_ms"] / 1e3
            wall_s = time.monotonic() - started
            measured["foreign_s"] = foreign_s
            disturbed = foreign_s > FOREIGN_SHARE * wall_s * os.cpu_count() + OWN_S
            if not disturbed or time.monotonic() > until:
                self.n_measured += 1
                self.n_disturbed += disturbed
                return measured

    def once(self, contender, devices):
        with tempfile.NamedTemporaryFile("r", errors="replace") as output:
            command = [self._meas, "-o", output.name]
            for device in devices:
                command += ["-d", device]
            out = run_group(command + ["--"] + contender.command, self.environment)
            text = output.read()
        measured = json.loads(out)
        if measured["status"] not in contender.good:
            raise Failed("%s: status %d: %s" % (contender.name, measured["status"],
                                                text.strip()[-300:]))
        if devices and not measured["bytes"]:
            raise Failed("%s: the devices saw no read" % contender.name)
        cpu_s = measured["user_s"] + measured["system_s"] + measured["kernel_s"]
        measured["cpu_ms"] = cpu_s * 1e3
        measured["cost"] = cpu_s / (measured["bytes"] / GIB) if measured["bytes"] else None
        measured["rate"] = contender.rate(text, measured)
        measured["wall_rate"] = measured["bytes"] / (1 << 20) / measured["wall_s"]
        measured["peak_mib"] = measured["peak_kib"] / 1024
        return measured

    def interleaved(self, contenders, devices, repeats=None, before=None, after=None):
        """A B C A B C ...; a list of measurements for each contender, by its name."""
        samples = {contender.name: [] for contender in contenders}
        for turn in range(repeats or self.repeats):
            for contender in contenders:
                if contender.warm:
                    self.once(contender, devices)
                measured = self.undisturbed(contender, devices, before)
                if after:
                    after(measured)
                samples[contender.name].append(measured)
                self.record(contender.name, turn, measured)
        return samples

    def record(self, name, turn, values):
        if self.raw:
            self.raw.write(json.dumps(dict(values, row=self.row, name=name, turn=turn)) + "\n")
            self.raw.flush()
        rate, cost = values.get("rate"), values.get("cost")
        if rate is not None and cost is not None:
            print("  %-46s %10.0f MiB/s %8.4f s/GiB" % (name, rate, cost), file=sys.stderr)


def median(samples, key):
    values = [s[key] for s in samples if s.get(key) is not None]
    return statistics.median(values) if values else None
