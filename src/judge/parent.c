/* Parent against child: a limit is accused only when each ancestor has clearly carried more than
 * the cap that was found at it. An ancestor that has not, and is a limit itself, masks it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "verdict_priv.h"

#define WITNESS 0.05 /* how much more it must have carried */
#define WITNESS_P 0.995
#define PAIR_WEIGHT 2

static struct sb_estimate carried_more(struct judge_look *look, int ancestor, int test)
{
	const struct judge_table *table = look->table;
	size_t first, n = judge_cells(table, judge_key_group(table, ancestor), &first);

	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *cell = &table->cells[i], *own = NULL;

		if (!cell->bad)
			own = judge_clean_cell(table, judge_key_group(table, test), cell->round);
		if (own)
			look_add(look, cell->rate, own->rate);
	}
	return look_estimate(look, PAIR_WEIGHT);
}

/* Could more rounds tell? */
static bool is_undecided(const struct judge_look *look, int ancestor, const struct sb_estimate *e)
{
	double low, high;

	if (look->tests[ancestor].state == SB_LOSS_UNSURE)
		return true;
	sb_estimate_interval(e, &low, &high);
	return look_has(e) && high > sb_loss_to_log(WITNESS);
}

static int note_undecided(struct judge_look *look, int ancestor, int test)
{
	struct sb_verdict *v = look->verdict;
	struct sb_undecided *more = reallocarray(v->undecided, v->n_undecided + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	v->undecided = more;
	more[v->n_undecided++] = (struct sb_undecided){look->tree->tests[ancestor].node,
						       look->tree->tests[test].node};
	return 0;
}

static int judge_parents_of(struct judge_look *look, int test)
{
	struct look_test *t = &look->tests[test];
	int rc = 0;

	for (int a = look->tree->tests[test].up; a >= 0 && rc == 0; a = look->tree->tests[a].up) {
		struct sb_estimate e = carried_more(look, a, test);
		double p = sb_estimate_above(&e, 0);

		if (look_has(&e) && e.mean >= sb_loss_to_log(WITNESS) && p >= WITNESS_P) {
			t->witness_p = fmin(t->witness_p, p);
			continue;
		}
		if (look->tests[a].state == SB_LOSS_LIMIT) {
			t->masked_by = a;
			look->verdict->losses[test].masked_by = look->tree->tests[a].node;
		} else if (t->masked_by < 0) {
			look->open[(size_t)test * look->tree->n_tests + (size_t)a] = true;
			if (is_undecided(look, a, &e))
				rc = note_undecided(look, a, test);
		}
	}
	return rc;
}

int judge_parents(struct judge_look *look)
{
	int rc = 0;

	for (size_t i = 0; i < look->tree->n_tests && rc == 0; i++) {
		look->tests[i].masked_by = -1;
		look->tests[i].witness_p = 1;
		if (look->tests[i].state == SB_LOSS_LIMIT)
			rc = judge_parents_of(look, (int)i);
	}
	return rc;
}
