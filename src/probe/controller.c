/* From a device's place in sysfs to its controller. */
#include "hop_priv.h"

#include <libudev.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"

/* Levels between a disk and its controller: buses and classes of their own that carry data of one
 * disk or port, not a controller. */
static const char *const between[] = {
	"block",    "scsi", "scsi_host",  "virtio",	   "nvme",	   "mmc",
	"mmc_host", "usb",  "ide",	  "ata",	   "nvme-fabrics", "nvme-subsystem",
	"memstick", "rbd",  "iscsi_host", "memstick_host", "fc_host",	   "workqueue"};

/* Cuts `path` behind the nearest PCI function above the device. */
static bool cut_at_pci(char *path)
{
	size_t end = 0;

	for (size_t at = 0; path[at];) {
		size_t length = strcspn(path + at, "/");

		if (probe_is_pci_address(path + at, length))
			end = at + length;
		at += length + (path[at + length] == '/');
	}
	if (end)
		path[end] = '\0';
	return end > 0;
}

static bool is_between(const char *bus)
{
	for (size_t i = 0; i < SB_COUNT(between); i++)
		if (strcmp(bus, between[i]) == 0)
			return true;
	return false;
}

/* The same for another bus: platform, ccw, xen, nd, vio ... */
static bool cut_at_bus(char *path, char *bus, size_t size)
{
	char *slash;

	while ((slash = strrchr(path, '/')) != NULL &&
	       slash - path > (ptrdiff_t)strlen("/sys/devices")) {
		*slash = '\0';
		if (probe_link(path, "subsystem", bus, size) && !is_between(bus))
			return true;
	}
	return false;
}

/* What has no bus that is known: the device in whose folder `block` lies. */
static bool cut_at_block(char *path, char *bus, size_t size)
{
	char *block = strstr(path, "/block/");

	if (!block || strncmp(path, "/sys/devices/virtual/", 21) == 0)
		return false;
	*block = '\0';
	snprintf(bus, size, "device");
	return true;
}

static bool cut_at_controller(char *above, const char *path, char *bus, size_t size)
{
	snprintf(bus, size, "pci");
	snprintf(above, SYS_PATH, "%s", path);
	if (cut_at_pci(above) || cut_at_bus(above, bus, size))
		return true;
	snprintf(above, SYS_PATH, "%s", path);
	return cut_at_block(above, bus, size);
}

static int describe(struct scan *scan, int node, const char *path)
{
	static const char *const properties[][2] = {{"vendor", "ID_VENDOR_FROM_DATABASE"},
						    {"model", "ID_MODEL_FROM_DATABASE"}};
	struct udev_device *device = probe_udev(scan, path);
	char driver[128];
	int rc = 0;

	if (probe_link(path, "driver", driver, sizeof(driver)))
		rc = sb_node_set(probe_node(scan, node), "driver", driver);
	else if (probe_property(device, "DRIVER"))
		rc = sb_node_set(probe_node(scan, node), "driver",
				 probe_property(device, "DRIVER"));
	for (size_t i = 0; i < SB_COUNT(properties) && rc == 0; i++) {
		const char *value = probe_property(device, properties[i][1]);

		if (value)
			rc = sb_node_set(probe_node(scan, node), properties[i][0], value);
	}
	if (device)
		udev_device_unref(device);
	return rc;
}

static int other_controller(struct scan *scan, const char *path, const char *bus, int machine)
{
	const char *name = strrchr(path, '/') + 1;
	char id[SYS_PATH + 80];
	int node, rc;

	snprintf(id, sizeof(id), "%s:%s", bus, name);
	node = probe_scan_find(scan, id);
	if (node >= 0)
		return node;
	node = probe_scan_add(scan, SB_NODE_CONTROLLER, id, name, machine);
	if (node < 0)
		return node;
	rc = sb_node_set_stable_id(probe_node(scan, node), name);
	if (rc == 0)
		rc = describe(scan, node, path);
	return rc == 0 ? node : rc;
}

int probe_controller(struct scan *scan, const char *path)
{
	char above[SYS_PATH], bus[64];
	int machine = probe_scan_machine(scan), node;

	if (machine < 0 || !cut_at_controller(above, path, bus, sizeof(bus)))
		return machine;
	node = strcmp(bus, "pci") == 0 ? probe_pci_controller(scan, above)
				       : other_controller(scan, above, bus, machine);
	return node < 0 ? node : probe_below_controller(scan, node, strlen(above), path);
}
