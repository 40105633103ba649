/* What a reader sees first: the sentence, how sure it is, and the figures that carry it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

#define LONG_SENTENCE 280 /* bytes: set smaller */

/* Without a verdict: what was read. */
static void write_figures(const struct page *page)
{
	const struct sb_result *r = page->result;
	bool together = !isnan(r->all_bytes_s);
	double rate = together ? r->all_bytes_s : r->alone_bytes_s;
	char buf[SB_UNIT_TEXT];
	const char *many = r->n_devices == 1 ? "" : "s";

	if (report_has_phases(r, SB_PHASE_SUITE))
		html_say(page, "%zu director%s loaded by the tests of %s", r->n_devices,
			 r->n_devices == 1 ? "y" : "ies", sb_suite_of(&r->options)->workload);
	else if (r->n_surfaces > 0)
		html_surface_sentence(page);
	else if (isnan(rate))
		html_say(page, "Nothing was measured");
	else if (together)
		html_say(page, "%zu device%s read together: %s", r->n_devices, many,
			 sb_format_rate(buf, rate));
	else
		html_say(page, "%zu device%s read one after the other: %s in sum", r->n_devices,
			 many, sb_format_rate(buf, rate));
}

static void write_taints(const struct page *page)
{
	const struct sb_result *r = page->result;
	size_t last = 0;

	for (size_t i = 0; i < r->n_marks; i++)
		if (r->marks[i].level == SB_MARK_TAINT && page->mark[i] > last)
			last = page->mark[i];
	if (last == 0)
		return;
	fputs("<p class=\"doubt\"><strong>Doubtful:</strong> ", page->out);
	for (size_t number = 1; number <= last; number++) {
		size_t i = 0;

		while (page->mark[i] != number)
			i++;
		fprintf(page->out, "%s<a href=\"#mark-%zu\">", number > 1 ? ", " : "", number);
		html_raw(page, r->marks[i].id);
		fputs("</a>", page->out);
	}
	fputs("</p>\n", page->out);
}

static const struct sb_limit *first_limit(const struct page *page)
{
	const struct sb_verdict *v = &page->result->verdict;

	for (size_t i = 0; page->verdict && i < v->n_limits; i++)
		if (!v->limits[i].refuted)
			return &v->limits[i];
	return NULL;
}

static char *rate_interval(double rate, double low, double high)
{
	char buf[SB_UNIT_TEXT], from[SB_UNIT_TEXT], to[SB_UNIT_TEXT];

	if (isnan(rate))
		return NULL;
	sb_format_rate(buf, rate);
	if (isnan(low) || isnan(high))
		return strdup(buf);
	return sb_format("%s (%s to %s)", buf, sb_format_rate(from, low), sb_format_rate(to, high));
}

static void write_limit_facts(const struct page *page)
{
	const struct sb_limit *limit = first_limit(page);
	const struct sb_verdict *v = &page->result->verdict;
	char buf[SB_UNIT_TEXT];

	if (limit) {
		html_fact(page, "limit", report_node_text(page->result, page->labels, limit->node));
		html_fact(page, "class", strdup(sb_class_name(limit->cls)));
		html_fact(page, "carries",
			  rate_interval(limit->capacity_bytes_s, limit->capacity_low,
					limit->capacity_high));
		html_fact(page, "costs",
			  isnan(limit->cost_bytes_s)
				  ? NULL
				  : strdup(sb_format_rate(buf, limit->cost_bytes_s)));
		html_fact(page, "confidence", report_probability_text(limit->confidence));
	} else if (page->verdict) {
		html_fact(page, "class",
			  strdup(v->cannot_tell ? "cannot be told" : sb_class_name(v->cls)));
		if (!isnan(v->confidence))
			html_fact(page, "confidence", report_probability_text(v->confidence));
		if (!isnan(v->smallest_excluded))
			html_fact(page, "excluded",
				  sb_format("losses of %.1f %% and more",
					    report_percent(v->smallest_excluded)));
	}
}

static void write_facts(const struct page *page)
{
	const struct sb_result *r = page->result;
	char buf[SB_UNIT_TEXT];

	fputs("<dl class=\"facts\">\n", page->out);
	write_limit_facts(page);
	if (!isnan(r->alone_bytes_s))
		html_fact(page, "sum alone", strdup(sb_format_rate(buf, r->alone_bytes_s)));
	if (!isnan(r->all_bytes_s))
		html_fact(page, "together", strdup(sb_format_rate(buf, r->all_bytes_s)));
	if (!isnan(r->loss_percent))
		html_fact(page, "loss", sb_format("%.1f %%", r->loss_percent));
	if (!isnan(r->cpu.busy_exact))
		html_fact(page, "CPU busy", sb_format("%.1f %%", r->cpu.busy_exact));
	fputs("</dl>\n", page->out);
}

static void write_where(const struct page *page)
{
	const struct sb_result *r = page->result;

	fputs("<p class=\"where\">satabench ", page->out);
	html_raw(page, r->version);
	if (r->host.name) {
		fputs(" on <strong>", page->out);
		html_raw(page, r->host.name);
		fputs("</strong>", page->out);
	}
	if (r->started) {
		fputs(", <time>", page->out);
		html_raw(page, r->started);
		fputs("</time>", page->out);
	}
	if (r->label) {
		fputs(" &middot; ", page->out);
		html_raw(page, r->label);
	}
	fputs("</p>\n", page->out);
}

void html_head(const struct page *page)
{
	write_where(page);
	if (!page->result->complete)
		fputs("<p class=\"doubt\"><strong>Not complete:</strong> the run was ended early. "
		      "What was measured until then:</p>\n",
		      page->out);
	fprintf(page->out, "<h1%s>",
		page->verdict && strlen(page->result->verdict.sentence) > LONG_SENTENCE
			? " class=\"long\""
			: "");
	if (page->verdict)
		html_raw(page, page->result->verdict.sentence);
	else
		write_figures(page);
	fputs("</h1>\n", page->out);
	write_taints(page);
	write_facts(page);
}
