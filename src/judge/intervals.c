#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/clock.h"
#include "satabench/judge.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define LONG_PHASE_NS (20 * SB_NS_PER_SEC)
#define LONG_STEP_NS SB_NS_PER_SEC
#define SHORT_STEPS 20
#define LEAST_STEP_NS (SB_NS_PER_SEC / 10)
/* Whoever runs the phase sets window_end_ns when a worker has ended; a row is certain when it is
 * so old that its end would have been seen by now. */
#define SEEN_WITHIN_NS (SB_NS_PER_SEC / 4)

/* Where a moment lies between two rows: row + share of the way to the next. */
struct place {
	const struct sb_row *before, *after;
	double share;
};

struct view {
	const struct sb_series *series;
	size_t count;
	uint64_t gate_ns;
	uint64_t last_ns; /* since the gate: up to here a moment lies between rows */
	bool has_cpu;
};

static struct view view_series(const struct sb_series *series)
{
	struct view v = {.series = series, .count = sb_series_count(series)};
	size_t last = v.count;

	if (!v.count)
		return v;
	v.gate_ns = sb_series_row(series, 0)->time_ns;
	v.has_cpu = sb_series_row(series, 0)->has_cpu;
	/* above 64 CPUs only each tenth row has CPU time: what lies behind the last is open */
	while (v.has_cpu && !sb_series_row(series, last - 1)->has_cpu)
		last--;
	v.last_ns = sb_series_row(series, last - 1)->time_ns - v.gate_ns;
	return v;
}

/* The last row not after `time_ns`, which lies within the view. */
static size_t find_row(const struct view *v, uint64_t time_ns)
{
	size_t low = 0, high = v->count;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (sb_series_row(v->series, mid)->time_ns <= time_ns)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static struct place find_place(const struct view *v, uint64_t since_gate_ns, bool with_cpu)
{
	uint64_t time_ns = v->gate_ns + since_gate_ns;
	size_t low = find_row(v, time_ns), high = low + 1 < v->count ? low + 1 : low;
	struct place p;

	while (with_cpu && low > 0 && !sb_series_row(v->series, low)->has_cpu)
		low--;
	while (with_cpu && high + 1 < v->count && !sb_series_row(v->series, high)->has_cpu)
		high++;
	p.before = sb_series_row(v->series, low);
	p.after = sb_series_row(v->series, high);
	p.share = p.after->time_ns > p.before->time_ns
			  ? (double)(time_ns - p.before->time_ns) /
				    (double)(p.after->time_ns - p.before->time_ns)
			  : 0;
	return p;
}

static double between(const struct place *p, uint64_t before, uint64_t after)
{
	double step = after >= before ? (double)(after - before) : -(double)(before - after);

	return (double)before + p->share * step;
}

static double bytes_at(const struct place *p, size_t job)
{
	return between(p, p->before->job_bytes[job], p->after->job_bytes[job]);
}

static void fill_cpu(const struct view *v, uint64_t start_ns, uint64_t end_ns,
		     struct sb_cpu_figures *figures)
{
	struct place a = find_place(v, start_ns, true), b = find_place(v, end_ns, true);
	double ticks[SB_CPU_FIELDS];

	sb_cpu_figures_none(figures);
	if (!a.before->has_cpu || !a.after->has_cpu || !b.before->has_cpu || !b.after->has_cpu)
		return;
	for (int i = 0; i < SB_CPU_FIELDS; i++)
		ticks[i] = between(&b, b.before->total.field[i], b.after->total.field[i]) -
			   between(&a, a.before->total.field[i], a.after->total.field[i]);
	judge_six(ticks, figures);
}

static int add_interval(struct sb_phase *phase, const struct view *v, uint64_t start_ns,
			uint64_t end_ns)
{
	struct place a = find_place(v, start_ns, false), b = find_place(v, end_ns, false);
	struct sb_interval *interval = sb_phase_add_interval(phase);
	double seconds = (double)(end_ns - start_ns) * 1e-9;

	if (!interval)
		return -ENOMEM;
	interval->seconds = (double)(end_ns - phase->window_start_ns) * 1e-9;
	for (size_t i = 0; i < phase->n_jobs; i++) {
		double bytes = bytes_at(&b, i) - bytes_at(&a, i);

		interval->bytes_s[i] = bytes >= 0 ? bytes / seconds : NAN;
	}
	fill_cpu(v, start_ns, end_ns, &interval->cpu);
	return 0;
}

static bool ends_by_amount(const struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->n_jobs && phase->kind != SB_PHASE_SUITE; i++)
		if (!phase->jobs[i].limit_bytes)
			return false;
	return phase->n_jobs > 0;
}

/* 0 = not known yet. */
static uint64_t step_ns(const struct sb_phase *phase, uint64_t until_ns, bool finished)
{
	uint64_t length = until_ns - phase->window_start_ns, step;

	if (!ends_by_amount(phase) && phase->runtime_s > 0)
		length = sb_seconds_to_ns(phase->runtime_s);
	else if (!finished && length < LONG_PHASE_NS)
		return 0;
	if (length >= LONG_PHASE_NS)
		return LONG_STEP_NS;
	step = length / SHORT_STEPS;
	return step < LEAST_STEP_NS ? LEAST_STEP_NS : step;
}

/* Up to where rows are certain, since the gate; 0 = none are. */
static uint64_t certain_until(const struct sb_phase *phase, const struct view *v, bool finished)
{
	uint64_t until = v->last_ns;

	if (phase->window_start_ns == SB_NONE_U64)
		return 0;
	if (!finished)
		until = until > SEEN_WITHIN_NS ? until - SEEN_WITHIN_NS : 0;
	if (phase->window_end_ns != SB_NONE_U64 && until > phase->window_end_ns)
		until = phase->window_end_ns;
	return until > phase->window_start_ns ? until : 0;
}

/* Rows that reach past the end of the window, which was not known when they were made. */
static void drop_late(struct sb_phase *phase)
{
	double length;

	if (phase->window_start_ns == SB_NONE_U64 || phase->window_end_ns == SB_NONE_U64)
		return;
	length = (double)(phase->window_end_ns - phase->window_start_ns) * 1e-9;
	while (phase->n_intervals &&
	       phase->intervals[phase->n_intervals - 1].seconds > length + 1e-9)
		free(phase->intervals[--phase->n_intervals].bytes_s);
}

int sb_judge_intervals(struct sb_phase *phase, const struct sb_series *series, bool finished)
{
	struct view v = view_series(series);
	uint64_t until, step, start;
	int err = 0;

	/* A surface takes hours: its chart is by place. Of directories that do not wait for each
	 * other the series is by directory, not by job. */
	if (v.count < 2 || phase->kind == SB_PHASE_SURFACE ||
	    sb_series_jobs(series) != phase->n_jobs)
		return 0;
	if (finished)
		drop_late(phase);
	until = certain_until(phase, &v, finished);
	step = until ? step_ns(phase, until, finished) : 0;
	if (!step)
		return 0;
	start = phase->window_start_ns + phase->n_intervals * step;
	for (; !err && start + step <= until; start += step)
		err = add_interval(phase, &v, start, start + step);
	/* of what is left over, less than half a step is too little to be a row beside the others
	 */
	if (!err && finished && until > start && (until - start >= step / 2 || !phase->n_intervals))
		err = add_interval(phase, &v, start, until);
	return err;
}
