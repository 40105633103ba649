#!/bin/bash
# usage: verdict.sh SATABENCH FREE_DISK|- ARGUMENT...    dd's rate of one free disk, then satabench with
# the arguments on every disk of the topology, then dd again
# shellcheck source=tests/lab/cases/common.sh
. "$(dirname "$0")/common.sh"
shift
free=$1
shift
reference() {
	[ "$free" = - ] || rates 2 1M "$(kernel_name "$free")" >"$1.fact"
}
reference before
run verdict "$@"
reference after
