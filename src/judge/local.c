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
	return 0;
}
