/* The disks of this machine under what they hang on, with links and ceilings, what is stacked on
 * them, and which of them `-d all` takes. */
#include "tree_priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define DEEPEST 24

struct branches {
	const char *tee, *last, *bar, *blank;
};
static const struct branches utf8_branches = {"├─ ", "└─ ", "│  ", "   "};
static const struct branches ascii_branches = {"|- ", "`- ", "|  ", "   "};

/* Children in the tree that lead to a block device. */
static size_t count_branches(const struct sb_topo *topo, const bool *leads, int index)
{
	size_t n = 0;

	for (size_t i = 0; i < topo->n_nodes; i++)
		n += topo->nodes[i].parent == index && leads[i];
	return n;
}

static size_t count_roots(const struct sb_topo *topo, const bool *leads)
{
	size_t n = 0;

	for (size_t i = 0; i < topo->n_nodes; i++)
		n += topo->nodes[i].kind == SB_NODE_ROOT_COMPLEX && leads[i];
	return n;
}

/* A hop is worth a line where ways part; a controller, a chipset, a multiplier and an expander
 * always. */
static bool is_drawn(const struct tree *tree, const bool *leads, size_t roots, int index)
{
	const struct sb_node *node = &tree->topo->nodes[index];

	if (tree_is_block(node))
		return true;
	if (!leads[index] || node->kind == SB_NODE_MACHINE)
		return false;
	switch (node->kind) {
	case SB_NODE_ROOT_COMPLEX:
		if (roots < 2 && !tree->list->every_hop)
			return false;
		break;
	case SB_NODE_PCIE:
	case SB_NODE_SWITCH:
	case SB_NODE_LINK:
		break;
	default:
		return node->kind < SB_NODE_DISK;
	}
	return tree->list->every_hop || count_branches(tree->topo, leads, index) > 1;
}

static bool *find_leads(const struct sb_topo *topo)
{
	bool *leads = calloc(topo->n_nodes + 1, sizeof(*leads));

	for (size_t i = 0; leads && i < topo->n_nodes; i++)
		if (tree_is_block(&topo->nodes[i]))
			for (int at = (int)i; at >= 0 && !leads[at]; at = topo->nodes[at].parent)
				leads[at] = true;
	return leads;
}

/* Parents stand before their children. */
static int look_over(struct tree *tree)
{
	const struct sb_topo *topo = tree->topo;
	SB_AUTO_FREE bool *leads = find_leads(topo);
	size_t roots;

	tree->reach = sb_topo_reach(topo);
	tree->drawn = calloc(topo->n_nodes + 1, sizeof(*tree->drawn));
	tree->shown = calloc(topo->n_nodes + 1, sizeof(*tree->shown));
	tree->above = calloc(topo->n_nodes + 1, sizeof(*tree->above));
	if (!leads || !tree->reach || !tree->drawn || !tree->shown || !tree->above)
		return -ENOMEM;
	roots = count_roots(topo, leads);
	for (size_t i = 0; i < topo->n_nodes; i++) {
		int parent = topo->nodes[i].parent;

		tree->drawn[i] = is_drawn(tree, leads, roots, (int)i);
		tree->above[i] = parent < 0	       ? -1
				 : tree->drawn[parent] ? parent
						       : tree->above[parent];
		tree->has_limits |= !isnan(sb_node_ceiling(&topo->nodes[i]));
	}
	return 0;
}

static bool hangs_on(const struct tree *tree, size_t index, int parent)
{
	const struct sb_node *node = &tree->topo->nodes[index];
	bool stacked = false;

	for (size_t i = 0; i < node->n_below; i++) {
		if (node->below[i] == parent)
			return true;
		stacked |= tree->drawn[node->below[i]];
	}
	return !stacked && tree->above[index] == parent;
}

static void add_row(struct tree *tree, int index, const char *prefix)
{
	const struct sb_node *node = &tree->topo->nodes[index];
	SB_AUTO_FREE char *name = sb_escape(node->name);
	const char *driver = tree_is_block(node) ? NULL : sb_node_get(node, "driver");
	const char *numa = tree_is_block(node) ? NULL : sb_node_get(node, "numa_node");

	if (node->kind != SB_NODE_CONTROLLER && node->kind != SB_NODE_ROOT_COMPLEX)
		numa = NULL;
	report_cell_take(&tree->table,
			 sb_format("%s%s%s%s%s%s", prefix, name ? name : "", driver ? "  " : "",
				   driver ? driver : "", numa ? "  node " : "", numa ? numa : ""));
	if (!tree->shown[index]) {
		tree_cells(tree, index);
		return;
	}
	for (size_t i = 1; i < tree_columns(tree); i++)
		report_cell(&tree->table, i + 4 == tree_columns(tree) ? "(see above)" : "");
}

static bool is_child(const struct tree *tree, size_t i, int parent)
{
	return (int)i != parent && tree->drawn[i] && hangs_on(tree, i, parent);
}

static void add_children(struct tree *tree, const struct branches *branches, int parent,
			 const char *prefix, int depth)
{
	size_t last = tree->topo->n_nodes;

	for (size_t i = 0; i < tree->topo->n_nodes; i++)
		if (is_child(tree, i, parent))
			last = i;
	for (size_t i = 0; last < tree->topo->n_nodes && i <= last; i++) {
		SB_AUTO_FREE char *own = NULL;
		SB_AUTO_FREE char *below = NULL;

		if (!is_child(tree, i, parent))
			continue;
		own = sb_format("%s%s", prefix,
				parent < 0  ? ""
				: i == last ? branches->last
					    : branches->tee);
		below = sb_format("%s%s", prefix,
				  parent < 0  ? ""
				  : i == last ? branches->blank
					      : branches->bar);
		add_row(tree, (int)i, own ? own : "");
		if (!tree->shown[i] && depth < DEEPEST) {
			tree->shown[i] = true;
			add_children(tree, branches, (int)i, below ? below : "", depth + 1);
		}
	}
}

static void print_taken(FILE *out, const struct tree *tree)
{
	SB_AUTO_FREE char *first =
		sb_format("\n-d all takes %zu of %zu: ", tree->n_taken, tree->n_asked);

	if (tree->taken && first) {
		fputc('\n', out);
		report_paragraph(out, first + 1, tree->taken);
	} else {
		fputs("\n-d all finds nothing that it could read\n", out);
	}
}

int sb_report_tree(FILE *out, const struct sb_list *list)
{
	struct tree tree = {.topo = list->topo, .list = list};
	int rc = look_over(&tree);

	if (rc == 0) {
		tree_heads(&tree);
		add_children(&tree, report_locale_is_utf8() ? &utf8_branches : &ascii_branches, -1,
			     "", 0);
		rc = report_table_print(&tree.table, out, "");
		if (list->refuses)
			print_taken(out, &tree);
	}
	free(tree.reach);
	free(tree.drawn);
	free(tree.shown);
	free(tree.above);
	free(tree.taken);
	return rc ? rc : report_stream_status(out);
}
