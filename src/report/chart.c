/* The frame of a chart and what is drawn into it. */
#include "chart_priv.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "report_priv.h"

#define TICK_ROOM 24	   /* pixels below the plot for its ticks */
#define NAME_ROOM 18	   /* ... and for the name of the scale */
#define LETTER_PERCENT 1.6 /* a narrower band has no room for its letter */
#define NARROW_PERCENT 3.5 /* ... one below this only on a wide screen */

void chart_escape(FILE *out, const char *text)
{
	while (*text) {
		uint32_t code = 0;
		size_t n = report_utf8_decode(text, &code);
		bool turns = (code >= 0x202a && code <= 0x202e) ||
			     (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;

		if (n == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0))
			fputs("\xef\xbf\xbd", out);
		else if (turns)
			fprintf(out, "\\u%04x", code);
		else if (code == '&')
			fputs("&amp;", out);
		else if (code == '<')
			fputs("&lt;", out);
		else if (code == '>')
			fputs("&gt;", out);
		else if (code == '"')
			fputs("&quot;", out);
		else if (code == '\'')
			fputs("&#39;", out);
		else
			fwrite(text, 1, n, out);
		text += n ? n : 1;
	}
}

/* At most one decimal, which is less than a pixel. */
static void put_number(FILE *out, const char *before, double value)
{
	double tenths = nearbyint(value * 10);

	if (fmod(tenths, 10) == 0)
		fprintf(out, "%s%.0f", before, tenths == 0 ? 0.0 : tenths / 10);
	else
		fprintf(out, "%s%.1f", before, tenths / 10);
}

static void put_percent(FILE *out, const char *name, double share)
{
	fprintf(out, " %s=\"", name);
	put_number(out, "", 100 * share);
	fputs("%\"", out);
}

static void put_pixels(FILE *out, const char *name, double pixels)
{
	fprintf(out, " %s=\"", name);
	put_number(out, "", pixels);
	fputc('"', out);
}

static double y_of(const struct chart *chart, double value)
{
	return chart->height * (1 - chart_at(&chart->y, value));
}

static void put_text(const struct chart *chart, const char *class, const char *text)
{
	fprintf(chart->out, " class=\"%s\">", class);
	chart_escape(chart->out, text);
	fputs("</text>", chart->out);
}

static void put_ticks(const struct chart *chart)
{
	char buf[CHART_TEXT];

	for (size_t i = 0; i < chart->y.n_ticks; i++) {
		double y = y_of(chart, chart->y.tick[i]);

		fputs("<line class=\"grid\" x2=\"100%\"", chart->out);
		put_pixels(chart->out, "y1", y);
		put_pixels(chart->out, "y2", y);
		fputs("/><text x=\"-8\"", chart->out);
		put_pixels(chart->out, "y", y + 4);
		put_text(chart, "tick end", chart->y.text(buf, chart->y.tick[i]));
	}
	for (size_t i = 0; i < chart->x.n_ticks; i++) {
		double at = chart_at(&chart->x, chart->x.tick[i]);

		fputs("<text", chart->out);
		put_percent(chart->out, "x", at);
		put_pixels(chart->out, "y", chart->height + 20);
		put_text(chart,
			 at > 0.97   ? "tick end"
			 : at < 0.03 ? "tick"
				     : "tick mid",
			 chart->x.text(buf, chart->x.tick[i]));
	}
}

void chart_begin(const struct chart *chart)
{
	FILE *out = chart->out;

	fprintf(out,
		"<svg class=\"chart\" height=\"%u\" role=\"img\" aria-labelledby=\"%s-t\" "
		"aria-describedby=\"%s-d\"><title id=\"%s-t\">",
		chart->height + TICK_ROOM + NAME_ROOM, chart->id, chart->id, chart->id);
	chart_escape(out, chart->title);
	fprintf(out, "</title><desc id=\"%s-d\">", chart->id);
	chart_escape(out, chart->description);
	fputs("</desc>\n", out);
	put_ticks(chart);
	fprintf(out, "<text x=\"100%%\" y=\"%u\"", chart->height + TICK_ROOM + 13);
	put_text(chart, "name end", chart->x_name);
	fputs("<text x=\"-8\" y=\"-10\"", out);
	put_text(chart, "name end", chart->y_name);
	fputc('\n', out);
}

void chart_end(const struct chart *chart)
{
	fputs("</svg>\n", chart->out);
}

/* A picture in the picture that is stretched along x: its own units, 0 to `columns`. */
static void stretch_begin(const struct chart *chart, unsigned columns, const char *class)
{
	fprintf(chart->out,
		"<svg class=\"plot\" width=\"100%%\" height=\"%u\" viewBox=\"0 0 %u %u\" "
		"preserveAspectRatio=\"none\"><path class=\"%s\" d=\"",
		chart->height, columns, chart->height, class);
}

static void stretch_end(const struct chart *chart)
{
	fputs("\"/></svg>\n", chart->out);
}

/* Steps under way: the pen, and what has gathered in the column it is in. */
struct steps {
	const struct chart *chart;
	double columns;
	bool filled;
	bool down; /* the pen is on the paper */
	double x, y;
	double from, to, least, most; /* gathered; from is NaN when nothing is */
	bool rising;		      /* the least came before the most */
};

static void lift(struct steps *s)
{
	if (s->down && s->filled)
		fprintf(s->chart->out, "V%uZ", s->chart->height);
	s->down = false;
}

static void step(struct steps *s, double from, double to, double value)
{
	FILE *out = s->chart->out;
	double y = y_of(s->chart, value);

	if (s->down && from > s->x + 0.05)
		lift(s);
	if (!s->down) {
		put_number(out, "M", from);
		put_number(out, " ", s->filled ? s->chart->height : y);
		s->y = s->filled ? s->chart->height : y;
		s->down = true;
	}
	if (fabs(y - s->y) >= 0.05)
		put_number(out, "V", y);
	put_number(out, "H", to);
	s->x = to;
	s->y = y;
}

static void flush(struct steps *s)
{
	double middle = (s->from + s->to) / 2;

	if (isnan(s->from))
		return;
	if (s->most - s->least <= 0) {
		step(s, s->from, s->to, s->most);
	} else {
		step(s, s->from, middle, s->rising ? s->least : s->most);
		step(s, middle, s->to, s->rising ? s->most : s->least);
	}
	s->from = NAN;
}

/* Spans narrower than a column gather until they have filled it. */
static void gather(struct steps *s, double from, double to, double value)
{
	if (!isnan(s->from) && (from > s->to + 0.05 || to - s->from > 1))
		flush(s);
	if (isnan(s->from)) {
		s->from = from;
		s->least = s->most = value;
	}
	s->to = to;
	if (value > s->most) {
		s->most = value;
		s->rising = true;
	} else if (value < s->least) {
		s->least = value;
		s->rising = false;
	}
}

static void put_steps(const struct chart *chart, const struct chart_span *spans, size_t n,
		      unsigned columns, bool filled)
{
	struct steps s = {.chart = chart, .columns = columns, .filled = filled, .from = NAN};

	for (size_t i = 0; i < n; i++) {
		if (isnan(spans[i].value)) {
			flush(&s);
			lift(&s);
			continue;
		}
		gather(&s, columns * chart_at(&chart->x, spans[i].from),
		       columns * chart_at(&chart->x, spans[i].to), spans[i].value);
	}
	flush(&s);
	lift(&s);
}

static bool has_value(const struct chart_span *spans, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isnan(spans[i].value))
			return true;
	return false;
}

void chart_steps(const struct chart *chart, const struct chart_span *spans, size_t n,
		 unsigned columns, bool filled, const char *class)
{
	if (!has_value(spans, n))
		return;
	stretch_begin(chart, columns, class);
	put_steps(chart, spans, n, columns, filled);
	stretch_end(chart);
}

void chart_strip(const struct chart *chart, const struct chart_span *spans, size_t n,
		 unsigned columns, const char *class)
{
	fprintf(chart->out, "<svg class=\"strip\" height=\"%u\" aria-hidden=\"true\">",
		chart->height);
	chart_steps(chart, spans, n, columns, true, class);
	fputs("</svg>", chart->out);
}

void chart_line(const struct chart *chart, const double *x, const double *y, size_t n,
		const char *class)
{
	bool down = false;

	stretch_begin(chart, 1000, class);
	for (size_t i = 0; i < n; i++) {
		if (!isnan(x[i]) && !isnan(y[i])) {
			put_number(chart->out, down ? "L" : "M", 1000 * chart_at(&chart->x, x[i]));
			put_number(chart->out, " ", y_of(chart, y[i]));
		}
		down = !isnan(x[i]) && !isnan(y[i]);
	}
	stretch_end(chart);
}

void chart_point(const struct chart *chart, double x, double y, const char *class)
{
	if (isnan(x) || isnan(y))
		return;
	fprintf(chart->out, "<circle class=\"%s\" r=\"4.5\"", class);
	put_percent(chart->out, "cx", chart_at(&chart->x, x));
	put_pixels(chart->out, "cy", y_of(chart, y));
	fputs("/>\n", chart->out);
}

void chart_level(const struct chart *chart, double y, const char *class, const char *text)
{
	double at = y_of(chart, y);

	if (isnan(y))
		return;
	fprintf(chart->out, "<line class=\"%s\" x2=\"100%%\"", class);
	put_pixels(chart->out, "y1", at);
	put_pixels(chart->out, "y2", at);
	fputs("/><text x=\"100%\"", chart->out);
	put_pixels(chart->out, "y", at < 16 ? at + 15 : at - 6);
	put_text(chart, "name end", text);
	fputc('\n', chart->out);
}

void chart_place(const struct chart *chart, double x, const char *class, const char *text)
{
	double at = chart_at(&chart->x, x);

	if (isnan(x))
		return;
	fprintf(chart->out, "<line class=\"%s\" y2=\"%u\"", class, chart->height);
	put_percent(chart->out, "x1", at);
	put_percent(chart->out, "x2", at);
	fputs("/><text", chart->out);
	put_percent(chart->out, "x", at);
	fprintf(chart->out, " y=\"%u\" dx=\"%d\"", chart->height - 8, at > 0.5 ? -6 : 6);
	put_text(chart, at > 0.5 ? "name end" : "name", text);
	fputc('\n', chart->out);
}

void chart_band(const struct chart *chart, double from, double to, const char *class,
		const char *letter)
{
	double left = chart_at(&chart->x, from), right = chart_at(&chart->x, to);

	if (!(right > left))
		return;
	fprintf(chart->out, "<rect class=\"%s\" height=\"%u\"", class, chart->height);
	put_percent(chart->out, "x", left);
	put_percent(chart->out, "width", right - left);
	fputs("/>", chart->out);
	if (100 * (right - left) >= LETTER_PERCENT) {
		fputs("<text y=\"-4\"", chart->out);
		put_percent(chart->out, "x", (left + right) / 2);
		put_text(chart, 100 * (right - left) < NARROW_PERCENT ? "letter narrow" : "letter",
			 letter);
	}
	fputc('\n', chart->out);
}
