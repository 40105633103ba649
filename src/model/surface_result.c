/* The surfaces of a result, and going on with those of an earlier one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/result.h"
#include "satabench/surface.h"
#include "satabench/units.h"

struct sb_surface *sb_result_surface(const struct sb_result *result, int device)
{
	for (size_t i = 0; i < result->n_surfaces; i++)
		if (result->surfaces[i].device == device)
			return &result->surfaces[i];
	return NULL;
}

struct sb_surface *sb_result_add_surface(struct sb_result *result, int device)
{
	struct sb_surface *more =
		reallocarray(result->surfaces, result->n_surfaces + 1, sizeof(*more));

	if (!more)
		return NULL;
	result->surfaces = more;
	more[result->n_surfaces] = (struct sb_surface){.device = device};
	return &more[result->n_surfaces++];
}

/* A partition is known by its name, too: its disk's id says nothing of which one it is. */
static bool is_same(const struct sb_result *a, const struct sb_device *x, const struct sb_result *b,
		    const struct sb_device *y)
{
	const struct sb_node *m = x->node >= 0 ? &a->topo.nodes[x->node] : NULL;
	const struct sb_node *n = y->node >= 0 ? &b->topo.nodes[y->node] : NULL;

	if (!m || !n)
		return strcmp(x->target, y->target) == 0;
	if (m->kind != n->kind)
		return false;
	if (m->stable_id && n->stable_id)
		return strcmp(m->stable_id, n->stable_id) == 0;
	return !m->stable_id && !n->stable_id && strcmp(m->id, n->id) == 0;
}

static const struct sb_surface *find_earlier(const struct sb_result *result,
					     const struct sb_device *device,
					     const struct sb_result *earlier)
{
	for (size_t i = 0; i < earlier->n_surfaces; i++)
		if (is_same(result, device, earlier,
			    &earlier->devices[earlier->surfaces[i].device]))
			return &earlier->surfaces[i];
	return NULL;
}

int sb_surface_resume(struct sb_result *result, const struct sb_result *earlier, bool *changed)
{
	int found = 0;

	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];
		const struct sb_surface *old = find_earlier(result, d, earlier);
		struct sb_surface *s;

		changed[i] = false;
		if (!old || (d->state != SB_DEVICE_READY && d->state != SB_DEVICE_NEW))
			continue;
		found++;
		changed[i] = d->size_bytes != SB_NONE_U64 &&
			     d->size_bytes != old->offset_bytes + old->span_bytes;
		if (changed[i])
			continue;
		s = sb_result_add_surface(result, (int)i);
		if (!s || sb_surface_copy(s, old) < 0)
			return -ENOMEM;
		s->device = (int)i;
	}
	return found;
}
