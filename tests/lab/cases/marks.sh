#!/bin/bash
# usage: marks.sh SATABENCH    arrays at work, the clock set, a small disk read more than once
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"
together=(--plan together --rounds 1)
free=$(ata m4)
members=()
for i in 0 1 2 3; do members+=("$(ata "m$i")"); done

action() { cat "/sys/block/$(kernel_name /dev/md0)/md/sync_action" >"$1.fact"; }
# Slow enough to be at work for longer than any of this takes.
slowly() { echo 1000 >"/sys/block/$(kernel_name /dev/md0)/md/sync_speed_max"; }

run idle -d /dev/md0 "$free" "${together[@]}" --size 32M
action idle

slowly
echo check >"/sys/block/$(kernel_name /dev/md0)/md/sync_action"
run check -d /dev/md0 "${together[@]}" --runtime 1
action check
run check-member -d "${members[2]}" "${together[@]}" --runtime 1
run check-beside -d "$free" "${together[@]}" --size 32M

mdadm --quiet --stop /dev/md0
echo 1000 >/proc/sys/dev/raid/speed_limit_max
mdadm --quiet --create /dev/md0 --run --metadata=1.2 --level=6 --raid-devices=4 "${members[@]}"
run resync -d /dev/md0 "${together[@]}" --runtime 1
action resync

mdadm --quiet --stop /dev/md0
mdadm --quiet --create /dev/md0 --run --metadata=1.2 --level=5 --raid-devices=4 --assume-clean "${members[@]}"
mdadm --quiet /dev/md0 --fail "${members[1]}"
mdadm --quiet /dev/md0 --remove "${members[1]}"
mdadm --quiet /dev/md0 --add "${members[1]}"
slowly
run recover -d /dev/md0 "${together[@]}" --runtime 1
action recover

run wrapped -d "$free" "${together[@]}" --size 300M

while_read "$free" 20 date -s '+1 hour' >/dev/null
run forwards -d "$free" "${together[@]}" --runtime 2
while_read "$free" 20 date -s '-1 hour' >/dev/null
run backwards -d "$free" "${together[@]}" --runtime 2
