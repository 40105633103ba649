/* Disks that belong to an array which is not there. */
#include <math.h>
#include <string.h>

#include "judge_priv.h"

/* libblkid's names of what mdadm can assemble */
static bool is_raid_member(const char *contents)
{
	return contents && (strcmp(contents, "linux_raid_member") == 0 ||
			    strcmp(contents, "isw_raid_member") == 0 ||
			    strcmp(contents, "ddf_raid_member") == 0);
}

static bool has_array(const struct sb_topo *topo, int node)
{
	for (size_t i = 0; i < topo->n_nodes; i++)
		if (topo->nodes[i].kind == SB_NODE_MD && (int)i != node &&
		    sb_topo_reaches(topo, (int)i, node))
			return true;
	return false;
}

static const char *contents_of(const struct sb_result *result, const struct sb_device *device)
{
	return device->contents	   ? device->contents
	       : device->node >= 0 ? sb_node_get(&result->topo.nodes[device->node], "contents")
				   : NULL;
}

int mark_md_not_assembled(struct sb_result *result, const struct judge_table *table)
{
	int rc = 0;

	(void)table;
	for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
		const struct sb_device *device = &result->devices[i];
		const char *contents = contents_of(result, device);

		if (device->node < 0 || !is_raid_member(contents) ||
		    has_array(&result->topo, device->node))
			continue;
		rc = sb_result_add_mark(result, SB_MARK_NOTE, "md_not_assembled", device->target,
					NAN, NAN,
					"it belongs to an array (%s) that is not assembled: mdadm "
					"--examine says to which",
					contents);
	}
	return rc;
}
