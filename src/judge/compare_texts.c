/* What two results are compared by beside their rates: the machine, the way to each device, and how
 * they were read. Texts are malloc'ed; NULL: not known, or out of memory, which shows as not known.
 */
#include "compare_priv.h"

#include <stdlib.h>
#include <string.h>

#include "judge_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

static char *host_text(const struct sb_result *r)
{
	return copy(r->host.name);
}

static char *kernel_text(const struct sb_result *r)
{
	return copy(r->host.kernel);
}

static char *cpu_text(const struct sb_result *r)
{
	return copy(r->host.cpu_brand);
}

static char *cpus_text(const struct sb_result *r)
{
	return r->host.cpus_online == SB_NONE_U64
		       ? NULL
		       : sb_format("%llu", (unsigned long long)r->host.cpus_online);
}

static char *memory_text(const struct sb_result *r)
{
	char text[SB_UNIT_TEXT];

	return r->host.memory_bytes == SB_NONE_U64
		       ? NULL
		       : strdup(sb_format_bytes(text, r->host.memory_bytes));
}

static char *version_text(const struct sb_result *r)
{
	return copy(r->version);
}

static char *plan_text(const struct sb_result *r)
{
	return copy(r->options.plan);
}

static char *cache_text(const struct sb_result *r)
{
	return strdup(r->options.buffered ? "through the page cache" : "direct");
}

static char *begin_text(const struct sb_result *r)
{
	return r->options.skip
		       ? sb_format("block %llu", (unsigned long long)r->options.skip)
		       : sb_format("byte %llu", (unsigned long long)r->options.offset_bytes);
}

static char *amount_text(const struct sb_result *r)
{
	const struct sb_options *o = &r->options;
	char text[SB_UNIT_TEXT];

	if (o->size_bytes)
		return strdup(sb_format_block(text, o->size_bytes));
	if (o->count)
		return sb_format("%llu blocks", (unsigned long long)o->count);
	if (o->end_at_end)
		return strdup("to the end of the device");
	return strdup(o->runtime_s > 0 ? sb_format_duration(text, o->runtime_s) : "standard");
}

static char *devices_text(const struct sb_result *r)
{
	return sb_format("%zu", r->n_devices);
}

const struct compare_of_run compare_of_run[] = {
	{"host", host_text, false},
	{"kernel", kernel_text, false},
	{"CPU", cpu_text, false},
	{"CPUs online", cpus_text, false},
	{"memory", memory_text, false},
	{"satabench", version_text, false},
	{"plan", plan_text, true},
	{"devices read", devices_text, true},
	{"cache", cache_text, true},
	{"begins at", begin_text, true},
	{"length of a phase", amount_text, false},
	{NULL, NULL, false},
};

static bool is_controller(enum sb_node_kind kind)
{
	return kind == SB_NODE_CONTROLLER;
}

int compare_controller(const struct sb_result *r, int device)
{
	return sb_topo_nearest(&r->topo, r->devices[device].node, is_controller);
}

static const char *get(const struct sb_result *r, int node, const char *key)
{
	return node < 0 ? NULL : sb_node_get(&r->topo.nodes[node], key);
}

char *compare_place(const struct sb_result *r, int node)
{
	const char *driver = get(r, node, "driver");

	return sb_format("%s%s%s%s", r->topo.nodes[node].name, driver ? " (" : "",
			 driver ? driver : "", driver ? ")" : "");
}

static char *controller_text(const struct sb_result *r, int device)
{
	int node = compare_controller(r, device);
	SB_AUTO_FREE char *place = node < 0 ? NULL : compare_place(r, node);
	const char *model = get(r, node, "model"), *pci = get(r, node, "pci_id");

	return place ? sb_format("%s%s%s%s%s", place, model ? " " : "", model ? model : "",
				 pci ? " " : "", pci ? pci : "")
		     : NULL;
}

/* As it was under load, where that was looked at: an idle link may be trained down. */
static char *link_text(const struct sb_result *r, int node)
{
	const char *speed = get(r, node, "link_speed"), *width = get(r, node, "link_width");

	for (size_t i = 0; node >= 0 && i < r->n_phases; i++) {
		const struct sb_link_reading *l = judge_link_reading(&r->phases[i], node);
		bool lanes = l && l->width != SB_NONE_U64;

		if (l && l->bits_per_second != SB_NONE_U64)
			return sb_format("%g %s%s%.0d", (double)l->bits_per_second / 1e9,
					 lanes ? "GT/s" : "Gb/s", lanes ? " x" : "",
					 lanes ? (int)l->width : 0);
	}
	return speed ? sb_format("%s%s%s", speed, width ? " x" : "", width ? width : "") : NULL;
}

/* Between the controller and the disk. */
static char *disk_link_text(const struct sb_result *r, int device)
{
	int end = compare_controller(r, device), node = r->devices[device].node;

	while (node >= 0 && node != end && !get(r, node, "link_speed"))
		node = r->topo.nodes[node].parent;
	return node == end ? NULL : link_text(r, node);
}

/* Its upper end, which is the one that was read under load. */
static char *slot_link_text(const struct sb_result *r, int device)
{
	int node = compare_controller(r, device);
	int above = node < 0 ? -1 : r->topo.nodes[node].parent;

	return link_text(r, get(r, above, "link_speed") ? above : node);
}

static char *firmware_text(const struct sb_result *r, int device)
{
	return copy(get(r, r->devices[device].node, "revision"));
}

static const struct sb_job *job_of(const struct sb_result *r, int device)
{
	for (size_t i = 0; i < r->n_phases; i++)
		for (size_t k = 0; judge_counts(&r->phases[i]) && k < r->phases[i].n_jobs; k++)
			if (r->phases[i].jobs[k].device == device)
				return &r->phases[i].jobs[k];
	return NULL;
}

static char *workload_text(const struct sb_result *r, int device)
{
	const struct sb_job *job = job_of(r, device);

	return job ? copy(job->workload) : NULL;
}

static char *block_text(const struct sb_result *r, int device)
{
	const struct sb_job *job = job_of(r, device);
	char text[SB_UNIT_TEXT];

	return job ? strdup(sb_format_block(text, job->block_bytes)) : NULL;
}

static char *engine_text(const struct sb_result *r, int device)
{
	const struct sb_job *job = job_of(r, device);

	return job ? copy(job->engine) : NULL;
}

static char *buffers_text(const struct sb_result *r, int device)
{
	const struct sb_job *job = job_of(r, device);

	return job ? copy(job->buffers) : NULL;
}

static char *depth_text(const struct sb_result *r, int device)
{
	const struct sb_job *job = job_of(r, device);

	return job ? sb_format("%llu", (unsigned long long)job->depth) : NULL;
}

const struct compare_of_device compare_of_device[] = {
	{"controller", controller_text, false}, {"controller's link", slot_link_text, false},
	{"disk's link", disk_link_text, false}, {"firmware", firmware_text, false},
	{"workload", workload_text, true},	{"block size", block_text, true},
	{"engine", engine_text, false},		{"buffers", buffers_text, false},
	{"queue depth", depth_text, false},	{NULL, NULL, false},
};
