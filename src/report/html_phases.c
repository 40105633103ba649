/* The phases of a run along its time: where each begins, what it gave from interval to interval. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_phases_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

static const struct {
	const char *class, *letter;
} kinds[SB_PHASE_KINDS] = {
	[SB_PHASE_CALIBRATE] = {"k-other", "C"},
	[SB_PHASE_ALONE] = {"k-alone", "A"},
	[SB_PHASE_ALL] = {"k-all", "T"},
	[SB_PHASE_GROUP] = {"k-group", "G"},
	[SB_PHASE_LEAVE_ONE_OUT] = {"k-rest", "L"},
	[SB_PHASE_RAMP] = {"k-ramp", "R"},
	[SB_PHASE_ARRAY] = {"k-group", "M"},
	[SB_PHASE_SUITE] = {"k-all", "S"},
	[SB_PHASE_SURFACE] = {"k-all", "P"},
	[SB_PHASE_EXEC] = {"k-all", "E"},
};

const char *phases_class(int kind)
{
	return kinds[kind].class ? kinds[kind].class : "k-other";
}

const char *phases_letter(int kind)
{
	return kinds[kind].letter ? kinds[kind].letter : "";
}

double phases_start(const struct sb_phase *phase)
{
	if (phase->window_start_ns == SB_NONE_U64)
		return phase->started_s;
	return phase->started_s + (double)phase->window_start_ns / 1e9;
}

double phases_end(const struct sb_result *result)
{
	double end = 0;

	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		if (phase->done && phase->n_intervals > 0)
			end = fmax(end, phases_start(phase) +
						phase->intervals[phase->n_intervals - 1].seconds);
	}
	return end;
}

bool phases_any(const struct sb_result *result)
{
	for (size_t p = 0; p < result->n_phases; p++)
		if (result->phases[p].done && result->phases[p].n_intervals > 0 &&
		    !isnan(phases_start(&result->phases[p])))
			return true;
	return false;
}

static double rate_of(const struct sb_phase *phase, const struct sb_interval *interval, int device)
{
	double sum = NAN;

	for (size_t j = 0; j < phase->n_jobs; j++)
		if ((device < 0 || phase->jobs[j].device == device) && !isnan(interval->bytes_s[j]))
			sum = (isnan(sum) ? 0 : sum) + interval->bytes_s[j];
	return sum / 1e6;
}

/* Its rows as spans; `start` is where the common window lies. */
static size_t add_spans(struct chart_span *spans, const struct sb_phase *phase, int device,
			double start)
{
	double from = start;

	for (size_t i = 0; i < phase->n_intervals; i++) {
		double to = start + phase->intervals[i].seconds;

		spans[i] =
			(struct chart_span){from, to, rate_of(phase, &phase->intervals[i], device)};
		from = to;
	}
	return phase->n_intervals;
}

struct chart_span *phases_spans(const struct sb_result *result, int kind, int device, size_t *n)
{
	struct chart_span *spans;
	size_t most = 1;

	for (size_t p = 0; p < result->n_phases; p++)
		most += result->phases[p].n_intervals + 1;
	spans = calloc(most, sizeof(*spans));
	*n = 0;
	for (size_t p = 0; spans && p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];
		double start = phases_start(phase);

		if (!phase->done || isnan(start) || (kind >= 0 && phase->kind != kind))
			continue;
		*n += add_spans(spans + *n, phase, device, start);
		/* each is a piece by itself */
		spans[(*n)++] = (struct chart_span){start, start, NAN};
	}
	return spans;
}

double phases_most(const struct chart_span *spans, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (spans[i].value > most)
			most = spans[i].value;
	return most;
}

char *phases_name(const struct page *page, const struct sb_phase *phase)
{
	const struct sb_suite_test *test = sb_suite_phase_test(phase);
	SB_AUTO_FREE char *place = NULL;

	if (test)
		return sb_format("%s", test->label);
	if (phase->kind == SB_PHASE_ALONE && phase->n_jobs == 1)
		return sb_format("alone %s", page->labels[phase->jobs[0].device]);
	place = report_place_text(page->result, page->labels, phase);
	return place ? sb_format("%s%s%s", report_kind_text(phase->kind), place,
				 sb_phase_confirms(phase) ? ", larger blocks" : "")
		     : NULL;
}

static const struct html_head heads[] = {
	{"phase", "", ""},
	{"rate over its time", "p", ""},
	{"round", "n", "round"},
	{"at", "n", "at"},
	{"seconds", "n", "s"},
	{"MB/s", "n", "MB/s"},
	{"CPU busy %", "n", "CPU %"},
	{"", "", ""},
};
enum { HEAD_NAME, HEAD_STRIP, HEAD_ROUND, HEAD_AT, HEAD_SECONDS, HEAD_RATE, HEAD_BUSY, HEAD_NOTE };

#define STRIP 22	  /* pixels */
#define STRIP_COLUMNS 150 /* of a picture that small */

static char *round_text(const struct sb_phase *phase)
{
	return phase->round == 0 ? strdup("")
	       : phase->round >= SB_ROUND_PAIRS
		       ? sb_format("pair %u", phase->round % SB_ROUND_PAIRS)
		       : sb_format("%u", phase->round);
}

static int write_phase(const struct page *page, const struct sb_phase *phase, double most)
{
	struct chart strip = {.out = page->out, .height = STRIP};
	SB_AUTO_FREE struct chart_span *spans = calloc(phase->n_intervals + 1, sizeof(*spans));
	char buf[CHART_TEXT];
	size_t n;

	if (!spans)
		return -ENOMEM;
	n = add_spans(spans, phase, -1, 0);
	strip.x = chart_scale_time(n > 0 ? spans[n - 1].to : 1, 1);
	strip.y = chart_scale_linear(0, most, 1);
	strip.y.high = most > 0 ? most : 1;
	html_row_begin(page, "", 0);
	html_take(page, phases_name(page, phase));
	html_row_next(page);
	html_cell_begin(page, &heads[HEAD_STRIP]);
	chart_strip(&strip, spans, n, STRIP_COLUMNS, phases_class(phase->kind));
	html_cell_end(page);
	html_cell(page, &heads[HEAD_ROUND], round_text(phase));
	html_cell(page, &heads[HEAD_AT],
		  isnan(phase->started_s)
			  ? strdup("")
			  : strdup(chart_time_text(buf, round(10 * phase->started_s) / 10)));
	html_cell(page, &heads[HEAD_SECONDS], report_number_text(phase->seconds, 2));
	html_cell(page, &heads[HEAD_RATE], html_rate(page, phase->bytes_s));
	html_cell(page, &heads[HEAD_BUSY], report_number_text(phase->cpu.busy_exact, 1));
	html_cell(page, &heads[HEAD_NOTE],
		  strdup(phase->dropped	   ? "left out of means"
			 : phase->complete ? ""
					   : "not complete"));
	html_row_end(page);
	return 0;
}

int phases_table(const struct page *page, double most)
{
	const struct sb_result *r = page->result;
	int rc = 0;

	fputs("<details><summary>Each phase</summary>\n", page->out);
	html_rows_begin(page, "The phases in their order; all pictures have the same height.",
			heads, SB_COUNT(heads), NULL);
	for (size_t p = 0; rc == 0 && p < r->n_phases; p++)
		if (r->phases[p].done)
			rc = write_phase(page, &r->phases[p], most);
	html_rows_end(page);
	fputs("</details>\n", page->out);
	return rc;
}
