/* Deriving: figures, marks, the exit status. Pure functions on a result; tested from a JSON file
 * alone. */
#ifndef SATABENCH_JUDGE_H
#define SATABENCH_JUDGE_H

#include "satabench/comparison.h"
#include "satabench/result.h"
#include "satabench/series.h"

/* The six figures as iostat computes them, busy_exact, busiest CPU, own share. */
void sb_judge_cpu(const struct sb_cpu_counters *counters, struct sb_cpu_figures *figures);
/* Sums `counters` of several windows, CPU by CPU. 0 or -ENOMEM. */
int sb_judge_cpu_add(struct sb_cpu_counters *into, const struct sb_cpu_counters *from);

/* Rows for charts and the live stream: one a second, or a twentieth of a phase shorter than 20 s.
 * Appends to phase->intervals those that are certain by now; with `finished` the rest. While the
 * length of the phase is not known (it ends by amount) nothing is certain before 20 s. So the rows
 * are the same whether this was called often or once. */
int sb_judge_intervals(struct sb_phase *phase, const struct sb_series *series, bool finished);

/* Rates, IOPS, CPU figures of one phase that load has run. */
void sb_judge_phase(struct sb_phase *phase);
/* What limits, from the phases, the topology and the baseline; part of sb_judge_run. 0 or -ENOMEM.
 */
int sb_judge_verdict(struct sb_result *result);
/* Rates of checks of arrays, also while they run. */
void sb_judge_checks(struct sb_result *result);
/* All that is derived from all phases: devices, sums, CPU average, verdict, marks. May be called
 * after each phase; replaces what it derived before. 0 or -ENOMEM. */
int sb_judge_run(struct sb_result *result);

/* Results of runs before and after. */
struct sb_compare_wish {
	const struct sb_result *const *results; /* as they were saved; those before stand first */
	const char *const *files;
	size_t n, n_before;
	double threshold; /* fraction */
};
/* 0; -EINVAL after an sb_error when the two sides have nothing in common, or a result is given
 * twice; -ENOMEM. To be freed in any case. */
int sb_judge_compare(const struct sb_compare_wish *wish, struct sb_comparison *out);
/* 4 something is worse; 3 doubtful; 0 */
int sb_judge_compare_status(const struct sb_comparison *comparison);

enum sb_exit {
	SB_EXIT_OK = 0,
	SB_EXIT_USAGE = 1,
	SB_EXIT_DEVICE = 2,
	SB_EXIT_TAINT = 3,
	SB_EXIT_WORSE = 4,
	SB_EXIT_SIGNAL = 128
};
/* 2 a device failed, hung or vanished; 3 a taint; 0. Signals are the caller's. */
int sb_judge_status(const struct sb_result *result);

#endif
