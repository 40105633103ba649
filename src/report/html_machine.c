/* The machine, its parts and devices, and the command that made the run. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

bool html_has_machine(const struct page *page)
{
	(void)page;
	return true;
}

static char *escaped(const char *raw)
{
	return raw ? sb_escape(raw) : NULL;
}

static char *how_text(const struct sb_result *result)
{
	char *text = NULL;
	size_t length;
	FILE *line = open_memstream(&text, &length);

	if (!line)
		return NULL;
	report_how(line, result);
	if (fclose(line) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static void write_host(const struct page *page)
{
	const struct sb_host *host = &page->result->host;
	char buf[SB_UNIT_TEXT];

	fputs("<dl class=\"list\">\n", page->out);
	html_fact(page, "host", escaped(host->name));
	html_fact(page, "kernel", escaped(host->kernel));
	html_fact(page, "CPU", escaped(host->cpu_brand));
	if (host->cpus_online != SB_NONE_U64)
		html_fact(page, "CPUs online",
			  sb_format("%llu", (unsigned long long)host->cpus_online));
	if (host->memory_bytes != SB_NONE_U64)
		html_fact(page, "memory", strdup(sb_format_bytes(buf, host->memory_bytes)));
	html_fact(page, "measured", how_text(page->result));
	html_fact(page, "started", escaped(page->result->started));
	html_fact(page, "label", escaped(page->result->label));
	html_fact(page, "satabench", escaped(page->result->version));
	fputs("</dl>\n", page->out);
	if (!page->result->command)
		return;
	fputs("<h3>Command</h3>\n<pre><code>", page->out);
	html_raw(page, page->result->command);
	fputs("</code></pre>\n", page->out);
}

/* Anything on the way that has a link, a ceiling or a driver. */
static bool is_part(const struct sb_result *r, int index)
{
	const struct sb_node *node = &r->topo.nodes[index];

	/* a disk's own link stands beside the disk */
	return node->kind < SB_NODE_DISK && node->kind != SB_NODE_LINK &&
	       report_devices_under(r, index) > 0 &&
	       (sb_node_get(node, "driver") || sb_node_get(node, "link_speed") ||
		!isnan(sb_node_ceiling(node)));
}

static void cell_escaped(struct report_table *t, const char *raw)
{
	report_cell_take(t, sb_escape(raw ? raw : ""));
}

static void write_parts(const struct page *page)
{
	static const char *const names[] = {
		"part", "driver", "model", "link and ceilings", "devices", "source of the ceiling"};
	const struct sb_result *r = page->result;
	struct report_table t = {.align = "llllrl"};

	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t i = 0; i < r->topo.n_nodes; i++) {
		const struct sb_node *node = &r->topo.nodes[i];
		SB_AUTO_FREE char *hop = NULL;

		if (!is_part(r, (int)i))
			continue;
		hop = report_hop_text(node);
		report_cell_take(&t, report_node_text(r, page->labels, (int)i));
		cell_escaped(&t, sb_node_get(node, "driver"));
		cell_escaped(&t, sb_node_get(node, "model"));
		report_cell(&t, hop ? hop : "");
		report_cell_take(&t, sb_format("%zu", report_devices_under(r, (int)i)));
		cell_escaped(&t, node->limit_source);
	}
	html_table(page, &t, "Parts on the way to the devices");
}

/* Its own link: of the disk, or of the port that it hangs on. */
static char *link_text(const struct sb_topo *topo, int node)
{
	char *text = report_hop_text(&topo->nodes[node]);
	int above = topo->nodes[node].parent;

	if (!text && above >= 0 && topo->nodes[above].kind == SB_NODE_LINK)
		text = report_hop_text(&topo->nodes[above]);
	return text;
}

static void add_device(const struct page *page, struct report_table *t, size_t index)
{
	const struct sb_device *d = &page->result->devices[index];
	const struct sb_node *node = d->node >= 0 ? &page->result->topo.nodes[d->node] : NULL;
	SB_AUTO_FREE char *hop = node ? link_text(&page->result->topo, d->node) : NULL;
	char buf[SB_UNIT_TEXT];

	report_cell(t, page->labels[index]);
	cell_escaped(t, strcmp(d->target, page->labels[index]) == 0 ? NULL : d->target);
	cell_escaped(t, node ? sb_node_get(node, "model") : NULL);
	cell_escaped(t, node ? sb_node_get(node, "serial") : NULL);
	report_cell(t, d->size_bytes == SB_NONE_U64 ? "" : sb_format_bytes(buf, d->size_bytes));
	report_cell(t, d->kind == SB_DEVICE_BLOCK ? d->rotational ? "turns" : "flash" : "");
	report_cell(t, hop ? hop : "");
	cell_escaped(t, d->contents);
	cell_escaped(t, d->engine);
	report_cell_take(t,
			 d->depth ? sb_format("%llu", (unsigned long long)d->depth) : strdup(""));
	cell_escaped(t, d->buffers);
	report_cell_take(t, isnan(d->wake_seconds)
				    ? strdup("")
				    : strdup(sb_format_latency(buf, 1e9 * d->wake_seconds)));
}

static void write_devices(const struct page *page)
{
	static const char *const names[] = {"device", "target", "model",   "serial",
					    "size",   "kind",	"link",	   "contents",
					    "engine", "depth",	"buffers", "first read"};
	struct report_table t = {.align = "llllrllllrlr"};

	for (size_t i = 0; i < SB_COUNT(names); i++)
		report_cell(&t, names[i]);
	for (size_t i = 0; i < page->result->n_devices; i++)
		add_device(page, &t, i);
	html_table(page, &t, "Devices");
}

int html_machine(const struct page *page)
{
	write_host(page);
	write_parts(page);
	write_devices(page);
	return 0;
}
