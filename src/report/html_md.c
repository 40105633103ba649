/* Arrays: their members alone and together, and what the array gave against what it should. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define PAIR 22 /* pixels: two bars */

static const struct html_head member_heads[] = {
	{"member", "", ""},
	{"MB/s", "p", ""},
	{"slot", "n", "slot"},
	{"alone MB/s", "n", "alone"},
	{"together MB/s", "n", "together"},
	{"loss %", "n", "loss %"},
	{"state", "", ""},
};
enum { MEMBER_NAME, MEMBER_BARS, MEMBER_SLOT, MEMBER_ALONE, MEMBER_ALL, MEMBER_LOSS, MEMBER_STATE };

static const struct html_head reading_heads[] = {
	{"array, read by", "", ""},
	{"MB/s", "p", ""},
	{"gives MB/s", "n", "gives"},
	{"should give MB/s", "n", "should"},
	{"it is", "", ""},
	{"all arrays at once MB/s", "n", "with all arrays"}, /* left out where nothing is known */
};
enum { READING_BY, READING_BARS, READING_RATE, READING_RANGE, READING_PLACE, READING_BESIDE };

bool html_has_md(const struct page *page)
{
	return page->result->n_md > 0;
}

static void write_rates(const struct page *page, const struct chart *bars, char *slot, double alone,
			double together, char *state)
{
	html_row_next(page);
	html_cell_begin(page, &member_heads[MEMBER_BARS]);
	if (bars) {
		chart_row_begin(bars);
		chart_row_bar(bars, 0, alone / 1e6, 2, 8, "alone");
		chart_row_bar(bars, 0, together / 1e6, 11, 8, "together");
		chart_row_end(bars);
	}
	html_cell_end(page);
	html_cell(page, &member_heads[MEMBER_SLOT], slot);
	html_cell(page, &member_heads[MEMBER_ALONE], html_rate(page, alone));
	html_cell(page, &member_heads[MEMBER_ALL], html_rate(page, together));
	html_cell(page, &member_heads[MEMBER_LOSS],
		  report_number_text(100 * (1 - together / alone), 1));
	html_cell(page, &member_heads[MEMBER_STATE], state);
	html_row_end(page);
}

static void write_members(const struct page *page, const struct sb_md_array *array)
{
	struct chart bars = {.out = page->out, .height = PAIR};
	double most = 0;

	if (array->n_members == 0)
		return;
	for (size_t i = 0; i < array->n_members; i++)
		most = fmax(most, fmax(array->members[i].alone_bytes_s,
				       array->members[i].together_bytes_s));
	bars.x = chart_scale_linear(0, most / 1e6, 6);
	html_rows_begin(page,
			"Its members, each alone (hatched), and together with the other members.",
			member_heads, SB_COUNT(member_heads), &bars);
	for (size_t i = 0; i < array->n_members; i++) {
		const struct sb_md_member *m = &array->members[i];

		html_row_begin(page, (int)i == array->slowest ? "slowest" : "", 0);
		if (m->device >= 0)
			html_say(page, "%s", page->labels[m->device]);
		else
			html_raw(page, m->name);
		write_rates(page, &bars, m->slot < 0 ? strdup("") : sb_format("%d", m->slot),
			    m->alone_bytes_s, m->together_bytes_s,
			    sb_escape(m->state ? m->state : sb_md_role_name(m->role)));
	}
	html_row_begin(page, "sum", 0);
	fputs("sum", page->out);
	write_rates(page, NULL, strdup(""), array->alone_bytes_s, array->together_bytes_s,
		    strdup(""));
	html_rows_end(page);
}

static char *range_text(const struct page *page, const struct sb_md_range *range)
{
	SB_AUTO_FREE char *low = html_rate(page, range->low);
	SB_AUTO_FREE char *high = html_rate(page, range->high);

	if (isnan(range->low))
		return strdup("-");
	return low && high ? sb_format("%s to %s", low, high) : NULL;
}

static void write_reading(const struct page *page, const struct chart *bars,
			  const struct sb_md_reading *reading, bool beside)
{
	const struct sb_md_range *theory = &reading->theory;

	if (reading->streams == 0)
		return;
	html_row_begin(page, "", 0);
	html_say(page, "%u reader%s", reading->streams, reading->streams == 1 ? "" : "s");
	html_row_next(page);
	html_cell_begin(page, &reading_heads[READING_BARS]);
	chart_row_begin(bars);
	chart_row_bar(bars, 0, reading->bytes_s / 1e6, 2, 8, "together");
	/* one value is a line, that can be seen, too */
	chart_row_bar(bars, theory->low / 1e6, theory->high / 1e6, 11, 8, "theory");
	chart_row_end(bars);
	html_cell_end(page);
	html_cell(page, &reading_heads[READING_RATE], html_rate(page, reading->bytes_s));
	html_cell(page, &reading_heads[READING_RANGE], range_text(page, theory));
	html_cell(page, &reading_heads[READING_PLACE], report_md_place(reading));
	if (beside)
		html_cell(page, &reading_heads[READING_BESIDE],
			  html_rate(page, reading->beside_bytes_s));
	html_row_end(page);
}

static void write_readings(const struct page *page, const struct sb_md_array *array)
{
	const struct sb_md_reading *const readings[] = {&array->one, &array->many};
	struct chart bars = {.out = page->out, .height = PAIR};
	bool beside = !isnan(array->one.beside_bytes_s) || !isnan(array->many.beside_bytes_s);
	double most = 0;

	if (array->one.streams == 0 && array->many.streams == 0)
		return;
	for (size_t i = 0; i < SB_COUNT(readings); i++)
		most = fmax(most, fmax(readings[i]->bytes_s, readings[i]->theory.high));
	bars.x = chart_scale_linear(0, most / 1e6, 6);
	html_rows_begin(page,
			"What the array gave (full bar), and the range that it should give by what "
			"its members give together (hatched).",
			reading_heads, SB_COUNT(reading_heads) - !beside, &bars);
	for (size_t i = 0; i < SB_COUNT(readings); i++)
		write_reading(page, &bars, readings[i], beside);
	html_rows_end(page);
}

int html_md(const struct page *page)
{
	const struct sb_result *r = page->result;

	for (size_t i = 0; i < r->n_md; i++) {
		const struct sb_md_array *array = &r->md[i];

		fputs("<h3>", page->out);
		html_take(page, report_md_line(r, page->labels, array, 0));
		if (array->node >= 0)
			html_mark_links(page, r->topo.nodes[array->node].id);
		fputs("</h3>\n", page->out);
		write_members(page, array);
		write_readings(page, array);
		for (size_t line = 1; line < REPORT_MD_LINES; line++) {
			SB_AUTO_FREE char *text = report_md_line(r, page->labels, array, line);

			if (!text || !*text)
				continue;
			fputs("<p>", page->out);
			html_say(page, "%s", text);
			fputs("</p>\n", page->out);
		}
	}
	return 0;
}
