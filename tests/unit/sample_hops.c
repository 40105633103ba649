/* Links and interrupts as they are sampled: files made for it stand in for sysfs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/sample.h"
#include "satabench/units.h"

static char folder[] = "/tmp/satabench-hops.XXXXXX";

static void put(const char *place, const char *name, const char *text)
{
	SB_AUTO_FREE char *path = NULL;
	FILE *file;

	assert_true(asprintf(&path, "%s/%s", folder, place) > 0);
	mkdir(path, 0700);
	free(path);
	assert_true(asprintf(&path, "%s/%s/%s", folder, place, name) > 0);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int add(struct sb_topo *topo, enum sb_node_kind kind, const char *name, int parent,
	       const char *speed)
{
	int node = sb_topo_add(topo, kind, name, name, parent);

	assert_true(node >= 0);
	if (speed) {
		sb_node_setf(&topo->nodes[node], "sysfs", "%s/%s", folder, name);
		sb_node_set(&topo->nodes[node], "link_speed", speed);
	}
	return node;
}

static const struct sb_link_reading *link_of(const struct sb_phase *phase, int node)
{
	for (size_t i = 0; i < phase->n_links; i++)
		if (phase->links[i].node == node)
			return &phase->links[i];
	return NULL;
}

static void test_links_on_the_way_are_read_anew(void **state)
{
	struct sb_topo topo = {0};
	struct sb_phase phase = {0};
	struct sb_hops *hops;
	int machine, port, other, sata, sas, disk, disk2, md, nodes[2];

	(void)state;
	put("port", "current_link_speed", "2.5 GT/s PCIe\n");
	put("port", "current_link_width", "4\n");
	put("other", "current_link_speed", "8.0 GT/s PCIe\n");
	put("other", "current_link_width", "8\n");
	put("sata", "sata_spd", "6.0 Gbps\n");
	put("sas", "negotiated_linkrate", "Unknown\n");
	machine = add(&topo, SB_NODE_MACHINE, "machine", -1, NULL);
	port = add(&topo, SB_NODE_PCIE, "port", machine, "8 GT/s");
	other = add(&topo, SB_NODE_PCIE, "other", machine, "8 GT/s");
	sata = add(&topo, SB_NODE_LINK, "sata", port, "6 Gb/s");
	sas = add(&topo, SB_NODE_LINK, "sas", other, "12 Gb/s");
	sb_node_set(&topo.nodes[sas], "link_width", "4");
	disk = add(&topo, SB_NODE_DISK, "disk", sata, NULL);
	disk2 = add(&topo, SB_NODE_DISK, "disk2", sas, NULL);
	md = add(&topo, SB_NODE_MD, "md", machine, NULL);
	sb_topo_add_below(&topo, md, disk);
	sb_topo_add_below(&topo, md, disk2);
	nodes[0] = disk;
	nodes[1] = disk2;
	assert_int_equal(sb_hops_create(&hops, &topo, nodes, 2), 0);
	/* under load it trained up */
	put("port", "current_link_speed", "8.0 GT/s PCIe\n");
	assert_int_equal(sb_hops_read_links(hops, nodes, 1, &phase), 0);
	assert_int_equal(phase.n_links, 2);
	assert_null(link_of(&phase, other));
	assert_int_equal(link_of(&phase, port)->bits_per_second, 8000000000);
	assert_int_equal(link_of(&phase, port)->width, 4);
	assert_int_equal(link_of(&phase, sata)->bits_per_second, 6000000000);
	assert_true(link_of(&phase, sata)->width == SB_NONE_U64);
	/* an array passes all that its members do */
	assert_int_equal(sb_hops_read_links(hops, &md, 1, &phase), 0);
	assert_int_equal(phase.n_links, 4);
	assert_true(link_of(&phase, sas)->bits_per_second == SB_NONE_U64);
	assert_int_equal(link_of(&phase, sas)->width, 4);
	sb_hops_destroy(hops);
	sb_phase_free(&phase);
	sb_topo_free(&topo);
}

static void test_interrupts_by_cpu(void **state)
{
	uint64_t sums[4] = {1, 1, 1, 1};

	(void)state;
	assert_int_equal(sb_irq_parse("3,0,4294967296,7\n", sums, 4), 0);
	assert_int_equal(sums[0], 4);
	assert_int_equal(sums[2], 4294967297);
	assert_int_equal(sums[3], 8);
	assert_int_equal(sb_irq_parse("1,2", sums, 4), 0);
	assert_int_equal(sums[1], 3);
	assert_int_equal(sb_irq_parse("", sums, 4), -ENODATA);
	assert_int_equal(sb_irq_parse("x", sums, 4), -ENODATA);
}

/* On a real machine: the counts of a function's own messages, and none when nothing was read. */
static void test_no_interrupts_without_a_controller(void **state)
{
	struct sb_topo topo = {0};
	struct sb_phase phase = {0};
	struct sb_hops *hops;
	int node = sb_topo_add(&topo, SB_NODE_DISK, "d", "d", -1);

	(void)state;
	assert_int_equal(sb_hops_create(&hops, &topo, &node, 1), 0);
	sb_hops_start_interrupts(hops, &node, 1);
	assert_int_equal(sb_hops_end_interrupts(hops, &phase), 0);
	assert_int_equal(phase.n_interrupts, 0);
	sb_hops_destroy(hops);
	sb_phase_free(&phase);
	sb_topo_free(&topo);
}

static int setup(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	SB_AUTO_FREE char *command = NULL;

	(void)state;
	return asprintf(&command, "rm -r '%s'", folder) > 0 ? system(command) : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links_on_the_way_are_read_anew),
		cmocka_unit_test(test_interrupts_by_cpu),
		cmocka_unit_test(test_no_interrupts_without_a_controller),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
