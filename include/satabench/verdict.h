/* What limits: the verdict with its evidence. Plain data, part of the result; filled by judge, read
 * by plan (what is still open) and report. Nodes are indices in the topology, devices indices in
 * the result. */
#ifndef SATABENCH_VERDICT_H
#define SATABENCH_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

enum sb_class {
	SB_CLASS_NONE,
	SB_CLASS_DISK,
	SB_CLASS_LINK,
	SB_CLASS_CONTROLLER,
	SB_CLASS_PCIE,
	SB_CLASS_CHIPSET,
	SB_CLASS_CPU,
	SB_CLASS_MD,
	SB_CLASS_UNKNOWN,
	SB_CLASSES
};

enum sb_loss_state { SB_LOSS_FREE, SB_LOSS_LIMIT, SB_LOSS_UNSURE, SB_LOSS_STATES };

/* Asked for and answered, or not. */
enum sb_answer { SB_ANSWER_NONE, SB_ANSWER_YES, SB_ANSWER_NO };

/* The loss of one test: what its children's groups give less what its own gives. In the order of
 * the tests of satabench/testtree.h. */
struct sb_node_loss {
	int node;		/* lowest of its chain */
	int state;		/* enum sb_loss_state */
	size_t n;		/* rounds */
	bool by_group;		/* measured by its group; else an upper bound from `all` */
	double loss, low, high; /* fractions; 95 % interval; NaN = not measured */
	double p;		/* P(loss > 3 %); NaN */
	int masked_by;		/* test node whose group alone fills it; -1 */
	bool left_out;		/* leave-one-out was run here: */
	double recovered;	/* share of what could come back that came */
	double q;		/* P(that share is over one half) */
	size_t n_left_out;	/* clean pairs */
	bool clean;		/* enough of them to decide */
	size_t n_resting;	/* children that rest in them; 0 = not known */
};

/* One limit. */
struct sb_limit {
	int cls;       /* enum sb_class */
	int node;      /* that is named */
	int test_node; /* lowest of the chain it was measured at */
	bool refuted;  /* nothing comes back when one child rests: no shared capacity */
	double capacity_bytes_s, capacity_low, capacity_high;
	double ceiling_bytes_s; /* of the named node; NaN */
	double loss;		/* fraction */
	double cost_bytes_s;	/* what the children would give, less the capacity */
	double knee;		/* how many children fill it: capacity / mean of the children's */
	size_t ramp_knee;	/* the same, measured: first ramp step at 97 %; 0 = not measured */
	double confidence;	/* of the limit, not of its class */
	int cpu_confirmed; /* enum sb_answer: where a CPU was full, whether larger blocks show that
			    * it limits. No: the class is another one. None: not asked, or not
			    * tried, which `cls` tells apart */
	int *candidates;   /* that cannot be told apart, the named one first */
	size_t n_candidates;
};

/* An ancestor of a limit that has neither clearly carried more than it nor is a limit itself, and
 * of which more rounds may tell. */
struct sb_undecided {
	int upper, lower; /* nodes of tests */
};

/* A run that is left out of all means. */
struct sb_odd_run {
	int kind;   /* enum sb_phase_kind */
	int node;   /* of the test; -1: a device alone */
	int device; /* alone; else -1 */
	unsigned round;
	bool foreign; /* others used a device in it; else it stands out by */
	double off;   /* fraction, signed; NaN */
};

struct sb_slow_disk {
	int device;
	double p; /* P(slower than its like by over 10 %) */
};

struct sb_verdict {
	int cls;
	int node; /* -1 = none */
	bool cannot_tell;
	double confidence;	 /* NaN = none */
	double capacity_bytes_s; /* NaN */
	int *candidates;
	size_t n_candidates;
	int runner_up;		 /* node, -1 */
	struct sb_limit *limits; /* costliest first */
	size_t n_limits;
	struct sb_node_loss *losses; /* all test nodes, bottom-up */
	size_t n_losses;
	struct sb_undecided *undecided;
	size_t n_undecided;
	struct sb_odd_run *odd_runs; /* devices alone, then all, then groups; by round */
	size_t n_odd_runs;
	int *local; /* devices that lose under no accused node */
	size_t n_local;
	int local_home;	    /* lowest node of a test over them, -1 */
	bool local_certain; /* there, nothing comes back when one rests */
	int small_shared;   /* ... or it does: the node below which a shared part is too small a
			     * loss to be a limit, -1 */
	int *above_ceiling; /* nodes that carried more than they can by their ceiling */
	size_t n_above_ceiling;
	struct sb_slow_disk *slow;
	size_t n_slow;
	double noise;		  /* pooled sd of one run, log scale; NaN */
	size_t rounds;		  /* most that the loss of a test has */
	double smallest_excluded; /* cannot tell: the smallest loss that is excluded, fraction; NaN
				   */
	char *sentence;		  /* one sentence that a person can act on */
	char **evidence;	  /* rows of text */
	size_t n_evidence;
};

const char *sb_class_name(int cls);
int sb_class_parse(const char *name);
const char *sb_loss_state_name(int state);
int sb_loss_state_parse(const char *name);
void sb_verdict_init(struct sb_verdict *verdict); /* "nothing is known" */
void sb_verdict_free(struct sb_verdict *verdict);

#endif
