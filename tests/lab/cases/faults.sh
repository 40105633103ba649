#!/bin/bash
# usage: faults.sh SATABENCH    each kind of disk that goes wrong, beside good ones
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"
together=(--plan together --rounds 1)

debug=$(by_model LAB-DEBUG)
delete_disk() { echo 1 >"/sys/block/$(basename "$1")/device/delete"; }
suspend() { dmsetup suspend --nolockfs --noflush bad-part; }
stall() { suspend && sleep 4 && dmsetup resume bad-part; }

# Blocks of one read at a time: two of them hold bad sectors.
run medium -d "$debug" "${together[@]}" --bs 4k --iodepth 1 --offset 2M --size 1M
run bad-sector -d "$(ata a1)" "$(scsi v1)" "${together[@]}" --size 64M
run surface --workload=surface -d "$debug" /dev/mapper/bad-small "$(ata a1)" "$(scsi v1)" --hang-timeout 40s
run surface-again --resume surface.json
run small-blocks -d "$(ata a2)" "$(scsi v3)" "${together[@]}" --bs 512 --runtime 1
run tiny -d "$(ata a2)" "$(ata a0)" "${together[@]}" --runtime 1

# A stall that ends in time is no hang.
while_read "$(ata a0)" 20 stall
run stall -d /dev/mapper/bad-part "$(scsi v3)" "${together[@]}" --offset 2M --runtime 8 --hang-timeout 20s

# One that hangs already when it is looked at, until it is let go.
suspend
run hung-at-start -d /dev/mapper/bad-part "$(scsi v3)" "${together[@]}" --offset 2M --runtime 1 --hang-timeout 3s
dmsetup resume bad-part
for _ in {1..100}; do
	pgrep -x satabench >/dev/null || break
	sleep .1
done
pgrep -x satabench >left.fact

# Three that vanish one after the other. (A busy host may be late with it: hence the rounds.)
while_read "$debug" 20 delete_disk "$debug"
while_read "$(scsi v0)" 60 hmp device_del v0
while_read "$(ata p0)" 110 hmp device_del P
run vanish -d "$debug" "$(scsi v0)" "$(ata p0)" "$(ata a0)" --plan together --rounds 3 --runtime 5 --max-errors 1000

# Those that hang for good come last.
while_read "$(scsi v2)" 20 limit v2 .000001
run hung-ring -d "$(scsi v2)" "$(ata a0)" --plan together --rounds 3 --runtime 4 --hang-timeout 3s
while_read "$(scsi v1)" 20 limit v1 .000001
run hung-thread -d "$(scsi v1)" "$(ata a0)" --plan together --rounds 3 --runtime 4 --hang-timeout 3s --engine preadv
