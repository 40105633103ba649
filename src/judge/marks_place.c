/* Where files, directories, partitions and volumes lie. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge_priv.h"

static const char *word_for(enum sb_node_kind kind)
{
	switch (kind) {
	case SB_NODE_PARTITION:
		return "partition";
	case SB_NODE_MD:
		return "array";
	case SB_NODE_DM:
		return "volume";
	case SB_NODE_LOOP:
		return "loop device";
	case SB_NODE_ZRAM:
		return "zram device";
	case SB_NODE_FILESYSTEM:
		return "file system";
	default:
		return "disk";
	}
}

int mark_same_disk(struct sb_result *result, const struct judge_table *table)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
		int node = sb_test_tree_storage(&table->tree, &result->topo, (int)i);

		if (node >= 0)
			rc = sb_result_add_mark(
				result, SB_MARK_NOTE, "same_disk", result->devices[i].target, NAN,
				NAN, "on the same %s, %s: read together they share what it gives",
				word_for(result->topo.nodes[node].kind),
				result->topo.nodes[node].name);
	}
	return rc;
}

static const char *why_none(const struct sb_node *node)
{
	const char *medium = sb_node_get(node, "medium");

	if (!medium)
		return "the kernel does not tell on which disks that lies";
	if (strcmp(medium, "memory") == 0)
		return "that is memory, and no disk is read";
	if (strcmp(medium, "host") == 0)
		return "the host of this machine reads, and its disks are not seen from here";
	return "the network or the server may limit, and no disk of this machine is read";
}

int mark_no_disk(struct sb_result *result, const struct judge_table *table)
{
	int rc = 0;

	(void)table;
	for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
		const struct sb_device *device = &result->devices[i];
		const struct sb_node *node =
			device->node < 0 ? NULL : &result->topo.nodes[device->node];

		if (!node || !device->file_system || node->n_below != 1)
			continue;
		node = &result->topo.nodes[node->below[0]];
		if (node->kind == SB_NODE_FILESYSTEM && node->n_below == 0)
			rc = sb_result_add_mark(
				result, SB_MARK_NOTE, "no_disk", device->target, NAN, NAN,
				"on the file system %s (%s): %s", node->name,
				device->file_system ? device->file_system : "?", why_none(node));
	}
	return rc;
}
