/* One fact a row, RFC 4180: CRLF, quotes doubled. `phase` counts from 1; a value that is missing is
 * an empty field. */
#include "satabench/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"

/* What the rows of one object have in common. */
struct row {
	FILE *out;
	const char *record;
	size_t phase_number; /* 0 = none */
	const struct sb_phase *phase;
	const char *subject;
	char *at_seconds;   /* of intervals and errors */
	const char *prefix; /* before the metric's name */
	int rc;
};

void report_csv_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Takes the malloc'ed value. */
static void print_row(struct row *row, const char *metric, char *value, const char *unit)
{
	if (!value) {
		row->rc = -ENOMEM;
		return;
	}
	report_csv_field(row->out, row->record);
	if (row->phase_number > 0)
		fprintf(row->out, ",%zu,%s,", row->phase_number,
			sb_phase_kind_name(row->phase->kind));
	else
		fputs(",,,", row->out);
	if (row->phase_number > 0 && row->phase->round > 0)
		fprintf(row->out, "%u", row->phase->round);
	fputc(',', row->out);
	report_csv_field(row->out, row->subject ? row->subject : "");
	fprintf(row->out, ",%s,", row->at_seconds ? row->at_seconds : "");
	if (row->prefix)
		report_csv_field(row->out, row->prefix);
	report_csv_field(row->out, metric);
	fputc(',', row->out);
	report_csv_field(row->out, value);
	fprintf(row->out, ",%s\r\n", unit);
	free(value);
}

static void print_fields(struct row *row, const struct sb_fields *fields, const void *base)
{
	for (size_t i = 0; i < fields->n; i++)
		print_row(row, fields->field[i].key, report_field_text(&fields->field[i], base),
			  fields->field[i].unit);
}

static const char *node_id(const struct sb_result *result, int node)
{
	return node >= 0 ? result->topo.nodes[node].id : "";
}

static int print_run(FILE *out, const struct sb_result *result)
{
	struct row row = {.out = out, .record = "run"};

	print_fields(&row, &sb_fields_result, result);
	row.prefix = "host.";
	print_fields(&row, &sb_fields_host, &result->host);
	row.prefix = "options.";
	for (size_t i = 0; i < result->options.n_targets; i++)
		print_row(&row, "target", strdup(result->options.targets[i]), "");
	print_fields(&row, &sb_fields_options, &result->options);
	if (sb_suite_is_run(&result->options))
		print_fields(&row, &sb_fields_suite_options, &result->options);
	row.prefix = NULL;
	row.record = "cpu";
	print_fields(&row, &sb_fields_cpu, &result->cpu);
	row.record = "baseline";
	print_fields(&row, &sb_fields_cpu, &result->baseline);
	return row.rc;
}

static void print_interval_ends(struct row *row, const char *metric, double low, double high,
				const char *unit)
{
	SB_AUTO_FREE char *prefix = sb_format("%s_interval.", metric);

	if (!prefix)
		row->rc = -ENOMEM;
	row->prefix = prefix;
	print_row(row, "low", report_double_text(low), unit);
	print_row(row, "high", report_double_text(high), unit);
	row->prefix = NULL;
}

static void print_nodes(struct row *row, const char *metric, const struct sb_result *result,
			const int *nodes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		print_row(row, metric, strdup(node_id(result, nodes[i])), "");
}

static int print_limit(FILE *out, const struct sb_result *result, const struct sb_limit *limit)
{
	struct row row = {.out = out, .record = "limit", .subject = node_id(result, limit->node)};

	print_fields(&row, &sb_fields_limit, limit);
	print_interval_ends(&row, "capacity_bytes_per_second", limit->capacity_low,
			    limit->capacity_high, "B/s");
	print_nodes(&row, "test_node", result, &limit->test_node, 1);
	print_nodes(&row, "candidate", result, limit->candidates, limit->n_candidates);
	return row.rc;
}

static int print_loss(FILE *out, const struct sb_result *result, const struct sb_node_loss *loss)
{
	struct row row = {.out = out, .record = "loss", .subject = node_id(result, loss->node)};

	print_fields(&row, &sb_fields_loss, loss);
	print_interval_ends(&row, "loss_percent", report_percent(loss->low),
			    report_percent(loss->high), "%");
	print_nodes(&row, "masked_by", result, &loss->masked_by, 1);
	row.prefix = "leave_one_out.";
	if (loss->left_out)
		print_fields(&row, &sb_fields_left_out, loss);
	return row.rc;
}

/* Devices that lose, or are slow, by themselves. */
static int print_alone(FILE *out, const struct sb_result *result)
{
	const struct sb_verdict *v = &result->verdict;
	struct row row = {.out = out, .record = "local"};

	for (size_t i = 0; i < v->n_local; i++) {
		row.subject = result->devices[v->local[i]].target;
		print_nodes(&row, "node", result, &result->devices[v->local[i]].node, 1);
	}
	row.record = "slow";
	for (size_t i = 0; i < v->n_slow; i++) {
		row.subject = result->devices[v->slow[i].device].target;
		print_nodes(&row, "node", result, &result->devices[v->slow[i].device].node, 1);
		print_row(&row, "p", report_double_text(v->slow[i].p), "");
	}
	return row.rc;
}

/* Runs that are left out of all means. */
static int print_odd_run(FILE *out, const struct sb_result *result, const struct sb_odd_run *run)
{
	struct row row = {.out = out, .record = "odd_run"};

	row.subject =
		run->device >= 0 ? result->devices[run->device].target : node_id(result, run->node);
	print_fields(&row, &sb_fields_odd_run, run);
	return row.rc;
}

static int print_verdict(FILE *out, const struct sb_result *result)
{
	const struct sb_verdict *v = &result->verdict;
	struct row row = {.out = out, .record = "verdict", .subject = node_id(result, v->node)};
	int rc;

	if (!v->sentence)
		return 0;
	print_fields(&row, &sb_fields_verdict, v);
	print_nodes(&row, "candidate", result, v->candidates, v->n_candidates);
	print_nodes(&row, "runner_up", result, &v->runner_up, 1);
	print_nodes(&row, "above_ceiling", result, v->above_ceiling, v->n_above_ceiling);
	for (size_t i = 0; i < v->n_evidence; i++)
		print_row(&row, "evidence", strdup(v->evidence[i]), "");
	rc = row.rc;
	for (size_t i = 0; rc == 0 && i < v->n_limits; i++)
		rc = print_limit(out, result, &v->limits[i]);
	for (size_t i = 0; rc == 0 && i < v->n_losses; i++)
		rc = print_loss(out, result, &v->losses[i]);
	for (size_t i = 0; rc == 0 && i < v->n_odd_runs; i++)
		rc = print_odd_run(out, result, &v->odd_runs[i]);
	return rc ? rc : print_alone(out, result);
}

static int print_device(FILE *out, const struct sb_result *result, const struct sb_device *device)
{
	struct row row = {.out = out, .record = "device", .subject = device->target};

	print_fields(&row, &sb_fields_device, device);
	if (device->added || device->streams)
		print_fields(&row, &sb_fields_device_md, device);
	if (device->kind == SB_DEVICE_DIRECTORY)
		print_fields(&row, &sb_fields_directory, device);
	print_interval_ends(&row, "loss_percent", device->loss_low_percent,
			    device->loss_high_percent, "%");
	print_nodes(&row, "node", result, &device->node, 1);
	return row.rc;
}

static int print_member(FILE *out, const struct sb_result *result, const struct sb_md_array *array,
			const struct sb_md_member *member)
{
	SB_AUTO_FREE char *subject = sb_format("%s/%s", array->name, member->name);
	struct row row = {.out = out, .record = "md_member", .subject = subject};

	print_fields(&row, &sb_fields_md_member, member);
	print_nodes(&row, "node", result, &member->node, 1);
	return subject ? row.rc : -ENOMEM;
}

static int print_array(FILE *out, const struct sb_result *result, const struct sb_md_array *array)
{
	SB_AUTO_FREE char *layout = sb_md_layout_text(array->kind, array->layout);
	struct row row = {.out = out, .record = "md", .subject = array->name};

	print_fields(&row, &sb_fields_md, array);
	print_row(&row, "layout", layout ? strdup(layout) : NULL, "");
	print_nodes(&row, "node", result, &array->node, 1);
	for (size_t i = 0; row.rc == 0 && i < array->n_members; i++)
		row.rc = print_member(out, result, array, &array->members[i]);
	return row.rc;
}

static int print_job(struct row row, const struct sb_job *job)
{
	row.record = "job";
	row.subject = job->target;
	print_fields(&row, &sb_fields_job, job);
	if (job->stream)
		print_fields(&row, &sb_fields_job_stream, job);
	if (job->test)
		print_fields(&row, &sb_fields_suite_job, job);
	row.prefix = "latency_ns.";
	print_fields(&row, &sb_fields_latency, &job->latency_ns);
	row.prefix = NULL;
	row.record = "error";
	for (size_t i = 0; i < job->n_errors_kept; i++) {
		SB_AUTO_FREE char *at = report_double_text(job->errors[i].at_seconds);

		row.at_seconds = at;
		print_fields(&row, &sb_fields_error, &job->errors[i]);
	}
	return row.rc;
}

/* The command, its copies, and the disks that moved meanwhile. */
static int print_exec(struct row row, const struct sb_result *result, const struct sb_exec *exec)
{
	char number[24];

	for (size_t i = 0; i < exec->n_argv; i++)
		print_row(&row, "command", strdup(exec->argv[i]), "");
	row.record = "copy";
	for (size_t i = 0; i < exec->n_copies; i++) {
		snprintf(number, sizeof(number), "%d", exec->copies[i].number);
		row.subject = number;
		print_fields(&row, &sb_fields_copy, &exec->copies[i]);
	}
	row.record = "disk";
	for (size_t i = 0; i < exec->n_disks; i++) {
		row.subject = exec->disks[i].name;
		print_fields(&row, &sb_fields_disk_use, &exec->disks[i]);
		print_nodes(&row, "node", result, &exec->disks[i].node, 1);
	}
	return row.rc;
}

static int print_interval(struct row row, const struct sb_interval *interval)
{
	SB_AUTO_FREE char *at = report_double_text(interval->seconds);

	row.record = "interval";
	row.at_seconds = at;
	for (size_t i = 0; i < row.phase->n_jobs; i++) {
		row.subject = row.phase->jobs[i].target;
		print_row(&row, "bytes_per_second", report_double_text(interval->bytes_s[i]),
			  "B/s");
	}
	row.subject = NULL;
	row.prefix = "cpu.";
	print_fields(&row, &sb_fields_cpu, &interval->cpu);
	return row.rc;
}

static int print_phase(FILE *out, const struct sb_result *result, size_t index)
{
	const struct sb_phase *phase = &result->phases[index];
	struct row row = {.out = out, .record = "phase", .phase_number = index + 1, .phase = phase};
	int rc;

	print_fields(&row, &sb_fields_phase, phase);
	print_nodes(&row, "node", result, &phase->node, 1);
	if (phase->kind == SB_PHASE_LEAVE_ONE_OUT)
		print_nodes(&row, "left_out", result, &phase->left_out, 1);
	if (phase->exec)
		row.rc = print_exec(row, result, phase->exec);
	row.record = "cpu";
	print_fields(&row, &sb_fields_cpu, &phase->cpu);
	rc = row.rc;
	for (size_t i = 0; rc == 0 && i < phase->n_jobs; i++)
		rc = print_job(row, &phase->jobs[i]);
	for (size_t i = 0; rc == 0 && i < phase->n_intervals; i++)
		rc = print_interval(row, &phase->intervals[i]);
	return rc;
}

static void print_numbered(struct row *row, const char *record, const struct sb_fields *fields,
			   const void *base, size_t index)
{
	SB_AUTO_FREE char *prefix = sb_format("%zu.", index);

	if (!prefix)
		row->rc = -ENOMEM;
	row->record = record;
	row->prefix = prefix;
	print_fields(row, fields, base);
	row->prefix = NULL;
}

static int print_surface(FILE *out, const struct sb_result *result, const struct sb_surface *s)
{
	struct row row = {
		.out = out, .record = "surface", .subject = result->devices[s->device].target};

	print_fields(&row, &sb_fields_surface, s);
	for (size_t i = 0; i < s->n_buckets; i++)
		print_numbered(&row, "surface_bucket", &sb_fields_surface_bucket, &s->buckets[i],
			       i);
	for (size_t i = 0; i < s->n_kept; i++)
		print_numbered(&row, "surface_range", &sb_fields_surface_range, &s->ranges[i], i);
	for (size_t i = 0; i < s->n_slowest; i++)
		print_numbered(&row, "surface_slow", &sb_fields_surface_slow, &s->slowest[i], i);
	return row.rc;
}

static int print_check(FILE *out, const struct sb_mdcheck *check)
{
	struct row row = {.out = out, .record = "md_check", .subject = check->name};

	print_fields(&row, &sb_fields_mdcheck, check);
	for (size_t i = 0; i < check->n_members; i++)
		print_numbered(&row, "md_check_member", &sb_fields_mdcheck_member,
			       &check->members[i], i);
	return row.rc;
}

static int print_mark(FILE *out, const struct sb_mark *mark)
{
	SB_AUTO_FREE char *prefix = sb_format("%s.", mark->id);
	struct row row = {.out = out, .record = "mark", .subject = mark->subject, .prefix = prefix};

	for (size_t i = 0; i < sb_fields_mark.n; i++) {
		const struct sb_field *field = &sb_fields_mark.field[i];

		if (strcmp(field->key, "id") != 0 && strcmp(field->key, "subject") != 0)
			print_row(&row, field->key, report_field_text(field, mark), field->unit);
	}
	return prefix ? row.rc : -ENOMEM;
}

int report_csv_write(FILE *out, const struct sb_result *result)
{
	int rc;

	fputs("record,phase,kind,round,subject,at_seconds,metric,value,unit\r\n", out);
	rc = print_run(out, result);
	if (rc == 0)
		rc = print_verdict(out, result);
	for (size_t i = 0; rc == 0 && i < result->n_devices; i++)
		rc = print_device(out, result, &result->devices[i]);
	for (size_t i = 0; rc == 0 && i < result->n_md; i++)
		rc = print_array(out, result, &result->md[i]);
	for (size_t i = 0; rc == 0 && i < result->n_phases; i++)
		rc = print_phase(out, result, i);
	for (size_t i = 0; rc == 0 && i < result->n_surfaces; i++)
		rc = print_surface(out, result, &result->surfaces[i]);
	for (size_t i = 0; rc == 0 && i < result->n_checks; i++)
		rc = print_check(out, &result->checks[i]);
	for (size_t i = 0; rc == 0 && i < result->n_marks; i++)
		rc = print_mark(out, &result->marks[i]);
	return rc ? rc : report_stream_status(out);
}
