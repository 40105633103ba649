/* Members that are unlike each other, or share what they should not. */
#include <math.h>
#include <stdlib.h>

#include "md_findings.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/stats.h"
#include "satabench/units.h"

#define UNLIKE_SIZE 0.01 /* of the largest */
#define UNLIKE_SPEED 0.90
#define DEPTH_MOST 32

static bool counts(const struct sb_md_member *m)
{
	return m->role == SB_MD_DATA && m->node >= 0;
}

static double size_of(const struct md_case *c, const struct sb_md_member *m)
{
	const char *text = sb_node_get(&c->result->topo.nodes[m->node], "size_bytes");

	return text ? strtod(text, NULL) : NAN;
}

static void say_member(FILE *f, const struct sb_md_member *m)
{
	SB_AUTO_FREE char *name = sb_escape(m->name);

	fputs(name ? name : "?", f);
}

/* Of a level that takes the same from each. */
void md_find_sizes(FILE *f, const struct md_case *c)
{
	const struct sb_md_member *small = NULL, *large = NULL;
	char least[SB_UNIT_TEXT], most[SB_UNIT_TEXT];

	if (c->array->kind == SB_MD_LINEAR || c->array->kind == SB_MD_RAID0)
		return;
	for (size_t i = 0; i < c->array->n_members; i++) {
		const struct sb_md_member *m = &c->array->members[i];

		if (!counts(m) || isnan(size_of(c, m)))
			continue;
		small = !small || size_of(c, m) < size_of(c, small) ? m : small;
		large = !large || size_of(c, m) > size_of(c, large) ? m : large;
	}
	if (!small || size_of(c, small) >= (1 - UNLIKE_SIZE) * size_of(c, large))
		return;
	fputs("members of unlike size: ", f);
	say_member(f, small);
	fprintf(f, " has %s, ", sb_format_bytes(least, (uint64_t)size_of(c, small)));
	say_member(f, large);
	fprintf(f, " %s, of which the rest is not used",
		sb_format_bytes(most, (uint64_t)size_of(c, large)));
}

static double median_alone(const struct sb_md_array *a, const struct sb_md_member *without)
{
	SB_AUTO_FREE double *rates = calloc(a->n_members + 1, sizeof(*rates));
	size_t n = 0;

	for (size_t i = 0; rates && i < a->n_members; i++)
		if (&a->members[i] != without && !isnan(a->members[i].alone_bytes_s))
			rates[n++] = a->members[i].alone_bytes_s;
	return rates ? sb_median(rates, n) : NAN;
}

void md_find_speeds(FILE *f, const struct md_case *c)
{
	const struct sb_md_array *a = c->array;
	const struct sb_md_member *slow = a->slowest >= 0 ? &a->members[a->slowest] : NULL;
	double others = slow ? median_alone(a, slow) : NAN;
	char rate[SB_UNIT_TEXT], usual[SB_UNIT_TEXT];

	if (!slow || !(slow->alone_bytes_s < UNLIKE_SPEED * others))
		return;
	say_member(f, slow);
	fprintf(f, " is slower than the other members: %s alone, they %s%s",
		sb_format_rate(rate, slow->alone_bytes_s), sb_format_rate(usual, others),
		a->kind == SB_MD_RAID1 || a->kind == SB_MD_LINEAR
			? ""
			: "; reads over all members go at its pace");
}

/* The nearest node of a kind at or above a member; a member on several disks has none. */
static int above(const struct sb_topo *topo, int node, int kind)
{
	for (int depth = 0; node >= 0 && depth < DEPTH_MOST; depth++) {
		const struct sb_node *n = &topo->nodes[node];

		if ((int)n->kind == kind)
			return node;
		if (n->kind == SB_NODE_DISK || n->kind == SB_NODE_PARTITION || n->n_below == 0)
			node = n->parent;
		else
			node = n->n_below == 1 ? n->below[0] : -1;
	}
	return -1;
}

static double line_of(const struct md_case *c, const struct sb_md_member *m)
{
	int link = above(&c->result->topo, m->node, SB_NODE_LINK);

	return link < 0 ? NAN : c->result->topo.nodes[link].line_bytes_s;
}

void md_find_links(FILE *f, const struct md_case *c)
{
	SB_AUTO_FREE bool *chosen = calloc(c->array->n_members + 1, sizeof(*chosen));
	char least[SB_UNIT_TEXT], most[SB_UNIT_TEXT];
	double fastest = NAN, slowest = NAN;

	for (size_t i = 0; chosen && i < c->array->n_members; i++) {
		double line =
			counts(&c->array->members[i]) ? line_of(c, &c->array->members[i]) : NAN;

		fastest = fmax(fastest, line);
		slowest = fmin(slowest, line);
	}
	if (!chosen || !(slowest < fastest))
		return;
	for (size_t i = 0; i < c->array->n_members; i++)
		chosen[i] = counts(&c->array->members[i]) &&
			    line_of(c, &c->array->members[i]) < fastest;
	fputs("on a slower link than the other members: ", f);
	md_say_members(f, c->array, chosen);
	fprintf(f, " (%s, the others %s at most)", sb_format_rate(least, slowest),
		sb_format_rate(most, fastest));
}

void md_find_controller(FILE *f, const struct md_case *c)
{
	int first = -1;
	size_t n = 0;
	SB_AUTO_FREE char *label = NULL;

	for (size_t i = 0; i < c->array->n_members; i++) {
		const struct sb_md_member *m = &c->array->members[i];
		int controller;

		if (!counts(m))
			continue;
		controller = above(&c->result->topo, m->node, SB_NODE_CONTROLLER);
		if (controller < 0 || (n && controller != first))
			return;
		first = controller;
		n++;
	}
	if (n < 2)
		return;
	label = sb_node_label(&c->result->topo, first);
	fprintf(f,
		"all members are on one controller (%s): the array stops with it, and has no "
		"more than it passes",
		label ? label : "?");
}

static bool share_a_disk(const struct sb_topo *topo, int a, int b)
{
	for (size_t i = 0; i < topo->n_nodes; i++)
		if (topo->nodes[i].kind == SB_NODE_DISK && sb_topo_reaches(topo, a, (int)i) &&
		    sb_topo_reaches(topo, b, (int)i))
			return true;
	return false;
}

void md_find_shared_disk(FILE *f, const struct md_case *c)
{
	SB_AUTO_FREE bool *chosen = calloc(c->array->n_members + 1, sizeof(*chosen));
	const struct sb_md_member *m = c->array->members;
	bool any = false;

	for (size_t i = 0; chosen && i < c->array->n_members; i++)
		for (size_t k = 0; k < i; k++)
			if (counts(&m[i]) && counts(&m[k]) &&
			    share_a_disk(&c->result->topo, m[i].node, m[k].node))
				any = chosen[i] = chosen[k] = true;
	if (!any)
		return;
	fputs("several members on one disk: ", f);
	md_say_members(f, c->array, chosen);
	fputs(": they share its speed, and fail together", f);
}
