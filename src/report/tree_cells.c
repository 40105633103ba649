/* What the tree says of one node. A hop that is no branch has no line of its own: its link and its
 * ceiling stand in the line of what hangs on it. */
#include "tree_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define MODEL_COLUMNS 30

bool tree_is_block(const struct sb_node *node)
{
	return node->kind >= SB_NODE_DISK && node->kind <= SB_NODE_ZRAM;
}

static void cell(struct tree *tree, const char *text)
{
	report_cell(&tree->table, text ? text : "");
}

size_t tree_columns(const struct tree *tree)
{
	return tree->has_limits ? 10 : 8;
}

void tree_heads(struct tree *tree)
{
	tree->table.align = tree->has_limits ? "lrllrlllll" : "lrllllll";
	cell(tree, "device");
	cell(tree, "size");
	cell(tree, "type");
	cell(tree, "link");
	if (tree->has_limits) {
		cell(tree, "ceiling");
		cell(tree, "disks' links");
	}
	cell(tree, "model or contents");
	cell(tree, "serial");
	cell(tree, "in use");
	cell(tree, tree->list->refuses ? "-d all" : "");
}

static const char *type_of(const struct sb_node *node)
{
	const char *rotational = sb_node_get(node, "rotational");

	if (node->kind == SB_NODE_PARTITION)
		return "part";
	if (node->kind == SB_NODE_DISK && rotational)
		return strcmp(rotational, "1") == 0 ? "HDD" : "SSD";
	switch (node->kind) {
	case SB_NODE_PCIE:
		return "port";
	case SB_NODE_SWITCH:
		return "switch";
	case SB_NODE_LINK:
		return sb_node_get(node, "bus") ? "usb" : "link";
	default:
		return tree_is_block(node) ? sb_node_kind_name(node->kind) : "";
	}
}

static void add_escaped(struct tree *tree, const char *text)
{
	char *escaped = sb_escape(text ? text : "");
	size_t fit = escaped ? report_fit(escaped, MODEL_COLUMNS) : 0;

	if (escaped && escaped[fit]) {
		char *cut =
			sb_format("%.*s..", (int)report_fit(escaped, MODEL_COLUMNS - 2), escaped);

		free(escaped);
		escaped = cut;
	}
	report_cell_take(&tree->table, escaped);
}

static const char *what_it_is(const struct sb_node *node)
{
	static const char *const keys[] = {"model", "backing_file", "contents"};

	for (size_t i = 0; i < SB_COUNT(keys); i++)
		if (sb_node_get(node, keys[i]))
			return sb_node_get(node, keys[i]);
	return NULL;
}

static void add_verdict(struct tree *tree, int index)
{
	const struct sb_node *node = &tree->topo->nodes[index];
	const char *reason;

	if (!tree->list->refuses || !tree_is_block(node) || node->kind == SB_NODE_PARTITION) {
		cell(tree, "");
		return;
	}
	reason = tree->list->refuses(tree->topo, index);
	tree->n_asked++;
	if (!reason) {
		SB_AUTO_FREE char *name = sb_escape(node->name);
		char *longer = sb_format("%s%s%s", tree->taken ? tree->taken : "",
					 tree->taken ? " " : "", name ? name : "");

		free(tree->taken);
		tree->taken = longer;
		tree->n_taken++;
	}
	report_cell_take(&tree->table, reason ? sb_format("no: %s", reason) : strdup("yes"));
}

/* Nodes that this line speaks for: itself and the hops above it without a line. -1 behind the
 * last. */
static int next_above(const struct tree *tree, int at)
{
	int above = tree->topo->nodes[at].parent;

	return above >= 0 && !tree->drawn[above] ? above : -1;
}

/* "8 GT/s x4" */
static char *speed_text(const struct sb_node *node, const char *speed_key, const char *width_key)
{
	const char *speed = sb_node_get(node, speed_key), *width = sb_node_get(node, width_key);

	/* One phy is what a SAS disk has. */
	if (width && strcmp(width, "1") == 0 && speed && !strstr(speed, "GT/s"))
		width = NULL;
	return sb_format("%s%s%s", speed ? speed : "", width ? speed ? " x" : "x" : "",
			 width ? width : "");
}

static char *link_text(const struct sb_node *node, const char *transport)
{
	SB_AUTO_FREE char *now = speed_text(node, "link_speed", "link_width");
	const char *width_max =
		sb_node_get(node, "link_width_max") ? "link_width_max" : "link_width";
	SB_AUTO_FREE char *most = sb_node_get(node, "link_speed_max")
					  ? speed_text(node, "link_speed_max", width_max)
					  : strdup("");
	const char *bus = now && strstr(now, "GT/s") ? "PCIe" : transport;
	bool less = sb_node_get(node, "downgraded") != NULL;

	if (!now || !most)
		return NULL;
	if (!most[0] || strcmp(now, most) == 0)
		return sb_format("%s%s%s", bus ? bus : "", bus ? " " : "", now);
	return sb_format("%s%s%s%s%s", bus ? bus : "", bus ? " " : "", now,
			 less ? ", downgraded from " : " of ", most);
}

static void add_link(struct tree *tree, int index)
{
	const struct sb_node *node = &tree->topo->nodes[index];
	const char *transport = sb_node_get(node, "transport");

	for (int at = index; at >= 0; at = next_above(tree, at)) {
		const struct sb_node *hop = &tree->topo->nodes[at];

		if (!sb_node_get(hop, "link_speed") && !sb_node_get(hop, "link_width"))
			continue;
		report_cell_take(&tree->table, link_text(hop, transport));
		return;
	}
	add_escaped(tree, transport);
}

static double ceiling_of(const struct tree *tree, int index, bool *only_line)
{
	double least = NAN;

	for (int at = index; at >= 0; at = next_above(tree, at)) {
		double ceiling = sb_node_ceiling(&tree->topo->nodes[at]);

		if (isnan(ceiling) || ceiling >= least)
			continue;
		least = ceiling;
		*only_line = isnan(tree->topo->nodes[at].practical_bytes_s);
	}
	return least;
}

/* What its disks' links let through together, against what the node can carry. */
static char *reach_text(const struct sb_reach *reach, double ceiling)
{
	char sum[SB_UNIT_TEXT];

	if (reach->disks < 2)
		return strdup("");
	if (isnan(reach->bytes_s))
		return sb_format("%zu", reach->disks);
	sb_format_rate(sum, reach->bytes_s);
	if (!(reach->bytes_s > ceiling))
		return sb_format("%zu: %s", reach->disks, sum);
	return sb_format("%zu: %s, %.1f times", reach->disks, sum, reach->bytes_s / ceiling);
}

static void add_limits(struct tree *tree, int index)
{
	bool only_line = false;
	double ceiling;
	char text[SB_UNIT_TEXT];

	if (!tree->has_limits)
		return;
	ceiling = ceiling_of(tree, index, &only_line);
	report_cell_take(&tree->table, isnan(ceiling) ? strdup("")
						      : sb_format("%s%s", only_line ? "< " : "",
								  sb_format_rate(text, ceiling)));
	report_cell_take(&tree->table, reach_text(&tree->reach[index], ceiling));
}

void tree_cells(struct tree *tree, int index)
{
	const struct sb_node *node = &tree->topo->nodes[index];
	const char *size = sb_node_get(node, "size_bytes");
	uint64_t bytes = SB_NONE_U64;
	char buf[SB_UNIT_TEXT];

	if (size && sb_parse_count(size, &bytes) != 0)
		bytes = SB_NONE_U64;
	cell(tree, size ? sb_format_bytes(buf, bytes) : "");
	cell(tree, type_of(node));
	add_link(tree, index);
	add_limits(tree, index);
	add_escaped(tree, what_it_is(node));
	add_escaped(tree, tree_is_block(node) ? sb_node_get(node, "serial") : NULL);
	add_escaped(tree, sb_node_get(node, "marks"));
	add_verdict(tree, index);
}
