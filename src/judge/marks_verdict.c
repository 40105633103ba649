/* What the verdict came upon. */
#include <math.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/units.h"
#include "judge_priv.h"

/* Then the ceiling is not what this part can carry, or the rate is not what went through it. */
int mark_above_ceiling(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_verdict *v = &result->verdict;
	int err = 0;

	(void)table;
	for (size_t i = 0; i < v->n_above_ceiling && !err; i++) {
		const struct sb_node *node = &result->topo.nodes[v->above_ceiling[i]];
		SB_AUTO_FREE char *label = sb_node_label(&result->topo, v->above_ceiling[i]);
		double practical = judge_practical(result, v->above_ceiling[i]);
		char rate[SB_UNIT_TEXT];

		err = sb_result_add_mark(
			result, SB_MARK_TAINT, "above_ceiling", node->id, NAN, practical,
			"%s carried over 10 %% more than the %s that can be expected of it: that "
			"ceiling is wrong, or not all reads went through it",
			label ? label : node->id, sb_format_rate(rate, practical));
	}
	return err;
}

int mark_small_shared(struct sb_result *result, const struct judge_table *table)
{
	int node = result->verdict.small_shared;
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, node);

	(void)table;
	if (node < 0)
		return 0;
	return sb_result_add_mark(
		result, SB_MARK_NOTE, "small_shared_limit", result->topo.nodes[node].id, NAN, NAN,
		"some disks below %s lose beside the others and rise when another one rests: they "
		"share a limit, though the whole loses less than can be told from noise",
		label ? label : result->topo.nodes[node].id);
}

/* What the short plan leaves out is what it cannot tell. */
int mark_quick(struct sb_result *result, const struct judge_table *table)
{
	const char *plan = result->options.plan;

	(void)table;
	if (!plan || strcmp(plan, "quick") != 0 || result->n_devices < 2)
		return 0;
	return sb_result_add_mark(
		result, SB_MARK_NOTE, "quick", NULL, NAN, NAN,
		"three rounds only: no part was left at rest, so disks that merely disturb each "
		"other "
		"pass for a limit; how many disks fill a limit was not measured, a full CPU not "
		"confirmed, and what is open stays open: --plan diagnose tells");
}
