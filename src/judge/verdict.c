/* What limits, step by step. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/judge.h"
#include "verdict_priv.h"

static int (*const steps[])(struct judge_look *) = {
	judge_losses, judge_losers, judge_parents, judge_leave_out,
	judge_limits, judge_local,  judge_slow,	   judge_order,
};

static bool make(struct judge_look *look)
{
	size_t n = look->tree->n_tests, values = look->table->n;

	look->tests = calloc(n ? n : 1, sizeof(*look->tests));
	look->open = calloc(n ? n * n : 1, sizeof(*look->open));
	look->devices = calloc(look->result->n_devices + 1, sizeof(*look->devices));
	look->values = calloc(values ? values : 1, sizeof(*look->values));
	return look->tests && look->open && look->devices && look->values;
}

static int take_odd_runs(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;

	v->odd_runs = calloc(look->table->n + 1, sizeof(*v->odd_runs));
	if (!v->odd_runs)
		return -ENOMEM;
	for (size_t i = 0; i < look->table->n; i++) {
		const struct noise_cell *cell = &look->table->cells[i];
		bool alone = cell->phase->kind == SB_PHASE_ALONE;

		if (!cell->bad)
			continue;
		v->odd_runs[v->n_odd_runs++] = (struct sb_odd_run){
			.kind = cell->phase->kind,
			.node = alone ? -1 : cell->phase->node,
			.device = alone ? cell->phase->jobs[0].device : -1,
			.round = cell->round,
			.foreign = cell->foreign,
			.off = expm1(cell->distance),
		};
	}
	return 0;
}

int judge_verdict(struct sb_result *result, const struct judge_table *table)
{
	struct judge_look look = {.result = result,
				  .table = table,
				  .tree = &table->tree,
				  .verdict = &result->verdict};
	int rc = make(&look) ? 0 : -ENOMEM;

	sb_verdict_free(&result->verdict);
	result->verdict.noise = table->sd;
	if (rc == 0)
		rc = take_odd_runs(&look);
	for (size_t i = 0; i < SB_COUNT(steps) && rc == 0 && table->tree.n_tests; i++)
		rc = steps[i](&look);
	if (rc == 0)
		rc = judge_sentence(&look);
	if (rc == 0)
		rc = judge_evidence(&look);
	free(look.tests);
	free(look.open);
	free(look.devices);
	free(look.values);
	return rc;
}

int sb_judge_verdict(struct sb_result *result)
{
	struct judge_table table;
	int rc = judge_table_make(&table, result);

	if (rc == 0)
		rc = judge_verdict(result, &table);
	if (rc == 0)
		judge_table_free(&table);
	return rc;
}
