/* PCI functions as nodes: root ports, switch ports, controllers; and the links between them. A link
 * has two ends, both of which show it; its limits stand at the upper one, and at a switch's. */
#include "hop_priv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

static const char *const port_names[] = {[PCI_PORT_ROOT] = "root",
					 [PCI_PORT_UPSTREAM] = "upstream",
					 [PCI_PORT_DOWNSTREAM] = "downstream"};

static int port_of(const struct sb_node *node)
{
	const char *port = sb_node_get(node, "port");

	for (int i = PCI_PORT_ROOT; port && i <= PCI_PORT_DOWNSTREAM; i++)
		if (strcmp(port_names[i], port) == 0)
			return i;
	return 0;
}

/* Where configuration space cannot be read, by the place: below the root complex stands a root
 * port, below one that looks down a switch's upstream port, below that its downstream ports. */
static int port_type(const struct scan *scan, const struct pci *pci, int parent)
{
	int above = port_of(probe_node(scan, parent));

	if (!probe_pci_is_bridge(pci))
		return 0;
	if (pci->port_type >= PCI_PORT_ROOT && pci->port_type <= PCI_PORT_DOWNSTREAM)
		return pci->port_type;
	if (pci->port_type >= 0) /* to conventional PCI, or from it */
		return 0;
	if (above == 0)
		return PCI_PORT_ROOT;
	return above == PCI_PORT_UPSTREAM ? PCI_PORT_DOWNSTREAM : PCI_PORT_UPSTREAM;
}

static enum sb_node_kind kind_of(const struct pci *pci, int port, bool last)
{
	if (last)
		return SB_NODE_CONTROLLER;
	if (port == PCI_PORT_UPSTREAM && probe_is_chipset_switch(pci))
		return SB_NODE_CHIPSET;
	return port == PCI_PORT_UPSTREAM || port == PCI_PORT_DOWNSTREAM ? SB_NODE_SWITCH
									: SB_NODE_PCIE;
}

static int describe(struct scan *scan, struct sb_node *node, const char *path,
		    const struct pci *pci)
{
	char driver[128];
	int rc = sb_node_set(node, "sysfs", path);

	if (rc == 0 && probe_link(path, "driver", driver, sizeof(driver)))
		rc = sb_node_set(node, "driver", driver);
	if (rc == 0 && pci->vendor)
		rc = sb_node_setf(node, "pci_id", "%04x:%04x", pci->vendor, pci->device);
	if (rc == 0 && pci->subvendor)
		rc = sb_node_setf(node, "pci_subsystem", "%04x:%04x", pci->subvendor,
				  pci->subdevice);
	if (rc == 0 && pci->numa >= 0)
		rc = sb_node_setf(node, "numa_node", "%d", pci->numa);
	if (rc == 0 && probe_pci_is_emulated(pci))
		rc = sb_node_set(node, "emulated", "1");
	return rc == 0 ? probe_pci_names(scan, node, path, pci) : rc;
}

struct link {
	double speed, speed_max;
	unsigned width, width_max;
	unsigned payload_bytes; /* 0 = unknown */
	bool known_max;		/* what both ends can do */
	bool emulated;
};

static double least(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

static unsigned least_count(unsigned a, unsigned b)
{
	return a == 0 || (b && b < a) ? b : a;
}

/* `upper` is zeroed where it is not known. */
static struct link link_between(const struct pci *upper, const struct pci *lower)
{
	struct link link = {.speed = isnan(lower->speed) ? upper->speed : lower->speed,
			    .width = lower->width ? lower->width : upper->width,
			    .speed_max = least(upper->speed_max, lower->speed_max),
			    .width_max = least_count(upper->width_max, lower->width_max),
			    .payload_bytes =
				    least_count(upper->payload_bytes, lower->payload_bytes)};

	link.known_max = !isnan(upper->speed_max) && !isnan(lower->speed_max) && upper->width_max &&
			 lower->width_max;
	link.emulated = probe_pci_is_emulated(upper) || probe_pci_is_emulated(lower);
	return link;
}

static int set_limit(struct sb_node *node, const struct link *link)
{
	double speed = isnan(link->speed) ? link->speed_max : link->speed;
	unsigned width = link->width ? link->width : link->width_max;
	unsigned payload = link->payload_bytes ? link->payload_bytes : SB_PAYLOAD_ASSUMED;
	SB_AUTO_FREE char *source = NULL;

	if (link->emulated || isnan(speed) || width == 0)
		return 0;
	source = sb_format("PCIe %u.%u GT/s x%u, MaxPayload %u%s", (unsigned)speed,
			   (unsigned)(speed * 10) % 10, width, payload,
			   link->payload_bytes ? "" : " assumed");
	return source ? probe_limit(node, sb_pcie_line(speed, width),
				    sb_pcie_practical(speed, width, payload), source)
		      : -ENOMEM;
}

static int set_link(struct sb_node *node, const struct link *link, bool limits)
{
	int rc = probe_link_attributes(node, link->speed, link->speed_max, "GT/s", link->width,
				       link->width_max, link->known_max);

	if (rc == 0 && link->payload_bytes)
		rc = sb_node_setf(node, "max_payload_bytes", "%u", link->payload_bytes);
	return rc == 0 && limits ? set_limit(node, link) : rc;
}

/* The link above a function, and where it ends above. */
static int add_link(struct scan *scan, int node, int parent, const char *path,
		    const struct pci *pci)
{
	struct pci upper = {.speed = NAN, .speed_max = NAN};
	int port = port_of(probe_node(scan, parent)), rc;
	bool switched = port_of(probe_node(scan, node)) == PCI_PORT_UPSTREAM;
	char above[SYS_PATH];
	struct link link;

	if (port == PCI_PORT_UPSTREAM) /* inside of a switch */
		return 0;
	if (port != 0) {
		snprintf(above, sizeof(above), "%.*s", (int)(strrchr(path, '/') - path), path);
		probe_pci_read(&upper, above);
	} else if (port_of(probe_node(scan, node)) == PCI_PORT_ROOT ||
		   probe_node(scan, parent)->kind == SB_NODE_CHIPSET) {
		return 0; /* its link is the one below it; a part of the chipset has none */
	}
	link = link_between(&upper, pci);
	rc = set_link(probe_node(scan, node), &link, port == 0 || switched);
	return rc == 0 && port != 0 ? set_link(probe_node(scan, parent), &link, true) : rc;
}

/* What the chip itself can do. */
static int add_facts(struct scan *scan, struct sb_node *node, const struct pci *pci)
{
	SB_AUTO_FREE char *source = NULL;
	const struct fact *fact;

	if (probe_pci_is_emulated(pci))
		return 0;
	if (probe_scan_facts(scan) == -ENOMEM)
		return -ENOMEM;
	fact = probe_fact(scan->facts, FACT_CONTROLLER, pci->vendor, pci->device);
	if (!fact || isnan(fact->practical))
		return 0;
	source = probe_fact_source(fact);
	return source ? probe_limit(node, NAN, fact->practical, source) : -ENOMEM;
}

int probe_pci_node(struct scan *scan, const char *path, int parent, bool last)
{
	const char *name = strrchr(path, '/') + 1;
	struct pci pci;
	char id[64];
	int port, node, rc;

	snprintf(id, sizeof(id), "pci:%s", name);
	probe_pci_read(&pci, path);
	if (probe_node(scan, parent)->kind == SB_NODE_ROOT_COMPLEX) {
		char root[SYS_PATH];

		snprintf(root, sizeof(root), "%.*s", (int)(name - 1 - path), path);
		parent = probe_chipset(scan, parent, root, &pci);
		if (parent < 0)
			return parent;
	}
	port = port_type(scan, &pci, parent);
	node = probe_scan_add(scan, kind_of(&pci, port, last), id, name, parent);
	if (node < 0)
		return node;
	rc = sb_node_set_stable_id(probe_node(scan, node), name);
	if (rc == 0 && port)
		rc = sb_node_set(probe_node(scan, node), "port", port_names[port]);
	if (rc == 0)
		rc = describe(scan, probe_node(scan, node), path, &pci);
	if (rc == 0)
		rc = add_link(scan, node, parent, path, &pci);
	if (rc == 0 && last)
		rc = add_facts(scan, probe_node(scan, node), &pci);
	return rc == 0 ? node : rc;
}
