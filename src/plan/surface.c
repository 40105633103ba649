/* Plan surface: one phase in which each device is read once over its whole length, or at places. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"
#include "satabench/units.h"

/* An array beside its members would read the same places at the same time. */
static bool is_made_of_others(const struct sb_result *result, size_t device)
{
	int node = result->devices[device].node;

	for (size_t i = 0; node >= 0 && i < result->n_devices; i++)
		if (i != device && result->devices[i].node >= 0 &&
		    result->devices[i].node != node && sb_plan_usable(&result->devices[i]) &&
		    sb_topo_reaches(&result->topo, node, result->devices[i].node))
			return true;
	return false;
}

/* 1: there is something left to read, 0, or -ENOMEM. */
static int prepare(struct sb_result *result, int device)
{
	const struct sb_device *d = &result->devices[device];
	struct sb_surface *s = sb_result_surface(result, device);
	uint64_t offset = sb_plan_offset(result, d);
	uint64_t span =
		d->size_bytes == SB_NONE_U64 || d->size_bytes < offset ? 0 : d->size_bytes - offset;

	if (!s) {
		s = sb_result_add_surface(result, device);
		if (!s || sb_surface_init(s, offset, span, result->options.surface_places,
					  d->sector_bytes) < 0)
			return -ENOMEM;
	}
	return d->size_bytes == SB_NONE_U64 || s->position_bytes < sb_surface_total(s);
}

/* Jobs from what a surface has left. */
static void fill_phase(struct sb_result *result, struct sb_phase *phase)
{
	phase->runtime_s = NAN;
	for (size_t i = 0; i < phase->n_jobs; i++) {
		struct sb_job *job = &phase->jobs[i];
		const struct sb_surface *s = sb_result_surface(result, job->device);

		job->offset_bytes = s->offset_bytes;
		job->span_bytes = s->span_bytes;
		job->limit_bytes = sb_surface_total(s) - s->position_bytes;
		job->end_at_end = true;
	}
}

static int add_phase(struct sb_result *result)
{
	SB_AUTO_FREE int *list = calloc(result->n_devices + 1, sizeof(*list));
	struct sb_phase *phase;
	size_t n = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_devices; i++) {
		int rc;

		if (!sb_plan_usable(&result->devices[i]) || is_made_of_others(result, i))
			continue;
		rc = prepare(result, (int)i);
		if (rc < 0)
			return rc;
		if (rc > 0)
			list[n++] = (int)i;
	}
	if (n == 0)
		return 0;
	phase = sb_plan_phase(result, SB_PHASE_SURFACE, 0, 0, list, n,
			      "each from its start to its end, all at once");
	if (!phase)
		return -ENOMEM;
	fill_phase(result, phase);
	return 1;
}

int sb_plan_next_surface(const struct sb_plan *plan, struct sb_result *result)
{
	(void)plan;
	return sb_plan_has(result, SB_PHASE_SURFACE, 0, -1) ? 0 : add_phase(result);
}
