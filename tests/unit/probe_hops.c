/* Recorded and made machines, replayed by umockdev: the hops between a disk and the machine, with
 * their links and ceilings. What is expected stands in NAME.expect.json under "nodes", by id. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <umockdev.h>

#include "mocked.h"
#include "satabench/cleanup.h"
#include "satabench/probe.h"

#define MACHINES_LEAST 4

static struct sb_topo topo;
static const char *sample;
static unsigned faults, compared;

static void fault(const char *id, const char *what, const char *got, const char *wanted)
{
	faults++;
	print_error("%s: %s: %s is \"%s\", not \"%s\"\n", sample, id, what, got ? got : "nothing",
		    wanted ? wanted : "nothing");
}

static void compare(const char *id, const char *what, const char *got, const char *wanted)
{
	compared++;
	if ((got == NULL) != (wanted == NULL) || (got && strcmp(got, wanted) != 0))
		fault(id, what, got, wanted);
}

/* No value is null. */
static void compare_rate(const char *id, const char *what, double got, json_t *wanted)
{
	char text[2][32];

	compared++;
	if (!wanted && isnan(got))
		return;
	if (json_is_number(wanted) && fabs(got / json_number_value(wanted) - 1) < 1e-9)
		return;
	snprintf(text[0], sizeof(text[0]), "%g", got);
	snprintf(text[1], sizeof(text[1]), "%g", json_number_value(wanted));
	fault(id, what, text[0], text[1]);
}

static void compare_node(const char *id, json_t *wanted)
{
	json_t *attributes = json_object_get(wanted, "attributes"), *value;
	int index = sb_topo_find(&topo, id);
	const struct sb_node *node;
	const char *key;

	if (index < 0) {
		fault(id, "node", NULL, id);
		return;
	}
	node = &topo.nodes[index];
	compare(id, "parent", topo.nodes[node->parent].id,
		json_string_value(json_object_get(wanted, "parent")));
	compare(id, "kind", sb_node_kind_name(node->kind),
		json_string_value(json_object_get(wanted, "kind")));
	compare_rate(id, "line", node->line_bytes_s, json_object_get(wanted, "line"));
	compare_rate(id, "practical", node->practical_bytes_s,
		     json_object_get(wanted, "practical"));
	if (!isnan(node->line_bytes_s) || !isnan(node->practical_bytes_s))
		assert_non_null(node->limit_source);
	json_object_foreach(attributes, key, value)
		compare(id, key, sb_node_get(node, key), json_string_value(value));
}

static bool replay(const char *folder, const char *name)
{
	SB_AUTO_FREE char *file = NULL, *expect = NULL;
	UMockdevTestbed *bed;
	json_t *wanted, *nodes, *value;
	const char *id;

	assert_true(asprintf(&file, "%s/%s.umockdev", folder, name) > 0);
	assert_true(asprintf(&expect, "%s/%s.expect.json", folder, name) > 0);
	wanted = json_load_file(expect, 0, NULL);
	assert_non_null(wanted);
	nodes = json_object_get(wanted, "nodes");
	if (!nodes) {
		json_decref(wanted);
		return false;
	}
	sample = name;
	bed = umockdev_testbed_new();
	assert_true(umockdev_testbed_add_from_file(bed, file, NULL));
	assert_int_equal(sb_probe_topology(&topo), 0);
	json_object_foreach(nodes, id, value) compare_node(id, value);
	sb_topo_free(&topo);
	json_decref(wanted);
	g_object_unref(bed);
	return true;
}

static void test_hops(void **state)
{
	char folder[4096];
	struct dirent *entry;
	unsigned n = 0;
	DIR *d;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/tests/data/topology", getenv("SB_SOURCE_ROOT"));
	d = opendir(folder);
	assert_non_null(d);
	while ((entry = readdir(d)) != NULL) {
		char *end = strstr(entry->d_name, ".umockdev");

		if (!end || end[9])
			continue;
		*end = '\0';
		n += replay(folder, entry->d_name);
	}
	closedir(d);
	assert_true(n >= MACHINES_LEAST);
	assert_true(compared > 150);
	assert_int_equal(faults, 0);
}

/* What a guest sees of its host's cables says nothing about what they carry. */
static void test_emulated_links_have_no_limit(void **state)
{
	static const char machine[] =
		"P: /devices/pci0000:00/0000:00:02.0\nE: SUBSYSTEM=pci\n"
		"A: vendor=0x1b36\\n\nA: device=0x000c\\n\nA: class=0x060400\\n\n"
		"A: current_link_speed=2.5 GT/s PCIe\\n\nA: current_link_width=1\\n\n"
		"A: max_link_speed=2.5 GT/s PCIe\\n\nA: max_link_width=1\\n\n\n"
		"P: /devices/pci0000:00/0000:00:02.0/0000:01:00.0\nE: SUBSYSTEM=pci\nE: "
		"DRIVER=ahci\n"
		"A: vendor=0x8086\\n\nA: device=0x2922\\n\nA: class=0x010601\\n\n"
		"A: subsystem_vendor=0x1af4\\n\nA: subsystem_device=0x1100\\n\n"
		"A: ata1/ata_port/ata1/port_no=1\\n\n"
		"A: ata1/link1/ata_link/link1/sata_spd=1.5 Gbps\\n\n\n"
		"P: /devices/pci0000:00/0000:00:02.0/0000:01:00.0/ata1/host0/target0:0:0/0:0:0:0/"
		"block/sda\nN: sda\nE: DEVNAME=/dev/sda\nE: DEVTYPE=disk\nE: SUBSYSTEM=block\n"
		"E: MAJOR=8\nE: MINOR=0\nA: dev=8:0\\n\nA: size=4096\\n\n\n";
	UMockdevTestbed *bed = umockdev_testbed_new();
	int port;

	(void)state;
	assert_true(umockdev_testbed_add_from_string(bed, machine, NULL));
	assert_int_equal(sb_probe_topology(&topo), 0);
	port = sb_topo_find(&topo, "pci:0000:00:02.0");
	assert_true(port > 0);
	assert_string_equal(sb_node_get(&topo.nodes[port], "link_speed"), "2.5 GT/s");
	assert_true(sb_topo_find(&topo, "pci:0000:01:00.0/port-1") > port);
	assert_int_equal(sb_topo_find(&topo, "chipset:0000:00"), -1);
	for (size_t i = 0; i < topo.n_nodes; i++)
		assert_true(isnan(sb_node_ceiling(&topo.nodes[i])));
	sb_topo_free(&topo);
	g_object_unref(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hops),
		cmocka_unit_test(test_emulated_links_have_no_limit),
	};

	if (!mocked() || !getenv("SB_SOURCE_ROOT")) {
		printf("needs umockdev-wrapper and SB_SOURCE_ROOT\n");
		return 77;
	}
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1); /* the user's own facts are no part of this */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
