/* Latency histogram: log-linear buckets in nanoseconds, error of a value at most 1/64 (1.6 %).
 * One writer; anyone may read at any time (relaxed atomics, so a reader may miss the newest
 * values, never see a torn one). Merge is addition. */
#ifndef SATABENCH_HIST_H
#define SATABENCH_HIST_H

#include <stdatomic.h>
#include <stdint.h>

/* 32 linear buckets a power of two up to 2^44 ns (4.9 h); what is longer is clipped. */
#define SB_HIST_SUB_BITS 5
#define SB_HIST_MAX_BITS 44
#define SB_HIST_BUCKETS ((SB_HIST_MAX_BITS - SB_HIST_SUB_BITS + 1) << SB_HIST_SUB_BITS)

struct sb_hist {
	_Atomic uint64_t count;
	_Atomic uint64_t sum_ns;
	_Atomic uint64_t min_ns; /* UINT64_MAX when empty */
	_Atomic uint64_t max_ns;
	_Atomic uint64_t bucket[SB_HIST_BUCKETS];
};

/* Derived figures, ns; NaN when empty. */
struct sb_latency {
	double min, mean, p50, p90, p99, p999, max;
};

static inline unsigned sb_hist_index(uint64_t ns)
{
	unsigned log2, index;

	if (ns < (1u << SB_HIST_SUB_BITS))
		return (unsigned)ns;
	log2 = 63u - (unsigned)__builtin_clzll(ns);
	index = ((log2 - SB_HIST_SUB_BITS + 1) << SB_HIST_SUB_BITS) +
		(unsigned)((ns >> (log2 - SB_HIST_SUB_BITS)) & ((1u << SB_HIST_SUB_BITS) - 1));
	return index < SB_HIST_BUCKETS ? index : SB_HIST_BUCKETS - 1;
}

#define SB_RELAXED_ADD(var, amount)                                                                \
	atomic_store_explicit(&(var),                                                              \
			      atomic_load_explicit(&(var), memory_order_relaxed) + (amount),       \
			      memory_order_relaxed)
#define SB_RELAXED_LOAD(var) atomic_load_explicit(&(var), memory_order_relaxed)
#define SB_RELAXED_STORE(var, value) atomic_store_explicit(&(var), (value), memory_order_relaxed)

/* Writer only. */
static inline void sb_hist_add(struct sb_hist *h, uint64_t ns)
{
	SB_RELAXED_ADD(h->count, 1);
	SB_RELAXED_ADD(h->sum_ns, ns);
	SB_RELAXED_ADD(h->bucket[sb_hist_index(ns)], 1);
	if (ns < SB_RELAXED_LOAD(h->min_ns))
		SB_RELAXED_STORE(h->min_ns, ns);
	if (ns > SB_RELAXED_LOAD(h->max_ns))
		SB_RELAXED_STORE(h->max_ns, ns);
}

void sb_hist_reset(struct sb_hist *h);
/* Adds `from` to `into`; the caller is the writer of `into`. */
void sb_hist_merge(struct sb_hist *into, const struct sb_hist *from);
struct sb_latency sb_hist_latency(const struct sb_hist *h);
/* The value below which `quantile` (0..1) of the entries lie, as the middle of its bucket, clipped
 * to min and max; NaN when empty. */
double sb_hist_quantile(const struct sb_hist *h, double quantile);

#endif
