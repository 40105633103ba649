#include "satabench/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/units.h"

static const char *const phase_names[SB_PHASE_KINDS] = {
	[SB_PHASE_CALIBRATE] = "calibrate",
	[SB_PHASE_ALONE] = "alone",
	[SB_PHASE_ALL] = "all",
	[SB_PHASE_GROUP] = "group",
	[SB_PHASE_LEAVE_ONE_OUT] = "leave_one_out",
	[SB_PHASE_RAMP] = "ramp",
	[SB_PHASE_ARRAY] = "array",
	[SB_PHASE_SUITE] = "suite",
	[SB_PHASE_EXEC] = "exec",
	[SB_PHASE_MD_CHECK] = "md_check",
	[SB_PHASE_SURFACE] = "surface",
};

static const char *const job_names[SB_JOB_STATES] = {
	[SB_JOB_PLANNED] = "planned", [SB_JOB_DONE] = "done", [SB_JOB_STOPPED] = "stopped",
	[SB_JOB_FAILED] = "failed",   [SB_JOB_HUNG] = "hung", [SB_JOB_VANISHED] = "vanished",
};

static int find(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

const char *sb_phase_kind_name(int kind)
{
	return kind >= 0 && kind < SB_PHASE_KINDS ? phase_names[kind] : "unknown";
}

int sb_phase_kind_parse(const char *name)
{
	return find(phase_names, SB_PHASE_KINDS, name);
}

const char *sb_job_state_name(int state)
{
	return state >= 0 && state < SB_JOB_STATES ? job_names[state] : "unknown";
}

int sb_job_state_parse(const char *name)
{
	return find(job_names, SB_JOB_STATES, name);
}

struct sb_job *sb_phase_add_job(struct sb_phase *phase)
{
	struct sb_job *jobs = reallocarray(phase->jobs, phase->n_jobs + 1, sizeof(*jobs));
	struct sb_job *job;

	if (!jobs)
		return NULL;
	phase->jobs = jobs;
	job = &jobs[phase->n_jobs++];
	*job = (struct sb_job){.seconds = NAN,
			       .elapsed_seconds = NAN,
			       .cpu_ns = SB_NONE_U64,
			       .system_ns = SB_NONE_U64,
			       .first_done_ns = SB_NONE_U64,
			       .last_done_ns = SB_NONE_U64,
			       .latency_ns = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
			       .device_bytes = SB_NONE_U64,
			       .device_operations = SB_NONE_U64,
			       .device_busy_ms = SB_NONE_U64,
			       .device_write_bytes = SB_NONE_U64,
			       .sync_seconds = NAN,
			       .cached_percent = NAN,
			       .over_2s = SB_NONE_U64,
			       .over_10s = SB_NONE_U64,
			       .bytes_s = NAN,
			       .iops = NAN,
			       .cpu_percent = NAN};
	return job;
}

static void job_free(struct sb_job *job)
{
	for (size_t i = 0; i < job->n_errors_kept; i++)
		free(job->errors[i].message);
	free(job->errors);
	free(job->target);
	free(job->workload);
	free(job->test);
	free(job->engine);
	free(job->buffers);
}

void sb_phase_free(struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		job_free(&phase->jobs[i]);
	free(phase->jobs);
	for (size_t i = 0; i < phase->n_intervals; i++)
		free(phase->intervals[i].bytes_s);
	free(phase->intervals);
	free(phase->counters.cpus);
	free(phase->links);
	free(phase->interrupts);
	sb_exec_free(phase->exec);
	free(phase->reason);
}

struct sb_interval *sb_phase_add_interval(struct sb_phase *phase)
{
	struct sb_interval *more, *interval;
	size_t n = phase->n_intervals;

	if ((n & (n - 1)) == 0) { /* capacity is the next power of two */
		more = reallocarray(phase->intervals, n ? n * 2 : 1, sizeof(*more));
		if (!more)
			return NULL;
		phase->intervals = more;
	}
	interval = &phase->intervals[n];
	*interval = (struct sb_interval){.seconds = NAN};
	interval->bytes_s = calloc(phase->n_jobs ? phase->n_jobs : 1, sizeof(double));
	if (!interval->bytes_s)
		return NULL;
	phase->n_intervals++;
	return interval;
}
