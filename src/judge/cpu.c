#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/judge.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define TICK_SHARE 0.02 /* of all ticks ... */
#define TICKS_PER_CPU 3 /* ... or so many a CPU: what the two readings' edges can make */

double judge_base(const double ticks[SB_CPU_FIELDS])
{
	double sum = 0;

	for (int i = 0; i <= SB_CPU_STEAL; i++)
		sum += ticks[i];
	return sum;
}

static double percent(double part, double base)
{
	return part > 0 ? 100 * part / base : 0;
}

/* iostat 12.6.1: a figure whose counters stepped back is 0, but the base is the difference of the
 * two sums, so that a step back makes it smaller; system is one counter made of three. */
void judge_six(const double ticks[SB_CPU_FIELDS], struct sb_cpu_figures *figures)
{
	double base = judge_base(ticks);

	if (!(base > 0))
		return;
	figures->user = percent(ticks[SB_CPU_USER], base);
	figures->nice = percent(ticks[SB_CPU_NICE], base);
	figures->system =
		percent(ticks[SB_CPU_SYSTEM] + ticks[SB_CPU_IRQ] + ticks[SB_CPU_SOFTIRQ], base);
	figures->iowait = percent(ticks[SB_CPU_IOWAIT], base);
	figures->steal = percent(ticks[SB_CPU_STEAL], base);
	figures->idle = percent(ticks[SB_CPU_IDLE], base);
}

void judge_signed_total(const struct sb_cpu_counters *counters, double ticks[SB_CPU_FIELDS])
{
	for (int i = 0; i < SB_CPU_FIELDS; i++)
		ticks[i] = (double)counters->total.field[i] - (double)counters->total_back.field[i];
}

static double wall_ticks(const struct sb_cpu_counters *counters)
{
	double ticks = (double)counters->wall_ns * 1e-9 * counters->ticks_per_second;

	return ticks > 0 ? ticks : NAN;
}

double judge_full_ticks(const struct sb_cpu_counters *counters)
{
	return counters->n_cpus ? (double)counters->n_cpus * wall_ticks(counters) : NAN;
}

double judge_tick_tolerance(const struct sb_cpu_counters *counters)
{
	return fmax(TICK_SHARE * judge_full_ticks(counters),
		    TICKS_PER_CPU * (double)counters->n_cpus);
}

static double resting(const struct sb_cpu_ticks *ticks)
{
	return (double)ticks->field[SB_CPU_IDLE] + (double)ticks->field[SB_CPU_IOWAIT] +
	       (double)ticks->field[SB_CPU_STEAL];
}

/* The line of all has the idle time of CPUs that are off line, too: it jumps when one leaves. */
static double resting_of_all(const struct sb_cpu_counters *counters)
{
	double sum = 0, ticks[SB_CPU_FIELDS];

	if (!counters->cpus_changed) {
		judge_signed_total(counters, ticks);
		return ticks[SB_CPU_IDLE] + ticks[SB_CPU_IOWAIT] + ticks[SB_CPU_STEAL];
	}
	for (size_t i = 0; i < counters->n_cpus; i++)
		sum += resting(&counters->cpus[i].ticks);
	return sum;
}

/* Rest is counted exactly where work is sampled by the tick; its own granularity can put it
 * slightly outside of what is possible. Further outside it is no value. */
static double busy_percent(double rest, double full, double tolerance)
{
	if (!(rest >= -tolerance && rest <= full + tolerance))
		return NAN;
	return fmin(fmax(100 * (1 - rest / full), 0), 100);
}

static double line_base(const struct sb_cpu_ticks *ticks)
{
	double sum = 0;

	for (int i = 0; i <= SB_CPU_STEAL; i++)
		sum += (double)ticks->field[i];
	return sum;
}

static void find_busiest(const struct sb_cpu_counters *counters, struct sb_cpu_figures *figures)
{
	double wall = wall_ticks(counters);
	double tolerance = fmax(TICK_SHARE * wall, TICKS_PER_CPU);

	for (size_t i = 0; i < counters->n_cpus; i++) {
		const struct sb_cpu_ticks *t = &counters->cpus[i].ticks;
		double base = line_base(t), busy, softirq;

		/* a line that does not move at all (seen without ticks) says nothing */
		if (base <= 0)
			continue;
		busy = busy_percent(resting(t), wall, tolerance);
		if (isnan(busy) || busy <= figures->busiest_busy)
			continue;
		softirq = (double)t->field[SB_CPU_SOFTIRQ];
		figures->busiest_cpu = counters->cpus[i].cpu;
		figures->busiest_busy = busy;
		figures->busiest_softirq = percent(softirq, base);
		figures->busiest_system = percent((double)t->field[SB_CPU_SYSTEM] +
							  (double)t->field[SB_CPU_IRQ] + softirq,
						  base);
	}
}

void sb_judge_cpu(const struct sb_cpu_counters *counters, struct sb_cpu_figures *figures)
{
	double full = judge_full_ticks(counters);
	double ticks[SB_CPU_FIELDS];

	sb_cpu_figures_none(figures);
	if (!counters->valid)
		return;
	judge_signed_total(counters, ticks);
	judge_six(ticks, figures);
	if (judge_base(ticks) > 0)
		figures->busy_exact = busy_percent(resting_of_all(counters), full,
						   judge_tick_tolerance(counters));
	find_busiest(counters, figures);
	if (full > 0)
		figures->own_percent = 100 * (double)counters->own_ns /
				       ((double)counters->n_cpus * (double)counters->wall_ns);
}

static void add_ticks(struct sb_cpu_ticks *into, const struct sb_cpu_ticks *from)
{
	for (int i = 0; i < SB_CPU_FIELDS; i++)
		into->field[i] += from->field[i];
}

static int copy_counters(struct sb_cpu_counters *into, const struct sb_cpu_counters *from)
{
	struct sb_cpu_line *cpus = calloc(from->n_cpus ? from->n_cpus : 1, sizeof(*cpus));

	if (!cpus)
		return -ENOMEM;
	if (from->n_cpus)
		memcpy(cpus, from->cpus, from->n_cpus * sizeof(*cpus));
	free(into->cpus);
	*into = *from;
	into->cpus = cpus;
	return 0;
}

/* Keeps the CPUs that are in both. Number of those that are in one only. */
static size_t add_lines(struct sb_cpu_counters *into, const struct sb_cpu_counters *from)
{
	size_t i = 0, k = 0, n = 0, alone;

	while (i < into->n_cpus && k < from->n_cpus) {
		struct sb_cpu_line line = into->cpus[i];
		int other = from->cpus[k].cpu;

		if (line.cpu == other) {
			add_ticks(&line.ticks, &from->cpus[k].ticks);
			into->cpus[n++] = line;
		}
		i += line.cpu <= other;
		k += other <= line.cpu;
	}
	alone = into->n_cpus - n + (from->n_cpus - n);
	into->n_cpus = n;
	return alone;
}

int sb_judge_cpu_add(struct sb_cpu_counters *into, const struct sb_cpu_counters *from)
{
	if (!from->valid)
		return 0;
	if (!into->valid)
		return copy_counters(into, from);
	into->cpus_changed += from->cpus_changed + add_lines(into, from);
	into->wall_ns += from->wall_ns;
	into->own_ns += from->own_ns;
	add_ticks(&into->total, &from->total);
	add_ticks(&into->total_back, &from->total_back);
	if (into->cgroup_ns == SB_NONE_U64 || from->cgroup_ns == SB_NONE_U64)
		into->cgroup_ns = SB_NONE_U64;
	else
		into->cgroup_ns += from->cgroup_ns;
	return 0;
}
