/* One test of one directory over all rounds. */
#include "report_priv.h"

#include <math.h>
#include <string.h>

#include "satabench/suite.h"
#include "satabench/units.h"

static double larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

bool report_suite_counts(const char *test)
{
	const struct sb_suite_test *t = sb_suite_test(test);

	return t && (t->group == SB_TEST_FILES || t->group == SB_TEST_SEEKS);
}

double report_suite_rate(const struct sb_job *job)
{
	return report_suite_counts(job->test) ? job->iops : job->bytes_s;
}

static void add_job(struct report_suite_sum *sum, const struct sb_job *job)
{
	double rate = report_suite_rate(job);

	sum->n_jobs++;
	sum->n_over_2s += job->over_2s == SB_NONE_U64 ? 0 : job->over_2s;
	sum->n_over_10s += job->over_10s == SB_NONE_U64 ? 0 : job->over_10s;
	sum->operations += job->operations;
	sum->p99 = larger(sum->p99, job->latency_ns.p99);
	sum->max = larger(sum->max, job->latency_ns.max);
	sum->cached_percent = larger(sum->cached_percent, job->cached_percent);
	if (job->state != SB_JOB_DONE && job->state != SB_JOB_STOPPED)
		sum->state = job->state;
	else if (job->state == SB_JOB_STOPPED && sum->state == SB_JOB_DONE)
		sum->state = SB_JOB_STOPPED;
	if (isnan(rate))
		return;
	sb_stats_add(&sum->rate, rate);
	sb_stats_add(&sum->p50, job->latency_ns.p50);
	sb_stats_add(&sum->seconds, job->elapsed_seconds);
	if (!isnan(job->cpu_percent))
		sb_stats_add(&sum->cpu, job->cpu_percent);
	if (!isnan(job->sync_seconds))
		sb_stats_add(&sum->sync, job->sync_seconds);
	sum->is_short |= job->elapsed_seconds < SB_SUITE_SHORT_S;
}

struct report_suite_sum report_suite_sum(const struct sb_result *result, size_t device,
					 const char *test)
{
	struct report_suite_sum sum = {
		.p99 = NAN, .max = NAN, .cached_percent = NAN, .state = SB_JOB_DONE};

	sb_stats_start(&sum.rate);
	sb_stats_start(&sum.p50);
	sb_stats_start(&sum.seconds);
	sb_stats_start(&sum.cpu);
	sb_stats_start(&sum.sync);
	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		for (size_t i = 0; phase->done && i < phase->n_jobs; i++)
			if ((size_t)phase->jobs[i].device == device && phase->jobs[i].test &&
			    strcmp(phase->jobs[i].test, test) == 0 &&
			    phase->jobs[i].state != SB_JOB_PLANNED)
				add_job(&sum, &phase->jobs[i]);
	}
	return sum;
}

double report_suite_mean(const struct sb_stats *stats)
{
	return stats->n ? stats->mean : NAN;
}

double report_suite_half_width(const struct sb_stats *stats)
{
	if (stats->n < 2)
		return NAN;
	return sb_t_quantile(0.975, (unsigned)stats->n - 1) * sb_stats_sd(stats) /
	       sqrt((double)stats->n);
}
