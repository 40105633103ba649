/* Where a CPU seems to limit: its group once more in larger blocks. They cost less CPU for each
 * byte, so that either the rate rises or a CPU is full again; else it was not the CPU. */
#include <errno.h>

#include "plan_priv.h"
#include "satabench/units.h"

#define LARGER 4u
#define LARGEST_BLOCK (32ULL << 20) /* one vectored read: 1024 segments (IOV_MAX) of 32 KiB */
#define OWN_SHARE 4u		    /* at most that part of the memory for own buffers ... */
#define OWN_UNKNOWN (1ULL << 30)    /* ... or this where nobody knows how much there is */

static bool can_enlarge(const struct sb_result *result, const struct sb_test_tree *tree,
			const struct sb_test *test)
{
	for (size_t place = test->first; place < test->first + test->n; place++)
		if (sb_plan_block(result, &result->devices[tree->devices[place]]) * LARGER >
		    LARGEST_BLOCK)
			return false;
	return true;
}

static uint64_t own_bytes(const struct sb_phase *phase)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < phase->n_jobs; i++)
		if (sb_plan_is(phase->jobs[i].buffers, "own"))
			sum += phase->jobs[i].depth * phase->jobs[i].block_bytes;
	return sum;
}

/* The memory that the rounds had is enough at a quarter of the depth. */
void sb_plan_enlarge(const struct sb_result *result, struct sb_phase *phase)
{
	uint64_t memory = result->host.memory_bytes;
	uint64_t room = memory && memory != SB_NONE_U64 ? memory / OWN_SHARE : OWN_UNKNOWN;
	bool fits;

	for (size_t i = 0; i < phase->n_jobs; i++)
		phase->jobs[i].block_bytes *= LARGER;
	fits = own_bytes(phase) <= room;
	for (size_t i = 0; i < phase->n_jobs && !fits; i++)
		if (sb_plan_is(phase->jobs[i].buffers, "own"))
			phase->jobs[i].depth = (phase->jobs[i].depth + LARGER - 1) / LARGER;
}

static bool is_confirmed(const struct sb_result *result, const struct sb_test *test)
{
	for (size_t i = 0; i < result->n_phases; i++)
		if (sb_phase_confirms(&result->phases[i]) && result->phases[i].node == test->node &&
		    result->phases[i].n_jobs == test->n)
			return true;
	return false;
}

/* The verdict's own limit is worth the time that is kept for what phases take beside their length;
 * others have to fit. */
static int wish_larger(struct sb_result *result, const struct sb_test_tree *tree,
		       const struct sb_limit *limit, bool optional)
{
	int test = sb_test_tree_find(tree, limit->test_node);
	struct sb_wish wish;
	int rc;

	if (test < 0 || is_confirmed(result, &tree->tests[test]) ||
	    !can_enlarge(result, tree, &tree->tests[test]))
		return 0;
	wish = sb_plan_wish_test(tree, test, 0);
	wish.larger = true;
	wish.optional = optional;
	rc = sb_plan_wish(result, wish,
			  "confirms the CPU: the same reads in blocks four times as large, which "
			  "cost less CPU for each byte");
	return rc ? rc : 1;
}

int sb_plan_decide_confirm(struct sb_result *result, const struct sb_test_tree *tree)
{
	const struct sb_verdict *v = &result->verdict;
	int rc = 0, wished = 0;

	if (result->agenda.pass++)
		return 0;
	for (size_t i = 0; i < v->n_limits && rc >= 0; i++) {
		if (v->limits[i].cls != SB_CLASS_CPU || v->limits[i].refuted)
			continue;
		rc = wish_larger(result, tree, &v->limits[i], wished > 0);
		wished += rc > 0;
	}
	return rc < 0 ? rc : wished > 0;
}
