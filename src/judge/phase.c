#include <math.h>

#include "satabench/judge.h"
#include "satabench/units.h"
#include "judge_priv.h"

bool judge_counts(const struct sb_phase *phase)
{
	return phase->done && phase->kind != SB_PHASE_CALIBRATE;
}

bool judge_has_rate(const struct sb_job *job)
{
	return (job->state == SB_JOB_DONE || job->state == SB_JOB_STOPPED) && job->bytes_s > 0;
}

static void judge_job(struct sb_job *job)
{
	bool has_rate = job->bytes > 0 && job->seconds > 0;
	/* files may be empty */
	bool has_iops = has_rate || (job->test && job->operations > 0 && job->seconds > 0);

	job->bytes_s = has_rate ? (double)job->bytes / job->seconds : NAN;
	job->iops = has_iops ? (double)job->operations / job->seconds : NAN;
	job->cpu_percent = job->test && job->cpu_ns != SB_NONE_U64 && job->elapsed_seconds > 0
				   ? 100 * (double)job->cpu_ns / (job->elapsed_seconds * 1e9)
				   : NAN;
}

void sb_judge_phase(struct sb_phase *phase)
{
	bool has_window = phase->window_start_ns != SB_NONE_U64 &&
			  phase->window_end_ns != SB_NONE_U64 &&
			  phase->window_end_ns > phase->window_start_ns;

	phase->seconds =
		has_window ? (double)(phase->window_end_ns - phase->window_start_ns) * 1e-9 : NAN;
	phase->bytes_s = NAN;
	for (size_t i = 0; i < phase->n_jobs; i++) {
		struct sb_job *job = &phase->jobs[i];

		judge_job(job);
		if (isnan(job->bytes_s))
			continue;
		phase->bytes_s =
			isnan(phase->bytes_s) ? job->bytes_s : phase->bytes_s + job->bytes_s;
	}
	sb_judge_cpu(&phase->counters, &phase->cpu);
	if (phase->exec)
		judge_exec(phase);
}
