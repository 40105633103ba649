/* The rows of a comparison: total, controllers, arrays, devices, CPU; and the word for each. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "verdict_priv.h"

/* Takes the names; `name_after` may be NULL. NULL out of memory. */
static struct sb_shift *add_row(struct compare *c, int kind, char *name, char *name_after)
{
	struct sb_comparison *out = c->out;
	struct sb_shift *more =
		name ? reallocarray(out->shifts, out->n_shifts + 1, sizeof(*more)) : NULL;

	if (name && name_after && strcmp(name, name_after) == 0) {
		free(name_after);
		name_after = NULL;
	}
	if (!more) {
		free(name);
		free(name_after);
		return NULL;
	}
	out->shifts = more;
	more += out->n_shifts++;
	*more = (struct sb_shift){
		.kind = kind, .name = name, .name_after = name_after, .within = NAN};
	return more;
}

static size_t count(const struct compare *c, const bool *member)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_entities; i++)
		n += member[i];
	return n;
}

static int add_sum(struct compare *c, int kind, const bool *member, char *name, char *name_after)
{
	struct sb_shift *row = add_row(c, kind, name, name_after);

	if (!row)
		return -ENOMEM;
	row->n_devices = count(c, member);
	compare_shift(c, member, row);
	return 0;
}

static int home_of(const struct compare *c, size_t result, size_t entity)
{
	int device = c->entities[entity].device_of[result];

	return device < 0 ? -1 : compare_controller(compare_result(c, result), device);
}

/* Where the members hang in a result: one controller, or how many. */
static char *place_of(const struct compare *c, size_t result, const bool *member)
{
	int homes[2] = {-1, -1};
	size_t n = 0;

	for (size_t i = 0; i < c->n_entities; i++) {
		int home = member[i] ? home_of(c, result, i) : -1;

		if (home < 0 || (n > 0 && home == homes[0]))
			continue;
		homes[n > 0] = home;
		n = n > 0 && home != homes[0] ? 2 : 1;
	}
	return n == 1 ? compare_place(compare_result(c, result), homes[0])
		      : strdup(n ? "several controllers" : "no known controller");
}

/* The disks of each controller, as it was before and as it is after: the same disks are compared,
 * wherever they hang now. */
static int add_controllers(struct compare *c, size_t result, bool **sets, size_t *n_sets)
{
	for (size_t i = 0; i < c->n_entities; i++) {
		int home = c->entities[i].in_sums ? home_of(c, result, i) : -1;
		bool *member = calloc(c->n_entities, sizeof(*member));
		bool known = home < 0;

		if (!member)
			return -ENOMEM;
		for (size_t k = 0; k < c->n_entities; k++) {
			member[k] = c->entities[k].in_sums && home_of(c, result, k) == home;
			known |= k < i && member[k];
		}
		for (size_t k = 0; k < *n_sets && !known; k++)
			known = memcmp(sets[k], member, c->n_entities * sizeof(*member)) == 0;
		if (known) {
			free(member);
			continue;
		}
		sets[(*n_sets)++] = member;
		if (add_sum(c, SB_SHIFT_CONTROLLER, member, place_of(c, 0, member),
			    place_of(c, c->wish->n_before, member)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_all_controllers(struct compare *c)
{
	bool **sets = calloc(2 * c->n_entities + 1, sizeof(*sets));
	size_t n = 0;
	int rc = sets ? add_controllers(c, 0, sets, &n) : -ENOMEM;

	if (rc == 0)
		rc = add_controllers(c, c->wish->n_before, sets, &n);
	for (size_t i = 0; i < n; i++)
		free(sets[i]);
	free(sets);
	return rc;
}

static bool is_array(const struct sb_result *result, int device)
{
	int node = result->devices[device].node;

	return node >= 0 && result->topo.nodes[node].kind == SB_NODE_MD;
}

static int add_devices(struct compare *c, int kind)
{
	SB_AUTO_FREE bool *member = calloc(c->n_entities + 1, sizeof(*member));
	int rc = member ? 0 : -ENOMEM;

	for (size_t i = 0; i < c->n_entities && rc == 0; i++) {
		const struct sb_result *before, *after;
		int a = -1, b = -1;

		before = compare_having(c, &c->entities[i], 0, &a);
		after = compare_having(c, &c->entities[i], 1, &b);
		if (!c->entities[i].matched || !before || !after ||
		    is_array(before, a) != (kind == SB_SHIFT_ARRAY))
			continue;
		member[i] = true;
		rc = add_sum(c, kind, member, compare_name(before, a), compare_name(after, b));
		member[i] = false;
	}
	return rc;
}

static int add_cpu(struct compare *c)
{
	struct sb_shift *row = add_row(c, SB_SHIFT_CPU, strdup("CPU per GiB"), NULL);

	if (!row)
		return -ENOMEM;
	compare_shift(c, NULL, row);
	if (row->before.n && row->after.n)
		return 0;
	free(row->name); /* virtual time has no CPU figures */
	c->out->n_shifts--;
	return 0;
}

/* Total and CPU stand for themselves; a controller with all the disks is the total once more.
 * Controllers with arrays, and devices, are a family each. */
static int test_family(struct compare *c, bool devices)
{
	struct sb_comparison *out = c->out;
	SB_AUTO_FREE struct hypothesis *h = calloc(out->n_shifts + 1, sizeof(*h));
	size_t n = 0;

	if (!h)
		return -ENOMEM;
	for (size_t i = 0; i < out->n_shifts; i++) {
		struct sb_shift *row = &out->shifts[i];
		bool alone = row->kind == SB_SHIFT_TOTAL || row->kind == SB_SHIFT_CPU ||
			     (row->kind == SB_SHIFT_CONTROLLER &&
			      row->n_devices == out->shifts[0].n_devices);

		if (isnan(row->p))
			continue;
		if (alone)
			row->sure = row->p <= ERROR_ACCUSE;
		else if ((row->kind == SB_SHIFT_DEVICE) == devices)
			h[n++] = (struct hypothesis){.p = row->p, .index = i};
	}
	judge_holm(h, n, n);
	for (size_t i = 0; i < n; i++)
		out->shifts[h[i].index].sure = h[i].rejected;
	return 0;
}

static void choose_word(struct sb_shift *row, double threshold)
{
	double most = fmax(fabs(row->low), fabs(row->high));
	bool more = row->shift > 0;

	if (row->sure && fabs(row->shift) >= threshold) {
		row->word = more == (row->kind != SB_SHIFT_CPU) ? SB_SHIFT_BETTER : SB_SHIFT_WORSE;
	} else if (!isnan(row->low) && most <= threshold) {
		row->word = SB_SHIFT_SAME;
		row->within = most;
	}
}

int compare_rows(struct compare *c)
{
	SB_AUTO_FREE bool *member = calloc(c->n_entities + 1, sizeof(*member));
	struct sb_comparison *out = c->out;
	int rc = member ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < c->n_entities; i++)
		member[i] = c->entities[i].in_sums;
	if (rc == 0)
		rc = add_sum(c, SB_SHIFT_TOTAL, member, strdup("total"), NULL);
	if (rc == 0 && !c->apart)
		rc = add_all_controllers(c);
	if (rc == 0)
		rc = add_devices(c, SB_SHIFT_ARRAY);
	if (rc == 0)
		rc = add_devices(c, SB_SHIFT_DEVICE);
	if (rc == 0)
		rc = add_cpu(c);
	if (rc == 0)
		rc = test_family(c, false);
	if (rc == 0)
		rc = test_family(c, true);
	for (size_t i = 0; i < out->n_shifts; i++) {
		choose_word(&out->shifts[i], out->threshold);
		out->worse |= out->shifts[i].word == SB_SHIFT_WORSE;
	}
	return rc;
}
