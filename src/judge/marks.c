#include <stdio.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/suite.h"
#include "judge_priv.h"

/* In the order in which a reader should see them. */
static judge_mark_fn *const marks[] = {
	mark_check_mismatch, mark_check_open,	   mark_unreadable,   mark_surface_open,
	mark_flat_start,     mark_read_errors,	   mark_page_cache,   mark_counter_off,
	mark_other_io,	     mark_foreign_low,	   mark_empty,	      mark_wrapped,
	mark_unsteady,	     mark_outlier,	   mark_too_short,    mark_background_cpu,
	mark_steal,	     mark_tick_sum,	   mark_hotplug,      mark_own_buffers,
	mark_engine,	     mark_waking,	   mark_above_line,   mark_above_ceiling,
	mark_link_changed,   mark_link_downgraded, mark_link_idle,    mark_resync,
	mark_clock_step,     mark_throttled,	   mark_small_shared, mark_worker_full,
	mark_same_disk,	     mark_no_disk,	   mark_md,	      mark_md_not_assembled,
	mark_quick,	     mark_left_running,	   mark_suite_cached, mark_suite_repeated,
	mark_suite_short,    mark_suite_reduced,   mark_suite_root,
};

static void clear(struct sb_result *result)
{
	for (size_t i = 0; i < result->n_marks; i++) {
		free(result->marks[i].id);
		free(result->marks[i].subject);
		free(result->marks[i].message);
	}
	free(result->marks);
	result->marks = NULL;
	result->n_marks = 0;
}

int judge_marks(struct sb_result *result, const struct judge_table *table)
{
	clear(result);
	for (size_t i = 0; i < SB_COUNT(marks); i++) {
		int err = marks[i](result, table);

		if (err)
			return err;
	}
	return 0;
}

char *judge_phase_text(char buf[JUDGE_PHASE_TEXT], const struct sb_phase *phase)
{
	const struct sb_suite_test *test = sb_suite_phase_test(phase);
	const char *kind = test				 ? test->label
			   : phase->kind == SB_PHASE_ALL ? "together"
							 : sb_phase_kind_name(phase->kind);

	if (phase->round)
		snprintf(buf, JUDGE_PHASE_TEXT, "%s, round %u", kind, phase->round);
	else
		snprintf(buf, JUDGE_PHASE_TEXT, "%s", kind);
	return buf;
}
