/* The live view: the tree of controllers with their disks while they are read. live.c gathers what
 * is to be seen, live_draw.c lays it out, live_cell.c draws one line or cell. */
#ifndef SATABENCH_LIVE_PRIV_H
#define SATABENCH_LIVE_PRIV_H

#include "progress_priv.h"
#include "satabench/report.h"
#include "screen_priv.h"

#define LIVE_HISTORY 40 /* columns of half a second */

/* What a device, a controller or all of them give. */
struct live_row {
	char *label; /* owned, escaped */
	size_t width;
	bool active;		      /* it is being read */
	double bytes_s;		      /* NaN */
	double ceiling;		      /* bytes/s; NaN */
	double latency_ns;	      /* mean of the last second; NaN */
	uint64_t errors, past_errors; /* the latter of phases that are over */
	double silent_s;	      /* 0: it answers */
	const char *lost;	      /* "hung" ...; NULL */
	double history[LIVE_HISTORY]; /* rates, the newest last; NaN: it was not read */
	double most;		      /* of all times */

	/* for the mean: counts half a second to a second ago, and those less than that */
	struct live_count {
		uint64_t n, ns;
	} old, middle;
};

/* A controller, or a multiplier or expander below it. */
struct live_group {
	int node; /* -1: what hangs on no known controller */
	size_t depth;
	size_t first, n; /* its own devices, as places in `order` */
	size_t n_all;	 /* with those of what is below it */
	struct live_row row;
};

struct live {
	struct live_row *rows; /* by device of the result */
	size_t n_rows;
	size_t *order; /* devices, those of a group together */
	struct live_group *groups;
	size_t n_groups;
	struct live_row all;
	char *reason, *sentence; /* escaped; NULL */
	size_t phase;		 /* + 1, of the newest update */
	uint64_t pushed_ns;	 /* newest column of the histories */
	struct sb_cpu_figures six;
	double *busy; /* by CPU, 0..1 */
	size_t n_busy;
};

void live_cpu(struct live *live, const struct sb_progress_cpu *cpu);
/* False when out of memory. */
bool live_update(struct live *live, const struct view *view, const struct sb_result *result,
		 const struct sb_phase *phase, const struct sb_live *const *lives,
		 char *const *labels);
void live_draw(const struct live *live, const struct view *view, struct frame *frame);
void live_free(struct live *live);

/* live_tree.c: rows and groups, once. False when out of memory. */
bool live_make_tree(struct live *live, const struct sb_result *result, char *const *labels);

/* Columns of the parts of a cell; 0 = there is no room for it. */
struct live_parts {
	size_t name, rate, history, latency, share, fault;
};
struct live_parts live_parts(size_t width, size_t name, bool has_ceilings);
void live_cell(struct frame *frame, const struct live_row *row, const struct live_parts *parts,
	       size_t indent, int style);
void live_heads(struct frame *frame, const struct live_parts *parts);
/* A column for a value from 0 to 1; NaN is blank. */
const char *live_spark(const struct frame *frame, double value);

#endif
