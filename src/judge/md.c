/* The figures of the arrays: three levels (members alone, members together, the array), what the
 * array should give, and where the rest is lost. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "md_priv.h"
#include "satabench/cleanup.h"
#include "satabench/stats.h"
#include "satabench/units.h"

#define PAIR_WEIGHT 2 /* of the noise of one run: the array's and its members' */

struct work {
	struct sb_result *result;
	const struct judge_table *table;
	struct sb_md_array *array;
	double *values; /* room for one a phase */
};

static double median(struct work *w, size_t n)
{
	return sb_median(w->values, n);
}

/* Where `all` is just the members, the table has the device's own clean mean. */
static double together_of(struct work *w, const struct sb_md_member *m)
{
	bool same = false;
	size_t n = 0;

	for (size_t i = 0; i < w->result->n_phases; i++) {
		const struct sb_phase *phase = &w->result->phases[i];

		if (!judge_md_reads_members(phase, w->array))
			continue;
		same |= phase->kind == SB_PHASE_ALL;
		w->values[n] = judge_md_rate(phase, m->device);
		n += !isnan(w->values[n]);
	}
	return same ? w->result->devices[m->device].all_bytes_s : median(w, n);
}

/* An array of arrays: the inner ones have been judged. */
static double alone_of(struct work *w, const struct sb_md_member *m)
{
	for (size_t i = 0; i < w->result->n_md && &w->result->md[i] < w->array; i++)
		if (w->result->md[i].device == m->device)
			return w->result->md[i].one.bytes_s;
	return w->result->devices[m->device].alone_bytes_s;
}

static void judge_members(struct work *w)
{
	struct sb_md_array *a = w->array;
	double alone = 0, together = 0, slowest = INFINITY;

	a->slowest = -1;
	for (size_t i = 0; i < a->n_members; i++) {
		struct sb_md_member *m = &a->members[i];

		m->alone_bytes_s = m->together_bytes_s = NAN;
		if (!sb_md_is_readable(m))
			continue;
		if (m->device >= 0) {
			m->alone_bytes_s = alone_of(w, m);
			m->together_bytes_s = together_of(w, m);
		}
		alone += m->alone_bytes_s;
		together += m->together_bytes_s;
		if (m->alone_bytes_s < slowest) {
			slowest = m->alone_bytes_s;
			a->slowest = (int)i;
		}
	}
	a->alone_bytes_s = alone > 0 ? alone : NAN;
	a->together_bytes_s = together > 0 ? together : NAN;
	a->controller_loss = 1 - a->together_bytes_s / a->alone_bytes_s;
}

/* On which member of a linear array a reader begins: they lie one behind the other. */
static void find_head(const struct sb_md_array *a, uint64_t offset, bool *heads)
{
	uint64_t end = 0;

	for (size_t i = 0; i < a->n_members; i++) {
		const struct sb_md_member *m = &a->members[i];

		if (!sb_md_is_readable(m) || m->size_bytes == SB_NONE_U64)
			continue;
		end += m->size_bytes;
		if (offset < end) {
			heads[i] = true;
			return;
		}
	}
}

static struct sb_md_range theory_of(struct work *w, bool many)
{
	SB_AUTO_FREE bool *heads = calloc(w->array->n_members + 1, sizeof(*heads));

	for (size_t i = 0; heads && i < w->result->n_phases; i++) {
		const struct sb_phase *phase = &w->result->phases[i];

		for (size_t k = 0; judge_md_reads(phase, w->array, many) && k < phase->n_jobs; k++)
			find_head(w->array, phase->jobs[k].offset_bytes, heads);
	}
	return judge_md_theory(w->array, heads);
}

/* How surely it is below its range; the rates are in values[0 .. n). */
static void judge_below(struct work *w, struct sb_md_reading *r, size_t n, bool many)
{
	double below = 1 - r->bytes_s / r->theory.low, sd = w->table->sd;
	bool cpu = judge_md_cpu_full(w->result, w->array, many);
	struct sb_estimate e;

	r->md_loss = r->cpu_loss = r->p_below = NAN;
	if (isnan(below))
		return;
	below = fmax(0, below);
	r->cpu_loss = cpu ? below : 0;
	r->md_loss = cpu ? 0 : below;
	for (size_t i = 0; i < n; i++)
		w->values[i] = log(r->theory.low / w->values[i]);
	e = sb_estimate(w->values, n, PAIR_WEIGHT * sd * sd);
	if (n > 1)
		r->p_below = sb_estimate_above(&e, sb_loss_to_log(MD_TOLERANCE));
}

static void judge_reading(struct work *w, struct sb_md_reading *r, bool many)
{
	struct sb_md_array *a = w->array;
	size_t n = 0;

	for (size_t i = 0; i < w->result->n_phases; i++) {
		if (!judge_md_reads_beside(&w->result->phases[i], a, many))
			continue;
		w->values[n] = judge_md_rate(&w->result->phases[i], a->device);
		n += !isnan(w->values[n]);
	}
	*r = (struct sb_md_reading){.beside_bytes_s = median(w, n)};
	n = 0;
	for (size_t i = 0; i < w->result->n_phases; i++) {
		const struct sb_phase *phase = &w->result->phases[i];

		if (!judge_md_reads(phase, a, many))
			continue;
		r->streams = (uint32_t)phase->n_jobs;
		a->block_bytes = phase->jobs[0].block_bytes;
		w->values[n] = judge_md_rate(phase, a->device);
		n += !isnan(w->values[n]);
	}
	r->bytes_s = median(w, n);
	r->theory = r->streams ? theory_of(w, many) : (struct sb_md_range){NAN, NAN};
	judge_below(w, r, n, many);
}

/* All members at once from end to end, at what the slowest gives together, or md's own limit. For
 * a rebuild the new member has to write as fast as the slowest reads. */
static void judge_times(struct sb_md_array *a)
{
	double rate = INFINITY, all = (double)a->component_bytes;

	a->check_seconds = a->rebuild_seconds = NAN;
	if (a->kind == SB_MD_RAID0 || a->kind == SB_MD_LINEAR || a->component_bytes == SB_NONE_U64)
		return;
	for (size_t i = 0; i < a->n_members; i++)
		if (sb_md_is_readable(&a->members[i]))
			rate = fmin(rate, isnan(a->members[i].together_bytes_s)
						  ? 0
						  : a->members[i].together_bytes_s);
	if (a->sync_max_bytes_s != SB_NONE_U64)
		rate = fmin(rate, (double)a->sync_max_bytes_s);
	if (!(rate > 0) || isinf(rate))
		return;
	a->check_seconds = a->rebuild_seconds = all / rate;
}

/* As of any other device: alone, and at once with its like. */
static void tell_device(struct work *w)
{
	const struct sb_md_array *a = w->array;
	struct sb_device *device = a->device >= 0 ? &w->result->devices[a->device] : NULL;

	if (!device || !a->one.streams)
		return;
	device->alone_bytes_s = a->one.bytes_s;
	device->all_bytes_s = a->one.beside_bytes_s;
	device->loss_percent = 100 * (1 - device->all_bytes_s / device->alone_bytes_s);
}

static void judge_array(struct work *w)
{
	struct sb_md_array *a = w->array;

	a->stripe_bytes = sb_md_stripe_bytes(a);
	a->block_bytes = 0;
	judge_members(w);
	judge_reading(w, &a->one, false);
	judge_reading(w, &a->many, true);
	judge_times(a);
	tell_device(w);
}

int judge_md(struct sb_result *result, const struct judge_table *table)
{
	SB_AUTO_FREE double *values = calloc(result->n_phases + 1, sizeof(*values));
	struct work w = {.result = result, .table = table, .values = values};

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_md; i++) {
		w.array = &result->md[i];
		judge_array(&w);
	}
	return 0;
}

static bool is_surely_below(const struct sb_md_reading *r)
{
	return r->streams && r->p_below > MD_SURE;
}

const struct sb_md_reading *judge_md_below(const struct sb_md_array *array)
{
	const struct sb_md_reading *one = &array->one, *many = &array->many;

	if (is_surely_below(one) && is_surely_below(many))
		return one->md_loss + one->cpu_loss >= many->md_loss + many->cpu_loss ? one : many;
	if (is_surely_below(one))
		return one;
	return is_surely_below(many) ? many : NULL;
}
