#include "satabench/stats.h"

#include <math.h>
#include <stdlib.h>

void sb_stats_start(struct sb_stats *s)
{
	*s = (struct sb_stats){.min = INFINITY, .max = -INFINITY};
}

void sb_stats_add(struct sb_stats *s, double value)
{
	double delta = value - s->mean;

	s->n++;
	s->mean += delta / (double)s->n;
	s->m2 += delta * (value - s->mean);
	s->min = fmin(s->min, value);
	s->max = fmax(s->max, value);
}

void sb_stats_merge(struct sb_stats *into, const struct sb_stats *from)
{
	double delta = from->mean - into->mean;
	size_t n = into->n + from->n;

	if (from->n == 0)
		return;
	into->mean += delta * (double)from->n / (double)n;
	into->m2 += from->m2 + delta * delta * (double)into->n * (double)from->n / (double)n;
	into->n = n;
	into->min = fmin(into->min, from->min);
	into->max = fmax(into->max, from->max);
}

double sb_stats_sd(const struct sb_stats *s)
{
	return s->n < 2 ? NAN : sqrt(s->m2 / (double)(s->n - 1));
}

double sb_t_cdf(double t, unsigned nu)
{
	double theta = atan(t / sqrt(nu)), cosine = cos(theta), c2 = cosine * cosine;
	double term, sum = 0, area;

	if (nu % 2) {
		term = cosine;
		for (unsigned k = 1; k + 1 < nu; k += 2) {
			sum += term;
			term *= c2 * (k + 1) / (k + 2);
		}
		area = 2 / M_PI * (theta + (nu > 1 ? sin(theta) * sum : 0));
	} else {
		term = 1;
		for (unsigned k = 0; k + 1 < nu; k += 2) {
			sum += term;
			term *= c2 * (k + 1) / (k + 2);
		}
		area = sin(theta) * sum;
	}
	return 0.5 + area / 2;
}

double sb_t_quantile(double p, unsigned nu)
{
	double low, high = 1;

	if (p < 0.5)
		return -sb_t_quantile(1 - p, nu);
	while (high < 1e12 && sb_t_cdf(high, nu) < p)
		high *= 2;
	low = high > 1 ? high / 2 : 0;
	/* 60 halvings are beyond the precision of a double */
	for (int i = 0; i < 60; i++) {
		double mid = (low + high) / 2;

		if (sb_t_cdf(mid, nu) < p)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sb_median(double *values, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(values[0]), compare_doubles);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct sb_estimate sb_estimate(const double *values, size_t n, double prior_variance)
{
	struct sb_estimate e = {.n = n, .mean = NAN, .se = NAN, .least = NAN};
	struct sb_stats s;

	if (n < 2)
		return e;
	sb_stats_start(&s);
	for (size_t i = 0; i < n; i++)
		sb_stats_add(&s, values[i]);
	e.mean = s.mean;
	e.least = s.min;
	e.nu = SB_PRIOR_DF + (unsigned)n - 1;
	e.se = sqrt((SB_PRIOR_DF * prior_variance + s.m2) / e.nu / (double)n);
	return e;
}

double sb_estimate_above(const struct sb_estimate *e, double x)
{
	return isnan(e->mean) ? NAN : sb_t_cdf((e->mean - x) / e->se, e->nu);
}

void sb_estimate_interval(const struct sb_estimate *e, double *low, double *high)
{
	double half = isnan(e->mean) ? NAN : sb_t_quantile(0.975, e->nu) * e->se;

	*low = e->mean - half;
	*high = e->mean + half;
}

double sb_loss_to_log(double loss)
{
	return -log1p(-loss);
}

double sb_log_to_loss(double x)
{
	return -expm1(-x);
}
