/* The machine as a tree: what goes through each part while all devices are read, against what it
 * can carry. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define DEEPEST 40
#define BAR 16 /* pixels */

static const struct html_head heads[] = {
	{"part", "", ""},	    {"load against what it can carry", "p", ""},
	{"load MB/s", "n", "load"}, {"can carry MB/s", "n", "of"},
	{"used %", "n", "%"},	    {"", "", ""},
};
enum { HEAD_PART, HEAD_BAR, HEAD_LOAD, HEAD_CARRY, HEAD_USED, HEAD_STATE };

struct tree {
	const struct page *page;
	const struct sb_result *result;
	struct chart bar;
	int *device;   /* by node; -1 */
	int *parent;   /* by node: what it hangs on, also by what it is made of; -1 */
	bool *drawn;   /* by node */
	int *above;    /* by node: the nearest drawn one above, -1 */
	bool *member;  /* by device: of the sum that is made */
	bool together; /* else the devices' rates alone are the load */
};

/* What a part carries, and what it can: by its link, or as it was measured. */
struct load {
	double bytes_s, ceiling_bytes_s;
	const char *source; /* of the ceiling */
};

static bool is_limit(const struct tree *t, int node)
{
	const struct sb_verdict *v = &t->result->verdict;

	for (size_t i = 0; t->page->verdict && i < v->n_limits; i++)
		if (!v->limits[i].refuted && v->limits[i].node == node)
			return true;
	return false;
}

static bool is_candidate(const struct tree *t, int node)
{
	const struct sb_verdict *v = &t->result->verdict;

	for (size_t i = 0; t->page->verdict && i < v->n_limits; i++)
		for (size_t c = 0; !v->limits[i].refuted && c < v->limits[i].n_candidates; c++)
			if (v->limits[i].candidates[c] == node)
				return true;
	return false;
}

/* The verdict speaks of it. */
static bool is_told(const struct tree *t, int node)
{
	return is_limit(t, node) || is_candidate(t, node) ||
	       (t->page->verdict && report_loss_at(&t->result->verdict, node));
}

static bool is_hub(enum sb_node_kind kind)
{
	return kind == SB_NODE_CONTROLLER || kind == SB_NODE_PORT_MULTIPLIER ||
	       kind == SB_NODE_EXPANDER || kind == SB_NODE_CHIPSET;
}

/* How many branches below each node lead to a device. */
static size_t *count_branches(const struct tree *t, const int *order)
{
	const struct sb_topo *topo = &t->result->topo;
	size_t *branches = calloc(topo->n_nodes + 1, sizeof(*branches));
	SB_AUTO_FREE bool *leads = calloc(topo->n_nodes + 1, sizeof(*leads));

	if (!branches || !leads) {
		free(branches);
		return NULL;
	}
	for (size_t n = topo->n_nodes; n-- > 0;) {
		int i = order[n], parent = t->parent[i];

		leads[i] |= t->device[i] >= 0;
		if (leads[i] && parent >= 0) {
			leads[parent] = true;
			branches[parent]++;
		}
	}
	for (size_t i = 0; i < topo->n_nodes; i++)
		branches[i] = leads[i] ? branches[i] + 1 : 0;
	return branches;
}

/* A hop is worth a line where ways part, and where the verdict speaks of it. */
static int look_over(struct tree *t)
{
	const struct sb_topo *topo = &t->result->topo;
	SB_AUTO_FREE int *order = calloc(topo->n_nodes + 1, sizeof(*order));
	SB_AUTO_FREE size_t *branches = NULL;

	if (!order || sb_topo_hang(topo, t->parent, order) != 0)
		return -ENOMEM;
	for (size_t i = 0; i < topo->n_nodes; i++)
		t->device[i] = -1;
	for (size_t i = t->result->n_devices; i-- > 0;)
		if (t->result->devices[i].node >= 0)
			t->device[t->result->devices[i].node] = (int)i;
	branches = count_branches(t, order);
	if (!branches)
		return -ENOMEM;
	for (size_t n = 0; n < topo->n_nodes; n++) {
		int i = order[n], parent = t->parent[i];

		t->drawn[i] = t->device[i] >= 0 ||
			      (branches[i] > 0 &&
			       (branches[i] > 2 || is_hub(topo->nodes[i].kind) || is_told(t, i)));
		t->above[i] = parent < 0 ? -1 : t->drawn[parent] ? parent : t->above[parent];
	}
	return 0;
}

static double device_rate(const struct tree *t, const struct sb_device *device)
{
	return t->together ? device->all_bytes_s : device->alone_bytes_s;
}

/* The least of the ceilings of this line: the node's and those of the hops above without one. */
static double ceiling_of(const struct tree *t, int index, const char **source)
{
	const struct sb_topo *topo = &t->result->topo;
	double least = NAN;

	for (int at = index; at >= 0 && (at == index || !t->drawn[at]); at = t->parent[at]) {
		double ceiling = sb_node_ceiling(&topo->nodes[at]);

		if (isnan(ceiling) || ceiling >= least)
			continue;
		least = ceiling;
		*source = isnan(topo->nodes[at].practical_bytes_s) ? "line" : "in practice";
	}
	return least;
}

static double measured_capacity(const struct tree *t, int node)
{
	const struct sb_verdict *v = &t->result->verdict;

	for (size_t i = 0; i < v->n_limits; i++)
		for (size_t c = 0; !v->limits[i].refuted && c < v->limits[i].n_candidates; c++)
			if (v->limits[i].candidates[c] == node)
				return v->limits[i].capacity_bytes_s;
	return NAN;
}

static struct load load_of_part(struct tree *t, int node)
{
	struct load load = {.source = ""};
	struct report_rates rates;

	for (size_t i = 0; i < t->result->n_devices; i++)
		t->member[i] = report_is_under(&t->result->topo, t->result->devices[i].node, node);
	rates = report_rates_sum(t->result, t->member);
	load.bytes_s = t->together ? rates.once_bytes_s : NAN;
	load.ceiling_bytes_s = ceiling_of(t, node, &load.source);
	/* a ceiling that is known tells more than that it is full */
	if (t->page->verdict && isnan(load.ceiling_bytes_s)) {
		load.ceiling_bytes_s = measured_capacity(t, node);
		load.source = "measured";
	}
	return load;
}

static struct load load_of_device(const struct tree *t, const struct sb_device *device)
{
	struct load load = {
		.bytes_s = device_rate(t, device), .ceiling_bytes_s = NAN, .source = ""};

	if (t->together && !isnan(device->alone_bytes_s)) {
		load.ceiling_bytes_s = device->alone_bytes_s;
		load.source = "alone";
	} else if (device->node >= 0) {
		load.ceiling_bytes_s = ceiling_of(t, device->node, &load.source);
	}
	return load;
}

/* Darker with load; a limit has a colour and a pattern of its own. */
static const char *class_of(double share, bool limit)
{
	return limit	     ? "limit"
	       : share < 0.4 ? "used1"
	       : share < 0.7 ? "used2"
	       : share < 0.9 ? "used3"
			     : "used4";
}

static void write_load(const struct tree *t, const struct load *load, bool limit)
{
	const struct page *page = t->page;
	double share = load->bytes_s / load->ceiling_bytes_s;

	html_cell_begin(page, &heads[HEAD_BAR]);
	chart_row_begin(&t->bar);
	if (!isnan(share)) {
		chart_row_bar(&t->bar, 0, 100, 2, BAR - 4, "track");
		chart_row_bar(&t->bar, 0, fmin(100 * share, 100), 2, BAR - 4,
			      class_of(share, limit));
	}
	chart_row_end(&t->bar);
	html_cell_end(page);
	html_cell(page, &heads[HEAD_LOAD], html_rate(page, load->bytes_s));
	html_cell_begin(page, &heads[HEAD_CARRY]);
	if (!isnan(load->ceiling_bytes_s))
		fprintf(page->out, "<small>%s</small> ", load->source);
	html_take(page, html_rate(page, load->ceiling_bytes_s));
	html_cell_end(page);
	html_cell(page, &heads[HEAD_USED], report_number_text(100 * share, 0));
}

static void write_part_name(const struct tree *t, int index)
{
	const struct page *page = t->page;
	const struct sb_node *node = &t->result->topo.nodes[index];
	SB_AUTO_FREE char *hop = report_hop_text(node);
	const char *model = sb_node_get(node, "model");

	html_take(page, report_node_text(t->result, page->labels, index));
	html_mark_links(page, node->id);
	if (model || hop)
		fputs("<small>", page->out);
	html_raw(page, model);
	if (model && hop)
		fputs(" &middot; ", page->out);
	if (hop)
		html_say(page, "%s", hop);
	if (model || hop)
		fputs("</small>", page->out);
}

static char *state_of(const struct tree *t, int node)
{
	const struct sb_node_loss *loss = report_loss_at(&t->result->verdict, node);

	if (!t->page->verdict)
		return NULL;
	if (is_limit(t, node))
		return strdup("limits");
	if (is_candidate(t, node))
		return strdup("or this: cannot be told apart");
	return loss ? report_state_text(t->result, t->page->labels, loss) : NULL;
}

static void write_device(const struct tree *t, size_t index, unsigned level)
{
	const struct page *page = t->page;
	const struct sb_device *device = &t->result->devices[index];
	struct load load = load_of_device(t, device);

	html_row_begin(page, "", level);
	html_say(page, "%s", page->labels[index]);
	html_mark_links(page, device->target);
	html_row_next(page);
	write_load(t, &load, device->node >= 0 && is_limit(t, device->node));
	html_cell(page, &heads[HEAD_STATE], strdup(html_device_note(page, index)));
	html_row_end(page);
}

static void write_part(struct tree *t, int node, unsigned level)
{
	const struct page *page = t->page;
	struct load load = load_of_part(t, node);
	bool limit = is_limit(t, node);

	html_row_begin(page, limit ? "limits" : "", level);
	write_part_name(t, node);
	html_row_next(page);
	write_load(t, &load, limit || is_candidate(t, node));
	html_cell(page, &heads[HEAD_STATE], state_of(t, node));
	html_row_end(page);
}

static void write_below(struct tree *t, int parent, unsigned level)
{
	for (size_t i = 0; i < t->result->topo.n_nodes; i++) {
		if (!t->drawn[i] || t->above[i] != parent)
			continue;
		if (t->device[i] < 0)
			write_part(t, (int)i, level);
		for (size_t d = 0; t->device[i] >= 0 && d < t->result->n_devices; d++)
			if (t->result->devices[d].node == (int)i)
				write_device(t, d, level);
		if (level < DEEPEST)
			write_below(t, (int)i, level + 1);
	}
}

bool html_has_tree(const struct page *page)
{
	return !isnan(page->result->alone_bytes_s) || !isnan(page->result->all_bytes_s);
}

int html_tree(const struct page *page)
{
	const struct sb_result *r = page->result;
	SB_AUTO_FREE int *device = calloc(r->topo.n_nodes + 1, sizeof(int));
	SB_AUTO_FREE int *parent = calloc(r->topo.n_nodes + 1, sizeof(int));
	SB_AUTO_FREE bool *drawn = calloc(r->topo.n_nodes + 1, sizeof(bool));
	SB_AUTO_FREE int *above = calloc(r->topo.n_nodes + 1, sizeof(int));
	SB_AUTO_FREE bool *member = calloc(r->n_devices + 1, sizeof(bool));
	struct tree t = {
		.page = page,
		.result = r,
		.bar = {.out = page->out, .x = chart_scale_linear(0, 100, 4), .height = BAR},
		.device = device,
		.parent = parent,
		.drawn = drawn,
		.above = above,
		.member = member,
		.together = !isnan(r->all_bytes_s)};

	if (!device || !parent || !drawn || !above || !member || look_over(&t) != 0)
		return -ENOMEM;
	t.bar.x.n_ticks = 0;
	html_rows_begin(page,
			"What goes through each part while all devices are read, against what it "
			"can carry: a disk what it gives alone, a link what it carries in practice "
			"or cannot exceed (line), a limit what was measured.",
			heads, SB_COUNT(heads), NULL);
	write_below(&t, -1, 0);
	for (size_t i = 0; i < r->n_devices; i++)
		if (r->devices[i].node < 0)
			write_device(&t, i, 0);
	html_rows_end(page);
	return 0;
}
