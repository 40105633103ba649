/* Phases and jobs: what is to run at once, and what came of it. Plain data; a phase is appended by
 * plan with its wish, load runs it and adds the outcome, judge derives. Never changed after. */
#ifndef SATABENCH_PLAN_H
#define SATABENCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "satabench/cpu.h"
#include "satabench/exec.h"
#include "satabench/hist.h"

enum sb_phase_kind {
	SB_PHASE_CALIBRATE,
	SB_PHASE_ALONE,
	SB_PHASE_ALL,
	SB_PHASE_GROUP,
	SB_PHASE_LEAVE_ONE_OUT,
	SB_PHASE_RAMP,
	SB_PHASE_ARRAY,
	SB_PHASE_SUITE,
	SB_PHASE_EXEC,
	SB_PHASE_MD_CHECK, /* nothing is read; md checks arrays */
	SB_PHASE_SURFACE,  /* each job by itself, without a common window */
	SB_PHASE_KINDS
};

enum sb_job_state {
	SB_JOB_PLANNED,
	SB_JOB_DONE,	/* read what it was to read, or ran its time */
	SB_JOB_STOPPED, /* ended early by a signal */
	SB_JOB_FAILED,	/* more than max_errors read errors */
	SB_JOB_HUNG,
	SB_JOB_VANISHED,
	SB_JOB_STATES
};

struct sb_io_error {
	uint64_t offset_bytes;
	int error;	   /* errno; 0 = short read or end of file before the known size */
	double at_seconds; /* since the gate */
	char *message;
};

struct sb_job {
	/* wish */
	int device;	 /* index in the result's devices */
	uint32_t stream; /* from 1: which of several readers of one device; 0 = the only one. Each
			  * keeps its own place from phase to phase */
	char *target;	 /* its name */
	char *workload;
	char *test; /* of a suite; NULL */
	char *engine;
	char *buffers; /* "one" or "own" */
	uint64_t depth;
	uint64_t block_bytes;
	uint64_t offset_bytes;	   /* first byte of the span */
	uint64_t span_bytes;	   /* length of the span that is read, wrapping at its end */
	uint64_t limit_bytes;	   /* stop after so many bytes; 0 = by time */
	uint64_t limit_operations; /* of a suite: how many files or seeks; 0: by bytes */
	bool end_at_end; /* each phase begins at the span's start; the limit lies within it */

	/* outcome, load */
	int state;		    /* enum sb_job_state */
	uint64_t bytes;		    /* within the common window */
	uint64_t outside_bytes;	    /* read before and after it */
	uint64_t operations;	    /* within the common window */
	double seconds;		    /* of the common window; less for one that was cut short */
	double elapsed_seconds;	    /* from the gate to its last completion */
	uint64_t cpu_ns;	    /* CPU time of its thread, gate to end; SB_NONE_U64 */
	uint64_t system_ns;	    /* of it, in the kernel, as far as ticks tell; SB_NONE_U64 */
	double sync_seconds;	    /* of a suite: until all was on the disk, at the end; NaN */
	double cached_percent;	    /* of its data in the page cache at its start; NaN */
	uint64_t over_2s, over_10s; /* of a suite: operations that took longer; SB_NONE_U64 */
	uint64_t first_done_ns;	    /* completion times since the gate; SB_NONE_U64: none */
	uint64_t last_done_ns;
	struct sb_latency latency_ns;
	uint64_t n_errors; /* all; `errors` holds the first SB_ERRORS_KEPT */
	struct sb_io_error *errors;
	size_t n_errors_kept;
	bool wrapped;	       /* began again at the start of its span */
	uint64_t device_bytes; /* by the device's own counter, gate to last reap; SB_NONE_U64 */
	uint64_t device_operations;
	uint64_t device_busy_ms;
	uint64_t device_write_bytes; /* writes by anybody in that time; SB_NONE_U64 */

	/* derived, judge */
	double bytes_s; /* NaN = no value */
	double iops;
	double cpu_percent; /* of a suite: CPU time of its threads in the elapsed time; NaN */
};

#define SB_ERRORS_KEPT 16
/* Rounds above it are pairs of a group whole and with one part at rest, a hundred numbers a test;
 * they are no rounds of the whole plan. */
#define SB_ROUND_PAIRS 100u

/* CPU counters over the common window: end minus start, fields that step back are 0. */
struct sb_cpu_counters {
	bool valid;
	uint64_t wall_ns;
	struct sb_cpu_ticks total;
	struct sb_cpu_line *cpus; /* those online at both ends */
	size_t n_cpus;
	uint64_t own_ns;    /* CPU time of satabench */
	uint64_t cgroup_ns; /* root cgroup's accounting of all CPU time; SB_NONE_U64 */
	unsigned ticks_per_second;
	struct sb_cpu_ticks total_back; /* by how much a field of `total` stepped back, nearly
					 * always 0: iostat's base is less by it */
	uint64_t cpus_changed;		/* CPUs that came or left between the two ends */
};

/* A link under load, read once in the middle of a phase. */
struct sb_link_reading {
	int node;		  /* index in the topology */
	uint64_t bits_per_second; /* of one lane, as signalled; SB_NONE_U64 */
	uint64_t width;		  /* lanes; SB_NONE_U64: not told */
};

/* Interrupts of a controller that one CPU took while a phase ran. */
struct sb_irq_count {
	int node, cpu;
	uint64_t count;
};

struct sb_interval {
	double seconds;	 /* its end, since the start of the common window */
	double *bytes_s; /* by job; NaN = no value */
	struct sb_cpu_figures cpu;
};

struct sb_phase {
	/* wish */
	int kind; /* enum sb_phase_kind */
	char *reason;
	unsigned round; /* from 1; 0 = not part of a round: calibrating, sb_phase_confirms */
	int node;	/* index in the topology, -1: of one device; of a group, all, leave one out
			 * and ramp: the lowest of the nodes that have just these devices */
	int left_out;	/* leave one out: node of the first child that rests, -1; those that rest
			 * have no job */
	double runtime_s;
	struct sb_job *jobs;
	size_t n_jobs;

	/* outcome, load */
	bool done;	  /* it was run */
	bool complete;	  /* ... to its end */
	double started_s; /* gate, since the start of the run */
	uint64_t window_start_ns,
		window_end_ns;		      /* the common window, since the gate; SB_NONE_U64 */
	uint64_t first_done_ns, last_done_ns; /* first and last completion of all jobs */
	struct sb_cpu_counters counters;
	struct sb_link_reading *links; /* owned */
	size_t n_links;
	struct sb_irq_count *interrupts; /* owned; gate to end, counts of 0 are left out */
	size_t n_interrupts;
	struct sb_exec *exec; /* owned; of kind exec, else NULL */

	/* derived, judge */
	double seconds; /* of the common window */
	double bytes_s; /* sum of the jobs */
	bool dropped;	/* it stood apart from its like: in no mean and no loss */
	struct sb_cpu_figures cpu;
	struct sb_interval *intervals;
	size_t n_intervals;
};

const char *sb_phase_kind_name(int kind);
int sb_phase_kind_parse(const char *name); /* or -1 */
const char *sb_job_state_name(int state);
int sb_job_state_parse(const char *name); /* or -1 */

/* A group, or all, once more in larger blocks, outside of the rounds: whether the CPU is what
 * limits. Its rate is no repetition of the others' and goes into no mean. */
static inline bool sb_phase_confirms(const struct sb_phase *phase)
{
	return phase->round == 0 && phase->node >= 0 &&
	       (phase->kind == SB_PHASE_ALL || phase->kind == SB_PHASE_GROUP);
}

/* An added job is zeroed with NaN and SB_NONE_U64 where "no value" is meant. NULL out of memory. */
struct sb_job *sb_phase_add_job(struct sb_phase *phase);
void sb_phase_free(struct sb_phase *phase);
/* n_jobs columns; NULL out of memory */
struct sb_interval *sb_phase_add_interval(struct sb_phase *phase);

#endif
