/* Rates over the time of the whole run: the sum, and each device. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "html_phases_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define PLOT 190 /* pixels */
#define STRIP 24 /* of a device's row */
#define STRIP_COLUMNS 400

static const struct html_head heads[] = {
	{"device", "", ""},
	{"rate over time", "p", ""},
	{"highest MB/s", "n", "highest"},
};
enum { HEAD_DEVICE, HEAD_STRIP, HEAD_MOST };

bool html_has_time(const struct page *page)
{
	return phases_any(page->result);
}

/* What follows each other in one kind has one band. */
static void write_bands(const struct page *page, const struct chart *chart)
{
	const struct sb_result *r = page->result;
	int kind = -1, number = 0;
	double from = NAN, to = NAN;

	for (size_t p = 0; p <= r->n_phases; p++) {
		const struct sb_phase *phase = p < r->n_phases ? &r->phases[p] : NULL;

		if (phase && (!phase->done || isnan(phases_start(phase))))
			continue;
		if (!phase || phase->kind != kind) {
			if (kind >= 0)
				chart_band(chart, from, to, number++ % 2 ? "band2" : "band1",
					   phases_letter(kind));
			from = phase ? phase->started_s : NAN;
			kind = phase ? phase->kind : -1;
		}
		if (phase)
			to = phases_start(phase) +
			     (phase->n_intervals > 0
				      ? phase->intervals[phase->n_intervals - 1].seconds
				      : 0);
	}
}

static void write_key(const struct page *page)
{
	fputs("<p class=\"key\">", page->out);
	for (int kind = 0; kind < SB_PHASE_KINDS; kind++)
		if (report_has_phases(page->result, kind))
			fprintf(page->out,
				"<span><svg width=\"14\" height=\"10\" aria-hidden=\"true\"><rect "
				"class=\"%s\" width=\"14\" height=\"10\"/></svg> %s = %s</span> ",
				phases_class(kind), phases_letter(kind), report_kind_text(kind));
	fputs("</p>\n", page->out);
}

static int write_kinds(const struct page *page, const struct chart *chart)
{
	for (int kind = 0; kind < SB_PHASE_KINDS; kind++) {
		size_t n;
		SB_AUTO_FREE struct chart_span *spans = phases_spans(page->result, kind, -1, &n);

		if (!spans)
			return -ENOMEM;
		chart_steps(chart, spans, n, PHASES_COLUMNS, true, phases_class(kind));
	}
	return 0;
}

static int write_sum(const struct page *page, double end, double most)
{
	struct chart chart = {.out = page->out,
			      .id = "rate",
			      .title = "Rate of all devices over time",
			      .description =
				      "The sum of the devices that are read, from interval to "
				      "interval, phase by phase. The table of phases below "
				      "has the figures.",
			      .x_name = "time since the start",
			      .y_name = "MB/s",
			      .height = PLOT};
	int rc;

	chart.x = chart_scale_time(end, 8);
	chart.y = chart_scale_linear(0, most, 5);
	write_key(page);
	fputs("<figure class=\"figure\">", page->out);
	chart_begin(&chart);
	write_bands(page, &chart);
	rc = write_kinds(page, &chart);
	chart_end(&chart);
	fputs("</figure>\n", page->out);
	return rc;
}

/* Each as high as its own highest rate: a strip is for what changes over time, and one fast device
 * must not make lines of the others. */
static int write_device(const struct page *page, struct chart *strip, size_t device)
{
	const struct sb_result *r = page->result;
	size_t n;
	SB_AUTO_FREE struct chart_span *spans = phases_spans(r, -1, (int)device, &n);
	double most;

	if (!spans)
		return -ENOMEM;
	most = phases_most(spans, n);
	strip->y = chart_scale_linear(0, most, 1);
	strip->y.high = most > 0 ? most : 1;
	html_row_begin(page, "", 0);
	html_say(page, "%s", page->labels[device]);
	html_mark_links(page, r->devices[device].target);
	html_row_next(page);
	html_cell_begin(page, &heads[HEAD_STRIP]);
	chart_strip(strip, spans, n, STRIP_COLUMNS, "k-all");
	html_cell_end(page);
	html_cell(page, &heads[HEAD_MOST], html_rate(page, most > 0 ? most * 1e6 : NAN));
	html_row_end(page);
	return 0;
}

static int write_devices(const struct page *page, double end)
{
	struct chart strip = {.out = page->out, .height = STRIP};
	int rc = 0;

	strip.x = chart_scale_time(end, 8);
	html_rows_begin(page,
			"Each device over the same time, each as high as its own highest rate.",
			heads, SB_COUNT(heads), &strip);
	for (size_t i = 0; rc == 0 && i < page->result->n_devices; i++)
		rc = write_device(page, &strip, i);
	html_rows_end(page);
	return rc;
}

int html_time(const struct page *page)
{
	double end = phases_end(page->result), most;
	size_t n;
	SB_AUTO_FREE struct chart_span *spans = phases_spans(page->result, -1, -1, &n);
	int rc;

	if (!spans)
		return -ENOMEM;
	most = phases_most(spans, n);
	rc = write_sum(page, end, most);
	if (rc == 0)
		rc = phases_table(page, most);
	if (rc == 0 && page->result->n_devices > 1)
		rc = write_devices(page, end);
	return rc;
}
