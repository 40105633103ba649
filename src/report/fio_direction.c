/* What a job read, wrote and trimmed, as fio's JSON has it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fio_priv.h"
#include "report_priv.h"

int fio_put_text(json_t *object, const char *key, char *text)
{
	int rc = text ? report_json_put(object, key, report_json_string(text)) : -ENOMEM;

	free(text);
	return rc;
}

int fio_put_integer(json_t *object, const char *key, double value)
{
	return report_json_put(object, key,
			       isfinite(value) && fabs(value) < 9e18
				       ? json_integer((json_int_t)floor(value))
				       : json_null());
}

int fio_put_real(json_t *object, const char *key, double value)
{
	return report_json_put(object, key, report_json_double(value));
}

/* Keys with one value each; a list that ends in NULL. */
json_t *fio_each(const char *const *keys, double value)
{
	json_t *object = json_object();
	int rc = 0;

	for (; *keys; keys++)
		rc |= fio_put_real(object, *keys, value);
	return report_json_finish(object, rc);
}

static json_t *latency(double min, double max, double mean, double stddev, uint64_t n)
{
	json_t *object = json_object();
	int rc = fio_put_integer(object, "min", min);

	rc |= fio_put_integer(object, "max", max);
	rc |= fio_put_real(object, "mean", mean);
	rc |= fio_put_real(object, "stddev", stddev);
	return report_json_finish(object, rc | fio_put_integer(object, "N", (double)n));
}

static json_t *no_latency(void)
{
	return latency(0, 0, 0, 0, 0);
}

static json_t *job_latency(const struct sb_job *job)
{
	const struct sb_latency *l = &job->latency_ns;

	return job->operations ? latency(l->min, l->max, l->mean, NAN, job->operations)
			       : no_latency();
}

static json_t *completion_latency(const struct sb_job *job)
{
	const struct sb_latency *l = &job->latency_ns;
	json_t *object = job_latency(job), *percentile = json_object();
	int rc = fio_put_integer(percentile, "50.000000", l->p50);

	rc |= fio_put_integer(percentile, "90.000000", l->p90);
	rc |= fio_put_integer(percentile, "99.000000", l->p99);
	rc |= fio_put_integer(percentile, "99.900000", l->p999);
	if (job->operations == 0) {
		json_decref(percentile);
		return report_json_finish(object, rc);
	}
	return report_json_finish(object, rc | report_json_put(object, "percentile", percentile));
}

/* Of the rows of a phase, in `unit` bytes. */
struct spread {
	double min, max, mean, dev;
	size_t n;
};

static struct spread spread_of(const struct fio_run *run, double unit)
{
	struct spread s = {0};
	size_t job = run->job ? (size_t)(run->job - run->phase->jobs) : 0;
	double squares = 0;

	for (size_t i = 0; run->job && i < run->phase->n_intervals; i++) {
		double x = run->phase->intervals[i].bytes_s[job] / unit, before = s.mean;

		if (!isfinite(x))
			continue;
		s.min = s.n && s.min < x ? s.min : x;
		s.max = s.n && s.max > x ? s.max : x;
		s.mean += (x - before) / (double)++s.n;
		squares += (x - before) * (x - s.mean);
	}
	s.dev = s.n > 1 ? sqrt(squares / (double)(s.n - 1)) : 0;
	return s;
}

static int put_spreads(json_t *object, const struct fio_run *run)
{
	const double block = run->job ? (double)run->job->block_bytes : 1;
	const struct spread bw = spread_of(run, 1024), iops = spread_of(run, block);
	double total = run->phase ? run->phase->bytes_s : NAN;
	int rc = fio_put_integer(object, "bw_min", bw.min);

	rc |= fio_put_integer(object, "bw_max", bw.max);
	rc |= fio_put_real(object, "bw_agg",
			   run->job && run->job->bytes_s > 0 ? 100 * run->job->bytes_s / total : 0);
	rc |= fio_put_real(object, "bw_mean", bw.mean);
	rc |= fio_put_real(object, "bw_dev", bw.dev);
	rc |= fio_put_integer(object, "bw_samples", (double)bw.n);
	rc |= fio_put_integer(object, "iops_min", iops.min);
	rc |= fio_put_integer(object, "iops_max", iops.max);
	rc |= fio_put_real(object, "iops_mean", iops.mean);
	rc |= fio_put_real(object, "iops_stddev", iops.dev);
	return rc | fio_put_integer(object, "iops_samples", (double)iops.n);
}

/* Requests that ended short, as far as they were kept. */
static size_t n_short(const struct sb_job *job)
{
	size_t n = 0;

	for (size_t i = 0; i < job->n_errors_kept; i++)
		n += job->errors[i].error == 0;
	return n;
}

/* What went one way; nothing without a job. */
json_t *fio_direction(const struct fio_run *run)
{
	const struct sb_job *job = run->job;
	const struct sb_job nothing = {.seconds = 0, .bytes_s = 0, .iops = 0};
	json_t *object = json_object();
	int rc = 0;

	job = job ? job : &nothing;
	rc |= fio_put_integer(object, "io_bytes", (double)job->bytes);
	rc |= fio_put_integer(object, "io_kbytes", (double)(job->bytes >> 10));
	rc |= fio_put_integer(object, "bw_bytes", job->bytes ? job->bytes_s : 0);
	rc |= fio_put_integer(object, "bw", job->bytes ? job->bytes_s / 1024 : 0);
	rc |= fio_put_real(object, "iops", job->bytes ? job->iops : 0);
	rc |= fio_put_integer(object, "runtime",
			      isnan(job->seconds) ? 0 : round(job->seconds * 1000));
	rc |= fio_put_integer(object, "total_ios", (double)job->operations);
	rc |= fio_put_integer(object, "short_ios", (double)n_short(job));
	rc |= fio_put_integer(object, "drop_ios", 0);
	rc |= report_json_put(object, "slat_ns", no_latency());
	rc |= report_json_put(object, "clat_ns", completion_latency(job));
	rc |= report_json_put(object, "lat_ns", job_latency(job));
	return report_json_finish(object, rc | put_spreads(object, run));
}

json_t *fio_sync(void)
{
	json_t *object = json_object();
	int rc = fio_put_integer(object, "total_ios", 0);

	return report_json_finish(object, rc | report_json_put(object, "lat_ns", no_latency()));
}
