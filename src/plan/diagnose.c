/* Finding what limits: rounds of alone, groups and all; what stands out again; more rounds of what
 * is open; the limits with one part at rest; in larger blocks where the CPU seems to be the limit;
 * the ramp. Each stage decides on its next step from
 * what has been run and judged by then; the step is appended phase by phase. */
#include <errno.h>
#include <stdlib.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"

static int (*const stages[])(struct sb_result *, const struct sb_test_tree *) = {
	sb_plan_decide_rounds, sb_plan_decide_repeats, sb_plan_decide_extra,
	sb_plan_decide_rest,   sb_plan_decide_confirm, sb_plan_decide_ramp,
};
#define STAGE_EXTRA 2
#define STAGES_QUICK 2 /* the repeats are one, or a single bad run would leave two of three */

static void to_next_stage(struct sb_agenda *agenda)
{
	agenda->stage++;
	agenda->pass = 0;
}

/* Groups that had a device that is lost now compare with none that come. After the stages that
 * could make up for it, go back to them. */
static void look_for_losses(struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_agenda *agenda = &result->agenda;

	if (tree->n_devices < agenda->n_devices && agenda->stage > STAGE_EXTRA) {
		sb_plan_forget_wishes(result);
		free(agenda->targets);
		agenda->targets = NULL;
		agenda->stage = STAGE_EXTRA;
		agenda->pass = 0;
	}
	agenda->n_devices = tree->n_devices;
}

static int next(struct sb_result *result, int n_stages)
{
	struct sb_agenda *agenda = &result->agenda;
	struct sb_test_tree tree;
	int rc = sb_plan_calibrate(result);

	if (rc)
		return rc;
	rc = sb_test_tree_make(&tree, result);
	if (rc < 0)
		return rc;
	look_for_losses(result, &tree);
	rc = sb_plan_take_wish(result, &tree);
	while (rc == 0 && agenda->stage < n_stages) {
		sb_plan_forget_wishes(result);
		rc = stages[agenda->stage](result, &tree);
		if (rc == 0)
			to_next_stage(agenda);
		if (rc >= 0)
			rc = sb_plan_take_wish(result, &tree);
	}
	sb_test_tree_free(&tree);
	return rc;
}

int sb_plan_next_diagnose(const struct sb_plan *plan, struct sb_result *result)
{
	(void)plan;
	return next(result, (int)SB_COUNT(stages));
}

int sb_plan_next_quick(const struct sb_plan *plan, struct sb_result *result)
{
	(void)plan;
	return next(result, STAGES_QUICK);
}

/* What confirms the CPU is run beyond the budget, too. */
static double confirm_longest(const struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_wish all = sb_plan_wish_test(tree, (int)tree->n_tests - 1, 0);

	return sb_plan_wish_cost(result, tree, &all);
}

double sb_plan_diagnose_longest(const struct sb_result *result, bool quick)
{
	struct sb_test_tree tree;
	double rounds, budget, arrays;

	if (sb_test_tree_make(&tree, result) < 0)
		return 0;
	rounds = sb_plan_first_rounds(result, &tree);
	budget = sb_plan_budget(result, &tree);
	arrays = sb_plan_arrays_cost(result, &tree) *
		 sb_plan_rounds(result, SB_DEFAULT_ROUNDS, SB_DEFAULT_ROUNDS);
	if (rounds > budget)
		budget = rounds;
	if (!quick && tree.n_devices > 1)
		budget += confirm_longest(result, &tree);
	sb_test_tree_free(&tree);
	return budget + arrays + sb_plan_calibrate_longest(result);
}
