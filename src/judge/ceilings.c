/* Which of the nodes that could be a limit, by what each can practically carry. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verdict_priv.h"

#define CEILING_LOW 0.85  /* of a ceiling: the published error of the link formula is 5-8 % */
#define CEILING_HIGH 1.10 /* above it the ceiling or the rate is wrong */

static int note_above(struct sb_verdict *v, int node)
{
	int *more;

	for (size_t i = 0; i < v->n_above_ceiling; i++)
		if (v->above_ceiling[i] == node)
			return 0;
	more = reallocarray(v->above_ceiling, v->n_above_ceiling + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	v->above_ceiling = more;
	more[v->n_above_ceiling++] = node;
	return 0;
}

int judge_uncut(const struct limit_case *c, struct sb_limit *limit)
{
	int *all = calloc(c->n_chain, sizeof(*all));

	if (!all)
		return -ENOMEM;
	memcpy(all, c->chain, c->n_chain * sizeof(*all));
	free(limit->candidates);
	limit->candidates = all;
	limit->n_candidates = c->n_chain;
	limit->node = c->chain[0];
	limit->ceiling_bytes_s = NAN;
	return 0;
}

static void to_front(int *list, size_t at)
{
	int first = list[at];

	memmove(list + 1, list, at * sizeof(*list));
	list[0] = first;
}

int judge_ceilings(struct judge_look *look, struct limit_case *c, struct sb_limit *limit)
{
	double cap = c->capacity_bytes_s, lowest = INFINITY;
	size_t n = 0, pick = 0;
	int rc = 0;

	limit->candidates = calloc(c->n_chain, sizeof(*limit->candidates));
	if (!limit->candidates)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_chain && rc == 0; i++) {
		double ceiling = judge_practical(look->result, c->chain[i]);

		if (ceiling > 0 && cap < CEILING_LOW * ceiling)
			continue;
		if (ceiling > 0 && cap > CEILING_HIGH * ceiling)
			rc = note_above(look->verdict, c->chain[i]);
		else if (ceiling > 0 && ceiling < lowest) {
			lowest = ceiling;
			pick = n;
		}
		limit->candidates[n++] = c->chain[i];
	}
	limit->n_candidates = n;
	c->named = n ? limit->candidates[pick] : -1;
	if (rc == 0 && !n) /* each can carry more than was seen: then none is more likely */
		return judge_uncut(c, limit);
	if (rc < 0)
		return rc;
	to_front(limit->candidates, pick);
	limit->node = c->named;
	if (isfinite(lowest))
		limit->ceiling_bytes_s = lowest;
	return 0;
}
