/* The verdict as one sentence that a person can act on. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

/* "its 4 disks give 400 MB/s alone and 200 MB/s together"; where they are measured in parts (the
 * controllers of a machine), what the parts could give, so that a limit further down does not
 * count here. */
void say_loss(FILE *f, const struct judge_look *look, const struct sb_limit *l)
{
	const struct sb_test *t = &look->tree->tests[sb_test_tree_find(look->tree, l->test_node)];
	bool parts = t->children[0].test >= 0;

	say_disks_of(f, look, l->test_node);
	fputs(parts ? " could give " : " give ", f);
	say_rate(f, l->capacity_bytes_s + l->cost_bytes_s);
	fputs(parts ? ", part by part, and give " : " alone and ", f);
	say_rate(f, l->capacity_bytes_s);
	fputs(" together", f);
}

static void say_ceiling(FILE *f, const struct judge_look *look, const struct sb_limit *l)
{
	const struct sb_node *node = &look->result->topo.nodes[l->node];
	/* the source speaks of the link as it was found */
	const char *source =
		l->ceiling_bytes_s == node->practical_bytes_s ? node->limit_source : NULL;

	if (isnan(l->ceiling_bytes_s))
		return;
	fputs("; it can carry about ", f);
	say_rate(f, l->ceiling_bytes_s);
	if (source)
		fprintf(f, " (%s)", source);
}

static void say_others(FILE *f, const struct judge_look *look, const struct sb_limit *l)
{
	if (l->n_candidates < 2 || l->candidates[0] != l->node)
		return;
	fputs("; it cannot be told apart from ", f);
	say_nodes(f, look, l->candidates + 1, l->n_candidates - 1);
}

/* Nodes that fill a limit above them by themselves. */
static void say_masked(FILE *f, const struct judge_look *look, const struct sb_limit *l)
{
	const struct sb_verdict *v = look->verdict;
	SB_AUTO_FREE int *nodes = calloc(v->n_losses + 1, sizeof(*nodes));
	size_t n = 0;

	for (size_t i = 0; nodes && i < v->n_losses; i++)
		if (v->losses[i].masked_by == l->test_node)
			nodes[n++] = v->losses[i].node;
	if (!n)
		return;
	fputs("; ", f);
	say_nodes(f, look, nodes, n);
	fputs(n == 1 ? " fills it alone already, so its own limit is not seen"
		     : " fill it alone already, so their own limits are not seen",
	      f);
}

static void say_further_limits(FILE *f, const struct judge_look *look, const struct sb_limit *main)
{
	const struct sb_verdict *v = look->verdict;
	bool first = true;

	for (size_t i = 0; i < v->n_limits; i++) {
		const struct sb_limit *l = &v->limits[i];

		if (l == main || l->refuted)
			continue;
		fputs(first ? "; so does, by " : ", and by ", f);
		first = false;
		say_rate(f, l->cost_bytes_s);
		fputs(", ", f);
		say_node(f, look, l->node);
		fputs(" (", f);
		say_rate(f, l->capacity_bytes_s + l->cost_bytes_s);
		fputs(" alone, ", f);
		say_rate(f, l->capacity_bytes_s);
		fputs(" together)", f);
	}
}

static void say_limit(FILE *f, struct judge_look *look, const struct sb_limit *l)
{
	const char *advice = judge_rule_advice(l->cls);

	if (l->cls == SB_CLASS_CPU) {
		say_cpu(f, look, l);
	} else {
		bool known = l->cls != SB_CLASS_UNKNOWN;

		if (!known)
			fputs("Something in ", f);
		(known ? say_node_first : say_node)(f, look, l->node);
		fputs(known ? " limits: " : " that cannot be named limits: ", f);
		say_loss(f, look, l);
		say_ceiling(f, look, l);
		say_others(f, look, l);
	}
	say_masked(f, look, l);
	say_further_limits(f, look, l);
	if (l->cls == SB_CLASS_CPU)
		say_cpu_advice(f, look, l);
	else if (advice)
		fprintf(f, ": %s", advice);
	fputc('.', f);
}

static void say_local(FILE *f, const struct judge_look *look)
{
	const struct sb_verdict *v = look->verdict;
	const struct look_device *d = &look->devices[v->local[0]];

	if (v->n_local > 1) {
		say_devices(f, look, v->local, v->n_local);
		fputs(" lose beside others, though no part of the tree that they share is full: "
		      "a shared part that the tree does not show, or vibration, somewhere below ",
		      f);
		say_node(f, look, v->local_home);
		fputs(": compare their cables, ports and places.", f);
		return;
	}
	say_device(f, look, v->local[0]);
	fputs(" limits itself: it gives ", f);
	say_rate(f, d->alone_bytes_s);
	fprintf(f,
		" alone and %.0f %% less beside the others, which do not: look at its cable, its "
		"port and its error log.",
		100 * sb_log_to_loss(d->loss.mean));
}

static void say_refuted(FILE *f, const struct judge_look *look)
{
	const struct sb_limit *l = &look->verdict->limits[0];

	if (look->verdict->n_local == 1) {
		say_local(f, look);
		return;
	}
	say_node_first(f, look, l->test_node);
	fputs(" is not full: ", f);
	say_loss(f, look, l);
	fputs(", but when some rest nothing comes back to the others", f);
	if (look->verdict->n_local) {
		fputs("; those that lose are ", f);
		say_devices(f, look, look->verdict->local, look->verdict->n_local);
	}
	fputs(": look for vibration, power, or a part they share that the tree does not show.", f);
}

static void say_cannot_tell(FILE *f, const struct judge_look *look)
{
	const struct sb_verdict *v = look->verdict;

	if (v->rounds)
		fprintf(f, "Cannot tell with n = %zu rounds: ", v->rounds);
	else
		fputs("Cannot tell, since no two rounds of a part were undisturbed: ", f);
	fprintf(f, "one run differs from the next by %.1f %%, so that ", 100 * v->noise);
	say_nodes(f, look, v->candidates, v->n_candidates);
	fputs(" may lose or not", f);
	if (isnan(v->smallest_excluded))
		fputs("; no loss is excluded", f);
	else
		fprintf(f, "; losses over %.1f %% are excluded", 100 * v->smallest_excluded);
	fputs(": stop other work on the machine, or measure longer (--runtime).", f);
}

static void say_slow(FILE *f, const struct judge_look *look)
{
	const struct sb_verdict *v = look->verdict;

	for (size_t i = 0; i < v->n_slow; i++) {
		fputs(i ? ", " : "", f);
		say_device(f, look, v->slow[i].device);
		fputs(" (", f);
		say_rate(f, look->devices[v->slow[i].device].alone_bytes_s);
		fputs(" alone)", f);
	}
	fprintf(f,
		" %s far slower than the other disks of the model, and nothing shared limits: look "
		"at the error log and the speed of the link.",
		v->n_slow == 1 ? "is" : "are");
}

static void say_none(FILE *f, const struct judge_look *look)
{
	size_t root = look->tree->n_tests - 1;

	fprintf(f, "Nothing shared limits: the %zu devices give ", look->tree->n_devices);
	say_rate(f, judge_alone_sum(look, (int)root));
	fputs(" one by one and ", f);
	say_rate(f, look->verdict->capacity_bytes_s);
	fputs(" together, so each is its own limit.", f);
	for (size_t i = 0; i < look->result->n_md; i++)
		say_array_rate(f, look, &look->result->md[i]);
}

static const struct sb_limit *first_accused(const struct sb_verdict *v)
{
	for (size_t i = 0; i < v->n_limits; i++)
		if (!v->limits[i].refuted)
			return &v->limits[i];
	return NULL;
}

static void say(FILE *f, struct judge_look *look)
{
	const struct sb_verdict *v = look->verdict;
	const struct sb_limit *limit = first_accused(v);

	if (!look->tree->n_tests)
		fputs("Cannot tell what limits: that takes at least two devices that can be read, "
		      "and their places in the machine.",
		      f);
	else if (limit)
		say_limit(f, look, limit);
	else if (v->n_limits)
		say_refuted(f, look);
	else if (v->cannot_tell)
		say_cannot_tell(f, look);
	else if (v->n_local)
		say_local(f, look);
	else if (v->n_slow)
		say_slow(f, look);
	else if (v->cls == SB_CLASS_MD || (v->cls == SB_CLASS_CPU && judge_md_limit(look->result)))
		say_array(f, look);
	else
		say_none(f, look);
}

int judge_sentence(struct judge_look *look)
{
	size_t size = 0;
	FILE *f;

	f = open_memstream(&look->verdict->sentence, &size);
	if (!f)
		return -ENOMEM;
	say(f, look);
	return fclose(f) == 0 ? 0 : -ENOMEM;
}
