"""Devices that a test makes for itself and always takes away again, and running satabench on them.

A test file has functions test_*(satabench), each given the path of the program, and ends in
rig.main(globals()). What only part of the tests can have here is left out by rig.skip(reason);
when all were left out the file's exit status is 77 and its last line has the reasons.
"""
import contextlib
import glob
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

MIB = 1 << 20
BLKIO = pathlib.Path("/sys/fs/cgroup/blkio")
# 0 sound, 3 a taint: a test machine may be busy with other work, which is one.
WITHOUT_LOSS = (0, 3)
DEVICE_LOST = 2


class Skip(Exception):
    pass


def skip(reason):
    raise Skip(reason)


def need_tool(*names):
    for name in names:
        if not shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin"):
            skip("no %s on this machine" % name)


def is_sanitized(program):
    """Sanitizers have threads and files of their own; LeakSanitizer cannot work under strace."""
    text = pathlib.Path(program).read_bytes()
    return b"__asan_init" in text or b"__tsan_init" in text


def command(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise RuntimeError("%s: %s" % (" ".join(map(str, words)), done.stderr.strip()))
    return done.stdout.strip()


def name_of(device):
    return os.path.basename(str(device))


# Documentation/admin-guide/iostats.rst and block/stat.rst
STAT_FIELDS = ("reads", "reads_merged", "read_sectors", "read_ms", "writes", "writes_merged",
               "write_sectors", "write_ms", "in_flight", "busy_ms", "queue_ms", "discards",
               "discards_merged", "discard_sectors", "discard_ms", "flushes", "flush_ms")


def counters(device):
    text = pathlib.Path("/sys/class/block", name_of(device), "stat").read_text()
    return dict(zip(STAT_FIELDS, map(int, text.split())))


def read_bytes(device):
    return counters(device)["read_sectors"] * 512


class Run:
    """What came of one run of satabench."""

    def __init__(self, status, out, err, seconds, saved):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds
        self.result = json.loads(saved.read_text()) if saved and saved.exists() else None

    def jobs(self, device, kind=None):
        """The device's jobs in all phases that were run, or in those of a kind."""
        return [job for phase in self.result["phases"] if kind in (None, phase["kind"])
                for job in phase["jobs"] if job["target"] == str(device)]

    def device(self, device):
        return next(d for d in self.result["devices"] if d["target"] == str(device))

    def marks(self, device=None):
        return [m["id"] for m in self.result["marks"] if device in (None, m["subject"])]

    def expect(self, *statuses):
        if self.status not in statuses:
            raise AssertionError("status %s, not %s\n%s\n%s" % (
                self.status, " or ".join(map(str, statuses)), (self.err or "")[-2000:],
                (self.out or "")[-2000:]))
        return self


def read_in_all(jobs):
    return sum(job["bytes"] + job["outside_bytes"] for job in jobs)


class Throttle:
    """A blkio cgroup: processes in it read some devices at a limited rate."""

    def __init__(self, rig):
        if not (BLKIO / "blkio.throttle.read_bps_device").exists():
            skip("no blkio controller of cgroup v1 with throttling in %s" % BLKIO)
        self.path = BLKIO / ("satabench-test.%d.%d" % (os.getpid(), rig.number()))
        try:
            self.path.mkdir()
        except OSError as error:
            skip("cannot make a blkio cgroup: %s" % error)
        self.limited = set()
        rig.at_end(self.finish)

    def limit(self, device, bytes_per_second):
        number = pathlib.Path("/sys/class/block", name_of(device), "dev").read_text().strip()
        line = "%s %d" % (number, bytes_per_second)
        (self.path / "blkio.throttle.read_bps_device").write_text(line)
        self.limited.add(device)

    def release(self):
        """Without a limit, what waits goes on: also what nothing could kill."""
        for device in list(self.limited):
            self.limit(device, 0)
        self.limited.clear()

    def processes(self):
        return (self.path / "cgroup.procs").read_text().split()

    def enter(self):
        """For preexec_fn: the process and all it starts are in it."""
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def wait_empty(self, seconds):
        end = time.monotonic() + seconds
        while self.processes() and time.monotonic() < end:
            time.sleep(0.05)
        return not self.processes()

    def finish(self):
        self.release()
        if not self.wait_empty(5):
            for pid in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            self.wait_empty(5)
        for _ in range(50):
            try:
                return self.path.rmdir()
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("cannot remove %s" % self.path)


class Rig:
    """with Rig(satabench) as rig: all that is made inside is gone after it."""

    def __init__(self, satabench):
        self.satabench = satabench
        self.ends = []
        self.numbers = 0

    def __enter__(self):
        if os.geteuid() != 0:
            skip("needs root to make block devices")
        in_memory = os.access("/dev/shm", os.W_OK)
        self.folder = pathlib.Path(
            tempfile.mkdtemp(prefix="satabench-test.", dir="/dev/shm" if in_memory else None))
        self.at_end(lambda: shutil.rmtree(self.folder))
        return self

    def __exit__(self, *_):
        failure = None
        while self.ends:
            try:
                self.ends.pop()()
            except Exception as error:  # the rest has to be taken away all the same
                failure = error
        if failure:
            raise failure

    def at_end(self, function):
        self.ends.append(function)

    def number(self):
        self.numbers += 1
        return self.numbers

    def file(self, size, folder=None, filled=True):
        """Data that do not look empty, or a hole."""
        path = pathlib.Path(folder or self.folder) / ("file%d" % self.number())
        with open(path, "wb") as out:
            piece = os.urandom(min(size, MIB))
            for at in range(0, size if filled else 0, MIB):
                out.write(piece[:min(MIB, size - at)])
            out.truncate(size)
        return str(path)

    def loop(self, size=0, file=None, sector=512, filled=True, partitions=False):
        need_tool("losetup")
        file = file or self.file(size, filled=filled)
        words = ["losetup", "--find", "--show", "--sector-size", sector]
        try:
            device = command(*words, *(["--partscan"] if partitions else []), file)
        except RuntimeError as error:
            skip("no loop device: %s" % error)
        self.at_end(lambda: self.detach(device))
        # What looks for partitions in it, the kernel and perhaps udevd, has to be done.
        if shutil.which("udevadm"):
            subprocess.run(["udevadm", "settle", "--timeout=5"], capture_output=True)
        return device

    @staticmethod
    def detach(device):
        """Until it is free: who still has it open, or its file system in another name space, may
        take a moment."""
        attached = pathlib.Path("/sys/block", name_of(device), "loop")

        def is_free():
            if attached.exists():
                subprocess.run(["losetup", "--detach", device], capture_output=True)
            return not attached.exists()

        if not wait_for(is_free, 5, 0.1):
            raise RuntimeError("cannot detach %s" % device)

    def partitions(self, *sizes):
        """A loop with partitions of these sizes from 1 MiB on: (loop, [partition...]). The kernel
        is told of them without a table on the disk, whose kind it might not know."""
        need_tool("addpart", "delpart")
        loop, names, at = self.loop(sum(sizes) + MIB, partitions=True), [], MIB
        for i, size in enumerate(sizes):
            command("addpart", loop, i + 1, at // 512, size // 512)
            self.at_end(lambda number=i + 1: command("delpart", loop, number))
            names.append("%sp%d" % (loop, i + 1))
            at += size
        if not wait_for(lambda: all(map(os.path.exists, names)), 3):
            skip("no nodes in /dev for the partitions of a loop device")
        return loop, names

    def zram(self, size, filled=True):
        control = pathlib.Path("/sys/class/zram-control")
        if not control.exists():
            subprocess.run(["modprobe", "zram"], capture_output=True)
        try:
            number = (control / "hot_add").read_text().strip()
        except OSError as error:
            skip("no zram: %s" % error)
        device = "/dev/zram" + number

        def remove():
            for tries in range(20, -1, -1):
                try:
                    return (control / "hot_remove").write_text(number)
                except OSError:
                    if not tries:
                        raise
                    time.sleep(0.1)

        self.at_end(remove)
        for _ in range(20):
            if os.path.exists(device):
                break
            time.sleep(0.1)
        if size:
            pathlib.Path("/sys/block/zram%s/disksize" % number).write_text(str(size))
        if size and filled:
            piece = os.urandom(MIB)
            with open(device, "r+b", buffering=0) as out:
                for at in range(0, size, MIB):
                    out.write(piece[:min(MIB, size - at)])
                os.fsync(out.fileno())
        return device

    def mount(self, device, kind, options=None):
        point = self.folder / ("mount%d" % self.number())
        point.mkdir()
        try:
            command("mount", "-t", kind, *(["-o", options] if options else []), device, point)
        except RuntimeError as error:
            skip("cannot mount %s: %s" % (kind, error))
        self.at_end(lambda: self.unmount(point))
        return point

    @staticmethod
    def unmount(point):
        """Again and again: nothing may stay, also after a test that failed."""
        if os.path.ismount(point) and not wait_for(lambda: subprocess.run(
                ["umount", str(point)], capture_output=True).returncode == 0, 3, 0.1):
            command("umount", point)

    def environment(self):
        return dict(os.environ, XDG_STATE_HOME=str(self.folder / "state"), LC_ALL="C")

    def start(self, *words, saved=None, before=(), **more):
        """A running satabench, with pipes for what it prints."""
        words = [*before, self.satabench, *words, *(["--save", saved] if saved else [])]
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                "text": True, "env": self.environment(), **more}
        return subprocess.Popen([str(w) for w in words], **more)

    def run(self, *words, timeout=60, **more):
        """Runs it to its end and keeps the result."""
        saved = self.folder / ("result%d.json" % self.number())
        begin = time.monotonic()
        process = self.start(*words, saved=saved, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            end_all(process)
            raise AssertionError("did not come back within %d s" % timeout) from None
        return Run(process.returncode, out, err, time.monotonic() - begin, saved)


def children_of(pid):
    """The process and all that came of it. Tasks come and go while it is looked at."""
    found, new = [], [int(pid)]
    while new:
        found += new
        tasks = [task for pid in new for task in glob.glob("/proc/%d/task/*/children" % pid)]
        new = []
        for task in tasks:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                new += map(int, pathlib.Path(task).read_text().split())
    return found


def end_all(process):
    """Ends the process and what it started: a killed parent does not take its child along."""
    pids = children_of(process.pid)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        if wait_for(lambda: process.poll() is not None and not any(map(is_alive, pids)), 4):
            return


def is_alive(pid):
    return os.path.exists("/proc/%d" % pid)


def wait_for(condition, seconds=10, step=0.02):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(step)
    return condition()


def own_tests(names):
    return [(name, value) for name, value in names.items() if name.startswith("test_")]


def run_test(name, test, satabench):
    begin = time.monotonic()
    try:
        test(satabench)
    except Skip as reason:
        print("left out: %s: %s" % (name, reason), flush=True)
        return str(reason)
    except Exception:
        print("FAIL: %s\n%s" % (name, traceback.format_exc()), flush=True)
        return False
    print("ok: %s (%.1f s)" % (name, time.monotonic() - begin), flush=True)
    return True


def main(names):
    if len(sys.argv) < 2:
        sys.exit("usage: %s SATABENCH [TEST]..." % sys.argv[0])
    # Ended from outside, it takes its devices away all the same.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda n, _: sys.exit(128 + n))
    came = [run_test(name, test, os.path.abspath(sys.argv[1])) for name, test in own_tests(names)
            if not sys.argv[2:] or name in sys.argv[2:]]
    if False in came:
        sys.exit(1)
    if True not in came:
        print("skipped: %s" % "; ".join(dict.fromkeys(came)))
        sys.exit(77)
