/* What links and chips can carry: the formulas, the file of facts, configuration space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hop_priv.h"
#include "satabench/log.h"

#define MB 1e6

/* Line code alone, and the range that packets of 128 to 256 bytes leave, in MB/s. */
static const struct {
	double speed;
	unsigned width;
	double line, least, most;
} pcie[] = {
	{2.5, 1, 250, 200, 228},      {2.5, 4, 1000, 800, 914},	   {5, 1, 500, 400, 457},
	{5, 4, 2000, 1600, 1829},     {8, 1, 984.6, 788, 900},	   {8, 4, 3938.5, 3151, 3600},
	{8, 8, 7876.9, 6302, 7201},   {16, 4, 7876.9, 6302, 7201}, {32, 4, 15753.8, 12604, 14403},
	{64, 4, 30250, 24200, 27657},
};

static void test_pcie(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pcie) / sizeof(pcie[0]); i++) {
		double line = sb_pcie_line(pcie[i].speed, pcie[i].width);
		double small = sb_pcie_practical(pcie[i].speed, pcie[i].width, 128);
		double large = sb_pcie_practical(pcie[i].speed, pcie[i].width, 256);

		assert_true(fabs(line / MB / pcie[i].line - 1) < 1e-4);
		assert_true(small > pcie[i].least * MB && small < large);
		assert_true(large < pcie[i].most * MB && large < line);
	}
	assert_true(isnan(sb_pcie_line(NAN, 4)));
	assert_true(isnan(sb_pcie_line(8, 0)));
	assert_true(isnan(sb_pcie_practical(NAN, 4, 128)));
}

static void close_to(double got, double wanted)
{
	if (!(fabs(got / wanted - 1) < 1e-6))
		fail_msg("%g, not %g", got, wanted);
}

static void test_other_links(void **state)
{
	(void)state;
	close_to(sb_sata_line(1.5), 150 * MB);
	close_to(sb_sata_line(3), 300 * MB);
	close_to(sb_sata_line(6), 600 * MB);
	close_to(sb_sas_line(6, 4), 2400 * MB);
	close_to(sb_sas_line(12, 8), 9600 * MB);
	close_to(sb_sas_line(22.5, 4), 9600 * MB); /* 128b/150b */
	close_to(probe_usb_line(480), 60 * MB);
	close_to(probe_usb_line(5000), 500 * MB);
	close_to(probe_usb_line(10000), 1250 * MB * 128 / 132);
	assert_true(isnan(sb_sata_line(NAN)) && isnan(sb_sas_line(6, 0)) &&
		    isnan(probe_usb_line(NAN)));
}

static void test_speeds_as_the_kernel_writes_them(void **state)
{
	(void)state;
	close_to(probe_speed("8.0 GT/s PCIe"), 8);
	close_to(probe_speed("2.5 GT/s"), 2.5);
	close_to(probe_speed("22.5 Gbit"), 22.5);
	close_to(probe_speed("1.5 Gbps"), 1.5);
	assert_true(isnan(probe_speed("Unknown")) && isnan(probe_speed("<unknown>")) &&
		    isnan(probe_speed("")) && isnan(probe_speed("0")));
}

static void test_the_lower_limit_stays(void **state)
{
	struct sb_topo topo = {0};
	struct sb_node *node;

	(void)state;
	assert_int_equal(sb_topo_add(&topo, SB_NODE_CONTROLLER, "a", "a", -1), 0);
	node = &topo.nodes[0];
	assert_int_equal(probe_limit(node, 4000 * MB, 3200 * MB, "link"), 0);
	assert_int_equal(probe_limit(node, NAN, 2500 * MB, "chip"), 0);
	assert_int_equal(probe_limit(node, NAN, 9000 * MB, "hope"), 0);
	close_to(node->line_bytes_s, 4000 * MB);
	close_to(node->practical_bytes_s, 2500 * MB);
	assert_string_equal(node->limit_source, "chip");
	sb_topo_free(&topo);
}

static FILE *file_of(const void *bytes, size_t length, char path[32])
{
	int fd;

	strcpy(path, "/tmp/satabench-test.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	return fdopen(fd, "r+");
}

/* PCI Express behind two other capabilities; then what others than root see of the same. */
static void test_configuration_space(void **state)
{
	unsigned char config[256] = {
		[6] = 0x10,    [0x34] = 0x40, [0x40] = 1,    [0x41] = 0x50, [0x50] = 5,
		[0x51] = 0x70, [0x70] = 0x10, [0x72] = 0x42, [0x78] = 0x20};
	struct pci pci = {.port_type = -1};
	char path[32];
	FILE *file = file_of(config, sizeof(config), path);

	(void)state;
	probe_pci_read_config(&pci, fileno(file));
	assert_int_equal(pci.port_type, PCI_PORT_ROOT);
	assert_int_equal(pci.payload_bytes, 256);
	pci = (struct pci){.port_type = -1};
	assert_int_equal(ftruncate(fileno(file), 64), 0);
	probe_pci_read_config(&pci, fileno(file));
	assert_int_equal(pci.port_type, -1);
	assert_int_equal(pci.payload_bytes, 0);
	/* a list that bites its tail */
	config[0x51] = 0x40;
	assert_int_equal(pwrite(fileno(file), config, sizeof(config), 0), sizeof(config));
	probe_pci_read_config(&pci, fileno(file));
	assert_int_equal(pci.port_type, -1);
	fclose(file);
	unlink(path);
}

static void read_text(struct facts *facts, const char *text)
{
	char path[32];

	fclose(file_of(text, strlen(text), path));
	assert_int_equal(probe_facts_read_file(facts, path), 0);
	unlink(path);
}

static void test_own_facts_win(void **state)
{
	struct facts facts = {0};
	const struct fact *fact;
	char *source;

	(void)state;
	read_text(&facts,
		  "# comment\n[controller 1000:0070-007f]\nname = chips\npractical = 2G\n"
		  "source = here\ndate = 2020\n[uplink 8086:1c40]\nspeed = 5\nwidth = 4\n"
		  "[multiplier *]\npractical = 240MB\npractical-by-commands = 100MB\nspeed = 3\n");
	fact = probe_fact(&facts, FACT_CONTROLLER, 0x1000, 0x72);
	assert_non_null(fact);
	close_to(fact->practical, 2147483648.0);
	source = probe_fact_source(fact);
	assert_string_equal(source, "chips: here (2020)");
	free(source);
	assert_null(probe_fact(&facts, FACT_CONTROLLER, 0x1000, 0x80));
	assert_null(probe_fact(&facts, FACT_CONTROLLER, 0x1001, 0x72));
	assert_null(probe_fact(&facts, FACT_UPLINK, 0x1000, 0x72));
	assert_int_equal(probe_fact(&facts, FACT_UPLINK, 0x8086, 0x1c40)->width, 4);
	close_to(probe_fact(&facts, FACT_MULTIPLIER, 0x1095, 0x3726)->practical_one, 100 * MB);
	read_text(&facts, "[controller 1000:0072]\npractical = 3000MB\n");
	close_to(probe_fact(&facts, FACT_CONTROLLER, 0x1000, 0x72)->practical, 3000 * MB);
	close_to(probe_fact(&facts, FACT_CONTROLLER, 0x1000, 0x73)->practical, 2147483648.0);
	probe_facts_free(&facts);
}

/* A slip costs its own line. */
static void test_faulty_facts_are_left_out(void **state)
{
	struct facts facts = {0};

	(void)state;
	sb_log_set_level(SB_LOG_ERROR);
	read_text(&facts, "[controller 1000]\npractical = 1G\n[gadget 1000:0072]\npractical = 1G\n"
			  "[controller 1000:0072]\npractical = fast\nwidth = 99\ncolour = red\n"
			  "name = SAS2008\n[controller 1000:0087-0080]\npractical = 1G\n"
			  "[controller 1000:0097]\npractical = 1G\n");
	assert_int_equal(facts.n, 2);
	assert_true(isnan(probe_fact(&facts, FACT_CONTROLLER, 0x1000, 0x72)->practical));
	assert_string_equal(facts.fact[0].name, "SAS2008");
	close_to(probe_fact(&facts, FACT_CONTROLLER, 0x1000, 0x97)->practical, 1073741824.0);
	assert_int_equal(probe_facts_read_file(&facts, "/nonexistent/ceilings.conf"), -ENOENT);
	probe_facts_free(&facts);
}

/* Only sourced facts ship. */
static void test_shipped_facts_have_sources(void **state)
{
	struct facts facts = {0};
	char path[4096];

	(void)state;
	if (!getenv("SB_SOURCE_ROOT"))
		skip();
	snprintf(path, sizeof(path), "%s/configs/ceilings.conf", getenv("SB_SOURCE_ROOT"));
	assert_int_equal(probe_facts_read_file(&facts, path), 0);
	assert_true(facts.n >= 10);
	for (size_t i = 0; i < facts.n; i++) {
		const struct fact *fact = &facts.fact[i];

		assert_true(fact->name && fact->source && fact->date);
		if (fact->kind == FACT_UPLINK)
			assert_true(fact->speed > 0 && fact->width > 0);
		else
			assert_true(fact->practical > 0);
	}
	probe_facts_free(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pcie),
		cmocka_unit_test(test_other_links),
		cmocka_unit_test(test_speeds_as_the_kernel_writes_them),
		cmocka_unit_test(test_the_lower_limit_stays),
		cmocka_unit_test(test_configuration_space),
		cmocka_unit_test(test_own_facts_win),
		cmocka_unit_test(test_faulty_facts_are_left_out),
		cmocka_unit_test(test_shipped_facts_have_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
