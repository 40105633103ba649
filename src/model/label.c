#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/topo.h"

/* The word before the name; kinds that are known by their name alone have none. */
static const char *const words[SB_NODE_KINDS] = {
	[SB_NODE_NUMA] = "NUMA node",
	[SB_NODE_ROOT_COMPLEX] = "root complex",
	[SB_NODE_CHIPSET] = "chipset uplink",
	[SB_NODE_PCIE] = "PCIe root port",
	[SB_NODE_SWITCH] = "PCIe switch",
	[SB_NODE_CONTROLLER] = "controller",
	[SB_NODE_LINK] = "link",
	[SB_NODE_PORT_MULTIPLIER] = "port multiplier",
	[SB_NODE_EXPANDER] = "expander",
	[SB_NODE_ENCLOSURE] = "enclosure",
	[SB_NODE_FILESYSTEM] = "file system",
};

char *sb_node_label(const struct sb_topo *topo, int node)
{
	const struct sb_node *n;
	SB_AUTO_FREE char *name = NULL;
	const char *driver;

	if (node < 0 || (size_t)node >= topo->n_nodes)
		return strdup("a device of unknown place");
	n = &topo->nodes[node];
	if (n->kind == SB_NODE_MACHINE)
		return strdup("the machine");
	name = sb_escape(n->name);
	if (!name)
		return NULL;
	if (!words[n->kind])
		return strdup(name);
	driver = sb_node_get(n, "driver");
	if (n->kind == SB_NODE_CONTROLLER && driver)
		return sb_format("%s %s (%s)", words[n->kind], name, driver);
	return sb_format("%s %s", words[n->kind], name);
}
