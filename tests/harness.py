"""What the tests written in Python have in common: running satabench and reading its result.

A test is a script with classes of `Case`; it ends in harness.main(), and is given the built
satabench as its first argument, after that the names of single tests, if only those are wanted.
"""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LIMIT_S = 60  # for what should take a second or two; sanitizers and a busy machine take longer

FINE = (0, 3)  # a short read in real time can be too short for the ticks, or the machine busy

satabench = None


class Done:
    """A run that has ended."""

    def __init__(self, process, out, err, started):
        self.status = process.returncode
        self.out = out
        self.err = err
        self.seconds = time.monotonic() - started

    def __str__(self):
        return f"status {self.status}\n--- stdout\n{self.out}--- stderr\n{self.err}"


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def read_json(text):
    """NaN and infinities, which Python would take, are errors."""
    return json.loads(text, parse_constant=no_constant)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="satabench-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.saved = self.path("result.json")
        self.env = dict(os.environ, LC_ALL="C", XDG_STATE_HOME=self.path("state"))
        for name in ("NO_COLOR", "TERM"):
            self.env.pop(name, None)

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_file(self, name, size):
        """A file with data in it, not a hole."""
        path = self.path(name)
        with open(path, "wb") as f:
            f.write((b"0123456789abcdef" * (size // 16 + 1))[:size])
        return path

    def start(self, *words, **how):
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
               "env": self.env, "cwd": self.folder, "start_new_session": True, **how}
        process = subprocess.Popen([satabench, *words], **how)
        process.started = time.monotonic()
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()

    def finish(self, process, limit=LIMIT_S):
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            self.fail(f"{' '.join(process.args)}: has not ended after {limit} s")
        return Done(process, out.decode("utf-8", "surrogateescape"),
                    err.decode("utf-8", "surrogateescape"), process.started)

    def run_(self, *words, status=None, **how):
        done = self.finish(self.start(*words, **how))
        if status is not None:
            wanted = status if isinstance(status, tuple) else (status,)
            self.assertIn(done.status, wanted, f"{' '.join(words)}\n{done}")
        return done

    def load(self):
        with open(self.saved, encoding="utf-8") as f:
            return read_json(f.read())

    def measure(self, *words, status=0):
        """Runs in virtual time, saves, and returns the saved result."""
        self.last = self.run_("--virtual-time", "--save", self.saved, *words, status=status)
        return self.load()

    def wait_for(self, what, limit=LIMIT_S):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            found = what()
            if found:
                return found
            time.sleep(0.02)
        return self.fail("it did not come")

    def assertClose(self, value, expected, relative=1e-6, message=None):
        self.assertIsNotNone(value, message)
        self.assertTrue(math.isclose(value, expected, rel_tol=relative, abs_tol=1e-9),
                        f"{value} is not {expected} (within {relative}) {message or ''}")


def phases(result, kind, round_=None):
    return [p for p in result["phases"]
            if p["kind"] == kind and (round_ is None or p["round"] == round_)]


def name_of(target):
    """The null target's name: null:NAME,key=value..."""
    return target.split(",")[0].removeprefix("null:")


def names(phase):
    return [name_of(job["target"]) for job in phase["jobs"]]


def jobs(result, name):
    """Its jobs in the order of the phases."""
    return [job for phase in result["phases"] for job in phase["jobs"]
            if name_of(job["target"]) == name]


def device(result, name):
    return next(d for d in result["devices"] if name_of(d["target"]) == name)


def marks(result, identity):
    return [m for m in result["marks"] if m["id"] == identity]


def processes_of_session(session):
    """Ids of the processes that are still alive (no zombies) in a session."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="latin-1") as f:
                fields = f.read().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if entry.isdigit() and int(fields[3]) == session and fields[0] not in "ZX":
            found.append(int(entry))
    return found


def main():
    global satabench
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} SATABENCH [TEST...]")
    satabench = os.path.realpath(sys.argv[1])
    # a terminal's Ctrl-C setting must not be inherited: simple shells ignore SIGINT for jobs
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    caller = sys.modules["__main__"]
    unittest.main(module=caller, argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
