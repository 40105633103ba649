/* A machine made for the hard cases: identities that are none, disks seen twice, drives without a
 * medium, members of arrays; and what `all` makes of it. */
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
#include "satabench/probe.h"

#define HOST "/devices/pci0000:00/0000:00:1f.2"

#define NODE(name, type, major, minor)                                                             \
	"\nN: " name "\nE: DEVNAME=/dev/" name "\nE: DEVTYPE=" type "\nE: SUBSYSTEM=block\n"       \
	"E: MAJOR=" #major "\nE: MINOR=" #minor "\nA: dev=" #major ":" #minor "\\n\n"

#define PLACE(port, name)                                                                          \
	"P: " HOST "/ata" #port "/host" #port "/target" #port ":0:0/" #port ":0:0:0/block/" name

/* One disk of the AHCI controller; `more` has further lines. */
#define DISK(port, name, major, minor, more)                                                       \
	PLACE(port, name)                                                                          \
	NODE(name, "disk", major, minor)                                                           \
	"A: ro=0\\n\nA: queue/logical_block_size=512\\n\n" more "\n\n"

#define PARTITION(port, name, part, major, minor, more)                                            \
	PLACE(port, name)                                                                          \
	"/" part NODE(part, "partition", major, minor) "A: partition=1\\n\nA: size=1024\\n\n" more \
						       "\n\n"

#define VIRTUAL(name, major, minor, more)                                                          \
	"P: /devices/virtual/block/" name NODE(name, "disk", major,                                \
					       minor) "A: size=2048\\n\n" more "\n\n"

static const char *const machine[] = {
	"P: " HOST "\nE: SUBSYSTEM=pci\nE: DRIVER=ahci\nE: PCI_ID=8086:2922\n"
	"E: ID_MODEL_FROM_DATABASE=82801IR\n\n",
	/* all zero numbers are no identity; the model in full, its blanks put right */
	DISK(1, "sda", 8, 0,
	     "E: ID_WWN=0x0000000000000000\nE: ID_SERIAL_SHORT=000000000\n"
	     "E: ID_MODEL=WDC_WD40\nE: ID_MODEL_ENC=WDC\\x20\\x20WD40\\x20\\x20\nA: size=4096\\n"),
	/* a member by the type of its partition, another by what udev saw on it */
	DISK(2, "sdb", 8, 16, "E: ID_WWN=0x5000c500aaaaaaaa\nA: size=4096\\n"),
	PARTITION(2, "sdb", "sdb1", 8, 17,
		  "E: ID_PART_ENTRY_TYPE=A19D880F-05FC-4D3B-A006-743F0F84911E"),
	DISK(3, "sdc", 8, 32, "E: ID_FS_TYPE=zfs_member\nA: size=4096\\n"),
	/* two paths to one disk without a map, and one that only shares the number */
	DISK(4, "sdd", 8, 48,
	     "E: ID_WWN=0x5000c500bbbbbbbb\nE: ID_SERIAL_SHORT=S1\nA: size=8192\\n"),
	DISK(5, "sde", 8, 64,
	     "E: ID_WWN=0x5000c500bbbbbbbb\nE: ID_SERIAL_SHORT=S1\nA: size=8192\\n"),
	DISK(6, "sdf", 8, 80,
	     "E: ID_WWN=0x5000c500bbbbbbbb\nE: ID_SERIAL_SHORT=S2\nA: size=8192\\n"),
	/* two paths to one disk by a map */
	DISK(7, "sdg", 8, 96, "A: size=8192\\n"),
	DISK(8, "sdh", 8, 112, "A: size=8192\\n"),
	VIRTUAL("dm-0", 253, 0,
		"A: dm/uuid=mpath-3600\\n\nA: dm/name=mpatha\\n\n"
		"L: slaves/sdg=../../../../pci0000:00/0000:00:1f.2\n"
		"L: slaves/sdh=../../../../pci0000:00/0000:00:1f.2"),
	/* crypt on sdi */
	DISK(9, "sdi", 8, 128, "A: size=8192\\n"),
	VIRTUAL("dm-1", 253, 1,
		"A: dm/uuid=CRYPT-LUKS2-1\\n\nL: slaves/sdi=../../../../pci0000:00/0000:00:1f.2"),
	/* drives without a medium: a card reader, sr with the size it assumes, sr with a disc */
	DISK(10, "sdj", 8, 144, "A: removable=1\\n\nA: size=0\\n"),
	DISK(11, "sr0", 11, 0, "A: removable=1\\n\nA: size=2097151\\n"),
	DISK(12, "sr1", 11, 1, "E: ID_CDROM_MEDIA=1\nA: removable=1\\n\nA: size=2097151\\n"),
	VIRTUAL("loop0", 7, 0, ""),
	VIRTUAL("loop1", 7, 1, "A: loop/backing_file=/nowhere/file\\n"),
	VIRTUAL("ram0", 1, 0, ""),
	VIRTUAL("zram0", 252, 0, ""),
};

static struct sb_topo topo;
static UMockdevTestbed *bed;

static int setup(void **state)
{
	(void)state;
	bed = umockdev_testbed_new();
	for (size_t i = 0; i < sizeof(machine) / sizeof(machine[0]); i++)
		if (!umockdev_testbed_add_from_string(bed, machine[i], NULL))
			return -1;
	return sb_probe_topology(&topo);
}

static int teardown(void **state)
{
	(void)state;
	sb_topo_free(&topo);
	g_object_unref(bed);
	return 0;
}

static int index_of(const char *name)
{
	char id[64];
	int node;

	snprintf(id, sizeof(id), "block:%s", name);
	node = sb_topo_find(&topo, id);
	if (node < 0)
		fail_msg("%s is not there", name);
	return node;
}

static const char *get(const char *name, const char *key)
{
	const char *value = sb_node_get(&topo.nodes[index_of(name)], key);

	return value ? value : "";
}

static const char *refused(const char *name)
{
	const char *reason = sb_probe_all_refuses(&topo, index_of(name));

	return reason ? reason : "taken";
}

static void test_identity(void **state)
{
	const struct sb_node *sda, *controller;

	(void)state;
	sda = &topo.nodes[index_of("sda")];
	assert_null(sda->stable_id);
	assert_null(sb_node_get(sda, "serial"));
	assert_null(sb_node_get(sda, "wwn"));
	assert_string_equal(get("sda", "model"), "WDC WD40");
	assert_string_equal(get("sda", "transport"), "ata");
	assert_string_equal(topo.nodes[index_of("sdb")].stable_id, "naa.5000c500aaaaaaaa");
	assert_int_equal(topo.nodes[sda->parent].kind, SB_NODE_LINK);
	controller = &topo.nodes[topo.nodes[sda->parent].parent];
	assert_string_equal(controller->id, "pci:0000:00:1f.2");
	assert_string_equal(controller->stable_id, "0000:00:1f.2");
	assert_string_equal(sb_node_get(controller, "driver"), "ahci");
	assert_string_equal(sb_node_get(controller, "model"), "82801IR");
}

static void test_marks(void **state)
{
	(void)state;
	assert_string_equal(get("sda", "marks"), "");
	assert_string_equal(get("sdb1", "marks"), "md");
	assert_string_equal(get("sdb", "marks"), "md");
	assert_string_equal(get("sdc", "marks"), "zfs");
	assert_string_equal(get("sdg", "marks"), "multipath");
	assert_string_equal(get("sdh", "marks"), "multipath");
	assert_string_equal(get("sdi", "marks"), "crypt");
}

static void test_all_takes(void **state)
{
	(void)state;
	assert_string_equal(refused("sda"), "taken");
	assert_string_equal(refused("sdb"), "taken");
	assert_string_equal(refused("sdb1"), "a partition");
	assert_string_equal(refused("sdd"), "taken");
	assert_string_equal(refused("sde"), "another path to a disk that is taken");
	assert_string_equal(refused("sdf"), "taken");
	assert_string_equal(refused("sdg"), "taken");
	assert_string_equal(refused("sdh"), "another path to a disk that is taken");
	assert_non_null(strstr(refused("dm-0"), "made of other disks"));
	assert_string_equal(refused("sdj"), "no medium");
	assert_string_equal(refused("sr0"), "no medium");
	assert_string_equal(refused("sr1"), "taken");
	assert_string_equal(refused("loop1"), "taken");
	assert_string_equal(refused("ram0"), "a RAM disk");
	assert_string_equal(refused("zram0"), "taken");
	assert_int_equal(sb_topo_find(&topo, "block:loop0"), -1);
}

/* The targets that `all` becomes, and one that is named besides. */
static void test_all_targets(void **state)
{
	static const char *const wanted[] = {"/dev/sdc",   "/dev/sda",	"/dev/sdb", "/dev/sdd",
					     "/dev/sdf",   "/dev/sdg",	"/dev/sdi", "/dev/sr1",
					     "/dev/loop1", "/dev/zram0"};
	char all[] = "all", sdc[] = "/dev/sdc", sdj[] = "/dev/sdj";
	char *targets[] = {all, sdc, sdj};
	const struct sb_options options = {.targets = targets, .n_targets = 3};
	struct sb_result result;

	(void)state;
	sb_result_init(&result);
	assert_int_equal(sb_probe_targets(&options, &result), 0);
	assert_int_equal(result.n_devices, 11);
	assert_string_equal(result.devices[0].target, "/dev/sdc");
	assert_string_equal(result.devices[1].target, "/dev/sdj");
	assert_int_equal(result.devices[1].state, SB_DEVICE_FAILED);
	assert_non_null(strstr(result.devices[1].message, "no medium"));
	for (size_t i = 1; i < 10; i++) {
		const struct sb_device *device = &result.devices[i + 1];

		assert_string_equal(device->target, wanted[i]);
		assert_int_equal(device->state, SB_DEVICE_NEW);
		assert_int_not_equal(device->size_bytes, 0);
	}
	sb_result_free(&result);
}

/* One target brings its own relatives and no others. */
static void test_one_target(void **state)
{
	char sdi[] = "/dev/sdi", *targets[] = {sdi};
	const struct sb_options options = {.targets = targets, .n_targets = 1};
	struct sb_result result;

	(void)state;
	sb_result_init(&result);
	assert_int_equal(sb_probe_targets(&options, &result), 0);
	assert_int_equal(result.n_devices, 1);
	assert_int_equal(result.devices[0].size_bytes, 8192 * 512);
	assert_int_equal(result.devices[0].sector_bytes, 512);
	assert_int_equal(result.devices[0].major, 8);
	assert_int_equal(result.devices[0].minor, 128);
	assert_true(result.devices[0].counts_all);
	assert_string_equal(result.topo.nodes[result.devices[0].node].name, "sdi");
	assert_int_equal(sb_topo_find(&result.topo, "block:sda"), -1);
	sb_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),   cmocka_unit_test(test_marks),
		cmocka_unit_test(test_all_takes),  cmocka_unit_test(test_all_targets),
		cmocka_unit_test(test_one_target),
	};

	if (!mocked()) {
		printf("needs umockdev-wrapper\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, setup, teardown);
}
