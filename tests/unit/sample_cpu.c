#include "stat_data.h"

#include <errno.h>

static const char *const names[SB_CPU_FIELDS] = {"user",   "nice",	"system",  "idle",
						 "iowait", "irq",	"softirq", "steal",
						 "guest",  "guest_nice"};

static uint64_t sum_of_lines(const struct sb_cpu_reading *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->n_cpus; i++)
		for (int f = 0; f < SB_CPU_FIELDS; f++)
			sum += r->cpus[i].ticks.field[f];
	return sum;
}

static void check_total(const struct sb_cpu_reading *r, const char *expected, const char *path)
{
	uint64_t want[SB_CPU_FIELDS] = {0}, sum = 0, got = 0;

	for (int i = 0; i < SB_CPU_FIELDS; i++) {
		char number[32];

		if (find_text(strstr(expected, "total_line"), names[i], number))
			want[i] = strtoull(number, NULL, 10);
		sum += want[i];
		got += r->total.field[i];
	}
	/* a total of zeros must not be believed: the CPU lines' sum stands in */
	if (sum == 0 && sum_of_lines(r)) {
		assert_int_equal(got, sum_of_lines(r));
		return;
	}
	for (int i = 0; i < SB_CPU_FIELDS; i++)
		if (r->total.field[i] != want[i])
			fail_msg("%s: %s is %llu", path, names[i],
				 (unsigned long long)r->total.field[i]);
}

static void check_sample(const char *path)
{
	SB_AUTO_FREE char *expected = read_expected(path, ".stat");
	struct sb_cpu_reading r = {0};
	size_t length;
	SB_AUTO_FREE char *text = sb_read_all(path, &length);
	char number[32];
	int rc;

	if (!expected)
		return; /* one of a pair */
	assert_non_null(text);
	rc = sb_cpu_parse(text, length, &r);
	if (!strstr(expected, "total_line")) {
		assert_int_equal(rc, -ENODATA);
		return;
	}
	assert_int_equal(rc, 0);
	check_total(&r, expected, path);
	assert_true(find_text(expected, "cpu_lines", number));
	if (r.n_cpus != strtoull(number, NULL, 10))
		fail_msg("%s: %zu CPUs", path, r.n_cpus);
	for (size_t i = 1; i < r.n_cpus; i++)
		assert_true(r.cpus[i - 1].cpu < r.cpus[i].cpu);
	sb_cpu_reading_free(&r);
}

static void check_folder(const char *folder)
{
	glob_t found;

	find_data(folder, "*.stat", &found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_sample(found.gl_pathv[i]);
	globfree(&found);
}

static void test_shipped_samples(void **state)
{
	(void)state;
	check_folder(SHIPPED_DATA);
}

static void test_corpus(void **state)
{
	(void)state;
	check_folder(CORPUS_DATA);
}

static int parse(const char *text, struct sb_cpu_reading *r)
{
	return sb_cpu_parse(text, strlen(text), r);
}

static void test_bad_texts(void **state)
{
	static const char *const bad[] = {"",
					  "\n",
					  "cpu",
					  "cpu ",
					  "cpu  1 2 3\n",
					  "cpu  a b c d\n",
					  "cpu0 1 2 3 4\n",
					  "cpu  -1 2 3 4\n",
					  "xcpu  1 2 3 4\n",
					  "cpu  99999999999999999999 1 2 3\n",
					  "intr 5\n"};
	struct sb_cpu_reading r = {0};

	(void)state;
	for (size_t i = 0; i < SB_COUNT(bad); i++)
		if (parse(bad[i], &r) != -ENODATA)
			fail_msg("'%s' was taken", bad[i]);
	sb_cpu_reading_free(&r);
}

static void test_odd_lines_are_left_out(void **state)
{
	struct sb_cpu_reading r = {0};

	(void)state;
	assert_int_equal(parse("cpu  1 2 3 4 18446744073709551615 18446744073709551616\n"
			       "cpu9 1 2 3 4\ncpux 1 2 3 4\ncpu5 1 2\n"
			       "cpu99999999999 1 2 3 4\ncpu2 5 6 7 8\ncpu9 9 9 9 9\n",
			       &r),
			 0);
	assert_true(r.total.field[SB_CPU_IOWAIT] == UINT64_MAX);
	assert_int_equal(r.total.field[SB_CPU_IRQ], 0);
	assert_int_equal(r.n_cpus, 2);
	assert_int_equal(r.cpus[0].cpu, 2);
	assert_int_equal(r.cpus[1].cpu, 9);
	assert_int_equal(r.cpus[1].ticks.field[SB_CPU_USER], 1);
	/* a second reading into the same place forgets the first */
	assert_int_equal(parse("cpu  1 2 3 4\n", &r), 0);
	assert_int_equal(r.n_cpus, 0);
	sb_cpu_reading_free(&r);
}

static void test_delta_steps_back_and_cpu_leaves(void **state)
{
	struct sb_cpu_reading a = {.time_ns = 5}, b = {.time_ns = 9};
	struct sb_cpu_counters d = {0};

	(void)state;
	assert_int_equal(parse("cpu  30 0 0 300 50\ncpu0 10 0 0 100 20\ncpu1 10 0 0 100 10\n"
			       "cpu3 10 0 0 100 20\n",
			       &a),
			 0);
	assert_int_equal(parse("cpu  36 0 0 350 47\ncpu0 13 0 0 120 17\ncpu3 13 0 0 130 30\n"
			       "cpu4 1 0 0 1 1\n",
			       &b),
			 0);
	assert_int_equal(sb_cpu_delta(&a, &b, &d), 0);
	assert_int_equal(d.wall_ns, 4);
	assert_int_equal(d.total.field[SB_CPU_USER], 6);
	assert_int_equal(d.total.field[SB_CPU_IOWAIT], 0);
	assert_int_equal(d.total_back.field[SB_CPU_IOWAIT], 3);
	assert_int_equal(d.n_cpus, 2);
	assert_int_equal(d.cpus_changed, 2);
	assert_int_equal(d.cpus[0].cpu, 0);
	assert_int_equal(d.cpus[0].ticks.field[SB_CPU_IOWAIT], 0);
	assert_int_equal(d.cpus[1].cpu, 3);
	assert_int_equal(d.cpus[1].ticks.field[SB_CPU_IDLE], 30);
	free(d.cpus);
	sb_cpu_reading_free(&a);
	sb_cpu_reading_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shipped_samples),
		cmocka_unit_test(test_corpus),
		cmocka_unit_test(test_bad_texts),
		cmocka_unit_test(test_odd_lines_are_left_out),
		cmocka_unit_test(test_delta_steps_back_and_cpu_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
