/* Whether the machine was fit to be measured: its CPU time before and during the load. */
#include <math.h>

#include "satabench/units.h"
#include "judge_priv.h"

#define BACKGROUND_PERCENT 20
#define BACKGROUND_ONE_CPU 90
#define STEAL_PERCENT 2
#define FEWEST_TICKS 10

typedef double phase_fn(const struct sb_phase *phase);

/* The phase in which a figure is largest; NULL when none has it. */
static const struct sb_phase *find_largest(const struct sb_result *result, phase_fn *value)
{
	const struct sb_phase *largest = NULL;
	double best = NAN;

	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		double v = judge_counts(phase) && phase->counters.valid ? value(phase) : NAN;

		if (isnan(v) || v <= best)
			continue;
		largest = phase;
		best = v;
	}
	return largest;
}

int mark_background_cpu(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_cpu_figures *b = &result->baseline;
	double others = b->busy_exact - (isnan(b->own_percent) ? 0 : b->own_percent);

	(void)table;
	if (others >= BACKGROUND_PERCENT)
		return sb_result_add_mark(
			result, SB_MARK_TAINT, "background_cpu", NULL, others, BACKGROUND_PERCENT,
			"%.0f %% of all CPUs were busy with other work before the "
			"load began; stop it and measure again",
			others);
	if (b->busiest_busy >= BACKGROUND_ONE_CPU)
		return sb_result_add_mark(result, SB_MARK_TAINT, "background_cpu", NULL,
					  b->busiest_busy, BACKGROUND_ONE_CPU,
					  "CPU %d was %.0f %% busy with other work before the load "
					  "began; stop it and measure again",
					  b->busiest_cpu, b->busiest_busy);
	return 0;
}

static double steal(const struct sb_phase *phase)
{
	return phase->cpu.steal;
}

int mark_steal(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_phase *worst = find_largest(result, steal);
	char where[JUDGE_PHASE_TEXT];

	(void)table;
	if (!worst || !(worst->cpu.steal > STEAL_PERCENT))
		return 0;
	return sb_result_add_mark(result, SB_MARK_TAINT, "steal", NULL, worst->cpu.steal,
				  STEAL_PERCENT,
				  "%.1f %% of the CPU time was taken by the host for other guests "
				  "(%s); measure again when the host is quiet",
				  worst->cpu.steal, judge_phase_text(where, worst));
}

/* How many times the tolerance the tick sum is off. */
static double tick_sum_off(const struct sb_phase *phase)
{
	double ticks[SB_CPU_FIELDS];

	judge_signed_total(&phase->counters, ticks);
	return fabs(judge_base(ticks) - judge_full_ticks(&phase->counters)) /
	       judge_tick_tolerance(&phase->counters);
}

int mark_tick_sum(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_phase *worst = find_largest(result, tick_sum_off);
	char where[JUDGE_PHASE_TEXT];
	double ticks[SB_CPU_FIELDS], sum, full;

	(void)table;
	if (!worst || tick_sum_off(worst) <= 1)
		return 0;
	judge_signed_total(&worst->counters, ticks);
	sum = judge_base(ticks);
	full = judge_full_ticks(&worst->counters);
	return sb_result_add_mark(
		result, SB_MARK_TAINT, "tick_sum", NULL, 100 * (sum / full - 1),
		100 * judge_tick_tolerance(&worst->counters) / full,
		"the kernel counted %.0f ticks where %zu CPUs had %.0f (%s), so the "
		"CPU figures but busy_exact can be wrong by as much; trust "
		"busy_exact, or repeat with a longer %s",
		sum, worst->counters.n_cpus, full, judge_phase_text(where, worst),
		worst->exec ? "command" : "--runtime");
}

int mark_hotplug(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_cpu_counters *last =
		result->baseline_counters.valid ? &result->baseline_counters : NULL;

	(void)table;
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		const struct sb_cpu_counters *now = &phase->counters;
		char where[JUDGE_PHASE_TEXT];

		if (!judge_counts(phase) || !now->valid)
			continue;
		if (now->cpus_changed || (last && last->n_cpus != now->n_cpus))
			return sb_result_add_mark(
				result, SB_MARK_TAINT, "hotplug", NULL, (double)now->n_cpus, NAN,
				"CPUs came or left while it was measured (%s: %zu stayed); keep "
				"them on line and measure again",
				judge_phase_text(where, phase), now->n_cpus);
		last = now;
	}
	return 0;
}

/* Larger is worse, as for the others. */
static double ticks_missing(const struct sb_phase *phase)
{
	if (phase->kind == SB_PHASE_SUITE) /* their CPU figures are those of all tests */
		return NAN;
	return FEWEST_TICKS - phase->seconds * phase->counters.ticks_per_second;
}

int mark_too_short(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_phase *worst = find_largest(result, ticks_missing);
	char where[JUDGE_PHASE_TEXT];
	double ticks;

	(void)table;
	if (!worst || ticks_missing(worst) <= 0)
		return 0;
	ticks = FEWEST_TICKS - ticks_missing(worst);
	if (worst->exec)
		return sb_result_add_mark(
			result, SB_MARK_TAINT, "too_short", NULL, ticks, FEWEST_TICKS,
			"the command took only %.0f ms, too short for the kernel's ticks: of the "
			"machine's CPU figures trust busy_exact alone",
			worst->seconds * 1000);
	return sb_result_add_mark(result, SB_MARK_TAINT, "too_short", NULL, ticks, FEWEST_TICKS,
				  "the common window was only %.0f ms long (%s), too short for the "
				  "kernel's ticks; read more with --size or a longer --runtime",
				  worst->seconds * 1000, judge_phase_text(where, worst));
}
