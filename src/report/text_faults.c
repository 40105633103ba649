/* What is doubtful or went wrong, in the text report. */
#include "report_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"

#define ERRORS_SHOWN 3	 /* of a job; the JSON result has more */
#define SUBJECTS_SHOWN 3 /* of one mark */

static void print_devices(FILE *out, const struct sb_result *result, char *const *labels)
{
	bool any = false;

	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];
		SB_AUTO_FREE char *message = sb_escape(d->message ? d->message : "");
		SB_AUTO_FREE char *first = NULL;

		if (d->state != SB_DEVICE_FAILED && d->state != SB_DEVICE_HUNG &&
		    d->state != SB_DEVICE_VANISHED)
			continue;
		if (!any)
			fputs("\nFailed, hung or vanished\n", out);
		any = true;
		/* the message often begins with the state's name itself */
		if (message && strstr(message, sb_device_state_name(d->state)))
			first = sb_format("  ! %s: ", labels[i]);
		else
			first = sb_format("  ! %s: %s: ", labels[i],
					  sb_device_state_name(d->state));
		if (first && message)
			report_paragraph(out, first, message);
	}
}

const char *report_error_text(const struct sb_io_error *error)
{
	const char *text = error->message;

	if (!text && error->error != 0)
		text = strerrordesc_np(error->error);
	return text ? text : error->error ? "unknown error" : "ended too early";
}

static void print_job_errors(FILE *out, const struct sb_phase *phase, const struct sb_job *job,
			     const char *label)
{
	const char *kind = report_kind_text(phase->kind);
	const struct sb_suite_test *test = sb_suite_test(job->test);
	SB_AUTO_FREE char *when = test		     ? strdup(test->label)
				  : phase->round > 0 ? sb_format("%s, round %u", kind, phase->round)
						     : strdup(kind);

	size_t shown = job->n_errors_kept < ERRORS_SHOWN ? job->n_errors_kept : ERRORS_SHOWN;

	for (size_t i = 0; i < shown; i++) {
		const struct sb_io_error *error = &job->errors[i];
		SB_AUTO_FREE char *text = sb_escape(report_error_text(error));
		SB_AUTO_FREE char *at = isnan(error->at_seconds)
						? strdup("")
						: sb_format(" at %.1f s", error->at_seconds);

		fprintf(out, "  ! %s: %s%s, byte %llu: %s\n", label, when ? when : "", at ? at : "",
			(unsigned long long)error->offset_bytes, text ? text : "");
	}
	if (job->n_errors > shown)
		fprintf(out, "  ! %s: %s, and %llu more\n", label, when ? when : "",
			(unsigned long long)(job->n_errors - shown));
}

static void print_errors(FILE *out, const struct sb_result *result, char *const *labels)
{
	bool any = false;

	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		if (phase->kind == SB_PHASE_SURFACE)
			continue; /* its ranges say more */
		for (size_t j = 0; j < phase->n_jobs; j++) {
			const struct sb_job *job = &phase->jobs[j];

			if (job->n_errors == 0 && job->n_errors_kept == 0)
				continue;
			if (!any)
				fputs(job->test ? "\nErrors\n" : "\nRead errors\n", out);
			any = true;
			print_job_errors(out, phase, job, labels[job->device]);
		}
	}
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_mark(const struct sb_mark *a, const struct sb_mark *b)
{
	return a->level == b->level && same_text(a->id, b->id) && same_text(a->message, b->message);
}

/* A device under the name that the tables have for it. */
static char *name_of(const struct sb_result *result, char *const *labels, const char *subject)
{
	for (size_t i = 0; subject && i < result->n_devices; i++)
		if (strcmp(result->devices[i].target, subject) == 0)
			return strdup(labels[i]);
	return subject ? sb_escape(subject) : NULL;
}

/* "a, b, c and 5 more: ", all that have the mark at `index`; NULL when an earlier line named them.
 */
static char *subjects_of(const struct sb_result *result, char *const *labels, size_t index)
{
	char *text = NULL;
	size_t size = 0, n = 0;
	FILE *names;

	for (size_t i = 0; i < index; i++)
		if (same_mark(&result->marks[i], &result->marks[index]))
			return NULL;
	names = open_memstream(&text, &size);
	if (!names)
		return NULL;
	for (size_t i = index; i < result->n_marks; i++) {
		const char *subject = result->marks[i].subject;
		SB_AUTO_FREE char *name = name_of(result, labels, subject);

		if (!name || !same_mark(&result->marks[i], &result->marks[index]))
			continue;
		if (n++ < SUBJECTS_SHOWN)
			fprintf(names, "%s%s", n > 1 ? ", " : "", name);
	}
	if (n > SUBJECTS_SHOWN)
		fprintf(names, " and %zu more", n - SUBJECTS_SHOWN);
	fputs(n ? ": " : "", names);
	fclose(names);
	return text;
}

static void print_marks(FILE *out, const struct sb_result *result, char *const *labels, int level,
			bool *any)
{
	for (size_t i = 0; i < result->n_marks; i++) {
		const struct sb_mark *mark = &result->marks[i];
		SB_AUTO_FREE char *subjects =
			mark->level == level ? subjects_of(result, labels, i) : NULL;
		SB_AUTO_FREE char *message = sb_escape(mark->message ? mark->message : "");
		SB_AUTO_FREE char *whole =
			subjects ? sb_format("%s%s", subjects, message ? message : "") : NULL;

		if (!whole)
			continue;
		if (!*any)
			fputs("\nTo be known about these figures\n", out);
		*any = true;
		report_paragraph(out, level == SB_MARK_TAINT ? "  ! taint  " : "    note   ",
				 whole);
	}
}

void report_text_faults(FILE *out, const struct sb_result *result, char *const *labels)
{
	bool any = false;

	print_devices(out, result, labels);
	print_errors(out, result, labels);
	print_marks(out, result, labels, SB_MARK_TAINT, &any);
	print_marks(out, result, labels, SB_MARK_NOTE, &any);
}
