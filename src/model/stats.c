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

/* The part of the integral for which the fraction converges fast: x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), value;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	value = d;
	/* some twenty steps are enough; large a and b take in the order of their root */
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		value *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		value *= step;
		if (fabs(step - 1) < 1e-16)
			break;
	}
	return value;
}

double sb_beta_cdf(double x, double a, double b)
{
	double front;

	if (!(x > 0) || !(x < 1))
		return isnan(x) ? NAN : x > 0 ? 1.0 : 0.0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

static double t_cdf_whole(double t, unsigned nu)
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

/* P(|T| > t); also where it is too small to be seen beside 1. */
static double t_outside(double t, double nu)
{
	return sb_beta_cdf(nu / (nu + t * t), nu / 2, 0.5);
}

double sb_t_cdf(double t, double nu)
{
	if (!(nu > 0) || isnan(t))
		return NAN;
	if (nu < 1000 && nu == floor(nu))
		return t_cdf_whole(t, (unsigned)nu);
	return t < 0 ? t_outside(t, nu) / 2 : 1 - t_outside(t, nu) / 2;
}

double sb_t_quantile(double p, double nu)
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

double sb_f_above(double f, double nu1, double nu2)
{
	return sb_beta_cdf(nu2 / (nu2 + nu1 * f), nu2 / 2, nu1 / 2);
}

struct sb_welch sb_welch(const struct sb_stats *a, const struct sb_stats *b, double floor)
{
	struct sb_welch w = {NAN, NAN, NAN, NAN, NAN, NAN};
	double va, vb, half;

	if (a->n == 0 || b->n == 0)
		return w;
	w.difference = b->mean - a->mean;
	if (a->n < 2 || b->n < 2)
		return w;
	va = pow(fmax(sb_stats_sd(a), floor), 2) / (double)a->n;
	vb = pow(fmax(sb_stats_sd(b), floor), 2) / (double)b->n;
	w.se = sqrt(va + vb);
	w.nu = (va + vb) * (va + vb) /
	       (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1));
	w.p = t_outside(w.difference / w.se, w.nu);
	half = sb_t_quantile(0.975, w.nu) * w.se;
	w.low = w.difference - half;
	w.high = w.difference + half;
	return w;
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
