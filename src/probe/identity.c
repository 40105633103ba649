/* Who a disk is: from udev's database where there is one, else from sysfs. */
#include "probe_priv.h"

#include <ctype.h>
#include <libudev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

struct udev_device *probe_udev(struct scan *scan, const char *syspath)
{
	if (!scan->udev)
		scan->udev = udev_new();
	return scan->udev ? udev_device_new_from_syspath(scan->udev, syspath) : NULL;
}

const char *probe_property(struct udev_device *device, const char *key)
{
	const char *value = device ? udev_device_get_property_value(device, key) : NULL;

	return value && *value ? value : NULL;
}

bool probe_clean(char *buf, size_t size, const char *from, size_t length)
{
	size_t n = 0;

	for (size_t i = 0; i < length && from[i] && n + 1 < size; i++) {
		if (!isspace((unsigned char)from[i]))
			buf[n++] = from[i];
		else if (n > 0 && buf[n - 1] != ' ')
			buf[n++] = ' ';
	}
	while (n > 0 && buf[n - 1] == ' ')
		n--;
	buf[n] = '\0';
	return n > 0;
}

/* udev writes what is not a letter as \xNN in its _ENC properties. */
static void decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		if (from[0] == '\\' && from[1] == 'x' && isxdigit((unsigned char)from[2]) &&
		    isxdigit((unsigned char)from[3])) {
			const char hex[3] = {from[2], from[3], '\0'};

			*to++ = (char)strtoul(hex, NULL, 16);
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

static bool encoded(char *buf, size_t size, struct udev_device *device, const char *key)
{
	const char *value = probe_property(device, key);
	SB_AUTO_FREE char *copy = value ? strdup(value) : NULL;

	if (!copy)
		return false;
	decode(copy);
	return probe_clean(buf, size, copy, strlen(copy));
}

static bool property(char *buf, size_t size, struct udev_device *device, const char *key)
{
	const char *value = probe_property(device, key);

	return value && probe_clean(buf, size, value, strlen(value));
}

/* ATA's model has 40 characters, of which SCSI's inquiry shows 16; VPD page 0x89 holds the whole
 * IDENTIFY data from byte 60 (SAT), the model in words 27 to 46, two swapped bytes each. */
static bool ata_model(char *buf, size_t size, int dir)
{
	unsigned char page[1024], model[40];
	SB_AUTO_FD int fd = sb_open_readonly(dir, "device/vpd_pg89", 0);

	if (fd < 0 || read(fd, page, sizeof(page)) < 60 + 47 * 2)
		return false;
	for (size_t i = 0; i < sizeof(model); i++)
		model[i] = page[60 + 27 * 2 + (i ^ 1)];
	return probe_clean(buf, size, (char *)model, sizeof(model));
}

/* VPD page 0x80: four bytes of head with the length, then text. */
static bool scsi_serial(char *buf, size_t size, int dir)
{
	unsigned char page[260];
	SB_AUTO_FD int fd = sb_open_readonly(dir, "device/vpd_pg80", 0);
	ssize_t n = fd < 0 ? -1 : read(fd, page, sizeof(page));

	if (n <= 4 || page[1] != 0x80)
		return false;
	n = page[3] < n - 4 ? page[3] : n - 4;
	return probe_clean(buf, size, (char *)page + 4, (size_t)n);
}

static bool attribute(char *buf, size_t size, int dir, const char *name)
{
	char text[512];

	return probe_text(dir, name, text, sizeof(text)) &&
	       probe_clean(buf, size, text, strlen(text));
}

static int set_model(struct sb_node *node, const struct block *block, struct udev_device *device)
{
	char model[256], vendor[64] = "", revision[64];
	int dir = block->dir, rc = 0;

	if (encoded(vendor, sizeof(vendor), device, "ID_VENDOR_ENC") ||
	    (attribute(vendor, sizeof(vendor), dir, "device/vendor") &&
	     strncmp(vendor, "0x", 2) != 0 && strcmp(vendor, "ATA") != 0))
		rc = sb_node_set(node, "vendor", vendor);
	if (rc == 0 && (encoded(model, sizeof(model), device, "ID_MODEL_ENC") ||
			property(model, sizeof(model), device, "ID_MODEL") ||
			(strcmp(vendor, "ATA") == 0 && ata_model(model, sizeof(model), dir)) ||
			attribute(model, sizeof(model), dir, "device/model") ||
			attribute(model, sizeof(model), dir, "device/name")))
		rc = sb_node_set(node, "model", model);
	if (rc == 0 && (property(revision, sizeof(revision), device, "ID_REVISION") ||
			attribute(revision, sizeof(revision), dir, "device/rev") ||
			attribute(revision, sizeof(revision), dir, "device/firmware_rev")))
		rc = sb_node_set(node, "revision", revision);
	return rc;
}

static int set_serial(struct sb_node *node, const struct block *block, struct udev_device *device)
{
	char serial[256];
	int dir = block->dir;

	if ((property(serial, sizeof(serial), device, "ID_SCSI_SERIAL") ||
	     property(serial, sizeof(serial), device, "ID_SERIAL_SHORT") ||
	     property(serial, sizeof(serial), device, "ID_SERIAL") ||
	     scsi_serial(serial, sizeof(serial), dir) ||
	     attribute(serial, sizeof(serial), dir, "serial") ||
	     attribute(serial, sizeof(serial), dir, "device/serial")) &&
	    sb_is_identity(serial))
		return sb_node_set(node, "serial", serial);
	return 0;
}

/* In the kernel's form whatever the source: udev's 0x5000c500... is sysfs's naa.5000c500... */
static int set_wwn(struct sb_node *node, const struct block *block, struct udev_device *device)
{
	char wwn[256];

	if (!property(wwn, sizeof(wwn), device, "ID_WWN_WITH_EXTENSION") &&
	    !property(wwn, sizeof(wwn), device, "ID_WWN") &&
	    !attribute(wwn, sizeof(wwn), block->dir, "wwid") &&
	    !attribute(wwn, sizeof(wwn), block->dir, "device/wwid"))
		return 0;
	/* t10 names are vendor, model and serial strung together, not a world-wide number */
	if (!sb_is_identity(wwn) || strncmp(wwn, "t10.", 4) == 0)
		return 0;
	if (strncmp(wwn, "0x", 2) == 0)
		return sb_node_setf(node, "wwn", "naa.%s", wwn + 2);
	return sb_node_set(node, "wwn", wwn);
}

static int set_stable_id(struct sb_node *node)
{
	const char *id = sb_node_get(node, "wwn");

	id = id ? id : sb_node_get(node, "serial");
	return id ? sb_node_set_stable_id(node, id) : 0;
}

static int set_transport(struct sb_node *node, const struct block *block,
			 struct udev_device *device)
{
	static const char *const parts[][2] = {{"/usb", "usb"},	      {"/ata", "ata"},
					       {"/nvme", "nvme"},     {"/virtio", "virtio"},
					       {"/mmc_host/", "mmc"}, {"/end_device-", "sas"},
					       {"/rport-", "fc"},     {"/session", "iscsi"},
					       {"/css0/", "ccw"},     {"/vbd-", "xen"}};
	const char *bus = probe_property(device, "ID_BUS");

	for (size_t i = 0; i < SB_COUNT(parts); i++)
		if (strstr(block->path, parts[i][0]))
			return sb_node_set(node, "transport", parts[i][1]);
	if (!bus && strstr(block->path, "/target"))
		bus = "scsi";
	return bus ? sb_node_set(node, "transport", bus) : 0;
}

static int set_contents(struct sb_node *node, struct udev_device *device)
{
	static const char *const keys[][2] = {{"contents", "ID_FS_TYPE"},
					      {"part_type", "ID_PART_ENTRY_TYPE"},
					      {"medium", "ID_CDROM_MEDIA"}};
	int rc = 0;

	for (size_t i = 0; i < SB_COUNT(keys) && rc == 0; i++) {
		const char *value = probe_property(device, keys[i][1]);

		if (value)
			rc = sb_node_set(node, keys[i][0], value);
	}
	return rc;
}

int probe_identity(struct scan *scan, int index, const struct block *block)
{
	struct sb_node *node = probe_node(scan, index);
	bool physical = node->kind == SB_NODE_DISK && (strstr(block->path, "/nvme-subsystem/") ||
						       !strstr(block->path, "/virtual/"));
	struct udev_device *device = NULL;
	int rc;

	/* udev says little of these, and there may be hundreds */
	if (node->kind != SB_NODE_ZRAM && node->kind != SB_NODE_LOOP)
		device = probe_udev(scan, block->path);
	rc = set_contents(node, device);
	if (physical) {
		rc = rc ? rc : set_model(node, block, device);
		rc = rc ? rc : set_serial(node, block, device);
		rc = rc ? rc : set_wwn(node, block, device);
		rc = rc ? rc : set_stable_id(node);
		rc = rc ? rc : set_transport(node, block, device);
	}
	if (device)
		udev_device_unref(device);
	return rc;
}
