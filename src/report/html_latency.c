/* How long a read takes: percentiles of each device on one scale. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/stats.h"
#include "satabench/units.h"

#define ROW 20.0 /* pixels */

static const struct html_head heads[] = {
	{"device", "", ""},  {"time of a read", "p", ""}, {"p50", "n", "p50"}, {"p90", "n", "p90"},
	{"p99", "n", "p99"}, {"p99.9", "n", "p99.9"},	  {"max", "n", "max"},
};

static char *tick_text(char buf[CHART_TEXT], double ns)
{
	char text[SB_UNIT_TEXT];

	if (ns < 1e3)
		snprintf(buf, CHART_TEXT, "%.4g ns", ns);
	else if (ns < 1e6)
		snprintf(buf, CHART_TEXT, "%.4g us", ns / 1e3);
	else if (ns < 1e9)
		snprintf(buf, CHART_TEXT, "%.4g ms", ns / 1e6);
	else
		snprintf(buf, CHART_TEXT, "%s", sb_format_latency(text, ns));
	return buf;
}

static int kind_of(const struct sb_result *result)
{
	return report_has_phases(result, SB_PHASE_ALL) ? SB_PHASE_ALL : SB_PHASE_ALONE;
}

bool html_has_latency(const struct page *page)
{
	const struct sb_result *r = page->result;

	for (size_t p = 0; p < r->n_phases; p++)
		for (size_t j = 0; r->phases[p].kind == kind_of(r) && j < r->phases[p].n_jobs; j++)
			if (!isnan(r->phases[p].jobs[j].latency_ns.p50))
				return true;
	return false;
}

static void write_key(const struct page *page)
{
	static const char *const names[] = {"p50", "p90", "p99", "p99.9"};

	fputs("<p class=\"key\">", page->out);
	for (size_t i = 0; i < SB_COUNT(names); i++)
		fprintf(page->out,
			"<span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><svg x=\"6\" "
			"y=\"6\" class=\"at\"><use href=\"#m-%zu\"/></svg></svg> %s</span> ",
			i, names[i]);
	fputs("<span><svg width=\"22\" height=\"12\" aria-hidden=\"true\"><rect class=\"span\" "
	      "y=\"5\" width=\"22\" height=\"2\"/></svg> shortest to longest</span></p>\n",
	      page->out);
}

static void write_device(const struct page *page, const struct chart *row, size_t index,
			 struct report_reads *reads)
{
	const double values[] = {sb_median(reads->p50, reads->n_p50), reads->p90, reads->p99,
				 reads->p999, reads->max};
	char buf[SB_UNIT_TEXT];

	html_row_begin(page, "", 0);
	html_say(page, "%s", page->labels[index]);
	html_row_next(page);
	html_cell_begin(page, &heads[1]);
	chart_row_begin(row);
	chart_row_bar(row, reads->min, reads->max, ROW / 2 - 1, 2, "span");
	/* the lower ones are nearer to what is asked first: they lie on top */
	for (unsigned i = SB_COUNT(values) - 1; i-- > 0;)
		chart_row_mark(row, values[i], ROW / 2, i);
	chart_row_end(row);
	html_cell_end(page);
	for (size_t i = 0; i < SB_COUNT(values); i++)
		html_cell(page, &heads[i + 2], strdup(sb_format_latency(buf, values[i])));
	html_row_end(page);
}

int html_latency(const struct page *page)
{
	const struct sb_result *r = page->result;
	struct report_reads *reads = report_reads_make(r, kind_of(r));
	struct chart row = {.out = page->out, .height = (unsigned)ROW};
	double low = INFINITY, high = 0;

	if (!reads)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_devices; i++) {
		low = reads[i].min < low ? reads[i].min : low;
		high = reads[i].max > high ? reads[i].max : high;
	}
	row.x = chart_scale_log(low, high);
	row.x.text = tick_text;
	write_key(page);
	html_rows_begin(page,
			kind_of(r) == SB_PHASE_ALL
				? "One read while all devices are read; of several rounds the "
				  "median of p50, and the worst of the others."
				: "One read while the device is read alone; of several rounds the "
				  "median of p50, and the worst of the others.",
			heads, SB_COUNT(heads), &row);
	for (size_t i = 0; i < r->n_devices; i++)
		if (reads[i].measured)
			write_device(page, &row, i, &reads[i]);
	html_rows_end(page);
	report_reads_free(reads, r->n_devices);
	return 0;
}
