/* Before and after, from saved results alone. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_priv.h"
#include "judge_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "config.h"

static bool is_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Twice the same rounds would look surer than they are. */
static int check_twins(const struct compare *c)
{
	for (size_t i = 0; i < c->wish->n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct sb_result *x = compare_result(c, i), *y = compare_result(c, k);
			SB_AUTO_FREE char *a = sb_escape(c->wish->files[k]);
			SB_AUTO_FREE char *b = sb_escape(c->wish->files[i]);

			if (!is_equal(x->started, y->started) ||
			    !is_equal(x->command, y->command) ||
			    !is_equal(x->host.name, y->host.name) || x->n_phases != y->n_phases)
				continue;
			sb_error("%s and %s are the same run", a, b);
			return -EINVAL;
		}
	return 0;
}

static bool has_phases(const struct sb_result *result, int kind)
{
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *p = &result->phases[i];

		if (p->done && p->round > 0 &&
		    (p->kind == kind || (p->kind == SB_PHASE_ALONE && result->n_devices == 1)))
			return true;
	}
	return false;
}

/* What all results have. */
static int choose_kind(struct compare *c)
{
	static const int kinds[] = {SB_PHASE_ALL, SB_PHASE_ALONE};

	for (size_t k = 0; k < SB_COUNT(kinds); k++) {
		size_t n = 0;

		for (size_t i = 0; i < c->wish->n; i++)
			n += has_phases(compare_result(c, i), kinds[k]);
		c->kind = kinds[k];
		c->out->alone = kinds[k] == SB_PHASE_ALONE;
		if (n == c->wish->n)
			return 0;
	}
	sb_error("the results have no phases of one kind in common: one side was read together, "
		 "the other alone, or nothing was read");
	return -EINVAL;
}

static bool is_made_of_others(const struct sb_result *result, int device)
{
	int node = result->devices[device].node;

	for (size_t i = 0; i < result->n_devices; i++) {
		int other = result->devices[i].node;

		if ((int)i != device && node >= 0 && other >= 0 && other != node &&
		    sb_topo_reaches(&result->topo, node, other))
			return true;
	}
	return false;
}

static void look_at_entity(struct compare *c, size_t index)
{
	struct entity *e = &c->entities[index];
	bool sides[2] = {false, false};

	e->in_sums = true;
	for (size_t i = 0; i < c->wish->n; i++) {
		bool has = compare_has_rate(c, i, index);

		sides[i >= c->wish->n_before] |= has;
		e->in_sums &= has && !is_made_of_others(compare_result(c, i), e->device_of[i]);
	}
	e->matched = sides[0] && sides[1];
}

static void look_at_entities(struct compare *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_entities; i++) {
		look_at_entity(c, i);
		n += c->entities[i].in_sums || c->entities[i].matched;
	}
	c->apart = n == 0;
	for (size_t i = 0; i < c->n_entities && c->apart; i++)
		c->entities[i].in_sums = true;
}

static int add_session(struct compare *c, size_t index)
{
	const struct sb_result *r = compare_result(c, index);
	struct sb_session *s = &c->out->sessions[c->out->n_sessions++];

	*s = (struct sb_session){.file = strdup(c->wish->files[index]), .complete = r->complete};
	for (unsigned round = 1; round <= compare_rounds(r); round++)
		for (size_t i = 0; i < r->n_phases; i++)
			if (r->phases[i].done && r->phases[i].round == round &&
			    r->phases[i].kind == c->kind) {
				s->rounds++;
				break;
			}
	for (size_t i = 0; i < r->n_marks; i++)
		s->taints += r->marks[i].level == SB_MARK_TAINT;
	return !s->file || sb_set_string(&s->started, r->started) < 0 ||
			       sb_set_string(&s->label, r->label) < 0
		       ? -ENOMEM
		       : 0;
}

static int add_sessions(struct compare *c)
{
	int rc = 0;

	c->out->sessions = calloc(c->wish->n, sizeof(*c->out->sessions));
	if (!c->out->sessions)
		return -ENOMEM;
	for (size_t i = 0; i < c->wish->n && rc == 0; i++)
		rc = add_session(c, i);
	return rc;
}

int sb_judge_compare(const struct sb_compare_wish *wish, struct sb_comparison *out)
{
	struct compare c = {.wish = wish, .out = out};
	int rc;

	*out = (struct sb_comparison){.version = strdup(SB_VERSION),
				      .threshold = wish->threshold,
				      .n_before = wish->n_before};
	rc = out->version ? check_twins(&c) : -ENOMEM;
	rc = rc ? rc : choose_kind(&c);
	rc = rc ? rc : compare_match(&c);
	if (rc == 0)
		look_at_entities(&c);
	rc = rc ? rc : add_sessions(&c);
	rc = rc ? rc : compare_changes(&c);
	rc = rc ? rc : compare_rows(&c);
	rc = rc ? rc : compare_notes(&c);
	for (size_t i = 0; i < c.n_entities; i++)
		free(c.entities[i].device_of);
	free(c.entities);
	return rc;
}

int sb_judge_compare_status(const struct sb_comparison *comparison)
{
	return comparison->worse      ? SB_EXIT_WORSE
	       : comparison->doubtful ? SB_EXIT_TAINT
				      : SB_EXIT_OK;
}
