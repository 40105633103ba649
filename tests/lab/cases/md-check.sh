#!/bin/bash
# usage: md-check.sh SATABENCH    md's own check, started, watched, stopped, refused
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"
members=() extra=$(ata m4)
for i in 0 1 2 3; do members+=("$(ata "m$i")"); done
action=/sys/block/md0/md/sync_action

pause() { read -rt "$1" -u "$never"; }

# make LEVEL OPTION...: of 128 MiB a member, in sync
make() {
	local level=$1
	shift
	mdadm --create /dev/md0 --run --quiet --metadata=1.2 --raid-devices=4 --level="$level" "$@" \
		--size=131072 --assume-clean "${members[@]}" 2>&1 || exit
}

unmake() {
	mdadm --quiet --stop /dev/md0 || exit
	mdadm --quiet --zero-superblock "${members[@]}" || exit
}

check() { # NAME OPTION...
	local name=$1
	shift
	run "$name" --md-check -d /dev/md0 --status-interval 1 --baseline 0 "$@"
	cat $action >"$name-after.fact" 2>/dev/null || : # raid0 has none
}

# What is told to begin after so many seconds, beside the next check.
after() {
	local seconds=$1
	shift
	(
		exec {never}<> <(:)
		pause "$seconds"
		"$@" >/dev/null 2>&1
	) &
}

for level in 1 4 5 6 10; do
	make $level
	check "healthy-$level"
	unmake
done

make 5 --chunk=64
printf X | dd of="${members[0]}" bs=1 seek=$((32 << 20)) conv=notrunc,fsync status=none
check mismatch
from_start() { echo 0 >/sys/block/md0/md/sync_min; }

stop() { # NAME HOW: a check that is ended in that way, a second or two after it began
	local name=$1 parent
	shift
	from_start
	"$satabench" --md-check -d /dev/md0 --no-progress --baseline 0 --save "$name.json" \
		>"$name.out" 2>"$name.err" &
	parent=$!
	for _ in {1..100}; do
		[ "$(cat $action)" != check ] || break
		pause .2
	done
	pause 1.5
	cat $action >"$name-during.fact"
	case $1 in
	term) kill -TERM $parent ;;
	child) kill -KILL "$(pgrep -P $parent)" ;;
	parent) kill -KILL $parent ;;
	esac
	wait $parent
	echo $? >"$name.status"
	echo 0 >"$name.seconds"
	[ "$1" != parent ] || pause 2
	cat $action >"$name-after.fact"
}
stop stopped term
check gone-on
stop child-killed child
stop parent-killed parent
# Ctrl-C: to the whole group, as a terminal sends it
from_start
timeout --preserve-status --signal=INT 3 "$satabench" --md-check -d /dev/md0 --no-progress --baseline 0 \
	--save interrupted.json >interrupted.out 2>interrupted.err
echo $? >interrupted.status
echo 0 >interrupted.seconds
cat $action >interrupted-after.fact
from_start
after 3 sh -c "echo idle >$action"
check ended-by-others
from_start

# refused, and nothing is touched
echo check >$action
check refused-busy
echo idle >$action
pause 1
mdadm --quiet --readonly /dev/md0
check refused-read-only
mdadm --quiet --readwrite /dev/md0
check refused-not-all -d "$extra"
from_start
after 3 mdadm --quiet /dev/md0 --fail "${members[2]}"
check lost-member
mdadm --quiet /dev/md0 --remove "${members[2]}"
check refused-degraded
unmake
mdadm --create /dev/md0 --run --quiet --metadata=1.2 --raid-devices=4 --level=0 "${members[@]}" 2>&1 || exit
check refused-level
