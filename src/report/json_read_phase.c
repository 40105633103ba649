/* Reading phases, their jobs and CPU figures. */
#include "json_read_priv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "report_priv.h"

static int read_cpu_line(struct reader *r, const json_t *json, void *arg)
{
	struct sb_cpu_counters *counters = arg;
	struct sb_cpu_line *line = &counters->cpus[counters->n_cpus];
	const json_t *cpu = json_object_get(json, "cpu");

	if (!json_is_integer(cpu) || json_integer_value(cpu) < 0 ||
	    json_integer_value(cpu) > INT_MAX)
		return reader_fail(r, "cpu", "must be the number of a CPU");
	line->cpu = (int)json_integer_value(cpu);
	counters->n_cpus++;
	return reader_fields(r, json, &sb_fields_ticks, &line->ticks);
}

int reader_counters(struct reader *r, const json_t *in, struct sb_cpu_counters *counters)
{
	const json_t *json, *total, *back;
	size_t n;
	int rc = reader_object(r, in, "counters", &json);

	if (rc != 0 || !json)
		return rc;
	rc = reader_fields(r, json, &sb_fields_counters, counters);
	if (rc == 0)
		rc = reader_object(r, json, "total", &total);
	if (rc == 0 && total)
		rc = reader_fields(r, total, &sb_fields_ticks, &counters->total);
	if (rc == 0)
		rc = reader_object(r, json, "total_back", &back);
	if (rc == 0 && back)
		rc = reader_fields(r, back, &sb_fields_ticks, &counters->total_back);
	n = json_array_size(json_object_get(json, "cpus"));
	if (rc == 0 && n > 0) {
		counters->cpus = calloc(n, sizeof(*counters->cpus));
		if (!counters->cpus)
			return -ENOMEM;
	}
	counters->valid = rc == 0;
	return rc ? rc : reader_each(r, json, "cpus", read_cpu_line, counters);
}

int reader_figures(struct reader *r, const json_t *in, const char *key,
		   struct sb_cpu_figures *figures)
{
	const json_t *json;
	int rc = reader_object(r, in, key, &json);

	sb_cpu_figures_none(figures);
	return rc != 0 || !json ? rc : reader_fields(r, json, &sb_fields_cpu, figures);
}

static int read_error(struct reader *r, const json_t *json, void *arg)
{
	struct sb_job *job = arg;
	struct sb_io_error *error = &job->errors[job->n_errors_kept++];

	return reader_fields(r, json, &sb_fields_error, error);
}

struct job_arg {
	const struct sb_result *result;
	struct sb_phase *phase;
};

static int read_job(struct reader *r, const json_t *json, void *arg)
{
	const struct job_arg *a = arg;
	struct sb_job *job = sb_phase_add_job(a->phase);
	const json_t *latency;
	size_t n;
	int rc;

	if (!job)
		return -ENOMEM;
	rc = reader_fields(r, json, &sb_fields_job, job);
	if (rc == 0)
		rc = reader_fields(r, json, &sb_fields_job_stream, job);
	if (rc == 0)
		rc = reader_fields(r, json, &sb_fields_suite_job, job);
	if (rc != 0)
		return rc;
	if (job->device < 0 || (size_t)job->device >= a->result->n_devices)
		return reader_fail(r, "device", "is no index of the devices");
	if (!job->target)
		return reader_fail(r, "target", "must be a string");
	rc = reader_object(r, json, "latency_ns", &latency);
	if (rc == 0 && latency)
		rc = reader_fields(r, latency, &sb_fields_latency, &job->latency_ns);
	n = json_array_size(json_object_get(json, "errors"));
	if (rc == 0 && n > 0) {
		job->errors = calloc(n, sizeof(*job->errors));
		if (!job->errors)
			return -ENOMEM;
	}
	return rc ? rc : reader_each(r, json, "errors", read_error, job);
}

static int read_link(struct reader *r, const json_t *json, void *arg)
{
	const struct job_arg *a = arg;
	struct sb_link_reading *link = &a->phase->links[a->phase->n_links++];
	int rc = reader_node(r, json, "node", &a->result->topo, &link->node);

	return rc ? rc : reader_fields(r, json, &sb_fields_link, link);
}

static int read_irq(struct reader *r, const json_t *json, void *arg)
{
	const struct job_arg *a = arg;
	struct sb_irq_count *irq = &a->phase->interrupts[a->phase->n_interrupts++];
	int rc = reader_node(r, json, "node", &a->result->topo, &irq->node);

	return rc ? rc : reader_fields(r, json, &sb_fields_irq, irq);
}

static int read_links(struct reader *r, const json_t *phase, struct job_arg *a)
{
	const json_t *counters = json_object_get(phase, "counters");
	size_t links = json_array_size(json_object_get(counters, "links"));
	size_t interrupts = json_array_size(json_object_get(counters, "interrupts"));
	int rc;

	a->phase->links = calloc(links ? links : 1, sizeof(a->phase->links[0]));
	a->phase->interrupts = calloc(interrupts ? interrupts : 1, sizeof(a->phase->interrupts[0]));
	if (!a->phase->links || !a->phase->interrupts)
		return -ENOMEM;
	rc = links ? reader_each(r, counters, "links", read_link, a) : 0;
	return rc == 0 && interrupts ? reader_each(r, counters, "interrupts", read_irq, a) : rc;
}

static int read_interval(struct reader *r, const json_t *json, void *arg)
{
	const struct job_arg *a = arg;
	struct sb_interval *interval = sb_phase_add_interval(a->phase);
	const json_t *seconds = json_object_get(json, "seconds");
	const json_t *rates = json_object_get(json, "bytes_per_second");

	if (!interval)
		return -ENOMEM;
	sb_cpu_figures_none(&interval->cpu);
	if (seconds && !json_is_null(seconds) && !json_is_number(seconds))
		return reader_fail(r, "seconds", "must be a number");
	if (json_is_number(seconds))
		interval->seconds = json_number_value(seconds);
	if (!json_is_array(rates) || json_array_size(rates) != a->phase->n_jobs)
		return reader_fail(r, "bytes_per_second", "must have a number for each job");
	for (size_t i = 0; i < a->phase->n_jobs; i++) {
		const json_t *rate = json_array_get(rates, i);

		if (!json_is_number(rate) && !json_is_null(rate))
			return reader_fail(r, "bytes_per_second", "must be numbers");
		interval->bytes_s[i] = json_is_number(rate) ? json_number_value(rate) : NAN;
	}
	return reader_figures(r, json, "cpu", &interval->cpu);
}

int reader_phase(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_phase *phase = sb_result_add_phase(result, SB_PHASE_CALIBRATE, 0, "");
	struct job_arg a = {.result = result, .phase = phase};
	int rc;

	if (!phase)
		return -ENOMEM;
	if (!json_is_string(json_object_get(json, "kind")))
		return reader_fail(r, "kind", "must be a string");
	rc = reader_fields(r, json, &sb_fields_phase, phase);
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &phase->node);
	if (rc == 0)
		rc = reader_node(r, json, "left_out", &result->topo, &phase->left_out);
	if (rc == 0)
		rc = reader_figures(r, json, "cpu", &phase->cpu);
	if (rc == 0)
		rc = reader_counters(r, json, &phase->counters);
	if (rc == 0)
		rc = read_links(r, json, &a);
	if (rc == 0)
		rc = reader_exec(r, json, &result->topo, phase);
	if (rc == 0)
		rc = reader_each(r, json, "jobs", read_job, &a);
	return rc ? rc : reader_each(r, json, "intervals", read_interval, &a);
}
