/* What the sentence rests on: the limits, the shared parts, the evidence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

bool html_has_verdict(const struct page *page)
{
	return page->verdict &&
	       (page->result->verdict.n_losses > 0 || page->result->verdict.n_evidence > 0);
}

static char *interval_text(double low, double high)
{
	return isnan(low) || isnan(high)
		       ? strdup("")
		       : sb_format("%.1f to %.1f", report_percent(low), report_percent(high));
}

static void write_limits(const struct page *page)
{
	static const char *const names[] = {"limit",	  "class",	"carries MB/s",
					    "costs MB/s", "confidence", "or"};
	const struct sb_verdict *v = &page->result->verdict;
	struct report_table t = {.align = "llrrll"};

	if (v->n_limits < 2)
		return;
	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t i = 0; i < v->n_limits; i++) {
		const struct sb_limit *limit = &v->limits[i];

		report_cell_take(&t, report_node_text(page->result, page->labels, limit->node));
		report_cell(&t, limit->refuted ? "nothing came back" : sb_class_name(limit->cls));
		report_cell_take(&t, limit->refuted ? strdup("")
						    : html_rate(page, limit->capacity_bytes_s));
		report_cell_take(&t, html_rate(page, limit->cost_bytes_s));
		report_cell_take(&t, report_probability_text(limit->confidence));
		report_cell_take(&t, limit->n_candidates > 1
					     ? report_nodes_text(page->result, page->labels,
								 limit->candidates + 1,
								 limit->n_candidates - 1)
					     : strdup(""));
	}
	html_table(page, &t, "Limits, the costliest first");
}

static void write_losses(const struct page *page)
{
	static const char *const names[] = {
		"shared part",	 "devices", "apart MB/s", "at once MB/s", "loss %",
		"95 % interval", ""};
	const struct sb_verdict *v = &page->result->verdict;
	struct report_table t = {.align = "lrrrrrl"};

	if (v->n_losses == 0)
		return;
	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t i = 0; i < v->n_losses; i++) {
		const struct sb_node_loss *loss = &v->losses[i];
		struct report_rates rates = report_rates_of(page->result, loss);

		report_cell_take(&t, report_node_text(page->result, page->labels, loss->node));
		report_cell_take(&t,
				 sb_format("%zu", report_devices_under(page->result, loss->node)));
		report_cell_take(&t, html_rate(page, rates.apart_bytes_s));
		report_cell_take(&t, html_rate(page, rates.once_bytes_s));
		report_cell_number(&t, rates.loss_percent, 1);
		report_cell_take(&t, interval_text(loss->low, loss->high));
		report_cell_take(&t, report_state_text(page->result, page->labels, loss));
	}
	html_table(page, &t,
		   "Shared parts: what the parts below give by themselves, and at once (* an upper "
		   "bound, from alone and together)");
}

int html_verdict(const struct page *page)
{
	const struct sb_verdict *v = &page->result->verdict;

	write_limits(page);
	write_losses(page);
	if (v->n_evidence > 0)
		fputs("<ul class=\"evidence\">\n", page->out);
	for (size_t i = 0; i < v->n_evidence; i++) {
		fputs("<li>", page->out);
		html_raw(page, v->evidence[i]);
		fputs("</li>\n", page->out);
	}
	if (v->n_evidence > 0)
		fputs("</ul>\n", page->out);
	return 0;
}
