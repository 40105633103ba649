/* What cannot work is found before anything is measured. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "plan_data.h"

static int saved = -1;
static FILE *caught;

/* From here on stderr is kept. */
static void catch (void)
{
	caught = tmpfile();
	assert_non_null(caught);
	fflush(stderr);
	saved = dup(STDERR_FILENO);
	assert_true(saved >= 0 && dup2(fileno(caught), STDERR_FILENO) >= 0);
}

/* What has been said has `text` in it ("": nothing has been said). */
static void said(const char *text)
{
	char all[2000];
	size_t n;

	fflush(stderr);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	close(saved);
	rewind(caught);
	n = fread(all, 1, sizeof(all) - 1, caught);
	all[n] = '\0';
	fclose(caught);
	if (!*text)
		assert_string_equal(all, "");
	else if (!strstr(all, text))
		fail_msg("\"%s\" is not in \"%s\"", text, all);
}

static void check(struct sb_result *result, bool prepared, int want, const char *text)
{
	int rc;

	catch ();
	rc = sb_plan_check(result, prepared);
	said(text);
	assert_int_equal(rc, want);
	sb_result_free(result);
}

static void test_nothing_wrong(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 2, "preadv");
	check(&r, false, 0, "");
	plan_devices(&r, 2, "preadv");
	r.options.offset_bytes = 4096;
	check(&r, true, 0, "");
}

static void test_products(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 1, "preadv");
	r.options.count = UINT64_MAX / 1048576 + 1;
	check(&r, false, -EINVAL, "64 bits");
	plan_devices(&r, 1, "preadv");
	r.options.skip = UINT64_MAX / 512 + 1;
	r.options.block_bytes = 512;
	check(&r, false, -EINVAL, "64 bits");
	plan_devices(&r, 1, "preadv");
	r.options.count = 1000;
	r.options.skip = 1000;
	check(&r, false, 0, "");
}

static void test_alignment(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 2, "preadv");
	r.options.offset_bytes = 513;
	check(&r, false, -EINVAL, "512-byte sectors of a");
	plan_devices(&r, 2, "preadv");
	r.options.offset_bytes = 512;
	r.devices[1].sector_bytes = 4096;
	check(&r, true, -EINVAL, "4096-byte sectors of b");
	/* the page cache takes any */
	plan_devices(&r, 2, "preadv");
	r.options.offset_bytes = 513;
	r.options.buffered = true;
	check(&r, false, 0, "");
	/* not known yet */
	plan_devices(&r, 1, "preadv");
	r.options.offset_bytes = 513;
	r.devices[0].sector_bytes = 0;
	check(&r, false, 0, "");
	/* one that has failed asks for nothing */
	plan_devices(&r, 1, "preadv");
	r.options.offset_bytes = 513;
	r.devices[0].state = SB_DEVICE_FAILED;
	check(&r, false, 0, "");
}

static void test_past_the_end(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 2, "preadv");
	r.options.offset_bytes = 100 * GB;
	r.devices[1].size_bytes = 100 * GB + 512;
	catch ();
	assert_int_equal(sb_plan_check(&r, true), 0);
	said("");
	assert_int_equal(r.devices[0].state, SB_DEVICE_FAILED);
	assert_non_null(strstr(r.devices[0].message, "past its end"));
	assert_int_equal(r.devices[1].state, SB_DEVICE_READY);
	sb_result_free(&r);
}

static void test_rounded_block_is_said(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 1, "preadv");
	r.options.block_bytes = 512;
	r.devices[0].sector_bytes = 4096;
	check(&r, true, 0, "4096");
	plan_devices(&r, 1, "preadv");
	r.options.block_bytes = 4096;
	r.devices[0].sector_bytes = 4096;
	check(&r, true, 0, "");
}

static void test_virtual_time(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 2, "null");
	r.options.virtual_time = true;
	r.devices[0].kind = SB_DEVICE_NULL;
	check(&r, false, -EINVAL, "null targets only, not with b");
	plan_devices(&r, 1, "null");
	r.options.virtual_time = true;
	r.devices[0].kind = SB_DEVICE_NULL;
	check(&r, false, 0, "");
}

/* Names are bytes that somebody chose. */
static void test_names_are_escaped(void **state)
{
	struct sb_result r;

	(void)state;
	plan_devices(&r, 1, "preadv");
	sb_set_string(&r.devices[0].target, "x\x1b[31m");
	r.options.virtual_time = true;
	check(&r, false, -EINVAL, "x\\x1b[31m");
	plan_devices(&r, 1, "preadv");
	sb_set_string(&r.devices[0].target, "x\n");
	r.options.offset_bytes = 1;
	check(&r, false, -EINVAL, "x\\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_wrong),
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_past_the_end),
		cmocka_unit_test(test_rounded_block_is_said),
		cmocka_unit_test(test_virtual_time),
		cmocka_unit_test(test_names_are_escaped),
	};

	return cmocka_run_group_tests_name("plan: check", tests, NULL, NULL);
}
