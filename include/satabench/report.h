/* Saying it: one file per format, reading our own JSON back, and the display while it runs. Sees a
 * result, never a device. Main thread. */
#ifndef SATABENCH_REPORT_H
#define SATABENCH_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "satabench/comparison.h"
#include "satabench/live.h"
#include "satabench/result.h"
#include "satabench/series.h"

struct sb_format {
	const char *name;
	const char *summary;
	/* The whole report. 0 or negative errno (of the stream). */
	int (*write)(FILE *out, const struct sb_result *result);
	bool live; /* written piece by piece while it runs, see sb_stream */
};
extern const struct sb_format sb_formats[]; /* the last has name NULL */
const struct sb_format *sb_format_find(const char *name);

/* ndjson: what is new since the last call. A run that was streamed and sb_format.write of its saved
 * result give the same bytes. Zero it before the first call. To be called after judge has derived
 * what is new: a phase that is done is written with its figures, and `finished` writes those of the
 * run. */
struct sb_stream {
	size_t phases_begun, phases_ended, intervals; /* intervals: of the newest phase */
	bool begun, ended;
};
int sb_stream_update(struct sb_stream *stream, FILE *out, const struct sb_result *result,
		     bool finished);

/* Reads what sb_format "json" wrote. Unknown keys are skipped. 0, or negative errno after an
 * sb_error that names the file (and line). */
int sb_result_read(const char *path, struct sb_result *result);
int sb_result_write(FILE *out, const struct sb_result *result);

/* A comparison of results before and after. */
struct sb_compare_format {
	const char *name;
	/* 0 or negative errno (of the stream) */
	int (*write)(FILE *out, const struct sb_comparison *comparison);
};
extern const struct sb_compare_format sb_compare_formats[]; /* the last has name NULL */
const struct sb_compare_format *sb_compare_format_find(const char *name);

/* What is known of the machine. */
struct sb_list {
	const struct sb_topo *topo;
	const char *version; /* of satabench, for json */
	/* probe's word for what `-d all` thinks of each node; NULL: it is not told. */
	const char *(*refuses)(const struct sb_topo *topo, int node);
	bool every_hop; /* also those that are no branch */
};
struct sb_list_format {
	const char *name;
	/* 0 or negative errno (of the stream) */
	int (*write)(FILE *out, const struct sb_list *list);
};
extern const struct sb_list_format sb_list_formats[]; /* the last has name NULL */
const struct sb_list_format *sb_list_format_find(const char *name);
/* The tree for people: what a run prints without targets, and `list`. */
int sb_report_tree(FILE *out, const struct sb_list *list);
/* The phases in the result (none run yet), the plan's rule for the rest, and the longest time
 * (NaN: not known beforehand). */
void sb_report_dry_run(FILE *out, const struct sb_result *result, const char *rule,
		       double longest_seconds);

/* The display on stderr while it runs: on a terminal the tree of controllers with their disks,
 * redrawn in place; else a line per status interval, or nothing. */
struct sb_progress;
struct sb_progress_options {
	bool disabled;
	bool plain;		  /* on a terminal, too: a line a device, no tree */
	double status_interval_s; /* 0: not said */
};
struct sb_progress *sb_progress_create(const struct sb_progress_options *options); /* or NULL */
void sb_progress_update(struct sb_progress *progress, const struct sb_result *result,
			const struct sb_phase *phase, const struct sb_series *series,
			const struct sb_live *const *lives);
/* What the CPUs do now. Not owned. */
struct sb_progress_cpu {
	struct sb_cpu_figures six;
	const double *busy; /* by CPU, 0..1 */
	size_t n;
};
bool sb_progress_wants_cpu(const struct sb_progress *progress);
void sb_progress_cpu(struct sb_progress *progress, const struct sb_progress_cpu *cpu);
/* How long the whole run takes from now on, at most; NaN: not known. Counts down by itself, to be
 * said again when the plan goes on. */
void sb_progress_left(struct sb_progress *progress, double seconds);
/* Before the devices are ready: "waking 3 of 8 ...". */
void sb_progress_say(struct sb_progress *progress, const char *text);
/* Takes it off the screen, also before a log line. */
void sb_progress_clear(struct sb_progress *progress);
void sb_progress_destroy(struct sb_progress *progress);

#endif
