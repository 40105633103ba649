/* The disks below each node, and what their own links let through. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/topo.h"

double sb_node_ceiling(const struct sb_node *node)
{
	return isnan(node->practical_bytes_s) ? node->line_bytes_s : node->practical_bytes_s;
}

static int is(const struct sb_node *node, const char *key, const char *value)
{
	const char *own = sb_node_get(node, key);

	return own && strcmp(own, value) == 0;
}

/* Not the second path to one that was counted, and nothing without a medium: optical and floppy
 * drives carry little, and seldom. */
static int counts(const struct sb_node *node)
{
	return node->kind == SB_NODE_DISK && node->parent >= 0 && !is(node, "hidden", "1") &&
	       !sb_node_get(node, "same_as") && !is(node, "size_bytes", "0") &&
	       strncmp(node->name, "sr", 2) != 0 && strncmp(node->name, "fd", 2) != 0;
}

/* The lowest ceiling of the hops that carry this disk alone. A disk that is made of paths begins
 * where its only path does. */
static double alone(const struct sb_topo *topo, const struct sb_reach *reach, int disk)
{
	const struct sb_node *node = &topo->nodes[disk];
	double least = NAN;
	int at = node->parent;

	if (node->n_below == 1)
		at = topo->nodes[node->below[0]].parent;
	for (; at >= 0 && reach[at].disks <= 1; at = topo->nodes[at].parent) {
		double ceiling = sb_node_ceiling(&topo->nodes[at]);

		if (!isnan(ceiling) && (isnan(least) || ceiling < least))
			least = ceiling;
	}
	return least;
}

struct sb_reach *sb_topo_reach(const struct sb_topo *topo)
{
	struct sb_reach *reach = calloc(topo->n_nodes + 1, sizeof(*reach));

	if (!reach)
		return NULL;
	for (size_t i = 0; i < topo->n_nodes; i++)
		for (int at = (int)i; counts(&topo->nodes[i]) && at >= 0;
		     at = topo->nodes[at].parent)
			reach[at].disks++;
	for (size_t i = 0; i < topo->n_nodes; i++) {
		double rate;

		if (!counts(&topo->nodes[i]))
			continue;
		rate = alone(topo, reach, (int)i);
		for (int at = (int)i; at >= 0; at = topo->nodes[at].parent)
			reach[at].bytes_s += rate;
	}
	for (size_t i = 0; i < topo->n_nodes; i++)
		if (reach[i].disks == 0)
			reach[i].bytes_s = NAN;
	return reach;
}
