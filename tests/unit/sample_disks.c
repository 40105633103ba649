/* Which disks moved between two moments: a folder made for it stands in for /sys/block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/sample.h"

static char folder[] = "/tmp/satabench-disks.XXXXXX";

static void put(const char *disk, const char *name, const char *text)
{
	SB_AUTO_FREE char *path = NULL;
	FILE *file;

	assert_true(asprintf(&path, "%s/%s", folder, disk) > 0);
	mkdir(path, 0700);
	free(path);
	assert_true(asprintf(&path, "%s/%s/%s", folder, disk, name) > 0);
	file = fopen(path, "r+");
	file = file ? file : fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void take_off(const char *disk, const char *name)
{
	SB_AUTO_FREE char *path = NULL;

	assert_true(asprintf(&path, "%s/%s/%s", folder, disk, name) > 0);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
}

static void test_moved(void **state)
{
	static const char *const rest[] = {"sdb", "sda", "sdc", "sdd", "nvme0c0n1", "loop10"};
	struct sb_topo topo = {0};
	struct sb_disks *disks = NULL;
	struct sb_exec *exec = sb_exec_create(1);
	int node = sb_topo_add(&topo, SB_NODE_DISK, "block:sda", "sda", -1);

	(void)state;
	assert_non_null(exec);
	for (size_t i = 0; i < SB_COUNT(rest); i++)
		put(rest[i], "stat", "10 1 80 5 20 2 160 6 0 11 11\n");
	put("nvme0c0n1", "hidden", "1\n");
	put("loop2", "stat", "1 0 8 0 1 0 8 0 0 1 1\n");
	assert_int_equal(sb_disks_open(&disks, folder), 0);
	sb_disks_start(disks);
	put("sda", "stat", "14 1 88 5 20 2 160 6 0 31 11\n");	 /* 4 reads of 8 sectors */
	put("sdc", "stat", "10 1 80 5 25 2 260 6 0 61 11\n");	 /* 5 writes of 100 */
	put("sdd", "stat", "02 1 80 5 25 2 260 6 0 61 11\n");	 /* steps back */
	put("loop10", "stat", "11 1 81 5 20 2 160 6 0 11 11\n"); /* a read of 1 */
	put("nvme0c0n1", "stat", "99 1 81 5 20 2 160 6 0 11 11\n");
	put("sde", "stat", "11 1 81 5 20 2 160 6 0 11 11\n"); /* new */
	assert_int_equal(sb_disks_end(disks, &topo, exec), 0);
	assert_int_equal(exec->n_disks, 3);
	assert_string_equal(exec->disks[0].name, "loop10");
	assert_string_equal(exec->disks[1].name, "sda");
	assert_string_equal(exec->disks[2].name, "sdc");
	assert_int_equal(exec->disks[1].node, node);
	assert_int_equal(exec->disks[1].read_operations, 4);
	assert_int_equal(exec->disks[1].read_bytes, 4096);
	assert_int_equal(exec->disks[1].write_bytes, 0);
	assert_int_equal(exec->disks[1].busy_ms, 20);
	assert_int_equal(exec->disks[2].node, -1);
	assert_int_equal(exec->disks[2].write_operations, 5);
	assert_int_equal(exec->disks[2].write_bytes, 51200);
	sb_disks_close(disks);
	sb_exec_free(exec);
	sb_topo_free(&topo);
	for (size_t i = 0; i < SB_COUNT(rest); i++) {
		take_off(rest[i], "hidden");
		take_off(rest[i], "stat");
	}
	take_off("loop2", "stat");
	take_off("sde", "stat");
}

/* A container without sysfs. */
static void test_no_folder(void **state)
{
	struct sb_topo topo = {0};
	struct sb_disks *disks = NULL;
	struct sb_exec *exec = sb_exec_create(1);

	(void)state;
	assert_int_equal(sb_disks_open(&disks, "/nonexistent/block"), 0);
	sb_disks_start(disks);
	assert_int_equal(sb_disks_end(disks, &topo, exec), 0);
	assert_int_equal(exec->n_disks, 0);
	sb_disks_close(disks);
	sb_exec_free(exec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_no_folder),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return rmdir(folder) == 0 ? failed : 1;
}
