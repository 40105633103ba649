#include "satabench/testtree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"

/* Of each node of the topology, while the tree is made. */
struct spot {
	int parent;   /* what it hangs on; -1 only for the first node */
	int depth;    /* of the first node: 0 */
	size_t at;    /* in depth-first order */
	size_t size;  /* nodes in its part of the tree */
	size_t next;  /* where its next child goes, while they are numbered */
	size_t first; /* its devices, as places in the tree's order */
	size_t n;
	size_t n_most; /* devices of the child that has most */
	int test;      /* index of the test in whose chain it is, -1 */
};

struct work {
	const struct sb_result *result;
	struct sb_test_tree *tree;
	struct spot *spots;
	int *order; /* of the spots: parents before their children */
	size_t n_spots;
};

static bool is_usable(const struct sb_device *device)
{
	return device->state == SB_DEVICE_READY || device->state == SB_DEVICE_NEW;
}

/* Marks in `made` what is made of other devices of the run. */
static int find_made(const struct sb_result *result, bool *made)
{
	const struct sb_topo *topo = &result->topo;
	SB_AUTO_FREE bool *seen = calloc(topo->n_nodes + 1, sizeof(*seen));
	SB_AUTO_FREE int *reached = calloc(topo->n_nodes + 1, sizeof(*reached));

	if (!seen || !reached)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_devices; i++) {
		int own = result->devices[i].node;
		size_t n = sb_topo_mark_below(topo, own, seen, reached);

		for (size_t k = 0; n > 1 && k < result->n_devices; k++) {
			int other = result->devices[k].node;

			made[i] |= other >= 0 && (size_t)other < topo->n_nodes && other != own &&
				   seen[other] && is_usable(&result->devices[k]);
		}
		while (n)
			seen[reached[--n]] = false;
	}
	return 0;
}

static int number_spots(struct work *w)
{
	size_t n = w->n_spots;
	SB_AUTO_FREE int *above = calloc(n + 1, sizeof(*above));
	int rc = above ? sb_topo_hang(&w->result->topo, above, w->order) : -ENOMEM;

	for (size_t i = 0; i < n && rc == 0; i++) {
		struct spot *s = &w->spots[w->order[i]];

		s->parent = above[w->order[i]];
		s->depth = s->parent < 0 ? 0 : w->spots[s->parent].depth + 1;
		s->size = 1;
		s->test = -1;
	}
	for (size_t i = n; i-- > 1 && rc == 0;) {
		struct spot *s = &w->spots[w->order[i]];

		w->spots[s->parent].size += s->size;
	}
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct spot *s = &w->spots[w->order[i]];

		if (s->parent >= 0) {
			s->at = w->spots[s->parent].next;
			w->spots[s->parent].next += s->size;
		}
		s->next = s->at + 1;
	}
	return rc;
}

static int home_of(const struct work *w, int device)
{
	int node = w->result->devices[device].node;

	return node >= 0 && (size_t)node < w->n_spots ? node : 0;
}

/* qsort has no argument for the spots. */
struct placed {
	size_t at;
	int device;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->device < y->device ? -1 : x->device > y->device;
}

static int order_devices(struct work *w)
{
	struct sb_test_tree *tree = w->tree;
	size_t n = w->result->n_devices;
	SB_AUTO_FREE struct placed *placed = calloc(n ? n : 1, sizeof(*placed));
	SB_AUTO_FREE bool *made = calloc(n ? n : 1, sizeof(*made));

	tree->devices = calloc(n ? n : 1, sizeof(*tree->devices));
	tree->place = calloc(n ? n : 1, sizeof(*tree->place));
	if (!placed || !made || !tree->devices || !tree->place || find_made(w->result, made) != 0)
		return -ENOMEM;
	tree->n_places = n;
	for (size_t i = 0; i < n; i++) {
		tree->place[i] = -1;
		if (!is_usable(&w->result->devices[i]) || made[i])
			continue;
		placed[tree->n_devices++] = (struct placed){
			.at = w->n_spots ? w->spots[home_of(w, (int)i)].at : 0, .device = (int)i};
	}
	qsort(placed, tree->n_devices, sizeof(*placed), compare_placed);
	for (size_t i = 0; i < tree->n_devices; i++) {
		tree->devices[i] = placed[i].device;
		tree->place[placed[i].device] = (int)i;
	}
	return 0;
}

static void count_devices(struct work *w)
{
	for (size_t i = 0; i < w->tree->n_devices; i++) {
		int node = home_of(w, w->tree->devices[i]);

		for (; node >= 0; node = w->spots[node].parent) {
			if (!w->spots[node].n++)
				w->spots[node].first = i;
		}
	}
	for (size_t i = 1; i < w->n_spots; i++) {
		struct spot *up = &w->spots[w->spots[i].parent];

		if (w->spots[i].n > up->n_most)
			up->n_most = w->spots[i].n;
	}
}

/* It has devices that no child of it has all of. */
static bool is_lowest(const struct spot *s)
{
	return s->n > 1 && s->n_most < s->n;
}

/* A test whose chain is not made yet. */
struct named {
	size_t n;
	int depth, node;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static int name_tests(struct work *w)
{
	struct sb_test_tree *tree = w->tree;
	SB_AUTO_FREE struct named *named = calloc(w->n_spots + 1, sizeof(*named));
	size_t n = 0;

	if (!named)
		return -ENOMEM;
	for (size_t i = 0; i < w->n_spots; i++)
		if (is_lowest(&w->spots[i]))
			named[n++] = (struct named){w->spots[i].n, w->spots[i].depth, (int)i};
	qsort(named, n, sizeof(*named), compare_named);
	tree->tests = calloc(n ? n : 1, sizeof(*tree->tests));
	if (!tree->tests)
		return -ENOMEM;
	tree->n_tests = n;
	for (size_t i = 0; i < n; i++)
		tree->tests[i] = (struct sb_test){.node = named[i].node,
						  .up = -1,
						  .first = w->spots[named[i].node].first,
						  .n = named[i].n};
	return 0;
}

/* A region of what lies below it and no more, whose limit is that one's. */
static bool is_thin(const struct sb_node *node)
{
	return node->kind == SB_NODE_PARTITION ||
	       ((node->kind == SB_NODE_DM || node->kind == SB_NODE_FILESYSTEM) &&
		node->n_below == 1);
}

/* Two files on a partition share its disk: that goes to the front. */
static void name_by_whole(const struct sb_topo *topo, struct sb_test *test)
{
	size_t at = 0;

	while (at + 1 < test->n_chain && is_thin(&topo->nodes[test->chain[at]]))
		at++;
	if (at == 0 || topo->nodes[test->chain[at]].kind < SB_NODE_DISK)
		return;
	test->node = test->chain[at];
	memmove(test->chain + 1, test->chain, at * sizeof(*test->chain));
	test->chain[0] = test->node;
}

static int make_chain(struct work *w, size_t index)
{
	struct sb_test *test = &w->tree->tests[index];
	size_t length = 0;
	int node;

	for (node = test->node; node >= 0 && w->spots[node].n == test->n;
	     node = w->spots[node].parent)
		length++;
	test->chain = calloc(length ? length : 1, sizeof(*test->chain));
	if (!test->chain)
		return -ENOMEM;
	node = test->node;
	while (test->n_chain < length) {
		test->chain[test->n_chain++] = node;
		w->spots[node].test = (int)index;
		node = w->spots[node].parent;
	}
	name_by_whole(&w->result->topo, test);
	return 0;
}

static void add_child(struct sb_test *test, int child_test, int device, size_t first, size_t n)
{
	test->children[test->n_children++] = (struct sb_test_child){
		.test = child_test, .device = device, .first = first, .n = n};
}

static int make_children(struct sb_test_tree *tree, int index)
{
	struct sb_test *test = &tree->tests[index];

	/* each child has a device of its own, so there are not more children than devices */
	test->children = calloc(test->n, sizeof(*test->children));
	if (!test->children)
		return -ENOMEM;
	for (size_t i = 0; i < tree->n_tests; i++)
		if (tree->tests[i].up == index)
			add_child(test, (int)i, -1, tree->tests[i].first, tree->tests[i].n);
	for (size_t place = test->first, taken = test->n_children; place < test->first + test->n;
	     place++) {
		bool inside = false;

		for (size_t i = 0; i < taken && !inside; i++)
			inside = place >= test->children[i].first &&
				 place < test->children[i].first + test->children[i].n;
		if (!inside)
			add_child(test, -1, tree->devices[place], place, 1);
	}
	return 0;
}

static int make_tests(struct work *w)
{
	struct sb_test_tree *tree = w->tree;
	int rc = name_tests(w);

	for (size_t i = 0; i < tree->n_tests && rc == 0; i++)
		rc = make_chain(w, i);
	for (size_t i = 0; i < tree->n_tests && rc == 0; i++) {
		int above = w->spots[tree->tests[i].node].parent;

		while (above >= 0 && w->spots[above].test == (int)i)
			above = w->spots[above].parent;
		tree->tests[i].up = above < 0 ? -1 : w->spots[above].test;
	}
	for (size_t i = 0; i < tree->n_tests && rc == 0; i++)
		rc = make_children(tree, (int)i);
	return rc;
}

int sb_test_tree_make(struct sb_test_tree *tree, const struct sb_result *result)
{
	size_t n = result->topo.n_nodes;
	SB_AUTO_FREE struct spot *spots = calloc(n ? n : 1, sizeof(*spots));
	SB_AUTO_FREE int *order = calloc(n ? n : 1, sizeof(*order));
	struct work w = {
		.result = result, .tree = tree, .spots = spots, .order = order, .n_spots = n};
	int rc = spots && order ? 0 : -ENOMEM;

	*tree = (struct sb_test_tree){0};
	if (rc == 0 && n)
		rc = number_spots(&w);
	if (rc == 0)
		rc = order_devices(&w);
	if (rc == 0 && n) {
		count_devices(&w);
		rc = make_tests(&w);
	}
	if (rc < 0)
		sb_test_tree_free(tree);
	return rc;
}

void sb_test_tree_free(struct sb_test_tree *tree)
{
	for (size_t i = 0; i < tree->n_tests; i++) {
		free(tree->tests[i].chain);
		free(tree->tests[i].children);
	}
	free(tree->tests);
	free(tree->devices);
	free(tree->place);
	*tree = (struct sb_test_tree){0};
}

int sb_test_tree_find(const struct sb_test_tree *tree, int node)
{
	for (size_t i = 0; i < tree->n_tests; i++)
		for (size_t k = 0; k < tree->tests[i].n_chain; k++)
			if (tree->tests[i].chain[k] == node)
				return (int)i;
	return -1;
}

static bool has_place(const struct sb_test_tree *tree, const struct sb_test *test, int device)
{
	int place = device >= 0 && (size_t)device < tree->n_places ? tree->place[device] : -1;

	return place >= 0 && (size_t)place >= test->first && (size_t)place < test->first + test->n;
}

int sb_test_tree_home(const struct sb_test_tree *tree, const int *devices, size_t n)
{
	for (size_t i = 0; i < tree->n_tests; i++) {
		size_t inside = 0;

		while (inside < n && has_place(tree, &tree->tests[i], devices[inside]))
			inside++;
		if (n && inside == n)
			return (int)i;
	}
	return -1;
}

int sb_test_tree_storage(const struct sb_test_tree *tree, const struct sb_topo *topo, int device)
{
	int found = -1;

	for (size_t i = 0; i < tree->n_tests; i++) {
		const struct sb_test *test = &tree->tests[i];

		if (has_place(tree, test, device) && sb_node_stores(&topo->nodes[test->node]))
			found = test->node;
	}
	return found;
}

int sb_test_child_node(const struct sb_test_tree *tree, const struct sb_result *result,
		       const struct sb_test_child *child)
{
	return child->test >= 0 ? tree->tests[child->test].node
				: result->devices[child->device].node;
}
