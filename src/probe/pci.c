/* One PCI function, as sysfs shows it. */
#include "hop_priv.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

static size_t hex_digits(const char *text)
{
	size_t n = 0;

	while (isxdigit((unsigned char)text[n]))
		n++;
	return n;
}

bool probe_is_pci_address(const char *text, size_t length)
{
	size_t n = hex_digits(text);

	if (n < 4 || text[n] != ':')
		return false;
	text += n + 1;
	return length == n + 8 && hex_digits(text) == 2 && text[2] == ':' &&
	       hex_digits(text + 3) == 2 && text[5] == '.' && text[6] >= '0' && text[6] <= '7';
}

/* By hand, since strtod's point is the locale's. */
double probe_speed(const char *text)
{
	double value = 0, unit = 1;

	if (!isdigit((unsigned char)*text))
		return NAN;
	while (isdigit((unsigned char)*text))
		value = value * 10 + (*text++ - '0');
	if (*text == '.')
		while (isdigit((unsigned char)*++text))
			value += (*text - '0') * (unit /= 10);
	return value > 0 ? value : NAN;
}

static unsigned hex(int dir, const char *attribute)
{
	char text[32];

	return probe_text(dir, attribute, text, sizeof(text)) ? (unsigned)strtoul(text, NULL, 16)
							      : 0;
}

static double speed(int dir, const char *attribute)
{
	char text[64];

	return probe_text(dir, attribute, text, sizeof(text)) ? probe_speed(text) : NAN;
}

/* 255 is what the kernel reads from a function that has no link, or is gone. */
static unsigned width(int dir, const char *attribute)
{
	uint64_t value;

	return probe_u64(dir, attribute, &value) && value < 255 ? (unsigned)value : 0;
}

static void take_ids(const char *value, unsigned *vendor, unsigned *device)
{
	unsigned v, d;

	if (*vendor == 0 && sscanf(value, "%x:%x", &v, &d) == 2) {
		*vendor = v;
		*device = d;
	}
}

/* What the attributes did not say. */
static void read_uevent(struct pci *pci, int dir)
{
	char text[4096], *rest = text, *line;

	if (sb_read_text(dir, "uevent", text, sizeof(text)) <= 0)
		return;
	while ((line = strsep(&rest, "\n")) != NULL) {
		if (strncmp(line, "PCI_ID=", 7) == 0)
			take_ids(line + 7, &pci->vendor, &pci->device);
		else if (strncmp(line, "PCI_SUBSYS_ID=", 14) == 0)
			take_ids(line + 14, &pci->subvendor, &pci->subdevice);
		else if (strncmp(line, "PCI_CLASS=", 10) == 0 && pci->class == 0)
			pci->class = (unsigned)strtoul(line + 10, NULL, 16);
	}
}

/* PCI Local Bus Specification 3.0, 6.7: status bit 4 says that there is a list, whose head is at
 * 0x34. PCI Express Base Specification, 7.5.3: capability 0x10, flags at 2, device control at 8.
 * Only what is needed is read, since each word goes to the device, and in a guest to its host. */
void probe_pci_read_config(struct pci *pci, int fd)
{
	unsigned char status, at, capability[10];

	if (pread(fd, &status, 1, 6) != 1 || !(status & 0x10) || pread(fd, &at, 1, 0x34) != 1)
		return;
	for (int hops = 0; hops < 48 && (at & 0xfc) >= 64; hops++) {
		if (pread(fd, capability, 2, at & 0xfc) != 2)
			return;
		if (capability[0] != 0x10) {
			at = capability[1];
			continue;
		}
		if (pread(fd, capability, sizeof(capability), at & 0xfc) != sizeof(capability))
			return;
		pci->port_type = capability[2] >> 4;
		pci->payload_bytes = 128u << (capability[8] >> 5);
		if (pci->payload_bytes > 4096) /* reserved */
			pci->payload_bytes = 0;
		return;
	}
}

/* Others than root are given the first 64 bytes, which have no capabilities. */
static void read_config(struct pci *pci, int dir)
{
	SB_AUTO_FD int fd = sb_open_readonly(dir, "config", 0);

	if (fd >= 0)
		probe_pci_read_config(pci, fd);
}

void probe_pci_read(struct pci *pci, const char *path)
{
	SB_AUTO_FD int dir = sb_open_readonly(AT_FDCWD, path, O_DIRECTORY);
	char numa[16];

	*pci = (struct pci){.speed = NAN, .speed_max = NAN, .numa = -1, .port_type = -1};
	if (dir < 0)
		return;
	pci->vendor = hex(dir, "vendor");
	pci->device = hex(dir, "device");
	pci->subvendor = hex(dir, "subsystem_vendor");
	pci->subdevice = hex(dir, "subsystem_device");
	pci->class = hex(dir, "class");
	if (pci->vendor == 0 || pci->class == 0 || pci->subvendor == 0)
		read_uevent(pci, dir);
	pci->speed = speed(dir, "current_link_speed");
	pci->speed_max = speed(dir, "max_link_speed");
	pci->width = width(dir, "current_link_width");
	pci->width_max = width(dir, "max_link_width");
	if (probe_text(dir, "numa_node", numa, sizeof(numa)))
		pci->numa = atoi(numa);
	read_config(pci, dir);
}

/* Red Hat's ids are QEMU's own and virtio's; VMware's its own. Real chips that QEMU shows carry
 * 1af4:1100 as their subsystem. */
bool probe_pci_is_emulated(const struct pci *pci)
{
	static const unsigned makers[] = {0x1b36, 0x1af4, 0x15ad};

	for (size_t i = 0; i < SB_COUNT(makers); i++)
		if (pci->vendor == makers[i] || pci->subvendor == makers[i])
			return true;
	return false;
}

bool probe_pci_is_bridge(const struct pci *pci)
{
	return pci->class >> 8 == 0x0604;
}
