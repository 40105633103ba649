/* Each limit that no ancestor masks: what it can carry, what it costs, how sure that is. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define RAMP_FULL 0.97 /* of the capacity: the ramp has filled it */
#define LEAST_FACTOR                                                                               \
	0.5 /* by which a leave-one-out that confirms nothing lowers the confidence                \
	     */

/* Its group alone, over all clean runs, also those beside leave-one-out. */
static void measure_capacity(struct judge_look *look, size_t test, struct sb_limit *limit)
{
	const struct judge_table *table = look->table;
	size_t first, n = judge_cells(table, judge_key_group(table, (int)test), &first);
	struct sb_estimate e;
	double low, high;

	for (size_t i = first; i < first + n; i++)
		if (!table->cells[i].bad)
			look->values[look->n_values++] = table->cells[i].log_rate;
	e = look_estimate(look, 1);
	sb_estimate_interval(&e, &low, &high);
	limit->capacity_bytes_s = exp(e.mean);
	limit->capacity_low = exp(low);
	limit->capacity_high = exp(high);
}

/* What a child would give if nothing above it were a limit: one that is masked, as much as its own
 * children. */
static double demand(const struct judge_look *look, const struct sb_test_child *child)
{
	double sum = 0;

	if (child->test < 0 || look->tests[child->test].masked_by < 0)
		return look_child_rate(look, child);
	for (size_t i = 0; i < look->tree->tests[child->test].n_children; i++)
		sum += demand(look, &look->tree->tests[child->test].children[i]);
	return sum;
}

static void measure_cost(struct judge_look *look, size_t index, struct sb_limit *limit)
{
	const struct sb_test *test = &look->tree->tests[index];
	double asked = 0, given = 0;

	for (size_t i = 0; i < test->n_children; i++) {
		asked += demand(look, &test->children[i]);
		given += look_child_rate(look, &test->children[i]);
	}
	limit->cost_bytes_s = asked - limit->capacity_bytes_s;
	limit->knee = limit->capacity_bytes_s / (given / (double)test->n_children);
}

static bool is_whole_ramp(const struct sb_phase *phase, int test_node)
{
	if (phase->kind != SB_PHASE_RAMP || !phase->done || phase->node != test_node)
		return false;
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (!judge_has_rate(&phase->jobs[i]))
			return false;
	return phase->n_jobs > 0;
}

static void look_at_ramp(const struct judge_look *look, struct sb_limit *limit)
{
	for (size_t i = 0; i < look->result->n_phases; i++) {
		const struct sb_phase *phase = &look->result->phases[i];
		double sum = 0;

		if (!is_whole_ramp(phase, limit->test_node))
			continue;
		for (size_t k = 0; k < phase->n_jobs; k++)
			sum += phase->jobs[k].bytes_s;
		if (sum >= RAMP_FULL * limit->capacity_bytes_s &&
		    (!limit->ramp_knee || phase->n_jobs < limit->ramp_knee))
			limit->ramp_knee = phase->n_jobs;
	}
}

static void judge_confidence(const struct judge_look *look, size_t test, struct sb_limit *limit)
{
	const struct sb_node_loss *loss = &look->verdict->losses[test];

	limit->confidence = sb_estimate_above(&look->tests[test].x, sb_loss_to_log(LOSS_CERTAIN)) *
			    look->tests[test].witness_p;
	limit->refuted = judge_refutes(loss);
	if (loss->left_out && !limit->refuted)
		limit->confidence *= fmax(loss->q, LEAST_FACTOR);
}

static bool is_open(const struct judge_look *look, size_t test, int ancestor)
{
	return look->open[test * look->tree->n_tests + (size_t)ancestor];
}

/* Its own chain, then those of the ancestors that too little runs beside to tell. */
static int *candidate_chain(const struct judge_look *look, size_t index, size_t *n)
{
	const struct sb_test *test = &look->tree->tests[index];
	int *chain = calloc(look->result->topo.n_nodes, sizeof(*chain));

	*n = 0;
	for (size_t i = 0; chain && i < test->n_chain; i++)
		chain[(*n)++] = test->chain[i];
	for (int a = test->up; chain && a >= 0; a = look->tree->tests[a].up)
		for (size_t i = 0; is_open(look, index, a) && i < look->tree->tests[a].n_chain; i++)
			chain[(*n)++] = look->tree->tests[a].chain[i];
	return chain;
}

static int make_limit(struct judge_look *look, size_t test, struct sb_limit *limit)
{
	struct limit_case c = {.test = test};
	SB_AUTO_FREE int *chain = candidate_chain(look, test, &c.n_chain);
	int rc;

	*limit = (struct sb_limit){.test_node = look->tree->tests[test].node,
				   .ceiling_bytes_s = NAN,
				   .loss = sb_log_to_loss(look->tests[test].x.mean)};
	if (!chain)
		return -ENOMEM;
	measure_capacity(look, test, limit);
	measure_cost(look, test, limit);
	look_at_ramp(look, limit);
	judge_confidence(look, test, limit);
	c.chain = chain;
	c.capacity_bytes_s = limit->capacity_bytes_s;
	c.named = -1;
	/* a CPU is nowhere in the tree: it is said where it was found, and ceilings do not matter
	 */
	rc = rule_cpu.applies(look, &c) ? judge_uncut(&c, limit) : judge_ceilings(look, &c, limit);
	limit->cls = judge_rule_for(look, &c)->cls;
	limit->cpu_confirmed = judge_cpu_confirmed(look, &c);
	return rc;
}

/* Costliest first; few. */
static void sort_limits(struct sb_limit *limits, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sb_limit limit = limits[i];
		size_t k = i;

		for (; k > 0 && limits[k - 1].cost_bytes_s < limit.cost_bytes_s; k--)
			limits[k] = limits[k - 1];
		limits[k] = limit;
	}
}

int judge_limits(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;
	int rc = 0;

	v->limits = calloc(look->tree->n_tests, sizeof(*v->limits));
	if (!v->limits)
		return -ENOMEM;
	for (size_t i = 0; i < look->tree->n_tests && rc == 0; i++)
		if (look->tests[i].state == SB_LOSS_LIMIT && look->tests[i].masked_by < 0)
			rc = make_limit(look, i, &v->limits[v->n_limits++]);
	sort_limits(v->limits, v->n_limits);
	return rc;
}
