/* The rule by which a rate within a phase is called unsteady. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/judge/judge_priv.h"

/* Uniform noise of the given standard deviation, the same each time. */
static double noise(uint32_t *seed, double sd)
{
	*seed = *seed * 1664525u + 1013904223u;
	return sd * sqrt(12) * ((double)*seed / 4294967296.0 - 0.5);
}

static double gauss(uint32_t *seed, double sd)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += noise(seed, 1);
	return sd * sum / sqrt(12);
}

static bool is_unsteady(double slope, double sd, size_t n, uint32_t *seed)
{
	double rates[40];

	for (size_t i = 0; i < n; i++)
		rates[i] =
			1e8 * (1 + slope * ((double)i / (double)(n - 1) - 0.5) + gauss(seed, sd));
	return judge_steadiness(rates, n).is_unsteady;
}

static void test_steadiness_rule(void **state)
{
	unsigned wrong = 0, found = 0, bursts = 0;
	uint32_t seed = 1;
	double rates[20];

	(void)state;
	for (int i = 0; i < 20000; i++)
		wrong += is_unsteady(0, 0.02, 20, &seed);
	assert_int_equal(wrong, 0);
	for (int i = 0; i < 1000; i++)
		found += is_unsteady(i % 2 ? 0.10 : -0.10, 0.005, 20, &seed);
	assert_int_equal(found, 1000);
	for (int i = 0; i < 1000; i++)
		found += is_unsteady(0.10, 0.01, 15, &seed);
	assert_true(found >= 1980);
	/* requests that come in bursts are no change of rate */
	for (int i = 0; i < 20; i++)
		rates[i] = i % 2 ? 2e8 : 1e7;
	bursts += judge_steadiness(rates, 20).is_unsteady;
	bursts += judge_steadiness(rates, 15).is_unsteady;
	assert_int_equal(bursts, 0);
	/* a pause in the middle: no trend, but a swing */
	for (int i = 0; i < 20; i++)
		rates[i] = (i >= 8 && i < 12 ? 0.3e8 : 1e8) + (i % 3) * 1e6;
	assert_true(judge_steadiness(rates, 20).is_unsteady);
	assert_true(fabs(judge_steadiness(rates, 20).trend_percent) < 6.5);
	/* too few rows to tell */
	for (int i = 0; i < 9; i++)
		rates[i] = 1e8 * (1 + i);
	assert_false(judge_steadiness(rates, 9).is_unsteady);
	memset(rates, 0, sizeof(rates));
	assert_false(judge_steadiness(rates, 20).is_unsteady);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steadiness_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
