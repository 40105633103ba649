/* What a run would do: its first phases, the rule for the rest, the longest time. */
#include "satabench/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define NAMED_COLUMNS 30

/* How many jobs from `first` on read the same device. */
static size_t readers(const struct sb_phase *phase, size_t first)
{
	size_t n = 1;

	while (first + n < phase->n_jobs &&
	       phase->jobs[first + n].device == phase->jobs[first].device)
		n++;
	return n;
}

/* "sdb, sdc", "md0 (4 readers)", or how many they are where that is shorter */
static char *devices_text(const struct sb_result *result, const struct sb_phase *phase,
			  char *const *labels)
{
	char *text = NULL;

	for (size_t i = 0, n; i < phase->n_jobs; i += n) {
		SB_AUTO_FREE char *several = NULL;
		char *longer;

		n = readers(phase, i);
		several = n > 1 ? sb_format(" (%zu readers)", n) : strdup("");
		longer = sb_format("%s%s%s%s", text ? text : "", text ? ", " : "",
				   labels[phase->jobs[i].device], several ? several : "");
		free(text);
		text = longer;
		if (i > 0 && phase->kind != SB_PHASE_ARRAY && text &&
		    report_columns(text) > NAMED_COLUMNS) {
			free(text);
			return sb_format("%s%zu devices",
					 phase->n_jobs == result->n_devices ? "all " : "",
					 phase->n_jobs);
		}
	}
	return text ? text : strdup("-");
}

static void add_phase(struct report_table *t, const struct sb_result *result, size_t index,
		      char *const *labels)
{
	const struct sb_phase *phase = &result->phases[index];
	SB_AUTO_FREE char *place = report_place_text(result, labels, phase);
	bool by_amount = phase->n_jobs > 0 && phase->jobs[0].limit_bytes > 0;
	char buf[SB_UNIT_TEXT];

	report_cell_take(t, sb_format("%zu", index + 1));
	report_cell_take(t, place ? sb_format("%s%s", report_kind_text(phase->kind), place) : NULL);
	report_cell_take(t, phase->round ? sb_format("%u", phase->round) : strdup("-"));
	if (by_amount)
		report_cell(t, sb_format_bytes(buf, phase->jobs[0].limit_bytes));
	else if (phase->n_jobs > 0 && phase->jobs[0].limit_operations > 0)
		report_cell_take(
			t, sb_format("%llu", (unsigned long long)phase->jobs[0].limit_operations));
	else if (phase->runtime_s > 0)
		report_cell_take(t, sb_format("%.1f s", phase->runtime_s));
	else
		report_cell(t, "to the end");
	report_cell_take(t, devices_text(result, phase, labels));
	report_cell_take(t, sb_escape(phase->reason ? phase->reason : ""));
}

static void print_left_out(FILE *out, const struct sb_result *result, char *const *labels)
{
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];
		SB_AUTO_FREE char *message = NULL;
		SB_AUTO_FREE char *first = NULL;

		if (d->state != SB_DEVICE_FAILED)
			continue;
		message = sb_escape(d->message ? d->message : "cannot be used");
		first = sb_format("left out: %s: ", labels[i]);
		if (message && first)
			report_paragraph(out, first, message);
	}
}

void sb_report_dry_run(FILE *out, const struct sb_result *result, const char *rule,
		       double longest_seconds)
{
	static const char *const heads[] = {"phase", "kind", "round", "length", "devices", "why"};
	struct report_table t = {.align = "rlrrll"};
	char **labels = report_labels(result);
	char buf[SB_UNIT_TEXT];

	if (!labels)
		return;
	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < result->n_phases; i++)
		add_phase(&t, result, i, labels);
	report_table_print(&t, out, "");
	fputc('\n', out);
	print_left_out(out, result, labels);
	if (rule && *rule)
		report_paragraph(out, "then:    ", rule);
	if (isnan(longest_seconds))
		fputs("longest: not known, the phases end by amount\n", out);
	else
		fprintf(out, "longest: %s\n", sb_format_duration(buf, longest_seconds));
	fputs("Dry run: nothing was read.\n", out);
	report_labels_free(labels, result->n_devices);
}
