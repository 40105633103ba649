/* The order of the phases, and that a device that is lost is in no later one. */
#include <stdio.h>

#include "plan_data.h"

/* "a c abcd b d": a word a phase, each device by its letter, rounds apart by " / ". */
static void order(const char *plan, struct sb_result *result, char *text, size_t size)
{
	const struct sb_phase *phase;
	unsigned round = 1;
	size_t used = 0;

	while ((phase = plan_step(plan, result))) {
		if (phase->round != round)
			used += (size_t)snprintf(text + used, size - used, "/ ");
		round = phase->round;
		assert_true(phase->n_jobs > 0);
		assert_non_null(phase->reason);
		assert_int_equal(phase->kind, phase->n_jobs > 1 || strcmp(plan, "together") == 0
						      ? SB_PHASE_ALL
						      : SB_PHASE_ALONE);
		for (size_t i = 0; i < phase->n_jobs; i++)
			used += (size_t)snprintf(text + used, size - used, "%s",
						 phase->jobs[i].target);
		used += (size_t)snprintf(text + used, size - used, " ");
		assert_true(used < size);
	}
	assert_true(used > 0);
	text[used - 1] = '\0';
}

static void check(const char *plan, size_t n, uint64_t rounds, uint64_t size_bytes,
		  const char *want)
{
	struct sb_result result;
	char text[300] = " ";

	plan_devices(&result, n, "preadv");
	result.options.rounds = rounds;
	result.options.size_bytes = size_bytes;
	order(plan, &result, text, sizeof(text));
	assert_string_equal(text, want);
	sb_result_free(&result);
}

static void test_rounds(void **state)
{
	(void)state;
	check("rounds", 1, 2, 0, "a / a");
	check("rounds", 2, 2, 0, "a ab b / b ab a");
	check("rounds", 3, 1, 0, "a c abc b");
	check("rounds", 4, 3, 0, "a c abcd b d / d b abcd c a / a c abcd b d");
	check("rounds", 2, 0, 0, "a ab b / b ab a / a ab b");
	check("rounds", 2, 0, 1 * GB, "a ab b / b ab a / a ab b");
}

static void test_together_and_alone(void **state)
{
	(void)state;
	check("together", 3, 0, 0, "abc / abc / abc");
	check("together", 3, 0, 1 * GB, "abc");
	check("together", 1, 2, 0, "a / a");
	check("alone", 3, 0, 0, "a b c / a b c / a b c");
	check("alone", 3, 0, 1 * GB, "a b c");
}

static void test_no_device_no_phase(void **state)
{
	(void)state;
	for (const struct sb_plan *plan = sb_plans; plan->name; plan++) {
		struct sb_result result;

		plan_devices(&result, 2, "preadv");
		result.devices[0].state = SB_DEVICE_FAILED;
		result.devices[1].state = SB_DEVICE_HUNG;
		assert_null(plan_step(plan->name, &result));
		sb_result_free(&result);
	}
}

static bool has_job(const struct sb_phase *phase, int device)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			return true;
	return false;
}

/* Whenever one is lost, the plan goes on without it and still does all the rest. */
static void test_lost_device_is_left_out(void **state)
{
	static const int lost[] = {SB_DEVICE_FAILED, SB_DEVICE_HUNG, SB_DEVICE_VANISHED};

	(void)state;
	for (size_t after = 0; after < 12; after++) {
		struct sb_result result;
		const struct sb_phase *phase;
		size_t n = 0, alone = 0, all = 0;

		plan_devices(&result, 3, "preadv");
		while ((phase = plan_step("rounds", &result))) {
			assert_false(n > after && has_job(phase, 1));
			alone += phase->kind == SB_PHASE_ALONE && !has_job(phase, 1);
			all += phase->kind == SB_PHASE_ALL;
			if (n++ == after)
				result.devices[1].state = lost[after % 3];
		}
		assert_int_equal(alone, 6); /* a and c, three rounds */
		assert_int_equal(all, 3);
		sb_result_free(&result);
	}
}

static void test_wishes_reach_the_jobs(void **state)
{
	struct sb_result result;
	const struct sb_phase *phase;

	(void)state;
	plan_devices(&result, 2, "io_uring");
	result.options.block_bytes = 65536;
	result.options.skip = 3;
	result.options.count = 7;
	result.options.depth = 9;
	result.devices[1].sector_bytes = 4096;
	phase = plan_step("together", &result);
	assert_non_null(phase);
	for (size_t i = 0; i < 2; i++) {
		const struct sb_job *job = &phase->jobs[i];

		assert_int_equal(job->device, i);
		assert_int_equal(job->block_bytes, 65536);
		assert_int_equal(job->offset_bytes, 3 * 65536);
		assert_int_equal(job->span_bytes, 100 * GB - 3 * 65536);
		assert_int_equal(job->limit_bytes, 7 * 65536);
		assert_int_equal(job->depth, 9);
		assert_string_equal(job->workload, "read");
		assert_string_equal(job->engine, "io_uring");
	}
	sb_result_free(&result);
}

/* 512-byte requests on a disk with sectors of 4096 bytes are read as 4096. */
static void test_block_is_whole_sectors(void **state)
{
	struct sb_result result;
	const struct sb_phase *phase;

	(void)state;
	plan_devices(&result, 2, "preadv");
	result.options.block_bytes = 512;
	result.devices[1].sector_bytes = 4096;
	phase = plan_step("together", &result);
	assert_int_equal(phase->jobs[0].block_bytes, 512);
	assert_int_equal(phase->jobs[1].block_bytes, 4096);
	assert_int_equal(phase->jobs[0].depth, 1); /* preadv: one at a time */
	sb_result_free(&result);
}

static void test_stop_at_end(void **state)
{
	struct sb_result result;
	const struct sb_phase *phase;

	(void)state;
	plan_devices(&result, 2, "preadv");
	result.options.end_at_end = true;
	result.options.size_bytes = 60 * GB;
	result.options.offset_bytes = 50 * GB;
	result.devices[1].size_bytes = 200 * GB;
	phase = plan_step("together", &result);
	assert_int_equal(phase->jobs[0].limit_bytes, 50 * GB);
	assert_int_equal(phase->jobs[1].limit_bytes, 60 * GB);
	assert_true(phase->jobs[0].end_at_end);
	assert_null(plan_step("together", &result)); /* by amount: once */
	sb_result_free(&result);
}

static void near_to(double value, double want)
{
	if (!(value >= want - 1e-9 && value <= want + 1e-9))
		fail_msg("%.9f is not %.9f", value, want);
}

static void test_runtimes(void **state)
{
	struct sb_result result;
	const struct sb_phase *phase;

	(void)state;
	plan_devices(&result, 2, "preadv");
	result.devices[0].rotational = true;
	near_to(plan_step("rounds", &result)->runtime_s, 2.0); /* a turns */
	near_to(plan_step("rounds", &result)->runtime_s, 2.5);
	near_to(plan_step("rounds", &result)->runtime_s, 1.5);
	result.options.runtime_s = 7;
	while ((phase = plan_step("rounds", &result)))
		near_to(phase->runtime_s, 7);
	sb_result_free(&result);
}

/* No run may take longer than was said, and what is said is not twice of it either. */
static void test_longest(void **state)
{
	(void)state;
	for (size_t n = 1; n < 6; n++) {
		for (const struct sb_plan *plan = sb_plans; plan->name; plan++) {
			struct sb_result result;
			const struct sb_phase *phase;
			double longest, sum = 0;

			plan_devices(&result, n, "preadv");
			result.devices[0].rotational = n % 2;
			assert_int_equal(sb_set_string(&result.options.plan, plan->name), 0);
			longest = sb_plan_longest(plan, &result);
			if (strcmp(plan->name, "surface") == 0) { /* how fast they are */
				assert_true(longest != longest);
				sb_result_free(&result);
				continue;
			}
			while ((phase = plan_step(plan->name, &result)))
				sum += phase->runtime_s;
			assert_true(sum <= longest);
			/* diagnose goes on as long as something is open */
			if (strcmp(plan->name, "diagnose") != 0)
				assert_true(longest <= 2 * sum + 3);
			result.options.size_bytes = 1;
			assert_true(sb_plan_longest(plan, &result) !=
				    sb_plan_longest(plan, &result)); /* NaN: by amount */
			sb_result_free(&result);
		}
	}
}

static void test_find(void **state)
{
	(void)state;
	assert_non_null(sb_plan_find("rounds"));
	assert_non_null(sb_plan_find("together"));
	assert_non_null(sb_plan_find("alone"));
	assert_null(sb_plan_find("round"));
	assert_null(sb_plan_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_together_and_alone),
		cmocka_unit_test(test_no_device_no_phase),
		cmocka_unit_test(test_lost_device_is_left_out),
		cmocka_unit_test(test_wishes_reach_the_jobs),
		cmocka_unit_test(test_block_is_whole_sectors),
		cmocka_unit_test(test_stop_at_end),
		cmocka_unit_test(test_runtimes),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests_name("plan: order", tests, NULL, NULL);
}
