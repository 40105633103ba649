/* The queue depth: doubled while that gives at least 3 % more, on one device of each kind. Then the
 * least depth within 3 % of the best is taken for all devices of the kind, so that latency is not
 * bought for nothing. */
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
	uint64_t depth; /* the last one; 0 = none */
	double best, last, before_last;
	uint64_t chosen; /* least depth within 3 % of the best */
};

static void look_back(const struct sb_result *result, int device, struct tried *t)
{
	*t = (struct tried){0};
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *p = &result->phases[i];

		if (p->kind != SB_PHASE_CALIBRATE || p->jobs[0].device != device)
			continue;
		t->depth = p->jobs[0].depth;
		t->before_last = t->last;
		t->last = isnan(p->bytes_s) ? 0 : p->bytes_s;
		t->best = fmax(t->best, t->last);
	}
	for (size_t i = result->n_phases; i > 0; i--) {
		const struct sb_phase *p = &result->phases[i - 1];

		if (p->kind == SB_PHASE_CALIBRATE && p->jobs[0].device == device &&
		    p->bytes_s * GAIN >= t->best)
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

int sb_plan_calibrate(struct sb_result *result)
{
	unsigned max =
		sb_plan_is(result->options.workload, "randread") ? DEPTH_MAX_RAND : DEPTH_MAX_READ;

	if (result->options.depth)
		return 0;
	for (int i = 0; i < (int)result->n_devices; i++) {
		struct sb_device *d = &result->devices[i];
		struct sb_phase *phase;
		struct tried t;

		if (!wants(d))
			continue;
		look_back(result, i, &t);
		if (t.depth && (t.depth >= max || t.last < t.before_last * GAIN)) {
			settle(result, d, t.chosen ? t.chosen : SB_DEFAULT_DEPTH);
			d->depth = t.chosen ? t.chosen : SB_DEFAULT_DEPTH;
			continue;
		}
		phase = sb_plan_phase(result, SB_PHASE_CALIBRATE, 0, SB_CALIBRATE_S, &i, 1,
				      "the least queue depth that gives its full rate");
		if (!phase)
			return -ENOMEM;
		phase->jobs[0].depth = t.depth ? t.depth * 2 : 1;
		phase->jobs[0].limit_bytes = 0;
		phase->jobs[0].end_at_end = false;
		return 1;
	}
	return 0;
}
