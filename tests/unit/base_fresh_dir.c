/* A directory of one's own: what goes with it, and what does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/fresh_dir.h"

#define DEPTH 2200 /* longer than PATH_MAX */

static char folder[] = "/tmp/satabench-fresh.XXXXXX";

static int enter(void **state)
{
	(void)state;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void put(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, name, strlen(name)), strlen(name));
	close(fd);
}

static bool exists(const char *name)
{
	return faccessat(AT_FDCWD, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void test_two_have_two_names(void **state)
{
	struct sb_fresh_dir a, b;

	(void)state;
	assert_int_equal(sb_fresh_dir_make(&a, "x"), 0);
	assert_int_equal(sb_fresh_dir_make(&b, "x"), 0);
	assert_string_not_equal(a.name, b.name);
	assert_int_equal(strncmp(a.name, "x-", 2), 0);
	assert_true(exists(a.path) && a.path[0] == '/');
	assert_int_equal(sb_fresh_dir_remove(&a), 0);
	assert_int_equal(sb_fresh_dir_remove(&b), 0);
	assert_false(exists(a.path) || exists(b.path));
	sb_fresh_dir_free(&a);
	sb_fresh_dir_free(&b);
}

/* Links lead out of it: what they lead to stays. */
static void test_links_are_not_followed(void **state)
{
	struct sb_fresh_dir dir;

	(void)state;
	assert_int_equal(sb_fresh_dir_make(&dir, "x"), 0);
	assert_int_equal(mkdir("outside", 0700), 0);
	put(AT_FDCWD, "outside/file");
	assert_int_equal(mkdirat(dir.fd, "sub", 0700), 0);
	assert_int_equal(symlinkat("../outside", dir.fd, "link"), 0);
	assert_int_equal(symlinkat("../../outside", dir.fd, "sub/link"), 0);
	assert_int_equal(symlinkat("nowhere", dir.fd, "dangling"), 0);
	assert_int_equal(mkfifoat(dir.fd, "fifo", 0600), 0);
	assert_int_equal(sb_fresh_dir_remove(&dir), 0);
	assert_false(exists(dir.path));
	assert_int_equal(unlink("outside/file"), 0);
	assert_int_equal(rmdir("outside"), 0);
	sb_fresh_dir_free(&dir);
}

/* Deeper than there are descriptors, longer than a path may be, with names that the sweep takes. */
static void test_deep_and_wide(void **state)
{
	const struct rlimit few = {64, 64};
	struct sb_fresh_dir dir;
	struct rlimit before;
	int at, next;

	(void)state;
	assert_int_equal(sb_fresh_dir_make(&dir, "x"), 0);
	at = dup(dir.fd);
	for (int i = 0; i < DEPTH; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%d", i % 7);
		assert_int_equal(mkdirat(at, name, 0700), 0);
		next = openat(at, name, O_RDONLY | O_DIRECTORY);
		assert_true(next >= 0);
		if (i % 100 == 0) {
			put(next, "file");
			assert_int_equal(mkdirat(next, "empty", 0700), 0);
		}
		close(at);
		at = next;
	}
	close(at);
	for (int i = 10; i < 500; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%d", i);
		put(dir.fd, name);
	}
	getrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){few.rlim_cur, before.rlim_max}),
			 0);
	assert_int_equal(sb_fresh_dir_remove(&dir), 0);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_false(exists(dir.path));
	sb_fresh_dir_free(&dir);
}

/* Its name now belongs to a link, or to another directory: that is not touched. */
static void test_replaced(void **state)
{
	struct sb_fresh_dir dir;

	(void)state;
	assert_int_equal(sb_fresh_dir_make(&dir, "x"), 0);
	put(dir.fd, "file");
	assert_int_equal(mkdir("victim", 0700), 0);
	put(AT_FDCWD, "victim/file");
	assert_int_equal(rename(dir.name, "moved"), 0);
	assert_int_equal(symlink("victim", dir.name), 0);
	assert_int_equal(sb_fresh_dir_remove(&dir), -ESTALE);
	assert_true(exists("victim/file"));
	assert_false(exists("moved/file"));
	assert_int_equal(unlink(dir.name), 0);
	assert_int_equal(mkdir(dir.name, 0700), 0);
	assert_int_equal(sb_fresh_dir_remove(&dir), -ESTALE);
	assert_int_equal(rmdir(dir.name), 0);
	assert_int_equal(rmdir("moved"), 0);
	assert_int_equal(unlink("victim/file"), 0);
	assert_int_equal(rmdir("victim"), 0);
	sb_fresh_dir_free(&dir);
}

/* Its owner has removed it. */
static void test_gone_already(void **state)
{
	struct sb_fresh_dir dir;

	(void)state;
	assert_int_equal(sb_fresh_dir_make(&dir, "x"), 0);
	assert_int_equal(rmdir(dir.name), 0);
	assert_int_equal(sb_fresh_dir_remove(&dir), 0);
	sb_fresh_dir_free(&dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_two_have_two_names, enter, leave),
		cmocka_unit_test_setup_teardown(test_links_are_not_followed, enter, leave),
		cmocka_unit_test_setup_teardown(test_deep_and_wide, enter, leave),
		cmocka_unit_test_setup_teardown(test_replaced, enter, leave),
		cmocka_unit_test_setup_teardown(test_gone_already, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
