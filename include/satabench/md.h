/* An md array: what probe found of it, and what judge derives. Plain data, part of the result. */
#ifndef SATABENCH_MD_H
#define SATABENCH_MD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_md_level {
	SB_MD_UNKNOWN, /* one that the kernel has and this program does not, or none yet */
	SB_MD_LINEAR,
	SB_MD_RAID0,
	SB_MD_RAID1,
	SB_MD_RAID4,
	SB_MD_RAID5,
	SB_MD_RAID6,
	SB_MD_RAID10,
	SB_MD_MULTIPATH,
	SB_MD_CONTAINER, /* of external metadata: has members and no data */
	SB_MD_LEVELS
};

enum sb_md_role {
	SB_MD_DATA,	   /* holds a slot of the array (parity is data here, too) */
	SB_MD_SPARE,	   /* waits, or is being rebuilt: see sb_md_member.slot */
	SB_MD_FAULTY,	   /* failed, still listed */
	SB_MD_JOURNAL,	   /* holds raid4/5/6's journal */
	SB_MD_REPLACEMENT, /* becomes a copy of a member that will leave */
	SB_MD_ROLES
};

struct sb_md_member {
	char *name;   /* kernel's, raw bytes */
	int node;     /* index in the topology, -1 unknown */
	int device;   /* index in the result's devices, -1: it is not read */
	int role;     /* enum sb_md_role */
	int slot;     /* place in the array, from 0; -1 none */
	char *state;  /* as md says it: "in_sync", "in_sync,write_mostly", "faulty" ...; NULL */
	bool in_sync; /* its data is what it should be: md may read from it */
	bool write_mostly;
	bool want_replacement;
	uint64_t size_bytes;   /* that the array uses of it; SB_NONE_U64 */
	uint64_t offset_bytes; /* where its data begins; SB_NONE_U64 */
	uint64_t errors;       /* corrected read errors; SB_NONE_U64 */
	uint64_t bad_ranges;   /* in its list of bad blocks; SB_NONE_U64 */

	/* derived, judge; NaN = not measured */
	double alone_bytes_s;
	double together_bytes_s; /* with all members of this array, and nothing else */
};

/* A range, NaN = not known. */
struct sb_md_range {
	double low, high;
};

/* What an array gave, read with so many readers, and what it should give. */
struct sb_md_reading {
	uint32_t streams;      /* 0 = was not read so */
	double bytes_s;	       /* NaN */
	double beside_bytes_s; /* the same while all arrays of the run are read at once; NaN */
	struct sb_md_range theory;
	double md_loss;	 /* fraction below the range that md answers for; 0 = within it; NaN */
	double cpu_loss; /* the same, where a CPU was full */
	double p_below;	 /* P(below the range by over 5 %); NaN */
};

struct sb_md_array {
	/* probe */
	int node;		   /* in the topology */
	int device;		   /* in the result's devices, -1: it is not read */
	char *name;		   /* "md0", raw bytes */
	char *level;		   /* as md says it, "raid5"; NULL = none (inactive) */
	int kind;		   /* enum sb_md_level */
	char *metadata;		   /* "1.2", "external:imsm", "external:/md127/0"; NULL */
	char *container;	   /* name of the array that holds its metadata; NULL */
	uint64_t layout;	   /* md's number; SB_NONE_U64 */
	uint64_t chunk_bytes;	   /* 0 = has none; SB_NONE_U64 */
	uint64_t raid_disks;	   /* slots; SB_NONE_U64 */
	uint64_t raid_disks_old;   /* while it is reshaped: before; SB_NONE_U64 */
	uint64_t degraded;	   /* slots without a good member; SB_NONE_U64 */
	uint64_t mismatch_sectors; /* that the last check or repair counted; SB_NONE_U64 */
	uint64_t component_bytes;  /* that is used of each member; SB_NONE_U64 */
	uint64_t size_bytes;	   /* SB_NONE_U64 */
	char *array_state;	   /* "clean", "active", "read-auto", "inactive" ...; NULL */
	char *sync_action;	   /* "idle", "check", "resync" ...; NULL: level has none */
	char *sync_action_end;	   /* what it was seen to do after that, until all was read */
	char *last_sync_action;	   /* NULL */
	char *sync_waits; /* "delayed": for another array; "pending": for the first write; NULL */
	uint64_t sync_done_sectors;  /* of the total, which counts what the level counts: a member's
				      * or the array's; SB_NONE_U64 = nothing runs */
	uint64_t sync_total_sectors; /* SB_NONE_U64 */
	uint64_t sync_bytes_s;	     /* SB_NONE_U64 */
	uint64_t sync_min_bytes_s;   /* md's limits a member; SB_NONE_U64 */
	uint64_t sync_max_bytes_s;
	uint64_t stripe_cache;	      /* stripes of a page a member; raid4/5/6; SB_NONE_U64 */
	uint64_t read_ahead_bytes;    /* of its block device; SB_NONE_U64 */
	char *bitmap;		      /* "internal", "file", "clustered"; NULL = none */
	char *consistency;	      /* consistency_policy; NULL */
	char *mdstat_differs;	      /* what /proc/mdstat says otherwise; NULL */
	struct sb_md_member *members; /* by slot, then the others */
	size_t n_members;

	/* derived, judge */
	uint64_t stripe_bytes; /* data of one whole stripe; 0 = has none */
	uint64_t block_bytes;  /* in which it was read; 0 = was not */
	double alone_bytes_s;  /* sums over the members it can be read from; NaN */
	double together_bytes_s;
	struct sb_md_reading one, many;
	double controller_loss; /* fraction, alone to together; NaN */
	int slowest;		/* index of the slowest member alone, -1 */
	double check_seconds;	/* estimate for all of it; NaN */
	double rebuild_seconds; /* the same for one member */
};

const char *sb_md_level_name(int level);
int sb_md_level_parse(const char *name); /* what md writes; SB_MD_UNKNOWN for what is not known */
/* Level by what md says of level and metadata: containers often have no level. */
int sb_md_kind(const char *level, const char *metadata);
const char *sb_md_role_name(int role);
int sb_md_role_parse(const char *name); /* or -1 */
/* "left-symmetric", "near=2, offset=1" ...: what mdadm calls the layout; malloc'ed, "" for a level
 * that has none. NULL out of memory. */
char *sb_md_layout_text(int level, uint64_t layout);
/* Slots that hold parity in a stripe. */
unsigned sb_md_parity(int level);
/* Data in one whole stripe, 0 = the level has no stripes (or it is not known). */
uint64_t sb_md_stripe_bytes(const struct sb_md_array *array);
/* May md read from it? */
bool sb_md_is_readable(const struct sb_md_member *member);

void sb_md_array_init(struct sb_md_array *array);
void sb_md_array_free(struct sb_md_array *array);
/* Zeroed, with "no value" where that is meant; NULL out of memory. Earlier pointers become invalid.
 */
struct sb_md_member *sb_md_add_member(struct sb_md_array *array);

#endif
