/* What the steps of a verdict have in common. */
#include <math.h>
#include <stdlib.h>

#include "verdict_priv.h"

void look_add(struct judge_look *look, double above, double below)
{
	if (above > 0 && below > 0)
		look->values[look->n_values++] = log(above / below);
}

struct sb_estimate look_estimate(struct judge_look *look, double weight)
{
	size_t n = look->n_values;

	look->n_values = 0;
	return sb_estimate(look->values, n, weight * look->table->sd * look->table->sd);
}

const struct sb_estimate *look_loss(const struct judge_look *look, size_t test)
{
	const struct look_test *t = &look->tests[test];

	return look_has(&t->x) ? &t->x : &t->bound;
}

int look_child_key(const struct judge_look *look, const struct sb_test_child *child)
{
	return child->test >= 0 ? judge_key_group(look->table, child->test) : child->device;
}

double look_child_rate(const struct judge_look *look, const struct sb_test_child *child)
{
	return judge_clean_mean(look->table, look_child_key(look, child));
}

int look_node(const struct judge_look *look, int device)
{
	return look->result->devices[device].node;
}

static int compare_p(const void *a, const void *b)
{
	const struct hypothesis *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

void judge_holm(struct hypothesis *hypotheses, size_t n, size_t family)
{
	qsort(hypotheses, n, sizeof(*hypotheses), compare_p);
	for (size_t i = 0; i < n; i++) {
		if (hypotheses[i].p > ERROR_ACCUSE / (double)(family - i))
			return;
		hypotheses[i].rejected = true;
	}
}
