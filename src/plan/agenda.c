/* What diagnose has decided on and not appended yet, and whether it fits the time. */
#include <errno.h>
#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"

#define SMALL 8u /* devices: up to here and from there on the budget grows otherwise */
#define MIDDLE 24u
#define ROUNDS_MORE 1.2 /* where only runs that stand out follow the rounds: so much of them */

double sb_plan_first_rounds(const struct sb_result *result, const struct sb_test_tree *tree)
{
	double seconds = 0;

	for (size_t i = 0; i < result->n_devices; i++) {
		struct sb_wish alone = sb_plan_wish_device((int)i, 1);

		seconds += sb_plan_wish_cost(result, tree, &alone);
	}
	for (int i = tree->n_tests ? 0 : -1; i < (int)tree->n_tests; i++) {
		struct sb_wish group = sb_plan_wish_test(tree, i, 1);

		seconds += sb_plan_wish_cost(result, tree, &group);
	}
	return seconds * sb_plan_rounds(result, SB_DEFAULT_ROUNDS, SB_DEFAULT_ROUNDS);
}

double sb_plan_budget(const struct sb_result *result, const struct sb_test_tree *tree)
{
	double seconds = 110, length = result->options.runtime_s;
	size_t n = tree->n_devices;

	if (n < 2 || sb_plan_is(result->options.plan, "quick"))
		return ROUNDS_MORE * sb_plan_first_rounds(result, tree);
	if (n > MIDDLE)
		seconds = 278 + 9 * (double)(n - MIDDLE);
	else if (n > SMALL)
		seconds = 110 + 10.5 * (double)(n - SMALL);
	/* who wishes other lengths gets as many phases */
	if (length > 0)
		seconds *= (length + SB_OVERHEAD_S) / (SB_ALONE_S + SB_OVERHEAD_S);
	return seconds;
}

int sb_plan_wish(struct sb_result *result, struct sb_wish wish, const char *format, ...)
{
	struct sb_agenda *agenda = &result->agenda;
	struct sb_wish *more;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&wish.reason, format, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	more = reallocarray(agenda->wishes, agenda->n_wishes + 1, sizeof(*more));
	if (!more) {
		free(wish.reason);
		return -ENOMEM;
	}
	agenda->wishes = more;
	more[agenda->n_wishes++] = wish;
	return 0;
}

void sb_plan_forget_wishes(struct sb_result *result)
{
	struct sb_agenda *agenda = &result->agenda;

	for (size_t i = 0; i < agenda->n_wishes; i++)
		free(agenda->wishes[i].reason);
	free(agenda->wishes);
	agenda->wishes = NULL;
	agenda->n_wishes = agenda->wish = 0;
}

struct sb_wish sb_plan_wish_device(int device, unsigned round)
{
	return (struct sb_wish){.kind = SB_PHASE_ALONE,
				.round = round,
				.device = device,
				.node = -1,
				.left_out = -1};
}

struct sb_wish sb_plan_wish_test(const struct sb_test_tree *tree, int test, unsigned round)
{
	bool root = test < 0 || (size_t)test + 1 == tree->n_tests;

	return (struct sb_wish){.kind = root ? SB_PHASE_ALL : SB_PHASE_GROUP,
				.round = round,
				.device = -1,
				.node = test < 0 ? -1 : tree->tests[test].node,
				.left_out = -1};
}

struct sb_wish sb_plan_wish_child(const struct sb_test_tree *tree,
				  const struct sb_test_child *child, unsigned round)
{
	return child->test >= 0 ? sb_plan_wish_test(tree, child->test, round)
				: sb_plan_wish_device(child->device, round);
}

bool sb_plan_is_same(const struct sb_wish *a, const struct sb_wish *b)
{
	return a->kind == b->kind && a->round == b->round && a->device == b->device &&
	       a->node == b->node && a->left_out == b->left_out && a->n_first == b->n_first &&
	       a->array == b->array && a->streams == b->streams;
}

int *sb_plan_ramp_row(const struct sb_test_tree *tree, const struct sb_test *test)
{
	int *row = calloc(test->n, sizeof(*row));
	size_t n = 0;

	for (size_t turn = 0; row && n < test->n; turn++)
		for (size_t i = 0; i < test->n_children; i++)
			if (turn < test->children[i].n)
				row[n++] = tree->devices[test->children[i].first + turn];
	return row;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static bool is_at_rest(const struct sb_result *result, const struct sb_test_tree *tree,
		       const struct sb_test *test, const struct sb_wish *wish, size_t place)
{
	const struct sb_test_child *c = test->children;
	int node;

	while (place < c->first || place >= c->first + c->n)
		c++;
	node = sb_test_child_node(tree, result, c);
	for (size_t i = 0; wish->left_out >= 0 && i < result->agenda.n_rests; i++)
		if (result->agenda.rests[i] == node)
			return true;
	return false;
}

/* The devices of a wish that can still be read, in the order of the devices. A group of which only
 * one is left is no group. Their number or -ENOMEM. */
static int devices_of(const struct sb_result *result, const struct sb_test_tree *tree,
		      const struct sb_wish *wish, int **list)
{
	int test = sb_test_tree_find(tree, wish->node);
	int n = 0;

	if (wish->array)
		return sb_plan_array_devices(result, wish, list);
	*list = calloc(tree->n_devices + 1, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	if (wish->kind == SB_PHASE_ALONE) {
		(*list)[0] = wish->device;
		return sb_plan_usable(&result->devices[wish->device]);
	}
	if (wish->kind == SB_PHASE_ALL) {
		memcpy(*list, tree->devices, tree->n_devices * sizeof(**list));
		n = tree->n_devices > 1 ? (int)tree->n_devices : 0;
	} else if (test >= 0 && wish->kind == SB_PHASE_RAMP) {
		SB_AUTO_FREE int *row = sb_plan_ramp_row(tree, &tree->tests[test]);

		if (!row)
			return -ENOMEM;
		while ((size_t)n < wish->n_first && (size_t)n < tree->tests[test].n) {
			(*list)[n] = row[n];
			n++;
		}
	} else if (test >= 0 && tree->tests[test].node == wish->node) {
		const struct sb_test *t = &tree->tests[test];

		for (size_t place = t->first; place < t->first + t->n; place++)
			if (!is_at_rest(result, tree, t, wish, place))
				(*list)[n++] = tree->devices[place];
	}
	qsort(*list, (size_t)n, sizeof(**list), compare_ints);
	return n;
}

static double base_length(int kind)
{
	return kind == SB_PHASE_ALONE ? SB_ALONE_S : SB_ALL_S;
}

double sb_plan_wish_cost(const struct sb_result *result, const struct sb_test_tree *tree,
			 const struct sb_wish *wish)
{
	SB_AUTO_FREE int *list = NULL;
	int n = devices_of(result, tree, wish, &list);
	double seconds = base_length(wish->kind);
	bool turning = false;

	for (int i = 0; i < n; i++)
		turning |= result->devices[list[i]].rotational;
	if (n <= 0)
		return 0;
	if (result->options.runtime_s > 0)
		return result->options.runtime_s + SB_OVERHEAD_S;
	return seconds + (turning ? SB_ROTATING_S : 0) + SB_OVERHEAD_S;
}

/* By amount nobody knows beforehand; then what has passed is what it took. */
static double length_of(const struct sb_result *result, const struct sb_phase *phase)
{
	double longest = 0;

	if (!sb_plan_by_amount(&result->options))
		return phase->runtime_s;
	for (size_t i = 0; i < phase->n_jobs; i++)
		longest = fmax(longest, phase->jobs[i].elapsed_seconds);
	return longest;
}

static double used(const struct sb_result *result)
{
	double seconds = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].kind != SB_PHASE_CALIBRATE &&
		    !sb_plan_is_array_phase(result, &result->phases[i]))
			seconds += length_of(result, &result->phases[i]) + SB_OVERHEAD_S;
	return seconds;
}

bool sb_plan_fits(const struct sb_result *result, const struct sb_test_tree *tree, double seconds)
{
	return used(result) + seconds <= sb_plan_budget(result, tree);
}

static int append(struct sb_result *result, const struct sb_test_tree *tree,
		  const struct sb_wish *wish)
{
	SB_AUTO_FREE int *list = NULL;
	int n = devices_of(result, tree, wish, &list);
	struct sb_phase *phase;

	if (n <= 0)
		return n;
	phase = sb_plan_phase(result, wish->kind, wish->round, base_length(wish->kind), list,
			      (size_t)n, wish->reason);
	if (!phase)
		return -ENOMEM;
	if (wish->kind != SB_PHASE_ALONE)
		phase->node = wish->node;
	phase->left_out = wish->left_out;
	if (wish->streams > 1)
		sb_plan_part(result, phase);
	if (wish->larger)
		sb_plan_enlarge(result, phase);
	return 1;
}

int sb_plan_take_wish(struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_agenda *agenda = &result->agenda;
	int rc = 0;

	while (agenda->wish < agenda->n_wishes && rc == 0) {
		const struct sb_wish *wish = &agenda->wishes[agenda->wish++];

		if (!wish->optional ||
		    sb_plan_fits(result, tree, sb_plan_wish_cost(result, tree, wish)))
			rc = append(result, tree, wish);
	}
	return rc;
}

static bool is_run_of(const struct sb_phase *phase, const struct sb_wish *wish)
{
	if (phase->kind != wish->kind || phase->round != wish->round || !phase->done ||
	    !phase->n_jobs)
		return false;
	if (wish->kind == SB_PHASE_ALONE)
		return phase->jobs[0].device == wish->device;
	return phase->node == wish->node;
}

const struct sb_phase *sb_plan_find_run(const struct sb_result *result, const struct sb_wish *wish)
{
	for (size_t i = result->n_phases; i > 0; i--) {
		const struct sb_phase *phase = &result->phases[i - 1];
		bool whole = is_run_of(phase, wish);

		for (size_t k = 0; k < phase->n_jobs && whole; k++)
			whole = phase->jobs[k].bytes_s > 0;
		if (whole)
			return phase;
	}
	return NULL;
}
