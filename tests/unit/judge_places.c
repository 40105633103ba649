/* Files, partitions and volumes that share a disk: that is named, and told. */
#include "machine_data.h"

/* A controller with two disks, the first of which passes 200 MB/s. Node of that. */
static int two_disks(struct machine *m)
{
	int root, controller, disk;

	machine_init(m);
	root = add_node(m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	controller = add_node(m, SB_NODE_CONTROLLER, "card", root, INFINITY);
	disk = add_node(m, SB_NODE_DISK, "sda", controller, 200 * MB);
	add_disk(m, SB_NODE_DISK, controller, 100 * MB);
	return disk;
}

static int stack(struct machine *m, int kind, const char *id, int a, int b)
{
	int node = add_node(m, kind, id, kind == SB_NODE_PARTITION ? a : 0, INFINITY);

	assert_int_equal(sb_topo_add_below(&m->result.topo, node, a), 0);
	if (b >= 0)
		assert_int_equal(sb_topo_add_below(&m->result.topo, node, b), 0);
	return node;
}

static void test_files_on_one_disk(void **state)
{
	struct machine m;
	int disk = two_disks(&m), part, volume;

	(void)state;
	for (int i = 0; i < 2; i++)
		add_on(&m, SB_NODE_FILE, disk, 180 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_DISK, disk);
	says(&m, "sda limits: its 2 files give 360 MB/s alone and 200 MB/s together");
	sb_result_free(&m.result);

	/* a file on a partition, and another on a volume on a second one: the disk all the same */
	disk = two_disks(&m);
	part = stack(&m, SB_NODE_PARTITION, "sda1", disk, -1);
	add_on(&m, SB_NODE_FILE, part, 180 * MB);
	part = stack(&m, SB_NODE_PARTITION, "sda2", disk, -1);
	volume = stack(&m, SB_NODE_DM, "dm-0", part, -1);
	add_on(&m, SB_NODE_FILE, volume, 180 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_DISK, disk);
	sb_result_free(&m.result);

	/* all on one partition: that has no limit of its own, but may be one of the candidates */
	disk = two_disks(&m);
	part = stack(&m, SB_NODE_PARTITION, "sda1", disk, -1);
	volume = stack(&m, SB_NODE_DM, "dm-0", part, -1);
	for (int i = 0; i < 2; i++)
		add_on(&m, SB_NODE_DM, volume, 180 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_DISK, disk);
	says(&m, "sda limits: its 2 devices");
	assert_int_equal(m.result.verdict.n_candidates, 3);
	assert_int_equal(m.result.verdict.candidates[1], volume);
	assert_int_equal(m.result.verdict.candidates[2], part);
	sb_result_free(&m.result);

	/* one file on each disk: nothing is shared */
	disk = two_disks(&m);
	add_on(&m, SB_NODE_FILE, disk, 180 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_NONE, -1);
	sb_result_free(&m.result);
}

/* What lies on one disk is told, and what lies on none. */
static void test_places_are_told(void **state)
{
	struct machine m;
	int disk = two_disks(&m), network;
	size_t same = 0, none = 0;

	(void)state;
	network = add_node(&m, SB_NODE_FILESYSTEM, "nas:/export", 0, INFINITY);
	sb_node_set(&m.result.topo.nodes[network], "medium", "network");
	add_on(&m, SB_NODE_FILE, disk, 180 * MB);
	add_on(&m, SB_NODE_FILE, disk, 180 * MB);
	add_on(&m, SB_NODE_FILE, network, 180 * MB);
	sb_set_string(&m.result.devices[3].file_system, "nfs4");
	run_rounds(&m, 3);
	assert_int_equal(sb_judge_run(&m.result), 0);
	for (size_t i = 0; i < m.result.n_marks; i++) {
		const struct sb_mark *mark = &m.result.marks[i];

		if (strcmp(mark->id, "same_disk") == 0) {
			assert_string_equal(mark->subject, same++ ? "d2" : "d1");
			assert_non_null(strstr(mark->message, "on the same disk, sda: "));
			assert_int_equal(mark->level, SB_MARK_NOTE);
		} else if (strcmp(mark->id, "no_disk") == 0) {
			none++;
			assert_string_equal(mark->subject, "d3");
			assert_non_null(strstr(mark->message,
					       "file system nas:/export (nfs4): the network"));
		}
	}
	assert_int_equal(same, 2);
	assert_int_equal(none, 1);
	sb_result_free(&m.result);
}

/* What two files share where that is no single disk. */
static void test_files_on_several_disks(void **state)
{
	static const struct {
		int kind, cls;
	} rows[] = {{SB_NODE_MD, SB_CLASS_MD},
		    {SB_NODE_DM, SB_CLASS_DISK},
		    {SB_NODE_FILESYSTEM, SB_CLASS_DISK}};
	struct machine m;
	int disk, node, far;

	(void)state;
	for (size_t i = 0; i < SB_COUNT(rows); i++) {
		two_disks(&m);
		disk = add_node(&m, SB_NODE_DISK, "sdb", 1, INFINITY);
		far = add_node(&m, SB_NODE_DISK, "sdc", 1, INFINITY);
		node = stack(&m, rows[i].kind, "stack", disk, far);
		m.cap[node] = 200 * MB;
		add_on(&m, SB_NODE_FILE, node, 180 * MB);
		add_on(&m, SB_NODE_FILE, node, 180 * MB);
		run_rounds(&m, 3);
		expect(&m, rows[i].cls, node);
		says(&m, "its 2 files give 360 MB/s alone and 200 MB/s together");
		sb_result_free(&m.result);
	}
	two_disks(&m);
	node = add_node(&m, SB_NODE_FILESYSTEM, "nas:/export", 0, 200 * MB);
	add_on(&m, SB_NODE_FILE, node, 180 * MB);
	add_on(&m, SB_NODE_FILE, node, 180 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_UNKNOWN, node);
	says(&m, "Something in file system nas:/export that cannot be named limits");
	sb_result_free(&m.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files_on_one_disk),
		cmocka_unit_test(test_files_on_several_disks),
		cmocka_unit_test(test_places_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
