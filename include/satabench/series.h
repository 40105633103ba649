/* Rows of cumulative counters over one phase. One writer (the sampler thread, or the loop of
 * virtual time); readers may read the rows below sb_series_count() at any time, without a lock:
 * rows never move. Rates are made later, in judge. */
#ifndef SATABENCH_SERIES_H
#define SATABENCH_SERIES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "satabench/cpu.h"

struct sb_row {
	uint64_t time_ns;	   /* when it was read */
	struct sb_cpu_ticks total; /* all CPUs; all zero and has_cpu = 0 in virtual time */
	int has_cpu;
	uint64_t *job_bytes;	/* by job of the phase: its live counter */
	uint64_t *device_bytes; /* by job: the device's own read counter, SB_NONE_U64 unknown */
};

struct sb_series;

/* NULL out of memory. Rows have n_jobs columns. */
struct sb_series *sb_series_create(size_t n_jobs);
void sb_series_destroy(struct sb_series *series);
size_t sb_series_jobs(const struct sb_series *series);
/* Writer: the next row to fill, not visible before commit; NULL when full (about a day at the
 * rates the sampler uses) or out of memory. */
struct sb_row *sb_series_next(struct sb_series *series);
void sb_series_commit(struct sb_series *series);
size_t sb_series_count(const struct sb_series *series);
const struct sb_row *sb_series_row(const struct sb_series *series, size_t index);

#endif
