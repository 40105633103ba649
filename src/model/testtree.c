#include "satabench/testtree.h"

#include <errno.h>
#include <stdlib.h>

#include "satabench/cleanup.h"

/* Of each node of the topology, while the tree is made. Nodes without a parent hang below the first
 * one. */
struct spot {
	int parent;   /* -1 only for the first node */
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
	size_t n_spots;
};

static bool is_usable(const struct sb_device *device)
{
	return device->state == SB_DEVICE_READY || device->state == SB_DEVICE_NEW;
}

static bool is_made_of_others(const struct sb_result *result, size_t index)
{
	int node = result->devices[index].node;

	for (size_t i = 0; i < result->n_devices; i++) {
		int other = result->devices[i].node;

		if (i != index && other >= 0 && other != node && is_usable(&result->devices[i]) &&
		    sb_topo_reaches(&result->topo, node, other))
			return true;
	}
	return false;
}

/* Parents stand before their children, so one pass each way is enough. */
static void number_spots(struct work *w)
{
	const struct sb_node *nodes = w->result->topo.nodes;

	for (size_t i = 0; i < w->n_spots; i++) {
		struct spot *s = &w->spots[i];

		s->parent = nodes[i].parent >= 0 && (size_t)nodes[i].parent < i ? nodes[i].parent
			    : i							? 0
										: -1;
		s->depth = s->parent < 0 ? 0 : w->spots[s->parent].depth + 1;
		s->size = 1;
		s->test = -1;
	}
	for (size_t i = w->n_spots; i-- > 1;)
		w->spots[w->spots[i].parent].size += w->spots[i].size;
	for (size_t i = 0; i < w->n_spots; i++) {
		struct spot *s = &w->spots[i];

		if (s->parent >= 0) {
			s->at = w->spots[s->parent].next;
			w->spots[s->parent].next += s->size;
		}
		s->next = s->at + 1;
	}
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

	tree->devices = calloc(n ? n : 1, sizeof(*tree->devices));
	tree->place = calloc(n ? n : 1, sizeof(*tree->place));
	if (!placed || !tree->devices || !tree->place)
		return -ENOMEM;
	tree->n_places = n;
	for (size_t i = 0; i < n; i++) {
		tree->place[i] = -1;
		if (!is_usable(&w->result->devices[i]) || is_made_of_others(w->result, i))
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
		const struct sb_test *test = &tree->tests[i];
		int top = test->n_chain ? test->chain[test->n_chain - 1] : 0;
		int above = w->spots[top].parent;

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
	struct work w = {.result = result, .tree = tree, .spots = spots, .n_spots = n};
	int rc = spots ? 0 : -ENOMEM;

	*tree = (struct sb_test_tree){0};
	if (rc == 0 && n)
		number_spots(&w);
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

int sb_test_child_node(const struct sb_test_tree *tree, const struct sb_result *result,
		       const struct sb_test_child *child)
{
	return child->test >= 0 ? tree->tests[child->test].node
				: result->devices[child->device].node;
}
