/* The limits with one part at rest, in pairs with the whole. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/stats.h"

#define LIMITS_MOST 4u
#define PAIRS_MIN 3u
#define PAIRS_MAX 6u
#define REFUTED_P 0.02
#define CONFIRMED_P 0.95
#define LOSS_STEP 0.02 /* losses that differ by less are equal */
#define LOST_ALL 99
#define MANY_CHILDREN 6u /* from here on a third of them rests */

static bool has_target(const struct sb_agenda *agenda, int node)
{
	for (size_t i = 0; i < agenda->n_targets; i++)
		if (agenda->targets[i] == node)
			return true;
	return false;
}

/* The costliest limits, and the node over the devices that lose under no limit. */
static int choose_targets(struct sb_result *result)
{
	const struct sb_verdict *v = &result->verdict;
	struct sb_agenda *agenda = &result->agenda;

	free(agenda->targets);
	agenda->n_targets = agenda->target = 0;
	agenda->targets = calloc(LIMITS_MOST + 1, sizeof(*agenda->targets));
	if (!agenda->targets)
		return -ENOMEM;
	for (size_t i = 0; i < v->n_limits && i < LIMITS_MOST; i++)
		agenda->targets[agenda->n_targets++] = v->limits[i].test_node;
	if (v->local_home >= 0 && !has_target(agenda, v->local_home))
		agenda->targets[agenda->n_targets++] = v->local_home;
	return 0;
}

/* All rates of the devices at places of the tree, of one run; NaN when one is missing. */
static double part_of(const struct sb_test_tree *tree, const struct sb_phase *phase,
		      const struct sb_test_child *child)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		int device = phase->jobs[i].device;
		int place = tree->place[device];

		if (place < 0 || (size_t)place < child->first ||
		    (size_t)place >= child->first + child->n)
			continue;
		sum += phase->jobs[i].bytes_s;
		n++;
	}
	return n == child->n ? sum : NAN;
}

static bool is_group_of(const struct sb_phase *phase, int node)
{
	return phase->done && (phase->kind == SB_PHASE_ALL || phase->kind == SB_PHASE_GROUP) &&
	       phase->node == node;
}

static bool is_own_run(const struct sb_test_tree *tree, const struct sb_phase *phase,
		       const struct sb_test_child *child)
{
	if (child->test >= 0)
		return is_group_of(phase, tree->tests[child->test].node);
	return phase->done && phase->kind == SB_PHASE_ALONE && phase->n_jobs &&
	       phase->jobs[0].device == child->device;
}

/* Median of what a child gives in its own runs, or in those of the test. */
static double median_of(const struct sb_result *result, const struct sb_test_tree *tree,
			const struct sb_test *test, const struct sb_test_child *child, bool own)
{
	SB_AUTO_FREE double *values = calloc(result->n_phases + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; values && i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];

		if (!(own ? is_own_run(tree, phase, child) : is_group_of(phase, test->node)))
			continue;
		values[n] = part_of(tree, phase, child);
		n += !isnan(values[n]);
	}
	return values ? sb_median(values, n) : NAN;
}

struct favoured {
	int node;
	double loss, got;
};

/* What a child loses in the group against its own; false where nobody knows. */
static bool look_at_child(const struct sb_result *result, const struct sb_test_tree *tree,
			  const struct sb_test *test, const struct sb_test_child *child,
			  struct favoured *f)
{
	double own = median_of(result, tree, test, child, true);

	f->node = sb_test_child_node(tree, result, child);
	f->got = median_of(result, tree, test, child, false);
	f->loss = f->got > 0 ? rint(log(own / f->got) / LOSS_STEP) : LOST_ALL;
	return f->node >= 0 && !isnan(f->loss);
}

/* The child that loses least in the group against its own, of equals the fastest: the most favoured
 * one must rest, for only then does unfair sharing (others rise) differ from a fault of the others
 * (they do not). What one of many leaves is lost in the noise, so of six and more a third rests. */
static int choose_children(struct sb_result *result, const struct sb_test_tree *tree,
			   const struct sb_test *test)
{
	struct sb_agenda *agenda = &result->agenda;
	SB_AUTO_FREE struct favoured *list = calloc(test->n_children, sizeof(*list));
	size_t n = 0, most = test->n_children < MANY_CHILDREN ? 1 : test->n_children / 3;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < test->n_children; i++) {
		struct favoured f;
		size_t k = n;

		if (!look_at_child(result, tree, test, &test->children[i], &f))
			continue;
		for (; k > 0 && (list[k - 1].loss > f.loss ||
				 (list[k - 1].loss == f.loss && list[k - 1].got < f.got));
		     k--)
			list[k] = list[k - 1];
		list[k] = f;
		n++;
	}
	for (size_t i = 0; i < n && i < most; i++)
		agenda->rests[agenda->n_rests++] = list[i].node;
	return 0;
}

static bool is_in(const struct sb_test_tree *tree, const struct sb_phase *phase,
		  const struct sb_test_child *child)
{
	for (size_t i = 0; i < phase->n_jobs; i++) {
		int place = tree->place[phase->jobs[i].device];

		if (place >= (int)child->first && place < (int)(child->first + child->n))
			return true;
	}
	return false;
}

/* Those that had no job in an earlier run of the test, the one that is named first. */
static void repeat_children(struct sb_result *result, const struct sb_test_tree *tree,
			    const struct sb_test *test, const struct sb_phase *phase)
{
	struct sb_agenda *agenda = &result->agenda;

	agenda->rests[agenda->n_rests++] = phase->left_out;
	for (size_t i = 0; i < test->n_children; i++) {
		int node = sb_test_child_node(tree, result, &test->children[i]);

		if (node != phase->left_out && !is_in(tree, phase, &test->children[i]))
			agenda->rests[agenda->n_rests++] = node;
	}
}

static bool has_child(const struct sb_result *result, const struct sb_test_tree *tree,
		      const struct sb_test *test, int node)
{
	for (size_t i = 0; i < test->n_children; i++)
		if (sb_test_child_node(tree, result, &test->children[i]) == node)
			return true;
	return false;
}

/* Nodes of the children that rest, the same in all pairs of a test; none: none can. */
static int choose_resting(struct sb_result *result, const struct sb_test_tree *tree,
			  const struct sb_test *test)
{
	struct sb_agenda *agenda = &result->agenda;

	free(agenda->rests);
	agenda->n_rests = 0;
	agenda->rests = calloc(test->n_children, sizeof(*agenda->rests));
	if (!agenda->rests)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].kind == SB_PHASE_LEAVE_ONE_OUT &&
		    result->phases[i].node == test->node &&
		    has_child(result, tree, test, result->phases[i].left_out)) {
			repeat_children(result, tree, test, &result->phases[i]);
			return 0;
		}
	return choose_children(result, tree, test);
}

static bool is_decided(const struct sb_result *result, int node)
{
	for (size_t i = 0; i < result->verdict.n_losses; i++) {
		const struct sb_node_loss *l = &result->verdict.losses[i];

		if (l->node == node && l->left_out && l->clean)
			return l->q < REFUTED_P || l->q > CONFIRMED_P;
	}
	return false;
}

static int wish_pair(struct sb_result *result, const struct sb_wish pair[2])
{
	bool whole_first = result->agenda.pass % 2;
	SB_AUTO_FREE char *whole = sb_node_label(&result->topo, pair[0].node);
	SB_AUTO_FREE char *first = sb_node_label(&result->topo, pair[1].left_out);
	SB_AUTO_FREE char *rest = NULL;
	int rc = 0;

	rest = result->agenda.n_rests > 1 ? sb_format("%s and %zu more", first ? first : "-",
						      result->agenda.n_rests - 1)
					  : strdup(first ? first : "-");
	if (!whole || !rest)
		return -ENOMEM;
	for (int i = 0; i < 2 && rc == 0; i++) {
		const struct sb_wish *wish = &pair[whole_first ? i : 1 - i];

		rc = wish->left_out < 0
			     ? sb_plan_wish(result, *wish,
					    "%s whole, to compare with the run without %s", whole,
					    rest)
			     : sb_plan_wish(result, *wish,
					    "%s without %s: whether the others get what is left",
					    whole, rest);
	}
	return rc;
}

/* One more pair at the present target: 1, 0 when it is done with, -ENOMEM. */
static int next_pair(struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_agenda *agenda = &result->agenda;
	int node = agenda->targets[agenda->target];
	int test = sb_test_tree_find(tree, node), rc;
	unsigned round = SB_ROUND_PAIRS * (unsigned)(agenda->target + 1) + agenda->pass + 1;
	struct sb_wish pair[2];

	if (test < 0 || agenda->pass >= PAIRS_MAX ||
	    (agenda->pass >= PAIRS_MIN && is_decided(result, node)))
		return 0;
	rc = choose_resting(result, tree, &tree->tests[test]);
	if (rc < 0 || !agenda->n_rests)
		return rc;
	pair[0] = sb_plan_wish_test(tree, test, round);
	pair[1] = pair[0];
	pair[1].kind = SB_PHASE_LEAVE_ONE_OUT;
	pair[1].left_out = agenda->rests[0];
	if (!sb_plan_fits(result, tree,
			  sb_plan_wish_cost(result, tree, &pair[0]) +
				  sb_plan_wish_cost(result, tree, &pair[1])))
		return 0;
	rc = wish_pair(result, pair);
	agenda->pass++;
	return rc ? rc : 1;
}

int sb_plan_decide_rest(struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_agenda *agenda = &result->agenda;
	int rc = agenda->targets ? 0 : choose_targets(result);

	while (rc == 0 && agenda->target < agenda->n_targets) {
		rc = next_pair(result, tree);
		if (rc)
			return rc;
		agenda->target++;
		agenda->pass = 0;
	}
	return rc;
}
