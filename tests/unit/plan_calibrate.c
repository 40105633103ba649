/* The queue depth that calibrating settles at, for made devices. */
#include <math.h>

#include "plan_data.h"

/* MB/s of a made device at a depth. */
typedef double speed_fn(uint64_t depth);

static double flat(uint64_t depth)
{
	(void)depth;
	return 500;
}

/* Full from depth 4 on. */
static double full_at_four(uint64_t depth)
{
	return depth >= 4 ? 400 : 100.0 * (double)depth;
}

/* Each doubling gives 2 %: not worth its latency. */
static double creeping(uint64_t depth)
{
	return 300 * pow(1.02, log2((double)depth));
}

static double endless(uint64_t depth)
{
	return 10.0 * (double)depth;
}

/* Falls after depth 2, as some drives do. */
static double falling(uint64_t depth)
{
	return depth == 1 ? 200 : depth == 2 ? 300 : 150;
}

/* Behind a throttle of 100 whose timer costs a tenth where one read at a time waits for it. What it
 * saved up at rest, a tenth of a second's worth, comes first: 40 more in the first reading. */
static double throttled_saved;

static double throttled(uint64_t depth)
{
	double saved = throttled_saved;

	throttled_saved = 0;
	return (depth == 1 ? 90 : 100) + saved / 0.25;
}

static double none(uint64_t depth)
{
	(void)depth;
	return NAN;
}

/* Runs calibrating phases until another comes; number of them. That other is not marked done. */
static size_t calibrate(struct sb_result *result, speed_fn *speed, const char *plan)
{
	struct sb_phase *phase;
	size_t n = 0;

	while ((phase = plan_step(plan, result)) && phase->kind == SB_PHASE_CALIBRATE) {
		assert_int_equal(phase->n_jobs, 1);
		assert_true(phase->runtime_s > 0 && phase->runtime_s < 1);
		assert_int_equal(phase->jobs[0].limit_bytes, 0);
		phase->bytes_s = phase->jobs[0].bytes_s = speed(phase->jobs[0].depth) * 1e6;
		assert_in_range(++n, 1, 100);
	}
	assert_non_null(phase);
	return n;
}

static void check(speed_fn *speed, uint64_t want)
{
	struct sb_result result;

	plan_devices(&result, 1, "io_uring");
	throttled_saved = 10;
	calibrate(&result, speed, "rounds");
	assert_int_equal(result.devices[0].depth, want);
	assert_int_equal(result.phases[result.n_phases - 1].jobs[0].depth, want);
	sb_result_free(&result);
}

static void test_settles_at_the_least(void **state)
{
	(void)state;
	check(flat, 1);
	check(throttled, 2);
	check(full_at_four, 4);
	check(creeping, 1);
	check(endless, 32);
	check(falling, 2);
}

/* Without a rate there is nothing to choose by: some depth is taken, and it ends. */
static void test_no_rate(void **state)
{
	struct sb_result result;

	(void)state;
	plan_devices(&result, 1, "io_uring");
	assert_in_range(calibrate(&result, none, "alone"), 1, 7);
	assert_int_not_equal(result.devices[0].depth, 0);
	sb_result_free(&result);
}

static void test_random_reads_go_deeper(void **state)
{
	struct sb_result result;

	(void)state;
	plan_devices(&result, 1, "io_uring");
	assert_int_equal(sb_set_string(&result.options.workload, "randread"), 0);
	assert_int_equal(calibrate(&result, endless, "rounds"), 10); /* one before, 1, 2 ... 256 */
	assert_int_equal(result.devices[0].depth, 256);
	sb_result_free(&result);
}

/* One of each kind is tried; the others of the kind take its depth. */
static void test_alike_devices(void **state)
{
	struct sb_result result;

	(void)state;
	plan_devices(&result, 4, "io_uring");
	result.devices[3].size_bytes = 7 * GB;
	assert_int_equal(calibrate(&result, full_at_four, "rounds"),
			 10); /* one before, 1, 2, 4, 8 */
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(result.phases[i].jobs[0].device, i < 5 ? 0 : 3);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(result.devices[i].depth, 4);
	sb_result_free(&result);
}

static void test_where_it_is_not_wanted(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++) {
		struct sb_result result;

		plan_devices(&result, 2, i == 0 ? "preadv" : i == 1 ? "null" : "io_uring");
		if (i == 2)
			result.options.depth = 16;
		result.devices[0].rotational = result.devices[1].rotational = i == 3;
		assert_int_equal(calibrate(&result, flat, i == 4 ? "together" : "rounds"), 0);
		assert_int_equal(result.phases[0].jobs[0].depth, i == 0 ? 1 : i == 2 ? 16 : 4);
		sb_result_free(&result);
	}
}

/* It hangs in its second reading: the next of its kind is tried instead, from the beginning. */
static void test_device_lost_while_calibrating(void **state)
{
	struct sb_result result;
	struct sb_phase *phase;

	(void)state;
	plan_devices(&result, 2, "io_uring");
	plan_step("rounds", &result)->bytes_s = 100e6;
	phase = plan_step("rounds", &result);
	assert_int_equal(phase->jobs[0].device, 0);
	result.devices[0].state = SB_DEVICE_HUNG;
	assert_int_equal(calibrate(&result, flat, "rounds"), 3);
	assert_int_equal(result.devices[1].depth, 1);
	assert_int_equal(result.phases[result.n_phases - 1].jobs[0].device, 1);
	sb_result_free(&result);
}

/* The time that is said beforehand has room for the readings of each kind. */
static void test_longest(void **state)
{
	const struct sb_plan *plan = sb_plan_find("diagnose");
	struct sb_result result;
	double without, with;

	(void)state;
	for (int kinds = 1; kinds <= 2; kinds++) {
		plan_devices(&result, 4, "io_uring");
		result.devices[3].size_bytes = kinds == 1 ? 100 * GB : 7 * GB;
		with = sb_plan_longest(plan, &result);
		result.options.depth = 1;
		without = sb_plan_longest(plan, &result);
		result.options.depth = 0;
		assert_int_equal(calibrate(&result, endless, "diagnose"), 7 * kinds);
		assert_true(fabs(with - without - 7 * kinds * 0.45) < 1e-9);
		sb_result_free(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settles_at_the_least),
		cmocka_unit_test(test_no_rate),
		cmocka_unit_test(test_random_reads_go_deeper),
		cmocka_unit_test(test_alike_devices),
		cmocka_unit_test(test_where_it_is_not_wanted),
		cmocka_unit_test(test_device_lost_while_calibrating),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests_name("plan: calibrate", tests, NULL, NULL);
}
