/* The tests of directories: a block a test, a row a directory, as long as its rate beside those of
 * the other directories. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

#define BAR 16 /* pixels */

static const struct html_head heads[] = {
	{"directory", "", ""},
	{"rate, the fastest of its test full", "p", ""},
	{"rate", "n", ""},
	{"95 %", "n", ""},
	{"CPU %", "n", "CPU %"},
	{"p50", "n", "p50"},
	{"p99", "n", "p99"},
	{"max", "n", "max"},
	{"seconds", "n", "s"},
	{"to disk", "n", "to disk s"},
	{"", "", ""},
};
enum {
	HEAD_NAME,
	HEAD_BAR,
	HEAD_RATE,
	HEAD_INTERVAL,
	HEAD_CPU,
	HEAD_P50,
	HEAD_P99,
	HEAD_MAX,
	HEAD_SECONDS,
	HEAD_SYNC,
	HEAD_REMARK
};

bool html_has_suite(const struct page *page)
{
	return report_has_phases(page->result, SB_PHASE_SUITE);
}

static char *rate_text(double rate, const struct sb_suite_test *test)
{
	char text[SB_UNIT_TEXT];

	if (isnan(rate))
		return strdup("-");
	if (!report_suite_counts(test->name))
		return strdup(sb_format_rate(text, rate));
	return sb_format("%.*f %s/s", rate < 100 ? 1 : 0, rate,
			 test->group == SB_TEST_FILES ? "files" : "seeks");
}

static char *interval_text(const struct report_suite_sum *sum)
{
	double half = report_suite_half_width(&sum->rate);

	return isnan(half) || !(sum->rate.mean > 0)
		       ? strdup("")
		       : sb_format("±%.1f %%", 100 * half / sum->rate.mean);
}

static char *remark(const struct report_suite_sum *sum)
{
	if (sum->state != SB_JOB_DONE)
		return strdup(sb_job_state_name(sum->state));
	if (sum->cached_percent > 2)
		return sb_format("%.0f %% cached", sum->cached_percent);
	return strdup(sum->is_short ? "short" : "");
}

static void write_figures(const struct page *page, const struct report_suite_sum *sum)
{
	char text[SB_UNIT_TEXT];

	html_cell(page, &heads[HEAD_CPU], report_number_text(report_suite_mean(&sum->cpu), 1));
	html_cell(page, &heads[HEAD_P50],
		  strdup(sb_format_latency(text, report_suite_mean(&sum->p50))));
	html_cell(page, &heads[HEAD_P99], strdup(sb_format_latency(text, sum->p99)));
	html_cell(page, &heads[HEAD_MAX], strdup(sb_format_latency(text, sum->max)));
	html_cell(page, &heads[HEAD_SECONDS],
		  report_number_text(report_suite_mean(&sum->seconds), 2));
	html_cell(page, &heads[HEAD_SYNC], report_number_text(report_suite_mean(&sum->sync), 2));
	html_cell(page, &heads[HEAD_REMARK], remark(sum));
}

static void write_directory(const struct page *page, size_t device,
			    const struct sb_suite_test *test, double most)
{
	struct report_suite_sum sum = report_suite_sum(page->result, device, test->name);
	struct chart bar = {.out = page->out, .height = BAR};
	double rate = report_suite_mean(&sum.rate);

	if (sum.n_jobs == 0)
		return;
	bar.x = chart_scale_linear(0, 100, 4);
	bar.x.n_ticks = 0;
	html_row_begin(page, "", 1);
	html_say(page, "%s", page->labels[device]);
	html_mark_links(page, page->result->devices[device].target);
	html_row_next(page);
	html_cell_begin(page, &heads[HEAD_BAR]);
	chart_row_begin(&bar);
	chart_row_bar(&bar, 0, most > 0 ? 100 * rate / most : NAN, 2, BAR - 4, "together");
	chart_row_end(&bar);
	html_cell_end(page);
	html_cell(page, &heads[HEAD_RATE], rate_text(rate, test));
	html_cell(page, &heads[HEAD_INTERVAL], interval_text(&sum));
	write_figures(page, &sum);
	html_row_end(page);
}

static void write_total(const struct page *page, const struct sb_suite_test *test, double total)
{
	html_row_begin(page, "sum", 1);
	fputs("total", page->out);
	html_row_next(page);
	html_cell(page, &heads[HEAD_BAR], strdup(""));
	html_cell(page, &heads[HEAD_RATE], rate_text(total, test));
	for (size_t i = HEAD_INTERVAL; i < SB_COUNT(heads); i++)
		html_cell(page, &heads[i], strdup(""));
	html_row_end(page);
}

static void write_test(const struct page *page, const struct sb_suite_test *test)
{
	const struct sb_result *r = page->result;
	double most = 0, total = 0;
	size_t n = 0, shown = 0;

	for (size_t i = 0; i < r->n_devices; i++) {
		struct report_suite_sum sum = report_suite_sum(r, i, test->name);

		shown += sum.n_jobs > 0;
		if (sum.rate.n == 0)
			continue;
		most = fmax(most, sum.rate.mean);
		total += sum.rate.mean;
		n++;
	}
	if (shown == 0)
		return;
	fprintf(page->out,
		"<tr role=\"row\" class=\"group\"><th role=\"rowheader\" scope=\"rowgroup\" "
		"colspan=\"%zu\">",
		SB_COUNT(heads));
	html_say(page, "%s", test->label);
	fputs("</th></tr>\n", page->out);
	for (size_t i = 0; i < r->n_devices; i++)
		write_directory(page, i, test, most);
	if (n > 1)
		write_total(page, test, total);
}

int html_suite(const struct page *page)
{
	const struct sb_suite *suite = sb_suite_of(&page->result->options);

	html_rows_begin(page,
			"Each directory in each test; CPU of its own threads, latency of one "
			"operation, seconds of the test and of these until all was on the disk.",
			heads, SB_COUNT(heads), NULL);
	for (const char *const *test = suite->tests; *test; test++)
		write_test(page, sb_suite_test(*test));
	html_rows_end(page);
	return 0;
}
