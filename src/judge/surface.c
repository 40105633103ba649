/* What a surface tells: rates by place, reads that stand out, and whether its start is flat. */
#include <math.h>

#include "satabench/stats.h"
#include "satabench/units.h"
#include "satabench/verdict.h"
#include "judge_priv.h"

#define EDGE_SHARE 20u	  /* start and end are a twentieth each */
#define SLOW_TIMES 5	  /* the median latency, */
#define SLOW_LEAST_NS 1e8 /* and that a person would notice */

/* A disk's outer zones hold its fastest tenth at most (the widest seen in drive tables), and each
 * next zone is 2 to 5 % slower: a longer start within 2 % is not of its making. Less than a tenth
 * of fall over the whole is no zone curve, but flash or a cap that is never left. */
#define FLAT_WITHIN 0.02
#define FLAT_LEAST 0.20
#define FALL_LEAST 0.10
#define BUCKETS_LEAST 20u

static void fill_rates(struct sb_surface *s)
{
	uint64_t bytes = 0, ns = 0;

	for (size_t i = 0; i < s->n_buckets; i++) {
		struct sb_surface_bucket *b = &s->buckets[i];

		b->bytes_s = b->timed_bytes && b->ns ? (double)b->timed_bytes * 1e9 / (double)b->ns
						     : NAN;
		bytes += b->timed_bytes;
		ns += b->ns;
	}
	s->bytes_s = bytes && ns ? (double)bytes * 1e9 / (double)ns : NAN;
}

/* Over `n` buckets from `first`; NaN when the outermost of them has no rate. */
static double rate_of(const struct sb_surface *s, size_t first, size_t n, size_t outermost)
{
	uint64_t bytes = 0, ns = 0;

	for (size_t i = first; i < first + n; i++) {
		bytes += s->buckets[i].timed_bytes;
		ns += s->buckets[i].ns;
	}
	return isnan(s->buckets[outermost].bytes_s) ? NAN : (double)bytes * 1e9 / (double)ns;
}

static void fill_ends(struct sb_surface *s)
{
	size_t n = s->n_buckets, edge = (n + EDGE_SHARE - 1) / EDGE_SHARE;

	s->start_bytes_s = n ? rate_of(s, 0, edge, 0) : NAN;
	s->end_bytes_s = n ? rate_of(s, n - edge, edge, n - 1) : NAN;
}

static void fill_outliers(struct sb_surface *s, double p50_ns)
{
	/* where nothing was read in this session, that of the last one stands */
	if (isnan(s->slow_ns) || !isnan(p50_ns))
		s->slow_ns = fmax(SLOW_LEAST_NS, isnan(p50_ns) ? 0 : SLOW_TIMES * p50_ns);
	s->n_outliers = 0;
	while (s->n_outliers < s->n_slowest &&
	       (double)s->slowest[s->n_outliers].latency_ns >= s->slow_ns)
		s->n_outliers++;
}

/* The middle one of a bucket and its two neighbours: one that stands out alone is no zone. */
static double smooth(const double *rates, size_t n, size_t i)
{
	double three[3] = {rates[i ? i - 1 : 0], rates[i], rates[i + 1 < n ? i + 1 : n - 1]};

	return sb_median(three, 3);
}

static double median_of(const double *rates, size_t n)
{
	double copy[SB_SURFACE_BUCKETS_MAX];

	for (size_t i = 0; i < n; i++)
		copy[i] = rates[i];
	return sb_median(copy, n);
}

static void judge_flat(struct sb_surface *s, const double *rates, size_t n)
{
	size_t tenth = n / 10, flat = 0;
	double level = median_of(rates, tenth), end = median_of(rates + n - tenth, tenth);

	if (end > (1 - FALL_LEAST) * level)
		return; /* it does not fall: nothing to tell from */
	while (flat < n && fabs(smooth(rates, n, flat) / level - 1) <= FLAT_WITHIN)
		flat++;
	s->flat_start = (double)flat >= FLAT_LEAST * (double)n ? SB_ANSWER_YES : SB_ANSWER_NO;
	if (s->flat_start != SB_ANSWER_YES)
		return;
	s->flat_percent = 100 * (double)flat / (double)n;
	s->flat_bytes_s = median_of(rates, flat);
}

/* Flash has no zones: what it gives by place is what was written there. */
static void fill_flat(struct sb_surface *s, bool rotational)
{
	double rates[SB_SURFACE_BUCKETS_MAX];
	size_t n = 0;

	s->flat_start = SB_ANSWER_NONE;
	s->flat_percent = s->flat_bytes_s = NAN;
	/* the whole curve, from the first place to the last */
	if (!rotational || s->offset_bytes || s->n_buckets < BUCKETS_LEAST ||
	    s->n_buckets > SB_SURFACE_BUCKETS_MAX || isnan(s->start_bytes_s) ||
	    isnan(s->end_bytes_s))
		return;
	for (size_t i = 0; i < s->n_buckets; i++)
		if (!isnan(s->buckets[i].bytes_s))
			rates[n++] = s->buckets[i].bytes_s;
	if (n >= BUCKETS_LEAST && 10 * n >= 9 * s->n_buckets)
		judge_flat(s, rates, n);
}

void judge_surface(struct sb_surface *s, bool rotational, double p50_ns)
{
	fill_rates(s);
	fill_ends(s);
	fill_outliers(s, p50_ns);
	fill_flat(s, rotational);
}
