/* The disks of this machine under what they hang on, with what is stacked on them, and which of
 * them
 * `-d all` takes. */
#include "satabench/report.h"

#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define MODEL_COLUMNS 30
#define DEEPEST 12

typedef const char *refuses_fn(const struct sb_topo *topo, int node);

struct branches {
	const char *tee, *last, *bar, *blank;
};
static const struct branches utf8_branches = {"├─ ", "└─ ", "│  ", "   "};
static const struct branches ascii_branches = {"|- ", "`- ", "|  ", "   "};

struct tree {
	const struct sb_topo *topo;
	refuses_fn *refuses;
	const struct branches *branches;
	struct report_table table;
	bool *shown; /* by node: a second path to it is only named */
	size_t n_taken, n_asked;
	char *taken; /* names, a blank before each */
};

static bool is_block(const struct sb_node *node)
{
	return node->kind >= SB_NODE_DISK && node->kind <= SB_NODE_ZRAM;
}

static bool is_drawn(const struct sb_node *node)
{
	return is_block(node) || node->kind == SB_NODE_CONTROLLER ||
	       node->kind == SB_NODE_PORT_MULTIPLIER || node->kind == SB_NODE_EXPANDER ||
	       node->kind == SB_NODE_ENCLOSURE;
}

/* Nearest drawn node above, or -1. */
static int drawn_parent(const struct sb_topo *topo, const struct sb_node *node)
{
	int parent = node->parent;

	for (size_t i = 0; parent >= 0 && i < topo->n_nodes; i++) {
		if (is_drawn(&topo->nodes[parent]))
			return parent;
		parent = topo->nodes[parent].parent;
	}
	return -1;
}

static bool hangs_on(const struct sb_topo *topo, const struct sb_node *node, int parent)
{
	bool stacked = false;

	for (size_t i = 0; i < node->n_below; i++) {
		if (node->below[i] == parent)
			return true;
		stacked |= is_drawn(&topo->nodes[node->below[i]]);
	}
	return !stacked && drawn_parent(topo, node) == parent;
}

/* A controller without disks is not worth a line. */
static bool leads_to_block(const struct sb_topo *topo, int index)
{
	for (size_t i = 0; i < topo->n_nodes; i++) {
		int at = (int)i;

		if (!is_block(&topo->nodes[i]))
			continue;
		for (size_t hops = 0; at >= 0 && hops <= topo->n_nodes; hops++) {
			if (at == index)
				return true;
			at = topo->nodes[at].parent;
		}
	}
	return false;
}

static const char *type_of(const struct sb_node *node)
{
	const char *rotational = sb_node_get(node, "rotational");

	if (node->kind == SB_NODE_PARTITION)
		return "part";
	if (node->kind == SB_NODE_DISK && rotational)
		return strcmp(rotational, "1") == 0 ? "HDD" : "SSD";
	return is_block(node) ? sb_node_kind_name(node->kind) : "";
}

static void add_escaped(struct report_table *table, const char *text)
{
	char *escaped = sb_escape(text ? text : "");
	size_t fit = escaped ? report_fit(escaped, MODEL_COLUMNS) : 0;

	if (escaped && escaped[fit]) {
		char *cut =
			sb_format("%.*s..", (int)report_fit(escaped, MODEL_COLUMNS - 2), escaped);

		free(escaped);
		escaped = cut;
	}
	report_cell_take(table, escaped);
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

	if (!tree->refuses || !is_block(node) || node->kind == SB_NODE_PARTITION) {
		report_cell(&tree->table, "");
		return;
	}
	reason = tree->refuses(tree->topo, index);
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

static void add_row(struct tree *tree, int index, const char *prefix)
{
	const struct sb_node *node = &tree->topo->nodes[index];
	SB_AUTO_FREE char *name = sb_escape(node->name);
	const char *driver = is_block(node) ? NULL : sb_node_get(node, "driver");
	const char *size = sb_node_get(node, "size_bytes");
	uint64_t bytes = SB_NONE_U64;
	char buf[SB_UNIT_TEXT];

	report_cell_take(&tree->table, sb_format("%s%s%s%s", prefix, name ? name : "",
						 driver ? "  " : "", driver ? driver : ""));
	if (tree->shown[index]) {
		for (int i = 0; i < 3; i++)
			report_cell(&tree->table, "");
		report_cell(&tree->table, "(see above)");
		for (int i = 0; i < 3; i++)
			report_cell(&tree->table, "");
		return;
	}
	if (size && sb_parse_count(size, &bytes) != 0)
		bytes = SB_NONE_U64;
	report_cell(&tree->table, size ? sb_format_bytes(buf, bytes) : "");
	report_cell(&tree->table, type_of(node));
	add_escaped(&tree->table, is_block(node) ? sb_node_get(node, "transport") : NULL);
	add_escaped(&tree->table, what_it_is(node));
	add_escaped(&tree->table, is_block(node) ? sb_node_get(node, "serial") : NULL);
	add_escaped(&tree->table, sb_node_get(node, "marks"));
	add_verdict(tree, index);
}

static bool is_child(const struct tree *tree, size_t i, int parent)
{
	const struct sb_node *node = &tree->topo->nodes[i];

	return (int)i != parent && is_drawn(node) && hangs_on(tree->topo, node, parent) &&
	       (is_block(node) || leads_to_block(tree->topo, (int)i));
}

static void add_children(struct tree *tree, int parent, const char *prefix, int depth)
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
				: i == last ? tree->branches->last
					    : tree->branches->tee);
		below = sb_format("%s%s", prefix,
				  parent < 0  ? ""
				  : i == last ? tree->branches->blank
					      : tree->branches->bar);
		add_row(tree, (int)i, own ? own : "");
		if (!tree->shown[i] && depth < DEEPEST) {
			tree->shown[i] = true;
			add_children(tree, (int)i, below ? below : "", depth + 1);
		}
	}
}

void sb_report_tree(FILE *out, const struct sb_topo *topo, refuses_fn *refuses)
{
	static const char *const heads[] = {"device", "size",  "type", "link", "model or contents",
					    "serial", "in use"};
	struct tree tree = {.topo = topo,
			    .refuses = refuses,
			    .branches = report_locale_is_utf8() ? &utf8_branches : &ascii_branches,
			    .table = {.align = "lrllllll"},
			    .shown = calloc(topo->n_nodes + 1, sizeof(bool))};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&tree.table, heads[i]);
	report_cell(&tree.table, refuses ? "-d all" : "");
	if (tree.shown)
		add_children(&tree, -1, "", 0);
	report_table_print(&tree.table, out, "");
	if (refuses) {
		SB_AUTO_FREE char *first =
			sb_format("\n-d all takes %zu of %zu: ", tree.n_taken, tree.n_asked);

		if (tree.taken && first) {
			fputc('\n', out);
			report_paragraph(out, first + 1, tree.taken);
		} else {
			fputs("\n-d all finds nothing that it could read\n", out);
		}
	}
	free(tree.shown);
	free(tree.taken);
}
