/* The CPU over the time of the run, as iostat splits it, and the figures of each phase. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_phases_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define PLOT 170 /* pixels */

/* From the top of the stack to its bottom, each drawn over the one before. Idle is the rest. */
enum { LAYER_IOWAIT, LAYER_STEAL, LAYER_SYSTEM, LAYER_USER, LAYERS };
static const struct {
	const char *class, *name;
} layers[LAYERS] = {
	[LAYER_IOWAIT] = {"c-iowait", "iowait"},
	[LAYER_STEAL] = {"c-steal", "steal"},
	[LAYER_SYSTEM] = {"c-system", "system"},
	[LAYER_USER] = {"c-user", "user and nice"},
};

bool html_has_cpu(const struct page *page)
{
	return !isnan(page->result->cpu.idle) || !isnan(page->result->cpu.busy_exact);
}

static double height_of(const struct sb_cpu_figures *cpu, int layer)
{
	double sum = cpu->user + cpu->nice;

	if (layer <= LAYER_SYSTEM)
		sum += cpu->system;
	if (layer <= LAYER_STEAL)
		sum += cpu->steal;
	if (layer <= LAYER_IOWAIT)
		sum += cpu->iowait;
	return sum;
}

/* Intervals narrower than a column as their mean, so that all layers keep to each other. */
static size_t add_spans(struct chart_span *spans, const struct sb_phase *phase, int layer,
			double column)
{
	double start = phases_start(phase), from = start, sum = 0, seconds = 0;
	size_t n = 0;

	for (size_t i = 0; i < phase->n_intervals; i++) {
		const struct sb_interval *interval = &phase->intervals[i];
		double before = i > 0 ? phase->intervals[i - 1].seconds : 0;
		double height = height_of(&interval->cpu, layer);

		if (!isnan(height)) {
			sum += height * (interval->seconds - before);
			seconds += interval->seconds - before;
		}
		if (start + interval->seconds - from < column && i + 1 < phase->n_intervals)
			continue;
		spans[n++] = (struct chart_span){from, start + interval->seconds,
						 seconds > 0 ? sum / seconds : NAN};
		from = start + interval->seconds;
		sum = seconds = 0;
	}
	return n;
}

static int write_layer(const struct page *page, const struct chart *chart, int layer)
{
	const struct sb_result *r = page->result;
	SB_AUTO_FREE struct chart_span *spans = NULL;
	size_t n = 0, most = 1;

	for (size_t p = 0; p < r->n_phases; p++)
		most += r->phases[p].n_intervals + 1;
	spans = calloc(most, sizeof(*spans));
	if (!spans)
		return -ENOMEM;
	for (size_t p = 0; p < r->n_phases; p++) {
		if (!r->phases[p].done || isnan(phases_start(&r->phases[p])))
			continue;
		n += add_spans(spans + n, &r->phases[p], layer, chart->x.high / PHASES_COLUMNS);
		spans[n++].value = NAN;
	}
	chart_steps(chart, spans, n, PHASES_COLUMNS, true, layers[layer].class);
	return 0;
}

static int write_busiest(const struct page *page, const struct chart *chart)
{
	const struct sb_result *r = page->result;
	SB_AUTO_FREE struct chart_span *spans = calloc(2 * r->n_phases + 1, sizeof(*spans));
	size_t n = 0;

	if (!spans)
		return -ENOMEM;
	for (size_t p = 0; p < r->n_phases; p++) {
		const struct sb_phase *phase = &r->phases[p];
		double start = phases_start(phase);

		if (!phase->done || isnan(start) || phase->cpu.busiest_cpu < 0)
			continue;
		spans[n++] =
			(struct chart_span){start, start + phase->seconds, phase->cpu.busiest_busy};
		spans[n++].value = NAN;
	}
	chart_steps(chart, spans, n, PHASES_COLUMNS, false, "line busiest");
	return 0;
}

static void write_key(const struct page *page)
{
	fputs("<p class=\"key\">", page->out);
	for (int i = LAYERS - 1; i >= 0; i--)
		fprintf(page->out,
			"<span><svg width=\"14\" height=\"10\" aria-hidden=\"true\"><rect "
			"class=\"%s\" width=\"14\" height=\"10\"/></svg> %s</span> ",
			layers[i].class, layers[i].name);
	fputs("<span><svg width=\"14\" height=\"10\" aria-hidden=\"true\"><rect class=\"c-idle\" "
	      "x=\".5\" y=\".5\" width=\"13\" height=\"9\"/></svg> idle</span> <span><svg "
	      "width=\"14\" height=\"10\" aria-hidden=\"true\"><path class=\"line busiest\" "
	      "d=\"M0 5H14\"/></svg> the busiest CPU of each phase</span></p>\n",
	      page->out);
}

static int write_chart(const struct page *page)
{
	struct chart chart = {.out = page->out,
			      .id = "cpuchart",
			      .title = "CPU over time",
			      .description =
				      "User, system, steal and iowait stacked, of all CPUs; "
				      "what is left to 100 % is idle. A line has the busiest "
				      "single CPU of each phase. The table below has the "
				      "figures.",
			      .x_name = "time since the start",
			      .y_name = "%",
			      .height = PLOT};
	int rc = 0;

	chart.x = chart_scale_time(phases_end(page->result), 8);
	chart.y = chart_scale_linear(0, 100, 4);
	write_key(page);
	fputs("<figure class=\"figure\">", page->out);
	chart_begin(&chart);
	for (int layer = 0; rc == 0 && layer < LAYERS; layer++)
		rc = write_layer(page, &chart, layer);
	if (rc == 0)
		rc = write_busiest(page, &chart);
	chart_end(&chart);
	fputs("</figure>\n", page->out);
	return rc;
}

static void add_figures(struct report_table *t, char *name, const struct sb_cpu_figures *cpu)
{
	report_cell_take(t, name);
	report_cell_number(t, cpu->user, 1);
	report_cell_number(t, cpu->nice, 1);
	report_cell_number(t, cpu->system, 1);
	report_cell_number(t, cpu->iowait, 1);
	report_cell_number(t, cpu->steal, 1);
	report_cell_number(t, cpu->idle, 1);
	report_cell_number(t, cpu->busy_exact, 1);
	report_cell_take(t,
			 cpu->busiest_cpu < 0 ? strdup("-") : sb_format("cpu%d", cpu->busiest_cpu));
	report_cell_number(t, cpu->busiest_busy, 1);
	report_cell_number(t, cpu->busiest_system, 1);
	report_cell_number(t, cpu->busiest_softirq, 1);
	report_cell_number(t, cpu->own_percent, 1);
}

static void add_heads(struct report_table *t)
{
	static const char *const heads[] = {"",	      "%user",	 "%nice",      "%system", "%iowait",
					    "%steal", "%idle",	 "busy_exact", "busiest", "busy",
					    "system", "softirq", "satabench"};

	t->align = "lrrrrrrrlrrrr";
	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(t, heads[i]);
}

int html_cpu(const struct page *page)
{
	const struct sb_result *r = page->result;
	struct report_table average = {0}, table = {0};
	char buf[SB_UNIT_TEXT];
	int rc = 0;

	if (phases_any(r))
		rc = write_chart(page);
	add_heads(&average);
	add_figures(&average, strdup("during the load"), &r->cpu);
	if (!isnan(r->baseline.busy_exact))
		add_figures(&average, strdup("before the load"), &r->baseline);
	html_table(page, &average, "Averages, percent of all CPUs; busiest: of that one CPU");
	if (!isnan(r->bytes_s_per_busy_cpu))
		html_say(page, "%s for each CPU that is busy.",
			 sb_format_rate(buf, r->bytes_s_per_busy_cpu));
	html_mark_links_run(page, true);
	add_heads(&table);
	for (size_t p = 0; p < r->n_phases; p++)
		if (r->phases[p].done)
			add_figures(&table, phases_name(page, &r->phases[p]), &r->phases[p].cpu);
	html_details(page, &table, "CPU of each phase");
	return rc;
}
