/* The sampler thread and the device counters. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/sample.h"
#include "satabench/units.h"

#define MS 1000000ULL

static int memory_file(const char *text)
{
	int fd = memfd_create("stat", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void test_disk_counters(void **state)
{
	static const char *const bad[] = {"", "\n", "1 2 3 4\n", "a b c d e f g h i j k\n",
					  "1 2 36028797018963968 4 5 6 7 8 9 10 11\n"};
	struct sb_disk_reading r;
	int fd;

	(void)state;
	fd = memory_file(" 9 8 70 6 5 4 30 2 0 11 22 0 0 0 0 0 0\n");
	assert_int_equal(sb_disk_read(fd, &r), 0);
	assert_int_equal(r.read_operations, 9);
	assert_int_equal(r.read_bytes, 70 * 512);
	assert_int_equal(r.write_bytes, 30 * 512);
	assert_int_equal(r.busy_ms, 11);
	/* again from the beginning */
	assert_int_equal(sb_disk_read(fd, &r), 0);
	close(fd);
	for (size_t i = 0; i < SB_COUNT(bad); i++) {
		fd = memory_file(bad[i]);
		assert_int_equal(sb_disk_read(fd, &r), -ENODATA);
		close(fd);
	}
	assert_int_equal(sb_disk_read(-1, &r), -EBADF);
}

static void test_rows(void **state)
{
	struct sb_series *series = sb_series_create(2);
	struct sb_live *live = aligned_alloc(_Alignof(struct sb_live), 2 * sizeof(*live));
	const struct sb_live *lives[2] = {&live[0], &live[1]};
	int fds[2] = {memory_file("1 0 4 0 0 0 0 0 0 0 0\n"), -1};
	struct sb_sampler *sampler;
	const struct sb_row *first, *last;
	uint64_t before, deadline;
	size_t count;

	(void)state;
	memset(live, 0, 2 * sizeof(*live));
	assert_int_equal(sb_sampler_create(&sampler), 0);
	before = sb_now_ns();
	assert_int_equal(sb_sampler_start(sampler, series, lives, fds, 2), 0);
	/* the row at the gate is there at once */
	assert_int_equal(sb_series_count(series), 1);
	deadline = before + 550 * MS;
	while (sb_now_ns() < deadline)
		atomic_fetch_add_explicit(&live[1].bytes, 1, memory_order_relaxed);
	sb_sampler_stop(sampler);
	count = sb_series_count(series);
	/* the gate, five on the grid, and the last; fewer where the machine is hard pressed */
	assert_in_range(count, 3, 7);
	first = sb_series_row(series, 0);
	last = sb_series_row(series, count - 1);
	assert_in_range(first->time_ns, before, before + 500 * MS);
	assert_int_equal(first->job_bytes[1], 0);
	assert_int_equal(first->device_bytes[0], 4 * 512);
	assert_true(first->device_bytes[1] == SB_NONE_U64);
	assert_int_equal(first->has_cpu, 1);
	assert_true(last->time_ns >= deadline);
	assert_int_equal(last->job_bytes[1], atomic_load(&live[1].bytes));
	assert_true(last->total.field[SB_CPU_USER] > first->total.field[SB_CPU_USER]);
	for (size_t i = 1; i + 1 < count; i++) {
		const struct sb_row *row = sb_series_row(series, i);

		assert_true(row->time_ns > sb_series_row(series, i - 1)->time_ns);
		assert_true(row->job_bytes[1] >= sb_series_row(series, i - 1)->job_bytes[1]);
	}
	/* parked: nothing is added any more */
	usleep(250000);
	assert_int_equal(sb_series_count(series), count);
	sb_sampler_destroy(sampler);
	sb_series_destroy(series);
	free(live);
	close(fds[0]);
}

static void test_starts_and_stops_at_once(void **state)
{
	struct sb_sampler *sampler;
	uint64_t least = UINT64_MAX;

	(void)state;
	assert_int_equal(sb_sampler_create(&sampler), 0);
	for (int i = 0; i < 50; i++) {
		struct sb_series *series = sb_series_create(0);
		uint64_t asked;

		assert_int_equal(sb_sampler_start(sampler, series, NULL, NULL, 0), 0);
		if (i % 2)
			usleep(1000);
		asked = sb_now_ns();
		sb_sampler_stop(sampler);
		sb_sampler_stop(sampler);
		if (sb_now_ns() - asked < least)
			least = sb_now_ns() - asked;
		assert_int_equal(sb_series_count(series), 2);
		sb_series_destroy(series);
	}
	/* not at the next tenth of a second: one of fifty shows it on a busy machine, too */
	assert_true(least < 20 * MS);
	sb_sampler_destroy(sampler);
}

static void test_ends_while_running(void **state)
{
	struct sb_series *series = sb_series_create(0);
	struct sb_sampler *sampler;

	(void)state;
	assert_int_equal(sb_sampler_create(&sampler), 0);
	assert_int_equal(sb_sampler_start(sampler, series, NULL, NULL, 0), 0);
	sb_sampler_destroy(sampler);
	sb_series_destroy(series);
}

static void test_snapshots(void **state)
{
	struct sb_snapshot a = {0}, b = {0};
	struct sb_cpu_counters d = {0};
	struct sb_sampler *sampler;
	uint64_t until = sb_now_ns() + 300 * MS;

	(void)state;
	assert_int_equal(sb_sampler_create(&sampler), 0);
	assert_int_equal(sb_sampler_snapshot(sampler, &a), 0);
	while (sb_now_ns() < until)
		;
	assert_int_equal(sb_sampler_snapshot(sampler, &b), 0);
	assert_int_equal(sb_snapshot_delta(&a, &b, &d), 0);
	assert_true(d.valid);
	assert_in_range(d.wall_ns, 250 * MS, 10000 * MS);
	assert_in_range(d.own_ns, 10 * MS, 10000 * MS);
	assert_true(d.n_cpus > 0 && d.n_cpus == a.cpu.n_cpus);
	assert_int_equal(d.ticks_per_second, sysconf(_SC_CLK_TCK));
	/* what we used, all CPUs used at least */
	if (d.cgroup_ns != SB_NONE_U64)
		assert_true(d.cgroup_ns + 30 * MS >= d.own_ns);
	free(d.cpus);
	sb_snapshot_free(&a);
	sb_snapshot_free(&b);
	sb_sampler_destroy(sampler);
	sb_sampler_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disk_counters),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_starts_and_stops_at_once),
		cmocka_unit_test(test_ends_while_running),
		cmocka_unit_test(test_snapshots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
