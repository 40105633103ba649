#include "satabench/hist.h"

#include <math.h>

void sb_hist_reset(struct sb_hist *h)
{
	SB_RELAXED_STORE(h->count, 0);
	SB_RELAXED_STORE(h->sum_ns, 0);
	SB_RELAXED_STORE(h->min_ns, UINT64_MAX);
	SB_RELAXED_STORE(h->max_ns, 0);
	for (unsigned i = 0; i < SB_HIST_BUCKETS; i++)
		SB_RELAXED_STORE(h->bucket[i], 0);
}

void sb_hist_merge(struct sb_hist *into, const struct sb_hist *from)
{
	uint64_t low = SB_RELAXED_LOAD(from->min_ns), high = SB_RELAXED_LOAD(from->max_ns);

	SB_RELAXED_ADD(into->count, SB_RELAXED_LOAD(from->count));
	SB_RELAXED_ADD(into->sum_ns, SB_RELAXED_LOAD(from->sum_ns));
	if (low < SB_RELAXED_LOAD(into->min_ns))
		SB_RELAXED_STORE(into->min_ns, low);
	if (high > SB_RELAXED_LOAD(into->max_ns))
		SB_RELAXED_STORE(into->max_ns, high);
	for (unsigned i = 0; i < SB_HIST_BUCKETS; i++)
		SB_RELAXED_ADD(into->bucket[i], SB_RELAXED_LOAD(from->bucket[i]));
}

/* Middle of bucket i, the inverse of sb_hist_index. */
static double bucket_middle(unsigned i)
{
	unsigned group = i >> SB_HIST_SUB_BITS, sub = i & ((1u << SB_HIST_SUB_BITS) - 1);

	if (group == 0)
		return sub;
	return ldexp((double)((1u << SB_HIST_SUB_BITS) + sub) + 0.5, (int)group - 1);
}

double sb_hist_quantile(const struct sb_hist *h, double quantile)
{
	/* counted from the buckets: `count` may be newer than they are while the writer works */
	uint64_t total = 0, below = 0, rank;
	double low = (double)SB_RELAXED_LOAD(h->min_ns), high = (double)SB_RELAXED_LOAD(h->max_ns);

	for (unsigned i = 0; i < SB_HIST_BUCKETS; i++)
		total += SB_RELAXED_LOAD(h->bucket[i]);
	if (total == 0)
		return NAN;
	rank = (uint64_t)ceil(quantile * (double)total);
	rank = rank < 1 ? 1 : rank > total ? total : rank;
	for (unsigned i = 0; i < SB_HIST_BUCKETS; i++) {
		below += SB_RELAXED_LOAD(h->bucket[i]);
		if (below >= rank)
			return fmin(fmax(bucket_middle(i), low), high);
	}
	return high;
}

struct sb_latency sb_hist_latency(const struct sb_hist *h)
{
	uint64_t count = SB_RELAXED_LOAD(h->count);
	struct sb_latency l = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

	if (count == 0)
		return l;
	l.min = (double)SB_RELAXED_LOAD(h->min_ns);
	l.mean = (double)SB_RELAXED_LOAD(h->sum_ns) / (double)count;
	l.p50 = sb_hist_quantile(h, 0.50);
	l.p90 = sb_hist_quantile(h, 0.90);
	l.p99 = sb_hist_quantile(h, 0.99);
	l.p999 = sb_hist_quantile(h, 0.999);
	l.max = (double)SB_RELAXED_LOAD(h->max_ns);
	return l;
}
