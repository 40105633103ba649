/* More rounds of what is still open, and of nothing else. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"

/* The phases of one more round, each once. */
struct keys {
	struct sb_wish *wish;
	size_t n, capacity;
	double seconds;
};

static bool has_key(const struct keys *keys, const struct sb_wish *wish)
{
	for (size_t i = 0; i < keys->n; i++)
		if (sb_plan_is_same(&keys->wish[i], wish))
			return true;
	return false;
}

static int add_key(struct keys *keys, const struct sb_result *result,
		   const struct sb_test_tree *tree, struct sb_wish wish)
{
	if (has_key(keys, &wish))
		return 0;
	if (keys->n == keys->capacity) {
		size_t capacity = keys->capacity ? keys->capacity * 2 : 16;
		struct sb_wish *more = reallocarray(keys->wish, capacity, sizeof(*more));

		if (!more)
			return -ENOMEM;
		keys->wish = more;
		keys->capacity = capacity;
	}
	keys->wish[keys->n++] = wish;
	keys->seconds += sb_plan_wish_cost(result, tree, &wish);
	return 0;
}

/* Its children's phases and its group. */
static int add_test(struct keys *keys, const struct sb_result *result,
		    const struct sb_test_tree *tree, int node)
{
	int index = sb_test_tree_find(tree, node), rc = 0;
	unsigned round = result->agenda.round + 1;

	if (index < 0)
		return 0;
	for (size_t i = 0; i < tree->tests[index].n_children && rc == 0; i++)
		rc = add_key(keys, result, tree,
			     sb_plan_wish_child(tree, &tree->tests[index].children[i], round));
	return rc ? rc : add_key(keys, result, tree, sb_plan_wish_test(tree, index, round));
}

static int add_all_open(struct keys *keys, const struct sb_result *result,
			const struct sb_test_tree *tree)
{
	const struct sb_verdict *v = &result->verdict;
	int rc = 0;

	for (size_t i = 0; i < v->n_losses && rc == 0; i++)
		if (v->losses[i].state == SB_LOSS_UNSURE)
			rc = add_test(keys, result, tree, v->losses[i].node);
	for (size_t i = 0; i < v->n_undecided && rc == 0; i++) {
		rc = add_test(keys, result, tree, v->undecided[i].upper);
		if (rc == 0)
			rc = add_test(keys, result, tree, v->undecided[i].lower);
	}
	return rc;
}

/* The unsure tests, the likeliest to lose first. */
static size_t likeliest(const struct sb_verdict *v, const struct sb_node_loss **list)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n_losses; i++) {
		const struct sb_node_loss *loss = &v->losses[i];
		double p = isnan(loss->p) ? 0 : loss->p;
		size_t k = n;

		if (loss->state != SB_LOSS_UNSURE)
			continue;
		for (; k > 0 && (isnan(list[k - 1]->p) ? 0 : list[k - 1]->p) < p; k--)
			list[k] = list[k - 1];
		list[k] = loss;
		n++;
	}
	return n;
}

static int add_what_fits(struct keys *keys, const struct sb_result *result,
			 const struct sb_test_tree *tree)
{
	SB_AUTO_FREE const struct sb_node_loss **list =
		calloc(result->verdict.n_losses + 1, sizeof(*list));
	size_t n = list ? likeliest(&result->verdict, list) : 0;
	int rc = list ? 0 : -ENOMEM;

	keys->n = 0;
	keys->seconds = 0;
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct keys before = *keys;

		rc = add_test(keys, result, tree, list[i]->node);
		if (sb_plan_fits(result, tree, keys->seconds))
			continue;
		keys->n = before.n;
		keys->seconds = before.seconds;
	}
	return rc;
}

static int describe_open(const struct sb_result *result, char **text)
{
	const struct sb_verdict *v = &result->verdict;
	int node = -1;

	for (size_t i = 0; i < v->n_losses && node < 0; i++)
		if (v->losses[i].state == SB_LOSS_UNSURE)
			node = v->losses[i].node;
	if (node < 0 && v->n_undecided)
		node = v->undecided[0].upper;
	*text = sb_node_label(&result->topo, node);
	return *text ? 0 : -ENOMEM;
}

/* Half of the devices alone, the groups, the other half; even rounds backwards. */
static int wish_keys(struct sb_result *result, const struct keys *keys, const char *open)
{
	size_t n_alone = 0, half, seen = 0, n = 0;
	SB_AUTO_FREE const struct sb_wish **order = calloc(keys->n, sizeof(*order));
	unsigned round = result->agenda.round + 1;
	int rc = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < keys->n; i++)
		n_alone += keys->wish[i].kind == SB_PHASE_ALONE;
	half = (n_alone + 1) / 2;
	for (int part = 0; part < 3; part++, seen = 0)
		for (size_t i = 0; i < keys->n; i++) {
			bool alone = keys->wish[i].kind == SB_PHASE_ALONE;
			int own = !alone ? 1 : seen++ < half ? 0 : 2;

			if (own == part)
				order[n++] = &keys->wish[i];
		}
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = sb_plan_wish(result, *order[round % 2 ? i : n - 1 - i],
				  "round %u of what is still open: whether %s limits", round, open);
	return rc;
}

static bool has_open(const struct sb_verdict *v)
{
	for (size_t i = 0; i < v->n_losses; i++)
		if (v->losses[i].state == SB_LOSS_UNSURE)
			return true;
	return v->n_undecided > 0;
}

int sb_plan_decide_extra(struct sb_result *result, const struct sb_test_tree *tree)
{
	struct keys keys = {0};
	SB_AUTO_FREE char *open = NULL;
	int rc;

	if (result->agenda.round >= SB_PLAN_ROUNDS_MAX || !has_open(&result->verdict))
		return 0;
	rc = add_all_open(&keys, result, tree);
	if (rc == 0 && !sb_plan_fits(result, tree, keys.seconds))
		rc = add_what_fits(&keys, result, tree);
	if (rc == 0 && keys.n) {
		rc = describe_open(result, &open);
		if (rc == 0)
			rc = wish_keys(result, &keys, open);
		result->agenda.round++;
		rc = rc ? rc : 1;
	}
	free(keys.wish);
	return rc;
}
