#include "stat_data.h"

#include <math.h>

#include "satabench/clock.h"
#include "satabench/judge.h"

#define TICK_NS 10000000ULL

static void near_to(double value, double want, double tolerance)
{
	if (!(fabs(value - want) <= tolerance))
		fail_msg("%.6f is not %.6f", value, want);
}

static struct sb_cpu_counters counters(const struct sb_cpu_ticks *total, struct sb_cpu_line *cpus,
				       size_t n, uint64_t wall_ticks)
{
	return (struct sb_cpu_counters){.valid = true,
					.wall_ns = wall_ticks * TICK_NS,
					.total = *total,
					.cpus = cpus,
					.n_cpus = n,
					.cgroup_ns = UINT64_MAX,
					.ticks_per_second = 100};
}

/* The vector of the design: 10000 ticks, four CPUs, 2500 each. */
static void test_vector(void **state)
{
	struct sb_cpu_line cpus[4] = {
		{0, {{0, 0, 0, 2500}}},
		{1, {{100, 0, 900, 250, 500, 50, 450, 0}}},
		{2, {{400, 0, 100, 1800, 200}}},
		{5, {{0, 0, 0, 2450, 0}}},
	};
	struct sb_cpu_ticks total = {{500, 0, 1000, 7000, 1000, 50, 450, 0, 300, 0}};
	struct sb_cpu_counters c = counters(&total, cpus, 4, 2500);
	struct sb_cpu_figures f;

	(void)state;
	c.own_ns = 2500 * TICK_NS;
	sb_judge_cpu(&c, &f);
	near_to(f.user, 5, 1e-9);
	near_to(f.nice, 0, 1e-9);
	near_to(f.system, 15, 1e-9);
	near_to(f.iowait, 10, 1e-9);
	near_to(f.steal, 0, 1e-9);
	near_to(f.idle, 70, 1e-9);
	near_to(f.busy_exact, 20, 1e-9);
	assert_int_equal(f.busiest_cpu, 1);
	near_to(f.busiest_busy, 70, 1e-9);
	near_to(f.busiest_system, 100 * 1400 / 2250.0, 1e-9);
	near_to(f.busiest_softirq, 20, 1e-9);
	near_to(f.own_percent, 25, 1e-9);
}

/* Work that sleeps at each tick is seen by no tick, but the rest is missing all the same. */
static void test_busy_exact_in_step_with_the_tick(void **state)
{
	struct sb_cpu_line cpus[1] = {{0, {{0, 0, 0, 600}}}};
	struct sb_cpu_counters c = counters(&cpus[0].ticks, cpus, 1, 1000);
	struct sb_cpu_figures f;

	(void)state;
	sb_judge_cpu(&c, &f);
	near_to(f.idle, 100, 1e-9);
	near_to(f.busy_exact, 40, 1e-9);
	near_to(f.busiest_busy, 40, 1e-9);
}

static void test_no_value(void **state)
{
	struct sb_cpu_ticks total = {{10, 0, 10, 80}}, none = {{0}};
	struct sb_cpu_counters c = counters(&total, NULL, 0, 100);
	struct sb_cpu_figures f;

	(void)state;
	sb_judge_cpu(&c, &f); /* no CPU lines: only the six */
	near_to(f.idle, 80, 1e-9);
	assert_true(isnan(f.busy_exact) && isnan(f.own_percent) && f.busiest_cpu == -1);
	c.valid = false;
	sb_judge_cpu(&c, &f);
	assert_true(isnan(f.user) && isnan(f.idle) && isnan(f.busy_exact));
	c = counters(&none, NULL, 0, 0);
	sb_judge_cpu(&c, &f);
	assert_true(isnan(f.user) && isnan(f.idle));
}

/* Taking a CPU off line makes the idle time of all jump by hours. */
static void test_hotplug_does_not_make_rest(void **state)
{
	struct sb_cpu_line cpus[2] = {{0, {{50, 0, 0, 50}}}, {1, {{50, 0, 0, 50}}}};
	struct sb_cpu_ticks total = {{100, 0, 0, 2660328}};
	struct sb_cpu_counters c = counters(&total, cpus, 2, 100);
	struct sb_cpu_figures f;

	(void)state;
	c.cpus_changed = 1;
	sb_judge_cpu(&c, &f);
	near_to(f.busy_exact, 50, 1e-9);
	c.cpus_changed = 0;
	sb_judge_cpu(&c, &f);
	assert_true(isnan(f.busy_exact));
}

static void check_pair(const char *first)
{
	static const char *const keys[] = {"user",   "nice",  "system_incl_irq",
					   "iowait", "steal", "idle"};
	static const char suffix[] = ".1.stat";
	int stem = (int)(strlen(first) - strlen(suffix));
	SB_AUTO_FREE char *second = NULL;
	SB_AUTO_FREE char *expected = read_expected(first, suffix);
	struct sb_cpu_reading a = {0}, b = {.time_ns = 1};
	struct sb_cpu_counters c = {.valid = true};
	struct sb_cpu_figures f;
	double got[6];

	second = first ? sb_format("%.*s.2.stat", stem, first) : NULL;
	assert_non_null(second);
	assert_non_null(expected);
	parse_file(first, &a);
	parse_file(second, &b);
	assert_int_equal(sb_cpu_delta(&a, &b, &c), 0);
	sb_judge_cpu(&c, &f);
	got[0] = f.user, got[1] = f.nice, got[2] = f.system;
	got[3] = f.iowait, got[4] = f.steal, got[5] = f.idle;
	for (int i = 0; i < 6; i++) {
		char number[32];

		assert_true(find_text(strstr(expected, "\"percent\""), keys[i], number));
		if (!(fabs(got[i] - atof(number)) <= 0.0051))
			fail_msg("%s: %s is %.4f, not %s", first, keys[i], got[i], number);
	}
	free(c.cpus);
	sb_cpu_reading_free(&a);
	sb_cpu_reading_free(&b);
}

static void check_pairs(const char *folder)
{
	glob_t found;

	find_data(folder, "pair-*.1.stat", &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_pair(found.gl_pathv[i]);
	globfree(&found);
}

static void test_shipped_pairs(void **state)
{
	(void)state;
	check_pairs(SHIPPED_DATA);
}

static void test_corpus_pairs(void **state)
{
	(void)state;
	check_pairs(CORPUS_DATA);
}

static void test_add(void **state)
{
	struct sb_cpu_line one[3] = {
		{0, {{10, 0, 0, 90}}}, {1, {{0, 0, 0, 100}}}, {4, {{50, 0, 0, 50}}}};
	struct sb_cpu_line two[2] = {{1, {{30, 0, 0, 70}}}, {4, {{20, 0, 0, 80}}}};
	struct sb_cpu_ticks total = {{60, 0, 0, 240}}, total2 = {{50, 0, 0, 150}};
	struct sb_cpu_counters a = counters(&total, one, 3, 100),
			       b = counters(&total2, two, 2, 100);
	struct sb_cpu_counters sum = {0}, none = {0};

	(void)state;
	a.cgroup_ns = b.cgroup_ns = 7;
	a.own_ns = b.own_ns = 3;
	assert_int_equal(sb_judge_cpu_add(&sum, &none), 0);
	assert_false(sum.valid);
	assert_int_equal(sb_judge_cpu_add(&sum, &a), 0);
	assert_int_equal(sum.n_cpus, 3);
	assert_ptr_not_equal(sum.cpus, one);
	assert_int_equal(sb_judge_cpu_add(&sum, &b), 0);
	assert_int_equal(sb_judge_cpu_add(&sum, &none), 0);
	assert_int_equal(sum.wall_ns, 200 * TICK_NS);
	assert_int_equal(sum.total.field[SB_CPU_IDLE], 390);
	assert_int_equal(sum.own_ns, 6);
	assert_int_equal(sum.cgroup_ns, 14);
	assert_int_equal(sum.n_cpus, 2);
	assert_int_equal(sum.cpus_changed, 1);
	assert_int_equal(sum.cpus[1].cpu, 4);
	assert_int_equal(sum.cpus[1].ticks.field[SB_CPU_USER], 70);
	b.cgroup_ns = UINT64_MAX;
	assert_int_equal(sb_judge_cpu_add(&sum, &b), 0);
	assert_true(sum.cgroup_ns == UINT64_MAX);
	free(sum.cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vector),
		cmocka_unit_test(test_busy_exact_in_step_with_the_tick),
		cmocka_unit_test(test_no_value),
		cmocka_unit_test(test_hotplug_does_not_make_rest),
		cmocka_unit_test(test_shipped_pairs),
		cmocka_unit_test(test_corpus_pairs),
		cmocka_unit_test(test_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
