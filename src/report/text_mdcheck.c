/* Checks of arrays in the text report: a block an array. */
#include "report_priv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

static void print_head(FILE *out, const struct sb_mdcheck *c)
{
	SB_AUTO_FREE char *name = sb_escape(c->name ? c->name : "?");
	char buf[SB_UNIT_TEXT];

	fprintf(out, "\nCheck of %s (%s): %s", name ? name : "?", c->level ? c->level : "?",
		sb_mdcheck_state_name(c->state));
	if (!isnan(c->percent) && c->state != SB_MDCHECK_DONE)
		fprintf(out, " at %.1f %%", c->percent);
	fprintf(out, ", %s", sb_format_duration(buf, (double)c->elapsed_ns / 1e9));
	if (!isnan(c->bytes_s))
		fprintf(out, ", %s by md's own count", sb_format_rate(buf, c->bytes_s));
	if (c->state != SB_MDCHECK_DONE && c->left_seconds > 0)
		fprintf(out, ", %s for the rest", sb_format_duration(buf, c->left_seconds));
	fputc('\n', out);
	if (c->first_sector != SB_NONE_U64 && c->first_sector > 0)
		fprintf(out, "  began at sector %" PRIu64 ", where an earlier one was ended\n",
			c->first_sector);
	if (c->mismatch_sectors != SB_NONE_U64)
		fprintf(out, "  mismatches: %" PRIu64 " sectors\n", c->mismatch_sectors);
}

static char *bytes_text(uint64_t bytes)
{
	char buf[SB_UNIT_TEXT];

	return strdup(bytes == SB_NONE_U64 ? "-" : sb_format_bytes(buf, bytes));
}

static int print_members(FILE *out, const struct sb_mdcheck *c)
{
	static const char *const heads[] = {"member", "read", "MB/s", "written"};
	struct report_table t = {.align = "lrrr"};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < c->n_members; i++) {
		const struct sb_mdcheck_member *m = &c->members[i];

		report_cell_take(&t, sb_escape(m->name ? m->name : "?"));
		report_cell_take(&t, bytes_text(m->read_bytes));
		report_cell_number(&t, m->bytes_s / 1e6, 1);
		report_cell_take(&t, bytes_text(m->written_bytes));
	}
	return report_table_print(&t, out, "  ");
}

int report_text_checks(FILE *out, const struct sb_result *result)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_checks && rc == 0; i++) {
		print_head(out, &result->checks[i]);
		rc = print_members(out, &result->checks[i]);
	}
	return rc;
}
