/* What an array should give, as a range, from what its members give together (t) and alone (a).
 * docs/MD.md has the derivation, a section a level. Reads are long and sequential. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "md_priv.h"
#include "satabench/units.h"

/* The members that md reads from. */
struct pool {
	const struct sb_md_array *array;
	const bool *heads;
	size_t n;     /* slots */
	size_t ready; /* with a member that can be read */
};

static const struct sb_md_range unknown = {NAN, NAN};

static const struct sb_md_member *at(const struct pool *p, size_t slot)
{
	for (size_t i = 0; i < p->array->n_members; i++) {
		const struct sb_md_member *m = &p->array->members[i];

		if (sb_md_is_readable(m) && m->slot == (int)slot)
			return m;
	}
	return NULL;
}

/* A member never gives less alone than beside others: what looks like it is noise. */
static double alone(const struct sb_md_member *m)
{
	return fmax(m->alone_bytes_s, m->together_bytes_s);
}

/* Least over the slots [first, last). Slots without a member are left out. */
static double least(const struct pool *p, size_t first, size_t last, bool is_alone)
{
	double rate = INFINITY;

	for (size_t slot = first; slot < last; slot++) {
		const struct sb_md_member *m = at(p, slot);

		if (m)
			rate = fmin(rate, is_alone ? alone(m) : m->together_bytes_s);
	}
	return isinf(rate) ? NAN : rate;
}

static double sum_together(const struct pool *p)
{
	double sum = 0;

	for (size_t slot = 0; slot < p->n; slot++)
		sum += at(p, slot) ? at(p, slot)->together_bytes_s : 0;
	return sum;
}

static struct sb_md_range range(double low, double high)
{
	return (struct sb_md_range){low, fmax(low, high)};
}

/* Chunk by chunk over `k` members from `first` on: the slowest of them sets the pace. Together they
 * share what lies above them with all the others of the pool, as the sum has it. */
static struct sb_md_range striped(const struct pool *p, size_t first, size_t k)
{
	return range((double)k * least(p, first, first + k, false),
		     fmin(sum_together(p), (double)k * least(p, first, first + k, true)));
}

/* Data in `data` of n slots, the rest to be passed over: at worst that costs as much as reading it,
 * at best nothing. */
static struct sb_md_range passing(const struct pool *p, double data)
{
	return range(data * least(p, 0, p->n, false),
		     fmin(sum_together(p), (double)p->ready * least(p, 0, p->n, true)));
}

static struct sb_md_range raid0(const struct pool *p)
{
	return p->ready == p->n ? striped(p, 0, p->n) : unknown;
}

/* Each reader is on one member. */
static struct sb_md_range linear(const struct pool *p)
{
	double low = p->heads ? 0 : INFINITY, high = 0, sum = 0;

	if (p->ready != p->n)
		return unknown;
	for (size_t slot = 0; slot < p->n; slot++) {
		const struct sb_md_member *m = at(p, slot);

		if (!p->heads) {
			low = fmin(low, m->together_bytes_s);
			high = fmax(high, alone(m));
		} else if (p->heads[m - p->array->members]) {
			low = fmax(low, m->together_bytes_s);
			high = fmax(high, alone(m));
			sum += m->together_bytes_s;
		}
	}
	return range(low, fmax(high, sum));
}

/* Where a resync has not been yet, the copies may differ: all is read from the first of them. */
static bool reads_first(const struct sb_md_array *a)
{
	return (a->sync_action && strcmp(a->sync_action, "resync") == 0) || a->sync_waits ||
	       (a->sync_action_end && strcmp(a->sync_action_end, "resync") == 0);
}

/* One member at a time: the best one; several: up to the sum. One that is write-mostly is read only
 * where there is no other. */
static struct sb_md_range raid1(const struct pool *p)
{
	double best = 0, best_alone = 0, sum = 0;
	bool others = false, first = reads_first(p->array);

	for (size_t slot = 0; slot < p->n; slot++)
		others |= at(p, slot) && !at(p, slot)->write_mostly;
	for (size_t slot = 0; slot < p->n; slot++) {
		const struct sb_md_member *m = at(p, slot);

		if (!m || (others && m->write_mostly))
			continue;
		if (isnan(m->together_bytes_s))
			return unknown;
		if (best == 0 || !first)
			best = fmax(best, m->together_bytes_s);
		best_alone = fmax(best_alone, alone(m));
		sum += m->together_bytes_s;
	}
	return p->ready ? range(best, fmax(sum, best_alone)) : unknown;
}

/* drivers/md/raid5.c, raid5_compute_sector: ALGORITHM_PARITY_0 has its parity first, any other
 * number of raid4 last. */
#define PARITY_FIRST 4

static struct sb_md_range raid4(const struct pool *p)
{
	size_t parity = p->array->layout == PARITY_FIRST ? 0 : p->n - 1;
	size_t data = p->n - 1;

	if (p->ready == p->n || (p->ready == data && !at(p, parity)))
		return striped(p, parity == 0 ? 1 : 0, data);
	/* what is missing is computed from all the others */
	return p->ready == data ? passing(p, (double)data) : unknown;
}

static struct sb_md_range raid56(const struct pool *p)
{
	size_t data = p->n - sb_md_parity(p->array->kind);

	return p->ready >= data ? passing(p, (double)data) : unknown;
}

/* Groups of `near` slots with the same data: of each at least the best, at most the sum; the
 * slowest group sets the pace. */
static struct sb_md_range grouped(const struct pool *p, size_t near)
{
	double low = INFINITY, high = INFINITY;
	size_t groups = p->n / near;
	bool first = reads_first(p->array);

	for (size_t g = 0; g < groups; g++) {
		double best = 0, sum = 0;

		for (size_t slot = g * near; slot < (g + 1) * near; slot++) {
			const struct sb_md_member *m = at(p, slot);

			if (m && isnan(m->together_bytes_s))
				return unknown;
			if (m && (best == 0 || !first))
				best = fmax(best, m->together_bytes_s);
			sum += m ? alone(m) : 0;
		}
		if (best <= 0)
			return unknown;
		low = fmin(low, best);
		high = fmin(high, sum);
	}
	return range((double)groups * low, fmin(sum_together(p), (double)groups * high));
}

/* Bits as md(4) and raid10.c have them: near copies, far copies, "far copies are offset". */
static struct sb_md_range raid10(const struct pool *p)
{
	uint64_t layout = p->array->layout;
	size_t near, far;
	bool offset;

	if (layout == SB_NONE_U64)
		return unknown;
	near = layout & 255;
	far = (layout >> 8) & 255;
	offset = layout & (1u << 16);
	if (near == 0 || far == 0 || !p->ready)
		return unknown;
	if (far == 1 && p->n % near == 0)
		return grouped(p, near);
	/* far: the first copies lie one behind the other, as in raid0 */
	if (far > 1 && near == 1 && !offset && p->ready == p->n)
		return striped(p, 0, p->n);
	return passing(p, (double)p->n / (double)(near * far));
}

struct sb_md_range judge_md_theory(const struct sb_md_array *array, const bool *heads)
{
	static struct sb_md_range (*const levels[SB_MD_LEVELS])(const struct pool *) = {
		[SB_MD_LINEAR] = linear, [SB_MD_RAID0] = raid0,	 [SB_MD_RAID1] = raid1,
		[SB_MD_RAID4] = raid4,	 [SB_MD_RAID5] = raid56, [SB_MD_RAID6] = raid56,
		[SB_MD_RAID10] = raid10,
	};
	struct pool p = {.array = array, .heads = heads};
	struct sb_md_range found;

	if (array->raid_disks == SB_NONE_U64 || array->raid_disks > array->n_members + 64 ||
	    array->kind < 0 || array->kind >= SB_MD_LEVELS || !levels[array->kind])
		return unknown;
	p.n = array->raid_disks;
	for (size_t slot = 0; slot < p.n; slot++) {
		p.ready += at(&p, slot) != NULL;
		if (at(&p, slot) && isnan(at(&p, slot)->together_bytes_s))
			return unknown;
	}
	found = levels[array->kind](&p);
	return isnan(found.low) || isnan(found.high) ? unknown : found;
}
