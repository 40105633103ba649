/* What the surface of a device tells that a reader must not miss. */
#include <math.h>

#include "satabench/units.h"
#include "satabench/verdict.h"
#include "judge_priv.h"

static const char *target_of(const struct sb_result *result, const struct sb_surface *s)
{
	return result->devices[s->device].target;
}

int mark_unreadable(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_surfaces && !err; i++) {
		const struct sb_surface *s = &result->surfaces[i];
		uint64_t bad = s->range_bytes[SB_SURFACE_UNREADABLE] / s->sector_bytes;
		uint64_t open =
			s->range_bytes[SB_SURFACE_UNCLEAR] + s->range_bytes[SB_SURFACE_SKIPPED];
		uint64_t again = s->range_bytes[SB_SURFACE_RECOVERED];
		char open_text[SB_UNIT_TEXT], again_text[SB_UNIT_TEXT];

		if (bad + open + again == 0)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_TAINT, "unreadable", target_of(result, s), (double)bad, 0,
			"%llu sector%s cannot be read%s%s%s%s%s%s", (unsigned long long)bad,
			bad == 1 ? "" : "s", open ? "; of " : "",
			open ? sb_format_bytes(open_text, open) : "",
			open ? " around such it is not known, they were not tried one by one" : "",
			again ? "; " : "", again ? sb_format_bytes(again_text, again) : "",
			again ? " could be read at the second try only" : "");
	}
	return err;
}

int mark_surface_open(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_surfaces && !err; i++) {
		const struct sb_surface *s = &result->surfaces[i];
		double percent = 100 * (double)s->position_bytes / (double)sb_surface_total(s);

		if (s->position_bytes < sb_surface_total(s))
			err = sb_result_add_mark(
				result, SB_MARK_NOTE, "surface_open", target_of(result, s), percent,
				100,
				"read up to %.1f %% only; --resume with this result goes on there",
				percent);
	}
	return err;
}

int mark_flat_start(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_surfaces && !err; i++) {
		const struct sb_surface *s = &result->surfaces[i];
		char rate[SB_UNIT_TEXT];

		if (s->flat_start != SB_ANSWER_YES)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_NOTE, "flat_start", target_of(result, s), s->flat_percent,
			20,
			"the first %.0f %% of it all give %s, and only then does the rate fall, as "
			"no "
			"disk's zones do: its link, its controller or what is above them passes no "
			"more%s",
			s->flat_percent, sb_format_rate(rate, s->flat_bytes_s),
			result->n_surfaces > 1
				? " (of all devices read at once; each by itself may give more)"
				: "");
	}
	return err;
}
