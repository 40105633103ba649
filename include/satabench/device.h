/* One target of a run: who it is (probe), what it said when it was opened (load), what came out
 * (judge). Plain data. */
#ifndef SATABENCH_DEVICE_H
#define SATABENCH_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_device_kind { SB_DEVICE_BLOCK, SB_DEVICE_FILE, SB_DEVICE_NULL, SB_DEVICE_DIRECTORY };

enum sb_device_state {
	SB_DEVICE_NEW,	    /* not opened yet */
	SB_DEVICE_READY,    /* opened and looked at */
	SB_DEVICE_FAILED,   /* could not be opened, or too many read errors: `message` says why */
	SB_DEVICE_HUNG,	    /* no answer within the hang timeout; never touched again */
	SB_DEVICE_VANISHED, /* gone while it was read */
	SB_DEVICE_STATES
};

struct sb_device {
	/* probe */
	char *target;	       /* as the user named it, raw bytes */
	char *path;	       /* what is opened; NULL for null targets */
	int node;	       /* index in the topology, -1 unknown */
	int kind;	       /* enum sb_device_kind */
	uint32_t major, minor; /* block devices; of a file: the device its file system is on */
	char *file_system; /* of a file: its type, as mountinfo has it: "ext4"; NULL = unknown */
	char *file_system_source; /* "/dev/sda1", "nas:/export"; NULL = unknown */
	uint64_t size_bytes;	  /* SB_NONE_U64 = unknown before it is opened */
	uint32_t sector_bytes;	  /* logical block size; 0 = unknown */
	bool rotational;	  /* it, or any disk below it, turns */
	bool one_buffer;	  /* nothing on the way looks at the data */
	char *own_reason;	  /* why not; NULL */
	char *stat_path;	  /* its counters, e.g. /sys/class/block/sda/stat; NULL: none */
	bool counts_all;	  /* the counter counts this target's reads and no others (not so
				   * for a file on a disk) */
	bool added;	  /* nobody named it: a member of an array that was, or an array below
			   * a target */
	uint32_t streams; /* readers that a phase may have at once, each at its own place;
			   * 0 or 1: the usual one alone. Set before load starts */

	/* load */
	int state;	     /* enum sb_device_state */
	char *engine;	     /* that was chosen; NULL */
	char *engine_reason; /* why not the first choice; NULL */
	char *buffers;	     /* "one" or "own" */
	uint64_t depth;	     /* chosen by calibration or option; 0 = not yet */
	char *contents;	     /* what libblkid sees on it, e.g. "ext4", "linux_raid_member"; NULL */
	bool looks_empty;    /* all of the places that were looked at are zero */
	double wake_seconds; /* how long the first read took; NaN */
	uint64_t free_bytes; /* directories, as is the next; SB_NONE_U64: not told */
	uint64_t free_files;
	char *message; /* one line, for FAILED, HUNG, VANISHED; NULL */

	/* plan */
	uint64_t data_bytes; /* of a directory: what fits, 0 = not yet known */

	/* judge */
	double alone_bytes_s; /* NaN = not measured */
	double all_bytes_s;
	double loss_percent;
	double loss_low_percent, loss_high_percent; /* 95 % interval */
};

const char *sb_device_state_name(int state);
int sb_device_state_parse(const char *name); /* or -1 */
void sb_device_free(struct sb_device *device);
/* Copies `text` over a string member; 0 or -ENOMEM. NULL clears it. */
int sb_set_string(char **member, const char *text);

#endif
