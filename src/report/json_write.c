/* The result as JSON, schema satabench.result/1. Names that are not UTF-8: see json_string.c.
 * Doubles are written so that they read back as the same; counts above 2^63 - 1, which JSON readers
 * lose, as strings of digits. No value is null. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

static json_t *json_u64(uint64_t value, uint64_t none)
{
	char digits[24];

	if (value == none)
		return json_null();
	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	return json_string(digits);
}

json_t *report_json_double(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *field_json(const struct sb_field *field, const void *base)
{
	const char *at = (const char *)base + field->offset;
	int number;

	switch (field->type) {
	case SB_FIELD_U64:
		return json_u64(*(const uint64_t *)(const void *)at, SB_NONE_U64);
	case SB_FIELD_U64_SET:
		return json_u64(*(const uint64_t *)(const void *)at, 0);
	case SB_FIELD_U32:
		return json_u64(*(const uint32_t *)(const void *)at, SB_NONE_U64);
	case SB_FIELD_U32_SET:
		return json_u64(*(const uint32_t *)(const void *)at, 0);
	case SB_FIELD_INT:
		number = *(const int *)(const void *)at;
		return number == -1 ? json_null() : json_integer(number);
	case SB_FIELD_BOOL:
		return json_boolean(*(const bool *)at);
	case SB_FIELD_ANSWER:
		number = *(const int *)(const void *)at;
		return number == SB_ANSWER_NONE ? json_null()
						: json_boolean(number == SB_ANSWER_YES);
	case SB_FIELD_DOUBLE:
		return report_json_double(*(const double *)(const void *)at);
	case SB_FIELD_SIZE:
		return json_u64(*(const size_t *)(const void *)at, SB_NONE_U64);
	case SB_FIELD_SIZE_SET:
		return json_u64(*(const size_t *)(const void *)at, 0);
	case SB_FIELD_FRACTION:
		return report_json_double(report_percent(*(const double *)(const void *)at));
	case SB_FIELD_STRING:
		return report_json_string(*(char *const *)(const void *)at);
	case SB_FIELD_NAME:
		return report_json_string(field->name(*(const int *)(const void *)at));
	}
	return NULL;
}

int report_json_put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) == 0 ? 0 : -ENOMEM;
}

static int put_field(json_t *object, const struct sb_field *field, const void *base)
{
	const char *point = strchr(field->key, '.');
	char outer[32];
	json_t *inner;

	if (!point)
		return report_json_put(object, field->key, field_json(field, base));
	snprintf(outer, sizeof(outer), "%.*s", (int)(point - field->key), field->key);
	inner = json_object_get(object, outer);
	if (!inner) {
		if (report_json_put(object, outer, json_object()) != 0)
			return -ENOMEM;
		inner = json_object_get(object, outer);
	}
	return report_json_put(inner, point + 1, field_json(field, base));
}

json_t *report_json_finish(json_t *object, int rc)
{
	if (rc == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int put_fields(json_t *object, const struct sb_fields *fields, const void *base)
{
	int rc = object ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < fields->n; i++)
		rc = put_field(object, &fields->field[i], base);
	return rc;
}

json_t *report_json_object(const struct sb_fields *fields, const void *base)
{
	json_t *object = json_object();

	return report_json_finish(object, put_fields(object, fields, base));
}

json_t *report_json_node(const struct sb_result *result, int node)
{
	if (node < 0 || (size_t)node >= result->topo.n_nodes)
		return json_null();
	return report_json_string(result->topo.nodes[node].id);
}

json_t *report_json_host(const struct sb_result *result)
{
	return report_json_object(&sb_fields_host, &result->host);
}

json_t *report_json_options(const struct sb_result *result)
{
	json_t *object = report_json_object(&sb_fields_options, &result->options);
	json_t *targets = json_array();
	int rc = sb_suite_is_run(&result->options)
			 ? put_fields(object, &sb_fields_suite_options, &result->options)
			 : 0;

	for (size_t i = 0; i < result->options.n_targets; i++)
		rc |= json_array_append_new(targets,
					    report_json_string(result->options.targets[i]));
	return report_json_finish(object, rc | report_json_put(object, "targets", targets));
}

json_t *report_json_topo_node(const struct sb_topo *topo, const struct sb_node *node)
{
	json_t *object = report_json_object(&sb_fields_node, node);
	json_t *attributes = json_object(), *below = json_array();
	int rc = 0;

	rc |= report_json_put(
		object, "parent",
		report_json_string(node->parent < 0 ? NULL : topo->nodes[node->parent].id));
	for (size_t i = 0; i < node->n_below; i++)
		rc |= json_array_append_new(below,
					    report_json_string(topo->nodes[node->below[i]].id));
	rc |= report_json_put(object, "below", below);
	for (size_t i = 0; i < node->n_attributes; i++) {
		char *key = report_json_encode(node->attributes[i].key);

		rc |= key ? report_json_put(attributes, key,
					    report_json_string(node->attributes[i].value))
			  : -ENOMEM;
		free(key);
	}
	return report_json_finish(object, rc | report_json_put(object, "attributes", attributes));
}

json_t *report_json_device(const struct sb_result *result, const struct sb_device *device)
{
	json_t *object = report_json_object(&sb_fields_device, device);
	json_t *interval = json_array();
	int rc = report_json_put(object, "node", report_json_node(result, device->node));

	if (device->added || device->streams) {
		json_t *more = report_json_object(&sb_fields_device_md, device);

		rc |= more ? json_object_update(object, more) : -ENOMEM;
		json_decref(more);
	}
	if (device->kind == SB_DEVICE_DIRECTORY)
		rc |= put_fields(object, &sb_fields_directory, device);

	rc |= json_array_append_new(interval, report_json_double(device->loss_low_percent));
	rc |= json_array_append_new(interval, report_json_double(device->loss_high_percent));
	return report_json_finish(object,
				  rc | report_json_put(object, "loss_percent_interval", interval));
}

static bool any_ticks(const struct sb_cpu_ticks *ticks)
{
	for (int i = 0; i < SB_CPU_FIELDS; i++)
		if (ticks->field[i])
			return true;
	return false;
}

json_t *report_json_counters(const struct sb_cpu_counters *counters)
{
	json_t *object, *cpus;
	int rc;

	if (!counters->valid)
		return json_null();
	object = report_json_object(&sb_fields_counters, counters);
	rc = report_json_put(object, "total",
			     report_json_object(&sb_fields_ticks, &counters->total));
	if (any_ticks(&counters->total_back))
		rc |= report_json_put(object, "total_back",
				      report_json_object(&sb_fields_ticks, &counters->total_back));
	cpus = json_array();
	for (size_t i = 0; i < counters->n_cpus; i++) {
		json_t *line = report_json_object(&sb_fields_ticks, &counters->cpus[i].ticks);

		rc |= report_json_put(line, "cpu", json_integer(counters->cpus[i].cpu));
		rc |= json_array_append_new(cpus, line);
	}
	return report_json_finish(object, rc | report_json_put(object, "cpus", cpus));
}

json_t *report_json_job(const struct sb_result *result, const struct sb_job *job)
{
	json_t *object = report_json_object(&sb_fields_job, job);
	json_t *errors = json_array();
	int rc = report_json_put(object, "node",
				 report_json_node(result, result->devices[job->device].node));

	if (job->stream)
		rc |= report_json_put(object, "stream", json_integer(job->stream));
	if (job->test)
		rc |= put_fields(object, &sb_fields_suite_job, job);

	rc |= report_json_put(object, "latency_ns",
			      report_json_object(&sb_fields_latency, &job->latency_ns));
	for (size_t i = 0; i < job->n_errors_kept; i++)
		rc |= json_array_append_new(errors,
					    report_json_object(&sb_fields_error, &job->errors[i]));
	return report_json_finish(object, rc | report_json_put(object, "errors", errors));
}

json_t *report_json_interval(const struct sb_phase *phase, const struct sb_interval *interval)
{
	json_t *object = json_object(), *rates = json_array();
	int rc = report_json_put(object, "seconds", report_json_double(interval->seconds));

	for (size_t i = 0; i < phase->n_jobs; i++)
		rc |= json_array_append_new(rates, report_json_double(interval->bytes_s[i]));
	rc |= report_json_put(object, "bytes_per_second", rates);
	rc |= report_json_put(object, "cpu", report_json_object(&sb_fields_cpu, &interval->cpu));
	return report_json_finish(object, rc);
}

static json_t *phase_counters(const struct sb_result *result, const struct sb_phase *phase)
{
	json_t *object = report_json_counters(&phase->counters);
	json_t *links = json_array(), *interrupts = json_array();
	int rc = object ? 0 : -ENOMEM;

	for (size_t i = 0; i < phase->n_links; i++) {
		json_t *link = report_json_object(&sb_fields_link, &phase->links[i]);

		rc |= report_json_put(link, "node", report_json_node(result, phase->links[i].node));
		rc |= json_array_append_new(links, link);
	}
	for (size_t i = 0; i < phase->n_interrupts; i++) {
		json_t *irq = report_json_object(&sb_fields_irq, &phase->interrupts[i]);

		rc |= report_json_put(irq, "node",
				      report_json_node(result, phase->interrupts[i].node));
		rc |= json_array_append_new(interrupts, irq);
	}
	/* Where there is none, as in virtual time, nothing is said. */
	if (phase->n_links)
		rc |= report_json_put(object, "links", json_incref(links));
	if (phase->n_interrupts)
		rc |= report_json_put(object, "interrupts", json_incref(interrupts));
	if (phase->exec)
		rc |= report_json_put(object, "devices", report_json_disks(result, phase->exec));
	json_decref(links);
	json_decref(interrupts);
	return report_json_finish(object, rc);
}

static json_t *phase_json(const struct sb_result *result, const struct sb_phase *phase)
{
	json_t *object = report_json_object(&sb_fields_phase, phase);
	json_t *jobs = json_array(), *intervals = json_array();
	int rc = report_json_put(object, "node", report_json_node(result, phase->node));

	if (phase->kind == SB_PHASE_LEAVE_ONE_OUT)
		rc |= report_json_put(object, "left_out",
				      report_json_node(result, phase->left_out));
	rc |= report_json_put(object, "cpu", report_json_object(&sb_fields_cpu, &phase->cpu));
	rc |= report_json_put(object, "counters", phase_counters(result, phase));
	if (phase->exec) {
		rc |= report_json_put(object, "command", report_json_command(phase->exec));
		rc |= report_json_put_copies(object, phase->exec);
	}
	for (size_t i = 0; i < phase->n_jobs; i++)
		rc |= json_array_append_new(jobs, report_json_job(result, &phase->jobs[i]));
	rc |= report_json_put(object, "jobs", jobs);
	for (size_t i = 0; i < phase->n_intervals; i++)
		rc |= json_array_append_new(intervals,
					    report_json_interval(phase, &phase->intervals[i]));
	return report_json_finish(object, rc | report_json_put(object, "intervals", intervals));
}

static int put_lists(json_t *root, const struct sb_result *result)
{
	json_t *phases = json_array(), *devices = json_array(), *marks = json_array();
	int rc = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		rc |= json_array_append_new(phases, phase_json(result, &result->phases[i]));
	for (size_t i = 0; i < result->n_devices; i++)
		rc |= json_array_append_new(devices,
					    report_json_device(result, &result->devices[i]));
	for (size_t i = 0; i < result->n_marks; i++)
		rc |= json_array_append_new(marks,
					    report_json_object(&sb_fields_mark, &result->marks[i]));
	rc |= report_json_put(root, "phases", phases);
	rc |= report_json_put(root, "devices", devices);
	rc |= report_json_put_checks(root, result);
	rc |= report_json_put(root, "md", report_json_md(result));
	rc |= report_json_put_surfaces(root, result);
	rc |= report_json_put(root, "marks", marks);
	return rc | report_json_put(root, "verdict", report_json_verdict(result));
}

static json_t *baseline_json(const struct sb_result *result)
{
	json_t *object = report_json_object(&sb_fields_cpu, &result->baseline);

	return report_json_finish(
		object, report_json_put(object, "counters",
					report_json_counters(&result->baseline_counters)));
}

static json_t *topology_json(const struct sb_topo *topo)
{
	json_t *object = json_object(), *nodes = json_array();
	int rc = 0;

	for (size_t i = 0; i < topo->n_nodes; i++)
		rc |= json_array_append_new(nodes, report_json_topo_node(topo, &topo->nodes[i]));
	return report_json_finish(object, rc | report_json_put(object, "nodes", nodes));
}

int sb_result_write(FILE *out, const struct sb_result *result)
{
	json_t *root = json_object();
	json_t *scalars = report_json_object(&sb_fields_result, result);
	int rc = report_json_put(root, "schema", json_string(SB_SCHEMA));

	rc |= json_object_update(root, scalars);
	json_decref(scalars);
	rc |= report_json_put(root, "host", report_json_host(result));
	rc |= report_json_put(root, "options", report_json_options(result));
	rc |= report_json_put(root, "topology", topology_json(&result->topo));
	rc |= report_json_put(root, "cpu", report_json_object(&sb_fields_cpu, &result->cpu));
	rc |= report_json_put(root, "baseline", baseline_json(result));
	rc |= put_lists(root, result);
	if (rc == 0)
		rc = report_json_print(out, root);
	else
		rc = -ENOMEM;
	json_decref(root);
	return rc == -ENOMEM ? rc : report_stream_status(out);
}
