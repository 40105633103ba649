#!/bin/bash
# usage: md.sh SATABENCH LEVEL STATE...    an array of four disks in each state, read by satabench, then
# by fio with one reader and with four, at the same places, in the same blocks
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"
shift
level=$1
shift
members=() options=()
for i in 0 1 2 3; do members+=("$(ata "m$i")"); done
case $level in
10*)
	options=(--level=10 --layout="${level#10}" --chunk=512)
	;;
1) options=(--level=1) ;;
linear) options=(--level=linear) ;;
*) options=(--level="$level" --chunk=512) ;;
esac

# make STATE: an array that is clean, lacks a member, has a mismatch, or is at work on itself
make() {
	local clean=(--assume-clean)
	case $level in 0 | linear) clean=() ;; esac
	if [ "$1" = resync ]; then clean=(--force); fi
	mdadm --create /dev/md0 --run --quiet --metadata=1.2 --raid-devices=4 "${options[@]}" "${clean[@]}" \
		"${members[@]}" 2>&1 || exit
	case $1 in
	degraded | small-cache)
		mdadm --quiet /dev/md0 --fail "${members[1]}" && mdadm --quiet /dev/md0 --remove "${members[1]}" || exit
		# through the stripe cache, whose usual 256 pages a member hold it back: see small-cache
		if [ "$1" = degraded ] && [ -e /sys/block/md0/md/stripe_cache_size ]; then
			echo 4096 >/sys/block/md0/md/stripe_cache_size
		fi
		;;
	mismatch)
		printf X | dd of="${members[0]}" bs=1 seek=$((32 << 20)) conv=notrunc,fsync status=none
		echo check >/sys/block/md0/md/sync_action
		while [ "$(cat /sys/block/md0/md/sync_action)" != idle ]; do read -rt .5 -u "$never"; done
		;;
	resync)
		echo 100 >/sys/block/md0/md/sync_speed_min
		echo 100 >/sys/block/md0/md/sync_speed_max
		;;
	esac
}

# fio_as NAME one|many: the same reads by fio; what its log says of its third second to its seventh. Not its
# own sum: that has all that is in flight at the end, which is much here.
fio_as() {
	python3 - "$1.json" "$2" <<'P'
import glob
import json
import os
import subprocess
import sys

FROM_MS, TO_MS = 2000, 7000
for old in glob.glob("bw_*.log"):
    os.remove(old)
result = json.load(open(sys.argv[1]))
many = sys.argv[2] == "many"
phase = [p for p in result["phases"] if p["kind"] == "array" and bool(p["jobs"][0].get("stream")) == many][-1]
text = "[global]\nfilename=/dev/md0\nrw=read\ndirect=1\nioengine=io_uring\ntime_based\nruntime=8\n"
text += "write_bw_log=bw\nlog_avg_msec=500\n"
for number, job in enumerate(phase["jobs"]):
    text += "[r%d]\nbs=%d\niodepth=%d\noffset=%d\nsize=%d\n" % (
        number, job["block_bytes"], job["depth"], job["offset_bytes"], job["span_bytes"])
open("jobs.fio", "w").write(text)
subprocess.run(["fio", "--readonly", "--output=fio.txt", "jobs.fio"], check=True)
total = 0
for log in glob.glob("bw_*.log"):
    rows = [[int(word) for word in line.split(",")[:2]] for line in open(log)]
    rates = [kib for ms, kib in rows if FROM_MS < ms <= TO_MS]
    total += 1024 * sum(rates) / len(rates)
print(total)
P
}

for state; do
	make "$state"
	cat /proc/mdstat >"$state-mdstat.fact"
	run "$state" -d /dev/md0 --plan quick --runtime 2 --no-progress
	fio_as "$state" one >"$state-one.fact" || exit
	fio_as "$state" many >"$state-many.fact" || exit
	cat /sys/block/md0/md/sync_action >"$state-after.fact" 2>/dev/null || echo none >"$state-after.fact"
	mdadm --quiet --stop /dev/md0 || exit
	mdadm --quiet --zero-superblock "${members[@]}" || exit
done
