#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/judge.h"
#include "satabench/units.h"

#define MB 1e6

static void near_to(double value, double want, double tolerance)
{
	if (!(fabs(value - want) <= tolerance))
		fail_msg("%.9f is not %.9f", value, want);
}

static void init(struct sb_result *result, size_t n_devices)
{
	sb_result_init(result);
	for (size_t i = 0; i < n_devices; i++) {
		struct sb_device *device = sb_result_add_device(result);
		char target[] = "/dev/x0";

		target[6] = (char)('0' + i);
		assert_int_equal(sb_set_string(&device->target, target), 0);
		device->state = SB_DEVICE_READY;
	}
}

/* One second at so many MB/s; NaN: it failed. */
static void add_job(struct sb_phase *phase, int device, double mb_s)
{
	struct sb_job *job = sb_phase_add_job(phase);

	assert_non_null(job);
	job->device = device;
	job->state = isnan(mb_s) ? SB_JOB_FAILED : SB_JOB_DONE;
	job->seconds = 1;
	job->bytes = isnan(mb_s) ? 5000000 : (uint64_t)(mb_s * MB);
	job->operations = job->bytes / 1000000;
}

static struct sb_phase *add_phase(struct sb_result *result, int kind, unsigned round)
{
	struct sb_phase *phase = sb_result_add_phase(result, kind, round, "test");

	assert_non_null(phase);
	phase->done = true;
	phase->window_start_ns = SB_NS_PER_SEC / 2;
	phase->window_end_ns = 3 * SB_NS_PER_SEC / 2;
	return phase;
}

static void add_alone(struct sb_result *result, int kind, unsigned round, int device, double mb_s)
{
	struct sb_phase *phase = add_phase(result, kind, round);

	add_job(phase, device, mb_s);
	sb_judge_phase(phase);
}

static void add_all(struct sb_result *result, unsigned round, const double *mb_s, size_t n)
{
	struct sb_phase *phase = add_phase(result, SB_PHASE_ALL, round);

	for (size_t i = 0; i < n; i++)
		add_job(phase, (int)i, mb_s[i]);
	sb_judge_phase(phase);
}

static void test_phase(void **state)
{
	struct sb_result result;
	struct sb_phase *phase;

	(void)state;
	init(&result, 2);
	phase = add_phase(&result, SB_PHASE_ALL, 1);
	add_job(phase, 0, 100);
	add_job(phase, 1, 50);
	phase->jobs[1].seconds = 0.5;
	sb_judge_phase(phase);
	near_to(phase->seconds, 1, 1e-12);
	near_to(phase->jobs[1].bytes_s, 100 * MB, 1e-3);
	near_to(phase->jobs[1].iops, 100, 1e-9);
	near_to(phase->bytes_s, 200 * MB, 1e-3);
	assert_true(isnan(phase->cpu.idle));
	/* nothing read: no value, not 0 */
	phase->jobs[0].bytes = 0;
	phase->window_end_ns = SB_NONE_U64;
	sb_judge_phase(phase);
	assert_true(isnan(phase->jobs[0].bytes_s) && isnan(phase->jobs[0].iops));
	assert_true(isnan(phase->seconds));
	near_to(phase->bytes_s, 100 * MB, 1e-3);
	phase->jobs[1].seconds = 0;
	sb_judge_phase(phase);
	assert_true(isnan(phase->bytes_s));
	sb_result_free(&result);
}

/* The worked example of the method, alone and together; expected values by its reference code. */
static const double alone[4][3] = {{100, 101, 99}, {98, 99, 98}, {110, 109, 111}, {90, 91, 90}};
static const double together[3][4] = {{75, 74, 109, 90}, {76, 74, 110, 89}, {74, 76, 110, 90}};

static void add_example(struct sb_result *result, double odd_b0)
{
	for (unsigned r = 1; r <= 3; r++) {
		for (int d = 0; d < 4; d++)
			add_alone(result, SB_PHASE_ALONE, r, d,
				  d == 2 && r == 2 ? odd_b0 : alone[d][r - 1]);
		add_all(result, r, together[r - 1], 4);
	}
}

static void check_loss(const struct sb_device *device, double loss, double low, double high)
{
	near_to(device->loss_percent, loss, 1e-6);
	near_to(device->loss_low_percent, low, 1e-6);
	near_to(device->loss_high_percent, high, 1e-6);
}

static void test_losses(void **state)
{
	struct sb_result result;

	(void)state;
	init(&result, 4);
	add_example(&result, alone[2][1]);
	/* in no figure */
	add_alone(&result, SB_PHASE_CALIBRATE, 1, 0, 500);
	add_alone(&result, SB_PHASE_ALONE, 4, 0, 500);
	result.phases[result.n_phases - 1].done = false;
	assert_int_equal(sb_judge_run(&result), 0);
	check_loss(&result.devices[0], 25.001944689, 23.948176935, 26.041111525);
	check_loss(&result.devices[1], 24.072943812, 22.485991808, 25.627405990);
	check_loss(&result.devices[2], 0.301206644, -1.322346824, 1.898744864);
	check_loss(&result.devices[3], 0.738034278, -0.986866955, 2.433473420);
	near_to(result.devices[0].alone_bytes_s, 99.9966665555495 * MB, 1);
	near_to(result.devices[2].all_bytes_s, cbrt(109.0 * 110 * 110) * MB, 1);
	near_to(result.alone_bytes_s, 398.657948430 * MB, 1);
	near_to(result.loss_percent, 100 * (1 - result.all_bytes_s / result.alone_bytes_s), 1e-9);
	assert_int_equal(result.n_marks, 0);
	assert_int_equal(sb_judge_status(&result), SB_EXIT_OK);
	sb_result_free(&result);
}

static void test_outlier_is_left_out_and_said(void **state)
{
	struct sb_result result;

	(void)state;
	init(&result, 4);
	add_example(&result, 70);
	assert_int_equal(sb_judge_run(&result), 0);
	check_loss(&result.devices[0], 25.001944689, 24.335923519, 25.662103313);
	check_loss(&result.devices[2], 0.904995990, -0.277012926, 2.073072050);
	near_to(result.devices[2].alone_bytes_s, 110.49886877249016 * MB, 1);
	assert_int_equal(result.n_marks, 1);
	assert_string_equal(result.marks[0].id, "outlier");
	assert_string_equal(result.marks[0].subject, "/dev/x2");
	assert_non_null(strstr(result.marks[0].message, "alone, round 2"));
	assert_int_equal(sb_judge_status(&result), SB_EXIT_TAINT);
	/* again: replaced, not added to */
	assert_int_equal(sb_judge_run(&result), 0);
	assert_int_equal(result.n_marks, 1);
	sb_result_free(&result);
}

static void test_one_round(void **state)
{
	const double all[2] = {80, 50};
	struct sb_result result;

	(void)state;
	init(&result, 3);
	assert_int_equal(sb_judge_run(&result), 0);
	assert_true(isnan(result.all_bytes_s) && isnan(result.devices[0].loss_percent));
	add_alone(&result, SB_PHASE_ALONE, 1, 0, 100);
	add_alone(&result, SB_PHASE_ALONE, 1, 2, 30);
	add_all(&result, 1, all, 2);
	assert_int_equal(sb_judge_run(&result), 0);
	near_to(result.devices[0].loss_percent, 20, 1e-9);
	assert_true(isnan(result.devices[0].loss_low_percent));
	assert_true(isnan(result.devices[1].alone_bytes_s));
	assert_true(isnan(result.devices[1].loss_percent));
	near_to(result.devices[1].all_bytes_s, 50 * MB, 1);
	/* sums of what there is, which are not over the same devices: no loss of all */
	near_to(result.alone_bytes_s, 130 * MB, 1);
	near_to(result.all_bytes_s, 130 * MB, 1);
	assert_true(isnan(result.loss_percent));
	sb_result_free(&result);
}

/* While one fails, the others' share of a controller is not comparable: such a round is for no
 * loss, but where there is no other the rate is shown. */
static void test_failed_device(void **state)
{
	const double broken[2] = {150, NAN}, whole[2] = {100, 100};
	struct sb_result result;

	(void)state;
	init(&result, 2);
	add_alone(&result, SB_PHASE_ALONE, 1, 0, 200);
	add_all(&result, 1, broken, 2);
	assert_int_equal(sb_judge_run(&result), 0);
	near_to(result.devices[0].all_bytes_s, 150 * MB, 1);
	near_to(result.devices[0].loss_percent, 25, 1e-9);
	assert_true(isnan(result.devices[0].loss_low_percent));
	assert_true(isnan(result.devices[1].all_bytes_s));
	assert_int_equal(sb_judge_status(&result), SB_EXIT_DEVICE);
	add_alone(&result, SB_PHASE_ALONE, 2, 0, 200);
	add_all(&result, 2, whole, 2);
	assert_int_equal(sb_judge_run(&result), 0);
	near_to(result.devices[0].all_bytes_s, 100 * MB, 1);
	near_to(result.devices[0].loss_percent, 50, 1e-9);
	sb_result_free(&result);
}

static void set_cpu(struct sb_phase *phase, uint64_t user)
{
	struct sb_cpu_counters *c = &phase->counters;

	c->valid = true;
	c->wall_ns = SB_NS_PER_SEC;
	c->ticks_per_second = 100;
	c->n_cpus = 2;
	c->cpus = calloc(2, sizeof(*c->cpus));
	assert_non_null(c->cpus);
	c->cpus[1].cpu = 1;
	for (int i = 0; i < 2; i++) {
		c->cpus[i].ticks.field[SB_CPU_USER] = user / 2;
		c->cpus[i].ticks.field[SB_CPU_IDLE] = 100 - user / 2;
	}
	c->total.field[SB_CPU_USER] = user;
	c->total.field[SB_CPU_IDLE] = 200 - user;
	sb_judge_phase(phase);
}

static void test_average_cpu(void **state)
{
	const double all[1] = {120};
	struct sb_result result;

	(void)state;
	init(&result, 1);
	add_alone(&result, SB_PHASE_ALONE, 1, 0, 120);
	set_cpu(&result.phases[0], 20);
	add_alone(&result, SB_PHASE_CALIBRATE, 0, 0, 120);
	set_cpu(&result.phases[1], 200);
	assert_int_equal(sb_judge_run(&result), 0);
	near_to(result.cpu.user, 10, 1e-9);
	assert_true(isnan(result.bytes_s_per_busy_cpu));
	/* together counts once it is there: 80 and 160 of 200 ticks */
	add_all(&result, 1, all, 1);
	set_cpu(&result.phases[2], 80);
	add_all(&result, 2, all, 1);
	set_cpu(&result.phases[3], 160);
	assert_int_equal(sb_judge_run(&result), 0);
	near_to(result.cpu.user, 60, 1e-9);
	near_to(result.cpu.busy_exact, 60, 1e-9);
	near_to(result.bytes_s_per_busy_cpu, 100 * MB, 1);
	sb_result_free(&result);
}

static void test_status(void **state)
{
	static const struct {
		int device, job, mark, want;
	} cases[] = {
		{SB_DEVICE_READY, SB_JOB_DONE, -1, SB_EXIT_OK},
		{SB_DEVICE_READY, SB_JOB_STOPPED, SB_MARK_NOTE, SB_EXIT_OK},
		{SB_DEVICE_READY, SB_JOB_DONE, SB_MARK_TAINT, SB_EXIT_TAINT},
		{SB_DEVICE_FAILED, SB_JOB_DONE, SB_MARK_TAINT, SB_EXIT_DEVICE},
		{SB_DEVICE_HUNG, SB_JOB_DONE, -1, SB_EXIT_DEVICE},
		{SB_DEVICE_VANISHED, SB_JOB_DONE, -1, SB_EXIT_DEVICE},
		{SB_DEVICE_READY, SB_JOB_FAILED, -1, SB_EXIT_DEVICE},
		{SB_DEVICE_READY, SB_JOB_HUNG, SB_MARK_TAINT, SB_EXIT_DEVICE},
		{SB_DEVICE_READY, SB_JOB_VANISHED, -1, SB_EXIT_DEVICE},
	};

	(void)state;
	for (size_t i = 0; i < SB_COUNT(cases); i++) {
		struct sb_result result;

		init(&result, 1);
		add_alone(&result, SB_PHASE_ALONE, 1, 0, 1);
		result.devices[0].state = cases[i].device;
		result.phases[0].jobs[0].state = cases[i].job;
		if (cases[i].mark >= 0)
			sb_result_add_mark(&result, cases[i].mark, "x", NULL, NAN, NAN, "x");
		assert_int_equal(sb_judge_status(&result), cases[i].want);
		sb_result_free(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_phase),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_outlier_is_left_out_and_said),
		cmocka_unit_test(test_one_round),
		cmocka_unit_test(test_failed_device),
		cmocka_unit_test(test_average_cpu),
		cmocka_unit_test(test_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
