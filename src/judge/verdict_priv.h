/* Within the room: how a verdict is made. One step a file; each looks at what the steps before it
 * have found. */
#ifndef SATABENCH_VERDICT_PRIV_H
#define SATABENCH_VERDICT_PRIV_H

#include <stdio.h>

#include "judge_priv.h"
#include "satabench/stats.h"
#include "satabench/verdict.h"

#define LOSS_PRACTICAL 0.03 /* a loss of that size matters */
#define LOSS_CERTAIN 0.01   /* a limit is surely above: what drift within a round can fake */
#define LOSS_FREE 0.05	    /* a free node is surely below */
#define LOSS_DISK 0.10	    /* of a device: from here it is a loser */
#define ERROR_ACCUSE 0.02   /* of all accusations of one look together */
#define ERROR_CLEAR 0.05    /* of each clearing */
#define FEWEST_ROUNDS 2	    /* for an estimate */

/* One test of the tree. */
struct look_test {
	struct sb_estimate x;	  /* children's groups against its own; log */
	struct sb_estimate bound; /* an upper bound of it: alone against `all` */
	bool rejected;		  /* "loses 1 % at most" is */
	int state;		  /* enum sb_loss_state */
	int masked_by;		  /* index of a test, -1 */
	double witness_p;	  /* least P of the ancestors that are cleared */
};

/* One device of the result. */
struct look_device {
	struct sb_estimate loss; /* alone against `all`; log */
	double alone_bytes_s;	 /* 0 = not measured */
	bool foreign;		 /* others used it in one of the runs */
	bool loser;
};

struct judge_look {
	struct sb_result *result;
	const struct judge_table *table;
	const struct sb_test_tree *tree;
	struct look_test *tests;     /* by test */
	struct look_device *devices; /* by device of the result */
	bool *open;		     /* [n * n_tests + a]: ancestor a of limit n is not cleared */
	double *values;		     /* room for the values of an estimate */
	size_t n_values;
	struct sb_verdict *verdict; /* being made */
};

/* Adds a value to the estimate that is being collected, if both figures are there. */
void look_add(struct judge_look *look, double above, double below);
/* The estimate of the values since the last call; `weight` of the noise of one run. */
struct sb_estimate look_estimate(struct judge_look *look, double weight);
static inline bool look_has(const struct sb_estimate *e)
{
	return e->n >= FEWEST_ROUNDS;
}
/* The loss of a test by its groups, else the bound; n < 2: neither. */
const struct sb_estimate *look_loss(const struct judge_look *look, size_t test);
int look_child_key(const struct judge_look *look, const struct sb_test_child *child);
/* Clean mean of a child's own run. */
double look_child_rate(const struct judge_look *look, const struct sb_test_child *child);
int look_node(const struct judge_look *look, int device); /* of a device; -1 */

/* Sorted by p, Holm's step-down test; sets `rejected`. */
struct hypothesis {
	double p;
	size_t index;
	bool rejected;
};
void judge_holm(struct hypothesis *hypotheses, size_t n, size_t family);

/* The steps. 0 or -ENOMEM. */
int judge_losses(struct judge_look *look);    /* loss.c */
int judge_losers(struct judge_look *look);    /* losers.c */
int judge_parents(struct judge_look *look);   /* parent.c */
int judge_leave_out(struct judge_look *look); /* leave_out.c */
int judge_limits(struct judge_look *look);    /* limits.c */
int judge_local(struct judge_look *look);     /* local.c */
int judge_slow(struct judge_look *look);      /* slow.c */
int judge_order(struct judge_look *look);     /* order.c */
int judge_sentence(struct judge_look *look);  /* verdict_md.c. The array that loses most by itself;
						 NULL: none surely does. */
const struct sb_md_array *judge_md_limit(const struct sb_result *result);
void say_array(FILE *f, const struct judge_look *look);
/* A sentence, with a blank before it: what an array gives, and should; nothing when not measured.
 */
void say_array_rate(FILE *f, const struct judge_look *look, const struct sb_md_array *a);
int evidence_md(struct judge_look *look); /* 0 or -ENOMEM */

/* sentence.c */
int judge_evidence(struct judge_look *look); /* evidence.c */

/* Has leaving one out shown that this is no shared capacity? */
bool judge_refutes(const struct sb_node_loss *loss);

/* A limit that is to be named. */
struct limit_case {
	size_t test;
	double capacity_bytes_s;
	const int *chain; /* nodes that could be it: of its own chain, then of ancestors that are
			   * not cleared */
	size_t n_chain;
	int named; /* by the ceilings; -1: all are struck off */
};
/* Which of the chain, by what each can carry: fills limit->node, candidates, ceiling. Nodes that
 * carried more than they can are noted. */
int judge_ceilings(struct judge_look *look, struct limit_case *c, struct sb_limit *limit);

/* All of the chain, the test's own node named. */
int judge_uncut(const struct limit_case *c, struct sb_limit *limit);

/* A class of limit: one file, one row in rules.c. The first that applies gives the class. */
struct judge_rule {
	int cls; /* enum sb_class */
	bool (*applies)(const struct judge_look *look, const struct limit_case *c);
	const char *advice; /* what a person can do; NULL: nothing in general */
};
/* Which CPUs were full in the group of a test, and not for other reasons. */
enum cpu_full { CPU_NOT_FULL, CPU_ONE_FULL, CPU_ALL_FULL };
int judge_cpu_full(const struct judge_look *look, int test);
/* The run of the group in larger blocks; NULL. */
const struct sb_phase *judge_cpu_larger(const struct judge_look *look, int test);
/* What that run says; enum sb_answer. */
int judge_cpu_confirmed(const struct judge_look *look, const struct limit_case *c);

/* cpu_scene.c: what the CPUs did while a group ran. */
struct cpu_scene {
	const struct sb_phase *typical; /* the run of the group with the median busiest CPU */
	struct cpu_irqs {
		int node; /* a controller */
		int cpu;  /* that took most of its interrupts */
		uint64_t count, total;
	} * irqs; /* owned */
	size_t n_irqs;
};
/* Frees the irqs itself when it fails. 0 or -ENOMEM. */
int judge_cpu_scene(struct judge_look *look, int test, struct cpu_scene *scene);
/* Does this CPU take nearly all interrupts of one of the controllers? NULL: no. */
const struct cpu_irqs *judge_cpu_takes(const struct cpu_scene *scene, int cpu);
/* sentence_cpu.c: all of the sentence but what else limits; and what to do. */
void say_cpu(FILE *f, struct judge_look *look, const struct sb_limit *l);
void say_cpu_advice(FILE *f, struct judge_look *look, const struct sb_limit *l);
/* evidence_cpu.c: the rows of a limit where a CPU was full. 0 or -ENOMEM. */
int evidence_cpu(struct judge_look *look, const struct sb_limit *l);

/* A row of evidence that is being written: begin, write to f, end. 0 or -ENOMEM. */
struct evidence_row {
	FILE *f;
	char *text;
	size_t size;
};
int evidence_begin(struct evidence_row *row);
int evidence_end(struct judge_look *look, struct evidence_row *row);

/* sentence.c */
void say_loss(FILE *f, const struct judge_look *look, const struct sb_limit *l);

extern const struct judge_rule rule_cpu, rule_link, rule_controller, rule_pcie, rule_chipset,
	rule_md, rule_disk, rule_unknown;
const struct judge_rule *judge_rule_for(const struct judge_look *look, const struct limit_case *c);
const char *judge_rule_advice(int cls);
/* For rules that go by the kind of the named node alone. */
bool judge_kind_is(const struct judge_look *look, const struct limit_case *c, const int *kinds,
		   size_t n);

/* words.c. Names are escaped; without memory they are "?". */
void say_node(FILE *f, const struct judge_look *look, int node);
/* With a capital where the label begins with a word for its kind. */
void say_node_first(FILE *f, const struct judge_look *look, int node);
void say_device(FILE *f, const struct judge_look *look, int device);
void say_rate(FILE *f, double bytes_s);
/* "a, b and c"; of more than five the first four and how many more. */
void say_nodes(FILE *f, const struct judge_look *look, const int *nodes, size_t n);
void say_devices(FILE *f, const struct judge_look *look, const int *devices, size_t n);
/* "its 4 disks" */
void say_disks_of(FILE *f, const struct judge_look *look, int node);
/* What the devices of a test give one by one; NaN when one is not measured. */
double judge_alone_sum(const struct judge_look *look, int test);

/* All steps, with a table that is made already. */
int judge_verdict(struct sb_result *result, const struct judge_table *table);

#endif
