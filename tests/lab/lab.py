"""What the cases of the suite lab share: booting the guest with one of cases/*.sh, and counting checks."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

LAB = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
GUEST_SECONDS = 280


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def cpu_seconds():
    """Of this host since its start: all, busy; and those of the guests that have ended."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    hertz = os.sysconf("SC_CLK_TCK")
    return sum(ticks) / hertz, (sum(ticks) - ticks[3] - ticks[4]) / hertz, children.ru_utime + children.ru_stime


def need_guest():
    """Makes the guest where it is not there yet; without it there is nothing to test."""
    if os.geteuid() != 0:
        skip("needs root: the guest shares this machine's root folder")
    build = subprocess.run([LAB / "build"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if build.returncode != 0:
        lines = build.stdout.strip().splitlines()
        skip("no virtual machine: " + (lines[-1] if lines else "tests/lab/build failed"))


class Run:
    """One run of satabench in the guest, as cases/common.sh kept it."""

    def __init__(self, folder, name):
        self.name = name
        self.text = (folder / (name + ".out")).read_text()
        self.messages = (folder / (name + ".err")).read_text()
        self.status = int((folder / (name + ".status")).read_text())
        self.seconds = float((folder / (name + ".seconds")).read_text())
        saved = folder / (name + ".json")
        self.json = saved.read_text() if saved.exists() else "null"
        self.result = json.loads(self.json)

    def phases(self, kind):
        return [phase for phase in self.result["phases"] if phase["kind"] == kind]

    def devices(self):
        """By the end of the target's name, e.g. a0 of ata-LAB-SATA_LAB-a0."""
        return {short(device["target"]): device for device in self.result["devices"]}

    def jobs(self, target):
        """Of all phases, in their order."""
        jobs = [job for phase in self.result["phases"] for job in phase["jobs"]]
        return [job for job in jobs if short(job["target"]) == target]

    def job(self, target):
        return self.jobs(target)[0]

    def errors(self, target):
        return [error for job in self.jobs(target) for error in job["errors"]]


def short(target):
    return target.rpartition("/")[2].rpartition("LAB-")[2]


class Case:
    def __init__(self):
        if len(sys.argv) < 2:
            sys.exit("usage: %s SATABENCH [ARGUMENT]..." % sys.argv[0])
        self.satabench = pathlib.Path(sys.argv[1]).resolve()
        self.passed = self.failed = 0
        self.others = None

    def boot(self, topology, script, *arguments, variables=(), seconds=GUEST_SECONDS):
        """Runs cases/SCRIPT in a guest. Returns what it kept: runs of satabench and facts, by name.
        Variables are the topology's, as NAME=VALUE. self.others: what else took of the host's CPUs, percent."""
        need_guest()
        with tempfile.TemporaryDirectory(prefix="satabench-lab.") as name:
            folder = pathlib.Path(name)
            command = [LAB / "run", "-t", topology, "--timeout", str(seconds), "--log", folder / "guest.log"]
            for variable in variables:
                command += ["-e", variable]
            command += ["--", LAB / "cases" / script, self.satabench, *arguments]
            before = cpu_seconds()
            guest = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", check=False)
            total, busy, own = (now - then for now, then in zip(cpu_seconds(), before))
            self.others = 100 * (busy - own) / total
            log = folder / "guest.log"
            text = guest.stdout + (log.read_text(errors="replace")[-4000:] if log.exists() else "")
            if guest.returncode != 0:
                print(text)
                print("left by it: " + " ".join(sorted(path.name for path in folder.iterdir())))
                print("FAIL: the guest's script ended with status %d" % guest.returncode)
                sys.exit(1)
            runs = {path.stem: Run(folder, path.stem) for path in folder.glob("*.status")}
            facts = {path.name: path.read_text() for path in folder.glob("*.fact")}
        return runs, facts

    def check(self, good, message, *values):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print("FAIL: " + message, *values)

    def equal(self, seen, expected, what):
        self.check(seen == expected, "%s: %r, not %r" % (what, seen, expected))

    def within(self, seen, low, high, what):
        good = seen is not None and low <= seen <= high
        self.check(good, "%s: %s, not within %g to %g" % (what, seen, low, high))

    def show(self, run):
        print("--- %s: status %d after %.1f s" % (run.name, run.status, run.seconds))
        print(run.text + run.messages)

    def end(self, runs):
        """Never returns. After a failure all that satabench printed is shown."""
        if self.failed:
            for run in runs.values():
                self.show(run)
        print("%d checks passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed else 0)
