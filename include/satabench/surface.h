/* What reading a device over its whole length, or at evenly spaced places, has come to: how fast
 * which place is, what cannot be read, which reads were slow. Plain data of bounded size that goes
 * on from one session to the next.
 *
 * What is to be read is one row of `places` x `run_bytes` bytes: position 0 is its first byte. The
 * whole length is one place. A worker adds to it by relaxed stores of whole words, so that main can
 * take a copy from one that hangs. */
#ifndef SATABENCH_SURFACE_H
#define SATABENCH_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "satabench/topo.h"

#define SB_SURFACE_BUCKETS 128	   /* of a whole length */
#define SB_SURFACE_BUCKETS_MAX 256 /* of places */
#define SB_SURFACE_RANGES 256	   /* kept; the sums count all */
#define SB_SURFACE_SLOWEST 32
#define SB_SURFACE_RUN_BYTES (16ULL << 20) /* of a place */

enum sb_surface_kind {
	SB_SURFACE_UNREADABLE, /* each sector of it was tried */
	SB_SURFACE_UNCLEAR,    /* it failed as a whole; which of its sectors was not found out */
	SB_SURFACE_SKIPPED,    /* behind a place that takes too long; not read */
	SB_SURFACE_RECOVERED,  /* it failed as a whole, and could be read in parts then */
	SB_SURFACE_KINDS
};

struct sb_surface_bucket {
	uint64_t offset_bytes; /* of the device */
	uint64_t bytes;	       /* read of it */
	uint64_t timed_bytes;  /* ... in `ns`: not what came behind a seek, or was read in parts */
	uint64_t ns;

	double bytes_s; /* derived, judge; NaN */
};

struct sb_surface_range {
	uint64_t offset_bytes, length_bytes;
	int kind;  /* enum sb_surface_kind */
	int error; /* errno of its first read that failed; 0 = no data there, or not read */
};

struct sb_surface_slow {
	uint64_t offset_bytes;
	uint64_t latency_ns;
};

struct sb_surface {
	int device; /* index in the result's devices */
	uint32_t sector_bytes;
	uint64_t offset_bytes; /* where it begins */
	uint64_t span_bytes;   /* to the end of the device */
	uint64_t places, run_bytes;
	uint64_t bucket_bytes; /* length of a bucket */
	uint64_t sessions;
	uint64_t elapsed_ns; /* of all sessions */

	uint64_t position_bytes; /* all before it was read or has its range */
	uint64_t read_bytes;
	uint64_t range_bytes[SB_SURFACE_KINDS]; /* of all ranges, also of those not kept */
	uint64_t n_ranges;
	struct sb_surface_bucket *buckets;
	size_t n_buckets;
	struct sb_surface_range *ranges; /* room for SB_SURFACE_RANGES, as for the slowest */
	size_t n_kept;
	struct sb_surface_slow *slowest; /* in no order while it is read; then the slowest first */
	size_t n_slowest;

	/* derived, judge; NaN */
	double bytes_s;			   /* over all that was timed */
	double start_bytes_s, end_bytes_s; /* of its first and last twentieth */
	double slow_ns;			   /* a read that takes so long stands out */
	size_t n_outliers;		   /* of the slowest */
	int flat_start; /* enum sb_answer: the same rate up to flat_percent, then less */
	double flat_percent, flat_bytes_s;
};

/* An empty one with room for all; places 0: the whole length. 0 or -ENOMEM. */
int sb_surface_init(struct sb_surface *surface, uint64_t offset_bytes, uint64_t span_bytes,
		    uint64_t places, uint32_t sector_bytes);
/* Room for so many buckets, when it is read back. 0 or -ENOMEM. */
int sb_surface_room(struct sb_surface *surface, size_t n_buckets);
/* Also of one that another thread may be adding to. 0 or -ENOMEM. */
int sb_surface_copy(struct sb_surface *to, const struct sb_surface *from);
void sb_surface_free(struct sb_surface *surface);

uint64_t sb_surface_total(const struct sb_surface *surface);
bool sb_surface_is_whole(const struct sb_surface *surface); /* one place */
/* From a position to where it is on the device, and back. */
uint64_t sb_surface_offset(const struct sb_surface *surface, uint64_t position);
uint64_t sb_surface_position(const struct sb_surface *surface, uint64_t offset_bytes);

/* No allocation, no lock: for the worker that reads. */
void sb_surface_add_read(struct sb_surface *surface, uint64_t offset_bytes, uint64_t bytes,
			 uint64_t timed_bytes, uint64_t ns);
void sb_surface_add_range(struct sb_surface *surface, int kind, uint64_t offset_bytes,
			  uint64_t length_bytes, int error);
void sb_surface_add_slow(struct sb_surface *surface, uint64_t offset_bytes, uint64_t latency_ns);
void sb_surface_sort_slowest(struct sb_surface *surface);

static inline void sb_surface_put(uint64_t *word, uint64_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

const char *sb_surface_kind_name(int kind);  /* NULL: none */
int sb_surface_kind_parse(const char *name); /* or -1 */

/* A list by device, in the result. */
struct sb_result;
struct sb_surface *sb_result_surface(const struct sb_result *result, int device); /* or NULL */
/* An empty element, to be filled; NULL out of memory. */
struct sb_surface *sb_result_add_surface(struct sb_result *result, int device);
/* Takes over what an earlier run has of the same devices: by the stable id of both, else by name.
 * The number of devices that were found again, or -ENOMEM. Those whose size or places are others
 * now begin anew, `changed` (by device) says which. */
int sb_surface_resume(struct sb_result *result, const struct sb_result *earlier, bool *changed);

#endif
