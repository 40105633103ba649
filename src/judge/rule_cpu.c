/* The CPUs: all of them full in the group, or one of them that is not as full in what the group is
 * made of. A CPU as full in the children's runs explains nothing; waiting for I/O never decides.
 * Larger blocks cost less CPU for each byte: where they make no CPU full and no rate rise, a CPU
 * was full beside the limit and is not the limit. Without that run the CPU is named unconfirmed;
 * the confidence of a limit says that it is there, not of which class it is, and stays. */
#include <math.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define FULL_PERCENT 97
#define BACKGROUND_PERCENT 90 /* a CPU that full before the load is full of something else */
#define RISE 1.03	      /* of the rate by larger blocks: the practical size of a loss */

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

/* Would one full CPU in the group of the test mean anything? */
static bool can_one_tell(const struct judge_look *look, int test)
{
	return !(look->result->baseline.busiest_busy >= BACKGROUND_PERCENT) &&
	       !is_full_in_a_child(look, &look->tree->tests[test]);
}

int judge_cpu_full(const struct judge_look *look, int test)
{
	int group = judge_key_group(look->table, test);

	if (median_busy(look, group, busy_of_all) >= FULL_PERCENT)
		return CPU_ALL_FULL;
	return median_busy(look, group, busy_of_one) >= FULL_PERCENT && can_one_tell(look, test)
		       ? CPU_ONE_FULL
		       : CPU_NOT_FULL;
}

const struct sb_phase *judge_cpu_larger(const struct judge_look *look, int test)
{
	for (size_t i = look->result->n_phases; i-- > 0;) {
		const struct sb_phase *phase = &look->result->phases[i];

		if (sb_phase_confirms(phase) && judge_reads_test(look->table, phase, test))
			return phase;
	}
	return NULL;
}

static double rate_of(const struct sb_phase *phase)
{
	double sum = 0;

	for (size_t i = 0; i < phase->n_jobs; i++)
		sum += phase->jobs[i].bytes_s;
	return sum;
}

int judge_cpu_confirmed(const struct judge_look *look, const struct limit_case *c)
{
	int test = (int)c->test;
	const struct sb_phase *larger = judge_cpu_larger(look, test);

	if (!larger || judge_cpu_full(look, test) == CPU_NOT_FULL)
		return SB_ANSWER_NONE;
	if (rate_of(larger) >= RISE * c->capacity_bytes_s)
		return SB_ANSWER_YES;
	if (larger->cpu.busy_exact >= FULL_PERCENT ||
	    (larger->cpu.busiest_busy >= FULL_PERCENT && can_one_tell(look, test)))
		return SB_ANSWER_YES;
	/* without figures nobody knows whether one was full */
	return isnan(larger->cpu.busy_exact) || isnan(larger->cpu.busiest_busy) ? SB_ANSWER_NONE
										: SB_ANSWER_NO;
}

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	return judge_cpu_full(look, (int)c->test) != CPU_NOT_FULL &&
	       judge_cpu_confirmed(look, c) != SB_ANSWER_NO;
}

/* What to do depends on which CPU is full of what: sentence_cpu.c. */
const struct judge_rule rule_cpu = {.cls = SB_CLASS_CPU, .applies = applies};
