/* Inside of the room: /proc/mdstat as a value. Beside sysfs it is a second witness of the same
 * arrays, and the only one before 2.6. */
#ifndef SATABENCH_PROBE_MDSTAT_H
#define SATABENCH_PROBE_MDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mdstat_member {
	char *name;	/* with '/', as in /dev */
	uint64_t slot;	/* what stands in brackets: the descriptor, not always the slot */
	char flags[16]; /* "F" failed, "S" spare, "W" write-mostly, "J" journal, "R" replacement */
};

struct mdstat_sync {
	char *action;	/* NULL: nothing runs or waits */
	char *state;	/* "DELAYED", "PENDING", "REMOTE"; NULL: it runs */
	double percent; /* NaN */
	uint64_t done;	/* KiB; SB_NONE_U64 */
	uint64_t total; /* same */
	double minutes; /* left; NaN */
	uint64_t kib_s; /* SB_NONE_U64 */
};

struct mdstat_bitmap {
	bool there;
	uint64_t pages, of, chunk_kib; /* SB_NONE_U64 */
	char *file;		       /* NULL: internal */
};

struct mdstat_array {
	char *name;
	char *state;	/* "active", "inactive", "broken" */
	char *ro;	/* "no", "read-only", "auto-read-only" */
	char *level;	/* NULL */
	char *metadata; /* "0.90" is what the kernel does not print */
	char *layout;	/* "2 near-copies"; NULL */
	char *status;	/* "UU_"; NULL */
	uint64_t blocks_kib, chunk_kib, rounding_kib, algorithm; /* SB_NONE_U64 */
	uint64_t disks_total, disks_active;			 /* SB_NONE_U64 */
	struct mdstat_sync sync;
	struct mdstat_bitmap bitmap;
	struct mdstat_member *members;
	size_t n_members;
};

struct mdstat {
	bool there; /* it has a line of personalities, or an array */
	char **personalities;
	size_t n_personalities;
	char *read_ahead; /* line of 2.4; NULL */
	bool unused_line;
	char **unused;
	size_t n_unused;
	struct mdstat_array *arrays;
	size_t n_arrays;
};

/* Nothing in the text is believed: what is not understood is skipped. 0 or -ENOMEM; to be freed
 * either way. */
int probe_mdstat_parse(struct mdstat *mdstat, const char *text);
void probe_mdstat_free(struct mdstat *mdstat);
const struct mdstat_array *probe_mdstat_find(const struct mdstat *mdstat, const char *name);
bool probe_mdstat_has_flag(const struct mdstat_member *member, char flag);
/* External metadata that holds arrays and is none itself. */
bool probe_mdstat_is_container(const struct mdstat_array *array);

#endif
