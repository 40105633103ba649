/* What checks of arrays came to: rates, and what a reader must not miss. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "satabench/units.h"
#include "satabench/judge.h"
#include "judge_priv.h"

#define SECTOR 512.0

static void judge_one(struct sb_mdcheck *c)
{
	double seconds = (double)c->elapsed_ns / 1e9;
	uint64_t first = c->first_sector == SB_NONE_U64 ? 0 : c->first_sector;

	c->bytes_s = c->percent = c->left_seconds = NAN;
	for (size_t i = 0; i < c->n_members; i++)
		c->members[i].bytes_s = c->members[i].read_bytes == SB_NONE_U64 || !(seconds > 0)
						? NAN
						: (double)c->members[i].read_bytes / seconds;
	if (c->done_sectors == SB_NONE_U64 || c->total_sectors == SB_NONE_U64 ||
	    c->total_sectors == 0)
		return;
	c->percent = 100 * (double)c->done_sectors / (double)c->total_sectors;
	if (!(seconds > 0) || c->done_sectors <= first)
		return;
	c->bytes_s = (double)(c->done_sectors - first) * SECTOR / seconds;
	c->left_seconds = (double)(c->total_sectors - c->done_sectors) * SECTOR / c->bytes_s;
}

void sb_judge_checks(struct sb_result *result)
{
	for (size_t i = 0; i < result->n_checks; i++)
		judge_one(&result->checks[i]);
}

static bool has_parity(const char *level)
{
	return level && (strcmp(level, "raid4") == 0 || strcmp(level, "raid5") == 0 ||
			 strcmp(level, "raid6") == 0);
}

/* On mirrors, memory that is written out while it changes (swap, mapped files) leaves differences
 * that nobody will read (md(4), SCRUBBING AND MISMATCHES). */
int mark_check_mismatch(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_checks && !err; i++) {
		const struct sb_mdcheck *c = &result->checks[i];

		if (c->mismatch_sectors == SB_NONE_U64 || c->mismatch_sectors == 0)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_TAINT, "md_check_mismatch", c->name,
			(double)c->mismatch_sectors, 0,
			"the check counted %" PRIu64 " sectors in which the members do not agree "
			"(md counts whole blocks of its own size)%s",
			c->mismatch_sectors,
			has_parity(c->level)
				? ": data or parity is wrong there, and md cannot know which"
				: ": swap and mapped files can leave such on mirrors without harm");
	}
	return err;
}

int mark_check_open(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_checks && !err; i++) {
		const struct sb_mdcheck *c = &result->checks[i];
		bool stopped = c->state == SB_MDCHECK_STOPPED;

		if (c->state == SB_MDCHECK_DONE)
			continue;
		err = sb_result_add_mark(
			result, stopped ? SB_MARK_NOTE : SB_MARK_TAINT, "md_check_open", c->name,
			c->percent, 100, "the check did not come to its end%s%s%s",
			c->message ? ": " : "", c->message ? c->message : "",
			stopped ? "; the next one goes on where it was stopped (md keeps the place "
				  "in sync_min until the array is stopped)"
				: "");
	}
	return err;
}
