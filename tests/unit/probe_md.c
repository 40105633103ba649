/* Arrays by their attributes in sysfs: recorded ones, and stacks made by hand, replayed by
 * umockdev.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <umockdev.h>

#include "md_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/probe.h"
#include "satabench/units.h"

#define NONE SB_NONE_U64

/* The recording's arrays; tests/data/mdstat has it, prometheus/procfs says what it holds. */
static const struct {
	const char *name, *level;
	uint64_t disks, before, chunk, degraded;
	const char *state, *action;
	uint64_t done, total;
	size_t data, spare, faulty;
} recorded[] = {
	{"md0", "raid0", 2, NONE, 524288, NONE, "clean", NULL, NONE, NONE, 2, 0, 0},
	{"md1", "raid1", 2, NONE, 0, 0, "clean", "idle", NONE, NONE, 2, 0, 0},
	{"md4", "raid4", 3, NONE, 524288, 0, "clean", "idle", NONE, NONE, 3, 0, 0},
	{"md5", "raid5", 3, NONE, 524288, 1, "clean", "idle", NONE, NONE, 2, 1, 1},
	{"md6", "raid6", 4, NONE, 524288, 1, "active", "recover", 1569888, 2093056, 3, 1, 0},
	{"md7", "container", NONE, NONE, NONE, NONE, "inactive", NULL, NONE, NONE, 0, 0, 0},
	{"md8", "raid5", 11, 10, 524288, 0, "active", "reshape", NONE, NONE, 2, 0, 0},
	{"md10", "raid10", 4, NONE, 524288, 0, "clean", "idle", NONE, NONE, 4, 0, 0},
};

/* The recording's lines of one array, as umockdev wants them. */
static void add_recorded(UMockdevTestbed *bed, const char *recording, const char *name)
{
	SB_AUTO_FREE char *prefix = sb_format("/sys/block/%s/md/", name);
	SB_AUTO_FREE char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "P: /devices/virtual/block/%s\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\n", name);
	for (const char *p = strstr(recording, prefix); p; p = strstr(p + 1, prefix)) {
		const char *key = p + strlen(prefix);
		const char *equal = strchr(key, '=');
		size_t length = strcspn(equal + 1, "\n");

		fprintf(f, "A: md/%.*s=%.*s\\n\n", (int)(equal - key), key, (int)length, equal + 1);
	}
	fclose(f);
	assert_true(umockdev_testbed_add_from_string(bed, text, NULL));
}

static void check_text(const char *got, const char *wanted)
{
	if (wanted)
		assert_string_equal(got, wanted);
	else
		assert_null(got);
}

static size_t count(const struct sb_md_array *a, int role)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_members; i++)
		n += a->members[i].role == role;
	return n;
}

static void test_recorded(void **state)
{
	SB_AUTO_FREE char *path =
		sb_format("%s/tests/data/mdstat/procfs-md-sysfs.txt", getenv("SB_SOURCE_ROOT"));
	SB_AUTO_FREE char *recording = sb_read_all(path, NULL);
	UMockdevTestbed *bed = umockdev_testbed_new();

	(void)state;
	assert_non_null(recording);
	for (size_t i = 0; i < SB_COUNT(recorded); i++) {
		struct sb_md_array a;

		add_recorded(bed, recording, recorded[i].name);
		sb_md_array_init(&a);
		assert_int_equal(probe_md_read(&a, recorded[i].name), 0);
		check_text(a.level, recorded[i].level);
		assert_int_equal(a.raid_disks, recorded[i].disks);
		assert_int_equal(a.raid_disks_old, recorded[i].before);
		assert_int_equal(a.chunk_bytes, recorded[i].chunk);
		assert_int_equal(a.degraded, recorded[i].degraded);
		check_text(a.array_state, recorded[i].state);
		check_text(a.sync_action, recorded[i].action);
		assert_int_equal(a.sync_done_sectors, recorded[i].done);
		assert_int_equal(a.sync_total_sectors, recorded[i].total);
		assert_int_equal(count(&a, SB_MD_DATA), recorded[i].data);
		assert_int_equal(count(&a, SB_MD_SPARE), recorded[i].spare);
		assert_int_equal(count(&a, SB_MD_FAULTY), recorded[i].faulty);
		sb_md_array_free(&a);
	}
	g_object_unref(bed);
}

#define VIRTUAL "/devices/virtual/block/"
#define DISK "/devices/pci0000:00/0000:00:17.0/ata%d/block/sd%c"

static void add(UMockdevTestbed *bed, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(UMockdevTestbed *bed, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&text, format, args) > 0);
	va_end(args);
	assert_true(umockdev_testbed_add_from_string(bed, text, NULL));
	free(text);
}

/* sda and sdb with a partition each; md0 over the partitions with a partition of its own; a volume
 * over md0; md126 in the container md127; md9 over a volume over sda. */
static UMockdevTestbed *make_stacks(void)
{
	UMockdevTestbed *bed = umockdev_testbed_new();

	add(bed, "P: /devices/pci0000:00/0000:00:17.0\nE: SUBSYSTEM=pci\nE: DRIVER=ahci\n"
		 "A: class=0x010601\\n\nA: vendor=0x8086\\n\nA: device=0xa102\\n\n");
	for (int i = 0; i < 2; i++) {
		add(bed,
		    "P: " DISK "\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=8\nE: MINOR=%d\n"
		    "A: dev=8:%d\\n\nA: size=2000\\n\n",
		    i + 1, 'a' + i, 16 * i, 16 * i);
		add(bed,
		    "P: " DISK "/sd%c1\nE: SUBSYSTEM=block\nE: DEVTYPE=partition\nE: MAJOR=8\n"
		    "E: MINOR=%d\nA: dev=8:%d\\n\nA: partition=1\\n\nA: size=1000\\n\n",
		    i + 1, 'a' + i, 'a' + i, 16 * i + 1, 16 * i + 1);
	}
	add(bed, "P: " VIRTUAL "md0\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=9\nE: MINOR=0\n"
		 "A: size=1000\\n\nA: queue/read_ahead_kb=1024\\n\nA: md/level=raid1\\n\n"
		 "A: md/raid_disks=2\\n\nA: md/array_state=read-auto\\n\n"
		 "A: md/resync_start=12\\n\nA: md/sync_completed=none\\n\n"
		 "A: md/sync_speed_min=1000 (system)\\n\nA: md/sync_speed_max=5000 (local)\\n\n"
		 "A: md/bitmap/location=+8\\n\nA: md/mismatch_cnt=128\\n\n"
		 "A: md/component_size=500\\n\n"
		 "A: md/dev-sda1/state=in_sync,write_mostly\\n\nA: md/dev-sda1/slot=1\\n\n"
		 "A: md/dev-sda1/size=500\\n\nA: md/dev-sda1/offset=2048\\n\n"
		 "A: md/dev-sda1/errors=3\\n\nA: md/dev-sda1/bad_blocks=8 8\\n16 8\\n\n"
		 "L: md/dev-sda1/block=../../../sda1\n"
		 "A: md/dev-sdb1/state=in_sync\\n\nA: md/dev-sdb1/slot=0\\n\n"
		 "A: md/dev-sdb1/bad_blocks=\nL: md/dev-sdb1/block=../../../sdb1\n"
		 "L: slaves/sda1=../../sda1\nL: slaves/sdb1=../../sdb1\n");
	add(bed, "P: " VIRTUAL "md0/md0p1\nE: SUBSYSTEM=block\nE: DEVTYPE=partition\n"
		 "E: MAJOR=259\nE: MINOR=0\nA: dev=259:0\\n\nA: partition=1\\n\nA: size=900\\n\n");
	add(bed, "P: " VIRTUAL "dm-0\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=253\n"
		 "E: MINOR=0\nA: size=900\\n\nA: dm/name=vg-lv\\n\nL: slaves/md0=../../md0\n");
	add(bed, "P: " VIRTUAL "md126\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=9\n"
		 "E: MINOR=126\nA: size=4000\\n\nA: md/level=raid0\\n\nA: md/raid_disks=2\\n\n"
		 "A: md/metadata_version=external:/md127/0\\n\nA: md/chunk_size=131072\\n\n"
		 "A: md/dev-sda/state=in_sync\\n\nA: md/dev-sda/slot=0\\n\n"
		 "A: md/dev-sdb/state=in_sync\\n\nA: md/dev-sdb/slot=1\\n\n"
		 "L: slaves/sda=../../sda\nL: slaves/sdb=../../sdb\n");
	add(bed, "P: " VIRTUAL "md127\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=9\n"
		 "E: MINOR=127\nA: size=0\\n\nA: md/metadata_version=external:ddf\\n\n"
		 "A: md/array_state=inactive\\n\nL: slaves/sda=../../sda\n");
	add(bed, "P: " VIRTUAL "dm-1\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=253\n"
		 "E: MINOR=1\nA: size=900\\n\nA: dm/name=vg-raw\\n\nL: slaves/sda=../../sda\n");
	add(bed, "P: " VIRTUAL "md9\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: MAJOR=9\nE: MINOR=9\n"
		 "A: size=900\\n\nA: md/level=raid1\\n\nA: md/raid_disks=2\\n\n"
		 "A: md/degraded=1\\n\nA: md/dev-dm-1/state=in_sync\\n\n"
		 "A: md/dev-dm-1/slot=0\\n\nL: slaves/dm-1=../../dm-1\n");
	return bed;
}

static void add_target(struct scan *scan, struct sb_result *result, const char *name)
{
	struct sb_device *device = sb_result_add_device(result);

	assert_non_null(device);
	device->node = probe_block(scan, name);
	assert_true(device->node >= 0);
}

static struct sb_result result;

/* The arrays below one target. */
static void find_below(const char *target)
{
	struct scan scan;

	sb_result_init(&result);
	assert_int_equal(probe_scan_begin(&scan, &result.topo), 0);
	add_target(&scan, &result, target);
	assert_int_equal(probe_md(&scan, &result), 0);
	probe_scan_end(&scan);
}

static const char *name_of(int node)
{
	return result.topo.nodes[node].name;
}

static void test_members(void **state)
{
	UMockdevTestbed *bed = make_stacks();
	const struct sb_md_array *a;

	(void)state;
	find_below("md0");
	assert_int_equal(result.n_md, 1);
	a = result.md;
	assert_int_equal(a->device, 0);
	assert_int_equal(a->kind, SB_MD_RAID1);
	assert_string_equal(a->sync_waits, "pending");
	assert_int_equal(a->sync_min_bytes_s, 1000 * 1024);
	assert_int_equal(a->sync_max_bytes_s, 5000 * 1024);
	assert_int_equal(a->read_ahead_bytes, 1 << 20);
	assert_int_equal(a->mismatch_sectors, 128);
	assert_int_equal(a->component_bytes, 512000);
	assert_int_equal(a->size_bytes, 512000);
	assert_string_equal(a->bitmap, "internal");
	assert_int_equal(a->n_members, 2);
	/* by slot */
	assert_string_equal(a->members[0].name, "sdb1");
	assert_string_equal(a->members[1].name, "sda1");
	assert_string_equal(name_of(a->members[1].node), "sda1");
	assert_int_equal(a->members[1].device, -1);
	assert_true(a->members[1].write_mostly && !a->members[0].write_mostly);
	assert_int_equal(a->members[1].size_bytes, 512000);
	assert_int_equal(a->members[1].offset_bytes, 1 << 20);
	assert_int_equal(a->members[1].errors, 3);
	assert_int_equal(a->members[1].bad_ranges, 2);
	assert_int_equal(a->members[0].bad_ranges, 0);
	sb_result_free(&result);
	g_object_unref(bed);
}

/* A partition of an array, a volume on it, an array of a container, an array on a volume. */
static void test_stacks(void **state)
{
	static const struct {
		const char *target, *array, *member;
	} stacks[] = {{"md0p1", "md0", "sdb1"}, {"dm-0", "md0", "sdb1"}, {"md9", "md9", "dm-1"}};
	UMockdevTestbed *bed = make_stacks();

	(void)state;
	for (size_t i = 0; i < SB_COUNT(stacks); i++) {
		find_below(stacks[i].target);
		assert_int_equal(result.n_md, 1);
		assert_string_equal(result.md[0].name, stacks[i].array);
		assert_string_equal(name_of(result.md[0].members[0].node), stacks[i].member);
		sb_result_free(&result);
	}
	find_below("md127");
	assert_int_equal(result.md[0].kind, SB_MD_CONTAINER);
	sb_result_free(&result);
	find_below("md126");
	assert_string_equal(result.md[0].container, "md127");
	assert_string_equal(name_of(result.md[0].members[1].node), "sdb");
	sb_result_free(&result);
	find_below("sda");
	assert_int_equal(result.n_md, 0);
	sb_result_free(&result);
	g_object_unref(bed);
}

static void test_end(void **state)
{
	UMockdevTestbed *bed = make_stacks();

	(void)state;
	find_below("md0");
	assert_null(result.md[0].sync_action);
	umockdev_testbed_set_attribute(bed, "/sys/devices/virtual/block/md0", "md/sync_action",
				       "resync\n");
	assert_int_equal(sb_probe_end(&result), 0);
	assert_string_equal(result.md[0].sync_action_end, "resync");
	/* it was at work, whatever comes after */
	umockdev_testbed_set_attribute(bed, "/sys/devices/virtual/block/md0", "md/sync_action",
				       "idle\n");
	assert_int_equal(sb_probe_watch(&result), 0);
	assert_int_equal(sb_probe_end(&result), 0);
	assert_string_equal(result.md[0].sync_action_end, "resync");
	assert_string_equal(
		sb_node_get(&result.topo.nodes[result.md[0].node], "md_sync_action_end"), "resync");
	sb_result_free(&result);
	g_object_unref(bed);
}

/* umockdev can tell only while there is a test bed. */
static bool preloaded(void)
{
	UMockdevTestbed *bed = umockdev_testbed_new();
	bool yes = umockdev_in_mock_environment();

	g_object_unref(bed);
	return yes;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded), cmocka_unit_test(test_members),
		cmocka_unit_test(test_stacks), cmocka_unit_test(test_end)};

	if (!preloaded() || !getenv("SB_SOURCE_ROOT")) {
		printf("needs umockdev-wrapper and SB_SOURCE_ROOT\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
