/* Arrays, once more when all has been read: one that began to resync meanwhile was not at rest. */
#include "probe_priv.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "satabench/probe.h"

int sb_probe_end(struct sb_topo *topo)
{
	int rc = 0;

	for (size_t i = 0; i < topo->n_nodes && rc == 0; i++) {
		struct sb_node *node = &topo->nodes[i];
		char path[SYS_PATH], action[64];

		snprintf(path, sizeof(path), SYS_BLOCK "/%s/md/sync_action", node->name);
		if (node->kind == SB_NODE_MD && probe_text(AT_FDCWD, path, action, sizeof(action)))
			rc = sb_node_set(node, "md_sync_action_end", action);
	}
	return rc;
}
