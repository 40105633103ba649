/* The costliest limit with 1, 2, 4 ... of its devices: for the picture, and where it gets full. It
 * decides nothing, so it has what time is left: of the steps those around the one that should fill
 * it, and none where not even that one and the one before can be run. */
#include <errno.h>
#include <math.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"

#define STEPS_MOST 66 /* doublings of a size_t, and all */
#define FULL 0.97     /* of what it carries */

struct ramp {
	size_t step[STEPS_MOST], n;
	size_t from, to; /* those that are run: from .. to - 1 */
	double seconds;	 /* of them */
};

static struct sb_wish wish_step(const struct ramp *ramp, size_t at, int node)
{
	return (struct sb_wish){.kind = SB_PHASE_RAMP,
				.round = 1,
				.device = -1,
				.node = node,
				.left_out = -1,
				.n_first = ramp->step[at]};
}

static bool add_if_fits(struct ramp *ramp, size_t at, const struct sb_result *result,
			const struct sb_test_tree *tree, int node)
{
	struct sb_wish wish = wish_step(ramp, at, node);
	double seconds = ramp->seconds + sb_plan_wish_cost(result, tree, &wish);

	if (!sb_plan_fits(result, tree, seconds))
		return false;
	ramp->seconds = seconds;
	return true;
}

static void make_steps(struct ramp *ramp, size_t devices)
{
	ramp->n = 0;
	for (size_t step = 1; step < devices; step *= 2)
		ramp->step[ramp->n++] = step;
	ramp->step[ramp->n++] = devices;
}

/* The first step that should fill it, by the rates of its parts. */
static size_t expected(const struct ramp *ramp, const struct sb_test *test,
		       const struct sb_limit *limit)
{
	double devices = limit->knee * (double)test->n / (double)test->n_children;
	size_t at = 0;

	while (at + 1 < ramp->n && (double)ramp->step[at] < FULL * devices)
		at++;
	return at;
}

/* From the expected step on, downwards first. */
static void choose_steps(struct ramp *ramp, size_t at, const struct sb_result *result,
			 const struct sb_test_tree *tree, int node)
{
	bool down, up;

	ramp->from = ramp->to = at;
	ramp->seconds = 0;
	do {
		up = ramp->to < ramp->n && add_if_fits(ramp, ramp->to, result, tree, node);
		ramp->to += up;
		down = ramp->to > ramp->from && ramp->from > 0 &&
		       add_if_fits(ramp, ramp->from - 1, result, tree, node);
		ramp->from -= down;
	} while (down || up);
}

int sb_plan_decide_ramp(struct sb_result *result, const struct sb_test_tree *tree)
{
	const struct sb_limit *limit = result->verdict.limits;
	int node = result->verdict.n_limits ? limit->test_node : -1;
	int test = node < 0 ? -1 : sb_test_tree_find(tree, node), rc = 0;
	struct ramp ramp;
	SB_AUTO_FREE char *label = NULL;

	if (result->agenda.pass++ || test < 0)
		return 0;
	make_steps(&ramp, tree->tests[test].n);
	choose_steps(&ramp, expected(&ramp, &tree->tests[test], limit), result, tree, node);
	if (ramp.to - ramp.from < 2)
		return 0;
	label = sb_node_label(&result->topo, node);
	if (!label)
		return -ENOMEM;
	for (size_t at = ramp.from; at < ramp.to && rc == 0; at++)
		rc = sb_plan_wish(result, wish_step(&ramp, at, node),
				  "%zu of the %zu devices below %s: how many of them fill it",
				  ramp.step[at], tree->tests[test].n, label);
	return rc ? rc : 1;
}
