/* A run as a value: all that is needed to judge it again and to make any report again. Owned by
 * cmd; plan appends phases, load fills them, judge derives, report reads. Main thread only (load's
 * workers write live blocks, not this). */
#ifndef SATABENCH_RESULT_H
#define SATABENCH_RESULT_H

#include "satabench/device.h"
#include "satabench/md.h"
#include "satabench/options.h"
#include "satabench/plan.h"
#include "satabench/mdcheck.h"
#include "satabench/surface.h"
#include "satabench/topo.h"
#include "satabench/verdict.h"

#define SB_SCHEMA "satabench.result/1"

enum sb_mark_level { SB_MARK_NOTE, SB_MARK_TAINT };

/* A figure that is doubtful, or what a reader should know. */
struct sb_mark {
	int level;     /* enum sb_mark_level */
	char *id;      /* e.g. "page_cache" */
	char *subject; /* device target or node id; NULL: the run */
	char *message;
	double value, threshold; /* NaN = none */
};

struct sb_host {
	char *name;
	char *kernel;
	char *cpu_brand;
	uint64_t cpus_online;
	uint64_t memory_bytes;
};

/* A phase that plan has decided on and not appended yet. */
struct sb_wish {
	int kind; /* enum sb_phase_kind */
	unsigned round;
	int device;	  /* alone; else -1 */
	int node;	  /* of the test; -1: a device alone */
	int left_out;	  /* leave one out: node of the first child that rests; else -1 */
	size_t n_first;	  /* ramp: so many of its devices; else 0 */
	bool optional;	  /* left out when it does not fit the time */
	bool larger;	  /* in larger blocks, to see whether the CPU limits; round is 0 */
	size_t array;	  /* from 1: an array of the result, or its members; 0 = none */
	uint32_t streams; /* of an array: so many readers; 0: one */
	char *reason;
};

#define SB_WISH_ALL_ARRAYS SIZE_MAX

/* What plan keeps in mind from one call to the next: a decision holds for the whole round that it
 * was made for, although the verdict moves on with each phase. Not saved. */
struct sb_agenda {
	int stage;
	unsigned round;		  /* the last one that was decided on */
	unsigned pass;		  /* within the stage: what it counts is the stage's */
	size_t n_devices;	  /* that were in the tree at the last call */
	bool groups;		  /* a loss has asked for them */
	int *targets;		  /* tests in which one child rests */
	size_t n_targets, target; /* ... and which of them it is */
	int *rests;		  /* nodes of its children that rest */
	size_t n_rests;
	struct sb_wish *wishes;
	size_t n_wishes, wish; /* ... and the next one */
};

struct sb_result {
	char *version; /* of the satabench that measured */
	bool complete;
	char *started; /* RFC 3339 */
	char *label;
	char *command; /* the command line, quoted for a shell */
	struct sb_host host;
	struct sb_options options; /* as they were in force */
	struct sb_topo topo;
	struct sb_device *devices;
	size_t n_devices;
	struct sb_md_array *md; /* arrays below the targets, inner ones before those made of them */
	size_t n_md;
	struct sb_phase *phases;
	size_t n_phases;
	struct sb_agenda agenda;
	struct sb_surface *surfaces; /* of workload surface */
	size_t n_surfaces;
	struct sb_mdcheck *checks; /* of --md-check */
	size_t n_checks;
	double elapsed_seconds;
	double realtime_step_s;	  /* CLOCK_REALTIME less CLOCK_MONOTONIC, end less start; NaN */
	uint64_t throttle_events; /* of all CPUs, by heat, while it ran; SB_NONE_U64 */

	/* derived, judge */
	double alone_bytes_s; /* sum over the devices; NaN */
	double all_bytes_s;
	double loss_percent;
	struct sb_cpu_figures cpu; /* over the windows of all `all` phases (else of all phases) */
	struct sb_cpu_counters baseline_counters;
	struct sb_cpu_figures baseline;
	double bytes_s_per_busy_cpu; /* all_bytes_s / busy CPUs; NaN */
	struct sb_mark *marks;
	size_t n_marks;
	struct sb_verdict verdict;
};

/* Zeroed with NaN and SB_NONE_U64 where "no value" is meant. */
void sb_result_init(struct sb_result *result);
void sb_result_free(struct sb_result *result);
/* NULL out of memory; pointers to earlier elements become invalid */
struct sb_device *sb_result_add_device(struct sb_result *result);
struct sb_md_array *sb_result_add_md(struct sb_result *result);
struct sb_phase *sb_result_add_phase(struct sb_result *result, int kind, unsigned round,
				     const char *reason);
/* Message by printf. 0 or -ENOMEM. */
int sb_result_add_mark(struct sb_result *result, int level, const char *id, const char *subject,
		       double value, double threshold, const char *format, ...)
	__attribute__((format(printf, 7, 8)));
/* Forgets what was decided and not appended. */
void sb_agenda_free(struct sb_agenda *agenda);
/* All NaN and -1. */
void sb_cpu_figures_none(struct sb_cpu_figures *figures);

#endif
