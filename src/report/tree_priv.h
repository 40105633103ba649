/* The tree of the machine, for people: what tree.c walks and tree_cells.c words. */
#ifndef SATABENCH_REPORT_TREE_PRIV_H
#define SATABENCH_REPORT_TREE_PRIV_H

#include "report_priv.h"
#include "satabench/report.h"

struct tree {
	const struct sb_topo *topo;
	const struct sb_list *list;
	struct report_table table;
	struct sb_reach *reach; /* by node */
	bool *drawn;		/* by node */
	int *above;		/* nearest drawn node above, or -1 */
	bool *shown;		/* a second path to it is only named */
	bool has_limits;	/* any node has */
	size_t n_taken, n_asked;
	char *taken; /* names, a blank before each */
};

bool tree_is_block(const struct sb_node *node);
/* The heads of all columns, and the cells of one node behind its name. */
void tree_heads(struct tree *tree);
void tree_cells(struct tree *tree, int index);
size_t tree_columns(const struct tree *tree);

#endif
