/* Where devices hang in the tree, and what nodes are called before people. */
#include "report_priv.h"

#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"

#define MOST_STEPS 1024 /* through what is stacked: a file may hold rings of it */
#define NAME_COLUMNS 44 /* of a node's */
#define TEXT_COLUMNS 60 /* ... with what it is */

static bool is_under(const struct sb_topo *topo, int node, int above, int *steps)
{
	const struct sb_node *n;

	for (int at = node; at >= 0; at = topo->nodes[at].parent)
		if (at == above)
			return true;
	if (node < 0 || --*steps <= 0)
		return false;
	n = &topo->nodes[node];
	for (size_t i = 0; i < n->n_below; i++)
		if (!is_under(topo, n->below[i], above, steps))
			return false;
	return n->n_below > 0;
}

bool report_is_under(const struct sb_topo *topo, int node, int above)
{
	int steps = MOST_STEPS;

	return is_under(topo, node, above, &steps);
}

static bool is_hub(enum sb_node_kind kind)
{
	return kind == SB_NODE_CONTROLLER || kind == SB_NODE_PORT_MULTIPLIER ||
	       kind == SB_NODE_EXPANDER;
}

static bool is_controller(enum sb_node_kind kind)
{
	return kind == SB_NODE_CONTROLLER;
}

int report_controller_of(const struct sb_topo *topo, int node)
{
	return sb_topo_nearest(topo, node, is_controller);
}

int report_hub_of(const struct sb_topo *topo, int node)
{
	return sb_topo_nearest(topo, node, is_hub);
}

bool report_is_made_of_others(const struct sb_result *result, size_t device)
{
	int node = result->devices[device].node;

	for (size_t i = 0; node >= 0 && i < result->n_devices; i++) {
		int other = result->devices[i].node;

		if (other != node && sb_topo_reaches(&result->topo, node, other))
			return true;
	}
	return false;
}

size_t report_devices_under(const struct sb_result *result, int node)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_devices; i++)
		n += report_is_under(&result->topo, result->devices[i].node, node) &&
		     !report_is_made_of_others(result, i);
	return n;
}

size_t report_own_devices(const struct sb_result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_devices; i++)
		n += !report_is_made_of_others(result, i);
	return n;
}

bool report_same_devices(const struct sb_result *result, int a, int b)
{
	for (size_t i = 0; i < result->n_devices; i++) {
		int node = result->devices[i].node;

		if (report_is_under(&result->topo, node, a) !=
		    report_is_under(&result->topo, node, b))
			return false;
	}
	return true;
}

/* Takes the malloc'ed text. */
static char *cut(char *text, size_t columns)
{
	size_t fit = text ? report_fit(text, columns) : 0;
	char *shorter;

	if (!text || !text[fit])
		return text;
	shorter = sb_format("%.*s..", (int)report_fit(text, columns - 2), text);
	free(text);
	return shorter;
}

char *report_node_name(const struct sb_result *result, char *const *labels, int node)
{
	if (node < 0)
		return strdup("-");
	for (size_t i = 0; i < result->n_devices; i++)
		if (result->devices[i].node == node)
			return strdup(labels[i]);
	if (result->topo.nodes[node].kind == SB_NODE_MACHINE)
		return strdup("the machine");
	return cut(sb_escape(result->topo.nodes[node].name), NAME_COLUMNS);
}

char *report_node_text(const struct sb_result *result, char *const *labels, int node)
{
	for (size_t i = 0; node >= 0 && i < result->n_devices; i++)
		if (result->devices[i].node == node)
			return strdup(labels[i]);
	return node < 0 ? strdup("-") : cut(sb_node_label(&result->topo, node), TEXT_COLUMNS);
}

char *report_nodes_text(const struct sb_result *result, char *const *labels, const int *nodes,
			size_t n)
{
	char *text = strdup("");

	for (size_t i = 0; text && i < n; i++) {
		SB_AUTO_FREE char *name = report_node_text(result, labels, nodes[i]);
		char *longer = name ? sb_format("%s%s%s", text, i > 0 ? ", " : "", name) : NULL;

		free(text);
		text = longer;
	}
	return text;
}

static bool is_below(const struct sb_topo *topo, int node, int above)
{
	while (node >= 0 && node != above)
		node = topo->nodes[node].parent;
	return node >= 0;
}

/* Devices below the phase's part that are not in it, less those of the child that is named. */
static size_t more_at_rest(const struct sb_result *result, const struct sb_phase *phase)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];
		bool rests = (d->state == SB_DEVICE_READY || d->state == SB_DEVICE_NEW) &&
			     is_below(&result->topo, d->node, phase->node) &&
			     !is_below(&result->topo, d->node, phase->left_out);

		for (size_t k = 0; k < phase->n_jobs && rests; k++)
			rests = phase->jobs[k].device != (int)i;
		n += rests;
	}
	return n;
}

char *report_place_text(const struct sb_result *result, char *const *labels,
			const struct sb_phase *phase)
{
	SB_AUTO_FREE char *node = NULL;
	SB_AUTO_FREE char *rests = NULL;
	SB_AUTO_FREE char *others = NULL;
	size_t more = 0;
	const struct sb_suite_test *test = sb_suite_phase_test(phase);
	bool shown = phase->kind == SB_PHASE_GROUP || phase->kind == SB_PHASE_LEAVE_ONE_OUT ||
		     phase->kind == SB_PHASE_RAMP;

	if (test)
		return sb_format(" %s", test->label);
	if (!shown || phase->node < 0)
		return strdup("");
	node = report_node_name(result, labels, phase->node);
	if (phase->left_out >= 0) {
		rests = report_node_name(result, labels, phase->left_out);
		more = more_at_rest(result, phase);
	}
	if (more > 0)
		others = sb_format(" and %zu more", more);
	return node ? sb_format(" %s%s%s%s", node, rests ? " without " : "", rests ? rests : "",
				others ? others : "")
		    : NULL;
}

const char *report_kind_text(int kind)
{
	return kind == SB_PHASE_ALL		? "together"
	       : kind == SB_PHASE_LEAVE_ONE_OUT ? "leave one out"
						: sb_phase_kind_name(kind);
}
