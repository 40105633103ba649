"""Devices in memory and other things a benchmark needs. A Rig undoes all that it made, the last
thing first, when its `with` block is left in whatever way."""
import contextlib
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

LOOP_CTL_REMOVE = 0x4C81  # include/uapi/linux/loop.h
BLKIO = pathlib.Path("/sys/fs/cgroup/blkio")
HUGE_PAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
# What the kernel lays over a file system that holds no data of its own has no block device.
NO_DEVICE_MAJOR = 0


class Missing(Exception):
    """This machine does not have what the row needs."""


def retry(action, seconds=5.0):
    """A reader that is just closing makes a device busy for a moment."""
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except (OSError, subprocess.CalledProcessError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def run(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout.strip()


def fill(path, mib):
    """Data that does not compress, by a way that needs no memory of this process."""
    run("dd", "if=/dev/urandom", "of=" + str(path), "bs=1M", "count=%d" % mib, "iflag=fullblock",
        "conv=notrunc,fsync", "status=none")


def loop_numbers():
    return {path.name for path in pathlib.Path("/sys/block").glob("loop*")}


class Rig:
    def __init__(self):
        self._stack = contextlib.ExitStack()
        self._memory = None

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return self._stack.__exit__(*args)

    def folder(self, parent=None):
        path = pathlib.Path(tempfile.mkdtemp(prefix="satabench-bench.", dir=parent))
        self._stack.callback(shutil.rmtree, path)
        return path

    def _memory_folder(self):
        if self._memory is None:
            path = self.folder()
            run("mount", "-t", "tmpfs", "-o", "size=75%", "satabench-bench", path)
            self._stack.callback(lambda: retry(lambda: run("umount", path)))
            self._memory = path
        return self._memory

    def _detach(self, device, path, is_new):
        """Unless somebody else has done so, and may have the device by now."""
        backing = pathlib.Path("/sys/block", device.name, "loop/backing_file")

        def is_ours():
            return backing.exists() and backing.read_text().split(" (deleted)")[0].strip() == path

        if is_ours():
            retry(lambda: run("losetup", "-d", device))
        end = time.monotonic() + 5
        while is_ours() and time.monotonic() < end:
            time.sleep(0.01)
        if is_new and not backing.exists():
            with open("/dev/loop-control", "rb") as control, contextlib.suppress(OSError):
                fcntl.ioctl(control, LOOP_CTL_REMOVE, int(device.name.removeprefix("loop")))

    def loops(self, n, mib, filled=False):
        folder = self._memory_folder()
        devices = []
        for _ in range(n):
            handle, path = tempfile.mkstemp(dir=folder)
            os.truncate(handle, mib << 20)
            os.close(handle)
            if filled:
                fill(path, mib)
            before = loop_numbers()
            device = pathlib.Path(run("losetup", "-f", "--show", path))
            self._stack.callback(self._detach, device, path, device.name not in before)
            devices.append(str(device))
        return devices

    def _remove_zram(self, number):
        def remove():
            pathlib.Path("/sys/block/zram%d/reset" % number).write_text("1")
            pathlib.Path("/sys/class/zram-control/hot_remove").write_text(str(number))
        retry(remove)

    def zrams(self, n, mib, filled=False):
        add = pathlib.Path("/sys/class/zram-control/hot_add")
        if not add.exists():
            raise Missing("no zram")
        devices = []
        for _ in range(n):
            number = int(add.read_text())
            self._stack.callback(self._remove_zram, number)
            pathlib.Path("/sys/block/zram%d/disksize" % number).write_text("%dM" % mib)
            device = "/dev/zram%d" % number
            if filled:
                fill(device, mib)
            devices.append(device)
        return devices

    def throttle(self, device, mib_per_second):
        """The cgroup.procs of a group for which `device` reads no faster."""
        limit = "blkio.throttle.read_bps_device"
        if not (BLKIO / limit).exists():
            raise Missing("no cgroup v1 blkio controller with throttling")
        group = BLKIO / ("satabench-bench.%d" % os.getpid())
        group.mkdir()
        self._stack.callback(lambda: retry(group.rmdir))
        number = pathlib.Path("/sys/class/block", pathlib.Path(device).name, "dev").read_text()
        (group / limit).write_text("%s %d" % (number.strip(), mib_per_second << 20))
        return group / "cgroup.procs"

    def huge_pages(self, n):
        old = int(HUGE_PAGES.read_text())
        if old >= n:
            return
        self._stack.callback(HUGE_PAGES.write_text, str(old))
        HUGE_PAGES.write_text(str(n))
        if int(HUGE_PAGES.read_text()) < n:
            raise Missing("no memory for %d huge pages" % n)

    def disk_file(self, parent, mib):
        """A file with data on a file system on a disk, and the disk's (partition's) name."""
        number = os.stat(parent).st_dev
        if os.major(number) == NO_DEVICE_MAJOR:
            raise Missing("%s is not directly on a block device" % parent)
        name = os.path.basename(
            os.path.realpath("/sys/dev/block/%d:%d" % (os.major(number), os.minor(number))))
        if shutil.disk_usage(parent).free < (mib + 1024) << 20:
            raise Missing("less than %d MiB free in %s" % (mib + 1024, parent))
        path = self.folder(parent) / "file"
        fill(path, mib)
        return str(path), name

    def first_reads(self):
        """A recorder of the first large read at the start of each device."""
        mount = self.folder()
        run("mount", "-t", "tracefs", "tracefs", mount)
        self._stack.callback(lambda: retry(lambda: run("umount", mount)))
        instance = mount / "instances" / ("satabench-bench.%d" % os.getpid())
        instance.mkdir()
        self._stack.callback(lambda: retry(instance.rmdir))
        return FirstReads(instance)


class FirstReads:
    """Times at which block devices saw their first read of 256 KiB or more at sector 0: that tells
    the load from what a program does to look at a device."""

    def __init__(self, instance):
        self._instance = instance
        event = instance / "events/block/block_bio_queue"
        (instance / "trace_clock").write_text("mono")
        (instance / "buffer_size_kb").write_text("512")
        (event / "filter").write_text("sector == 0 && nr_sector >= 512")
        (event / "enable").write_text("1")

    def reset(self):
        (self._instance / "trace").write_text("")

    def skew_ms(self, n_devices):
        """Last less first, or None when not every device was seen."""
        first = {}
        for line in (self._instance / "trace").read_text().splitlines():
            found = re.search(r"\s(\d+\.\d+): block_bio_queue: (\d+,\d+) ", line)
            if found:
                first.setdefault(found[2], float(found[1]))
        if len(first) != n_devices:
            return None
        return (max(first.values()) - min(first.values())) * 1e3
