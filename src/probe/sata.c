/* SATA ports, port multipliers and the links behind them: Documentation/ABI/testing/sysfs-ata. */
#include "hop_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define AHCI_CAP_FBS 0x10000 /* AHCI 1.3.1, 3.1.1: FIS-based switching supported */

struct port {
	struct scan *scan;
	const char *path; /* .../ata3 */
	const char *name; /* ata3 */
	const char *device;
	unsigned print_id;
	unsigned channel, target; /* of the block device */
};

static bool parse_target(struct port *port)
{
	const char *target = strstr(port->device + strlen(port->path), "/target");

	return target && sscanf(target, "/target%*u:%u:%u", &port->channel, &port->target) == 2;
}

/* Of IDENTIFY data, word 76: bits 1 to 3 are 1.5, 3 and 6 Gb/s (ACS-3). VPD page 0x89 holds it from
 * byte 60. NaN: not told. */
static double drive_speed(const char *device)
{
	const char *block = strstr(device, "/block/");
	char file[SYS_PATH + 16];
	unsigned char page[572];
	int fd;
	ssize_t n;

	if (!block)
		return NAN;
	snprintf(file, sizeof(file), "%.*s/vpd_pg89", (int)(block - device), device);
	fd = sb_open_readonly(AT_FDCWD, file, 0);
	n = fd < 0 ? -1 : read(fd, page, sizeof(page));
	if (fd >= 0)
		close(fd);
	if (n < 60 + 77 * 2 || page[60 + 76 * 2] == 0xff)
		return NAN;
	return page[60 + 76 * 2] & 8   ? 6
	       : page[60 + 76 * 2] & 4 ? 3
	       : page[60 + 76 * 2] & 2 ? 1.5
				       : NAN;
}

/* `folder`: the ata_link device. `other`: what the far end can do; NaN. */
static int set_link(struct scan *scan, int index, const char *folder, double other)
{
	SB_AUTO_FD int dir = sb_open_readonly(AT_FDCWD, folder, O_DIRECTORY);
	struct sb_node *node = probe_node(scan, index);
	char text[32];
	double speed = NAN, most = NAN;
	int rc;

	if (dir < 0)
		return 0;
	if (probe_text(dir, "sata_spd", text, sizeof(text)))
		speed = probe_speed(text);
	if (probe_text(dir, "hw_sata_spd_limit", text, sizeof(text)))
		most = probe_speed(text);
	rc = sb_node_set(node, "sysfs", folder);
	if (rc == 0)
		rc = probe_link_attributes(node, speed, isnan(other) || most < other ? most : other,
					   "Gb/s", 0, 0, !isnan(most) && !isnan(other));
	if (rc != 0 || isnan(speed) || probe_is_emulated(scan, index))
		return rc;
	snprintf(text, sizeof(text), "SATA %u.%u Gb/s, 8b/10b", (unsigned)speed,
		 (unsigned)(speed * 10) % 10);
	return probe_limit(node, sb_sata_line(speed), NAN, text);
}

static int find_channel(void *arg, const char *name)
{
	unsigned channel;

	(void)arg;
	return sscanf(name, "target%*u:%u:", &channel) == 1 && channel > 0;
}

static int find_host(void *arg, const char *name)
{
	const char *path = arg;
	char host[SYS_PATH + 64];

	if (strncmp(name, "host", 4) != 0)
		return 0;
	snprintf(host, sizeof(host), "%s/%s", path, name);
	return probe_each(AT_FDCWD, host, find_channel, NULL);
}

/* The kernel gives each port of a multiplier a link, and its disks the port's number as channel. */
static bool is_multiplied(const struct port *port)
{
	char file[SYS_PATH + 64], path[SYS_PATH];

	snprintf(file, sizeof(file), "%s/link%u.0", port->path, port->print_id);
	snprintf(path, sizeof(path), "%s", port->path);
	return access(file, F_OK) == 0 || port->channel > 0 ||
	       probe_each(AT_FDCWD, path, find_host, path) > 0;
}

static int find_caps(void *arg, const char *name)
{
	struct port *port = arg;
	char file[SYS_PATH + 96], text[32];

	if (strncmp(name, "host", 4) != 0)
		return 0;
	snprintf(file, sizeof(file), "%s/%s/scsi_host/%s/ahci_host_caps", port->path, name, name);
	if (!probe_text(AT_FDCWD, file, text, sizeof(text)))
		return 0;
	return strtoul(text, NULL, 16) & AHCI_CAP_FBS ? 1 : 2;
}

/* 1: the host switches by FIS; 2: by commands, one disk at a time; 0: not known. */
static int switching(struct port *port, int controller)
{
	const char *driver = sb_node_get(probe_node(port->scan, controller), "driver");

	if (driver && strcmp(driver, "sata_sil24") == 0)
		return 1; /* its hardware has a context for each port: sata_sil24.c */
	return probe_each(AT_FDCWD, port->path, find_caps, port);
}

/* GSCR[0] of the multiplier: device id above, vendor id below (SATA 3.0, 16.4.1.1). */
static bool multiplier_id(const struct port *port, unsigned *vendor, unsigned *device)
{
	char file[SYS_PATH + 128], text[4096];
	unsigned long word;

	for (int i = 0; i < 16; i += 15) {
		snprintf(file, sizeof(file), "%s/link%u/dev%u.%d/ata_dev/dev%u.%d/gscr", port->path,
			 port->print_id, port->print_id, i, port->print_id, i);
		if (sb_read_text(AT_FDCWD, file, text, sizeof(text)) <= 0)
			continue;
		word = strtoul(text, NULL, 16);
		*vendor = word & 0xffff;
		*device = word >> 16 & 0xffff;
		return word != 0;
	}
	return false;
}

static int limit_multiplier(struct port *port, int node, int link)
{
	const struct sb_node *above = probe_node(port->scan, link);
	const char *text = sb_node_get(above, "link_speed");
	double speed = text ? probe_speed(text) : NAN, rate = NAN;
	unsigned vendor = 0, device = 0;
	SB_AUTO_FREE char *source = NULL;
	const struct fact *fact;
	int by = switching(port, above->parent), rc = 0;

	if (probe_scan_facts(port->scan) == -ENOMEM)
		return -ENOMEM;
	if (multiplier_id(port, &vendor, &device))
		rc = sb_node_setf(probe_node(port->scan, node), "multiplier_id", "%04x:%04x",
				  vendor, device);
	if (rc == 0 && by > 0)
		rc = sb_node_set(probe_node(port->scan, node), "switching",
				 by == 1 ? "fis" : "command");
	fact = probe_fact(port->scan->facts, FACT_MULTIPLIER, vendor, device);
	if (fact && (isnan(fact->speed) || fact->speed == speed) && by > 0)
		rate = by == 1 ? fact->practical : fact->practical_one;
	source = isnan(rate) ? strdup(above->limit_source ? above->limit_source : "")
			     : probe_fact_source(fact);
	if (rc != 0 || !source)
		return rc ? rc : -ENOMEM;
	return probe_limit(probe_node(port->scan, node), above->line_bytes_s, rate, source);
}

static int add_multiplier(struct port *port, int link)
{
	char id[SYS_PATH], folder[SYS_PATH + 64];
	int node, fan;

	snprintf(id, sizeof(id), "%s/pm", probe_node(port->scan, link)->id);
	node = probe_scan_find(port->scan, id);
	if (node < 0) {
		int rc;

		node = probe_scan_add(port->scan, SB_NODE_PORT_MULTIPLIER, id, "port multiplier",
				      link);
		rc = node < 0 ? node : limit_multiplier(port, node, link);
		if (rc < 0)
			return rc;
	}
	snprintf(id, sizeof(id), "%s/%u", probe_node(port->scan, node)->id, port->channel);
	fan = probe_scan_find(port->scan, id);
	if (fan >= 0)
		return fan;
	snprintf(folder, sizeof(folder), "%s.%u", port->name, port->channel);
	fan = probe_scan_add(port->scan, SB_NODE_LINK, id, folder, node);
	snprintf(folder, sizeof(folder), "%s/link%u.%u/ata_link/link%u.%u", port->path,
		 port->print_id, port->channel, port->print_id, port->channel);
	if (fan >= 0) {
		int rc = set_link(port->scan, fan, folder, drive_speed(port->device));

		return rc == 0 ? fan : rc;
	}
	return fan;
}

/* The kernel counts ports over all controllers; a port's number on its own one stays. */
static void port_id(char *id, size_t size, const struct port *port, const char *controller)
{
	char file[SYS_PATH + 64];
	uint64_t number;

	snprintf(file, sizeof(file), "%s/ata_port/%s/port_no", port->path, port->name);
	if (probe_u64(AT_FDCWD, file, &number))
		snprintf(id, size, "%s/port-%u", controller, (unsigned)number);
	else
		snprintf(id, size, "%s/%s", controller, port->name);
}

int probe_sata_link(struct scan *scan, const char *path, int parent, const char *device)
{
	struct port port = {scan, path, strrchr(path, '/') + 1, device, 0, 0, 0};
	char id[SYS_PATH], folder[SYS_PATH + 64];
	bool multiplied;
	int node;

	port.print_id = (unsigned)strtoul(port.name + 3, NULL, 10);
	if (!parse_target(&port))
		return parent;
	port_id(id, sizeof(id), &port, probe_node(scan, parent)->id);
	node = probe_scan_find(scan, id);
	multiplied = is_multiplied(&port);
	if (node < 0) {
		int rc;

		node = probe_scan_add(scan, SB_NODE_LINK, id, port.name, parent);
		if (node < 0)
			return node;
		snprintf(folder, sizeof(folder), "%s/link%u/ata_link/link%u", path, port.print_id,
			 port.print_id);
		rc = set_link(scan, node, folder, multiplied ? NAN : drive_speed(device));
		if (rc < 0)
			return rc;
	}
	return multiplied ? add_multiplier(&port, node) : node;
}
