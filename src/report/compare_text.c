/* A comparison, for people: the answer first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/report.h"

#define TELL_MOST 5
#define KIBI_MS 1e3 /* CPU time is shown in ms/GiB */

/* "-5.1 to -4.0" */
static char *interval_text(const struct sb_shift *s)
{
	SB_AUTO_FREE char *low = report_number_text(100 * s->low, 1);
	SB_AUTO_FREE char *high = report_number_text(100 * s->high, 1);

	if (isnan(s->low))
		return strdup("-");
	return low && high ? sb_format("%s to %s", low, high) : NULL;
}

/* "8", or "8, 3" */
static char *n_text(const struct sb_shift *s, const char *between)
{
	return s->before.n == s->after.n ? sb_format("%zu", s->before.n)
					 : sb_format("%zu%s%zu", s->before.n, between, s->after.n);
}

/* Never less than it is. */
static double round_up(double percent)
{
	return ceil(percent * 10 - 1e-9) / 10;
}

static char *word_text(const struct sb_shift *s)
{
	SB_AUTO_FREE char *n = n_text(s, " and ");

	if (s->word == SB_SHIFT_CANNOT_TELL)
		return n ? sb_format("cannot tell with n = %s", n) : NULL;
	if (s->word == SB_SHIFT_SAME)
		return sb_format("same within %.1f %%", round_up(100 * s->within));
	return strdup(sb_shift_word_name(s));
}

static char *name_text(const struct sb_shift *s)
{
	SB_AUTO_FREE char *name = sb_escape(s->name);
	SB_AUTO_FREE char *after = s->name_after ? sb_escape(s->name_after) : NULL;

	if (!name)
		return NULL;
	if (s->kind == SB_SHIFT_TOTAL)
		return sb_format("total of %zu", s->n_devices);
	if (s->kind == SB_SHIFT_CONTROLLER)
		return sb_format("%s%s%s (%zu)", name, after ? " -> " : "", after ? after : "",
				 s->n_devices);
	return sb_format("%s%s%s", name, after ? " -> " : "", after ? after : "");
}

static void add_row(struct report_table *table, const struct sb_shift *s, int decimals)
{
	bool cost = s->kind == SB_SHIFT_CPU;
	double unit = cost ? 1 / KIBI_MS : 1e6;

	report_cell_take(table, name_text(s));
	report_cell_number(table, s->before.value / unit, cost ? 1 : decimals);
	report_cell_number(table, s->after.value / unit, cost ? 1 : decimals);
	report_cell_number(table, 100 * s->shift, 1);
	report_cell_take(table, interval_text(s));
	report_cell_take(table, n_text(s, ", "));
	report_cell_take(table, word_text(s));
}

static void add_heads(struct report_table *table, const char *what)
{
	static const char *const heads[] = {"before", "after", "shift %", "95 % interval", "n", ""};

	report_cell(table, what);
	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(table, heads[i]);
}

static int decimals_of(const struct sb_comparison *c)
{
	double least = INFINITY;

	for (size_t i = 0; i < c->n_shifts; i++)
		if (c->shifts[i].kind != SB_SHIFT_CPU)
			least = fmin(least,
				     fmin(c->shifts[i].before.value, c->shifts[i].after.value));
	return least < 9.995e6 ? 2 : 1;
}

static int print_rows(FILE *out, const struct sb_comparison *c)
{
	static const char *const heads[SB_SHIFT_KINDS] = {[SB_SHIFT_TOTAL] = "MB/s",
							  [SB_SHIFT_CONTROLLER] =
								  "controller (disks)",
							  [SB_SHIFT_ARRAY] = "array",
							  [SB_SHIFT_DEVICE] = "device",
							  [SB_SHIFT_CPU] = "ms/GiB"};
	struct report_table table = {.align = "lrrrrll"};
	int decimals = decimals_of(c);

	for (size_t i = 0; i < c->n_shifts; i++) {
		const struct sb_shift *s = &c->shifts[i];

		if (i == 0 || s->kind != s[-1].kind) {
			if (i > 0)
				report_line_take(&table, strdup(""));
			add_heads(&table, heads[s->kind]);
		}
		add_row(&table, s, decimals);
	}
	return report_table_print(&table, out, "  ");
}

static int print_changes(FILE *out, const struct sb_comparison *c)
{
	struct report_table table = {.align = "ll"};

	fputs(c->n_changes ? "What changed\n" : "Nothing else changed that a result knows of.\n",
	      out);
	for (size_t i = 0; i < c->n_changes; i++) {
		const struct sb_change *x = &c->changes[i];
		SB_AUTO_FREE char *subject = x->subject ? sb_escape(x->subject) : NULL;
		SB_AUTO_FREE char *before = sb_escape(x->before ? x->before : "not known");
		SB_AUTO_FREE char *after = sb_escape(x->after ? x->after : "not known");

		report_cell(&table, x->what);
		report_cell_take(&table, before && after
						 ? sb_format("%s%s%s -> %s", subject ? subject : "",
							     subject ? ": " : "", before, after)
						 : NULL);
	}
	return report_table_print(&table, out, "  ");
}

static void print_sessions(FILE *out, const struct sb_comparison *c)
{
	for (size_t i = 0; i < c->n_sessions; i++) {
		const struct sb_session *s = &c->sessions[i];
		SB_AUTO_FREE char *file = sb_escape(s->file);
		SB_AUTO_FREE char *label = s->label ? sb_escape(s->label) : NULL;

		fprintf(out, "%s  %s  %s%s%s  %zu round%s\n",
			i == 0		   ? "before"
			: i == c->n_before ? "after "
					   : "      ",
			file ? file : "?", s->started ? s->started : "", label ? "  " : "",
			label ? label : "", s->rounds, s->rounds == 1 ? "" : "s");
	}
}

/* How many devices got so, and which. */
static void tell_devices(FILE *out, const struct sb_comparison *c, int kind, int word)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_shifts; i++) {
		const struct sb_shift *s = &c->shifts[i];
		SB_AUTO_FREE char *name = sb_escape(s->name);

		if (s->kind != kind || s->word != word || n++ > TELL_MOST)
			continue;
		if (n == 1)
			fprintf(out, "%s: ", word == SB_SHIFT_WORSE ? "slower" : "faster");
		fprintf(out, "%s%s",
			n == 1		? ""
			: n > TELL_MOST ? " ..."
					: ", ",
			n > TELL_MOST ? ""
			: name	      ? name
				      : "?");
		if (n <= TELL_MOST)
			fprintf(out, " %+.1f %%", 100 * s->shift);
	}
	if (n)
		fputc('\n', out);
}

static void print_answer(FILE *out, const struct sb_comparison *c)
{
	const struct sb_shift *total = &c->shifts[0];
	SB_AUTO_FREE char *word = word_text(total);
	SB_AUTO_FREE char *interval = interval_text(total);

	fprintf(out, "%s: %s", c->alone ? "One at a time" : "Together", word ? word : "?");
	if (!isnan(total->shift))
		fprintf(out, ", %+.1f %%", 100 * total->shift);
	if (!isnan(total->low))
		fprintf(out, " (%s at 95 %%)", interval ? interval : "?");
	fputc('\n', out);
	for (int kind = SB_SHIFT_CONTROLLER; kind <= SB_SHIFT_DEVICE; kind++) {
		tell_devices(out, c, kind, SB_SHIFT_WORSE);
		tell_devices(out, c, kind, SB_SHIFT_BETTER);
	}
	if (c->doubtful)
		fputs("! doubtful: see the notes\n", out);
}

int report_compare_text(FILE *out, const struct sb_comparison *c)
{
	SB_AUTO_FREE char *threshold = report_double_text(report_percent(c->threshold));
	int rc;

	print_answer(out, c);
	fputc('\n', out);
	print_sessions(out, c);
	fputc('\n', out);
	rc = print_changes(out, c);
	fprintf(out, "\n%s, by rounds\n", c->alone ? "Each device alone" : "All devices together");
	if (rc == 0)
		rc = print_rows(out, c);
	fprintf(out,
		"  faster, slower: surely another (Welch's t, 2 %%; controllers and devices by "
		"Holm), "
		"and by %s %% or more\n",
		threshold ? threshold : "?");
	if (c->n_notes)
		fputs("\nTo be known\n", out);
	for (size_t i = 0; i < c->n_notes; i++)
		report_paragraph(out, "  - ", c->notes[i]);
	if (c->advice)
		fprintf(out, "    enough on each side: %s\n", c->advice);
	return rc ? rc : report_stream_status(out);
}
