/* The surfaces: how fast each place of a device is, what cannot be read there, which reads were
 * slow. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/surface.h"
#include "satabench/units.h"

#define CURVE 56 /* pixels */
#define CURVE_COLUMNS 512
#define FAULT_PERCENT 0.4 /* at least so wide, or it is not seen */

static const struct html_head heads[] = {
	{"device", "", ""},
	{"rate by place, % of its length", "p", ""},
	{"read", "n", "read"},
	{"MB/s", "n", "MB/s"},
	{"start MB/s", "n", "start"},
	{"end MB/s", "n", "end"},
	{"unreadable sectors", "n", "unreadable"},
	{"unclear", "n", "unclear"},
	{"skipped", "n", "skipped"},
	{"slow reads", "n", "slow reads"},
};
enum {
	HEAD_DEVICE,
	HEAD_CURVE,
	HEAD_READ,
	HEAD_RATE,
	HEAD_START,
	HEAD_END,
	HEAD_BAD,
	HEAD_UNCLEAR,
	HEAD_SKIPPED,
	HEAD_SLOW
};

bool html_has_surface(const struct page *page)
{
	return page->result->n_surfaces > 0;
}

static double percent_of(const struct sb_surface *s, uint64_t offset_bytes)
{
	return 100 * (double)(offset_bytes - s->offset_bytes) / (double)s->span_bytes;
}

static struct chart_span *curve_of(const struct sb_surface *s, double *most)
{
	struct chart_span *spans = calloc(s->n_buckets + 1, sizeof(*spans));

	*most = 0;
	for (size_t i = 0; spans && i < s->n_buckets; i++) {
		double rate = s->buckets[i].bytes_s / 1e6;

		spans[i] =
			(struct chart_span){100.0 * (double)i / (double)s->n_buckets,
					    100.0 * (double)(i + 1) / (double)s->n_buckets, rate};
		if (rate > *most)
			*most = rate;
	}
	return spans;
}

/* What cannot be read has the whole height, a slow read a mark at the top. */
static int write_curve(const struct page *page, const struct sb_surface *s)
{
	struct chart curve = {.out = page->out, .height = CURVE};
	double most;
	SB_AUTO_FREE struct chart_span *spans = curve_of(s, &most);

	if (!spans)
		return -ENOMEM;
	curve.x = chart_scale_linear(0, 100, 4);
	curve.y = chart_scale_linear(0, most, 1);
	curve.y.high = most > 0 ? most : 1;
	chart_row_begin(&curve);
	chart_steps(&curve, spans, s->n_buckets, CURVE_COLUMNS, true, "k-all");
	for (size_t i = 0; i < s->n_kept; i++) {
		const struct sb_surface_range *range = &s->ranges[i];
		double from = percent_of(s, range->offset_bytes);
		double to = percent_of(s, range->offset_bytes + range->length_bytes);

		if (range->kind != SB_SURFACE_RECOVERED)
			chart_row_bar(&curve, from, fmax(to, from + FAULT_PERCENT), 0, CURVE,
				      "limit");
	}
	for (size_t i = 0; i < s->n_outliers && i < s->n_slowest; i++)
		chart_row_mark(&curve, percent_of(s, s->slowest[i].offset_bytes), 6, 2);
	chart_row_end(&curve);
	return 0;
}

static char *sectors_text(const struct sb_surface *s, uint64_t bytes)
{
	return sb_format("%llu", (unsigned long long)(bytes / s->sector_bytes));
}

static int write_surface(const struct page *page, const struct sb_surface *s)
{
	char buf[SB_UNIT_TEXT];
	int rc;

	html_row_begin(page, "", 0);
	html_say(page, "%s", page->labels[s->device]);
	html_mark_links(page, page->result->devices[s->device].target);
	html_row_next(page);
	html_cell_begin(page, &heads[HEAD_CURVE]);
	rc = write_curve(page, s);
	html_cell_end(page);
	html_cell(page, &heads[HEAD_READ], strdup(sb_format_bytes(buf, s->read_bytes)));
	html_cell(page, &heads[HEAD_RATE], report_number_text(s->bytes_s / 1e6, 1));
	html_cell(page, &heads[HEAD_START], report_number_text(s->start_bytes_s / 1e6, 1));
	html_cell(page, &heads[HEAD_END], report_number_text(s->end_bytes_s / 1e6, 1));
	html_cell(page, &heads[HEAD_BAD], sectors_text(s, s->range_bytes[SB_SURFACE_UNREADABLE]));
	html_cell(page, &heads[HEAD_UNCLEAR], sectors_text(s, s->range_bytes[SB_SURFACE_UNCLEAR]));
	html_cell(page, &heads[HEAD_SKIPPED], sectors_text(s, s->range_bytes[SB_SURFACE_SKIPPED]));
	html_cell(
		page, &heads[HEAD_SLOW],
		sb_format("%zu%s", s->n_outliers, s->n_outliers == SB_SURFACE_SLOWEST ? "+" : ""));
	html_row_end(page);
	return rc;
}

static void write_places(const struct page *page)
{
	struct report_table t = {.align = "lrrr"};

	report_cell(&t, "device");
	report_cell(&t, "from byte");
	report_cell(&t, "% of its length");
	report_cell(&t, "MB/s");
	for (size_t i = 0; i < page->result->n_surfaces; i++) {
		const struct sb_surface *s = &page->result->surfaces[i];

		for (size_t k = 0; k < s->n_buckets; k++) {
			report_cell(&t, page->labels[s->device]);
			report_cell_take(
				&t,
				sb_format("%llu", (unsigned long long)s->buckets[k].offset_bytes));
			report_cell_number(&t, percent_of(s, s->buckets[k].offset_bytes), 1);
			report_cell_number(&t, s->buckets[k].bytes_s / 1e6, 1);
		}
	}
	html_details(page, &t, "Rate of each place");
}

static void write_ranges(const struct page *page)
{
	static const char *const names[] = {"device", "first sector", "sectors", "state", "error"};
	struct report_table t = {.align = "lrrll"};

	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t i = 0; i < page->result->n_surfaces; i++) {
		const struct sb_surface *s = &page->result->surfaces[i];

		for (size_t k = 0; k < s->n_kept; k++) {
			const struct sb_surface_range *range = &s->ranges[k];
			const char *text = range->error ? strerrordesc_np(range->error) : NULL;

			report_cell(&t, page->labels[s->device]);
			report_cell_take(&t, sectors_text(s, range->offset_bytes));
			report_cell_take(
				&t, sectors_text(s, range->length_bytes + s->sector_bytes - 1));
			report_cell(&t, sb_surface_kind_name(range->kind));
			report_cell(&t, text ? text : "");
		}
		if (s->n_ranges > s->n_kept) {
			report_cell(&t, page->labels[s->device]);
			report_cell(&t, "");
			report_cell(&t, "");
			report_cell_take(&t,
					 sb_format("%llu more",
						   (unsigned long long)(s->n_ranges - s->n_kept)));
			report_cell(&t, "");
		}
	}
	html_table(page, &t, "What could not be read at once; sectors are logical ones");
}

static void write_slowest(const struct page *page)
{
	static const char *const names[] = {"device", "sector", "% of its length", "took"};
	struct report_table t = {.align = "lrrr"};
	char buf[SB_UNIT_TEXT];

	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t i = 0; i < page->result->n_surfaces; i++) {
		const struct sb_surface *s = &page->result->surfaces[i];

		for (size_t k = 0; k < s->n_outliers && k < s->n_slowest; k++) {
			report_cell(&t, page->labels[s->device]);
			report_cell_take(&t, sectors_text(s, s->slowest[k].offset_bytes));
			report_cell_number(&t, percent_of(s, s->slowest[k].offset_bytes), 2);
			report_cell(&t, sb_format_latency(buf, (double)s->slowest[k].latency_ns));
		}
	}
	html_table(page, &t, "Slow reads, the slowest first");
}

void html_surface_sentence(const struct page *page)
{
	const struct sb_result *r = page->result;
	unsigned long long bad = 0;
	size_t devices = 0;

	for (size_t i = 0; i < r->n_surfaces; i++) {
		const struct sb_surface *s = &r->surfaces[i];

		bad += s->range_bytes[SB_SURFACE_UNREADABLE] / s->sector_bytes;
		devices += s->range_bytes[SB_SURFACE_UNREADABLE] > 0;
	}
	html_say(page, "%zu device%s read by place: ", r->n_surfaces,
		 r->n_surfaces == 1 ? "" : "s");
	if (bad == 0)
		html_say(page, "no sector is known to be unreadable");
	else
		html_say(page, "%llu sector%s of %zu of them cannot be read", bad,
			 bad == 1 ? "" : "s", devices);
}

int html_surface(const struct page *page)
{
	const struct sb_result *r = page->result;
	struct chart axis = {.out = page->out};
	int rc = 0;

	axis.x = chart_scale_linear(0, 100, 4);
	fputs("<p class=\"key\"><span><svg width=\"14\" height=\"10\" aria-hidden=\"true\"><rect "
	      "class=\"limit\" width=\"14\" height=\"10\"/></svg> not all readable</span> "
	      "<span><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><svg x=\"6\" y=\"6\" "
	      "class=\"at\"><use href=\"#m-2\"/></svg></svg> a slow read</span></p>\n",
	      page->out);
	html_rows_begin(page,
			"Each device from its first to its last byte, as high as its fastest "
			"place.",
			heads, SB_COUNT(heads), &axis);
	for (size_t i = 0; rc == 0 && i < r->n_surfaces; i++)
		rc = write_surface(page, &r->surfaces[i]);
	html_rows_end(page);
	write_ranges(page);
	write_slowest(page);
	write_places(page);
	return rc;
}
