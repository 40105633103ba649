/* From a device's place in sysfs to the node that it hangs on, adding what lies between: root
 * complex, chipset, ports, switches, controller, and below that the links, multipliers and
 * expanders. */
#include "hop_priv.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"

#define DEVICES "/sys/devices"

bool probe_is_emulated(const struct scan *scan, int index)
{
	for (; index >= 0; index = probe_node(scan, index)->parent)
		if (probe_is(probe_node(scan, index), "emulated"))
			return true;
	return false;
}

static int set_speed(struct sb_node *node, const char *key, double speed, const char *unit)
{
	unsigned tenths = (unsigned)(speed * 10 + 0.5);

	if (isnan(speed))
		return 0;
	if (tenths % 10 == 0)
		return sb_node_setf(node, key, "%u %s", tenths / 10, unit);
	return sb_node_setf(node, key, "%u.%u %s", tenths / 10, tenths % 10, unit);
}

int probe_link_attributes(struct sb_node *node, double speed, double speed_max, const char *unit,
			  unsigned width, unsigned width_max, bool known_max)
{
	bool slower = speed < speed_max || (width && width < width_max);
	int rc = set_speed(node, "link_speed", speed, unit);

	if (rc == 0)
		rc = set_speed(node, "link_speed_max", speed_max, unit);
	if (rc == 0 && width)
		rc = sb_node_setf(node, "link_width", "%u", width);
	if (rc == 0 && width_max)
		rc = sb_node_setf(node, "link_width_max", "%u", width_max);
	return rc == 0 && known_max && slower ? sb_node_set(node, "downgraded", "1") : rc;
}

/* pci0000:00 */
static bool is_root_complex(const char *name)
{
	size_t n;

	if (strncmp(name, "pci", 3) != 0)
		return false;
	n = strspn(name + 3, "0123456789abcdefABCDEF");
	return n >= 4 && name[3 + n] == ':' && isxdigit((unsigned char)name[4 + n]) &&
	       isxdigit((unsigned char)name[5 + n]) && !name[6 + n];
}

static int pci_hop(struct scan *scan, const char *path, bool last);

/* The hop above the last component of `path`: root complexes lie below the machine, or below a
 * function that opens a domain of its own (VMD). */
static int hop_above(struct scan *scan, const char *path)
{
	char above[SYS_PATH];
	char *slash;

	snprintf(above, sizeof(above), "%s", path);
	while ((slash = strrchr(above, '/')) != NULL &&
	       slash - above > (ptrdiff_t)strlen(DEVICES)) {
		const char *name;

		*slash = '\0';
		name = strrchr(above, '/') + 1;
		if (is_root_complex(name) || probe_is_pci_address(name, strlen(name)))
			return pci_hop(scan, above, false);
	}
	return probe_scan_machine(scan);
}

static int add_root_complex(struct scan *scan, const char *path, const char *id)
{
	const char *name = strrchr(path, '/') + 1;
	int parent = hop_above(scan, path), node, rc;

	if (parent < 0)
		return parent;
	node = probe_scan_add(scan, SB_NODE_ROOT_COMPLEX, id, name, parent);
	if (node < 0)
		return node;
	rc = sb_node_set_stable_id(probe_node(scan, node), name + 3);
	return rc == 0 ? node : rc;
}

/* All functions on it are near the same memory. */
static int set_numa(struct scan *scan, int node, int parent)
{
	const char *numa = sb_node_get(probe_node(scan, node), "numa_node");

	return numa && probe_node(scan, parent)->kind == SB_NODE_ROOT_COMPLEX
		       ? sb_node_set(probe_node(scan, parent), "numa_node", numa)
		       : 0;
}

static int pci_hop(struct scan *scan, const char *path, bool last)
{
	const char *name = strrchr(path, '/') + 1;
	bool root = is_root_complex(name);
	char id[SYS_PATH];
	int node, parent, rc;

	snprintf(id, sizeof(id), "%s:%s", root ? "root" : "pci", root ? name + 3 : name);
	node = probe_scan_find(scan, id);
	if (node >= 0)
		return node;
	if (root)
		return add_root_complex(scan, path, id);
	parent = hop_above(scan, path);
	if (parent < 0)
		return parent;
	node = probe_pci_node(scan, path, parent, last);
	rc = node < 0 ? node : set_numa(scan, node, parent);
	return rc < 0 ? rc : node;
}

int probe_pci_controller(struct scan *scan, const char *path)
{
	return pci_hop(scan, path, true);
}

static bool is_numbered(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 && isdigit((unsigned char)name[n]);
}

/* 6-2, 1-1.6.4; an interface has a colon behind it */
static bool is_usb_device(const char *name)
{
	size_t n = strspn(name, "0123456789");

	return n > 0 && name[n] == '-' && isdigit((unsigned char)name[n + 1]) &&
	       name[n + 1 + strspn(name + n + 1, "0123456789.")] == '\0';
}

/* `path` ends with the component; what is none of these carries no data of its own. */
static int component(struct scan *scan, const char *path, int parent, const char *device)
{
	const char *name = strrchr(path, '/') + 1;

	if (is_numbered(name, "ata"))
		return probe_sata_link(scan, path, parent, device);
	if (is_numbered(name, "port-"))
		return probe_sas_port(scan, path, parent);
	if (is_numbered(name, "expander-"))
		return probe_expander(scan, path, parent);
	return is_usb_device(name) ? probe_usb_device(scan, path, parent) : parent;
}

int probe_below_controller(struct scan *scan, int controller, size_t length, const char *device)
{
	int node = controller;
	char path[SYS_PATH];

	while (device[length] == '/' && node >= 0) {
		length += 1 + strcspn(device + length + 1, "/");
		snprintf(path, sizeof(path), "%.*s", (int)length, device);
		if (strcmp(strrchr(path, '/'), "/block") == 0)
			break;
		node = component(scan, path, node, device);
	}
	return node;
}
