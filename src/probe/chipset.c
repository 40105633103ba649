/* The chipset's uplink. AMD's is a PCIe switch and shows its links. Intel's DMI is not in sysfs: it
 * is inferred from the functions on a root bus whose ids are the chipset's. */
#include "hop_priv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

/* Intel gives each chipset a block of ids: pci.ids. */
static const struct family {
	unsigned first, last;
	const char *name;
} families[] = {
	{0x2640, 0x266f, "Intel ICH6"},
	{0x27b0, 0x27df, "Intel ICH7"},
	{0x2810, 0x285f, "Intel ICH8"},
	{0x2910, 0x294f, "Intel ICH9"},
	{0x3a00, 0x3a7f, "Intel ICH10"},
	{0x3b00, 0x3b6f, "Intel 5 series chipset"},
	{0x1c00, 0x1c7f, "Intel 6 series chipset"},
	{0x1d00, 0x1d7f, "Intel C600/X79 chipset"},
	{0x1e00, 0x1e7f, "Intel 7 series chipset"},
	{0x8c00, 0x8c7f, "Intel 8 series chipset"},
	{0x8c80, 0x8cff, "Intel 9 series chipset"},
	{0x8d00, 0x8d7f, "Intel C610/X99 chipset"},
	{0xa100, 0xa17f, "Intel 100 series chipset"},
	{0xa180, 0xa27f, "Intel C620 chipset"},
	{0xa280, 0xa2ff, "Intel 200 series chipset"},
	{0xa300, 0xa37f, "Intel 300 series chipset"},
	{0xa380, 0xa3ff, "Intel 400 series chipset"},
	{0x0680, 0x06ff, "Intel 400 series chipset"},
	{0x4380, 0x43ff, "Intel 500 series chipset"},
	{0x7a80, 0x7aff, "Intel 600 series chipset"},
	{0x7a00, 0x7a7f, "Intel 700 series chipset"},
	{0x9c00, 0x9c7f, "Intel 8 series LP chipset"},
	{0x9c80, 0x9cff, "Intel 9 series LP chipset"},
	{0x9d00, 0x9d7f, "Intel 100 series LP chipset"},
	{0x9d80, 0x9dff, "Intel 300 series LP chipset"},
	{0x0280, 0x02ff, "Intel 400 series LP chipset"},
	{0x3480, 0x34ff, "Intel 400 series LP chipset"},
	{0xa080, 0xa0ff, "Intel 500 series LP chipset"},
	{0x5180, 0x51ff, "Intel 600 series LP chipset"},
};

/* Upstream ports of AMD's chipsets, of which 57ad is X570's: pci.ids. */
static const unsigned amd_upstream[] = {0x43b0, 0x43b1, 0x43c6, 0x43e9, 0x43f4, 0x57ad};

bool probe_is_chipset_switch(const struct pci *pci)
{
	for (size_t i = 0; i < SB_COUNT(amd_upstream); i++)
		if (pci->vendor == 0x1022 && pci->device == amd_upstream[i])
			return true;
	return false;
}

static const struct family *family_of(const struct pci *pci)
{
	if (pci->vendor != 0x8086 || probe_pci_is_emulated(pci))
		return NULL;
	for (size_t i = 0; i < SB_COUNT(families); i++)
		if (pci->device >= families[i].first && pci->device <= families[i].last)
			return &families[i];
	return NULL;
}

/* An uplink is told by the LPC or eSPI bridge's id, which differs from model to model; where there
 * is none to be seen, by that of any function of the family. */
static int set_uplink(struct scan *scan, struct sb_node *node, const struct pci *bridge,
		      const struct pci *member)
{
	const struct fact *fact = NULL;
	SB_AUTO_FREE char *source = NULL;
	int rc;

	if (probe_scan_facts(scan) == -ENOMEM)
		return -ENOMEM;
	if (bridge->vendor)
		fact = probe_fact(scan->facts, FACT_UPLINK, bridge->vendor, bridge->device);
	if (!fact)
		fact = probe_fact(scan->facts, FACT_UPLINK, member->vendor, member->device);
	if (!fact || isnan(fact->speed) || fact->width == 0)
		return 0;
	source = probe_fact_source(fact);
	rc = source ? sb_node_set(node, "model", fact->name) : -ENOMEM;
	if (rc == 0)
		rc = probe_link_attributes(node, fact->speed, NAN, "GT/s", fact->width, 0, false);
	if (rc == 0)
		rc = probe_limit(node, sb_pcie_line(fact->speed, fact->width),
				 sb_pcie_practical(fact->speed, fact->width, SB_PAYLOAD_ASSUMED),
				 source);
	return rc;
}

int probe_chipset(struct scan *scan, int root, const char *root_path, const struct pci *pci)
{
	const struct family *family = family_of(pci);
	const char *bus = strrchr(root_path, '/') + 1; /* pci0000:00 */
	char id[64], path[SYS_PATH + 32];
	struct pci bridge;
	int node, rc;

	if (!family || strlen(bus) < 7 || strcmp(bus + strlen(bus) - 3, ":00") != 0)
		return root;
	snprintf(id, sizeof(id), "chipset:%s", bus + 3);
	node = probe_scan_find(scan, id);
	if (node >= 0)
		return node;
	node = probe_scan_add(scan, SB_NODE_CHIPSET, id, "chipset", root);
	if (node < 0)
		return node;
	/* Device 31 function 0 is the LPC or eSPI bridge in all of them. */
	snprintf(path, sizeof(path), "%s/%s:1f.0", root_path, bus + 3);
	probe_pci_read(&bridge, path);
	rc = sb_node_set(probe_node(scan, node), "model", family->name);
	if (rc == 0)
		rc = set_uplink(scan, probe_node(scan, node), &bridge, pci);
	return rc == 0 ? node : rc;
}
