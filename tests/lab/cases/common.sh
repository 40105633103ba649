# Words for the scripts in this folder, which run in the guest.
# shellcheck shell=bash
set -u
satabench=${1:?usage: SCRIPT SATABENCH}
by_id=/dev/disk/by-id
exec {never}<> <(:) # nothing ever comes from it: waiting without a process

ata() { echo "$by_id/ata-LAB-SATA_LAB-$1"; }
scsi() { echo "$by_id/scsi-0LAB_LAB-SCSI_LAB-$1"; }
kernel_name() { basename "$(readlink -f "$1")"; }

by_model() { # the disk of this model, which has no name by its serial number
	lsblk -dno PATH,MODEL | awk -v model="$1" '$2 == model { print $1 }'
}

# run NAME ARGUMENT...: satabench in a pipe within $(...), so that whatever it leaves running must
# not hold them open; keeps NAME.out, .err, .json, .status and .seconds.
run() {
	local name=$1 text status start up _
	shift
	read -r start _ </proc/uptime # the clock may be set meanwhile
	text=$(
		set -o pipefail
		"$satabench" "$@" --save "$name.json" 2>"$name.err" | cat
	)
	status=$?
	read -r up _ </proc/uptime
	printf '%s\n' "$text" >"$name.out"
	printf '%d.%02d\n' $(((10#${up/./} - 10#${start/./}) / 100)) $(((10#${up/./} - 10#${start/./}) % 100)) >"$name.seconds"
	echo "$status" >"$name.status"
}

# while_read DISK MB COMMAND...: the command as soon as so much more of the disk has been read, in
# the background
while_read() {
	local disk mb=$2 stat start
	disk=$(kernel_name "$1")
	shift 2
	read -r -a stat <"/sys/class/block/$disk/stat"
	start=${stat[2]}
	(
		while [ $(((stat[2] - start) / 2000)) -lt "$mb" ]; do
			read -rt .1 -u "$never"
			read -r -a stat <"/sys/class/block/$disk/stat" || exit
		done
		"$@"
	) &
}
