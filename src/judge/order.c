/* What the verdict is, of all that was found: the first answer that fits. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "md_priv.h"
#include "verdict_priv.h"

/* A test, by the probability that it loses over 3 %. */
struct ranked {
	double p;
	size_t test;
};

struct answer_case {
	struct judge_look *look;
	struct ranked *rest; /* tests that are neither limits nor masked, likeliest first */
	size_t n_rest;
	int rc;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p > y->p ? -1 : 1;
	return x->test > y->test ? -1 : x->test < y->test;
}

static void rank(struct answer_case *c)
{
	const struct sb_verdict *v = c->look->verdict;

	for (size_t i = 0; i < v->n_losses; i++)
		if (v->losses[i].state != SB_LOSS_LIMIT)
			c->rest[c->n_rest++] =
				(struct ranked){isnan(v->losses[i].p) ? 0.5 : v->losses[i].p, i};
	qsort(c->rest, c->n_rest, sizeof(*c->rest), compare_ranked);
}

static int node_of_rest(const struct answer_case *c, size_t i)
{
	return i < c->n_rest ? c->look->tree->tests[c->rest[i].test].node : -1;
}

/* Room for so many candidates. */
static int *candidates(struct answer_case *c, size_t n)
{
	struct sb_verdict *v = c->look->verdict;

	v->candidates = calloc(n ? n : 1, sizeof(*v->candidates));
	v->n_candidates = v->candidates ? n : 0;
	c->rc = v->candidates ? 0 : -ENOMEM;
	return v->candidates;
}

static const struct sb_limit *first_limit(const struct sb_verdict *v, bool refuted)
{
	for (size_t i = 0; i < v->n_limits; i++)
		if (v->limits[i].refuted == refuted)
			return &v->limits[i];
	return NULL;
}

static bool accused(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;
	const struct sb_limit *l = first_limit(v, false);

	if (!l)
		return false;
	v->cls = l->cls;
	v->node = l->node;
	v->confidence = l->confidence;
	v->capacity_bytes_s = l->capacity_bytes_s;
	v->runner_up = node_of_rest(c, 0);
	if (candidates(c, l->n_candidates))
		memcpy(v->candidates, l->candidates, l->n_candidates * sizeof(int));
	for (size_t i = l->n_candidates; i-- > 0;)
		if (l->candidates[i] != l->node)
			v->runner_up = l->candidates[i];
	return true;
}

static void name_devices(struct answer_case *c, const int *devices, size_t n)
{
	int *list = candidates(c, n);

	for (size_t i = 0; list && i < n; i++)
		list[i] = look_node(c->look, devices[i]);
}

/* A loss that leaving one out does not give back. */
static bool refuted(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;
	const struct sb_limit *l = first_limit(v, true);

	if (!l)
		return false;
	v->cls = v->n_local == 1 ? SB_CLASS_DISK : SB_CLASS_UNKNOWN;
	v->node = v->n_local == 1 ? look_node(c->look, v->local[0]) : l->test_node;
	v->confidence = 1 - v->losses[sb_test_tree_find(c->look->tree, l->test_node)].q;
	v->runner_up = l->test_node;
	v->cannot_tell = v->n_local == 0;
	name_devices(c, v->local, v->n_local);
	return true;
}

/* The loss above which one is excluded everywhere; NaN when a test has none measured. */
static double smallest_excluded(const struct sb_verdict *v)
{
	double largest = 0;

	for (size_t i = 0; i < v->n_losses; i++) {
		if (isnan(v->losses[i].high))
			return NAN;
		largest = fmax(largest, v->losses[i].high);
	}
	return largest;
}

static bool unsure(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;
	size_t n = 0;
	int *list;

	for (size_t i = 0; i < v->n_losses; i++)
		n += v->losses[i].state == SB_LOSS_UNSURE;
	if (!n || v->local_certain)
		return false;
	v->cannot_tell = true;
	v->confidence = c->rest[0].p;
	v->runner_up = node_of_rest(c, 0);
	v->smallest_excluded = smallest_excluded(v);
	list = candidates(c, n);
	n = 0;
	for (size_t i = 0; list && i < c->n_rest; i++)
		if (v->losses[c->rest[i].test].state == SB_LOSS_UNSURE)
			list[n++] = node_of_rest(c, i);
	return true;
}

static bool local(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;

	if (!v->n_local)
		return false;
	v->cannot_tell = false;
	v->cls = v->n_local == 1 ? SB_CLASS_DISK : SB_CLASS_UNKNOWN;
	v->node = v->n_local == 1 ? look_node(c->look, v->local[0]) : v->local_home;
	v->runner_up = v->local_home;
	v->confidence = 1;
	for (size_t i = 0; i < v->n_local; i++)
		v->confidence =
			fmin(v->confidence, sb_estimate_above(&c->look->devices[v->local[i]].loss,
							      sb_loss_to_log(LOSS_PRACTICAL)));
	name_devices(c, v->local, v->n_local);
	return true;
}

static int compare_slow(const struct judge_look *look, const struct sb_slow_disk *a,
			const struct sb_slow_disk *b)
{
	double x = look->devices[a->device].alone_bytes_s;
	double y = look->devices[b->device].alone_bytes_s;

	return x < y ? -1 : x > y;
}

/* Slowest first; few. */
static void sort_slow(const struct judge_look *look, struct sb_slow_disk *slow, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sb_slow_disk one = slow[i];
		size_t k = i;

		for (; k > 0 && compare_slow(look, &one, &slow[k - 1]) < 0; k--)
			slow[k] = slow[k - 1];
		slow[k] = one;
	}
}

static bool slow(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;
	int *devices = calloc(v->n_slow + 1, sizeof(*devices)), home;

	if (!devices)
		c->rc = -ENOMEM;
	if (!v->n_slow || !devices) {
		free(devices);
		return !devices;
	}
	for (size_t i = 0; i < v->n_slow; i++)
		devices[i] = v->slow[i].device;
	home = sb_test_tree_home(c->look->tree, devices, v->n_slow);
	v->cannot_tell = false;
	v->cls = SB_CLASS_DISK;
	v->node = look_node(c->look, devices[0]);
	v->confidence = v->slow[0].p;
	v->runner_up = c->look->tree->tests[home].node;
	name_devices(c, devices, v->n_slow);
	free(devices);
	return true;
}

/* An array that is below what its members let it give. */
static bool array(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;
	const struct sb_md_array *a = judge_md_limit(c->look->result);
	const struct sb_md_reading *r = a ? judge_md_below(a) : NULL;
	int *list = r ? candidates(c, 1) : NULL;

	if (!r || !list)
		return false;
	list[0] = a->node;
	v->cannot_tell = false;
	v->cls = r->cpu_loss > 0 ? SB_CLASS_CPU : SB_CLASS_MD;
	v->node = a->node;
	v->confidence = r->p_below;
	v->capacity_bytes_s = r->bytes_s;
	v->runner_up = node_of_rest(c, 0);
	return true;
}

static bool none(struct answer_case *c)
{
	struct sb_verdict *v = c->look->verdict;
	double doubt = 0;

	for (size_t i = 0; i < v->n_losses; i++)
		doubt += sb_estimate_above(look_loss(c->look, i), sb_loss_to_log(LOSS_FREE));
	v->cannot_tell = false;
	v->cls = SB_CLASS_NONE;
	v->confidence = fmax(0, 1 - doubt);
	v->capacity_bytes_s = judge_clean_mean(c->look->table, judge_key_all(c->look->table));
	v->runner_up = node_of_rest(c, 0);
	return true;
}

static bool (*const answers[])(struct answer_case *) = {accused, refuted, unsure, local,
							slow,	 array,	  none};

int judge_order(struct judge_look *look)
{
	SB_AUTO_FREE struct ranked *rest = calloc(look->tree->n_tests, sizeof(*rest));
	struct answer_case c = {.look = look, .rest = rest};

	if (!rest)
		return -ENOMEM;
	rank(&c);
	sort_slow(look, look->verdict->slow, look->verdict->n_slow);
	look->verdict->cls = SB_CLASS_UNKNOWN;
	look->verdict->cannot_tell = false;
	for (size_t i = 0; i < SB_COUNT(answers); i++)
		if (answers[i](&c))
			break;
	return c.rc;
}
