#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/judge.h"
#include "satabench/stats.h"
#include "judge_priv.h"
#include "md_priv.h"
#include "verdict_priv.h"

#define PAIR_WEIGHT 2 /* of the noise of one run, in the difference of two */

static double rate_in(const struct sb_phase *phase, int device)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device && judge_has_rate(&phase->jobs[i]))
			return phase->jobs[i].bytes_s;
	return NAN;
}

/* Geometric mean over the runs of a kind that are fit to be compared. */
static double clean_mean(const struct judge_table *table, int kind, int device)
{
	struct sb_stats s;

	sb_stats_start(&s);
	for (size_t i = 0; i < table->n; i++) {
		const struct noise_cell *cell = &table->cells[i];
		double rate = NAN;

		if (kind == SB_PHASE_ALL ? judge_is_all(table, cell) : cell->key == device)
			rate = cell->bad ? NAN : rate_in(cell->phase, device);
		if (!isnan(rate))
			sb_stats_add(&s, log(rate));
	}
	return s.n ? exp(s.mean) : NAN;
}

/* Over what there is: where other devices failed in each round, a device still has its rate. */
static double any_mean(const struct sb_result *result, int kind, int device)
{
	struct sb_stats s;

	sb_stats_start(&s);
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		double rate = NAN;

		if (phase->done && phase->kind == kind && !sb_phase_confirms(phase))
			rate = rate_in(phase, device);
		if (!isnan(rate))
			sb_stats_add(&s, log(rate));
	}
	return s.n ? exp(s.mean) : NAN;
}

static double mean_rate(const struct sb_result *result, const struct judge_table *table, int kind,
			int device)
{
	double clean = clean_mean(table, kind, device);

	return isnan(clean) ? any_mean(result, kind, device) : clean;
}

/* The rate together in the same round; NaN */
static double partner(const struct judge_table *table, unsigned round, int device)
{
	for (size_t i = 0; i < table->n; i++)
		if (judge_is_all(table, &table->cells[i]) && table->cells[i].round == round &&
		    !table->cells[i].bad)
			return rate_in(table->cells[i].phase, device);
	return NAN;
}

/* ln(alone / together) by round; their number */
static size_t find_pairs(const struct judge_table *table, int device, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < table->n; i++) {
		const struct noise_cell *cell = &table->cells[i];
		double together;

		if (cell->key != device || cell->bad)
			continue;
		together = partner(table, cell->round, device);
		if (!isnan(together))
			values[n++] = cell->log_rate - log(together);
	}
	return n;
}

static void judge_loss(const struct judge_table *table, int index, double *values,
		       struct sb_device *device)
{
	size_t n = find_pairs(table, index, values);
	struct sb_estimate e = sb_estimate(values, n, PAIR_WEIGHT * table->sd * table->sd);
	double low, high;

	/* with one pair, or none of the same round, there is no telling how sure it is */
	device->loss_percent = n == 1 ? 100 * sb_log_to_loss(values[0])
				      : 100 * (1 - device->all_bytes_s / device->alone_bytes_s);
	device->loss_low_percent = NAN;
	device->loss_high_percent = NAN;
	if (n < 2)
		return;
	sb_estimate_interval(&e, &low, &high);
	device->loss_percent = 100 * sb_log_to_loss(e.mean);
	device->loss_low_percent = 100 * sb_log_to_loss(low);
	device->loss_high_percent = 100 * sb_log_to_loss(high);
}

/* Reading what is made of others of the run is reading those. */
static bool is_stacked(const struct sb_result *result, const struct judge_table *table, size_t i)
{
	int state = result->devices[i].state;

	return table->tree.place[i] < 0 && (state == SB_DEVICE_READY || state == SB_DEVICE_NEW);
}

static int judge_devices(struct sb_result *result, const struct judge_table *table)
{
	SB_AUTO_FREE double *values = calloc(table->n ? table->n : 1, sizeof(*values));

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_devices; i++) {
		struct sb_device *device = &result->devices[i];

		device->alone_bytes_s = mean_rate(result, table, SB_PHASE_ALONE, (int)i);
		device->all_bytes_s = mean_rate(result, table, SB_PHASE_ALL, (int)i);
		/* volumes are together where arrays are */
		if (isnan(device->all_bytes_s) && is_stacked(result, table, i))
			device->all_bytes_s = any_mean(result, SB_PHASE_ARRAY, (int)i);
		judge_loss(table, (int)i, values, device);
	}
	return 0;
}

static double plus(double sum, double value)
{
	if (isnan(value))
		return sum;
	return isnan(sum) ? value : sum + value;
}

/* The two sums can be compared only when they are over the same devices. */
static void judge_sums(struct sb_result *result, const struct judge_table *table)
{
	bool same = true;

	result->alone_bytes_s = NAN;
	result->all_bytes_s = NAN;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];

		if (is_stacked(result, table, i))
			continue;
		result->alone_bytes_s = plus(result->alone_bytes_s, d->alone_bytes_s);
		result->all_bytes_s = plus(result->all_bytes_s, d->all_bytes_s);
		same &= isnan(d->alone_bytes_s) == isnan(d->all_bytes_s);
	}
	result->loss_percent = same ? 100 * (1 - result->all_bytes_s / result->alone_bytes_s) : NAN;
}

static bool has_phase(const struct sb_result *result, int kind)
{
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].done && result->phases[i].kind == kind)
			return true;
	return false;
}

static int judge_average_cpu(struct sb_result *result)
{
	int kind = has_phase(result, SB_PHASE_ALL)	  ? SB_PHASE_ALL
		   : has_phase(result, SB_PHASE_EXEC)	  ? SB_PHASE_EXEC
		   : has_phase(result, SB_PHASE_SUITE)	  ? SB_PHASE_SUITE
		   : has_phase(result, SB_PHASE_SURFACE)  ? SB_PHASE_SURFACE
		   : has_phase(result, SB_PHASE_MD_CHECK) ? SB_PHASE_MD_CHECK
							  : SB_PHASE_ALONE;
	int err = 0;
	struct sb_cpu_counters sum = {0};
	double busy_cpus;

	for (size_t i = 0; i < result->n_phases && !err; i++)
		if (result->phases[i].done && result->phases[i].kind == kind &&
		    !sb_phase_confirms(&result->phases[i]))
			err = sb_judge_cpu_add(&sum, &result->phases[i].counters);
	sb_judge_cpu(&sum, &result->cpu);
	busy_cpus = result->cpu.busy_exact / 100 * (double)sum.n_cpus;
	result->bytes_s_per_busy_cpu = busy_cpus > 0 ? result->all_bytes_s / busy_cpus : NAN;
	free(sum.cpus);
	return err;
}

/* The median latency of the session, as the measure of what is slow. */
static double median_latency(const struct sb_result *result, int device)
{
	for (size_t i = 0; i < result->n_phases; i++)
		for (size_t j = 0; j < result->phases[i].n_jobs; j++)
			if (result->phases[i].kind == SB_PHASE_SURFACE &&
			    result->phases[i].jobs[j].device == device)
				return result->phases[i].jobs[j].latency_ns.p50;
	return NAN;
}

static void mark_dropped(struct sb_result *result, const struct judge_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		result->phases[table->cells[i].phase - result->phases].dropped =
			table->cells[i].bad;
}

int sb_judge_run(struct sb_result *result)
{
	struct judge_table table;
	int err = judge_table_make(&table, result);

	if (err)
		return err;
	mark_dropped(result, &table);
	err = judge_devices(result, &table);
	judge_sums(result, &table);
	sb_judge_checks(result);
	for (size_t i = 0; i < result->n_surfaces; i++) {
		int device = result->surfaces[i].device;

		judge_surface(&result->surfaces[i], result->devices[device].rotational,
			      median_latency(result, device));
	}
	sb_judge_cpu(&result->baseline_counters, &result->baseline);
	if (!err)
		err = judge_average_cpu(result);
	if (!err)
		err = judge_md(result, &table);
	/* what a command does says nothing of parts */
	if (!err && !has_phase(result, SB_PHASE_EXEC))
		err = judge_verdict(result, &table);
	if (!err)
		err = judge_marks(result, &table);
	judge_table_free(&table);
	return err;
}
