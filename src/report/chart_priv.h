/* Charts as inline SVG: scales with even ticks, lines, steps, bars, points. Lengths along x are
 * percent of the width that the page gives, so that text keeps its size on any screen; along y they
 * are pixels. Classes are the page's (html_style.c). Knows nothing of results; pure apart from the
 * stream. */
#ifndef SATABENCH_CHART_PRIV_H
#define SATABENCH_CHART_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CHART_TICKS 24 /* at most, on a scale */
#define CHART_TEXT 32

struct chart_scale {
	double low, high; /* low < high; of a logarithmic one low > 0 */
	bool log;
	size_t n_ticks;
	double tick[CHART_TICKS];
	/* What stands at a tick, into the buffer. */
	char *(*text)(char buf[CHART_TEXT], double value);
};

/* Steps of 1, 2 or 5 times a power of ten, about `ticks` of them, the ends widened to ticks. */
struct chart_scale chart_scale_linear(double low, double high, unsigned ticks);
/* The same for counts: no step below 1. */
struct chart_scale chart_scale_count(double high, unsigned ticks);
/* From 0 in steps that clocks have; the end stays. */
struct chart_scale chart_scale_time(double seconds, unsigned ticks);
/* Ends at 1, 2 or 5 times a power of ten, ticks at the powers. */
struct chart_scale chart_scale_log(double low, double high);
/* Where the value is, 0 to 1; ends are not exceeded. */
double chart_at(const struct chart_scale *scale, double value);
/* The figure without zeros behind the point; and as time: "0.5 s", "90 s", "12:30". */
char *chart_number_text(char buf[CHART_TEXT], double value);
char *chart_time_text(char buf[CHART_TEXT], double seconds);

struct chart {
	FILE *out;
	const char *id;		     /* unique on the page */
	const char *title;	     /* plain text, like all texts here: escaped by this module */
	const char *description;     /* what a person sees in it, for those who do not */
	const char *x_name, *y_name; /* of the scales, with their units */
	struct chart_scale x, y;
	unsigned height; /* of the plot; ticks and names come on top */
};

/* The frame with grid, ticks and names; then what is drawn into it; then the end. */
void chart_begin(const struct chart *chart);
void chart_end(const struct chart *chart);

/* A value that holds from x to x; NaN: none. */
struct chart_span {
	double from, to, value;
};
/* Spans in their order as steps, as a line or filled down to the bottom. Where several share one of
 * `columns` columns the largest and the smallest of them are kept. Nothing when no value is there.
 */
void chart_steps(const struct chart *chart, const struct chart_span *spans, size_t n,
		 unsigned columns, bool filled, const char *class);
/* A picture of steps alone, as high as `height`, without a frame: for a cell of a table. */
void chart_strip(const struct chart *chart, const struct chart_span *spans, size_t n,
		 unsigned columns, const char *class);
/* From point to point. */
void chart_line(const struct chart *chart, const double *x, const double *y, size_t n,
		const char *class);
void chart_point(const struct chart *chart, double x, double y, const char *class);
/* A level along the whole width, a place along the whole height; the text stands at its end. */
void chart_level(const struct chart *chart, double y, const char *class, const char *text);
void chart_place(const struct chart *chart, double x, const char *class, const char *text);
/* The background from x to x, with a letter at its top where it is wide enough. */
void chart_band(const struct chart *chart, double from, double to, const char *class,
		const char *letter);

/* Rows of a table, each with its own small picture of this height; x is `chart->x`. */
void chart_row_begin(const struct chart *chart);
void chart_row_bar(const struct chart *chart, double from, double to, double y, double height,
		   const char *class);
/* One of the page's shapes, m-0 and on. */
void chart_row_mark(const struct chart *chart, double x, double y, unsigned shape);
/* The scale below or above such rows. */
void chart_row_axis(const struct chart *chart);
void chart_row_end(const struct chart *chart);

/* Text into HTML or SVG: what is not valid UTF-8 becomes U+FFFD, a control that would turn the
 * direction of what follows is named. */
void chart_escape(FILE *out, const char *text);

#endif
