/* The display while it runs: what is shown (progress_view.c) and how (progress.c). */
#ifndef SATABENCH_PROGRESS_PRIV_H
#define SATABENCH_PROGRESS_PRIV_H

#include "satabench/report.h"

/* One job as it is now. */
struct view_job {
	const char *label;
	size_t job;	/* index in the phase: the first one of its device */
	double bytes_s; /* over the last second; NaN */
	uint64_t errors;
	double silent_s; /* without a completion, if that is long; else 0 */
	bool is_test;	 /* of a directory, which may take its time until all is on the disk */
	uint64_t files;	 /* done so far, where that is what is counted; SB_NONE_U64 */
};

struct view {
	size_t phase_number, n_phases; /* 0 = not known */
	const char *kind;
	char place[200];    /* report_place_text */
	const char *reason; /* where it is worth a line; NULL */
	double left_s;	    /* of the whole run, at most; NaN */
	unsigned round;
	double elapsed_s, runtime_s; /* 0: ends by amount */
	double done_percent;	     /* of a phase that can take hours; NaN */
	double about_left_s;	     /* ... as fast as up to now; NaN */
	struct view_job *jobs;
	size_t n_jobs, capacity;
	double bytes_s; /* all of them; NaN */
	uint64_t errors;
	size_t silent;		/* jobs */
	double fastest_bytes_s; /* of any device so far: the full bar */
	size_t phase;		/* index + 1 of the phase that is shown */
	uint64_t phase_start_ns;
};

/* False when out of memory; then nothing is to be drawn. */
bool view_update(struct view *view, const struct sb_result *result, const struct sb_phase *phase,
		 const struct sb_series *series, const struct sb_live *const *lives,
		 char *const *labels);
/* One line of the display, without its end; what does not fit is cut. */
struct view_text {
	char text[600];
	size_t length;
};
/* "phase 3/9 together round 2" */
void view_where(struct view_text *line, const struct view *view);
void view_head(struct view_text *line, const struct view *view);
/* `bar` columns of bar after `name` columns of label. */
void view_line(struct view_text *line, const struct view_job *job, const struct view *view,
	       size_t name, size_t bar, bool utf8);

#endif
