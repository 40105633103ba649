/* What is not the same before and after. */
#include "compare_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define NAMES_MOST 6

static bool is_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Takes the texts. 0 or -ENOMEM. */
static int add_change(struct sb_comparison *out, const char *what, bool load, char *before,
		      char *after)
{
	struct sb_change *more = reallocarray(out->changes, out->n_changes + 1, sizeof(*more));

	if (more)
		out->changes = more;
	if (!more || is_equal(before, after)) {
		free(before);
		free(after);
		return more ? 0 : -ENOMEM;
	}
	more[out->n_changes++] = (struct sb_change){
		.what = strdup(what), .before = before, .after = after, .load = load};
	return more[out->n_changes - 1].what ? 0 : -ENOMEM;
}

int compare_add_name(char **list, size_t n, char *name)
{
	char *longer = !name		 ? NULL
		       : n == 0		 ? strdup(name)
		       : n < NAMES_MOST	 ? sb_format("%s, %s", *list, name)
		       : n == NAMES_MOST ? sb_format("%s ...", *list)
					 : strdup(*list);

	free(name);
	free(*list);
	*list = longer;
	return longer ? 0 : -ENOMEM;
}

/* Devices that changed from the same to the same are told in one. */
static int device_changes(struct compare *c, size_t row)
{
	struct sb_comparison *out = c->out;
	size_t first = out->n_changes, n = 0;
	size_t *counts = calloc(c->n_entities + 1, sizeof(*counts));
	int rc = counts ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < c->n_entities; i++) {
		int a = -1, b = -1;
		const struct sb_result *x = compare_having(c, &c->entities[i], 0, &a);
		const struct sb_result *y = compare_having(c, &c->entities[i], 1, &b);
		char *before, *after;
		size_t at = first;

		if (!x || !y)
			continue;
		n++;
		before = compare_of_device[row].text(x, a);
		after = compare_of_device[row].text(y, b);
		while (at < out->n_changes && !(is_equal(out->changes[at].before, before) &&
						is_equal(out->changes[at].after, after)))
			at++;
		if (at < out->n_changes) {
			free(before);
			free(after);
		} else {
			rc = add_change(out, compare_of_device[row].what,
					compare_of_device[row].load, before, after);
		}
		if (rc == 0 && at < out->n_changes)
			rc = compare_add_name(&out->changes[at].subject, counts[at - first]++,
					      compare_name(x, a));
	}
	if (out->n_changes == first + 1 && n > 1 && counts[0] == n) {
		free(out->changes[first].subject);
		out->changes[first].subject = NULL;
	}
	free(counts);
	return rc;
}

int compare_changes(struct compare *c)
{
	const struct sb_result *before = compare_result(c, 0);
	const struct sb_result *after = compare_result(c, c->wish->n_before);
	int rc = 0;

	for (size_t i = 0; compare_of_run[i].what && rc == 0; i++)
		rc = add_change(c->out, compare_of_run[i].what, compare_of_run[i].load,
				compare_of_run[i].text(before), compare_of_run[i].text(after));
	for (size_t i = 0; compare_of_device[i].what && rc == 0; i++)
		rc = device_changes(c, i);
	return rc;
}

static bool differs(char *a, char *b)
{
	bool result = !is_equal(a, b);

	free(a);
	free(b);
	return result;
}

static bool device_differs(const struct compare *c, size_t a, size_t b, size_t row)
{
	for (size_t i = 0; i < c->n_entities; i++) {
		int x = c->entities[i].device_of[a], y = c->entities[i].device_of[b];

		if (x >= 0 && y >= 0 &&
		    differs(compare_of_device[row].text(compare_result(c, a), x),
			    compare_of_device[row].text(compare_result(c, b), y)))
			return true;
	}
	return false;
}

char *compare_differs(const struct compare *c, size_t a, size_t b)
{
	const struct sb_result *x = compare_result(c, a), *y = compare_result(c, b);
	char *list = NULL;
	size_t n = 0;

	for (size_t i = 0; compare_of_run[i].what; i++)
		if (differs(compare_of_run[i].text(x), compare_of_run[i].text(y)) &&
		    compare_add_name(&list, n++, strdup(compare_of_run[i].what)) < 0)
			return NULL;
	for (size_t i = 0; compare_of_device[i].what; i++)
		if (device_differs(c, a, b, i) &&
		    compare_add_name(&list, n++, strdup(compare_of_device[i].what)) < 0)
			return NULL;
	return list;
}
