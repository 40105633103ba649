/* Leave out: what one child leaves (or a third of many), the others of a shared capacity get. Where
 * nothing comes back it is none: vibration, or a pair that the tree does not show. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define FEWEST_PAIRS 3
#define REFUTE_P 0.02
#define SANE (-0.25) /* others cannot fall when one rests: below this the runs are not used */
#define PAIR_WEIGHT 2

/* One test of which leave-one-out runs exist. */
struct rest_case {
	struct judge_look *look;
	const struct sb_test *test;
	int key_group, key_left_out;
	bool *rests; /* by child */
	size_t n_rest;
	double *own; /* by child: clean mean of its own runs */
	bool *hurt;  /* by child: it is among those that lose */
	size_t n_hurt;
};

/* Which children rest, the same ones in all of the runs; else 0. */
static size_t find_resting(struct rest_case *c)
{
	const struct judge_table *table = c->look->table;
	size_t first, n = judge_cells(table, c->key_left_out, &first);

	c->n_rest = 0;
	for (size_t k = 0; n && k < c->test->n_children; k++) {
		const struct sb_test_child *child = &c->test->children[k];

		c->rests[k] = judge_rests(c->look->tree, table->cells[first].phase, child);
		c->n_rest += c->rests[k];
		for (size_t i = first; i < first + n; i++)
			if (judge_rests(c->look->tree, table->cells[i].phase, child) != c->rests[k])
				return c->n_rest = 0;
	}
	return c->n_rest;
}

static double part(const struct rest_case *c, const struct noise_cell *cell, size_t child)
{
	const struct sb_test_child *k = &c->test->children[child];

	return judge_part(c->look->table, cell, k->first, k->n);
}

/* The group's clean run of the same round as a run with one left out; NULL */
static const struct noise_cell *partner(const struct rest_case *c, const struct noise_cell *rest)
{
	return rest->bad ? NULL : judge_clean_cell(c->look->table, c->key_group, rest->round);
}

static double loss_in(const struct rest_case *c, const struct noise_cell *group, size_t child)
{
	double rate = part(c, group, child);

	return c->own[child] > 0 ? log(c->own[child] / fmax(rate, 1e-9)) : 0;
}

static bool is_hurt(const struct rest_case *c, size_t child)
{
	const struct judge_table *table = c->look->table;
	size_t first, n = judge_cells(table, c->key_left_out, &first), pairs = 0;
	double sum = 0, least = INFINITY;

	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *group = partner(c, &table->cells[i]);

		if (!group)
			continue;
		sum += loss_in(c, group, child);
		least = fmin(least, loss_in(c, group, child));
		pairs++;
	}
	return pairs && sum / (double)pairs >= sb_loss_to_log(LOSS_DISK) &&
	       least >= sb_loss_to_log(LOSS_FREE);
}

/* What the others that are not hurt lose, over all pairs, and what they could give. */
static bool calm_ones_lose(const struct rest_case *c)
{
	const struct judge_table *table = c->look->table;
	size_t first, n = judge_cells(table, c->key_left_out, &first);
	double lost = 0, could = 0;

	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *group = partner(c, &table->cells[i]);

		for (size_t k = 0; group && k < c->test->n_children; k++) {
			if (c->rests[k] || c->hurt[k])
				continue;
			lost += c->own[k] - part(c, group, k);
			could += c->own[k];
		}
	}
	return lost > LOSS_FREE * could;
}

/* Those to look at: the ones that lose, if the loss is theirs alone; else all that remain. */
static void choose(struct rest_case *c)
{
	for (size_t k = 0; k < c->test->n_children; k++) {
		c->hurt[k] = !c->rests[k] && is_hurt(c, k);
		c->n_hurt += c->hurt[k];
	}
	if (c->n_hurt + c->n_rest < c->test->n_children && calm_ones_lose(c))
		c->n_hurt = 0;
	for (size_t k = 0; k < c->test->n_children && !c->n_hurt; k++)
		c->hurt[k] = !c->rests[k];
}

/* One pair: what came, and what could, as fractions of what they had. */
static bool look_at_pair(const struct rest_case *c, const struct noise_cell *group,
			 const struct noise_cell *rest, double *came, double *could)
{
	double have = 0, got = 0, mine = 0, every = 0, left = 0, share;

	for (size_t k = 0; k < c->test->n_children; k++) {
		double rate = part(c, group, k);

		if (c->rests[k]) {
			left += rate;
			continue;
		}
		every += c->own[k] - rate;
		if (!c->hurt[k])
			continue;
		have += rate;
		got += part(c, rest, k);
		mine += c->own[k] - rate;
	}
	share = every > 0 ? mine / every : 1;
	*could = fmin(mine, left * fmin(1, share));
	if (have <= 0 || *could <= 0)
		return false;
	*could /= have;
	*came = (got - have) / have;
	return true;
}

static void measure(struct rest_case *c, struct sb_node_loss *loss)
{
	struct judge_look *look = c->look;
	size_t first, n = judge_cells(look->table, c->key_left_out, &first);
	struct sb_estimate e;
	double sum = 0;

	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *rest = &look->table->cells[i];
		const struct noise_cell *group = partner(c, rest);
		double could, came;

		if (!group || !look_at_pair(c, group, rest, &came, &could))
			continue;
		look->values[look->n_values++] = came;
		sum += could;
	}
	e = look_estimate(look, PAIR_WEIGHT);
	if (!look_has(&e))
		return;
	sum /= (double)e.n;
	loss->left_out = true;
	loss->recovered = e.mean / sum;
	loss->q = sb_estimate_above(&e, sum / 2);
	loss->n_left_out = e.n;
	loss->n_resting = c->n_rest;
	loss->clean = e.n >= FEWEST_PAIRS && 3 * e.n >= 2 * n;
}

static int judge_test(struct judge_look *look, size_t index)
{
	const struct sb_test *test = &look->tree->tests[index];
	struct rest_case c = {.look = look,
			      .test = test,
			      .key_group = judge_key_group(look->table, (int)index),
			      .key_left_out = judge_key_left_out(look->table, (int)index)};
	SB_AUTO_FREE double *own = calloc(test->n_children, sizeof(*own));
	SB_AUTO_FREE bool *hurt = calloc(test->n_children, sizeof(*hurt));
	SB_AUTO_FREE bool *rests = calloc(test->n_children, sizeof(*rests));

	c.own = own;
	c.hurt = hurt;
	c.rests = rests;
	if (!own || !hurt || !rests)
		return -ENOMEM;
	if (!find_resting(&c))
		return 0;
	for (size_t k = 0; k < test->n_children; k++)
		own[k] = look_child_rate(look, &test->children[k]);
	choose(&c);
	measure(&c, &look->verdict->losses[index]);
	return 0;
}

int judge_leave_out(struct judge_look *look)
{
	int rc = 0;

	for (size_t i = 0; i < look->tree->n_tests && rc == 0; i++)
		rc = judge_test(look, i);
	return rc;
}

bool judge_refutes(const struct sb_node_loss *loss)
{
	return loss->left_out && loss->clean && loss->q < REFUTE_P && loss->recovered >= SANE;
}
