/* Pieces of sentences. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"
#include "verdict_priv.h"

#define LIST_MOST 5

static char *label_of(const struct judge_look *look, int node)
{
	return sb_node_label(&look->result->topo, node);
}

void say_node(FILE *f, const struct judge_look *look, int node)
{
	SB_AUTO_FREE char *label = label_of(look, node);

	fputs(label ? label : "?", f);
}

void say_node_first(FILE *f, const struct judge_look *look, int node)
{
	SB_AUTO_FREE char *label = label_of(look, node);
	int kind = node >= 0 ? (int)look->result->topo.nodes[node].kind : -1;
	bool is_named = kind >= (int)SB_NODE_DISK && kind != (int)SB_NODE_FILESYSTEM;

	if (label && !is_named)
		label[0] = (char)toupper((unsigned char)label[0]);
	fputs(label ? label : "?", f);
}

void say_device(FILE *f, const struct judge_look *look, int device)
{
	const struct sb_device *d = &look->result->devices[device];
	SB_AUTO_FREE char *text = NULL;

	if (d->node >= 0) {
		say_node(f, look, d->node);
		return;
	}
	text = sb_escape(d->target);
	fputs(text ? text : "?", f);
}

void say_rate(FILE *f, double bytes_s)
{
	char text[SB_UNIT_TEXT];

	fputs(sb_format_rate(text, bytes_s), f);
}

static void say_list(FILE *f, const struct judge_look *look, const int *list, size_t n,
		     void (*say)(FILE *, const struct judge_look *, int))
{
	size_t shown = n > LIST_MOST ? LIST_MOST - 1 : n;

	for (size_t i = 0; i < shown; i++) {
		if (i)
			fputs(i + 1 == n ? " and " : ", ", f);
		say(f, look, list[i]);
	}
	if (shown < n)
		fprintf(f, " and %zu more", n - shown);
}

void say_nodes(FILE *f, const struct judge_look *look, const int *nodes, size_t n)
{
	say_list(f, look, nodes, n, say_node);
}

void say_devices(FILE *f, const struct judge_look *look, const int *devices, size_t n)
{
	say_list(f, look, devices, n, say_device);
}

/* "disks", "files"; kinds that differ, and rarer ones, are "devices". */
static const char *word_for(int kind)
{
	switch (kind) {
	case SB_NODE_DISK:
	case SB_NODE_NULL:
		return "disks";
	case SB_NODE_FILE:
		return "files";
	case SB_NODE_PARTITION:
		return "partitions";
	default:
		return "devices";
	}
}

void say_disks_of(FILE *f, const struct judge_look *look, int node)
{
	int test = sb_test_tree_find(look->tree, node);
	size_t n = test < 0 ? 0 : look->tree->tests[test].n;
	const char *word = NULL;

	for (size_t i = 0; i < n; i++) {
		int device = look->tree->devices[look->tree->tests[test].first + i];
		int at = look_node(look, device);
		const char *own =
			at < 0 ? "devices" : word_for((int)look->result->topo.nodes[at].kind);

		word = !word || strcmp(word, own) == 0 ? own : "devices";
	}
	fprintf(f, "its %zu %s", n, word ? word : "devices");
}

double judge_alone_sum(const struct judge_look *look, int test)
{
	const struct sb_test *t = &look->tree->tests[test];
	double sum = 0;

	for (size_t place = t->first; place < t->first + t->n; place++) {
		double rate = look->devices[look->tree->devices[place]].alone_bytes_s;

		sum += rate > 0 ? rate : NAN;
	}
	return sum;
}
