/* One disk seen twice: by dm-multipath's map, or by two ports without it. */
#include "probe_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"

/* One disk with two paths: the first stands for it, and names them. */
static int same_as(struct scan *scan, int node, int first)
{
	struct sb_node *kept = probe_node(scan, first);
	const char *paths = sb_node_get(kept, "paths");
	int rc;

	if (node == first)
		return 0;
	if (sb_node_get(probe_node(scan, node), "same_as")) /* told by an earlier scan */
		return 0;
	rc = sb_node_set(probe_node(scan, node), "same_as", kept->name);
	return rc ? rc
		  : sb_node_setf(kept, "paths", "%s,%s", paths ? paths : kept->name,
				 probe_node(scan, node)->name);
}

/* The paths of a map are told by the map, whatever their serial numbers say. */
static int mark_map(struct scan *scan, const struct sb_node *map)
{
	const char *uuid = sb_node_get(map, "dm_uuid");
	int rc = 0;

	if (map->kind != SB_NODE_DM || !uuid || strncmp(uuid, "mpath-", 6) != 0)
		return 0;
	for (size_t i = 1; i < map->n_below && rc == 0; i++)
		rc = same_as(scan, map->below[i], map->below[0]);
	return rc;
}

struct seen {
	const char *wwn, *serial, *size;
	int node;
};

static int compare(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Cheap bridges give all their disks one number; size and serial have to agree, too. */
static int identity_order(const struct seen *x, const struct seen *y)
{
	int order = compare(x->wwn, y->wwn);

	order = order ? order : compare(x->size, y->size);
	return order ? order : compare(x->serial, y->serial);
}

static int by_identity(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int order = identity_order(x, y);

	return order ? order : x->node - y->node;
}

int probe_doubles(struct scan *scan)
{
	size_t n = scan->topo->n_nodes, n_seen = 0, first = 0;
	SB_AUTO_FREE struct seen *seen = calloc(n ? n : 1, sizeof(*seen));
	int rc = seen ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct sb_node *node = &scan->topo->nodes[i];
		const char *wwn = sb_node_get(node, "wwn");

		rc = mark_map(scan, node);
		if (node->kind == SB_NODE_DISK && wwn && !probe_is(node, "hidden"))
			seen[n_seen++] = (struct seen){wwn, sb_node_get(node, "serial"),
						       sb_node_get(node, "size_bytes"), (int)i};
	}
	if (rc != 0 || n_seen == 0)
		return rc;
	qsort(seen, n_seen, sizeof(*seen), by_identity);
	for (size_t i = 1; i < n_seen && rc == 0; i++) {
		if (identity_order(&seen[first], &seen[i]) != 0)
			first = i;
		rc = same_as(scan, seen[i].node, seen[first].node);
	}
	return rc;
}
