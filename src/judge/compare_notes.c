/* What a reader of a comparison has to know beside its rows. */
#include "compare_priv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define ROUNDS_ENOUGH 5
#define TARGETS_MOST 300 /* bytes of them in the advice */

static int note(struct compare *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int note(struct compare *c, const char *format, ...)
{
	char **more = reallocarray(c->out->notes, c->out->n_notes + 1, sizeof(*more));
	va_list args;
	int n;

	if (!more)
		return -ENOMEM;
	c->out->notes = more;
	va_start(args, format);
	n = vasprintf(&more[c->out->n_notes], format, args);
	va_end(args);
	if (n < 0)
		return -ENOMEM;
	c->out->n_notes++;
	return 0;
}

/* Names of the entities that are wanted; NULL: none. */
static char *list(const struct compare *c, bool (*wanted)(const struct compare *c, size_t entity))
{
	char *names = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->n_entities; i++) {
		int device = -1;
		const struct sb_result *r = compare_having(c, &c->entities[i], 0, &device);
		SB_AUTO_FREE char *raw = NULL;

		if (!wanted(c, i))
			continue;
		if (!r)
			r = compare_having(c, &c->entities[i], 1, &device);
		raw = r ? compare_name(r, device) : NULL;
		if (raw && compare_add_name(&names, n++, sb_escape(raw)) < 0)
			break;
	}
	return names;
}

static bool is_by_name(const struct compare *c, size_t entity)
{
	int a, b;

	return c->entities[entity].by_name && compare_having(c, &c->entities[entity], 0, &a) &&
	       compare_having(c, &c->entities[entity], 1, &b);
}

static bool is_on(const struct compare *c, size_t entity, int side)
{
	int device;

	return compare_having(c, &c->entities[entity], side, &device) != NULL;
}

static bool is_only_before(const struct compare *c, size_t entity)
{
	return is_on(c, entity, 0) && !is_on(c, entity, 1);
}

static bool is_only_after(const struct compare *c, size_t entity)
{
	return !is_on(c, entity, 0) && is_on(c, entity, 1);
}

static bool is_lost_in(const struct compare *c, size_t entity, size_t result)
{
	int device = c->entities[entity].device_of[result];
	int state = device < 0 ? SB_DEVICE_READY : compare_result(c, result)->devices[device].state;

	return state == SB_DEVICE_FAILED || state == SB_DEVICE_HUNG || state == SB_DEVICE_VANISHED;
}

static bool is_lost(const struct compare *c, size_t entity)
{
	bool before = !is_on(c, entity, 0), after = false;

	for (size_t i = 0; i < c->wish->n_before; i++)
		before |= is_lost_in(c, entity, i);
	for (size_t i = c->wish->n_before; i < c->wish->n; i++)
		after |= is_lost_in(c, entity, i);
	return after && !before;
}

static int note_devices(struct compare *c)
{
	SB_AUTO_FREE char *by_name = list(c, is_by_name);
	SB_AUTO_FREE char *before = list(c, is_only_before);
	SB_AUTO_FREE char *after = list(c, is_only_after);
	SB_AUTO_FREE char *lost = list(c, is_lost);
	int rc = 0;

	if (lost) {
		c->out->worse = true;
		rc = note(c, "read before, and failed, hung or vanished after: %s", lost);
	}
	if (rc == 0 && by_name)
		rc = note(c, "the same by name only, for want of an id of its own: %s", by_name);
	if (rc == 0 && before)
		rc = note(c, "only before: %s", before);
	if (rc == 0 && after)
		rc = note(c, "only after: %s", after);
	if (rc == 0 && (before || after))
		rc = note(c,
			  c->apart ? "no device is on both sides: the totals are of different "
				     "devices"
				   : "the sums are of the devices that both sides have; they were "
				     "read beside others");
	c->out->doubtful |= before || after;
	return rc;
}

static int note_sessions(struct compare *c)
{
	int rc = 0;

	for (size_t i = 0; i < c->wish->n && rc == 0; i++) {
		size_t first = i < c->wish->n_before ? 0 : c->wish->n_before;
		const struct sb_session *s = &c->out->sessions[i];
		SB_AUTO_FREE char *file = sb_escape(s->file);
		SB_AUTO_FREE char *like = sb_escape(c->out->sessions[first].file);
		SB_AUTO_FREE char *differs = i > first ? compare_differs(c, first, i) : NULL;

		if (s->taints) {
			c->out->doubtful = true;
			rc = note(c, "%s has %zu taint%s: satabench report shows %s", file,
				  s->taints, s->taints == 1 ? "" : "s",
				  s->taints == 1 ? "it" : "them");
		}
		if (rc == 0 && !s->complete)
			rc = note(c, "%s was ended early", file);
		if (rc == 0 && differs) {
			SB_AUTO_FREE char *shown = sb_escape(differs);

			c->out->doubtful = true;
			rc = note(c, "%s is pooled with %s, and differs from it: %s", file, like,
				  shown);
		}
	}
	return rc;
}

static int note_pooling(struct compare *c)
{
	const struct sb_shift *total = &c->out->shifts[0];

	if (!total->before.by_session && !total->after.by_session)
		return 0;
	return note(c,
		    "the sessions %s differ by more than their rounds do: each counts as one value",
		    !total->after.by_session	? "before"
		    : !total->before.by_session ? "after"
						: "of both sides");
}

static int note_load(struct compare *c)
{
	for (size_t i = 0; i < c->out->n_changes; i++) {
		if (!c->out->changes[i].load)
			continue;
		c->out->doubtful = true;
		return note(c,
			    "they were not read alike (%s): the shifts are not the machine's "
			    "alone",
			    c->out->changes[i].what);
	}
	return 0;
}

static char *targets_text(const struct sb_options *o)
{
	char *text = strdup("");

	for (size_t i = 0; i < o->n_targets && text; i++) {
		SB_AUTO_FREE char *word = sb_quote(o->targets[i]);
		char *longer = word ? sb_format("%s %s", text, word) : NULL;

		free(text);
		text = longer;
	}
	if (text && (!*text || strlen(text) > TARGETS_MOST)) {
		free(text);
		text = strdup(" TARGET...");
	}
	return text;
}

static char *command_text(const struct sb_result *r)
{
	const struct sb_options *o = &r->options;
	SB_AUTO_FREE char *targets = targets_text(o);
	SB_AUTO_FREE char *block =
		o->block_bytes ? sb_format(" --bs %llu", (unsigned long long)o->block_bytes)
			       : strdup("");
	SB_AUTO_FREE char *depth =
		o->depth ? sb_format(" --iodepth %llu", (unsigned long long)o->depth) : strdup("");
	bool workload = o->workload && strcmp(o->workload, "read") != 0;

	if (!targets || !block || !depth)
		return NULL;
	return sb_format("satabench -d%s --plan together --rounds 8%s%s%s%s%s --save FILE", targets,
			 block, depth, workload ? " --workload " : "", workload ? o->workload : "",
			 o->buffered ? " --buffered" : "");
}

/* Rounds, of a side whose rounds count. */
static bool is_few(const struct sb_shift_side *side)
{
	return side->n < ROUNDS_ENOUGH;
}

static int note_rounds(struct compare *c)
{
	const struct sb_shift *total = &c->out->shifts[0];
	bool before = is_few(&total->before), after = is_few(&total->after);
	int rc;

	if (!before && !after)
		return 0;
	rc = note(c,
		  before && after
			  ? "%s and %s have fewer than %d values: small shifts cannot be told"
			  : "%s%s has fewer than %d values: small shifts cannot be told",
		  before ? "before" : "", after ? "after" : "", ROUNDS_ENOUGH);
	c->out->advice = command_text(compare_result(c, after ? c->wish->n_before : 0));
	return rc == 0 && !c->out->advice ? -ENOMEM : rc;
}

int compare_notes(struct compare *c)
{
	int rc = note_load(c);

	rc = rc ? rc : note_rounds(c);
	rc = rc ? rc : note_pooling(c);
	rc = rc ? rc : note_devices(c);
	return rc ? rc : note_sessions(c);
}
