/* One JSON object a line while it runs: run, then for each phase phase, interval ..., phase_end,
 * and at last device ..., surface ..., md_check ..., mark ..., verdict, end. A line holds only what
 * is settled at its moment: the saved result must give the same bytes. `phase` counts from 1. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "report_priv.h"

static json_t *begin(const char *record)
{
	json_t *object = json_object();

	if (report_json_put(object, "record", json_string(record)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* Copies `keys` (up to NULL), or everything, of `from`, which is dropped. */
static int put_all(json_t *object, json_t *from, const char *const *keys)
{
	int rc = from ? 0 : -ENOMEM;

	if (rc == 0 && !keys)
		rc = json_object_update(object, from);
	for (; rc == 0 && keys && *keys; keys++)
		rc = json_object_set(object, *keys, json_object_get(from, *keys));
	json_decref(from);
	return rc;
}

static int print_line(FILE *out, json_t *object, int rc)
{
	if (rc == 0 && (json_dumpf(object, out, REPORT_JSON_FLAGS | JSON_COMPACT) != 0 ||
			fputc('\n', out) == EOF))
		rc = errno ? -errno : -EIO;
	json_decref(object);
	return rc;
}

static int print_run(FILE *out, const struct sb_result *result)
{
	static const char *const keys[] = {"satabench", "started", "label", "command", NULL};
	json_t *object = begin("run"), *targets = json_array();
	int rc = report_json_put(object, "schema", json_string(SB_SCHEMA));

	rc |= put_all(object, report_json_object(&sb_fields_result, result), keys);
	rc |= report_json_put(object, "host", report_json_host(result));
	rc |= report_json_put(object, "options", report_json_options(result));
	for (size_t i = 0; i < result->n_devices; i++)
		rc |= json_array_append_new(targets, report_json_string(result->devices[i].target));
	return print_line(out, object, rc | report_json_put(object, "devices", targets));
}

static int print_phase(FILE *out, const struct sb_result *result, size_t index)
{
	static const char *const keys[] = {"kind", "reason", "round", "settings", NULL};
	const struct sb_phase *phase = &result->phases[index];
	json_t *object = begin("phase"), *targets = json_array();
	int rc = report_json_put(object, "phase", json_integer((json_int_t)index + 1));

	rc |= put_all(object, report_json_object(&sb_fields_phase, phase), keys);
	rc |= report_json_put(object, "node", report_json_node(result, phase->node));
	if (phase->kind == SB_PHASE_LEAVE_ONE_OUT)
		rc |= report_json_put(object, "left_out",
				      report_json_node(result, phase->left_out));
	if (phase->exec)
		rc |= report_json_put(object, "command", report_json_command(phase->exec));
	for (size_t i = 0; i < phase->n_jobs; i++)
		rc |= json_array_append_new(targets, report_json_string(phase->jobs[i].target));
	return print_line(out, object, rc | report_json_put(object, "targets", targets));
}

static int print_interval(FILE *out, const struct sb_phase *phase, size_t number, size_t index)
{
	json_t *object = begin("interval");
	int rc = report_json_put(object, "phase", json_integer((json_int_t)number));

	rc |= put_all(object, report_json_interval(phase, &phase->intervals[index]), NULL);
	return print_line(out, object, rc);
}

static int print_phase_end(FILE *out, const struct sb_result *result, size_t index)
{
	const struct sb_phase *phase = &result->phases[index];
	json_t *object = begin("phase_end"), *jobs = json_array();
	int rc = report_json_put(object, "phase", json_integer((json_int_t)index + 1));

	rc |= put_all(object, report_json_object(&sb_fields_phase, phase), NULL);
	json_object_del(object, "dropped"); /* judged by the phases that come after it */
	rc |= report_json_put(object, "cpu", report_json_object(&sb_fields_cpu, &phase->cpu));
	if (phase->exec) {
		rc |= report_json_put_copies(object, phase->exec);
		rc |= report_json_put(object, "devices", report_json_disks(result, phase->exec));
	}
	for (size_t i = 0; i < phase->n_jobs; i++)
		rc |= json_array_append_new(jobs, report_json_job(result, &phase->jobs[i]));
	return print_line(out, object, rc | report_json_put(object, "jobs", jobs));
}

static int print_end(FILE *out, const struct sb_result *result)
{
	static const char *const keys[] = {"complete",
					   "elapsed_seconds",
					   "alone_bytes_per_second",
					   "all_bytes_per_second",
					   "loss_percent",
					   "bytes_per_second_per_busy_cpu",
					   NULL};
	json_t *object = begin("end");
	int rc = put_all(object, report_json_object(&sb_fields_result, result), keys);

	rc |= report_json_put(object, "cpu", report_json_object(&sb_fields_cpu, &result->cpu));
	rc |= report_json_put(object, "baseline",
			      report_json_object(&sb_fields_cpu, &result->baseline));
	return print_line(out, object, rc);
}

static int print_last(FILE *out, const struct sb_result *result)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < result->n_devices; i++) {
		json_t *object = begin("device");

		rc = put_all(object, report_json_device(result, &result->devices[i]), NULL);
		rc = print_line(out, object, rc);
	}
	for (size_t i = 0; rc == 0 && i < result->n_md; i++) {
		json_t *object = begin("md");

		rc = put_all(object, report_json_array(result, &result->md[i]), NULL);
		rc = print_line(out, object, rc);
	}
	for (size_t i = 0; rc == 0 && i < result->n_surfaces; i++) {
		json_t *object = begin("surface");

		rc = put_all(object, report_json_surface(result, &result->surfaces[i]), NULL);
		rc = print_line(out, object, rc);
	}
	for (size_t i = 0; rc == 0 && i < result->n_checks; i++) {
		json_t *object = begin("md_check");

		rc = put_all(object, report_json_check(result, &result->checks[i]), NULL);
		rc = print_line(out, object, rc);
	}
	for (size_t i = 0; rc == 0 && i < result->n_marks; i++) {
		json_t *object = begin("mark");

		rc = put_all(object, report_json_object(&sb_fields_mark, &result->marks[i]), NULL);
		rc = print_line(out, object, rc);
	}
	if (rc == 0 && result->verdict.sentence) {
		json_t *object = begin("verdict");

		rc = put_all(object, report_json_verdict(result), NULL);
		rc = print_line(out, object, rc);
	}
	return rc ? rc : print_end(out, result);
}

/* A phase that plan has appended may never run; a run that breaks off must not have told of it. */
static bool has_begun(const struct sb_phase *phase)
{
	return phase->done || phase->n_intervals > 0 || !isnan(phase->started_s);
}

/* What is new of the phase that is told of now; *ended: go on with the next. */
static int update_phase(struct sb_stream *stream, FILE *out, const struct sb_result *result,
			bool *ended)
{
	size_t index = stream->phases_ended;
	const struct sb_phase *phase = &result->phases[index];
	int rc = 0;

	*ended = false;
	if (!has_begun(phase))
		return 0;
	if (stream->phases_begun == index) {
		rc = print_phase(out, result, index);
		stream->phases_begun++;
		stream->intervals = 0;
	}
	for (; rc == 0 && stream->intervals < phase->n_intervals; stream->intervals++)
		rc = print_interval(out, phase, index + 1, stream->intervals);
	if (rc == 0 && phase->done) {
		rc = print_phase_end(out, result, index);
		stream->phases_ended++;
		*ended = true;
	}
	return rc;
}

int sb_stream_update(struct sb_stream *stream, FILE *out, const struct sb_result *result,
		     bool finished)
{
	bool ended = true;
	int rc = 0;

	/* Options and devices are settled once there are phases. */
	if (!stream->begun && (result->n_phases > 0 || finished)) {
		rc = print_run(out, result);
		stream->begun = true;
	}
	while (rc == 0 && ended && stream->phases_ended < result->n_phases)
		rc = update_phase(stream, out, result, &ended);
	if (rc == 0 && finished && !stream->ended) {
		rc = print_last(out, result);
		stream->ended = true;
	}
	return rc ? rc : report_stream_status(out);
}

int report_ndjson_write(FILE *out, const struct sb_result *result)
{
	struct sb_stream stream = {0};

	return sb_stream_update(&stream, out, result, true);
}
