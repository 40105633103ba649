/* What each device gives alone and together. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define PAIR 22 /* pixels: two bars */

static const struct html_head heads[] = {
	{"device", "", ""},
	{"MB/s", "p", ""},
	{"alone MB/s", "n", "alone"},
	{"together MB/s", "n", "together"},
	{"loss %", "n", "loss %"},
	{"95 % interval", "n", "95 %:"},
	{"", "", ""},
};
enum { HEAD_DEVICE, HEAD_BARS, HEAD_ALONE, HEAD_ALL, HEAD_LOSS, HEAD_INTERVAL, HEAD_NOTE };

const char *html_device_note(const struct page *page, size_t device)
{
	const struct sb_verdict *v = &page->result->verdict;
	int state = page->result->devices[device].state;

	for (size_t i = 0; page->verdict && i < v->n_local && !v->cannot_tell; i++)
		if (v->local[i] == (int)device)
			return "local loss";
	for (size_t i = 0; page->verdict && i < v->n_slow; i++)
		if (v->slow[i].device == (int)device)
			return "slower than its like";
	return state == SB_DEVICE_FAILED || state == SB_DEVICE_HUNG || state == SB_DEVICE_VANISHED
		       ? sb_device_state_name(state)
		       : "";
}

bool html_has_pairs(const struct page *page)
{
	for (size_t i = 0; i < page->result->n_devices; i++)
		if (!isnan(page->result->devices[i].alone_bytes_s) &&
		    !isnan(page->result->devices[i].all_bytes_s))
			return true;
	return false;
}

static char *interval_text(double low, double high)
{
	SB_AUTO_FREE char *from = report_number_text(low, 1);
	SB_AUTO_FREE char *to = report_number_text(high, 1);

	if (isnan(low) || isnan(high))
		return strdup("");
	return from && to ? sb_format("%s to %s", from, to) : NULL;
}

static void write_rates(const struct page *page, const struct chart *bars,
			const struct report_rates *rates, double low, double high)
{
	html_row_next(page);
	html_cell_begin(page, &heads[HEAD_BARS]);
	if (bars) {
		chart_row_begin(bars);
		chart_row_bar(bars, 0, rates->apart_bytes_s / 1e6, 2, 8, "alone");
		chart_row_bar(bars, 0, rates->once_bytes_s / 1e6, 11, 8, "together");
		chart_row_end(bars);
	}
	html_cell_end(page);
	html_cell(page, &heads[HEAD_ALONE], html_rate(page, rates->apart_bytes_s));
	html_cell(page, &heads[HEAD_ALL], html_rate(page, rates->once_bytes_s));
	html_cell(page, &heads[HEAD_LOSS], report_number_text(rates->loss_percent, 1));
	html_cell(page, &heads[HEAD_INTERVAL], interval_text(low, high));
}

static void write_device(const struct page *page, const struct chart *bars, size_t i)
{
	const struct sb_device *d = &page->result->devices[i];
	const struct report_rates rates = {d->alone_bytes_s, d->all_bytes_s, d->loss_percent};

	html_row_begin(page, "", 1);
	html_say(page, "%s", page->labels[i]);
	html_mark_links(page, d->target);
	write_rates(page, bars, &rates, d->loss_low_percent, d->loss_high_percent);
	html_cell(page, &heads[HEAD_NOTE], strdup(html_device_note(page, i)));
	html_row_end(page);
}

static void write_sum(const struct page *page, const char *name, const struct report_rates *rates)
{
	html_row_begin(page, "sum", 1);
	fputs(name, page->out);
	write_rates(page, NULL, rates, NAN, NAN);
	html_cell(page, &heads[HEAD_NOTE], strdup(""));
	html_row_end(page);
}

/* The devices of a controller, or those without one. */
static void write_block(const struct page *page, const struct chart *bars, const int *controllers,
			int controller, bool *member)
{
	const struct sb_result *r = page->result;
	struct report_rates rates;
	size_t n = 0;

	fprintf(page->out,
		"<tr role=\"row\" class=\"group\"><th role=\"rowheader\" "
		"scope=\"rowgroup\" colspan=\"%zu\">",
		SB_COUNT(heads));
	if (controller >= 0)
		html_take(page, report_node_text(r, page->labels, controller));
	else
		fputs("without a controller", page->out);
	fputs("</th></tr>\n", page->out);
	for (size_t i = 0; i < r->n_devices; i++) {
		member[i] = controllers[i] == controller;
		n += member[i];
		if (member[i])
			write_device(page, bars, i);
	}
	rates = report_rates_sum(r, member);
	if (n > 1)
		write_sum(page, "sum", &rates);
}

static void write_blocks(const struct page *page, const struct chart *bars, const int *controllers,
			 bool *member)
{
	size_t n = page->result->n_devices;
	bool any = false, without = false;

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (controllers[first] != controllers[i])
			first++;
		without |= controllers[i] < 0;
		if (controllers[i] < 0 || first != i)
			continue;
		write_block(page, bars, controllers, controllers[i], member);
		any = true;
	}
	if (without && any)
		write_block(page, bars, controllers, -1, member);
	for (size_t i = 0; !any && i < n; i++)
		write_device(page, bars, i);
}

int html_pairs(const struct page *page)
{
	const struct sb_result *r = page->result;
	SB_AUTO_FREE int *controllers = calloc(r->n_devices + 1, sizeof(int));
	SB_AUTO_FREE bool *member = calloc(r->n_devices + 1, sizeof(bool));
	struct chart bars = {.out = page->out, .height = PAIR};
	double most = 0;

	if (!controllers || !member)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_devices; i++) {
		most = fmax(most, fmax(r->devices[i].alone_bytes_s, r->devices[i].all_bytes_s));
		controllers[i] = report_controller_of(&r->topo, r->devices[i].node);
	}
	bars.x = chart_scale_linear(0, most / 1e6, 6);
	fputs("<p class=\"key\"><span><svg width=\"22\" height=\"10\" aria-hidden=\"true\"><rect "
	      "class=\"alone\" width=\"22\" height=\"8\" y=\"1\"/></svg> alone</span> <span><svg "
	      "width=\"22\" height=\"10\" aria-hidden=\"true\"><rect class=\"together\" "
	      "width=\"22\" height=\"8\" y=\"1\"/></svg> together with all others</span></p>\n",
	      page->out);
	html_rows_begin(page,
			"Each device read by itself, and with all the others; an interval that "
			"holds 0 is no loss that can be told from noise.",
			heads, SB_COUNT(heads), &bars);
	write_blocks(page, &bars, controllers, member);
	if (r->n_devices > 1) {
		const struct report_rates all = {r->alone_bytes_s, r->all_bytes_s, r->loss_percent};

		write_sum(page, "total", &all);
	}
	html_rows_end(page);
	return 0;
}
