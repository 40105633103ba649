/* Small pictures in the rows of a table, all with the same scale. The figures stand in the row's
 * cells as text, so these are hidden from screen readers. */
#include "chart_priv.h"

#include <math.h>

#define LABEL_PERCENT 15 /* that the label of a tick takes of a narrow picture */

static double percent(const struct chart *chart, double x)
{
	return 100 * chart_at(&chart->x, x);
}

void chart_row_begin(const struct chart *chart)
{
	fprintf(chart->out, "<svg class=\"row\" height=\"%u\" aria-hidden=\"true\">",
		chart->height);
	for (size_t i = 0; i < chart->x.n_ticks; i++)
		fprintf(chart->out, "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y2=\"%u\"/>",
			percent(chart, chart->x.tick[i]), percent(chart, chart->x.tick[i]),
			chart->height);
}

void chart_row_bar(const struct chart *chart, double from, double to, double y, double height,
		   const char *class)
{
	double left = percent(chart, from), right = percent(chart, to);

	if (isnan(from) || isnan(to))
		return;
	fprintf(chart->out,
		"<rect class=\"%s\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"%g\" height=\"%g\"/>", class,
		left, right > left ? right - left : 0, y, height);
}

/* Shapes, so that they can be told apart without colours. */
void chart_row_mark(const struct chart *chart, double x, double y, unsigned shape)
{
	if (isnan(x))
		return;
	fprintf(chart->out, "<svg x=\"%.2f%%\" y=\"%g\" class=\"at\"><use href=\"#m-%u\"/></svg>",
		percent(chart, x), y, shape);
}

void chart_row_axis(const struct chart *chart)
{
	char buf[CHART_TEXT];
	double last = -100;

	for (size_t i = 0; i < chart->x.n_ticks; i++) {
		double at = percent(chart, chart->x.tick[i]);

		if (at - last < LABEL_PERCENT)
			continue;
		last = at;
		fprintf(chart->out, "<text class=\"tick %s\" x=\"%.2f%%\" y=\"12\">",
			at < 3	  ? ""
			: at > 97 ? "end"
				  : "mid",
			at);
		chart_escape(chart->out, chart->x.text(buf, chart->x.tick[i]));
		fputs("</text>", chart->out);
	}
}

void chart_row_end(const struct chart *chart)
{
	fputs("</svg>", chart->out);
}
