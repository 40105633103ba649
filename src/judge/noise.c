#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/stats.h"
#include "judge_priv.h"

#define OUTLIER_LOG 0.10     /* a run is further than this ... */
#define OUTLIER_MADS 6	     /* ... and than this from its like */
#define FEWEST_FOR_EFFECT 5  /* phases, for a round to have an effect of its own */
#define FEWEST_FOR_OUTLIER 3 /* rounds */
#define FEWEST_CLEAN 2

struct work {
	struct noise_cell *cells;
	size_t n;
	double *rest;	 /* log rate less the round's effect */
	double *scratch; /* for medians */
};

/* Behind the last cell of the key that begins at `first`. */
static size_t key_end(const struct work *w, size_t first)
{
	size_t end = first;

	while (end < w->n && w->cells[end].key == w->cells[first].key)
		end++;
	return end;
}

static double median_of(struct work *w, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w->scratch[i] = values[i];
	return sb_median(w->scratch, n);
}

/* Turns w->rest into distances from the median of the key; those of keys with one run are no help
 * in finding what a round did to all: NaN. */
static void centre_keys(struct work *w)
{
	for (size_t first = 0, end; first < w->n; first = end) {
		double middle;

		end = key_end(w, first);
		middle = median_of(w, &w->rest[first], end - first);
		for (size_t i = first; i < end; i++)
			w->rest[i] = end - first > 1 ? w->rest[i] - middle : NAN;
	}
}

static double round_effect(struct work *w, unsigned round)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->cells[i].round == round && !isnan(w->rest[i]))
			w->scratch[n++] = w->rest[i];
	return n >= FEWEST_FOR_EFFECT ? sb_median(w->scratch, n) : 0;
}

/* `distance` serves as the place for a round's effect until distances are known. */
static void remove_effects(struct work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		w->rest[i] = w->cells[i].log_rate;
		w->cells[i].distance = NAN;
	}
	centre_keys(w);
	for (size_t i = 0; i < w->n; i++) {
		double effect;

		if (!isnan(w->cells[i].distance))
			continue;
		effect = round_effect(w, w->cells[i].round);
		for (size_t k = i; k < w->n; k++)
			if (w->cells[k].round == w->cells[i].round)
				w->cells[k].distance = effect;
	}
	for (size_t i = 0; i < w->n; i++)
		w->rest[i] = w->cells[i].log_rate - w->cells[i].distance;
}

static void find_outliers(struct work *w)
{
	size_t n = 0;
	double mad;

	for (size_t first = 0, end; first < w->n; first = end) {
		double middle;

		end = key_end(w, first);
		middle = median_of(w, &w->rest[first], end - first);
		for (size_t i = first; i < end; i++)
			w->cells[i].distance =
				end - first >= FEWEST_FOR_OUTLIER ? w->rest[i] - middle : NAN;
	}
	for (size_t i = 0; i < w->n; i++)
		if (!isnan(w->cells[i].distance))
			w->scratch[n++] = fabs(w->cells[i].distance);
	mad = n ? sb_median(w->scratch, n) : 0;
	for (size_t i = 0; i < w->n; i++)
		w->cells[i].bad =
			fabs(w->cells[i].distance) > fmax(OUTLIER_LOG, OUTLIER_MADS * mad);
}

static void drop_foreign(struct work *w)
{
	for (size_t first = 0, end; first < w->n; first = end) {
		size_t clean = 0;

		end = key_end(w, first);
		for (size_t i = first; i < end; i++)
			clean += !w->cells[i].foreign;
		for (size_t i = first; i < end && clean >= FEWEST_CLEAN; i++)
			w->cells[i].bad |= w->cells[i].foreign;
	}
}

static double pool(const struct work *w)
{
	double squares = 0, phases = 0;
	size_t freedom = 0;

	for (size_t first = 0, end; first < w->n; first = end) {
		struct sb_stats s;

		end = key_end(w, first);
		sb_stats_start(&s);
		for (size_t i = first; i < end; i++)
			if (!w->cells[i].bad)
				sb_stats_add(&s, w->rest[i]);
		phases++;
		if (s.n < 2)
			continue;
		squares += s.m2;
		freedom += s.n - 1;
	}
	phases = fmax(phases, 2);
	if (!freedom)
		return SB_NOISE_NONE;
	/* the round effects were taken from the same runs: one part in `phases` went with them */
	return fmax(sqrt(squares / (double)freedom * phases / (phases - 1)), SB_NOISE_FLOOR);
}

double judge_noise(struct noise_cell *cells, size_t n)
{
	SB_AUTO_FREE double *memory = calloc(n ? 2 * n : 1, sizeof(*memory));
	struct work w = {.cells = cells, .n = n, .rest = memory};

	if (!memory)
		return NAN;
	w.scratch = memory + n;
	remove_effects(&w);
	find_outliers(&w);
	drop_foreign(&w);
	return pool(&w);
}
