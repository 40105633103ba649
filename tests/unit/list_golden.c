/* The tree that `list` draws of recorded machines, against what is kept in tests/golden/list. With
 * SB_UPDATE_GOLDEN set the kept files are written anew. Names from the hwdb, which differ from
 * machine to machine, are taken out first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <umockdev.h>

#include "mocked.h"
#include "satabench/cleanup.h"
#include "satabench/probe.h"
#include "satabench/report.h"

static const char *const machines[] = {"made-port-multiplier", "made-sas-expander-24",
				       "made-amd-vmd-nvme",    "made-usb-ide-cciss",
				       "procfs-sas-expander",  "hwloc-megaraid-40cpu"};

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (file) {
		text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
		fclose(file);
	}
	return text;
}

static void check(const char *machine, const char *ending, const char *got)
{
	const char *root = getenv("SB_SOURCE_ROOT");
	SB_AUTO_FREE char *path = NULL, *kept = NULL;

	assert_true(asprintf(&path, "%s/tests/golden/list/%s.%s", root, machine, ending) > 0);
	if (getenv("SB_UPDATE_GOLDEN")) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		fputs(got, file);
		fclose(file);
	}
	kept = read_file(path);
	if (strcmp(kept, got) != 0) {
		print_error("%s.%s differs; got:\n%s", machine, ending, got);
		fail();
	}
}

static char *write_list(const struct sb_list *list, const char *format)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(sb_list_format_find(format)->write(out, list), 0);
	fclose(out);
	return text;
}

static void list_machine(const char *machine)
{
	struct sb_topo topo = {0};
	struct sb_list list = {.topo = &topo, .version = "0", .refuses = sb_probe_all_refuses};
	UMockdevTestbed *bed = umockdev_testbed_new();
	SB_AUTO_FREE char *path = NULL, *text = NULL, *full = NULL, *csv = NULL;

	assert_true(asprintf(&path, "%s/tests/data/topology/%s.umockdev", getenv("SB_SOURCE_ROOT"),
			     machine) > 0);
	assert_true(umockdev_testbed_add_from_file(bed, path, NULL));
	assert_int_equal(sb_probe_topology(&topo), 0);
	for (size_t i = 0; i < topo.n_nodes; i++)
		if (sb_node_get(&topo.nodes[i], "pci_id")) {
			sb_node_set(&topo.nodes[i], "model", NULL);
			sb_node_set(&topo.nodes[i], "vendor", NULL);
		}
	text = write_list(&list, "text");
	check(machine, "txt", text);
	list.every_hop = true;
	full = write_list(&list, "text");
	check(machine, "hops.txt", full);
	csv = write_list(&list, "csv");
	assert_int_equal(strncmp(csv, "record,subject,metric,value,unit\r\n", 34), 0);
	sb_topo_free(&topo);
	g_object_unref(bed);
}

static void test_lists(void **state)
{
	(void)state;
	for (size_t i = 0; i < SB_COUNT(machines); i++)
		list_machine(machines[i]);
}

static void test_json_of_a_machine(void **state)
{
	struct sb_topo topo = {0};
	const struct sb_list list = {.topo = &topo, .version = "0"};
	SB_AUTO_FREE char *text = NULL;
	int root, disk;

	(void)state;
	root = sb_topo_add(&topo, SB_NODE_MACHINE, "machine", "machine", -1);
	root = sb_topo_add(&topo, SB_NODE_CONTROLLER, "pci:a", "a", root);
	topo.nodes[root].practical_bytes_s = 400;
	for (int i = 0; i < 2; i++) {
		disk = sb_topo_add(&topo, SB_NODE_LINK, i ? "l1" : "l0", "l", root);
		topo.nodes[disk].line_bytes_s = 300;
		sb_topo_add(&topo, SB_NODE_DISK, i ? "block:b" : "block:a", i ? "b" : "a", disk);
	}
	text = write_list(&list, "json");
	assert_non_null(strstr(text, "\"schema\": \"satabench.list/1\""));
	assert_non_null(strstr(text, "\"disks\": 2"));
	assert_non_null(strstr(text, "\"disks_bytes_per_second\": 600.0"));
	assert_non_null(strstr(text, "\"oversubscription\": 1.5"));
	assert_null(strstr(text, "left_by_all"));
	sb_topo_free(&topo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists),
					   cmocka_unit_test(test_json_of_a_machine)};

	if (!mocked() || !getenv("SB_SOURCE_ROOT")) {
		printf("needs umockdev-wrapper and SB_SOURCE_ROOT\n");
		return 77;
	}
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
