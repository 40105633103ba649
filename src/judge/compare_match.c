/* Which devices of several results are the same. By WWN or serial number, whatever they are called;
 * an id of zeros, or one that two devices of a result have, is none. By name where one of the two
 * has no id. */
#include "compare_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define ID_KINDS 3
#define DEPTH_MOST 8 /* of partitions in partitions */

static const struct sb_node *node_of(const struct sb_result *result, int device)
{
	int node = result->devices[device].node;

	return node >= 0 && (size_t)node < result->topo.n_nodes ? &result->topo.nodes[node] : NULL;
}

/* A partition has its disk's id, and its own place on it. */
static const struct sb_node *disk_of(const struct sb_result *result, const struct sb_node *node)
{
	for (int i = 0; node && node->kind == SB_NODE_PARTITION && i < DEPTH_MOST; i++)
		node = node->parent >= 0 ? &result->topo.nodes[node->parent] : NULL;
	return node;
}

/* The digits at the end: sda1, nvme0n1p2 */
static const char *partition_number(const struct sb_node *node)
{
	const char *end = node->name + strlen(node->name);

	while (end > node->name && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return node->kind == SB_NODE_PARTITION ? end : "";
}

static const char *id_of(const struct sb_result *result, int device, int kind)
{
	const struct sb_node *disk = disk_of(result, node_of(result, device));
	const char *id;

	if (!disk)
		return NULL;
	id = kind == 0	 ? disk->stable_id
	     : kind == 1 ? sb_node_get(disk, "wwn")
			 : sb_node_get(disk, "serial");
	return id && sb_is_identity(id) ? id : NULL;
}

static bool same_id(const struct sb_result *a, int i, const struct sb_result *b, int k, int kind)
{
	const char *x = id_of(a, i, kind), *y = id_of(b, k, kind);

	return x && y && strcmp(x, y) == 0 &&
	       strcmp(partition_number(node_of(a, i)), partition_number(node_of(b, k))) == 0;
}

static bool is_unique(const struct sb_result *result, int device, int kind)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if ((int)i != device && same_id(result, device, result, (int)i, kind))
			return false;
	return true;
}

static bool has_id(const struct sb_result *result, int device)
{
	for (int kind = 0; kind < ID_KINDS; kind++)
		if (id_of(result, device, kind) && is_unique(result, device, kind))
			return true;
	return false;
}

static bool is_same(const struct sb_result *a, int i, const struct sb_result *b, int k)
{
	for (int kind = 0; kind < ID_KINDS; kind++)
		if (same_id(a, i, b, k, kind) && is_unique(a, i, kind) && is_unique(b, k, kind))
			return true;
	return false;
}

static const char *name_of(const struct sb_result *result, int device)
{
	const struct sb_node *node = node_of(result, device);

	return node ? node->id : result->devices[device].target;
}

/* Two different ids are two devices, whatever their name. */
static bool may_be_same(const struct sb_result *a, int i, const struct sb_result *b, int k)
{
	return strcmp(name_of(a, i), name_of(b, k)) == 0 && !(has_id(a, i) && has_id(b, k));
}

/* The entity, not yet in result `index`, of which a device is the same as this one. */
static struct entity *find(struct compare *c, size_t index, int device,
			   bool (*same)(const struct sb_result *, int, const struct sb_result *,
					int))
{
	for (size_t i = 0; i < c->n_entities; i++) {
		struct entity *e = &c->entities[i];

		for (size_t r = 0; r < index && e->device_of[index] < 0; r++)
			if (e->device_of[r] >= 0 && same(compare_result(c, r), e->device_of[r],
							 compare_result(c, index), device))
				return e;
	}
	return NULL;
}

static struct entity *add_entity(struct compare *c)
{
	struct entity *more = reallocarray(c->entities, c->n_entities + 1, sizeof(*more));
	struct entity *e;

	if (!more)
		return NULL;
	c->entities = more;
	e = &more[c->n_entities];
	*e = (struct entity){.device_of = calloc(c->wish->n, sizeof(*e->device_of))};
	if (!e->device_of)
		return NULL;
	for (size_t i = 0; i < c->wish->n; i++)
		e->device_of[i] = -1;
	c->n_entities++;
	return e;
}

static int add_result(struct compare *c, size_t index)
{
	size_t n = compare_result(c, index)->n_devices;
	SB_AUTO_FREE bool *placed = calloc(n + 1, sizeof(*placed));

	if (!placed)
		return -ENOMEM;
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < n; i++) {
			struct entity *e = placed[i]   ? NULL
					   : pass == 0 ? find(c, index, (int)i, is_same)
					   : pass == 1 ? find(c, index, (int)i, may_be_same)
						       : add_entity(c);

			if (!e && pass == 2 && !placed[i])
				return -ENOMEM;
			if (!e)
				continue;
			e->device_of[index] = (int)i;
			e->by_name |= pass == 1;
			placed[i] = true;
		}
	return 0;
}

int compare_match(struct compare *c)
{
	int rc = 0;

	for (size_t i = 0; i < c->wish->n && rc == 0; i++)
		rc = add_result(c, i);
	return rc;
}

const struct sb_result *compare_having(const struct compare *c, const struct entity *e, int side,
				       int *device)
{
	size_t end = side ? c->wish->n : c->wish->n_before;

	for (size_t i = side ? c->wish->n_before : 0; i < end; i++)
		if (e->device_of[i] >= 0) {
			*device = e->device_of[i];
			return compare_result(c, i);
		}
	return NULL;
}

char *compare_name(const struct sb_result *result, int device)
{
	const struct sb_node *node = node_of(result, device);

	return strdup(!node			   ? result->devices[device].target
		      : node->kind == SB_NODE_NULL ? node->id
						   : node->name);
}
