/* Statistics against published tables and exact values; the histogram's promised error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/hist.h"
#include "satabench/series.h"
#include "satabench/stats.h"

static void near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.12g is not %.12g within %g", value, expected, tolerance);
}

static void student(void **state)
{
	(void)state;
	/* two-sided 95 % and one-sided 99.5 % points of the printed tables */
	near(sb_t_quantile(0.975, 1), 12.7062, 1e-4);
	near(sb_t_quantile(0.975, 2), 4.30265, 1e-5);
	near(sb_t_quantile(0.975, 6), 2.446912, 1e-6);
	near(sb_t_quantile(0.975, 30), 2.042272, 1e-6);
	near(sb_t_quantile(0.995, 5), 4.032143, 1e-6);
	near(sb_t_quantile(0.025, 6), -2.446912, 1e-6);
	near(sb_t_quantile(0.99999, 1), 31830.99, 0.1);
	/* nu = 1 is Cauchy: 1/2 + atan(t)/pi; nu = 2 is 1/2 + t / (2 sqrt(2 + t^2)) */
	for (double t = -5; t <= 5; t += 0.25) {
		near(sb_t_cdf(t, 1), 0.5 + atan(t) / M_PI, 1e-12);
		near(sb_t_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)), 1e-12);
		near(sb_t_cdf(t, 7) + sb_t_cdf(-t, 7), 1, 1e-12);
	}
}

static void four_verbs(void **state)
{
	static const double v[] = {2, 4, 4, 4, 5, 5, 7, 9};
	struct sb_stats all, left, right, empty;

	(void)state;
	sb_stats_start(&all);
	sb_stats_start(&left);
	sb_stats_start(&right);
	sb_stats_start(&empty);
	for (size_t i = 0; i < 8; i++) {
		sb_stats_add(&all, v[i]);
		sb_stats_add(i < 3 ? &left : &right, v[i]);
	}
	near(all.mean, 5, 1e-12);
	near(sb_stats_sd(&all), sqrt(32.0 / 7), 1e-12);
	sb_stats_merge(&left, &right);
	sb_stats_merge(&left, &empty);
	near(left.mean, all.mean, 1e-12);
	near(left.m2, all.m2, 1e-12);
	assert_int_equal(left.n, 8);
	near(left.min, 2, 0);
	near(left.max, 9, 0);
	sb_stats_merge(&empty, &all);
	near(empty.mean, 5, 1e-12);
	assert_true(isnan(sb_stats_sd(&right)) == 0);
}

/* The worked example of the method: node A, three rounds. */
static void estimate(void **state)
{
	static const double x[] = {.27763, .29437, .27257};
	double s = 0.006922, low, high;
	struct sb_estimate e = sb_estimate(x, 3, 1.5 * s * s);

	(void)state;
	near(e.mean, .28152, 1e-5);
	near(e.se, .00552, 1e-5);
	assert_int_equal(e.nu, 6);
	near(e.least, .27257, 0);
	sb_estimate_interval(&e, &low, &high);
	near(100 * sb_log_to_loss(low), 23.5, 0.05);
	near(100 * sb_log_to_loss(high), 25.55, 0.05);
	near(sb_estimate_above(&e, sb_loss_to_log(0.01)), 1 - 2.4e-9, 1e-10);
	assert_true(isnan(sb_estimate(x, 1, 1).mean));
	near(sb_loss_to_log(0.05), 0.05129, 1e-5);
	near(sb_log_to_loss(sb_loss_to_log(0.37)), 0.37, 1e-15);
}

static void median(void **state)
{
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};

	(void)state;
	near(sb_median(odd, 3), 2, 0);
	near(sb_median(even, 4), 2.5, 0);
	assert_true(isnan(sb_median(odd, 0)));
}

static void histogram_error(void **state)
{
	struct sb_hist *h = malloc(sizeof(*h));

	(void)state;
	for (double v = 1; v < 1e13; v *= 1.37) {
		sb_hist_reset(h);
		sb_hist_add(h, 1);
		for (int i = 0; i < 3; i++)
			sb_hist_add(h, (uint64_t)v);
		sb_hist_add(h, UINT64_MAX / 2);
		/* the middle one of five, seen through its bucket alone */
		near(sb_hist_quantile(h, 0.5), floor(v), floor(v) * 0.03 + 0.5);
	}
	free(h);
}

static void histogram_quantiles(void **state)
{
	struct sb_hist *a = malloc(sizeof(*a)), *b = malloc(sizeof(*b));
	struct sb_latency l;

	(void)state;
	sb_hist_reset(a);
	sb_hist_reset(b);
	assert_true(isnan(sb_hist_latency(a).p50));
	for (uint64_t i = 1; i <= 10000; i++)
		sb_hist_add(i % 2 ? a : b, i * 1000);
	sb_hist_merge(a, b);
	l = sb_hist_latency(a);
	near(l.min, 1000, 0);
	near(l.max, 1e7, 0);
	near(l.mean, 5000500, 1e-6);
	near(l.p50, 5e6, 5e6 * 0.03);
	near(l.p99, 9.9e6, 9.9e6 * 0.03);
	near(l.p999, 9.99e6, 9.99e6 * 0.03);
	free(a);
	free(b);
}

static void rows(void **state)
{
	struct sb_series *s = sb_series_create(3);
	const struct sb_row *first;

	(void)state;
	assert_int_equal(sb_series_count(s), 0);
	for (uint64_t i = 0; i < 1000; i++) {
		struct sb_row *row = sb_series_next(s);

		row->time_ns = i;
		row->job_bytes[2] = i * 7;
		assert_int_equal(sb_series_count(s), i); /* not seen before commit */
		sb_series_commit(s);
	}
	first = sb_series_row(s, 0);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(sb_series_row(s, i)->job_bytes[2], i * 7);
	assert_ptr_equal(first, sb_series_row(s, 0)); /* rows never move */
	sb_series_destroy(s);
	sb_series_destroy(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student),
		cmocka_unit_test(four_verbs),
		cmocka_unit_test(estimate),
		cmocka_unit_test(median),
		cmocka_unit_test(histogram_error),
		cmocka_unit_test(histogram_quantiles),
		cmocka_unit_test(rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
