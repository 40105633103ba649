#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/clock.h"
#include "satabench/judge.h"
#include "satabench/units.h"

#define MS 1000000ULL
#define GATE (1000 * SB_NS_PER_SEC) /* absolute, as the sampler writes it */

static void near_to(double value, double want)
{
	if (!(fabs(value - want) <= 1e-6 * fabs(want) + 1e-9))
		fail_msg("%.9f is not %.9f", value, want);
}

static void add_row(struct sb_series *series, uint64_t since_gate_ns, uint64_t bytes,
		    uint64_t bytes2, const struct sb_cpu_ticks *ticks)
{
	struct sb_row *row = sb_series_next(series);

	assert_non_null(row);
	row->time_ns = GATE + since_gate_ns;
	row->job_bytes[0] = bytes;
	row->job_bytes[1] = bytes2;
	row->has_cpu = ticks != NULL;
	if (ticks)
		row->total = *ticks;
	sb_series_commit(series);
}

static void init_phase(struct sb_phase *phase, double runtime_s)
{
	*phase = (struct sb_phase){.kind = SB_PHASE_ALL,
				   .runtime_s = runtime_s,
				   .window_start_ns = SB_NONE_U64,
				   .window_end_ns = SB_NONE_U64};
	assert_non_null(sb_phase_add_job(phase));
	assert_non_null(sb_phase_add_job(phase));
}

static void test_boundaries_between_rows(void **state)
{
	struct sb_series *series = sb_series_create(2);
	struct sb_cpu_ticks c0 = {{0}}, c1 = {{10, 0, 10, 80}}, c2 = {{60, 0, 60, 80}};
	struct sb_phase phase;

	(void)state;
	init_phase(&phase, 2);
	/* 100 bytes/ms, then 300; the window begins and ends between rows */
	add_row(series, 0, 0, 0, &c0);
	add_row(series, 100 * MS, 10000, 5, &c1);
	add_row(series, 200 * MS, 40000, 4, &c2);
	phase.window_start_ns = 50 * MS;
	phase.window_end_ns = 200 * MS;
	assert_int_equal(sb_judge_intervals(&phase, series, true), 0);
	assert_int_equal(phase.n_intervals, 2);
	near_to(phase.intervals[0].seconds, 0.1);
	near_to(phase.intervals[0].bytes_s[0], (5000 + 15000) / 0.1);
	near_to(phase.intervals[1].seconds, 0.15);
	near_to(phase.intervals[1].bytes_s[0], 15000 / 0.05);
	/* a counter that goes back gives no value */
	assert_true(isnan(phase.intervals[1].bytes_s[1]));
	/* half of the first row's ticks and half of the second's */
	near_to(phase.intervals[0].cpu.user, 100 * (5 + 25) / (50.0 + 50.0));
	near_to(phase.intervals[0].cpu.idle, 40);
	near_to(phase.intervals[1].cpu.idle, 0);
	/* once more changes nothing */
	assert_int_equal(sb_judge_intervals(&phase, series, true), 0);
	assert_int_equal(phase.n_intervals, 2);
	sb_phase_free(&phase);
	sb_series_destroy(series);
}

/* Bytes and CPU time of a jagged load; every row, or above 64 CPUs each tenth, has CPU time. */
static void add_jagged(struct sb_series *series, uint64_t i, unsigned cpu_every)
{
	struct sb_cpu_ticks ticks = {{7 * i + i % 3, 0, 2 * i, 11 * i}};
	uint64_t jitter = i ? (i * 7919) % 13 * MS : 0;

	add_row(series, i * 100 * MS + jitter, i * 1000000 + i % 5 * 300000, i * i,
		i % cpu_every ? NULL : &ticks);
}

static void same_intervals(const struct sb_phase *a, const struct sb_phase *b)
{
	assert_int_equal(a->n_intervals, b->n_intervals);
	for (size_t i = 0; i < a->n_intervals; i++) {
		assert_true(a->intervals[i].seconds == b->intervals[i].seconds);
		assert_memory_equal(a->intervals[i].bytes_s, b->intervals[i].bytes_s,
				    2 * sizeof(double));
		assert_true(a->intervals[i].cpu.user == b->intervals[i].cpu.user);
		assert_true(a->intervals[i].cpu.idle == b->intervals[i].cpu.idle);
	}
}

/* Returns how many rows there were before the end was known. */
static size_t often_against_once(double runtime_s, uint64_t limit_bytes, uint64_t end_ms,
				 unsigned cpu_every, size_t want)
{
	struct sb_series *series = sb_series_create(2);
	struct sb_phase often, once;
	unsigned n = (unsigned)(end_ms / 100 + 1);
	size_t live;

	init_phase(&often, runtime_s);
	init_phase(&once, runtime_s);
	for (int i = 0; i < 2; i++)
		often.jobs[i].limit_bytes = once.jobs[i].limit_bytes = limit_bytes;
	for (unsigned i = 0; i < n; i++) {
		add_jagged(series, i, cpu_every);
		if (i == 2)
			often.window_start_ns = 130 * MS;
		assert_int_equal(sb_judge_intervals(&often, series, false), 0);
	}
	live = often.n_intervals;
	/* the sampler's last row */
	add_jagged(series, n + (cpu_every - n % cpu_every) % cpu_every, cpu_every);
	once.window_start_ns = 130 * MS;
	often.window_end_ns = once.window_end_ns = end_ms * MS;
	assert_int_equal(sb_judge_intervals(&often, series, true), 0);
	assert_int_equal(sb_judge_intervals(&once, series, true), 0);
	same_intervals(&often, &once);
	assert_int_equal(once.n_intervals, want);
	sb_phase_free(&often);
	sb_phase_free(&once);
	sb_series_destroy(series);
	return live;
}

static void test_often_is_as_once(void **state)
{
	(void)state;
	/* 2 s: rows of 0.1 s; 10 s: of 0.5 s; from 20 s on: of 1 s */
	assert_in_range(often_against_once(2, 0, 2130, 1, 20), 15, 19);
	assert_in_range(often_against_once(10, 0, 10130, 1, 20), 18, 20);
	assert_in_range(often_against_once(30, 0, 30130, 1, 30), 28, 30);
	assert_in_range(often_against_once(30, 0, 30130, 10, 30), 27, 29);
	/* stopped by hand after 3.27 s of 30: 0.27 s are no row of their own */
	assert_in_range(often_against_once(30, 0, 3400, 1, 3), 2, 3);
	assert_in_range(often_against_once(30, 0, 3900, 1, 4), 2, 3);
	/* by amount: the length is not known, so nothing is certain before 20 s */
	assert_int_equal(often_against_once(2, 1 << 20, 10130, 1, 20), 0);
	assert_in_range(often_against_once(2, 1 << 20, 30130, 1, 30), 28, 30);
}

static void test_not_certain_yet(void **state)
{
	struct sb_series *series = sb_series_create(2);
	struct sb_phase phase;

	(void)state;
	init_phase(&phase, 2);
	assert_int_equal(sb_judge_intervals(&phase, series, false), 0);
	assert_int_equal(sb_judge_intervals(&phase, series, true), 0);
	for (uint64_t i = 0; i < 10; i++)
		add_row(series, i * 100 * MS, i * 100, i * 100, NULL);
	/* the window has not begun */
	assert_int_equal(sb_judge_intervals(&phase, series, false), 0);
	assert_int_equal(phase.n_intervals, 0);
	phase.window_start_ns = 100 * MS;
	assert_int_equal(sb_judge_intervals(&phase, series, false), 0);
	/* 0.9 s are there, the last quarter second is not certain */
	assert_int_equal(phase.n_intervals, 5);
	/* a worker has ended: no row reaches past that, whatever was made before */
	phase.window_end_ns = 390 * MS;
	assert_int_equal(sb_judge_intervals(&phase, series, true), 0);
	assert_int_equal(phase.n_intervals, 3);
	near_to(phase.intervals[2].seconds, 0.29);
	assert_true(isnan(phase.intervals[0].cpu.idle)); /* virtual time has no CPU figures */
	sb_phase_free(&phase);
	sb_series_destroy(series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boundaries_between_rows),
		cmocka_unit_test(test_often_is_as_once),
		cmocka_unit_test(test_not_certain_yet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
