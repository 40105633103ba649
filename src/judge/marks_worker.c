/* A device whose own thread needs a whole CPU: with one thread for a device it cannot give more,
 * however many CPUs rest. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/stats.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define FULL_PERCENT 97
#define SHORTEST_S                                                                                 \
	0.1 /* in less, what lies before the first read and after the last one counts              \
	     */

double judge_worker_percent(const struct sb_job *job)
{
	if (job->cpu_ns == SB_NONE_U64 || !(job->elapsed_seconds >= SHORTEST_S))
		return NAN;
	return 100 * (double)job->cpu_ns / (job->elapsed_seconds * 1e9);
}

/* Median over its runs alone; where it had none, over all. */
static double median_percent(const struct sb_result *result, int device, bool alone, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];

		if (!judge_counts(phase) || (alone && phase->kind != SB_PHASE_ALONE))
			continue;
		for (size_t k = 0; k < phase->n_jobs; k++) {
			if (phase->jobs[k].device != device || phase->jobs[k].test ||
			    !judge_has_rate(&phase->jobs[k]))
				continue;
			values[n] = judge_worker_percent(&phase->jobs[k]);
			n += !isnan(values[n]);
			break;
		}
	}
	return n ? sb_median(values, n) : NAN;
}

int mark_worker_full(struct sb_result *result, const struct judge_table *table)
{
	SB_AUTO_FREE double *values = calloc(result->n_phases + 1, sizeof(*values));
	int err = values ? 0 : -ENOMEM;

	(void)table;
	for (size_t i = 0; i < result->n_devices && !err; i++) {
		double percent = median_percent(result, (int)i, true, values);

		if (isnan(percent))
			percent = median_percent(result, (int)i, false, values);
		if (percent >= FULL_PERCENT)
			err = sb_result_add_mark(
				result, SB_MARK_NOTE, "worker_full", result->devices[i].target,
				percent, FULL_PERCENT,
				"the thread that reads it needs a whole CPU (%.0f %%): its rate is "
				"what one CPU can ask for, not what it can give; try larger blocks "
				"(--bs)",
				percent);
	}
	return err;
}
