/* How the live view is laid out: as wide as there is room for, in as many columns of disks as are
 * needed for all of them to be seen, and sums alone where that is not enough. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_priv.h"
#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/units.h"

#define GAP 2		 /* between cells */
#define COLUMNS_MOST 8	 /* of cells */
#define NAME_LEAST 10	 /* of a name, before there is one column of cells less */
#define RATE_LEAST 9	 /* what a cell has behind the name */
#define FIXED_LINES 3	 /* head, CPU, all */
#define OPTIONAL_LINES 3 /* heads, verdict, reason: given up in this order */
#define SAID_COLUMNS 8
#define SAID_LINES 3
#define NARROW 80
#define CPU_FULL 0.97

struct layout {
	size_t width;	 /* of the window's lines */
	size_t columns;	 /* of cells; 0: sums alone */
	size_t cell;	 /* width of one */
	size_t optional; /* lines */
	size_t spare;	 /* lines */
	size_t indent;	 /* of devices below their controller */
	struct live_parts parts, sums;
};

static size_t name_width(const struct live *live)
{
	size_t most = 4;

	for (size_t i = 0; i < live->n_rows; i++)
		if (live->rows[i].width > most)
			most = live->rows[i].width;
	return most;
}

static size_t group_width(const struct live *live)
{
	size_t most = 4;

	for (size_t i = 0; i < live->n_groups; i++) {
		size_t width = live->groups[i].row.width + 2 * live->groups[i].depth;

		most = width > most ? width : most;
	}
	return most;
}

/* One controller, or none that is known, is all there is: no line of its own. */
static bool has_groups(const struct live *live)
{
	return live->n_groups > 1 || (live->n_groups == 1 && live->groups[0].node >= 0);
}

static size_t lines_of(const struct live *live, size_t columns)
{
	size_t lines = has_groups(live) ? live->n_groups : 0;

	for (size_t i = 0; i < live->n_groups; i++)
		lines += (live->groups[i].n + columns - 1) / columns;
	return lines;
}

static bool has_ceilings(const struct live *live)
{
	for (size_t i = 0; i < live->n_rows; i++)
		if (!isnan(live->rows[i].ceiling))
			return true;
	for (size_t i = 0; i < live->n_groups; i++)
		if (!isnan(live->groups[i].row.ceiling))
			return true;
	return false;
}

/* The lines that all of it takes in so many columns of cells; 0: they are too narrow. */
static size_t try_columns(const struct live *live, struct layout *l, size_t columns, size_t name)
{
	l->columns = columns;
	l->cell = (l->width + GAP) / columns;
	l->cell = l->cell > GAP ? l->cell - GAP : 0;
	/* where it is crowded every column counts */
	l->indent = has_groups(live) && columns < 3 ? 2 : 0;
	if (l->cell < (name < NAME_LEAST ? name : NAME_LEAST) + l->indent + RATE_LEAST)
		return 0;
	return FIXED_LINES + l->optional + lines_of(live, columns);
}

/* Rather more columns than fewer of the lines above them. */
static bool find_columns(const struct live *live, struct layout *l, size_t room, size_t name)
{
	for (l->optional = OPTIONAL_LINES;; l->optional--) {
		for (size_t columns = 1; columns <= COLUMNS_MOST; columns++) {
			size_t lines = try_columns(live, l, columns, name);

			if (lines && lines <= room) {
				l->spare = room - lines;
				return true;
			}
		}
		if (l->optional == 0)
			return false;
	}
}

static struct layout choose(const struct live *live, const struct frame *f)
{
	size_t room = f->rows - 1, name = name_width(live), groups = group_width(live);
	struct layout l = {.width = f->columns - 1};
	bool ceilings = has_ceilings(live);

	if (!find_columns(live, &l, room, name)) {
		l.columns = l.spare = 0;
		l.cell = l.width;
		l.optional = room > FIXED_LINES + 2 ? 2 : 0;
	}
	name += l.indent;
	if (l.columns == 1)
		name = groups > name ? groups : name;
	l.parts = live_parts(l.cell, name, ceilings);
	l.sums =
		l.columns == 1 ? l.parts : live_parts(l.width, groups > 16 ? groups : 16, ceilings);
	return l;
}

static void draw_head(const struct view *view, struct frame *f)
{
	char left[SB_UNIT_TEXT], right[3 * SB_UNIT_TEXT];
	struct view_text where;
	size_t n = 0;

	view_where(&where, view);
	n += (size_t)snprintf(right, sizeof(right), "%.1f", view->elapsed_s);
	if (view->runtime_s > 0)
		n += (size_t)snprintf(right + n, sizeof(right) - n, " of %.1f", view->runtime_s);
	n += (size_t)snprintf(right + n, sizeof(right) - n, " s");
	if (view->left_s > 0)
		snprintf(right + n, sizeof(right) - n,
			 f->columns < NARROW ? ", %s left" : ", at most %s left",
			 sb_format_duration(left, view->left_s));
	n = report_columns(right) + 2;
	frame_cell(f, FRAME_BOLD, where.text, frame_left(f) > n ? frame_left(f) - n : 0, false);
	frame_text(f, FRAME_PLAIN, frame_left(f) >= n ? "  " : "");
	frame_text(f, FRAME_PLAIN, right);
	frame_end_line(f);
}

/* Where there are more CPUs than columns, the busiest of each few. */
static void draw_bars(const struct live *live, struct frame *f)
{
	size_t room = frame_left(f), per;

	if (room < 4 || !live->n_busy)
		return;
	room -= 3;
	per = (live->n_busy + room - 1) / room;
	frame_text(f, FRAME_PLAIN, "  ");
	for (size_t i = 0; i < live->n_busy; i += per) {
		double most = 0;

		for (size_t k = i; k < i + per && k < live->n_busy; k++)
			most = fmax(most, live->busy[k]);
		frame_text(f, most >= CPU_FULL ? FRAME_RED : FRAME_YELLOW, live_spark(f, most));
	}
}

static void draw_cpu(const struct live *live, struct frame *f)
{
	static const struct {
		const char *word, *letters;
		size_t offset;
	} parts[] = {{"user", "us", offsetof(struct sb_cpu_figures, user)},
		     {"nice", "ni", offsetof(struct sb_cpu_figures, nice)},
		     {"system", "sy", offsetof(struct sb_cpu_figures, system)},
		     {"iowait", "wa", offsetof(struct sb_cpu_figures, iowait)},
		     {"steal", "st", offsetof(struct sb_cpu_figures, steal)},
		     {"idle", "id", offsetof(struct sb_cpu_figures, idle)}};
	bool narrow = f->columns < 100;

	frame_text(f, FRAME_BOLD, narrow ? "CPU%" : "CPU %");
	for (size_t i = 0; i < SB_COUNT(parts); i++) {
		double value =
			*(const double *)(const void *)((const char *)&live->six + parts[i].offset);
		bool none = isnan(value) || !live->n_busy;

		frame_format(f, FRAME_PLAIN, narrow ? " %s" : "  %s",
			     narrow ? parts[i].letters : parts[i].word);
		if (none)
			frame_text(f, FRAME_PLAIN, " -");
		else
			frame_format(f, FRAME_PLAIN, narrow ? " %.0f" : " %.1f", value);
	}
	draw_bars(live, f);
	frame_end_line(f);
}

/* Over so many lines at most; what does not fit is cut. */
static void draw_said(const char *head, const char *text, size_t lines, struct frame *f)
{
	for (size_t i = 0; i < lines && *text; i++) {
		size_t room, fits, length;

		frame_cell(f, FRAME_DIM, i ? "" : head, SAID_COLUMNS, false);
		room = frame_left(f);
		fits = report_fit(text, room);
		length = fits;
		/* at a blank, if there is one */
		while (text[fits] && i + 1 < lines && length && text[length] != ' ')
			length--;
		length = length ? length : fits;
		if (text[fits] && i + 1 == lines && room > 2)
			frame_format(f, FRAME_PLAIN, "%.*s..", (int)report_fit(text, room - 2),
				     text);
		else
			frame_format(f, FRAME_PLAIN, "%.*s", (int)length, text);
		frame_end_line(f);
		text += length;
		text += strspn(text, " ");
	}
}

static void draw_devices(const struct live *live, const struct live_group *g,
			 const struct layout *l, struct frame *f)
{
	size_t lines = (g->n + l->columns - 1) / l->columns;
	size_t indent = l->indent ? l->indent + 2 * g->depth : 0;

	for (size_t line = 0; line < lines; line++) {
		for (size_t c = 0; c < l->columns; c++) {
			size_t at = c * lines + line, end = c * (l->cell + GAP);

			if (at >= g->n)
				break;
			if (f->used < end)
				frame_cell(f, FRAME_PLAIN, "", end - f->used, false);
			live_cell(f, &live->rows[live->order[g->first + at]], &l->parts, indent,
				  FRAME_PLAIN);
		}
		frame_end_line(f);
	}
}

/* "  12 devices of 74.4 to 75.3" */
static void draw_range(const struct live *live, const struct live_group *g, struct frame *f)
{
	double least = INFINITY, most = 0;
	size_t n = 0;

	for (size_t i = g->first; i < g->first + g->n; i++) {
		double rate = live->rows[live->order[i]].bytes_s;

		if (isnan(rate))
			continue;
		n++;
		least = fmin(least, rate);
		most = fmax(most, rate);
	}
	if (n)
		frame_format(f, FRAME_DIM, "  %zu of %.1f to %.1f", n, least / 1e6, most / 1e6);
}

/* Sums alone; of the devices those with faults, as far as there is room. */
static void draw_sums(const struct live *live, const struct layout *l, struct frame *f)
{
	size_t room = f->rows - 1;

	for (size_t i = 0; i < live->n_groups && f->n_lines < room && has_groups(live); i++) {
		live_cell(f, &live->groups[i].row, &l->sums, 2 * live->groups[i].depth, FRAME_BOLD);
		draw_range(live, &live->groups[i], f);
		frame_end_line(f);
	}
	for (size_t i = 0; i < live->n_rows && f->n_lines < room; i++) {
		const struct live_row *row = &live->rows[live->order[i]];

		if (!row->lost && !row->errors && !(row->silent_s > 0))
			continue;
		live_cell(f, row, &l->sums, 2, FRAME_PLAIN);
		frame_end_line(f);
	}
}

static void draw_tree(const struct live *live, const struct layout *l, struct frame *f)
{
	for (size_t i = 0; i < live->n_groups; i++) {
		const struct live_group *g = &live->groups[i];

		if (has_groups(live)) {
			live_cell(f, &g->row, &l->sums, 2 * g->depth, FRAME_BOLD);
			frame_end_line(f);
		}
		draw_devices(live, g, l, f);
	}
}

void live_draw(const struct live *live, const struct view *view, struct frame *f)
{
	struct layout l = choose(live, f);
	size_t room = f->rows - 1, more = l.spare < SAID_LINES ? l.spare : SAID_LINES;

	draw_head(view, f);
	if (l.optional >= 1 && room > 3 && live->reason)
		draw_said("why", live->reason, 1, f);
	if (l.optional >= 2 && room > 4 && live->sentence)
		draw_said("so far", live->sentence, 1 + more, f);
	if (room > 2)
		draw_cpu(live, f);
	if (l.optional >= 3) {
		live_heads(f, &l.sums);
		frame_end_line(f);
	}
	if (room > 1) {
		live_cell(f, &live->all, &l.sums, 0, FRAME_BOLD);
		frame_end_line(f);
	}
	if (l.columns)
		draw_tree(live, &l, f);
	else
		draw_sums(live, &l, f);
}
