/* The plans. Each looks at the phases there are and appends the next one, so that a device that
 * fails is in no later phase. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan_priv.h"

/* The usable devices in an order that gives each half of the list to one side of `all`: every
 * second one first. `half` counts those that come before. */
static int *in_order(const struct sb_result *result, size_t *n, size_t *half)
{
	size_t count = sb_plan_usable_count(result), at = 0, seen;
	int *list = calloc(count ? count : 1, sizeof(*list));

	if (!list)
		return NULL;
	for (int turn = 0; turn < 2; turn++) {
		seen = 0;
		for (size_t i = 0; i < result->n_devices; i++)
			if (sb_plan_usable(&result->devices[i]) && (int)(seen++ % 2) == turn)
				list[at++] = (int)i;
		if (turn == 0)
			*half = at;
	}
	*n = count;
	return list;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int add_all(struct sb_result *result, unsigned round, const int *list, size_t n,
		   const char *reason)
{
	int *sorted = calloc(n, sizeof(*sorted));
	struct sb_phase *phase;

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, list, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted),
	      compare_ints); /* jobs stand in the order of the devices */
	phase = sb_plan_phase(result, SB_PHASE_ALL, round, SB_ALL_S, sorted, n, reason);
	free(sorted);
	return phase ? 1 : -ENOMEM;
}

static int add_alone(struct sb_result *result, unsigned round, int device, const char *reason)
{
	if (sb_plan_has(result, SB_PHASE_ALONE, round, device))
		return 0;
	return sb_plan_phase(result, SB_PHASE_ALONE, round, SB_ALONE_S, &device, 1, reason)
		       ? 1
		       : -ENOMEM;
}

/* Step `at` of a round: alone for the first half, all, alone for the second. */
static int round_step(struct sb_result *result, unsigned round, const int *list, size_t n,
		      size_t half, size_t at)
{
	if (at == half) {
		if (n < 2 || sb_plan_has(result, SB_PHASE_ALL, round, -1))
			return 0;
		return add_all(result, round, list, n,
			       "all at once, between the two halves of the alone readings");
	}
	return add_alone(result, round, list[at < half ? at : at - 1],
			 n < 2 ? "the only device" : "what it gives with nothing else running");
}

/* Rounds of alone and together, interleaved; every second round backwards, so that a steady drift
 * cancels within a pair of rounds. */
static int next_rounds(const struct sb_plan *plan, struct sb_result *result)
{
	unsigned rounds = sb_plan_rounds(result, SB_DEFAULT_ROUNDS, SB_DEFAULT_ROUNDS);
	size_t n = 0, half = 0;
	int rc = sb_plan_calibrate(result);
	int *list;

	(void)plan;
	if (rc)
		return rc;
	list = in_order(result, &n, &half);
	if (!list)
		return -ENOMEM;
	for (unsigned round = 1; round <= rounds && rc == 0 && n > 0; round++)
		for (size_t i = 0; i <= n && rc == 0; i++)
			rc = round_step(result, round, list, n, half, round % 2 ? i : n - i);
	free(list);
	return rc;
}

static int next_together(const struct sb_plan *plan, struct sb_result *result)
{
	unsigned rounds = sb_plan_rounds(result, 1, SB_DEFAULT_ROUNDS);
	size_t n = 0, half = 0;
	int rc = 0, *list = in_order(result, &n, &half);

	(void)plan;
	if (!list)
		return -ENOMEM;
	for (unsigned round = 1; round <= rounds && rc == 0 && n > 0; round++)
		if (!sb_plan_has(result, SB_PHASE_ALL, round, -1))
			rc = add_all(result, round, list, n, "all at once");
	free(list);
	return rc;
}

static int next_alone(const struct sb_plan *plan, struct sb_result *result)
{
	unsigned rounds = sb_plan_rounds(result, 1, SB_DEFAULT_ROUNDS);
	int rc = sb_plan_calibrate(result);

	(void)plan;
	for (unsigned round = 1; round <= rounds && rc == 0; round++)
		for (size_t i = 0; i < result->n_devices && rc == 0; i++)
			if (sb_plan_usable(&result->devices[i]))
				rc = add_alone(result, round, (int)i,
					       "what it gives with nothing else running");
	return rc;
}

const struct sb_plan sb_plans[] = {
	{"diagnose", "finds what limits: rounds of alone, groups and all, as many as that takes",
	 sb_plan_next_diagnose, true,
	 "the same again, every second round backwards; groups where a loss asks for them; runs "
	 "that stand out again; up to 9 rounds of what is still open; a limit with one part, or a "
	 "third of many, at rest; where the CPU seems to limit, the same reads in blocks four "
	 "times as large; a "
	 "limit "
	 "with 1, 2, 4 ... of its disks"},
	{"quick", "the first rounds of diagnose, without what confirms a verdict",
	 sb_plan_next_quick, true,
	 "the same again, every second round backwards; groups where a loss asks for them; runs "
	 "that stand out again"},
	{"rounds", "rounds of each device alone and all together, interleaved", next_rounds, false,
	 "the same again, every second round backwards, until all rounds are done"},
	{"together", "all devices at once", next_together, false, "the same again in each round"},
	{"alone", "one device after the other", next_alone, false, "the same again in each round"},
	{"surface", "each device once over its whole length, all at once; of workload surface",
	 sb_plan_next_surface, true, "nothing; a run that was stopped is gone on with by --resume"},
	{"suite", "the tests of a workload in all directories at once, one after the other",
	 sb_plan_next_suite, false,
	 "the next test, until all are run; the same again in each round"},
	{NULL, NULL, NULL, false, NULL},
};

const struct sb_plan *sb_plan_find(const char *name)
{
	for (const struct sb_plan *p = sb_plans; p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

int sb_plan_next(const struct sb_plan *plan, struct sb_result *result)
{
	return plan->next(plan, result);
}

double sb_plan_longest(const struct sb_plan *plan, const struct sb_result *result)
{
	const struct sb_options *o = &result->options;
	double alone = SB_ALONE_S, all = SB_ALL_S, total = 0;
	size_t n = sb_plan_usable_count(result);
	bool turning = false,
	     together = plan->next != next_alone && (n > 1 || plan->next != next_rounds);
	size_t n_alone = plan->next == next_together ? 0 : n;

	if (sb_plan_by_amount(o) || plan->next == sb_plan_next_surface)
		return NAN;
	if (plan->next == sb_plan_next_suite)
		return sb_plan_has_directories(result) ? NAN : 0;
	if (plan->next == sb_plan_next_diagnose || plan->next == sb_plan_next_quick)
		return sb_plan_diagnose_longest(result, plan->next == sb_plan_next_quick);
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];
		double more = d->rotational ? SB_ROTATING_S : 0;

		if (!sb_plan_usable(d))
			continue;
		turning |= d->rotational;
		total += n_alone ? more : 0;
	}
	if (o->runtime_s > 0) {
		alone = all = o->runtime_s;
		total = 0;
		turning = false;
	}
	total += (double)n_alone * (alone + SB_OVERHEAD_S);
	if (together)
		total += all + (turning ? SB_ROTATING_S : 0) + SB_OVERHEAD_S;
	total *= sb_plan_rounds(result, 1, SB_DEFAULT_ROUNDS);
	return total + (n_alone ? sb_plan_calibrate_longest(result) : 0);
}
