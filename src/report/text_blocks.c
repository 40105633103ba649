/* The pairs of alone and together, a block for each controller, and what lies above the
 * controllers. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/testtree.h"
#include "satabench/units.h"

#define LINKS_SHOWN 4

struct blocks {
	const struct sb_result *result;
	char *const *labels;
	struct report_table table;
	int *controllers, *hubs; /* by device; -1 none */
	bool *member;		 /* by device: of the sum that is made */
	bool *shown;		 /* by loss */
	int decimals;
	bool any;		     /* a block stands already */
	bool is_by_itself, is_bound; /* what wants a word below the table */
};

/* A name of probe's, escaped, behind two blanks; takes `text`. */
static char *append(char *text, const char *attribute)
{
	SB_AUTO_FREE char *escaped = attribute ? sb_escape(attribute) : NULL;
	char *longer;

	if (!escaped || !text)
		return text;
	longer = sb_format("%s  %s", text, escaped);
	free(text);
	return longer;
}

static void add_head(struct blocks *b, int node, const char *indent)
{
	const struct sb_node *n = &b->result->topo.nodes[node];
	SB_AUTO_FREE char *name = n->kind == SB_NODE_CONTROLLER && sb_node_get(n, "driver")
					  ? report_node_name(b->result, b->labels, node)
					  : report_node_text(b->result, b->labels, node);
	char *text = name ? sb_format("%s%s", indent, name) : NULL;

	text = append(text, sb_node_get(n, "driver"));
	report_line_take(&b->table, append(text, sb_node_get(n, "model")));
}

/* The hops from the node up, as long as they have the same devices below. */
static void add_links(struct report_table *table, const struct blocks *b, int node,
		      const char *indent)
{
	SB_AUTO_FREE char *before = NULL;
	int shown = 0;

	for (int at = node; at >= 0 && shown < LINKS_SHOWN; at = b->result->topo.nodes[at].parent) {
		char *text;

		if (at != node && !report_same_devices(b->result, at, node))
			break;
		text = report_hop_text(&b->result->topo.nodes[at]);
		/* both ends of a link say the same */
		if (text && !(before && strcmp(before, text) == 0)) {
			SB_AUTO_FREE char *name = report_node_text(b->result, b->labels, at);

			report_line_take(table, sb_format("%s%s%s%s", indent,
							  at == node ? "link "
							  : name     ? name
								     : "",
							  at == node ? "" : ": ", text));
			shown++;
		}
		if (text) {
			free(before);
			before = text;
		}
	}
}

static const char *device_note(const struct blocks *b, int device)
{
	const struct sb_verdict *v = &b->result->verdict;
	int state = b->result->devices[device].state;

	for (size_t i = 0; i < v->n_local && !v->cannot_tell; i++)
		if (v->local[i] == device)
			return "local loss";
	for (size_t i = 0; i < v->n_slow; i++)
		if (v->slow[i].device == device)
			return "slower than its like";
	return state == SB_DEVICE_FAILED || state == SB_DEVICE_HUNG || state == SB_DEVICE_VANISHED
		       ? sb_device_state_name(state)
		       : "";
}

static void add_device(struct blocks *b, size_t i, const char *indent)
{
	const struct sb_device *d = &b->result->devices[i];
	const struct report_rates rates = {d->alone_bytes_s, d->all_bytes_s, d->loss_percent};

	if (report_is_array(b->result, i))
		return;
	report_cell_take(&b->table, sb_format("%s%s", indent, b->labels[i]));
	report_cells_rates(&b->table, &rates, d->loss_low_percent, d->loss_high_percent,
			   b->decimals);
	report_cell(&b->table, device_note(b, (int)i));
}

static void add_state(struct blocks *b, const struct sb_node_loss *loss)
{
	report_cell_take(&b->table,
			 loss ? report_state_text(b->result, b->labels, loss) : strdup(""));
	if (loss) {
		b->shown[loss - b->result->verdict.losses] = true;
		b->is_bound |= !loss->by_group;
	}
}

/* The devices in b->member, and below it their shared part by itself, unless that is the same. */
static void add_sum(struct blocks *b, const struct sb_node_loss *loss, const char *indent)
{
	struct report_rates rates = report_rates_sum(b->result, b->member);
	size_t n = 0;
	bool same;

	for (size_t i = 0; i < b->result->n_devices; i++)
		n += b->member[i] && !report_is_made_of_others(b->result, i);
	if (n < 2)
		return;
	/* of all devices together, and with no part in between, the sum is the part's own test */
	same = loss && (!loss->by_group ||
			(n == report_own_devices(b->result) && b->result->verdict.n_losses == 1));
	report_cell_take(&b->table, sb_format("%ssum of %zu", indent, n));
	report_cells_rates(&b->table, &rates, same ? report_percent(loss->low) : NAN,
			   same ? report_percent(loss->high) : NAN, b->decimals);
	add_state(b, same ? loss : NULL);
	if (!loss || same)
		return;
	rates = report_rates_of(b->result, loss);
	report_cell_take(&b->table, sb_format("%sby itself", indent));
	report_cells_rates(&b->table, &rates, report_percent(loss->low), report_percent(loss->high),
			   b->decimals);
	add_state(b, loss);
	b->is_by_itself = true;
}

/* A multiplier or an expander below the controller, or a disk that is read in several places. */
static void add_hub(struct blocks *b, int controller, int hub)
{
	const struct sb_result *r = b->result;

	add_head(b, hub, "    ");
	add_links(&b->table, b, hub, "      ");
	for (size_t i = 0; i < r->n_devices; i++) {
		b->member[i] = b->controllers[i] == controller && b->hubs[i] == hub;
		if (b->member[i])
			add_device(b, i, "      ");
	}
	if (!report_same_devices(r, hub, controller)) /* else the controller's sum says the same */
		add_sum(b, report_loss_of(r, hub), "      ");
}

static void add_block(struct blocks *b, int controller)
{
	const struct sb_result *r = b->result;

	if (b->any)
		report_line_take(&b->table, strdup(""));
	b->any = true;
	if (controller >= 0) {
		add_head(b, controller, "  ");
		add_links(&b->table, b, controller, "    ");
	} else {
		report_line_take(&b->table, strdup("  without a controller"));
	}
	for (size_t i = 0; i < r->n_devices; i++)
		if (b->controllers[i] == controller && b->hubs[i] == controller)
			add_device(b, i, "    ");
	for (size_t i = 0; i < r->n_devices; i++) {
		size_t first = 0;

		while (b->controllers[first] != controller || b->hubs[first] != b->hubs[i])
			if (++first >= i)
				break;
		if (first == i && b->controllers[i] == controller && b->hubs[i] != controller)
			add_hub(b, controller, b->hubs[i]);
	}
	for (size_t i = 0; i < r->n_devices; i++)
		b->member[i] = b->controllers[i] == controller;
	add_sum(b, report_loss_of(r, controller), "    ");
}

static void add_blocks(struct blocks *b)
{
	size_t n = b->result->n_devices, without = 0;

	for (size_t i = 0; i < n; i++) {
		size_t first = 0;

		while (b->controllers[first] != b->controllers[i])
			first++;
		if (b->controllers[i] < 0)
			without++;
		else if (first == i)
			add_block(b, b->controllers[i]);
	}
	if (without == n)
		for (size_t i = 0; i < n; i++)
			add_device(b, i, "  ");
	else if (without > 0)
		add_block(b, -1);
}

static void add_total(struct blocks *b)
{
	const struct sb_result *r = b->result;
	const struct report_rates rates = {r->alone_bytes_s, r->all_bytes_s, r->loss_percent};
	const struct sb_node_loss *loss = NULL;
	const struct sb_verdict *v = &r->verdict;
	size_t n = 0;

	for (size_t i = 0; i < r->n_devices; i++) {
		b->member[i] = true;
		n += b->controllers[i] == b->controllers[0];
	}
	/* one controller has all: its sum was the total */
	if (n == r->n_devices && b->controllers[0] >= 0)
		return;
	if (v->n_losses == 1 && report_devices_under(r, v->losses[0].node) == report_own_devices(r))
		loss = &v->losses[0];
	if (n != r->n_devices)
		report_line_take(&b->table, strdup(""));
	report_cell(&b->table, "  total");
	report_cells_rates(&b->table, &rates, loss ? report_percent(loss->low) : NAN,
			   loss ? report_percent(loss->high) : NAN, b->decimals);
	add_state(b, loss);
}

/* Parts that no block has: above several controllers, or between them and the disks. */
static int print_above(FILE *out, struct blocks *b)
{
	static const char *const heads[] = {
		"  shared part", "devices", "apart MB/s", "at once MB/s", "loss %",
		"95 % interval", ""};
	const struct sb_verdict *v = &b->result->verdict;
	struct report_table t = {.align = "lrrrrrl"};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < v->n_losses; i++) {
		const struct sb_node_loss *loss = &v->losses[i];
		SB_AUTO_FREE char *name = report_node_text(b->result, b->labels, loss->node);
		struct report_rates rates = report_rates_of(b->result, loss);

		if (b->shown[i])
			continue;
		report_cell_take(&t, name ? sb_format("  %s", name) : NULL);
		report_cell_take(&t, sb_format("%zu", report_devices_under(b->result, loss->node)));
		report_cells_rates(&t, &rates, report_percent(loss->low),
				   report_percent(loss->high), b->decimals);
		report_cell_take(&t, report_state_text(b->result, b->labels, loss));
		add_links(&t, b, loss->node, "    ");
		b->is_bound |= !loss->by_group;
	}
	if (t.n_cells == SB_COUNT(heads)) { /* the heads alone */
		report_table_free(&t);
		return 0;
	}
	fputs("\nAbove the controllers: what the parts below give by themselves, and at once\n",
	      out);
	return report_table_print(&t, out, "");
}

static int print_blocks(FILE *out, struct blocks *b)
{
	static const char *const heads[] = {"",	      "alone MB/s",    "together MB/s",
					    "loss %", "95 % interval", ""};
	int rc;

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&b->table, heads[i]);
	add_blocks(b);
	add_total(b);
	rc = report_table_print(&b->table, out, "");
	if (b->is_by_itself)
		report_paragraph(
			out, "  ",
			"by itself: only its own devices were read, part by part and then all "
			"at once");
	if (rc == 0)
		rc = print_above(out, b);
	if (b->is_bound)
		report_paragraph(
			out, "  * ",
			"an upper bound, from alone and together: nothing asked for reading the "
			"parts by themselves");
	return rc;
}

/* The hub of each device. */
static int find_hubs(struct blocks *b)
{
	const struct sb_result *r = b->result;
	struct sb_test_tree tree;
	int rc = sb_test_tree_make(&tree, r);

	for (size_t i = 0; i < r->n_devices && rc == 0; i++) {
		b->controllers[i] = report_controller_of(&r->topo, r->devices[i].node);
		b->hubs[i] = report_hub_of(&r->topo, r->devices[i].node);
		/* a multiplier that hangs on no controller we know */
		if (b->controllers[i] < 0)
			b->hubs[i] = -1;
		else if (b->hubs[i] == b->controllers[i]) {
			int disk = sb_test_tree_storage(&tree, &r->topo, (int)i);

			b->hubs[i] = disk < 0 ? b->hubs[i] : disk;
		}
	}
	if (rc == 0)
		sb_test_tree_free(&tree);
	return rc;
}

int report_text_blocks(FILE *out, const struct sb_result *result, char *const *labels)
{
	size_t n = result->n_devices;
	SB_AUTO_FREE int *controllers = calloc(n + 1, sizeof(int));
	SB_AUTO_FREE int *hubs = calloc(n + 1, sizeof(int));
	SB_AUTO_FREE bool *member = calloc(n + 1, sizeof(bool));
	SB_AUTO_FREE bool *shown = calloc(result->verdict.n_losses + 1, sizeof(bool));
	struct blocks b = {.result = result,
			   .labels = labels,
			   .table = {.align = "lrrrrl"},
			   .controllers = controllers,
			   .hubs = hubs,
			   .member = member,
			   .shown = shown,
			   .decimals = report_rate_decimals(result)};

	if (!controllers || !hubs || !member || !shown)
		return -ENOMEM;
	if (find_hubs(&b) != 0)
		return -ENOMEM;
	return print_blocks(out, &b);
}
