#!/bin/bash
# usage: two-ahci.sh SATABENCH ids|names    the plan rounds on all disks; before and after it dd's
# rates, by which the host is judged
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"

a=() b=()
for i in 0 1 2 3; do
	a+=("$(kernel_name "$(ata "a$i")")")
	b+=("$(kernel_name "$(ata "b$i")")")
done
reference() {
	rates 2 1M "${b[0]}" >"$1-one.fact"
	rates 2 1M "${a[@]}" "${b[@]}" >"$1-all.fact"
}

case $2 in
ids) targets=("$(ata '')"*) ;;
names) targets=(/dev/sd[a-h]) ;;
*) exit 2 ;;
esac
printf '%s\n' "${b[@]}" >b.fact
reference before
run default --plan rounds -d "${targets[@]}"
reference after
