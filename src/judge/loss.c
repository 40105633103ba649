/* The loss of each test: what its children's groups give less what its own gives, as a log ratio
 * paired within rounds. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

/* Sum of the children's clean runs of a round; NaN when one is missing. `each`: by child, or NULL.
 */
static double children_rate(const struct judge_look *look, const struct sb_test *test,
			    unsigned round, double *each)
{
	double sum = 0;

	for (size_t i = 0; i < test->n_children; i++) {
		const struct noise_cell *cell = judge_clean_cell(
			look->table, look_child_key(look, &test->children[i]), round);

		if (!cell)
			return NAN;
		sum += cell->rate;
		if (each)
			each[i] = cell->rate;
	}
	return sum;
}

/* Noise of a sum of independent runs: the sum of the squares of their shares. */
static double noise_of_sum(const double *shares, size_t n, double total)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (shares[i] / total) * (shares[i] / total);
	return sum;
}

static int by_groups(struct judge_look *look, size_t index)
{
	const struct judge_table *table = look->table;
	const struct sb_test *test = &look->tree->tests[index];
	SB_AUTO_FREE double *each = calloc(2 * test->n_children, sizeof(*each));
	size_t first, n = judge_cells(table, judge_key_group(table, (int)index), &first);
	double total = 0;

	if (!each)
		return -ENOMEM;
	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *cell = &table->cells[i];
		double sum =
			cell->bad ? NAN
				  : children_rate(look, test, cell->round, each + test->n_children);

		if (isnan(sum))
			continue;
		for (size_t k = 0; k < test->n_children; k++)
			each[k] += each[test->n_children + k];
		total += sum;
		look_add(look, sum, cell->rate);
	}
	look->tests[index].x = look_estimate(look, 1 + noise_of_sum(each, test->n_children, total));
	return 0;
}

/* Sum of the devices alone in a round; NaN when one is missing. */
static double alone_rate(const struct judge_look *look, const struct sb_test *test, unsigned round)
{
	double sum = 0;

	for (size_t place = test->first; place < test->first + test->n; place++) {
		const struct noise_cell *cell =
			judge_clean_cell(look->table, look->tree->devices[place], round);

		if (!cell)
			return NAN;
		sum += cell->rate;
	}
	return sum;
}

/* What the devices of a test lose in `all` is lost at the test, below or above it: a bound that
 * needs no groups. */
static void by_all(struct judge_look *look, size_t index)
{
	const struct judge_table *table = look->table;
	const struct sb_test *test = &look->tree->tests[index];
	size_t first, n = judge_cells(table, judge_key_all(table), &first);

	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *cell = &table->cells[i];
		double alone = cell->bad ? NAN : alone_rate(look, test, cell->round);

		if (!isnan(alone))
			look_add(look, alone, judge_part(table, cell, test->first, test->n));
	}
	look->tests[index].bound = look_estimate(look, 1 + 1 / (double)test->n);
}

static int reject(struct judge_look *look)
{
	size_t n = 0;
	SB_AUTO_FREE struct hypothesis *h = calloc(look->tree->n_tests, sizeof(*h));

	if (!h)
		return -ENOMEM;
	for (size_t i = 0; i < look->tree->n_tests; i++) {
		const struct sb_estimate *x = &look->tests[i].x;

		if (look_has(x))
			h[n++] = (struct hypothesis){
				.p = 1 - sb_estimate_above(x, sb_loss_to_log(LOSS_CERTAIN)),
				.index = i};
	}
	judge_holm(h, n, look->tree->n_tests);
	for (size_t i = 0; i < n; i++)
		look->tests[h[i].index].rejected = h[i].rejected;
	return 0;
}

static bool is_free(const struct sb_estimate *e)
{
	return look_has(e) && e->mean < sb_loss_to_log(LOSS_PRACTICAL) &&
	       sb_estimate_above(e, sb_loss_to_log(LOSS_FREE)) <= ERROR_CLEAR;
}

static int state_of(const struct look_test *t)
{
	if (t->rejected && t->x.mean >= sb_loss_to_log(LOSS_PRACTICAL))
		return SB_LOSS_LIMIT;
	if (is_free(&t->x) || (!t->rejected && is_free(&t->bound)))
		return SB_LOSS_FREE;
	return SB_LOSS_UNSURE;
}

/* For the reader: the same figures as fractions. */
static void tell(struct judge_look *look, size_t index)
{
	struct sb_node_loss *loss = &look->verdict->losses[index];
	const struct look_test *t = &look->tests[index];
	const struct sb_estimate *e = look_loss(look, index);
	double low, high;

	*loss = (struct sb_node_loss){.node = look->tree->tests[index].node,
				      .state = t->state,
				      .n = e->n,
				      .by_group = look_has(&t->x),
				      .masked_by = -1,
				      .recovered = NAN,
				      .q = NAN};
	sb_estimate_interval(e, &low, &high);
	loss->loss = sb_log_to_loss(e->mean);
	loss->low = sb_log_to_loss(low);
	loss->high = sb_log_to_loss(high);
	loss->p = sb_estimate_above(e, sb_loss_to_log(LOSS_PRACTICAL));
	if (look_has(e) && e->n > look->verdict->rounds)
		look->verdict->rounds = e->n;
}

int judge_losses(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;
	size_t n = look->tree->n_tests;
	int rc = 0;

	v->losses = calloc(n, sizeof(*v->losses));
	if (!v->losses)
		return -ENOMEM;
	v->n_losses = n;
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = by_groups(look, i);
		by_all(look, i);
	}
	if (rc == 0)
		rc = reject(look);
	for (size_t i = 0; i < n && rc == 0; i++) {
		look->tests[i].state = state_of(&look->tests[i]);
		tell(look, i);
	}
	return rc;
}
