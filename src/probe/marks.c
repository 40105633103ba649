/* What stands against loading a disk: how it, or what is stacked on it, is used. */
#include "probe_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

enum mark {
	MARK_MOUNTED = 1 << 0,
	MARK_SWAP = 1 << 1,
	MARK_MD = 1 << 2,
	MARK_LVM = 1 << 3,
	MARK_ZFS = 1 << 4,
	MARK_CRYPT = 1 << 5,
	MARK_MULTIPATH = 1 << 6,
	MARK_BUSY = 1 << 7,
	MARK_HOLDER = 1 << 8,
};

static const char *const mark_names[] = {"mounted", "swap",	 "md",	 "lvm",	  "zfs",
					 "crypt",   "multipath", "busy", "holder"};

struct meaning {
	const char *text;
	unsigned mark;
};

/* udev's ID_FS_TYPE, that is libblkid's names */
static const struct meaning contents[] = {
	{"linux_raid_member", MARK_MD},	 {"isw_raid_member", MARK_MD},
	{"ddf_raid_member", MARK_MD},	 {"LVM2_member", MARK_LVM},
	{"LVM1_member", MARK_LVM},	 {"zfs_member", MARK_ZFS},
	{"crypto_LUKS", MARK_CRYPT},	 {"BitLocker", MARK_CRYPT},
	{"mpath_member", MARK_MULTIPATH}};

/* GPT: UAPI's discoverable partitions and Wikipedia's list of type GUIDs; 0x..: DOS. */
static const struct meaning part_types[] = {{"a19d880f-05fc-4d3b-a006-743f0f84911e", MARK_MD},
					    {"e6d6d379-f507-44c2-a23c-238f2a3df928", MARK_LVM},
					    {"6a898cc3-1dd2-11b2-99a6-080020736631", MARK_ZFS},
					    {"ca7d7ccb-63ed-4c53-861c-1742536059cc", MARK_CRYPT},
					    {"7ffec5c9-2d00-49b7-8941-3ea10a5586b7", MARK_CRYPT},
					    {"0xfd", MARK_MD},
					    {"0x8e", MARK_LVM}};

/* Beginnings of dm/uuid, by the tools that make them; kpartx puts partN- in front. */
static const struct meaning dm_uuids[] = {
	{"LVM-", MARK_LVM}, {"CRYPT-", MARK_CRYPT}, {"mpath-", MARK_MULTIPATH}};

static unsigned look_up(const struct meaning *table, size_t n, const char *text, bool beginning)
{
	for (size_t i = 0; text && i < n; i++)
		if (beginning ? strncmp(text, table[i].text, strlen(table[i].text)) == 0
			      : strcasecmp(text, table[i].text) == 0)
			return table[i].mark;
	return 0;
}

static unsigned use_of(const struct scan *scan, const struct sb_node *node)
{
	const char *dev = sb_node_get(node, "dev");
	unsigned major, minor, use;

	if (!dev || sscanf(dev, "%u:%u", &major, &minor) != 2)
		return 0;
	use = probe_places_use(&scan->places, makedev(major, minor));
	return (use & PLACE_MOUNTED ? MARK_MOUNTED : 0) | (use & PLACE_SWAP ? MARK_SWAP : 0);
}

static unsigned own_marks(const struct scan *scan, const struct sb_node *node)
{
	return use_of(scan, node) |
	       look_up(contents, SB_COUNT(contents), sb_node_get(node, "contents"), false) |
	       look_up(part_types, SB_COUNT(part_types), sb_node_get(node, "part_type"), false);
}

/* What being a part of `node` means for what lies below it. */
static unsigned membership(const struct sb_node *node)
{
	unsigned mark;

	switch (node->kind) {
	case SB_NODE_MD:
		return MARK_MD;
	case SB_NODE_DM:
		mark = look_up(dm_uuids, SB_COUNT(dm_uuids), sb_node_get(node, "dm_uuid"), true);
		return mark ? mark : MARK_HOLDER;
	case SB_NODE_DISK: /* bcache and others; not the paths of an NVMe head */
		return strncmp(node->name, "nvme", 4) == 0 ? MARK_MULTIPATH : MARK_HOLDER;
	default:
		return 0;
	}
}

/* Each node is entered again only when it gets a mark it had not: at most once per mark. */
static void push_down(const struct scan *scan, unsigned *marks, int node, unsigned bits)
{
	const struct sb_node *n = probe_node(scan, node);

	if ((marks[node] | bits) == marks[node])
		return;
	marks[node] |= bits;
	bits |= membership(n);
	for (size_t i = 0; i < n->n_below; i++)
		push_down(scan, marks, n->below[i], bits);
}

/* A loop's or file's backing disk is in use by a mount, which is marked anyway. */
static void spread(const struct scan *scan, unsigned *marks, int node)
{
	const struct sb_node *n = probe_node(scan, node);
	unsigned bits;

	if (n->kind == SB_NODE_FILE)
		return;
	bits = own_marks(scan, n);
	marks[node] |= bits;
	bits = marks[node] | membership(n);
	for (size_t i = 0; i < n->n_below; i++)
		push_down(scan, marks, n->below[i], bits);
}

static bool in_flight(const struct sb_node *node)
{
	char path[SYS_PATH], text[64];
	unsigned long reads = 0, writes = 0;

	snprintf(path, sizeof(path), SYS_BLOCK "/%s/inflight", node->name);
	return sb_read_text(AT_FDCWD, path, text, sizeof(text)) > 0 &&
	       sscanf(text, "%lu %lu", &reads, &writes) == 2 && reads + writes > 0;
}

static bool can_be_busy(const struct sb_node *node)
{
	return (node->kind == SB_NODE_DISK || node->kind == SB_NODE_LOOP ||
		node->kind == SB_NODE_ZRAM) &&
	       strncmp(node->id, "block:", 6) == 0;
}

/* Busy is what has requests in flight at both of two looks; the second comes after all the first
 * ones. */
static void look_for_busy(const struct scan *scan, unsigned *marks)
{
	for (int look = 1; look <= 2; look++)
		for (size_t i = 0; i < scan->topo->n_nodes; i++) {
			const struct sb_node *node = &scan->topo->nodes[i];

			if (!can_be_busy(node) || (look == 2 && !(marks[i] & MARK_BUSY)))
				continue;
			if (in_flight(node))
				marks[i] |= MARK_BUSY;
			else
				marks[i] &= ~(unsigned)MARK_BUSY;
		}
}

static int write_marks(struct sb_node *node, unsigned marks)
{
	char text[128] = "";
	size_t used = 0;

	for (size_t i = 0; i < SB_COUNT(mark_names); i++)
		if (marks & (1u << i))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
						 used ? "," : "", mark_names[i]);
	return sb_node_set(node, "marks", used ? text : NULL);
}

static int mark_nodes(const struct scan *scan, unsigned *marks)
{
	size_t n = scan->topo->n_nodes;
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		spread(scan, marks, (int)i);
	look_for_busy(scan, marks);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = write_marks(&scan->topo->nodes[i], marks[i]);
	return rc;
}

int probe_marks(struct scan *scan)
{
	SB_AUTO_FREE unsigned *marks = calloc(scan->topo->n_nodes + 1, sizeof(*marks));

	if (!marks || probe_scan_places(scan) != 0)
		return -ENOMEM;
	return mark_nodes(scan, marks);
}
