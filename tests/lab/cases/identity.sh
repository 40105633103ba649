#!/bin/bash
# usage: identity.sh SATABENCH    every kind of disk: what satabench says of it beside what lsblk and sysfs say
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"

"$satabench" >tree.fact 2>tree-messages.fact
echo $? >tree-status.fact
lsblk -dJo NAME,SERIAL,MODEL,WWN,SIZE -b >lsblk.fact
for disk in /sys/block/*; do echo "${disk##*/} $(readlink -f "$disk")"; done >paths.fact
run all -d all --plan together --rounds 1 --runtime .5
