/* What is stacked: what it reaches, and where it hangs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/topo.h"

#define LEVELS 60
#define CHAIN 200000

static int add(struct sb_topo *topo, enum sb_node_kind kind, const char *id, int parent)
{
	int node = sb_topo_add(topo, kind, id, id, parent);

	assert_true(node >= 0);
	return node;
}

static void lay(struct sb_topo *topo, int node, int below)
{
	assert_int_equal(sb_topo_add_below(topo, node, below), 0);
}

struct hung {
	int *above, *order;
};

static struct hung hang(const struct sb_topo *topo)
{
	struct hung h = {calloc(topo->n_nodes, sizeof(int)), calloc(topo->n_nodes, sizeof(int))};
	SB_AUTO_FREE bool *seen = calloc(topo->n_nodes, sizeof(bool));

	assert_true(h.above && h.order && seen);
	assert_int_equal(sb_topo_hang(topo, h.above, h.order), 0);
	for (size_t i = 0; i < topo->n_nodes; i++) {
		int node = h.order[i];

		assert_in_range(node, 0, topo->n_nodes - 1);
		assert_false(seen[node]);
		seen[node] = true;
		if (i == 0)
			assert_int_equal(h.above[node], -1);
		else
			assert_true(seen[h.above[node]]);
	}
	return h;
}

static void end(struct hung *h, struct sb_topo *topo)
{
	free(h->above);
	free(h->order);
	sb_topo_free(topo);
}

static void test_places(void **state)
{
	struct sb_topo topo = {0};
	int machine = add(&topo, SB_NODE_MACHINE, "machine", -1);
	/* a file stands before the disk it lies on */
	int file = add(&topo, SB_NODE_FILE, "file", machine);
	int array = add(&topo, SB_NODE_MD, "md0", machine);
	int controller = add(&topo, SB_NODE_CONTROLLER, "card", machine);
	int disk_a = add(&topo, SB_NODE_DISK, "sda", controller);
	int disk_b = add(&topo, SB_NODE_DISK, "sdb", controller);
	int part_1 = add(&topo, SB_NODE_PARTITION, "sda1", disk_a);
	int part_2 = add(&topo, SB_NODE_PARTITION, "sda2", disk_a);
	int volume = add(&topo, SB_NODE_DM, "dm-0", machine);
	int apart = add(&topo, SB_NODE_DISK, "sdz", machine);
	int wide = add(&topo, SB_NODE_DM, "dm-1", machine);
	int on_array = add(&topo, SB_NODE_PARTITION, "md0p1", array);
	int loose = add(&topo, SB_NODE_FILE, "loose", machine);
	struct hung h;

	(void)state;
	lay(&topo, part_1, disk_a);
	lay(&topo, part_2, disk_a);
	lay(&topo, file, part_1);
	lay(&topo, array, disk_a);
	lay(&topo, array, disk_b);
	lay(&topo, volume, part_1);
	lay(&topo, volume, part_2);
	lay(&topo, wide, volume);
	lay(&topo, wide, apart);
	lay(&topo, on_array, array);
	h = hang(&topo);
	assert_int_equal(h.above[file], part_1);
	assert_int_equal(h.above[part_1], disk_a);
	assert_int_equal(h.above[array], controller);
	assert_int_equal(h.above[volume], disk_a);
	assert_int_equal(h.above[wide], machine);
	assert_int_equal(h.above[on_array], array);
	assert_int_equal(h.above[loose], machine);
	end(&h, &topo);
}

static void test_trees_keep_their_order(void **state)
{
	struct sb_topo topo = {0};
	struct hung h;

	(void)state;
	for (int i = 0; i < 20; i++) {
		SB_AUTO_FREE char *id = sb_format("n%d", i);

		add(&topo, SB_NODE_DISK, id, i ? (i - 1) / 3 : -1);
	}
	h = hang(&topo);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(h.order[i], i);
		assert_int_equal(h.above[i], i ? (i - 1) / 3 : -1);
	}
	end(&h, &topo);
}

/* Each made of the next, the last of the first; a disk made of its own partition; itself. */
static void test_rings(void **state)
{
	struct sb_topo topo = {0};
	int machine = add(&topo, SB_NODE_MACHINE, "machine", -1), node[3];
	int disk = add(&topo, SB_NODE_DISK, "sda", machine);
	int part = add(&topo, SB_NODE_PARTITION, "sda1", disk);
	int self = add(&topo, SB_NODE_LOOP, "loop9", machine);
	struct hung h;

	(void)state;
	for (int i = 0; i < 3; i++) {
		SB_AUTO_FREE char *id = sb_format("loop%d", i);

		node[i] = add(&topo, SB_NODE_LOOP, id, machine);
	}
	for (int i = 0; i < 3; i++)
		lay(&topo, node[i], node[(i + 1) % 3]);
	lay(&topo, disk, part);
	lay(&topo, part, disk);
	lay(&topo, self, self);
	lay(&topo, machine, part);
	h = hang(&topo); /* each is placed, behind what it hangs on */
	assert_int_equal(h.above[self], machine);
	assert_true(sb_topo_reaches(&topo, node[0], node[2]));
	assert_true(sb_topo_reaches(&topo, node[2], node[1]));
	assert_false(sb_topo_reaches(&topo, node[0], self));
	assert_false(sb_topo_reaches(&topo, -1, self));
	assert_false(sb_topo_reaches(&topo, self, (int)topo.n_nodes));
	end(&h, &topo);
}

/* Two of a level are both made of both of the next, and back: 2^60 ways. */
static void test_many_ways(void **state)
{
	struct sb_topo topo = {0};
	int machine = add(&topo, SB_NODE_MACHINE, "machine", -1);
	struct hung h;
	int last;

	(void)state;
	for (int i = 0; i < 2 * LEVELS; i++) {
		SB_AUTO_FREE char *id = sb_format("dm-%d", i);

		add(&topo, SB_NODE_DM, id, machine);
	}
	last = (int)topo.n_nodes - 1;
	for (int i = 1; i <= last; i++)
		for (int k = 0; k < 2; k++) {
			int next = i + 2 - (i + 1) % 2 + k;

			lay(&topo, i, next <= last ? next : 1 + k);
		}
	alarm(20);
	assert_true(sb_topo_reaches(&topo, 1, last));
	assert_false(sb_topo_reaches(&topo, 1, machine));
	h = hang(&topo);
	alarm(0);
	end(&h, &topo);
}

/* Deeper than any thread's stack would bear. */
static void test_long_chain(void **state)
{
	struct sb_topo topo = {0};
	struct hung h;

	(void)state;
	add(&topo, SB_NODE_MACHINE, "machine", -1);
	for (int i = 1; i < CHAIN; i++)
		add(&topo, SB_NODE_DM, "dm", 0);
	for (int i = 1; i + 1 < CHAIN; i++)
		lay(&topo, i, i + 1);
	assert_true(sb_topo_reaches(&topo, 1, CHAIN - 1));
	h = hang(&topo);
	assert_int_equal(h.above[1], 2);
	assert_int_equal(h.above[CHAIN - 1], 0);
	end(&h, &topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),	   cmocka_unit_test(test_trees_keep_their_order),
		cmocka_unit_test(test_rings),	   cmocka_unit_test(test_many_ways),
		cmocka_unit_test(test_long_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
