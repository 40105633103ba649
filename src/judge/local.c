/* Devices that lose under no accused node: a part that the tree does not show. */
#include <errno.h>
#include <stdlib.h>

#include "verdict_priv.h"

#define CONFIRM_P 0.95

static bool is_accused(const struct judge_look *look, size_t place)
{
	const struct sb_verdict *v = look->verdict;

	for (size_t i = 0; i < v->n_limits; i++) {
		int test = sb_test_tree_find(look->tree, v->limits[i].test_node);
		const struct sb_test *t = &look->tree->tests[test];

		if (!v->limits[i].refuted && place >= t->first && place < t->first + t->n)
			return true;
	}
	return false;
}

/* Below a part of which nobody knows yet whether it limits. */
static bool may_be_shared(const struct judge_look *look, size_t place)
{
	for (size_t i = 0; i < look->tree->n_tests; i++) {
		const struct sb_test *t = &look->tree->tests[i];

		if (look->verdict->losses[i].state == SB_LOSS_UNSURE && place >= t->first &&
		    place < t->first + t->n)
			return true;
	}
	return false;
}

/* Where a limit is named, the losers below another part that is still unsure are accused of
 * nothing: that part may take it from them. Their home stays, so that one of its parts is left out.
 */
static void spare_the_unsure(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;
	bool named = false;
	size_t n = 0;

	for (size_t i = 0; i < v->n_limits; i++)
		named |= !v->limits[i].refuted;
	for (size_t i = 0; named && i < v->n_local; i++)
		if (!may_be_shared(look, (size_t)look->tree->place[v->local[i]]))
			v->local[n++] = v->local[i];
	v->n_local = named ? n : v->n_local;
}

int judge_local(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;
	const struct sb_node_loss *rest;
	int home;

	v->local = calloc(look->tree->n_devices, sizeof(*v->local));
	if (!v->local)
		return -ENOMEM;
	for (size_t place = 0; place < look->tree->n_devices; place++) {
		int device = look->tree->devices[place];

		if (look->devices[device].loser && !is_accused(look, place))
			v->local[v->n_local++] = device;
	}
	home = sb_test_tree_home(look->tree, v->local, v->n_local);
	if (home < 0)
		return 0;
	rest = &v->losses[home];
	v->local_certain = judge_refutes(rest);
	v->local_home = rest->node;
	if (rest->left_out && rest->q > CONFIRM_P) {
		/* they rise when another rests: shared after all */
		v->n_local = 0;
		v->local_home = -1;
		v->small_shared = rest->node;
	}
	if (!v->local_certain)
		spare_the_unsure(look);
	return 0;
}
