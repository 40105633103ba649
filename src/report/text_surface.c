/* The surfaces in the text report: how much was read, the curve by place, what cannot be read and
 * what was slow. */
#include "report_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/surface.h"
#include "satabench/units.h"

#define CURVE_COLUMNS 64u
#define RANGES_SHOWN 16u /* of a device; the JSON result has more */
#define SLOWEST_SHOWN 8u

static const char *const kind_words[SB_SURFACE_KINDS] = {
	[SB_SURFACE_UNREADABLE] = "unreadable",
	[SB_SURFACE_UNCLEAR] = "failed, not tried by sector",
	[SB_SURFACE_SKIPPED] = "skipped, not tried",
	[SB_SURFACE_RECOVERED] = "read at the second try",
};

static char *done_text(const struct sb_surface *s)
{
	uint64_t total = sb_surface_total(s);
	double percent = total ? 100 * (double)s->position_bytes / (double)total : 100;

	/* what is not all is not 100.0 */
	if (s->position_bytes < total && percent > 99.9)
		percent = 99.9;
	return sb_format("%.1f %%", percent);
}

static char *sectors_text(const struct sb_surface *s, uint64_t bytes)
{
	return sb_format("%llu", (unsigned long long)(bytes / s->sector_bytes));
}

static int print_amounts(FILE *out, const struct sb_result *result, char *const *labels)
{
	static const char *const heads[] = {"device",  "read",	    "done", "in",
					    "MB/s",    "start",	    "end",  "unreadable",
					    "unclear", "slow reads"};
	struct report_table t = {.align = "lrrrrrrrrr"};
	char buf[SB_UNIT_TEXT];

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < result->n_surfaces; i++) {
		const struct sb_surface *s = &result->surfaces[i];
		bool full = s->n_outliers == SB_SURFACE_SLOWEST;

		report_cell(&t, labels[s->device]);
		report_cell(&t, sb_format_bytes(buf, s->read_bytes));
		report_cell_take(&t, done_text(s));
		report_cell(&t, sb_format_duration(buf, (double)s->elapsed_ns / 1e9));
		report_cell_number(&t, s->bytes_s / 1e6, 1);
		report_cell_number(&t, s->start_bytes_s / 1e6, 1);
		report_cell_number(&t, s->end_bytes_s / 1e6, 1);
		report_cell_take(&t, sectors_text(s, s->range_bytes[SB_SURFACE_UNREADABLE]));
		report_cell_take(&t, sectors_text(s, s->range_bytes[SB_SURFACE_UNCLEAR] +
							     s->range_bytes[SB_SURFACE_SKIPPED]));
		report_cell_take(&t, sb_format("%zu%s", s->n_outliers, full ? "+" : ""));
	}
	return report_table_print(&t, out, "  ");
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What nearly all places stay below: a single bucket out of the disk's cache is not the measure. */
static double full_rate(const struct sb_surface *s)
{
	SB_AUTO_FREE double *rates = calloc(s->n_buckets + 1, sizeof(*rates));
	size_t n = 0;

	for (size_t i = 0; rates && i < s->n_buckets; i++)
		if (!isnan(s->buckets[i].bytes_s))
			rates[n++] = s->buckets[i].bytes_s;
	if (n == 0)
		return NAN;
	qsort(rates, n, sizeof(*rates), compare);
	return rates[(n - 1) * 95 / 100];
}

static bool has_fault(const struct sb_surface *s, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < s->n_kept; i++) {
		const struct sb_surface_range *r = &s->ranges[i];

		if (r->kind != SB_SURFACE_RECOVERED && r->offset_bytes < to &&
		    from < r->offset_bytes + r->length_bytes)
			return true;
	}
	return false;
}

/* Buckets from `first` up to `last`: a digit, x or a point. */
static char column_of(const struct sb_surface *s, size_t first, size_t last, double most)
{
	uint64_t bytes = 0, ns = 0;
	int tenth;

	for (size_t i = first; i < last; i++) {
		bytes += s->buckets[i].timed_bytes;
		ns += s->buckets[i].ns;
	}
	if (has_fault(s, s->offset_bytes + first * s->bucket_bytes,
		      s->offset_bytes + last * s->bucket_bytes))
		return 'x';
	if (!bytes || !ns || !(most > 0))
		return '.';
	tenth = (int)((double)bytes * 1e9 / (double)ns / most * 10);
	return (char)('0' + (tenth > 9 ? 9 : tenth));
}

static char *curve_text(const struct sb_surface *s)
{
	size_t columns = s->n_buckets < CURVE_COLUMNS ? s->n_buckets : CURVE_COLUMNS;
	char *text = calloc(columns + 1, 1);
	double most = full_rate(s);

	for (size_t c = 0; text && c < columns; c++)
		text[c] = column_of(s, c * s->n_buckets / columns, (c + 1) * s->n_buckets / columns,
				    most);
	return text;
}

static int print_curves(FILE *out, const struct sb_result *result, char *const *labels)
{
	struct report_table t = {.align = "lrl"};

	report_cell(&t, "device");
	report_cell(&t, "full MB/s");
	report_cell(
		&t,
		"by place: tenths of full (the 95th percentile); x not all readable, . not read");
	for (size_t i = 0; i < result->n_surfaces; i++) {
		const struct sb_surface *s = &result->surfaces[i];

		report_cell(&t, labels[s->device]);
		report_cell_number(&t, full_rate(s) / 1e6, 1);
		report_cell_take(&t, curve_text(s));
	}
	fputc('\n', out);
	return report_table_print(&t, out, "  ");
}

static void add_range(struct report_table *t, const struct sb_surface *s,
		      const struct sb_surface_range *r, const char *label)
{
	uint64_t first = r->offset_bytes / s->sector_bytes;
	uint64_t n = (r->length_bytes + s->sector_bytes - 1) / s->sector_bytes;

	report_cell(t, label);
	report_cell_take(t, sb_format("%llu", (unsigned long long)first));
	report_cell_take(t, sb_format("%llu", (unsigned long long)(first + n - 1)));
	report_cell_take(t, sb_format("%llu", (unsigned long long)n));
	report_cell_take(t,
			 r->error ? sb_format("%s: %s", kind_words[r->kind],
					      strerrordesc_np(r->error) ? strerrordesc_np(r->error)
									: "unknown error")
				  : strdup(kind_words[r->kind]));
}

static int print_ranges(FILE *out, const struct sb_result *result, char *const *labels)
{
	static const char *const heads[] = {"device", "first sector", "last sector", "sectors", ""};
	struct report_table t = {.align = "lrrrl"};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < result->n_surfaces; i++) {
		const struct sb_surface *s = &result->surfaces[i];
		size_t shown = s->n_kept < RANGES_SHOWN ? s->n_kept : RANGES_SHOWN;

		for (size_t k = 0; k < shown; k++)
			add_range(&t, s, &s->ranges[k], labels[s->device]);
		if (s->n_ranges > shown)
			report_line_take(&t, sb_format("%s: and %llu more", labels[s->device],
						       (unsigned long long)(s->n_ranges - shown)));
	}
	if (t.n_cells == SB_COUNT(heads)) { /* the heads alone */
		report_table_free(&t);
		return 0;
	}
	fputs("\nWhat could not be read; sectors are logical ones\n", out);
	return report_table_print(&t, out, "  ");
}

static int print_slowest(FILE *out, const struct sb_result *result, char *const *labels)
{
	static const char *const heads[] = {"device", "sector", "of the way", "took"};
	struct report_table t = {.align = "lrrr"};
	char buf[SB_UNIT_TEXT];

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < result->n_surfaces; i++) {
		const struct sb_surface *s = &result->surfaces[i];

		for (size_t k = 0; k < s->n_outliers && k < SLOWEST_SHOWN; k++) {
			const struct sb_surface_slow *slow = &s->slowest[k];
			uint64_t at = slow->offset_bytes - s->offset_bytes;

			report_cell(&t, labels[s->device]);
			report_cell_take(&t, sectors_text(s, slow->offset_bytes));
			report_cell_take(
				&t, sb_format("%.2f %%", 100 * (double)at / (double)s->span_bytes));
			report_cell(&t, sb_format_latency(buf, (double)slow->latency_ns));
		}
	}
	if (t.n_cells == SB_COUNT(heads)) {
		report_table_free(&t);
		return 0;
	}
	fputs("\nSlow reads, the slowest first\n", out);
	return report_table_print(&t, out, "  ");
}

int report_text_surface(FILE *out, const struct sb_result *result, char *const *labels)
{
	const struct sb_surface *first = result->surfaces;
	char buf[SB_UNIT_TEXT];
	int rc;

	fputs("\nSurface", out);
	if (!sb_surface_is_whole(first))
		fprintf(out, " at %llu places of %s", (unsigned long long)first->places,
			sb_format_block(buf, first->run_bytes));
	fputs(", all devices at once; unreadable and unclear in sectors\n", out);
	rc = print_amounts(out, result, labels);
	if (rc == 0)
		rc = print_curves(out, result, labels);
	if (rc == 0)
		rc = print_ranges(out, result, labels);
	return rc ? rc : print_slowest(out, result, labels);
}
