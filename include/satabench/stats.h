/* Statistics: pure functions, any thread. The estimate and its intervals are those of the method
 * in docs/ARCHITECTURE.md, "How a loss is judged". */
#ifndef SATABENCH_STATS_H
#define SATABENCH_STATS_H

#include <stddef.h>

/* start, add, merge, finish (Welford's update; merging by Chan et al.) */
struct sb_stats {
	size_t n;
	double mean, m2, min, max;
};

void sb_stats_start(struct sb_stats *s);
void sb_stats_add(struct sb_stats *s, double value);
void sb_stats_merge(struct sb_stats *into, const struct sb_stats *from);
/* Sample standard deviation; NaN below two values. */
double sb_stats_sd(const struct sb_stats *s);

/* I_x(a, b), the regularised incomplete beta function, a, b > 0: continued fraction DLMF 8.17.22 by
 * Lentz's method. */
double sb_beta_cdf(double x, double a, double b);
/* Student's t for nu > 0 degrees of freedom: of a whole nu finite sums, Abramowitz & Stegun
 * 26.7.3-4; of another one the incomplete beta function, 26.7.1. */
double sb_t_cdf(double t, double nu);
double sb_t_quantile(double p, double nu);
/* P(F > f) of the variance ratio: 26.6.2. */
double sb_f_above(double f, double nu1, double nu2);
/* Mean of the middle two for an even count; sorts `values` in place; NaN for n = 0. */
double sb_median(double *values, size_t n);

/* Mean of n >= 2 values paired within rounds, its variance shrunk towards the session's pooled
 * noise: nu = 4 + n - 1, se = sqrt((4 w s^2 + SS) / nu / n). */
struct sb_estimate {
	size_t n;
	double mean, se, least;
	unsigned nu;
};
#define SB_PRIOR_DF 4	     /* weight of the pooled noise */
#define SB_NOISE_FLOOR 0.005 /* sd (log scale) below which one run's noise is never believed */
#define SB_NOISE_NONE 0.05   /* sd assumed without any degree of freedom */

/* `prior_variance` = w s^2. n < 2 gives n with NaN figures. */
struct sb_estimate sb_estimate(const double *values, size_t n, double prior_variance);
/* P(true mean > x) */
double sb_estimate_above(const struct sb_estimate *e, double x);
void sb_estimate_interval(const struct sb_estimate *e, double *low, double *high);

/* Two means against each other, their variances not the same (Welch 1947; degrees of freedom by
 * Satterthwaite). A value's sd below `floor` is not believed. Fewer than two values on a side give
 * the difference alone; none, NaN. */
struct sb_welch {
	double difference; /* mean of b less mean of a */
	double se, nu;	   /* NaN = not known */
	double p;	   /* two-sided, of no difference */
	double low, high;  /* 95 % interval of the difference */
};
struct sb_welch sb_welch(const struct sb_stats *a, const struct sb_stats *b, double floor);

/* A loss (0..1) as a log ratio and back: x = -ln(1 - loss). */
double sb_loss_to_log(double loss);
double sb_log_to_loss(double x);

#endif
