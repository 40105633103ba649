/* Which lines the live view has: a group a controller, and a device a row. */
#include "live_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

/* Devices at or below each node. */
static size_t *count_devices(const struct sb_result *result)
{
	const struct sb_topo *topo = &result->topo;
	size_t *counts = calloc(topo->n_nodes + 1, sizeof(*counts));

	for (size_t i = 0; counts && i < result->n_devices; i++)
		for (int at = result->devices[i].node; at >= 0; at = topo->nodes[at].parent)
			counts[at]++;
	return counts;
}

/* The lowest ceiling of the hops that carry just these devices. */
static double ceiling_of(const struct sb_topo *topo, const size_t *counts, int node)
{
	double least = NAN;

	for (int at = node; at >= 0 && counts[at] == counts[node]; at = topo->nodes[at].parent) {
		double ceiling = sb_node_ceiling(&topo->nodes[at]);

		if (!isnan(ceiling) && !(ceiling >= least))
			least = ceiling;
	}
	return least;
}

static struct live_row new_row(char *label, double ceiling)
{
	struct live_row row = {.label = label,
			       .width = label ? report_columns(label) : 0,
			       .bytes_s = NAN,
			       .ceiling = ceiling,
			       .latency_ns = NAN};

	for (size_t i = 0; i < LIVE_HISTORY; i++)
		row.history[i] = NAN;
	return row;
}

static char *group_label(const struct sb_result *result, int node, bool is_top)
{
	const struct sb_node *n = node < 0 ? NULL : &result->topo.nodes[node];
	const char *driver = n && is_top ? sb_node_get(n, "driver") : NULL;
	SB_AUTO_FREE char *raw = n ? sb_format("%s%s%s%s", n->name, driver ? " (" : "",
					       driver ? driver : "", driver ? ")" : "")
				   : NULL;

	return raw ? sb_escape(raw) : strdup("on no known controller");
}

static bool add_group(struct live *live, const struct sb_result *result, const size_t *counts,
		      int node, size_t depth)
{
	struct live_group *more =
		reallocarray(live->groups, live->n_groups + 1, sizeof(*live->groups));
	struct live_group *g;

	if (!more)
		return false;
	live->groups = more;
	g = &more[live->n_groups++];
	*g = (struct live_group){
		.node = node,
		.depth = depth,
		.row = new_row(group_label(result, node, depth == 0),
			       node < 0 ? NAN : ceiling_of(&result->topo, counts, node))};
	return g->row.label != NULL;
}

/* Where a device hangs; sorted by controller, then by hub, then as they were named. */
struct spot {
	int controller, hub;
	size_t device;
};

static int compare_spots(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	/* unknown places last */
	if (x->controller != y->controller)
		return (unsigned)x->controller < (unsigned)y->controller ? -1 : 1;
	if (x->hub != y->hub)
		return x->hub == x->controller || (y->hub != y->controller && x->hub < y->hub) ? -1
											       : 1;
	return x->device < y->device ? -1 : x->device > y->device;
}

static bool place_device(struct live *live, const struct sb_result *result, const size_t *counts,
			 const struct spot *spot, size_t place)
{
	struct live_group *last;
	bool is_new = place == 0 || spot->controller != spot[-1].controller;
	bool is_other = is_new || spot->hub != spot[-1].hub;

	if (is_new && !add_group(live, result, counts, spot->controller, 0))
		return false;
	if (is_other && spot->hub != spot->controller &&
	    !add_group(live, result, counts, spot->hub, 1))
		return false;
	last = &live->groups[live->n_groups - 1];
	if (is_other)
		last->first = place;
	last->n++;
	last->n_all++;
	for (size_t i = live->n_groups - 1; last->depth && i-- > 0;)
		if (live->groups[i].depth == 0) {
			live->groups[i].n_all++;
			break;
		}
	live->order[place] = spot->device;
	return true;
}

/* Columns are dear: "sda" is enough for /dev/sda. */
static const char *short_label(const char *label)
{
	return strncmp(label, "/dev/", 5) == 0 && strrchr(label, '/') == label + 4 ? label + 5
										   : label;
}

bool live_make_tree(struct live *live, const struct sb_result *result, char *const *labels)
{
	size_t n = result->n_devices;
	SB_AUTO_FREE size_t *counts = count_devices(result);
	SB_AUTO_FREE struct spot *spots = calloc(n + 1, sizeof(*spots));
	bool ok = counts && spots;

	live->rows = calloc(n + 1, sizeof(*live->rows));
	live->order = calloc(n + 1, sizeof(*live->order));
	ok = ok && live->rows && live->order;
	for (size_t i = 0; ok && i < n; i++) {
		int node = result->devices[i].node;

		live->rows[i] = new_row(strdup(short_label(labels[i])),
					node < 0 ? NAN : ceiling_of(&result->topo, counts, node));
		live->n_rows++;
		ok = live->rows[i].label;
		spots[i] = (struct spot){.controller = report_controller_of(&result->topo, node),
					 .hub = report_hub_of(&result->topo, node),
					 .device = i};
	}
	if (ok)
		qsort(spots, n, sizeof(*spots), compare_spots);
	for (size_t i = 0; ok && i < n; i++)
		ok = place_device(live, result, counts, &spots[i], i);
	live->all = new_row(ok ? strdup("all") : NULL, NAN);
	return ok && live->all.label;
}
