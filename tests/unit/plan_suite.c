/* Directories: which tests are run in which order, how much of what, and what is left out. */
#include <errno.h>

#include "plan_data.h"
#include "satabench/suite.h"

#define GIB (1ULL << 30)

/* Device a a disk, the rest directories of a file system each, with 100 GiB free. */
static void directories(struct sb_result *r, size_t n)
{
	plan_devices(r, n, "suite");
	sb_set_string(&r->options.plan, "suite");
	r->host.memory_bytes = 4 * GIB;
	for (size_t i = 0; i < n; i++) {
		r->devices[i].kind = SB_DEVICE_DIRECTORY;
		r->devices[i].size_bytes = SB_NONE_U64;
		r->devices[i].minor = (uint32_t)i;
		r->devices[i].free_bytes = 100 * GIB;
	}
}

static void tests_are(struct sb_result *r, const char *const *names)
{
	const struct sb_phase *phase;

	for (; *names; names++) {
		phase = plan_step("suite", r);
		assert_non_null(phase);
		assert_int_equal(phase->kind, SB_PHASE_SUITE);
		for (size_t i = 0; i < phase->n_jobs; i++)
			assert_string_equal(phase->jobs[i].test, *names);
	}
	assert_null(plan_step("suite", r));
}

static void test_bonnie(void **state)
{
	static const char *const all[] = {"putc",   "write",	     "rewrite",	    "getc",
					  "read",   "seeks",	     "create",	    "stat",
					  "delete", "random_create", "random_stat", "random_delete",
					  NULL};
	struct sb_result r;

	(void)state;
	directories(&r, 3);
	assert_int_equal(sb_plan_check(&r, true), 0);
	tests_are(&r, all);
	assert_int_equal(r.phases[0].n_jobs, 3);
	assert_int_equal(r.phases[0].jobs[0].limit_bytes, SB_SUITE_CHAR_BYTES);
	assert_int_equal(r.phases[1].jobs[0].limit_bytes, 8 * GIB); /* twice the memory */
	assert_int_equal(r.phases[1].jobs[0].block_bytes, 8192);
	assert_int_equal(r.phases[5].jobs[0].limit_operations, 8192);
	assert_int_equal(r.phases[5].jobs[0].depth, 5);
	assert_int_equal(r.phases[6].jobs[0].limit_operations, 16384);
	sb_result_free(&r);
}

static void test_rounds(void **state)
{
	static const char *const twice[] = {"write", "read", "write", "read", NULL};
	struct sb_result r;

	(void)state;
	directories(&r, 1);
	sb_set_string(&r.options.workload, "dd");
	r.options.rounds = 2;
	r.options.count = 100;
	assert_int_equal(sb_plan_check(&r, true), 0);
	tests_are(&r, twice);
	assert_int_equal(r.phases[3].round, 2);
	assert_int_equal(r.phases[0].jobs[0].limit_bytes, 100 << 20);
	sb_result_free(&r);
}

/* One that has failed is in no later test; the last one ends the run. */
static void test_failing(void **state)
{
	struct sb_result r;
	const struct sb_phase *phase;

	(void)state;
	directories(&r, 2);
	assert_int_equal(sb_plan_check(&r, true), 0);
	assert_int_equal(plan_step("suite", &r)->n_jobs, 2);
	r.devices[0].state = SB_DEVICE_FAILED;
	phase = plan_step("suite", &r);
	assert_int_equal(phase->n_jobs, 1);
	assert_int_equal(phase->jobs[0].device, 1);
	r.devices[1].state = SB_DEVICE_HUNG;
	assert_null(plan_step("suite", &r));
	sb_result_free(&r);
}

static void test_beside_a_disk(void **state)
{
	struct sb_result r;
	const struct sb_phase *phase;

	(void)state;
	directories(&r, 2);
	r.devices[0].kind = SB_DEVICE_BLOCK;
	r.devices[0].size_bytes = 100 * GB;
	assert_int_equal(sb_plan_check(&r, true), 0);
	phase = plan_step("suite", &r);
	assert_int_equal(phase->n_jobs, 2);
	assert_null(phase->jobs[0].test);
	assert_string_equal(phase->jobs[0].workload, "read");
	assert_int_equal(phase->jobs[0].limit_bytes, 0);
	/* alone it is not run by this plan */
	r.devices[1].state = SB_DEVICE_FAILED;
	assert_null(plan_step("suite", &r));
	sb_result_free(&r);
}

static void test_unsynchronised(void **state)
{
	struct sb_result r;
	const struct sb_phase *phase;

	(void)state;
	directories(&r, 2);
	sb_set_string(&r.options.workload, "tiobench");
	r.options.unsynchronised = true;
	assert_int_equal(sb_plan_check(&r, true), 0);
	phase = plan_step("suite", &r);
	assert_int_equal(phase->n_jobs, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(phase->jobs[i].device, i / 4);
		assert_int_equal(phase->jobs[i].block_bytes, 4096);
	}
	assert_string_equal(phase->jobs[5].test, "random_write");
	assert_null(plan_step("suite", &r));
	sb_result_free(&r);
}

/* What others need is run with them, in the order of the workload. */
static void test_selected(void **state)
{
	static const char *const some[] = {"write", "seeks", "random_create", "random_delete",
					   NULL};
	static const char *const data[] = {"write", "rewrite", "read", "seeks", NULL};
	struct sb_result r;

	(void)state;
	directories(&r, 1);
	sb_set_string(&r.options.tests, "random_delete,seeks");
	tests_are(&r, some);
	sb_result_free(&r);
	directories(&r, 1);
	r.options.no_files = r.options.no_char = true;
	tests_are(&r, data);
	sb_result_free(&r);
	directories(&r, 1);
	sb_set_string(&r.options.tests, "seek");
	assert_int_equal(sb_plan_check(&r, false), -EINVAL);
	sb_result_free(&r);
}

/* The default is reduced to nine tenths of what is free, in equal parts on one file system; what
 * was said and does not fit is refused, for that directory. */
static void test_room(void **state)
{
	struct sb_result r;

	(void)state;
	directories(&r, 3);
	r.devices[0].free_bytes = r.devices[1].free_bytes = 8 * GIB;
	r.devices[1].minor = r.devices[0].minor;
	assert_int_equal(sb_plan_check(&r, true), 0);
	assert_int_equal(r.devices[0].data_bytes, 3686ULL << 20); /* 3686.4 MiB */
	assert_int_equal(r.devices[1].data_bytes, 3686ULL << 20);
	assert_int_equal(r.devices[2].data_bytes, 8 * GIB);
	sb_result_free(&r);
	directories(&r, 2);
	r.options.data_bytes = 10 * GIB;
	r.devices[0].free_bytes = 11 * GIB;
	assert_int_equal(sb_plan_check(&r, true), 0);
	assert_int_equal(r.devices[0].state, SB_DEVICE_FAILED);
	assert_non_null(strstr(r.devices[0].message, "do not fit"));
	assert_int_equal(r.devices[1].state, SB_DEVICE_READY);
	sb_result_free(&r);
	/* a file system that does not tell is taken at the word */
	directories(&r, 1);
	r.devices[0].free_bytes = SB_NONE_U64;
	assert_int_equal(sb_plan_check(&r, true), 0);
	assert_int_equal(r.devices[0].data_bytes, 8 * GIB);
	sb_result_free(&r);
	directories(&r, 1);
	r.devices[0].free_files = 16383;
	assert_int_equal(sb_plan_check(&r, true), 0);
	assert_int_equal(r.devices[0].state, SB_DEVICE_FAILED);
	sb_result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bonnie),	       cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_failing),	       cmocka_unit_test(test_beside_a_disk),
		cmocka_unit_test(test_unsynchronised), cmocka_unit_test(test_selected),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
