/* Within the room only. */
#ifndef SATABENCH_JUDGE_PRIV_H
#define SATABENCH_JUDGE_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "satabench/cpu.h"
#include "satabench/plan.h"
#include "satabench/result.h"
#include "satabench/testtree.h"

/* Ticks of all CPUs between two moments; they may be interpolated, and a field that stepped back
 * is negative. Only the six of iostat are set. */
void judge_six(const double ticks[SB_CPU_FIELDS], struct sb_cpu_figures *figures);
/* Sum of the eight columns that are not inside another one. */
double judge_base(const double ticks[SB_CPU_FIELDS]);
/* end - start of the total, a step back negative. */
void judge_signed_total(const struct sb_cpu_counters *counters, double ticks[SB_CPU_FIELDS]);
/* What all CPUs could have had: n_cpus x wall, in ticks; NaN = unknown. */
double judge_full_ticks(const struct sb_cpu_counters *counters);
/* How far the tick sum may be off it. */
double judge_tick_tolerance(const struct sb_cpu_counters *counters);

/* A run: one phase once, and the natural log of the sum of its rates. `key` tells phases apart:
 * runs of the same key are repetitions, one a round. */
struct noise_cell {
	int key;
	unsigned round;
	const struct sb_phase *phase; /* not looked at by judge_noise; may be NULL */
	double rate;		      /* sum; not looked at by judge_noise */
	double log_rate;
	bool foreign;	 /* over 2 % of a device's bytes were not ours */
	bool bad;	 /* out: stands out, or foreign with clean ones left */
	double distance; /* out: from the median of its like, round effect removed; log. NaN below
			  * three rounds */
};

/* Pooled standard deviation of one run on the log scale, round effects removed; marks bad cells.
 * Cells are sorted by key. NaN out of memory. */
double judge_noise(struct noise_cell *cells, size_t n);

/* The runs by which devices and parts of the tree are compared, by key and round; a later run of
 * the same key and round replaces the earlier. A run in which a device failed is not in it, nor is
 * a group of other devices than the tree has there now: sums of different devices do not compare.
 */
struct judge_table {
	struct sb_test_tree tree;
	struct noise_cell *cells;
	size_t n;
	double sd;
};
/* Keys: a device alone its index; the root test, that is all together, the number of devices; then
 * `all` phases of other devices than the tree has now; then each test as a group; then each test
 * with one child left out. */
static inline int judge_key_all(const struct judge_table *table)
{
	return (int)table->tree.n_places;
}
static inline int judge_key_other_all(const struct judge_table *table)
{
	return judge_key_all(table) + 1;
}
static inline int judge_key_group(const struct judge_table *table, int test)
{
	return (size_t)test + 1 == table->tree.n_tests ? judge_key_all(table)
						       : judge_key_all(table) + 2 + test;
}
/* Is nothing of the child in the phase? */
bool judge_rests(const struct sb_test_tree *tree, const struct sb_phase *phase,
		 const struct sb_test_child *child);
static inline int judge_key_left_out(const struct judge_table *table, int test)
{
	return judge_key_all(table) + 2 + (int)table->tree.n_tests + test;
}
static inline bool judge_is_all(const struct judge_table *table, const struct noise_cell *cell)
{
	return cell->key == judge_key_all(table) || cell->key == judge_key_other_all(table);
}
/* 0 or -ENOMEM */
int judge_table_make(struct judge_table *table, const struct sb_result *result);
void judge_table_free(struct judge_table *table);

/* Was the phase run to rates of all the devices of the test, and of no others? */
bool judge_reads_test(const struct judge_table *table, const struct sb_phase *phase, int test);
/* The cells of a key: *first and their number. */
size_t judge_cells(const struct judge_table *table, int key, size_t *first);
/* The cell of a key and round if it is fit to be compared, else NULL. */
const struct noise_cell *judge_clean_cell(const struct judge_table *table, int key, unsigned round);
/* Geometric mean over the clean cells of a key; 0 = none. */
double judge_clean_mean(const struct judge_table *table, int key);
/* Sum over the devices at places first, first + 1 ... of the tree. */
double judge_part(const struct judge_table *table, const struct noise_cell *cell, size_t first,
		  size_t n);

/* A link as it was when the machine was looked at. */
struct judge_link {
	bool is_pcie, is_downgraded; /* the latter: slower than both ends can do */
	uint64_t bits, bits_max;     /* a second, of one lane, as signalled; SB_NONE_U64 */
	uint64_t width, width_max;   /* lanes; SB_NONE_U64: not told */
};
/* False for what is no link, and for the lower end of one, whose upper end stands for it. */
bool judge_link_look(const struct sb_topo *topo, int node, struct judge_link *link);
const struct sb_link_reading *judge_link_reading(const struct sb_phase *phase, int node); /* NULL */
double judge_link_line(const struct judge_link *link, uint64_t bits, uint64_t width);	  /* NaN */
/* What a node cannot have exceeded in a phase, and what could be expected of it in the run: of
 * links that were read under load, by that; NaN = not known. */
double judge_line(const struct sb_result *result, const struct sb_phase *phase, int node);
double judge_practical(const struct sb_result *result, int node);

/* Bytes that others read and wrote on a job's device while it ran, as a share of ours; NaN where
 * its counter cannot tell. */
double judge_foreign_share(const struct sb_result *result, const struct sb_phase *phase,
			   const struct sb_job *job);
#define JUDGE_FOREIGN_SHARE 0.02
/* CPU time of the job's thread, percent of one CPU; NaN where it is not known or too short. */
double judge_worker_percent(const struct sb_job *job);

/* exec.c: of a phase that has run a command. */
void judge_exec(struct sb_phase *phase);

/* A phase of which figures are made: it was run, and not for calibration. */
bool judge_counts(const struct sb_phase *phase);
/* A job whose rate is one of the device's: it was not cut short by an error. */
bool judge_has_rate(const struct sb_job *job);

/* Replaces the marks. 0 or -ENOMEM. */
int judge_marks(struct sb_result *result, const struct judge_table *table);

/* Each adds the marks of one id. 0 or -ENOMEM. */
typedef int judge_mark_fn(struct sb_result *result, const struct judge_table *table);
judge_mark_fn mark_page_cache, mark_counter_off, mark_other_io, mark_foreign_low, mark_empty,
	mark_wrapped, mark_own_buffers, mark_engine, mark_read_errors, mark_waking, mark_unsteady,
	mark_outlier, mark_background_cpu, mark_steal, mark_tick_sum, mark_hotplug, mark_too_short;
judge_mark_fn mark_above_ceiling, mark_small_shared, mark_worker_full, mark_quick;
judge_mark_fn mark_above_line, mark_link_changed, mark_link_downgraded, mark_link_idle;
judge_mark_fn mark_suite_cached, mark_suite_repeated, mark_suite_short, mark_suite_reduced,
	mark_suite_root;
judge_mark_fn mark_clock_step, mark_throttled, mark_resync;
judge_mark_fn mark_same_disk, mark_no_disk, mark_left_running;
judge_mark_fn mark_check_mismatch, mark_check_open;
judge_mark_fn mark_md, mark_md_not_assembled;
judge_mark_fn mark_unreadable, mark_flat_start, mark_surface_open;

/* surface.c: rates, what stands out, the flat start. Pure functions on a surface. */
void judge_surface(struct sb_surface *surface, bool rotational, double p50_ns);

/* "alone, round 2" */
#define JUDGE_PHASE_TEXT 64
char *judge_phase_text(char buf[JUDGE_PHASE_TEXT], const struct sb_phase *phase);

/* A robust look at the rows of one job of a phase. */
struct judge_steadiness {
	double trend_percent; /* change over the phase by the line of least squares; NaN */
	double swing_percent; /* from the lowest to the highest fifth of the phase; NaN */
	bool is_unsteady;
};
struct judge_steadiness judge_steadiness(const double *rates, size_t n);

#endif
