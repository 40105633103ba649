/* More and more of a part's devices at once: where it gets full. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define PLOT 200 /* pixels */

/* The steps at one part, in the order they were run, the fewest devices first. */
struct ramp {
	int node;
	size_t n;
	double *devices, *rate, *apart; /* MB/s; apart: what its devices give alone, in sum */
};

static bool is_step(const struct sb_phase *phase, int node)
{
	return phase->kind == SB_PHASE_RAMP && phase->node == node && phase->done &&
	       !isnan(phase->bytes_s);
}

/* A single number of devices is no ramp. */
static bool has_steps(const struct sb_result *r, int node)
{
	size_t devices = 0;

	for (size_t p = 0; p < r->n_phases; p++) {
		if (!is_step(&r->phases[p], node))
			continue;
		if (devices && r->phases[p].n_jobs != devices)
			return true;
		devices = r->phases[p].n_jobs;
	}
	return false;
}

bool html_has_ramp(const struct page *page)
{
	const struct sb_result *r = page->result;

	for (size_t p = 0; p < r->n_phases; p++)
		if (r->phases[p].kind == SB_PHASE_RAMP && has_steps(r, r->phases[p].node))
			return true;
	return false;
}

static double apart(const struct sb_result *r, const struct sb_phase *phase)
{
	double sum = 0;

	for (size_t j = 0; j < phase->n_jobs; j++)
		sum += r->devices[phase->jobs[j].device].alone_bytes_s;
	return sum / 1e6;
}

static void collect(const struct sb_result *r, struct ramp *ramp)
{
	for (size_t p = 0; p < r->n_phases; p++) {
		const struct sb_phase *phase = &r->phases[p];
		size_t at = ramp->n;

		if (!is_step(phase, ramp->node))
			continue;
		/* one that was run anew stands beside the first */
		for (; at > 0 && ramp->devices[at - 1] > (double)phase->n_jobs; at--) {
			ramp->devices[at] = ramp->devices[at - 1];
			ramp->rate[at] = ramp->rate[at - 1];
			ramp->apart[at] = ramp->apart[at - 1];
		}
		ramp->devices[at] = (double)phase->n_jobs;
		ramp->rate[at] = phase->bytes_s / 1e6;
		ramp->apart[at] = apart(r, phase);
		ramp->n++;
	}
}

static void write_table(const struct page *page, const struct ramp *ramp)
{
	struct report_table t = {.align = "rrr"};

	report_cell(&t, "devices");
	report_cell(&t, "together MB/s");
	report_cell(&t, "their sum alone MB/s");
	for (size_t i = 0; i < ramp->n; i++) {
		report_cell_number(&t, ramp->devices[i], 0);
		report_cell_take(&t, html_rate(page, ramp->rate[i] * 1e6));
		report_cell_take(&t, html_rate(page, ramp->apart[i] * 1e6));
	}
	html_details(page, &t, "Steps of the ramp");
}

static void write_chart(const struct page *page, const struct ramp *ramp, size_t number)
{
	const struct sb_limit *limit = report_limit_at(&page->result->verdict, ramp->node);
	SB_AUTO_FREE char *name = report_node_text(page->result, page->labels, ramp->node);
	SB_AUTO_FREE char *title = sb_format("Rate by the number of devices, %s", name ? name : "");
	SB_AUTO_FREE char *id = sb_format("ramp%zu", number);
	SB_AUTO_FREE char *knee = NULL;
	SB_AUTO_FREE char *full = NULL;
	double most = 0;
	char buf[SB_UNIT_TEXT];
	struct chart chart = {.out = page->out,
			      .id = id ? id : "ramp",
			      .title = title ? title : "",
			      .description = "A point for each number of devices read at once, and "
					     "dashed what they give alone in sum. The table below "
					     "has the figures.",
			      .x_name = "devices at once",
			      .y_name = "MB/s",
			      .height = PLOT};

	for (size_t i = 0; i < ramp->n; i++)
		most = fmax(most, fmax(ramp->rate[i], ramp->apart[i]));
	if (limit && limit->capacity_bytes_s / 1e6 > most)
		most = limit->capacity_bytes_s / 1e6;
	chart.x = chart_scale_count(ramp->devices[ramp->n - 1], 8);
	chart.y = chart_scale_linear(0, most, 5);
	fputs("<h3>", page->out);
	html_say(page, "%s", name ? name : "");
	fputs("</h3>\n<p class=\"key\"><span><svg width=\"22\" height=\"10\" aria-hidden=\"true\">"
	      "<path class=\"line k-line\" d=\"M0 5H22\"/></svg> at once</span> <span><svg "
	      "width=\"22\" height=\"10\" aria-hidden=\"true\"><path class=\"line apart\" "
	      "d=\"M0 5H22\"/></svg> their sum alone</span></p>\n<figure class=\"figure\">",
	      page->out);
	chart_begin(&chart);
	chart_line(&chart, ramp->devices, ramp->apart, ramp->n, "line apart");
	if (limit && !limit->refuted && !isnan(limit->capacity_bytes_s)) {
		full = sb_format("carries %s", sb_format_rate(buf, limit->capacity_bytes_s));
		chart_level(&chart, limit->capacity_bytes_s / 1e6, "line level", full ? full : "");
	}
	if (limit && limit->ramp_knee > 0) {
		knee = sb_format("full with %zu", limit->ramp_knee);
		chart_place(&chart, (double)limit->ramp_knee, "line level", knee ? knee : "");
	}
	chart_line(&chart, ramp->devices, ramp->rate, ramp->n, "line k-line");
	for (size_t i = 0; i < ramp->n; i++)
		chart_point(&chart, ramp->devices[i], ramp->rate[i], "point");
	chart_end(&chart);
	fputs("</figure>\n", page->out);
	write_table(page, ramp);
}

static int write_ramp(const struct page *page, int node, size_t number)
{
	const struct sb_result *r = page->result;
	SB_AUTO_FREE double *figures = calloc(3 * r->n_phases + 1, sizeof(*figures));
	struct ramp ramp = {.node = node, .devices = figures};

	if (!figures)
		return -ENOMEM;
	ramp.rate = figures + r->n_phases;
	ramp.apart = ramp.rate + r->n_phases;
	collect(r, &ramp);
	write_chart(page, &ramp, number);
	return 0;
}

int html_ramp(const struct page *page)
{
	const struct sb_result *r = page->result;
	size_t number = 0;
	int rc = 0;

	for (size_t p = 0; rc == 0 && p < r->n_phases; p++) {
		int node = r->phases[p].node;
		bool first = is_step(&r->phases[p], node) && has_steps(r, node);

		for (size_t q = 0; q < p; q++)
			first &= !is_step(&r->phases[q], node);
		if (first)
			rc = write_ramp(page, node, ++number);
	}
	return rc;
}
