/* The CPU as the reason why an array is below its range. */
#include <math.h>
#include <stdlib.h>

#include "md_priv.h"
#include "satabench/cleanup.h"
#include "satabench/stats.h"

#define FULL_PERCENT 97 /* of all CPUs, or of one */
#define BUSY_BEFORE_PERCENT 90

typedef bool phase_fn(const struct sb_phase *phase, const struct sb_md_array *array);

static bool reads_one(const struct sb_phase *phase, const struct sb_md_array *array)
{
	return judge_md_reads(phase, array, false);
}

static bool reads_many(const struct sb_phase *phase, const struct sb_md_array *array)
{
	return judge_md_reads(phase, array, true);
}

/* Median over the phases, percent; NaN = none. */
static double median_of(const struct sb_result *result, const struct sb_md_array *array,
			phase_fn *chosen, bool busiest)
{
	SB_AUTO_FREE double *values = calloc(result->n_phases + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; values && i < result->n_phases; i++) {
		const struct sb_cpu_figures *cpu = &result->phases[i].cpu;
		double value = busiest ? cpu->busiest_busy : cpu->busy_exact;

		if (chosen(&result->phases[i], array) && !isnan(value))
			values[n++] = value;
	}
	return values ? sb_median(values, n) : NAN;
}

static bool is_full(const struct sb_result *result, const struct sb_md_array *array,
		    phase_fn *chosen, bool busiest)
{
	return median_of(result, array, chosen, busiest) >= FULL_PERCENT;
}

/* One that was as full while the members alone were read explains nothing. */
bool judge_md_cpu_full(const struct sb_result *result, const struct sb_md_array *array, bool many)
{
	phase_fn *chosen = many ? reads_many : reads_one;

	if (is_full(result, array, chosen, false))
		return !is_full(result, array, judge_md_reads_members, false);
	return is_full(result, array, chosen, true) &&
	       !is_full(result, array, judge_md_reads_members, true) &&
	       !(result->baseline.busiest_busy >= BUSY_BEFORE_PERCENT);
}
