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
		printf X | dd of="${members[0]}" bs=1 seek=$((32 << 20)) conv=notrunc status=none
		echo check >/sys/block/md0/md/sync_action
		while [ "$(cat /sys/block/md0/md/sync_action)" != idle ]; do read -rt .5 -u "$never"; done
		;;
	resync)
		echo 500 >/sys/block/md0/md/sync_speed_min
		echo 500 >/sys/block/md0/md/sync_speed_max
		;;
	esac
}

# fio_as NAME FACT one|many: the same reads by fio; what the array's counter says of four seconds in their
# middle, into FACT. Not fio's own sum: that has all that is in flight at its end, which is much here.
fio_as() {
	python3 - "$1.json" "$3" <<'P' >jobs.fio
import json
import sys
result = json.load(open(sys.argv[1]))
many = sys.argv[2] == "many"
phase = [p for p in result["phases"] if p["kind"] == "array" and bool(p["jobs"][0].get("stream")) == many][-1]
print("[global]\nfilename=/dev/md0\nrw=read\ndirect=1\nioengine=io_uring\ntime_based\nruntime=8\n")
for number, job in enumerate(phase["jobs"]):
    print("[r%d]\nbs=%d\niodepth=%d\noffset=%d\nsize=%d" % (number, job["block_bytes"], job["depth"],
                                                          job["offset_bytes"], job["span_bytes"]))
P
	fio --readonly --output=fio.txt jobs.fio &
	python3 - <<'P' >"$2"
import time
def look():
    return time.monotonic(), int(open("/sys/block/md0/stat").read().split()[2]) * 512
start = look()[1]
while look()[1] < start + (8 << 20):
    time.sleep(.05)
time.sleep(1)
before = look()
time.sleep(4)
after = look()
print((after[1] - before[1]) / (after[0] - before[0]))
P
	wait $! || exit
}

for state; do
	make "$state"
	cat /proc/mdstat >"$state-mdstat.fact"
	run "$state" -d /dev/md0 --plan quick --runtime 2 --no-progress
	fio_as "$state" "$state-one.fact" one
	fio_as "$state" "$state-many.fact" many
	cat /sys/block/md0/md/sync_action >"$state-after.fact" 2>/dev/null || echo none >"$state-after.fact"
	mdadm --quiet --stop /dev/md0 || exit
	mdadm --quiet --zero-superblock "${members[@]}" || exit
done
