/* What is stacked: files on disks, volumes on partitions, arrays on disks. The edges may come from
 * a file, with rings in them. */
#include <errno.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/topo.h"

size_t sb_topo_mark_below(const struct sb_topo *topo, int node, bool *seen, int *reached)
{
	size_t n = 0;

	if (node < 0 || (size_t)node >= topo->n_nodes || seen[node])
		return 0;
	seen[node] = true;
	reached[n++] = node;
	for (size_t at = 0; at < n; at++) {
		const struct sb_node *from = &topo->nodes[reached[at]];

		for (size_t i = 0; i < from->n_below; i++) {
			if (seen[from->below[i]])
				continue;
			seen[from->below[i]] = true;
			reached[n++] = from->below[i];
		}
	}
	return n;
}

bool sb_topo_reaches(const struct sb_topo *topo, int node, int target)
{
	SB_AUTO_FREE bool *seen = NULL;
	SB_AUTO_FREE int *reached = NULL;

	if (node < 0 || target < 0 || (size_t)node >= topo->n_nodes ||
	    (size_t)target >= topo->n_nodes)
		return false;
	if (node == target || topo->nodes[node].n_below == 0)
		return node == target;
	seen = calloc(topo->n_nodes, sizeof(*seen));
	reached = calloc(topo->n_nodes, sizeof(*reached));
	if (!seen || !reached)
		return false;
	sb_topo_mark_below(topo, node, seen, reached);
	return seen[target];
}

/* Of a node, while it is found out what it hangs on. */
struct hung {
	int depth; /* of what is placed; the first node: 0 */
	enum { FRESH, OPEN, PLACED } state;
	size_t next; /* of what it needs, the one that is looked at next */
};

struct hanging {
	const struct sb_topo *topo;
	struct hung *hung;
	int *above, *order, *path; /* path: nodes that are open, the last one on top */
	size_t n_order, n_path;
};

static int parent_of(const struct sb_topo *topo, int node)
{
	int parent = topo->nodes[node].parent;

	return parent >= 0 && parent < node ? parent : node > 0 ? 0 : -1;
}

/* What is placed in the tree stays there; what hangs in the air is held by what it is made of. */
static bool is_stacked(const struct sb_topo *topo, int node)
{
	return parent_of(topo, node) == 0 && topo->nodes[node].n_below > 0;
}

/* What has to be placed before it: its parent, and what it is made of. -1: no more. */
static int next_need(struct hanging *h, int node)
{
	const struct sb_node *n = &h->topo->nodes[node];
	size_t i = h->hung[node].next++;

	if (i == 0)
		return parent_of(h->topo, node);
	return is_stacked(h->topo, node) && i <= n->n_below ? n->below[i - 1] : -1;
}

static int meeting(const struct hanging *h, int a, int b)
{
	while (a != b) {
		int *deeper = h->hung[a].depth > h->hung[b].depth ? &a : &b;

		*deeper = h->above[*deeper];
	}
	return a;
}

/* What is still open lies on the node itself: a ring holds nothing. */
static void place(struct hanging *h, int node)
{
	const struct sb_node *n = &h->topo->nodes[node];
	int above = -1;

	for (size_t i = 0; is_stacked(h->topo, node) && i < n->n_below; i++)
		if (h->hung[n->below[i]].state == PLACED)
			above = above < 0 ? n->below[i] : meeting(h, above, n->below[i]);
	if (above < 0)
		above = parent_of(h->topo, node);
	if (above >= 0 && h->hung[above].state != PLACED) /* it is made of its own child */
		above = 0;
	h->above[node] = above;
	h->hung[node].depth = above < 0 ? 0 : h->hung[above].depth + 1;
	h->hung[node].state = PLACED;
	h->order[h->n_order++] = node;
}

static void enter(struct hanging *h, int node)
{
	h->hung[node].state = OPEN;
	h->path[h->n_path++] = node;
}

/* Node 0 is placed first. */
static void hang(struct hanging *h, int first)
{
	if (h->hung[first].state == FRESH)
		enter(h, first);
	while (h->n_path) {
		int node = h->path[h->n_path - 1];
		int need = next_need(h, node);

		if (need >= 0 && h->hung[need].state == FRESH)
			enter(h, need);
		else if (need < 0) {
			h->n_path--;
			place(h, node);
		}
	}
}

int sb_topo_hang(const struct sb_topo *topo, int *above, int *order)
{
	SB_AUTO_FREE struct hung *hung = calloc(topo->n_nodes + 1, sizeof(*hung));
	SB_AUTO_FREE int *path = calloc(topo->n_nodes + 1, sizeof(*path));
	struct hanging h = {
		.topo = topo, .hung = hung, .above = above, .order = order, .path = path};

	if (!hung || !path)
		return -ENOMEM;
	for (size_t i = 0; i < topo->n_nodes; i++)
		hang(&h, (int)i);
	return 0;
}
