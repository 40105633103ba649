/* A comparison, for programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/report.h"

#define COMPARISON_SCHEMA "satabench.comparison/1"

static json_t *shift_json(const struct sb_shift *shift)
{
	json_t *object = report_json_object(&sb_fields_shift, shift);
	int rc = object ? report_json_put(object, "word",
					  report_json_string(sb_shift_word_name(shift)))
			: -ENOMEM;

	return report_json_finish(object, rc);
}

static json_t *sessions_json(const struct sb_comparison *c, size_t first, size_t end)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = first; i < end; i++)
		rc |= json_array_append_new(
			array, report_json_object(&sb_fields_session, &c->sessions[i]));
	return report_json_finish(array, rc);
}

static int write_json(FILE *out, const struct sb_comparison *c)
{
	json_t *root = json_object(), *changes = json_array(), *shifts = json_array();
	json_t *notes = json_array();
	int rc = 0;

	for (size_t i = 0; i < c->n_changes; i++)
		rc |= json_array_append_new(changes,
					    report_json_object(&sb_fields_change, &c->changes[i]));
	for (size_t i = 0; i < c->n_shifts; i++)
		rc |= json_array_append_new(shifts, shift_json(&c->shifts[i]));
	for (size_t i = 0; i < c->n_notes; i++)
		rc |= json_array_append_new(notes, report_json_string(c->notes[i]));
	rc |= report_json_put(root, "schema", json_string(COMPARISON_SCHEMA));
	rc |= report_json_put(root, "satabench", report_json_string(c->version));
	rc |= report_json_put(root, "threshold_percent",
			      report_json_double(report_percent(c->threshold)));
	rc |= report_json_put(root, "rates", json_string(c->alone ? "alone" : "together"));
	rc |= report_json_put(root, "worse", json_boolean(c->worse));
	rc |= report_json_put(root, "doubtful", json_boolean(c->doubtful));
	rc |= report_json_put(root, "before", sessions_json(c, 0, c->n_before));
	rc |= report_json_put(root, "after", sessions_json(c, c->n_before, c->n_sessions));
	rc |= report_json_put(root, "changes", changes);
	rc |= report_json_put(root, "shifts", shifts);
	rc |= report_json_put(root, "notes", notes);
	rc |= report_json_put(root, "advice", report_json_string(c->advice));
	rc = rc ? -ENOMEM : report_json_print(out, root);
	json_decref(root);
	return rc ? rc : report_stream_status(out);
}

/* Takes the malloc'ed value. 0 or -ENOMEM. */
static int print_row(FILE *out, const char *record, const char *subject, const char *metric,
		     char *value, const char *unit)
{
	if (!value)
		return -ENOMEM;
	report_csv_field(out, record);
	fputc(',', out);
	report_csv_field(out, subject);
	fprintf(out, ",%s,", metric);
	report_csv_field(out, value);
	fprintf(out, ",%s\r\n", unit);
	free(value);
	return 0;
}

static int print_fields(FILE *out, const char *record, const char *subject,
			const struct sb_fields *fields, const void *base, bool cost)
{
	int rc = 0;

	for (size_t i = 0; i < fields->n && rc == 0; i++) {
		const struct sb_field *f = &fields->field[i];

		rc = print_row(out, record, subject, f->key, report_field_text(f, base),
			       cost && strcmp(f->unit, "B/s") == 0 ? "s/GiB" : f->unit);
	}
	return rc;
}

static int write_csv(FILE *out, const struct sb_comparison *c)
{
	int rc = 0;

	fputs("record,subject,metric,value,unit\r\n", out);
	rc = print_row(out, "comparison", "", "threshold_percent",
		       report_double_text(report_percent(c->threshold)), "%");
	for (size_t i = 0; i < c->n_sessions && rc == 0; i++)
		rc = print_fields(out, i < c->n_before ? "before" : "after", c->sessions[i].file,
				  &sb_fields_session, &c->sessions[i], false);
	for (size_t i = 0; i < c->n_changes && rc == 0; i++)
		rc = print_fields(out, "change", c->changes[i].what, &sb_fields_change,
				  &c->changes[i], false);
	for (size_t i = 0; i < c->n_shifts && rc == 0; i++) {
		const struct sb_shift *s = &c->shifts[i];

		rc = print_fields(out, "shift", s->name, &sb_fields_shift, s,
				  s->kind == SB_SHIFT_CPU);
		if (rc == 0)
			rc = print_row(out, "shift", s->name, "word", strdup(sb_shift_word_name(s)),
				       "");
	}
	for (size_t i = 0; i < c->n_notes && rc == 0; i++)
		rc = print_row(out, "note", "", "text", strdup(c->notes[i]), "");
	return rc ? rc : report_stream_status(out);
}

const struct sb_compare_format sb_compare_formats[] = {
	{"text", report_compare_text},
	{"json", write_json},
	{"csv", write_csv},
	{NULL, NULL},
};

const struct sb_compare_format *sb_compare_format_find(const char *name)
{
	for (const struct sb_compare_format *f = sb_compare_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
