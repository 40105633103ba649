/* Which sets of disks can be measured as a group, from the topology and the devices of a run; a
 * disk that is read at several places (files, partitions, volumes) is one of the nodes. Plain
 * data in arrays; both plan and judge build it from the same result, so that they speak of the same
 * tests. Any thread. */
#ifndef SATABENCH_TESTTREE_H
#define SATABENCH_TESTTREE_H

#include <stddef.h>

#include "satabench/result.h"

/* Part of a test: the next smaller test below it, or a device that is in none of them. */
struct sb_test_child {
	int test;	 /* index in the tests, -1: a device */
	int device;	 /* index in the result's devices, -1: a test */
	size_t first, n; /* its devices, as places in the tree's order */
};

/* A set of at least two devices that is all that lies below at least one node. Nodes with the same
 * set (a controller, its PCIe link, its root port) form its chain and share one test. */
struct sb_test {
	int node; /* first of its chain, by which the test is named */
	int up;	  /* next larger test around it, -1 for the root */
	size_t first, n;
	int *chain; /* nodes, lowest first; but what is only a region of another (a partition, a
		     * volume) stands behind that one */
	size_t n_chain;
	struct sb_test_child *children; /* tests before devices */
	size_t n_children;
};

struct sb_test_tree {
	int *devices; /* of the run, in the order of the tree: the devices of a node stand together
		       */
	size_t n_devices;
	int *place; /* by device of the result: where it is in `devices`; -1 = not in the tree */
	size_t n_places;
	struct sb_test *tests; /* smaller before larger; the last is the root, with all devices */
	size_t n_tests;
};

/* Devices that cannot be read any more are not in it, nor are those that are made of other devices
 * of the run (an array beside its members): reading them is reading the others. A device of which
 * the place is not known lies directly below the machine. 0 or -ENOMEM. */
int sb_test_tree_make(struct sb_test_tree *tree, const struct sb_result *result);
void sb_test_tree_free(struct sb_test_tree *tree);
/* The test that has the node in its chain; -1 */
int sb_test_tree_find(const struct sb_test_tree *tree, int node);
/* The smallest test that has all these devices; -1 */
int sb_test_tree_home(const struct sb_test_tree *tree, const int *devices, size_t n);
/* The disk, or what stands for one, that the device shares with others of the run: of several that
 * lie on each other the lowest; -1 = none. */
int sb_test_tree_storage(const struct sb_test_tree *tree, const struct sb_topo *topo, int device);
/* The child's node: the test's, or the device's (-1 = unknown place). */
int sb_test_child_node(const struct sb_test_tree *tree, const struct sb_result *result,
		       const struct sb_test_child *child);

#endif
