/* One line, or one cell of a line, of the live view. */
#include <math.h>

#include "live_priv.h"
#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/units.h"

#define RATE_COLUMNS 8
#define HISTORY_LEAST 6
#define LATENCY_COLUMNS 8
#define SHARE_COLUMNS 5
#define FAULT_COLUMNS 16
#define NEARLY_FULL 0.85

struct live_parts live_parts(size_t width, size_t name, bool has_ceilings)
{
	size_t most = width > RATE_COLUMNS + 1 ? width - RATE_COLUMNS - 1 : 0;
	struct live_parts p = {.name = name < most ? name : most, .rate = RATE_COLUMNS};
	size_t rest = most - p.name;

	if (rest > HISTORY_LEAST) {
		p.history = HISTORY_LEAST;
		rest -= HISTORY_LEAST + 1;
	}
	if (rest > LATENCY_COLUMNS) {
		p.latency = LATENCY_COLUMNS;
		rest -= LATENCY_COLUMNS + 1;
	}
	if (rest > SHARE_COLUMNS && has_ceilings) {
		p.share = SHARE_COLUMNS;
		rest -= SHARE_COLUMNS + 1;
	}
	if (rest > FAULT_COLUMNS + 1) {
		p.fault = FAULT_COLUMNS;
		rest -= FAULT_COLUMNS + 2;
	}
	if (p.history)
		p.history +=
			rest < LIVE_HISTORY - HISTORY_LEAST ? rest : LIVE_HISTORY - HISTORY_LEAST;
	return p;
}

/* A full block would grow together with the line above. */
const char *live_spark(const struct frame *f, double value)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇"};
	static const char *const plain[] = {"_", ".", ":", "-", "=", "+", "#"};
	int level = value >= 1 ? 6 : value > 0 ? (int)(value * 7) : 0;

	return isnan(value) ? " " : f->utf8 ? blocks[level] : plain[level];
}

static void put_blank(struct frame *f)
{
	frame_text(f, FRAME_PLAIN, " ");
}

static void put_history(struct frame *f, const struct live_row *row, size_t columns)
{
	char text[LIVE_HISTORY * 4 + 1] = "";
	size_t n = 0;

	put_blank(f);
	for (size_t i = LIVE_HISTORY - columns; i < LIVE_HISTORY; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
				      live_spark(f, row->history[i] / row->most));
	frame_text(f, FRAME_CYAN, text);
}

static bool is_faulty(const struct live_row *row)
{
	return row->lost || row->errors > 0 || row->silent_s > 0;
}

static void put_rate(struct frame *f, const struct live_row *row, size_t columns, int style)
{
	char text[SB_UNIT_TEXT];

	if (isnan(row->bytes_s))
		snprintf(text, sizeof(text), "%s", row->lost ? row->lost : row->active ? "-" : "");
	else
		snprintf(text, sizeof(text), "%.1f", row->bytes_s / 1e6);
	frame_cell(f, style, text, columns, true);
}

static void put_fault(struct frame *f, const struct live_row *row, size_t columns)
{
	char text[SB_UNIT_TEXT * 2] = "", rate[SB_UNIT_TEXT];

	if (row->lost)
		snprintf(text, sizeof(text), "%s", row->lost);
	else if (row->silent_s > 0)
		snprintf(text, sizeof(text), "no answer %.0f s", row->silent_s);
	else if (row->errors > 0)
		snprintf(text, sizeof(text), "%llu error%s", (unsigned long long)row->errors,
			 row->errors == 1 ? "" : "s");
	else if (!isnan(row->ceiling))
		snprintf(text, sizeof(text), "of %s", sb_format_rate(rate, row->ceiling));
	frame_text(f, FRAME_PLAIN, "  ");
	frame_cell(f, is_faulty(row) ? FRAME_RED : FRAME_DIM, text, columns, false);
}

void live_cell(struct frame *f, const struct live_row *row, const struct live_parts *parts,
	       size_t indent, int style)
{
	char text[SB_UNIT_TEXT];
	double share = row->bytes_s / row->ceiling;
	bool is_full = share >= NEARLY_FULL;

	if (is_faulty(row))
		style = FRAME_RED;
	else if (!row->active && style == FRAME_PLAIN)
		style = FRAME_DIM;
	indent = indent < parts->name ? indent : 0;
	frame_cell(f, FRAME_PLAIN, "", indent, false);
	frame_cell(f, style, row->label, parts->name - indent, false);
	frame_text(f, FRAME_RED, is_faulty(row) ? "!" : " ");
	put_rate(f, row, parts->rate, style);
	if (parts->history)
		put_history(f, row, parts->history);
	if (parts->latency) {
		put_blank(f);
		frame_cell(f, FRAME_PLAIN,
			   isnan(row->latency_ns) ? "" : sb_format_latency(text, row->latency_ns),
			   parts->latency, true);
	}
	if (parts->share) {
		snprintf(text, sizeof(text), isnan(share) ? "" : "%.0f %%", 100 * share);
		put_blank(f);
		frame_cell(f, is_full ? FRAME_YELLOW : FRAME_PLAIN, text, parts->share, true);
	}
	if (parts->fault)
		put_fault(f, row, parts->fault);
}

void live_heads(struct frame *f, const struct live_parts *parts)
{
	char text[SB_UNIT_TEXT];

	frame_cell(f, FRAME_DIM, "", parts->name + 1, false);
	frame_cell(f, FRAME_DIM, "MB/s", parts->rate, true);
	if (parts->history) {
		put_blank(f);
		snprintf(text, sizeof(text), parts->history < 9 ? "%zu s" : "last %zu s",
			 parts->history / 2);
		frame_cell(f, FRAME_DIM, text, parts->history, true);
	}
	if (parts->latency) {
		put_blank(f);
		frame_cell(f, FRAME_DIM, "latency", parts->latency, true);
	}
	if (parts->share) {
		put_blank(f);
		frame_cell(f, FRAME_DIM, "full", parts->share, true);
	}
}
