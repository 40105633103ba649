/* The first rounds, and the runs in them that stand out. */
#include <errno.h>
#include <math.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"

#define REPEAT_PASSES 2u

static unsigned rounds_of(const struct sb_result *result)
{
	return sb_plan_rounds(result, SB_DEFAULT_ROUNDS, SB_DEFAULT_ROUNDS);
}

static int wish_group(struct sb_result *result, const struct sb_test_tree *tree, size_t test,
		      unsigned round)
{
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, tree->tests[test].node);

	return label ? sb_plan_wish(result, sb_plan_wish_test(tree, (int)test, round),
				    "what lies below %s together, nothing else: to find where "
				    "a loss arises",
				    label)
		     : -ENOMEM;
}

static int wish_groups(struct sb_result *result, const struct sb_test_tree *tree, unsigned round)
{
	int rc = 0;

	for (size_t i = 0; i + 1 < tree->n_tests && rc == 0; i++)
		rc = wish_group(result, tree, i, round);
	return rc;
}

/* Every second device of the tree, so that each part of it has half of its own before and half
 * after the middle. */
static int wish_half(struct sb_result *result, const struct sb_test_tree *tree, unsigned round,
		     size_t from)
{
	int rc = 0;

	for (size_t i = from; i < tree->n_devices && rc == 0; i += 2)
		rc = sb_plan_wish(result, sb_plan_wish_device(tree->devices[i], round),
				  tree->n_devices < 2 ? "the only device"
						      : "what it gives with nothing else running");
	return rc;
}

/* Volumes beside what they are made of: at once with it they would only read the same disks. */
static int wish_stacked(struct sb_result *result, const struct sb_test_tree *tree, unsigned round)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_devices && rc == 0; i++)
		if (tree->place[i] < 0 && sb_plan_usable(&result->devices[i]) &&
		    !sb_plan_array_of(result, &result->devices[i]))
			rc = sb_plan_wish(result, sb_plan_wish_device((int)i, round),
					  "alone only: it is made of others of the devices");
	return rc;
}

static void turn_round(struct sb_agenda *agenda)
{
	for (size_t i = 0, k = agenda->n_wishes; i + 1 < k; i++) {
		struct sb_wish wish = agenda->wishes[i];

		agenda->wishes[i] = agenda->wishes[--k];
		agenda->wishes[k] = wish;
	}
}

static int wish_round(struct sb_result *result, const struct sb_test_tree *tree, unsigned round)
{
	int rc = wish_half(result, tree, round, 0);

	if (rc == 0 && result->agenda.groups)
		rc = wish_groups(result, tree, round);
	if (rc == 0 && tree->n_devices > 1)
		rc = sb_plan_wish(result, sb_plan_wish_test(tree, (int)tree->n_tests - 1, round),
				  "all at once, between the two halves of the alone readings");
	if (rc == 0)
		rc = wish_half(result, tree, round, 1);
	if (rc == 0)
		rc = sb_plan_wish_arrays(result, tree, round);
	if (rc == 0)
		rc = wish_stacked(result, tree, round);
	if (round % 2 == 0)
		turn_round(&result->agenda);
	return rc;
}

static double rate_in(const struct sb_phase *phase, int device)
{
	for (size_t i = 0; phase && i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			return phase->jobs[i].bytes_s;
	return NAN;
}

/* Do the disks of the test lose too much in `all` of a round? */
static bool loses(const struct sb_result *result, const struct sb_test_tree *tree,
		  const struct sb_test *test, unsigned round)
{
	struct sb_wish all = sb_plan_wish_test(tree, (int)tree->n_tests - 1, round);
	const struct sb_phase *together = sb_plan_find_run(result, &all);
	double sum = 0, sum_together = 0;

	for (size_t place = test->first; place < test->first + test->n; place++) {
		struct sb_wish alone = sb_plan_wish_device(tree->devices[place], round);

		sum += rate_in(sb_plan_find_run(result, &alone), tree->devices[place]);
		sum_together += rate_in(together, tree->devices[place]);
	}
	return log(sum / sum_together) > -log1p(-SB_PLAN_THRESHOLD);
}

/* What a disk set loses in `all` bounds what its node loses, so without this no group is missed. */
static bool is_triggered(const struct sb_result *result, const struct sb_test_tree *tree,
			 unsigned rounds)
{
	for (unsigned round = 1; round <= rounds; round++)
		for (size_t i = 0; i < tree->n_tests; i++)
			if (loses(result, tree, &tree->tests[i], round))
				return true;
	return false;
}

int sb_plan_decide_rounds(struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_agenda *agenda = &result->agenda;
	int rc;

	if (agenda->round && !agenda->groups && tree->n_tests > 1 &&
	    is_triggered(result, tree, agenda->round)) {
		agenda->groups = true;
		rc = wish_groups(result, tree, agenda->round);
		return rc ? rc : 1;
	}
	if (agenda->round >= rounds_of(result) || !sb_plan_usable_count(result))
		return 0;
	agenda->round++;
	rc = wish_round(result, tree, agenda->round);
	return rc ? rc : 1;
}

static struct sb_wish wish_again(const struct sb_odd_run *odd, unsigned round)
{
	return (struct sb_wish){.kind = odd->kind,
				.round = round,
				.device = odd->device,
				.node = odd->node,
				.left_out = -1,
				.optional = true};
}

static bool is_repeated(const struct sb_result *result, const struct sb_wish *wish)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *p = &result->phases[i];

		n += p->kind == wish->kind && p->round == wish->round &&
		     (p->kind == SB_PHASE_ALONE ? p->n_jobs && p->jobs[0].device == wish->device
						: p->node == wish->node);
	}
	return n > 1;
}

static bool is_wished(const struct sb_agenda *agenda, const struct sb_wish *wish)
{
	for (size_t i = 0; i < agenda->n_wishes; i++) {
		struct sb_wish other = agenda->wishes[i];

		if (sb_plan_is_same(&other, wish))
			return true;
	}
	return false;
}

/* Its second run stands out, too: then the others are the odd ones. */
static int wish_others_again(struct sb_result *result, const struct sb_odd_run *odd)
{
	int rc = 0;

	for (unsigned round = 1; round <= rounds_of(result) && rc == 0; round++) {
		struct sb_wish wish = wish_again(odd, round);

		if (!is_repeated(result, &wish) && !is_wished(&result->agenda, &wish))
			rc = sb_plan_wish(result, wish,
					  "round %u again: its runs do not agree, and the one that "
					  "stood out did so twice",
					  round);
	}
	return rc;
}

static int wish_odd_again(struct sb_result *result, const struct sb_odd_run *odd)
{
	struct sb_wish wish = wish_again(odd, odd->round);

	if (is_wished(&result->agenda, &wish))
		return 0;
	if (odd->foreign)
		return sb_plan_wish(result, wish,
				    "round %u again: others used a device in that run", odd->round);
	return sb_plan_wish(result, wish,
			    "round %u again: that run was %.0f %% %s than in the other rounds",
			    odd->round, 100 * fabs(odd->off), odd->off < 0 ? "slower" : "faster");
}

int sb_plan_decide_repeats(struct sb_result *result, const struct sb_test_tree *tree)
{
	int rc = 0;

	(void)tree;
	if (result->agenda.pass++ >= REPEAT_PASSES)
		return 0;
	for (size_t i = 0; i < result->verdict.n_odd_runs && rc == 0; i++) {
		const struct sb_odd_run *odd = &result->verdict.odd_runs[i];
		struct sb_wish wish = wish_again(odd, odd->round);

		rc = is_repeated(result, &wish) ? wish_others_again(result, odd)
						: wish_odd_again(result, odd);
	}
	return rc ? rc : 1;
}
