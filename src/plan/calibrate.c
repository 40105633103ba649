/* The queue depth: doubled while that gives at least 3 % more, on one device of each kind. Then the
 * least depth within 3 % of the best is taken for all devices of the kind, so that latency is not
 * bought for nothing. A reading comes before them that does not count: what was at rest may give a
 * burst first (throttles, caches), or be slow to wake, and either would decide for the first depth.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "plan_priv.h"

#define GAIN 1.03
#define DEPTH_MAX_READ 32u
#define DEPTH_MAX_RAND 256u

static const char *model_of(const struct sb_result *result, const struct sb_device *d)
{
	const char *model =
		d->node >= 0 ? sb_node_get(&result->topo.nodes[d->node], "model") : NULL;

	return model ? model : "";
}

static bool alike(const struct sb_result *result, const struct sb_device *a,
		  const struct sb_device *b)
{
	return a->kind == b->kind && a->size_bytes == b->size_bytes &&
	       a->sector_bytes == b->sector_bytes &&
	       strcmp(a->engine ? a->engine : "", b->engine ? b->engine : "") == 0 &&
	       strcmp(model_of(result, a), model_of(result, b)) == 0;
}

/* Only where the depth matters and can be chosen: not for synchronous reads, nor for spinning
 * disks, whose own read-ahead serves a sequential reader at any depth. */
static bool wants(const struct sb_device *d)
{
	return d->state == SB_DEVICE_READY && d->depth == 0 && sb_plan_is(d->engine, "io_uring") &&
	       !d->rotational;
}

struct tried {
	bool warm;	/* the reading that does not count was made */
	uint64_t depth; /* the last one; 0 = none */
	double best, last, before_last;
	uint64_t chosen; /* least depth within 3 % of the best */
};

static bool is_of(const struct sb_phase *phase, int device)
{
	return phase->kind == SB_PHASE_CALIBRATE && phase->jobs[0].device == device;
}

static void look_back(const struct sb_result *result, int device, struct tried *t)
{
	size_t first = 0;

	*t = (struct tried){0};
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *p = &result->phases[i];

		if (!is_of(p, device))
			continue;
		if (!t->warm) {
			t->warm = true;
			first = i + 1;
			continue;
		}
		t->depth = p->jobs[0].depth;
		t->before_last = t->last;
		t->last = isnan(p->bytes_s) ? 0 : p->bytes_s;
		t->best = fmax(t->best, t->last);
	}
	for (size_t i = result->n_phases; t->warm && i > first; i--) {
		const struct sb_phase *p = &result->phases[i - 1];

		if (is_of(p, device) && p->bytes_s * GAIN >= t->best)
			t->chosen = p->jobs[0].depth;
	}
}

static void settle(struct sb_result *result, const struct sb_device *like, uint64_t depth)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if (wants(&result->devices[i]) && &result->devices[i] != like &&
		    alike(result, &result->devices[i], like))
			result->devices[i].depth = depth;
}

static uint64_t deepest(const struct sb_result *result)
{
	return sb_plan_is(result->options.workload, "randread") ? DEPTH_MAX_RAND : DEPTH_MAX_READ;
}

static int append(struct sb_result *result, int device, const struct tried *t)
{
	struct sb_phase *phase =
		sb_plan_phase(result, SB_PHASE_CALIBRATE, 0, SB_CALIBRATE_S, &device, 1,
			      t->warm ? "the least queue depth that gives its full rate"
				      : "does not count: a first burst must not choose the depth");

	if (!phase)
		return -ENOMEM;
	phase->jobs[0].depth = !t->warm ? SB_DEFAULT_DEPTH : t->depth ? t->depth * 2 : 1;
	phase->jobs[0].limit_bytes = 0;
	phase->jobs[0].end_at_end = false;
	return 1;
}

int sb_plan_calibrate(struct sb_result *result)
{
	uint64_t max = deepest(result);

	if (result->options.depth)
		return 0;
	for (int i = 0; i < (int)result->n_devices; i++) {
		struct sb_device *d = &result->devices[i];
		struct tried t;

		if (!wants(d))
			continue;
		look_back(result, i, &t);
		if (!t.depth || (t.depth < max && t.last >= t.before_last * GAIN))
			return append(result, i, &t);
		settle(result, d, t.chosen ? t.chosen : SB_DEFAULT_DEPTH);
		d->depth = t.chosen ? t.chosen : SB_DEFAULT_DEPTH;
	}
	return 0;
}

/* Before they are opened nobody knows which engine they get. */
static bool may_want(const struct sb_device *d)
{
	return sb_plan_usable(d) && d->kind == SB_DEVICE_BLOCK && !d->rotational &&
	       (!d->engine || sb_plan_is(d->engine, "io_uring"));
}

double sb_plan_calibrate_longest(const struct sb_result *result)
{
	size_t kinds = 0, readings = 2; /* the one that does not count, and depth 1 */

	if (result->options.depth || sb_plan_is(result->options.engine, "preadv"))
		return 0;
	for (size_t i = 0; i < result->n_devices; i++) {
		bool seen = !may_want(&result->devices[i]);

		for (size_t k = 0; k < i && !seen; k++)
			seen = may_want(&result->devices[k]) &&
			       alike(result, &result->devices[k], &result->devices[i]);
		kinds += !seen;
	}
	for (uint64_t depth = 1; depth < deepest(result); depth *= 2)
		readings++;
	return (double)(kinds * readings) * (SB_CALIBRATE_S + SB_OVERHEAD_S);
}
