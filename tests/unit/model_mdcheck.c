/* Which arrays are refused, by what sysfs says of them; progress as md writes it; only an array's
 * sync_action can be written. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/action.h"
#include "satabench/mdcheck.h"
#include "satabench/units.h"

static void test_refusals(void **state)
{
	static const struct {
		struct sb_mdcheck_look look;
		const char *why; /* NULL: it can be checked */
	} cases[] = {
		{{"idle", "clean", "none", "none", 0}, NULL},
		{{"idle", "active", "none", "none", 0}, NULL},
		{{"idle", "active-idle", "", "", 0}, NULL},
		{{"idle", "write-pending", "none", "none", 0}, NULL},
		{{"", "", "", "", SB_NONE_U64}, "no md array"},
		{{"", "inactive", "", "", SB_NONE_U64}, "not running"},
		{{"idle", "broken", "none", "none", 0}, "not running"},
		{{"", "clean", "", "", SB_NONE_U64}, "nothing to be checked"}, /* raid0 */
		{{"idle", "readonly", "none", "none", 0}, "read-only"},
		{{"idle", "read-auto", "0", "none", 0}, "read-only"},
		{{"check", "clean", "none", "1 / 2", 0}, "at work"},
		{{"resync", "active", "512", "1 / 2", 0}, "at work"},
		{{"recover", "clean", "none", "delayed", 1}, "at work"},
		{{"frozen", "clean", "none", "none", 0}, "at work"},
		{{"idle", "clean", "none", "none", 1}, "degraded"},
		{{"idle", "clean", "none", "none", SB_NONE_U64}, "degraded"},
		{{"idle", "clean", "1024", "none", 0}, "not in sync"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *why = sb_mdcheck_refusal(&cases[i].look);

		if (!cases[i].why && why)
			fail_msg("%zu: %s", i, why);
		if (cases[i].why && !(why && strstr(why, cases[i].why)))
			fail_msg("%zu: \"%s\" is not about \"%s\"", i, why ? why : "",
				 cases[i].why);
	}
}

static void test_progress(void **state)
{
	static const char *const bad[] = {
		"none",	  "delayed", "",      "1",	   "1 /",
		"-1 / 3", "4 / 3",   "0 / 0", "1 / 2 / 3", "99999999999999999999999 / 3 x"};
	uint64_t done = 7, total = 9;

	(void)state;
	assert_int_equal(sb_mdcheck_progress("98304 / 262144", &done, &total), 0);
	assert_int_equal(done, 98304);
	assert_int_equal(total, 262144);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sb_mdcheck_progress(bad[i], &done, &total), -ENODATA);
	assert_int_equal(done, 98304);
}

static void test_names(void **state)
{
	static const char *const bad[] = {"",	   "sda",      "md0/../../sda", "md/0", "../md0",
					  "md0\n", "loop0/md", "md.0",		"md0 "};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sb_check_start(bad[i]), -EINVAL);
	/* a name that could be one, and is not held after it failed */
	assert_true(sb_check_start("md_no_such_array") < 0);
	assert_int_equal(sb_check_end("md_no_such_array"), 0);
	sb_check_end_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_progress),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests_name("model: mdcheck", tests, NULL, NULL);
}
