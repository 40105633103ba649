/* The CPUs: all of them full in the group, or one of them that is not as full in what the group is
 * made of. A CPU as full in the children's runs explains nothing; waiting for I/O never decides. */
#include <math.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define FULL_PERCENT 97
#define BACKGROUND_PERCENT 90 /* a CPU that full before the load is full of something else */

static double busy_of_all(const struct sb_cpu_figures *cpu)
{
	return cpu->busy_exact;
}

static double busy_of_one(const struct sb_cpu_figures *cpu)
{
	return cpu->busiest_busy;
}

/* Median over the rounds; 0 where nothing is known. */
static double median_busy(const struct judge_look *look, int key,
			  double (*figure)(const struct sb_cpu_figures *))
{
	double *values = look->values;
	size_t first, n = judge_cells(look->table, key, &first);

	for (size_t i = 0; i < n; i++) {
		double value = figure(&look->table->cells[first + i].phase->cpu);

		values[i] = isnan(value) ? 0 : value;
	}
	return n ? sb_median(values, n) : 0;
}

static bool is_full_in_a_child(const struct judge_look *look, const struct sb_test *test)
{
	for (size_t i = 0; i < test->n_children; i++)
		if (median_busy(look, look_child_key(look, &test->children[i]), busy_of_one) >=
		    FULL_PERCENT)
			return true;
	return false;
}

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	int group = judge_key_group(look->table, (int)c->test);

	if (median_busy(look, group, busy_of_all) >= FULL_PERCENT)
		return true;
	return median_busy(look, group, busy_of_one) >= FULL_PERCENT &&
	       !(look->result->baseline.busiest_busy >= BACKGROUND_PERCENT) &&
	       !is_full_in_a_child(look, &look->tree->tests[c->test]);
}

const struct judge_rule rule_cpu = {
	.cls = SB_CLASS_CPU,
	.applies = applies,
	.advice = "spread the controllers' interrupts over more CPUs, or use a faster CPU",
};
