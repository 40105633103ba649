/* Names of PCI functions: from udev's database, else from the hwdb by modalias, which needs no
 * udevd. */
#include "hop_priv.h"

#include <fcntl.h>
#include <libudev.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"

static void modalias_of(char *buf, size_t size, const char *path, const struct pci *pci)
{
	char file[SYS_PATH + 16];

	snprintf(file, sizeof(file), "%s/modalias", path);
	if (!probe_text(AT_FDCWD, file, buf, size))
		snprintf(buf, size, "pci:v%08Xd%08Xsv%08Xsd%08Xbc%02Xsc%02Xi%02X", pci->vendor,
			 pci->device, pci->subvendor, pci->subdevice, pci->class >> 16 & 0xff,
			 pci->class >> 8 & 0xff, pci->class & 0xff);
}

static int set_from_hwdb(struct scan *scan, struct sb_node *node, const char *modalias)
{
	struct udev_list_entry *entry;
	int rc = 0;

	if (!scan->hwdb_opened) {
		scan->hwdb_opened = true;
		scan->hwdb = udev_hwdb_new(scan->udev);
	}
	if (!scan->hwdb)
		return 0;
	udev_list_entry_foreach(entry, udev_hwdb_get_properties_list_entry(scan->hwdb, modalias, 0))
	{
		const char *key = udev_list_entry_get_name(entry);
		const char *value = udev_list_entry_get_value(entry);

		if (rc == 0 && strcmp(key, "ID_VENDOR_FROM_DATABASE") == 0)
			rc = sb_node_set(node, "vendor", value);
		else if (rc == 0 && strcmp(key, "ID_MODEL_FROM_DATABASE") == 0)
			rc = sb_node_set(node, "model", value);
	}
	return rc;
}

int probe_pci_names(struct scan *scan, struct sb_node *node, const char *path,
		    const struct pci *pci)
{
	static const char *const properties[][2] = {{"vendor", "ID_VENDOR_FROM_DATABASE"},
						    {"model", "ID_MODEL_FROM_DATABASE"}};
	struct udev_device *device = probe_udev(scan, path);
	char modalias[256];
	int rc = 0;

	for (size_t i = 0; i < SB_COUNT(properties) && rc == 0; i++) {
		const char *value = probe_property(device, properties[i][1]);

		if (value)
			rc = sb_node_set(node, properties[i][0], value);
	}
	if (rc == 0 && !sb_node_get(node, "driver") && probe_property(device, "DRIVER"))
		rc = sb_node_set(node, "driver", probe_property(device, "DRIVER"));
	if (device)
		udev_device_unref(device);
	if (rc != 0 || sb_node_get(node, "model") || pci->vendor == 0)
		return rc;
	modalias_of(modalias, sizeof(modalias), path, pci);
	return set_from_hwdb(scan, node, modalias);
}
