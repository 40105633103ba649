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

/* By mpmath 1.2.1 with 30 digits. */
static void student_between(void **state)
{
	static const struct {
		double t, nu, p;
	} rows[] = {
		{0.5, 0.7, 0.63479915665883499},     {1, 1.5, 0.77443231636164484},
		{2.5, 2.5, 0.94771501846092231},     {-2.131, 3.3, 0.05732496027444987},
		{2.145, 13.7, 0.97480478991168743},  {3, 13.999, 0.9952239292861109},
		{-4.2, 7.25, 0.0018659102935752887}, {1.96, 200.5, 0.9743093147389149},
		{2.7, 1234.5, 0.99648564590672912},  {-12.7, 1.01, 0.02443133702665463},
		{-6, 25.5, 1.3314086485048722e-6},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		near(sb_t_cdf(rows[i].t, rows[i].nu), rows[i].p, 1e-13);
		near(sb_t_quantile(rows[i].p, rows[i].nu), rows[i].t, 1e-6);
	}
	/* beside a whole nu, where the sums are */
	for (double nu = 1; nu < 60; nu++)
		for (double t = -8; t <= 8; t += 0.5)
			near(sb_t_cdf(t, nu + 1e-12), sb_t_cdf(t, nu), 1e-12);
	assert_true(isnan(sb_t_cdf(1, 0)) && isnan(sb_t_cdf(1, NAN)) && isnan(sb_t_cdf(NAN, 3)));
	near(sb_f_above(4.6001, 1, 14), 0.050000215582317869, 1e-13);
	near(sb_f_above(2.5, 3, 12), 0.10915471239500628, 1e-13);
	near(sb_f_above(0.4, 2, 7), 0.6847184505954042, 1e-13);
	near(sb_f_above(10, 2, 21), 0.00088934875032494226, 1e-15);
	near(sb_beta_cdf(0, 2, 3), 0, 0);
	near(sb_beta_cdf(1, 2, 3), 1, 0);
}

/* Student's data of two sleeping drugs, as R prints t.test(extra ~ group, data = sleep):
 * t = -1.8608, df = 17.776, p-value = 0.07939, 95 % -3.3654832 to 0.2054832. */
static void welch(void **state)
{
	static const double a[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2};
	static const double b[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
	struct sb_stats x, y, one, none;
	struct sb_welch w;

	(void)state;
	sb_stats_start(&x);
	sb_stats_start(&y);
	sb_stats_start(&one);
	sb_stats_start(&none);
	for (size_t i = 0; i < 10; i++) {
		sb_stats_add(&x, a[i]);
		sb_stats_add(&y, b[i]);
	}
	sb_stats_add(&one, 3);
	w = sb_welch(&x, &y, 0);
	near(w.difference, 1.58, 1e-12);
	near(w.difference / w.se, 1.8608, 5e-5);
	near(w.nu, 17.776, 5e-4);
	near(w.p, 0.07939, 5e-6);
	near(w.low, -0.2054832, 5e-8);
	near(w.high, 3.3654832, 5e-8);
	w = sb_welch(&y, &x, 10); /* both sd's are below it: nu is that of equal variances */
	near(w.difference, -1.58, 1e-12);
	near(w.se, sqrt(2 * 100 / 10.0), 1e-12);
	near(w.nu, 18, 1e-9);
	w = sb_welch(&x, &one, 0);
	near(w.difference, 3 - 0.75, 1e-12);
	assert_true(isnan(w.p) && isnan(w.se) && isnan(w.low) && isnan(w.high));
	assert_true(isnan(sb_welch(&x, &none, 0).difference));
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
		cmocka_unit_test(student_between),
		cmocka_unit_test(welch),
		cmocka_unit_test(four_verbs),
		cmocka_unit_test(estimate),
		cmocka_unit_test(median),
		cmocka_unit_test(histogram_error),
		cmocka_unit_test(histogram_quantiles),
		cmocka_unit_test(rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
