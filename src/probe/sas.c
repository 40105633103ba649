/* SAS ports (one or more phys that carry together) and expanders, as the kernel's SAS transport
 * class shows them. */
#include "hop_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

struct phys {
	const char *path;
	unsigned n;	 /* phys that were found */
	double slowest;	 /* Gb/s as negotiated; NaN */
	double possible; /* Gb/s that each of them could do; NaN */
	char first[SYS_PATH + 128];
};

static void take(double *least, double value)
{
	if (!isnan(value) && (isnan(*least) || value < *least))
		*least = value;
}

static int add_phy(void *arg, const char *name)
{
	struct phys *phys = arg;
	char folder[SYS_PATH + 128], text[64];
	SB_AUTO_FD int dir = -1;

	if (strncmp(name, "phy-", 4) != 0)
		return 0;
	snprintf(folder, sizeof(folder), "%s/%.40s/sas_phy/%.40s", phys->path, name, name);
	dir = sb_open_readonly(AT_FDCWD, folder, O_DIRECTORY);
	if (dir < 0)
		return 0;
	if (phys->n++ == 0)
		snprintf(phys->first, sizeof(phys->first), "%s", folder);
	if (probe_text(dir, "negotiated_linkrate", text, sizeof(text)))
		take(&phys->slowest, probe_speed(text));
	if (probe_text(dir, "maximum_linkrate", text, sizeof(text)))
		take(&phys->possible, probe_speed(text));
	return 0;
}

/* What comes behind the host's number, which changes from boot to boot: "port-7:0:1" -> "0:1". */
static const char *behind_host(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon ? colon + 1 : name;
}

static int add(struct scan *scan, enum sb_node_kind kind, const char *path, const char *what,
	       int parent, bool *added)
{
	const char *name = strrchr(path, '/') + 1;
	int controller = parent, node;
	char id[SYS_PATH];

	while (controller >= 0 && probe_node(scan, controller)->kind != SB_NODE_CONTROLLER)
		controller = probe_node(scan, controller)->parent;
	snprintf(id, sizeof(id), "%s/%s-%s",
		 probe_node(scan, controller < 0 ? parent : controller)->id, what,
		 behind_host(name));
	node = probe_scan_find(scan, id);
	*added = node < 0;
	return node < 0 ? probe_scan_add(scan, kind, id, name, parent) : node;
}

static int set_port(struct scan *scan, int index, const char *path)
{
	struct phys phys = {.path = path, .slowest = NAN, .possible = NAN};
	struct sb_node *node = probe_node(scan, index);
	char text[SYS_PATH + 128];
	uint64_t n;
	int rc;

	(void)probe_each(AT_FDCWD, path, add_phy, &phys);
	snprintf(text, sizeof(text), "%s/sas_port/%s/num_phys", path, node->name);
	if (phys.n == 0 && probe_u64(AT_FDCWD, text, &n) && n <= 256)
		phys.n = (unsigned)n;
	rc = phys.first[0] ? sb_node_set(node, "sysfs", phys.first) : 0;
	if (rc == 0)
		rc = probe_link_attributes(node, phys.slowest, phys.possible, "Gb/s", phys.n, 0,
					   false);
	if (rc != 0 || isnan(phys.slowest) || phys.n == 0 || probe_is_emulated(scan, index))
		return rc;
	snprintf(text, sizeof(text), "SAS %u.%u Gb/s x%u, %s", (unsigned)phys.slowest,
		 (unsigned)(phys.slowest * 10) % 10, phys.n,
		 phys.slowest > 12 ? "128b/150b" : "8b/10b");
	return probe_limit(node, sb_sas_line(phys.slowest, phys.n), NAN, text);
}

int probe_sas_port(struct scan *scan, const char *path, int parent)
{
	bool added;
	int node = add(scan, SB_NODE_LINK, path, "port", parent, &added), rc;

	if (node < 0 || !added)
		return node;
	rc = set_port(scan, node, path);
	return rc == 0 ? node : rc;
}

static int set_text(struct sb_node *node, const char *key, const char *path, const char *class,
		    const char *attribute)
{
	char file[SYS_PATH + 128], text[64];

	snprintf(file, sizeof(file), "%s/%s/%s/%s", path, class, node->name, attribute);
	return probe_text(AT_FDCWD, file, text, sizeof(text)) ? sb_node_set(node, key, text) : 0;
}

int probe_expander(struct scan *scan, const char *path, int parent)
{
	struct sb_node *node;
	const char *address;
	bool added;
	int index = add(scan, SB_NODE_EXPANDER, path, "expander", parent, &added), rc;

	if (index < 0 || !added)
		return index;
	node = probe_node(scan, index);
	rc = set_text(node, "sas_address", path, "sas_device", "sas_address");
	if (rc == 0)
		rc = set_text(node, "enclosure", path, "sas_device", "enclosure_identifier");
	if (rc == 0)
		rc = set_text(node, "vendor", path, "sas_expander", "vendor_id");
	if (rc == 0)
		rc = set_text(node, "model", path, "sas_expander", "product_id");
	if (rc == 0)
		rc = set_text(node, "revision", path, "sas_expander", "product_rev");
	address = sb_node_get(node, "sas_address");
	if (rc == 0 && address && sb_is_identity(address))
		rc = sb_node_set_stable_id(node, address);
	return rc == 0 ? index : rc;
}
