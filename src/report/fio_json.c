/* The result in the shape of fio 3.33's JSON, one job a device, for what reads that. A job is one
 * run as it was measured, and no mean: of the runs together the one whose total is the median;
 * where a device took part in none, the median one of its runs alone. What fio counts and satabench
 * does not is null; what fio itself writes where nothing was counted (writes, trims, submission) is
 * as there. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fio_priv.h"
#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

static const struct sb_job *job_of(const struct sb_phase *phase, int device)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			return &phase->jobs[i];
	return NULL;
}

static int by_rate(const void *a, const void *b)
{
	const struct fio_run *x = a, *y = b;

	return (x->rate > y->rate) - (x->rate < y->rate);
}

/* Runs that stand apart count only where there are no others. */
static struct fio_run median_run(const struct sb_result *result, int kind, int device, bool dropped)
{
	SB_AUTO_FREE struct fio_run *runs = calloc(result->n_phases + 1, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; runs && i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		const struct sb_job *job = job_of(phase, device);
		double rate = kind == SB_PHASE_ALL ? phase->bytes_s : job ? job->bytes_s : NAN;

		if (phase->kind == kind && phase->done && job && phase->dropped == dropped &&
		    !sb_phase_confirms(phase))
			runs[n++] = (struct fio_run){phase, job, isnan(rate) ? 0 : rate};
	}
	if (n == 0)
		return (struct fio_run){0};
	qsort(runs, n, sizeof(*runs), by_rate);
	return runs[(n - 1) / 2];
}

static struct fio_run run_of(const struct sb_result *result, int device)
{
	static const int kinds[] = {SB_PHASE_ALL, SB_PHASE_ALONE};
	struct fio_run run = {0};

	for (size_t i = 0; i < SB_COUNT(kinds) && !run.job; i++) {
		run = median_run(result, kinds[i], device, false);
		if (!run.job)
			run = median_run(result, kinds[i], device, true);
	}
	return run;
}

static const char *fio_engine(const char *engine)
{
	return engine && strcmp(engine, "preadv") == 0 ? "pvsync" : engine ? engine : "";
}

static json_t *job_options(const struct sb_device *device, const struct sb_job *job)
{
	json_t *object = json_object();
	int rc = report_json_put(object, "filename",
				 report_json_string(device->path ? device->path : device->target));

	if (!job)
		return report_json_finish(object, rc);
	rc |= report_json_put(object, "ioengine", report_json_string(fio_engine(job->engine)));
	rc |= fio_put_text(object, "bs", sb_format("%llu", (unsigned long long)job->block_bytes));
	return report_json_finish(
		object, rc | fio_put_text(object, "iodepth",
					  sb_format("%llu", (unsigned long long)job->depth)));
}

/* An errno; 0 */
static int job_error(const struct sb_device *device, const struct sb_job *job)
{
	int state = job ? job->state : SB_JOB_FAILED;

	if (state == SB_JOB_HUNG || device->state == SB_DEVICE_HUNG)
		return ETIMEDOUT;
	if (state == SB_JOB_VANISHED || device->state == SB_DEVICE_VANISHED)
		return ENODEV;
	if (state != SB_JOB_FAILED && device->state != SB_DEVICE_FAILED)
		return 0;
	return job && job->n_errors_kept && job->errors[0].error ? job->errors[0].error : EIO;
}

/* What of the time its thread had a CPU. Without the split all of it is not known. */
static int put_cpu(json_t *object, const struct sb_job *job)
{
	double percent = NAN, system = NAN;

	if (job && job->cpu_ns != SB_NONE_U64 && job->system_ns != SB_NONE_U64 &&
	    job->elapsed_seconds > 0) {
		percent = (double)job->cpu_ns / 1e7 / job->elapsed_seconds;
		system = fmin((double)job->system_ns / 1e7 / job->elapsed_seconds, percent);
	}
	return fio_put_real(object, "usr_cpu", percent - system) |
	       fio_put_real(object, "sys_cpu", system);
}

/* The depth is kept from the first to the last request, so all of them are at it. */
static json_t *depth_level(uint64_t depth)
{
	static const char *const levels[] = {"1", "2", "4", "8", "16", "32", ">=64", NULL};
	json_t *object = fio_each(levels, 0);
	size_t i = 0;

	while (i < SB_COUNT(levels) - 2 && depth >= 2ULL << i)
		i++;
	return depth ? report_json_finish(object, fio_put_real(object, levels[i], 100)) : object;
}

static int put_distributions(json_t *object)
{
	static const char *const batches[] = {"0", "4", "8", "16", "32", "64", ">=64", NULL};
	static const char *const ns[] = {"2",	"4",   "10",  "20",   "50", "100",
					 "250", "500", "750", "1000", NULL};
	static const char *const ms[] = {"2",	"4",   "10",   "20",   "50",	 "100", "250",
					 "500", "750", "1000", "2000", ">=2000", NULL};
	int rc = report_json_put(object, "iodepth_submit", fio_each(batches, NAN));

	rc |= report_json_put(object, "iodepth_complete", fio_each(batches, NAN));
	rc |= report_json_put(object, "latency_ns", fio_each(ns, NAN));
	rc |= report_json_put(object, "latency_us", fio_each(ns, NAN));
	return rc | report_json_put(object, "latency_ms", fio_each(ms, NAN));
}

/* Takes the malloc'ed name. */
static json_t *job_json(const struct sb_device *device, const struct fio_run *run, char *name)
{
	const struct sb_job *job = run->job;
	const struct fio_run none = {0};
	const struct sb_suite_test *test = job ? sb_suite_test(job->test) : NULL;
	bool writes = test && test->writes;
	json_t *object = json_object();
	double elapsed = job && !isnan(job->elapsed_seconds) ? job->elapsed_seconds : 0;
	int rc = fio_put_text(object, "jobname", name);

	rc |= fio_put_integer(object, "groupid", 0);
	rc |= fio_put_integer(object, "error", job_error(device, job));
	rc |= fio_put_integer(object, "eta", 0);
	rc |= fio_put_integer(object, "elapsed", ceil(elapsed));
	rc |= report_json_put(object, "job options", job_options(device, job));
	rc |= report_json_put(object, "read", fio_direction(writes ? &none : run));
	rc |= report_json_put(object, "write", fio_direction(writes ? run : &none));
	rc |= report_json_put(object, "trim", fio_direction(&none));
	rc |= report_json_put(object, "sync", fio_sync());
	rc |= fio_put_integer(object, "job_runtime", round(elapsed * 1000));
	rc |= put_cpu(object, job);
	rc |= fio_put_integer(object, "ctx", NAN);
	rc |= fio_put_integer(object, "majf", NAN);
	rc |= fio_put_integer(object, "minf", NAN);
	rc |= report_json_put(object, "iodepth_level", depth_level(job ? job->depth : 0));
	rc |= put_distributions(object);
	rc |= fio_put_integer(object, "latency_depth", job ? (double)job->depth : NAN);
	rc |= fio_put_integer(object, "latency_target", 0);
	rc |= fio_put_real(object, "latency_percentile", 100);
	return report_json_finish(object, rc | fio_put_integer(object, "latency_window", 0));
}

/* By the device's own counters; nothing where they tell nothing. */
static int add_disk(json_t *list, const struct sb_result *result, const struct fio_run *run)
{
	const struct sb_job *job = run->job;
	int node = job ? result->devices[job->device].node : -1;
	json_t *object;
	int rc;

	if (node < 0 || job->device_operations == SB_NONE_U64)
		return 0;
	object = json_object();
	rc = report_json_put(object, "name", report_json_string(result->topo.nodes[node].name));
	rc |= fio_put_integer(object, "read_ios", (double)job->device_operations);
	rc |= fio_put_integer(object, "write_ios", NAN);
	rc |= fio_put_integer(object, "read_merges", NAN);
	rc |= fio_put_integer(object, "write_merges", NAN);
	rc |= fio_put_integer(object, "read_ticks", NAN);
	rc |= fio_put_integer(object, "write_ticks", NAN);
	rc |= fio_put_integer(object, "in_queue", NAN);
	rc |= fio_put_real(
		object, "util",
		job->device_busy_ms != SB_NONE_U64 && job->elapsed_seconds > 0
			? fmin(0.1 * (double)job->device_busy_ms / job->elapsed_seconds, 100)
			: NAN);
	return json_array_append_new(list, report_json_finish(object, rc)) == 0 ? 0 : -ENOMEM;
}

static json_t *global_options(const struct sb_result *result)
{
	const char *workload = result->options.workload;
	json_t *object = json_object();
	int rc = report_json_put(object, "rw", report_json_string(workload ? workload : "read"));

	return report_json_finish(
		object, rc | report_json_put(object, "direct",
					     json_string(result->options.buffered ? "0" : "1")));
}

/* When it ended, as fio has it; `time` in the run's own zone. */
static int put_times(json_t *root, const struct sb_result *result)
{
	struct tm tm = {0};
	int hours = 0, minutes = 0;
	char sign = '+', text[32] = "";
	double elapsed = isnan(result->elapsed_seconds) ? 0 : result->elapsed_seconds;
	time_t local, offset;
	int rc;

	if (!result->started ||
	    sscanf(result->started, "%d-%d-%dT%d:%d:%d%c%d:%d", &tm.tm_year, &tm.tm_mon,
		   &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &sign, &hours, &minutes) < 7) {
		rc = fio_put_integer(root, "timestamp", NAN) |
		     fio_put_integer(root, "timestamp_ms", NAN);
		return rc | report_json_put(root, "time", json_null());
	}
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	offset = (time_t)(sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
	local = timegm(&tm) + (time_t)elapsed;
	rc = fio_put_integer(root, "timestamp", (double)(local - offset));
	rc |= fio_put_integer(root, "timestamp_ms",
			      ((double)(local - offset) + elapsed - floor(elapsed)) * 1000);
	if (gmtime_r(&local, &tm) && tm.tm_year < 8000 && asctime_r(&tm, text))
		text[strcspn(text, "\n")] = '\0';
	return rc | report_json_put(root, "time", json_string(text));
}

/* Of a directory each test is a job, by the name of both; those of files have no bytes, and fio no
 * place for them. Of several rounds the one whose rate is the median. */
static int add_tests(json_t *list, const struct sb_result *result, int device)
{
	const struct sb_suite *suite = sb_suite_of(&result->options);
	SB_AUTO_FREE struct fio_run *runs = calloc(result->n_phases + 1, sizeof(*runs));
	int rc = runs ? 0 : -ENOMEM;

	for (const char *const *test = suite->tests; *test && rc == 0; test++) {
		size_t n = 0;

		for (size_t p = 0; p < result->n_phases; p++) {
			const struct sb_phase *phase = &result->phases[p];

			for (size_t i = 0; phase->done && i < phase->n_jobs; i++)
				if (phase->jobs[i].device == device && phase->jobs[i].test &&
				    strcmp(phase->jobs[i].test, *test) == 0 &&
				    phase->jobs[i].bytes_s > 0)
					runs[n++] = (struct fio_run){phase, &phase->jobs[i],
								     phase->jobs[i].bytes_s};
		}
		if (n == 0)
			continue;
		qsort(runs, n, sizeof(*runs), by_rate);
		rc = json_array_append_new(
			list, job_json(&result->devices[device], &runs[(n - 1) / 2],
				       sb_format("%s %s", result->devices[device].target, *test)));
	}
	return rc;
}

int report_fio_json_write(FILE *out, const struct sb_result *result)
{
	json_t *root = json_object(), *jobs = json_array(), *disks = json_array();
	int rc = fio_put_text(root, "fio version",
			      sb_format("satabench-%s", result->version ? result->version : ""));

	rc |= put_times(root, result);
	rc |= report_json_put(root, "global options", global_options(result));
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct fio_run run = run_of(result, (int)i);

		if (result->devices[i].kind == SB_DEVICE_DIRECTORY) {
			rc |= add_tests(jobs, result, (int)i);
			continue;
		}
		rc |= json_array_append_new(jobs, job_json(&result->devices[i], &run,
							   strdup(result->devices[i].target)));
		rc |= add_disk(disks, result, &run);
	}
	rc |= report_json_put(root, "jobs", jobs);
	rc |= report_json_put(root, "disk_util", disks);
	if (rc == 0 && (json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0 ||
			fputc('\n', out) == EOF))
		rc = errno ? -errno : -EIO;
	json_decref(root);
	return rc ? rc : report_stream_status(out);
}
