/* Whether a rate was one rate: within a phase, and from round to round. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/stats.h"
#include "judge_priv.h"

#define FEWEST_ROWS 10
#define TREND_PERCENT 6.5
#define TREND_ERRORS 4.5 /* standard errors */
#define PARTS 5
#define SWING_PERCENT 15
#define SWING_F 12

/* The rule. Trend: the line of least squares through the rows changes by more than 6.5 % over the
 * phase and by more than 4.5 times its standard error. With white noise of 2 % and 20 rows that
 * error is 1.5 %: noise alone passes both bounds in fewer than 1 of 10^5 phases; a change of 10 %
 * passes them. Swing: the phase is cut in fifths; their means differ by more than 15 %, and vary
 * more than the rows inside them would make them (F over 12; 1 of 2000 by chance, and then only
 * where rows scatter by over 10 %). Requests that come in bursts scatter the rows, but not the
 * fifths. */
static double trend_percent(const double *rates, size_t n, double mean)
{
	double middle = (double)(n - 1) / 2, sxx = 0, sxy = 0, rest = 0, slope, change, error;

	for (size_t i = 0; i < n; i++) {
		double x = (double)i - middle;

		sxx += x * x;
		sxy += x * (rates[i] - mean);
	}
	slope = sxy / sxx;
	for (size_t i = 0; i < n; i++) {
		double r = rates[i] - mean - slope * ((double)i - middle);

		rest += r * r;
	}
	change = slope * (double)(n - 1);
	error = sqrt(rest / (double)(n - 2) / sxx) * (double)(n - 1);
	return fabs(change) > TREND_ERRORS * error ? 100 * change / mean : 0;
}

static double swing_percent(const double *rates, size_t n, double mean)
{
	double low = INFINITY, high = -INFINITY, within = 0, between = 0;

	for (size_t p = 0; p < PARTS; p++) {
		struct sb_stats s;

		sb_stats_start(&s);
		for (size_t i = n * p / PARTS; i < n * (p + 1) / PARTS; i++)
			sb_stats_add(&s, rates[i]);
		low = fmin(low, s.mean);
		high = fmax(high, s.mean);
		within += s.m2;
		between += (double)s.n * (s.mean - mean) * (s.mean - mean);
	}
	between /= PARTS - 1;
	within /= (double)(n - PARTS);
	return between > SWING_F * within ? 100 * (high - low) / mean : 0;
}

struct judge_steadiness judge_steadiness(const double *rates, size_t n)
{
	struct judge_steadiness s = {NAN, NAN, false};
	double mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += rates[i] / (double)n;
	if (n < FEWEST_ROWS || !(mean > 0))
		return s;
	s.trend_percent = trend_percent(rates, n, mean);
	s.swing_percent = swing_percent(rates, n, mean);
	s.is_unsteady = fabs(s.trend_percent) > TREND_PERCENT || s.swing_percent > SWING_PERCENT;
	return s;
}

/* `rates` has room for all rows of the phase. */
static struct judge_steadiness look_at_job(const struct sb_phase *phase, size_t job, double *rates)
{
	size_t n = 0;

	if (!judge_has_rate(&phase->jobs[job]))
		return judge_steadiness(rates, 0);
	for (size_t i = 0; i < phase->n_intervals; i++)
		if (!isnan(phase->intervals[i].bytes_s[job]))
			rates[n++] = phase->intervals[i].bytes_s[job];
	return judge_steadiness(rates, n);
}

static double larger_percent(const struct judge_steadiness *s)
{
	return fmax(fabs(s->trend_percent), s->swing_percent);
}

struct worst {
	const struct sb_phase *phase;
	struct judge_steadiness s;
};

static void look_at_phase(const struct sb_phase *phase, int device, double *rates,
			  struct worst *worst)
{
	for (size_t i = 0; i < phase->n_jobs; i++) {
		struct judge_steadiness s;

		if (phase->jobs[i].device != device)
			continue;
		s = look_at_job(phase, i, rates);
		if (s.is_unsteady &&
		    (!worst->phase || larger_percent(&s) > larger_percent(&worst->s)))
			*worst = (struct worst){phase, s};
	}
}

static int add_unsteady(struct sb_result *result, const char *target, const struct worst *worst)
{
	char where[JUDGE_PHASE_TEXT];
	double trend = worst->s.trend_percent;

	judge_phase_text(where, worst->phase);
	if (fabs(trend) > TREND_PERCENT)
		return sb_result_add_mark(result, SB_MARK_TAINT, "unsteady", target, trend,
					  TREND_PERCENT,
					  "its rate %s by %.0f %% within the phase (%s); look for "
					  "other load or heat, and repeat with a longer --runtime",
					  trend < 0 ? "fell" : "rose", fabs(trend), where);
	return sb_result_add_mark(
		result, SB_MARK_TAINT, "unsteady", target, worst->s.swing_percent, SWING_PERCENT,
		"its rate swung by %.0f %% of its mean within the phase (%s); look "
		"for other load or heat, and repeat with a longer --runtime",
		worst->s.swing_percent, where);
}

static size_t most_rows(const struct sb_result *result)
{
	size_t most = 1;

	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].n_intervals > most)
			most = result->phases[i].n_intervals;
	return most;
}

int mark_unsteady(struct sb_result *result, const struct judge_table *table)
{
	SB_AUTO_FREE double *rates = calloc(most_rows(result), sizeof(*rates));
	int err = rates ? 0 : -ENOMEM;

	(void)table;
	for (size_t d = 0; d < result->n_devices && !err; d++) {
		struct worst worst = {NULL, {NAN, NAN, false}};

		for (size_t i = 0; i < result->n_phases; i++) {
			const struct sb_phase *phase = &result->phases[i];

			if (phase->done &&
			    (phase->kind == SB_PHASE_ALONE || phase->kind == SB_PHASE_ALL))
				look_at_phase(phase, (int)d, rates, &worst);
		}
		if (worst.phase)
			err = add_unsteady(result, result->devices[d].target, &worst);
	}
	return err;
}

/* Runs that stood apart from their like were left out of the means and losses. */
int mark_outlier(struct sb_result *result, const struct judge_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct noise_cell *cell = &table->cells[i];
		bool is_alone = cell->key < (int)result->n_devices;
		bool is_part = !is_alone && !judge_is_all(table, cell);
		double percent = 100 * expm1(cell->distance);
		char where[JUDGE_PHASE_TEXT];
		int err;

		if (!cell->bad || cell->foreign)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_TAINT, "outlier",
			is_alone  ? result->devices[cell->key].target
			: is_part ? result->topo.nodes[cell->phase->node].id
				  : NULL,
			percent, NAN,
			"one run (%s) was %.0f %% %s than in the other rounds and was left out; "
			"look for other load and measure again",
			judge_phase_text(where, cell->phase), fabs(percent),
			percent < 0 ? "slower" : "faster");
		if (err)
			return err;
	}
	return 0;
}
