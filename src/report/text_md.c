/* A block an array: its members at two levels, what it gave and should have given, where the rest
 * is lost, and what md says of itself. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define MB 1e6

struct block {
	FILE *out;
	const struct sb_result *result;
	char *const *labels;
	const struct sb_md_array *array;
	int decimals;
};

bool report_is_array(const struct sb_result *result, size_t device)
{
	for (size_t i = 0; i < result->n_md; i++)
		if (result->md[i].device == (int)device && result->md[i].one.streams)
			return true;
	return false;
}

static char *member_name(const struct block *b, const struct sb_md_member *m)
{
	return m->device >= 0 ? strdup(b->labels[m->device]) : sb_escape(m->name);
}

/* "raid5, 4 disks, left-symmetric, chunk 64 KiB, clean, idle" */
static void write_head(FILE *out, const struct block *b)
{
	const struct sb_md_array *a = b->array;
	SB_AUTO_FREE char *name =
		a->device >= 0 ? strdup(b->labels[a->device]) : sb_escape(a->name);
	SB_AUTO_FREE char *layout = sb_md_layout_text(a->kind, a->layout);
	char buf[SB_UNIT_TEXT];

	fprintf(out, "Array %s: %s", name ? name : "?",
		a->level		     ? a->level
		: a->kind == SB_MD_CONTAINER ? "container"
					     : "not running");
	if (a->raid_disks != SB_NONE_U64)
		fprintf(out, ", %" PRIu64 " slots", a->raid_disks);
	if (layout && *layout)
		fprintf(out, ", %s", layout);
	if (a->chunk_bytes != SB_NONE_U64 && a->chunk_bytes > 0)
		fprintf(out, ", chunk %s", sb_format_block(buf, a->chunk_bytes));
	if (a->size_bytes != SB_NONE_U64)
		fprintf(out, ", %s", sb_format_bytes(buf, a->size_bytes));
	if (a->array_state)
		fprintf(out, ", %s", a->array_state);
	if (a->sync_action)
		fprintf(out, ", %s", a->sync_action);
}

static void add_rate(struct report_table *t, const struct block *b, double bytes_s)
{
	report_cell_take(t, report_number_text(bytes_s / MB, b->decimals));
}

static void add_rates(struct report_table *t, const struct block *b, double alone, double together)
{
	add_rate(t, b, alone);
	add_rate(t, b, together);
	report_cell_number(t, 100 * (1 - together / alone), 1);
}

static int print_members(const struct block *b)
{
	static const char *const heads[] = {"member",	  "slot",	   "state",
					    "alone MB/s", "together MB/s", "loss %"};
	struct report_table t = {.align = "lrlrrr"};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < b->array->n_members; i++) {
		const struct sb_md_member *m = &b->array->members[i];

		report_cell_take(&t, member_name(b, m));
		report_cell_take(&t, m->slot < 0 ? strdup("-") : sb_format("%d", m->slot));
		report_cell_take(&t, sb_escape(m->state ? m->state : sb_md_role_name(m->role)));
		add_rates(&t, b, m->alone_bytes_s, m->together_bytes_s);
	}
	report_cell(&t, "sum");
	report_cell(&t, "");
	report_cell(&t, "");
	add_rates(&t, b, b->array->alone_bytes_s, b->array->together_bytes_s);
	return report_table_print(&t, b->out, "  ");
}

/* Where a figure lies; the range is that of two measured sums, so a percent above it is noise. */
char *report_md_place(const struct sb_md_reading *r)
{
	double low = r->theory.low, high = r->theory.high;

	if (isnan(r->bytes_s) || isnan(low))
		return strdup("");
	if (r->bytes_s < low)
		return sb_format("%.1f %% below", 100 * (1 - r->bytes_s / low));
	if (r->bytes_s > high)
		return sb_format("%.1f %% above", 100 * (r->bytes_s / high - 1));
	return sb_format("inside, %.0f %% of the most", 100 * r->bytes_s / high);
}

static char *range_text(const struct block *b, const struct sb_md_range *range)
{
	SB_AUTO_FREE char *low = report_number_text(range->low / MB, b->decimals);
	SB_AUTO_FREE char *high = report_number_text(range->high / MB, b->decimals);

	if (!low || !high)
		return NULL;
	return isnan(range->low) ? strdup("-") : sb_format("%s to %s", low, high);
}

static void add_reading(struct report_table *t, const struct block *b,
			const struct sb_md_reading *r, bool beside)
{
	if (!r->streams)
		return;
	report_cell_take(t, sb_format("%u reader%s", r->streams, r->streams == 1 ? "" : "s"));
	add_rate(t, b, r->bytes_s);
	report_cell_take(t, range_text(b, &r->theory));
	report_cell_take(t, report_md_place(r));
	if (beside)
		add_rate(t, b, r->beside_bytes_s);
}

static int print_readings(const struct block *b)
{
	const struct sb_md_array *a = b->array;
	bool beside = !isnan(a->one.beside_bytes_s) || !isnan(a->many.beside_bytes_s);
	struct report_table t = {.align = beside ? "lrrlr" : "lrrl"};

	if (!a->one.streams && !a->many.streams)
		return 0;
	report_cell(&t, "array, read by");
	report_cell(&t, "MB/s");
	report_cell(&t, "should be");
	report_cell(&t, "it is");
	if (beside)
		report_cell(&t, "all arrays at once");
	add_reading(&t, b, &a->one, beside);
	add_reading(&t, b, &a->many, beside);
	fputc('\n', b->out);
	return report_table_print(&t, b->out, "  ");
}

/* Of the reading that lost more. */
static void write_lost(FILE *f, const struct block *b)
{
	const struct sb_md_array *a = b->array;
	const struct sb_md_reading *r = &a->one;
	char buf[SB_UNIT_TEXT];

	if (!(r->md_loss + r->cpu_loss >= a->many.md_loss + a->many.cpu_loss) &&
	    !isnan(a->many.md_loss))
		r = &a->many;
	if (!isnan(a->controller_loss))
		fprintf(f, "lost: %.1f %% in what the members share (alone to together)",
			fmax(0, 100 * a->controller_loss));
	if (!isnan(a->controller_loss) && !isnan(r->md_loss))
		fprintf(f, ", %.1f %% in md, %.1f %% to the CPU", 100 * r->md_loss,
			100 * r->cpu_loss);
	if (a->slowest >= 0) {
		SB_AUTO_FREE char *name = member_name(b, &a->members[a->slowest]);

		fprintf(f, "%sslowest member %s, %s", isnan(a->controller_loss) ? "" : "; ",
			name ? name : "?",
			sb_format_rate(buf, a->members[a->slowest].alone_bytes_s));
	}
}

static void write_blocks(FILE *f, const struct block *b)
{
	const struct sb_md_array *a = b->array;
	char block[SB_UNIT_TEXT], stripe[SB_UNIT_TEXT];

	if (!a->block_bytes)
		return;
	fprintf(f, "read in blocks of %s", sb_format_block(block, a->block_bytes));
	if (!a->stripe_bytes)
		return;
	sb_format_block(stripe, a->stripe_bytes);
	if (a->block_bytes % a->stripe_bytes == 0)
		fprintf(f, ", %" PRIu64 " whole stripe%s of %s", a->block_bytes / a->stripe_bytes,
			a->block_bytes == a->stripe_bytes ? "" : "s", stripe);
	else
		fprintf(f, ", not a multiple of its stripes of %s", stripe);
}

static void write_times(FILE *f, const struct block *b)
{
	const struct sb_md_array *a = b->array;
	char time[SB_UNIT_TEXT], bytes[SB_UNIT_TEXT];

	if (!isnan(a->check_seconds))
		fprintf(f,
			"a check would take about %s, a rebuild as long: %s of each member at what "
			"the slowest gives beside the others, if nothing else reads, a new member "
			"writes as fast, and (on spinning disks) inner tracks were as fast as "
			"these",
			sb_format_duration(time, a->check_seconds),
			sb_format_bytes(bytes, a->component_bytes));
}

static void write_sync(FILE *f, const struct block *b)
{
	const struct sb_md_array *a = b->array;
	char low[SB_UNIT_TEXT], high[SB_UNIT_TEXT];

	if (a->sync_done_sectors != SB_NONE_U64 && a->sync_total_sectors > 0)
		fprintf(f, "%s at %.1f %%", a->sync_action ? a->sync_action : "sync",
			100.0 * (double)a->sync_done_sectors / (double)a->sync_total_sectors);
	else if (a->sync_waits)
		fprintf(f, "sync %s", a->sync_waits);
	if (a->sync_min_bytes_s == SB_NONE_U64 || a->sync_max_bytes_s == SB_NONE_U64)
		return;
	fprintf(f, "%smd's own speed limits %s to %s a member", ftell(f) > 0 ? "; " : "",
		sb_format_rate(low, (double)a->sync_min_bytes_s),
		sb_format_rate(high, (double)a->sync_max_bytes_s));
}

static void write_facts(FILE *f, const struct block *b)
{
	const struct sb_md_array *a = b->array;
	SB_AUTO_FREE char *metadata = sb_escape(a->metadata ? a->metadata : "none");
	char buf[SB_UNIT_TEXT];

	fprintf(f, "metadata %s", metadata ? metadata : "?");
	if (a->container)
		fprintf(f, " in container %s", a->container);
	if (a->bitmap || a->sync_action)
		fprintf(f, ", bitmap %s", a->bitmap ? a->bitmap : "none");
	if (a->consistency)
		fprintf(f, ", consistency policy %s", a->consistency);
	if (a->stripe_cache != SB_NONE_U64)
		fprintf(f, ", stripe cache %" PRIu64 " pages a member", a->stripe_cache);
	if (a->read_ahead_bytes != SB_NONE_U64)
		fprintf(f, ", read-ahead %s", sb_format_block(buf, a->read_ahead_bytes));
	if (a->mismatch_sectors != SB_NONE_U64)
		fprintf(f, ", mismatches %" PRIu64, a->mismatch_sectors);
}

/* A line of what is known of an array; the first is its head. */
static char *line_text(const struct block *b, size_t index)
{
	static void (*const lines[])(FILE *, const struct block *) = {
		write_head, write_lost, write_blocks, write_times, write_sync, write_facts};
	char *text = NULL;
	size_t length = 0;
	FILE *f = index < SB_COUNT(lines) ? open_memstream(&text, &length) : NULL;

	if (!f)
		return NULL;
	lines[index](f, b);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

char *report_md_line(const struct sb_result *result, char *const *labels,
		     const struct sb_md_array *array, size_t index)
{
	const struct block b = {.result = result,
				.labels = labels,
				.array = array,
				.decimals = report_rate_decimals(result)};

	return line_text(&b, index);
}

static int print_lines(const struct block *b)
{
	fputc('\n', b->out);
	for (size_t i = 1; i < REPORT_MD_LINES; i++) {
		SB_AUTO_FREE char *text = line_text(b, i);

		if (!text)
			return -ENOMEM;
		if (*text)
			report_paragraph(b->out, "  ", text);
	}
	return 0;
}

static int print_array(const struct block *b)
{
	SB_AUTO_FREE char *head = line_text(b, 0);
	int rc = 0;

	if (!head)
		return -ENOMEM;
	fprintf(b->out, "\n%s\n", head);
	if (b->array->n_members)
		rc = print_members(b);
	if (rc == 0)
		rc = print_readings(b);
	return rc ? rc : print_lines(b);
}

int report_text_md(FILE *out, const struct sb_result *result, char *const *labels)
{
	struct block b = {.out = out,
			  .result = result,
			  .labels = labels,
			  .decimals = report_rate_decimals(result)};
	int rc = 0;

	for (size_t i = 0; i < result->n_md && rc == 0; i++) {
		b.array = &result->md[i];
		rc = print_array(&b);
	}
	return rc;
}
