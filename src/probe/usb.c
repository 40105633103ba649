/* USB hubs and bridges. */
#include "hop_priv.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

static int set_texts(struct sb_node *node, int dir)
{
	static const char *const keys[][2] = {
		{"vendor", "manufacturer"}, {"model", "product"}, {"serial", "serial"}};
	char text[256], clean[256];
	int rc = 0;

	for (size_t i = 0; i < SB_COUNT(keys) && rc == 0; i++)
		if (probe_text(dir, keys[i][1], text, sizeof(text)) &&
		    probe_clean(clean, sizeof(clean), text, strlen(text)))
			rc = sb_node_set(node, keys[i][0], clean);
	return rc;
}

static int set_speed(struct scan *scan, int index, int dir)
{
	struct sb_node *node = probe_node(scan, index);
	double megabits = NAN;
	char text[64];
	int rc;

	if (probe_text(dir, "speed", text, sizeof(text)))
		megabits = probe_speed(text);
	if (isnan(megabits))
		return 0;
	rc = megabits < 1000
		     ? sb_node_setf(node, "link_speed", "%u Mb/s", (unsigned)megabits)
		     : probe_link_attributes(node, megabits / 1000, NAN, "Gb/s", 0, 0, false);
	if (rc != 0 || probe_is_emulated(scan, index))
		return rc;
	snprintf(text, sizeof(text), "USB %u Mb/s", (unsigned)megabits);
	return probe_limit(node, probe_usb_line(megabits), NAN, text);
}

int probe_usb_device(struct scan *scan, const char *path, int parent)
{
	const char *name = strrchr(path, '/') + 1;
	SB_AUTO_FD int dir = -1;
	char id[128], ids[2][16];
	int node, rc = 0;

	snprintf(id, sizeof(id), "usb:%.100s", name);
	node = probe_scan_find(scan, id);
	if (node >= 0)
		return node;
	node = probe_scan_add(scan, SB_NODE_LINK, id, name, parent);
	dir = sb_open_readonly(AT_FDCWD, path, O_DIRECTORY);
	if (node < 0 || dir < 0)
		return node;
	if (probe_text(dir, "idVendor", ids[0], sizeof(ids[0])) &&
	    probe_text(dir, "idProduct", ids[1], sizeof(ids[1])))
		rc = sb_node_setf(probe_node(scan, node), "usb_id", "%s:%s", ids[0], ids[1]);
	if (rc == 0)
		rc = sb_node_set(probe_node(scan, node), "bus", "usb");
	if (rc == 0)
		rc = set_texts(probe_node(scan, node), dir);
	if (rc == 0)
		rc = set_speed(scan, node, dir);
	return rc == 0 ? node : rc;
}
