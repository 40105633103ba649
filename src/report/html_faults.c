/* What is doubtful or went wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_phases_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define ERRORS_SHOWN 3 /* of a job; the JSON result has more */

static bool is_lost(const struct sb_device *device)
{
	return device->state == SB_DEVICE_FAILED || device->state == SB_DEVICE_HUNG ||
	       device->state == SB_DEVICE_VANISHED;
}

static bool has_errors(const struct sb_result *r)
{
	for (size_t p = 0; p < r->n_phases; p++)
		for (size_t j = 0; j < r->phases[p].n_jobs; j++)
			if (r->phases[p].jobs[j].n_errors > 0)
				return true;
	return false;
}

static bool has_lost(const struct sb_result *r)
{
	for (size_t i = 0; i < r->n_devices; i++)
		if (is_lost(&r->devices[i]))
			return true;
	return false;
}

bool html_has_faults(const struct page *page)
{
	return page->result->n_marks > 0 || has_lost(page->result) || has_errors(page->result);
}

static void write_lost(const struct page *page)
{
	const struct sb_result *r = page->result;
	struct report_table t = {.align = "lll"};

	if (!has_lost(r))
		return;
	report_cell(&t, "device");
	report_cell(&t, "state");
	report_cell(&t, "why");
	for (size_t i = 0; i < r->n_devices; i++) {
		const struct sb_device *d = &r->devices[i];

		if (!is_lost(d))
			continue;
		report_cell(&t, page->labels[i]);
		report_cell(&t, sb_device_state_name(d->state));
		report_cell_take(&t, sb_escape(d->message ? d->message : ""));
	}
	html_table(page, &t, "Devices that failed, hung or vanished");
}

static void add_errors(const struct page *page, struct report_table *t,
		       const struct sb_phase *phase, const struct sb_job *job)
{
	size_t shown = job->n_errors_kept < ERRORS_SHOWN ? job->n_errors_kept : ERRORS_SHOWN;

	for (size_t i = 0; i < shown; i++) {
		const struct sb_io_error *error = &job->errors[i];

		report_cell(t, page->labels[job->device]);
		report_cell_take(t, phases_name(page, phase));
		report_cell_number(t, error->at_seconds, 1);
		report_cell_take(t, sb_format("%llu", (unsigned long long)error->offset_bytes));
		report_cell_take(t, sb_escape(report_error_text(error)));
	}
	if (job->n_errors <= shown)
		return;
	report_cell(t, page->labels[job->device]);
	report_cell_take(t, phases_name(page, phase));
	report_cell(t, "");
	report_cell(t, "");
	report_cell_take(t, sb_format("%llu more", (unsigned long long)(job->n_errors - shown)));
}

static void write_errors(const struct page *page)
{
	static const char *const names[] = {"device", "phase", "at s", "byte", "error"};
	const struct sb_result *r = page->result;
	struct report_table t = {.align = "llrrl"};

	if (!has_errors(r))
		return;
	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t p = 0; p < r->n_phases; p++)
		for (size_t j = 0; j < r->phases[p].n_jobs; j++)
			if (r->phases[p].jobs[j].n_errors > 0)
				add_errors(page, &t, &r->phases[p], &r->phases[p].jobs[j]);
	html_table(page, &t, "Read errors");
}

/* Whom it is about: a device by its label, a part by its name. */
static void write_subject(const struct page *page, const char *subject)
{
	const struct sb_result *r = page->result;
	int node = sb_topo_find(&r->topo, subject);

	for (size_t i = 0; i < r->n_devices; i++)
		if (strcmp(r->devices[i].target, subject) == 0) {
			html_say(page, "%s", page->labels[i]);
			return;
		}
	if (node >= 0)
		html_take(page, report_node_text(r, page->labels, node));
	else
		html_raw(page, subject);
}

static void write_subjects(const struct page *page, size_t number)
{
	const struct sb_result *r = page->result;
	const char *before = "<strong>";

	for (size_t i = 0; i < r->n_marks; i++) {
		if (page->mark[i] != number || !r->marks[i].subject)
			continue;
		fputs(before, page->out);
		before = ", ";
		write_subject(page, r->marks[i].subject);
	}
	if (before[0] == ',')
		fputs("</strong>: ", page->out);
}

static void write_marks(const struct page *page)
{
	const struct sb_result *r = page->result;

	if (r->n_marks > 0)
		fputs("<ol class=\"marks\">\n", page->out);
	for (size_t number = 1; number <= r->n_marks; number++)
		for (size_t i = 0; i < r->n_marks; i++) {
			if (page->mark[i] != number)
				continue;
			fprintf(page->out, "<li id=\"mark-%zu\"><span class=\"%s\">%s</span> ",
				number, r->marks[i].level == SB_MARK_TAINT ? "taint" : "note",
				r->marks[i].level == SB_MARK_TAINT ? "taint" : "note");
			write_subjects(page, number);
			html_raw(page, r->marks[i].message);
			fputs(" <small>", page->out);
			html_raw(page, r->marks[i].id);
			fputs("</small></li>\n", page->out);
			break;
		}
	if (r->n_marks > 0)
		fputs("</ol>\n", page->out);
}

int html_faults(const struct page *page)
{
	write_lost(page);
	write_errors(page);
	write_marks(page);
	return 0;
}
