/* One check of an md array, that md itself has made on request. Plain data, part of the result. */
#ifndef SATABENCH_MDCHECK_H
#define SATABENCH_MDCHECK_H

#include <stddef.h>
#include <stdint.h>

enum sb_mdcheck_state {
	SB_MDCHECK_RUNNING,
	SB_MDCHECK_DONE,
	SB_MDCHECK_STOPPED, /* by a signal to this program */
	SB_MDCHECK_ENDED,   /* by somebody else, or by md */
	SB_MDCHECK_FAILED,  /* md did not take the request */
	SB_MDCHECK_STATES
};

struct sb_mdcheck_member {
	int node;					  /* index in the topology; -1 unknown */
	char *name;					  /* kernel's, raw bytes */
	uint64_t before_read_bytes, before_written_bytes; /* load's: its counters at the start */
	/* by its own counters, from the start to the end; SB_NONE_U64 */
	uint64_t read_bytes;
	uint64_t
		written_bytes; /* superblocks, sectors that md rewrote, and all that others wrote */

	double bytes_s; /* read; derived; NaN */
};

struct sb_mdcheck {
	int node;      /* of the array, in the topology */
	char *name;    /* "md0", raw bytes */
	char *level;   /* "raid5" */
	int state;     /* enum sb_mdcheck_state */
	char *message; /* why it did not come to its end; NULL */
	uint64_t elapsed_ns;
	/* of what md counts: sectors of a member, or of the array; SB_NONE_U64 */
	uint64_t first_sector; /* where it began: where one that was ended before had come to */
	uint64_t done_sectors, total_sectors;
	uint64_t mismatch_before_sectors; /* that md knew of */
	uint64_t mismatch_sectors;	  /* that this check counted */
	struct sb_mdcheck_member *members;
	size_t n_members;

	/* derived, judge; NaN */
	double bytes_s; /* of what md counts */
	double percent;
	double left_seconds; /* for what is not checked */
};

/* What is known of an array before it is checked; texts as in sysfs, "" = there is none. */
struct sb_mdcheck_look {
	char sync_action[32], array_state[32], resync_start[32], sync_completed[64];
	uint64_t degraded; /* SB_NONE_U64 */
};
/* Why it is not to be checked, in one line; NULL = it can be. */
const char *sb_mdcheck_refusal(const struct sb_mdcheck_look *look);
/* "1234 / 5678" of sync_completed; 0 or -ENODATA ("none", "delayed"). */
int sb_mdcheck_progress(const char *text, uint64_t *done, uint64_t *total);

const char *sb_mdcheck_state_name(int state); /* NULL: none */
int sb_mdcheck_state_parse(const char *name); /* or -1 */
void sb_mdcheck_free(struct sb_mdcheck *check);

struct sb_result;
/* Empty; NULL out of memory. Earlier pointers become invalid. */
struct sb_mdcheck *sb_result_add_check(struct sb_result *result);
struct sb_mdcheck_member *sb_mdcheck_add_member(struct sb_mdcheck *check);

#endif
