#!/bin/bash
# usage: integrity.sh SATABENCH    disks whose data the kernel verifies as it is read
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"
together=(--plan together --rounds 1)

dif=$(by_model LAB-DIF)
run dif -d "$dif" "${together[@]}" --size 16M
# The proof that the kernel verifies: with one buffer for all reads it must fail.
run dif-one -d "$dif" "${together[@]}" --size 16M --buffers one --max-errors 4
echo 0 >"/sys/block/$(basename "$dif")/integrity/read_verify"
run dif-off -d "$dif" "${together[@]}" --size 16M
run sums -d /dev/mapper/sums "${together[@]}" --runtime 1
run sums-ring -d /dev/mapper/sums "${together[@]}" --runtime 1 --engine io_uring
