/* Recorded machines, replayed by umockdev: each disk with its size, model and controller. The
 * samples of the source tree always; those beside it where they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <umockdev.h>

#include "mocked.h"
#include "satabench/cleanup.h"
#include "satabench/probe.h"

#define SAMPLES_LEAST 4 /* in the source tree */

static struct sb_topo topo;
static const char *sample;
static unsigned faults, compared;

static void compare(const char *disk, const char *what, const char *got, const char *wanted)
{
	compared++;
	if (got && strcmp(got, wanted) == 0)
		return;
	faults++;
	print_error("%s: %s: %s is \"%s\", not \"%s\"\n", sample, disk, what, got ? got : "nothing",
		    wanted);
}

static int find_block(const char *name)
{
	char id[300];

	snprintf(id, sizeof(id), "block:%s", name);
	return sb_topo_find(&topo, id);
}

static const char *text(json_t *disk, const char *key)
{
	return json_string_value(json_object_get(disk, key));
}

/* udev writes underscores for blanks and slashes. */
static void underscore(char *text)
{
	for (; *text; text++)
		if (*text == ' ' || *text == '/')
			*text = '_';
}

static void compare_model(const char *name, const struct sb_node *node, const char *wanted)
{
	const char *model = sb_node_get(node, "model");
	SB_AUTO_FREE char *got = strdup(model ? model : ""), *want = strdup(wanted);

	underscore(got);
	underscore(want);
	compare(name, "model", got, want);
}

/* Links, multipliers and expanders lie between a disk and it. */
static const struct sb_node *controller_of(const struct sb_node *node)
{
	const struct sb_node *at = node;

	while (at->parent >= 0 && at->kind != SB_NODE_CONTROLLER)
		at = &topo.nodes[at->parent];
	return at->kind == SB_NODE_CONTROLLER ? at : &topo.nodes[node->parent];
}

static void compare_controller(const char *name, const struct sb_node *node, json_t *disk)
{
	const struct sb_node *parent = controller_of(node);
	const char *controller = text(disk, "controller"), *driver = text(disk, "driver");

	if (controller) {
		compare(name, "controller", parent->name, controller);
		compare(name, "controller's stable id", parent->stable_id, controller);
	} else if (!text(disk, "kind") || strcmp(text(disk, "kind"), "nvme-multipath-head") != 0) {
		compare(name, "parent", parent->id, "machine");
	}
	if (controller && driver)
		compare(name, "driver", sb_node_get(parent, "driver"), driver);
}

static void compare_attributes(const char *name, const struct sb_node *node, json_t *disk)
{
	static const char *const keys[][2] = {{"attr_rotational", "rotational"},
					      {"attr_logical_block_size", "sector_bytes"},
					      {"attr_removable", "removable"},
					      {"attr_ro", "read_only"}};

	if (text(disk, "attr_size")) {
		char bytes[32];

		snprintf(bytes, sizeof(bytes), "%llu",
			 strtoull(text(disk, "attr_size"), NULL, 10) * 512);
		compare(name, "size_bytes", sb_node_get(node, "size_bytes"), bytes);
	}
	for (size_t i = 0; i < SB_COUNT(keys); i++)
		if (text(disk, keys[i][0]) && (i != 2 || node->kind == SB_NODE_DISK))
			compare(name, keys[i][1], sb_node_get(node, keys[i][1]),
				text(disk, keys[i][0]));
	if (text(disk, "ID_MODEL") && node->kind == SB_NODE_DISK)
		compare_model(name, node, text(disk, "ID_MODEL"));
}

static bool is_below(const struct sb_node *node, int other)
{
	for (size_t i = 0; i < node->n_below; i++)
		if (node->below[i] == other)
			return true;
	return false;
}

/* Slaves that the recording left out cannot be found. */
static void compare_relatives(json_t *disks, const char *name, int node, json_t *disk)
{
	json_t *parts = json_object_get(disk, "partitions");
	json_t *slaves = json_object_get(disk, "slaves"), *other;
	size_t i;

	json_array_foreach(parts, i, other)
	{
		int part = find_block(json_string_value(other));

		compare(json_string_value(other), "disk",
			part < 0 ? NULL : topo.nodes[topo.nodes[part].parent].name, name);
	}
	json_array_foreach(slaves, i, other)
	{
		int slave = find_block(json_string_value(other));

		if (!json_object_get(disks, json_string_value(other)))
			continue;
		compare(name, "slave",
			slave >= 0 && is_below(&topo.nodes[node], slave) ? "an edge" : NULL,
			"an edge");
	}
}

static void compare_machine(json_t *disks)
{
	const char *name;
	json_t *disk;

	json_object_foreach(disks, name, disk)
	{
		int node = find_block(name);

		if (node < 0 && strncmp(name, "loop", 4) == 0)
			continue; /* no backing file */
		compare(name, "node", node < 0 ? NULL : topo.nodes[node].name, name);
		if (node < 0)
			continue;
		compare_controller(name, &topo.nodes[node], disk);
		compare_attributes(name, &topo.nodes[node], disk);
		compare_relatives(disks, name, node, disk);
	}
}

/* Parents before children, ids once, a word about each node. */
static void check_soundness(void)
{
	for (size_t i = 0; i < topo.n_nodes; i++) {
		const struct sb_node *node = &topo.nodes[i];
		const char *refused = sb_probe_all_refuses(&topo, (int)i);

		assert_true(node->parent < (int)i);
		assert_int_equal(sb_topo_find(&topo, node->id), (int)i);
		assert_true(refused || node->kind == SB_NODE_DISK || node->kind == SB_NODE_LOOP ||
			    node->kind == SB_NODE_ZRAM);
	}
}

static void replay(const char *folder, const char *name)
{
	SB_AUTO_FREE char *file = NULL, *expect = NULL;
	UMockdevTestbed *bed = umockdev_testbed_new();
	json_t *wanted;

	sample = name;
	assert_true(asprintf(&file, "%s/%s.umockdev", folder, name) > 0);
	assert_true(asprintf(&expect, "%s/%s.expect.json", folder, name) > 0);
	wanted = json_load_file(expect, 0, NULL);
	assert_non_null(wanted);
	assert_true(umockdev_testbed_add_from_file(bed, file, NULL));
	assert_int_equal(sb_probe_topology(&topo), 0);
	check_soundness();
	compare_machine(json_object_get(wanted, "disks"));
	sb_topo_free(&topo);
	json_decref(wanted);
	g_object_unref(bed);
}

static unsigned replay_folder(const char *folder)
{
	SB_AUTO_DIR DIR *d = opendir(folder);
	struct dirent *entry;
	unsigned n = 0;

	while (d && (entry = readdir(d)) != NULL) {
		char *end = strstr(entry->d_name, ".umockdev");

		if (!end || end[9])
			continue;
		*end = '\0';
		replay(folder, entry->d_name);
		n++;
	}
	return n;
}

static void test_own_samples(void **state)
{
	char folder[4096];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/tests/data/topology", getenv("SB_SOURCE_ROOT"));
	assert_true(replay_folder(folder) >= SAMPLES_LEAST);
	assert_true(compared > 50);
	assert_int_equal(faults, 0);
}

static void test_corpus(void **state)
{
	char folder[4096];

	(void)state;
	snprintf(folder, sizeof(folder), "%s/../shared/corpus/topology", getenv("SB_SOURCE_ROOT"));
	if (replay_folder(folder) == 0)
		skip();
	assert_int_equal(faults, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_samples),
					   cmocka_unit_test(test_corpus)};

	if (!mocked() || !getenv("SB_SOURCE_ROOT")) {
		printf("needs umockdev-wrapper and SB_SOURCE_ROOT\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
