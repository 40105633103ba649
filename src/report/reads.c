/* What each device read in all phases of a kind. */
#include "report_priv.h"

#include <math.h>
#include <stdlib.h>

static double larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

static void add_job(struct report_reads *reads, const struct sb_job *job)
{
	const struct sb_latency *ns = &job->latency_ns;

	reads->errors += job->n_errors;
	reads->failed |= job->state == SB_JOB_FAILED || job->state == SB_JOB_HUNG ||
			 job->state == SB_JOB_VANISHED;
	if (!(job->seconds > 0))
		return;
	reads->measured = true;
	reads->bytes += job->bytes;
	reads->operations += job->operations;
	reads->seconds += job->seconds;
	reads->min = -larger(-reads->min, -ns->min);
	reads->p90 = larger(reads->p90, ns->p90);
	reads->p99 = larger(reads->p99, ns->p99);
	reads->p999 = larger(reads->p999, ns->p999);
	reads->max = larger(reads->max, ns->max);
	if (!isnan(ns->p50))
		reads->p50[reads->n_p50++] = ns->p50;
}

void report_reads_free(struct report_reads *reads, size_t n)
{
	for (size_t i = 0; reads && i < n; i++)
		free(reads[i].p50);
	free(reads);
}

struct report_reads *report_reads_make(const struct sb_result *result, int kind)
{
	struct report_reads *all = calloc(result->n_devices + 1, sizeof(*all));

	for (size_t i = 0; all && i < result->n_devices; i++)
		all[i].min = all[i].p90 = all[i].p99 = all[i].p999 = all[i].max = NAN;
	for (size_t p = 0; all && p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		if (phase->kind != kind || !phase->done || phase->dropped ||
		    sb_phase_confirms(phase))
			continue;
		for (size_t j = 0; j < phase->n_jobs; j++) {
			struct report_reads *reads = &all[phase->jobs[j].device];
			double *more = reallocarray(reads->p50, reads->n_p50 + 1, sizeof(*more));

			if (!more) {
				report_reads_free(all, result->n_devices);
				return NULL;
			}
			reads->p50 = more;
			add_job(reads, &phase->jobs[j]);
		}
	}
	return all;
}
