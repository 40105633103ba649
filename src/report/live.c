/* What the live view shows: rates, latencies and errors of each device as they are now, over the
 * half minute before, and in sums. */
#include "live_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/clock.h"
#include "satabench/file.h"

#define PUSH_NS (SB_NS_PER_SEC / 2)

void live_free(struct live *live)
{
	for (size_t i = 0; i < live->n_rows; i++)
		free(live->rows[i].label);
	for (size_t i = 0; i < live->n_groups; i++)
		free(live->groups[i].row.label);
	free(live->rows);
	free(live->groups);
	free(live->order);
	free(live->all.label);
	free(live->reason);
	free(live->sentence);
	free(live->busy);
	*live = (struct live){.n_rows = 0};
}

void live_cpu(struct live *live, const struct sb_progress_cpu *cpu)
{
	double *busy = reallocarray(live->busy, cpu->n + 1, sizeof(*busy));

	if (!busy)
		return;
	live->busy = busy;
	live->six = cpu->six;
	live->n_busy = cpu->n;
	for (size_t i = 0; i < cpu->n; i++)
		busy[i] = cpu->busy[i];
}

static const char *lost_text(const struct sb_device *device)
{
	return device->state == SB_DEVICE_NEW || device->state == SB_DEVICE_READY
		       ? NULL
		       : sb_device_state_name(device->state);
}

/* Of the last second, or what there is of it. */
static void update_latency(struct live_row *row, const struct sb_live *live)
{
	const struct sb_hist *h = live ? live->latency : NULL;
	struct live_count now = {.n = h ? SB_RELAXED_LOAD(h->count) : 0,
				 .ns = h ? SB_RELAXED_LOAD(h->sum_ns) : 0};

	/* it begins again when the common window does */
	if (now.n < row->middle.n)
		row->old = row->middle = (struct live_count){.n = 0};
	row->latency_ns = now.n > row->old.n
				  ? (double)(now.ns - row->old.ns) / (double)(now.n - row->old.n)
				  : NAN;
}

static void push(struct live_row *row, double value)
{
	memmove(row->history, row->history + 1, (LIVE_HISTORY - 1) * sizeof(row->history[0]));
	row->history[LIVE_HISTORY - 1] = value;
}

static double plus(double sum, double value)
{
	return isnan(value) ? sum : isnan(sum) ? value : sum + value;
}

static void add(struct live_row *sum, const struct live_row *row)
{
	if (row->active)
		sum->bytes_s = plus(sum->bytes_s, row->bytes_s);
	sum->active |= row->active;
	sum->errors += row->errors;
	if (row->silent_s > sum->silent_s)
		sum->silent_s = row->silent_s;
}

static void sum_up(struct live *live)
{
	struct live_group *top = NULL;

	live->all.active = false;
	live->all.bytes_s = NAN;
	live->all.errors = 0;
	live->all.silent_s = 0;
	for (size_t i = 0; i < live->n_groups; i++) {
		struct live_group *g = &live->groups[i];

		g->row.active = false;
		g->row.bytes_s = NAN;
		g->row.errors = 0;
		g->row.silent_s = 0;
		if (g->depth == 0)
			top = g;
		for (size_t k = g->first; k < g->first + g->n; k++) {
			const struct live_row *row = &live->rows[live->order[k]];

			add(&g->row, row);
			add(&live->all, row);
			if (top && top != g)
				add(&top->row, row);
		}
	}
}

static void note_most(struct live_row *row)
{
	if (row->bytes_s > row->most)
		row->most = row->bytes_s;
}

static void note_history(struct live *live)
{
	uint64_t now = sb_now_ns();
	bool due = now - live->pushed_ns >= PUSH_NS;

	if (due)
		live->pushed_ns = now;
	for (size_t i = 0; i < live->n_rows; i++) {
		note_most(&live->rows[i]);
		if (due)
			push(&live->rows[i], live->rows[i].active ? live->rows[i].bytes_s : NAN);
	}
	for (size_t i = 0; i < live->n_groups; i++) {
		note_most(&live->groups[i].row);
		if (due)
			push(&live->groups[i].row, live->groups[i].row.bytes_s);
	}
	note_most(&live->all);
	if (due)
		push(&live->all, live->all.bytes_s);
}

/* Errors of phases that are over. */
static uint64_t past_errors(const struct sb_result *result, const struct sb_phase *now, int device)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		for (size_t k = 0; result->phases[i].done && k < result->phases[i].n_jobs; k++)
			if (&result->phases[i] != now && result->phases[i].jobs[k].device == device)
				sum += result->phases[i].jobs[k].n_errors;
	return sum;
}

/* What is said once a phase. */
static void begin_phase(struct live *live, const struct sb_result *result,
			const struct sb_phase *phase)
{
	free(live->reason);
	free(live->sentence);
	live->reason = phase->reason && *phase->reason ? sb_escape(phase->reason) : NULL;
	live->sentence = report_shows_verdict(result) ? sb_escape(result->verdict.sentence) : NULL;
	for (size_t i = 0; i < live->n_rows; i++) {
		struct live_row *row = &live->rows[i];

		row->old = row->middle = (struct live_count){.n = 0};
		row->past_errors = past_errors(result, phase, (int)i);
	}
}

bool live_update(struct live *live, const struct view *view, const struct sb_result *result,
		 const struct sb_phase *phase, const struct sb_live *const *lives,
		 char *const *labels)
{
	bool due = sb_now_ns() - live->pushed_ns >= PUSH_NS;

	if (live->n_rows != result->n_devices || !live->all.label) {
		live_free(live);
		if (!live_make_tree(live, result, labels))
			return false;
	}
	if (live->phase != view->phase) {
		live->phase = view->phase;
		begin_phase(live, result, phase);
	}
	for (size_t i = 0; i < live->n_rows; i++) {
		struct live_row *row = &live->rows[i];

		row->active = false;
		row->bytes_s = row->latency_ns = NAN;
		row->silent_s = 0;
		row->errors = row->past_errors;
		row->lost = lost_text(&result->devices[i]);
	}
	for (size_t i = 0; i < view->n_jobs; i++) {
		size_t job = view->jobs[i].job;
		const struct sb_live *of = lives ? lives[job] : NULL;
		struct live_row *row = &live->rows[phase->jobs[job].device];
		const struct sb_hist *h = of ? of->latency : NULL;

		/* a device may have several readers */
		row->bytes_s = plus(row->bytes_s, view->jobs[i].bytes_s);
		row->active = true;
		row->errors += view->jobs[i].errors;
		row->silent_s = view->jobs[i].silent_s;
		update_latency(row, of);
		if (due && h) {
			row->old = row->middle;
			row->middle = (struct live_count){.n = SB_RELAXED_LOAD(h->count),
							  .ns = SB_RELAXED_LOAD(h->sum_ns)};
		}
	}
	sum_up(live);
	note_history(live);
	return true;
}
