/* One block device becomes a node. */
#include "hop_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"

#define MD_MAJOR 9 /* Documentation/admin-guide/devices.txt */

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_virtual(const struct block *block)
{
	return starts(block->path, "/sys/devices/virtual/");
}

static enum sb_node_kind kind_of(const struct block *block)
{
	const char *name = block->name;

	if (strcmp(block->devtype, "partition") == 0)
		return SB_NODE_PARTITION;
	if (!is_virtual(block))
		return SB_NODE_DISK;
	if (starts(name, "dm-"))
		return SB_NODE_DM;
	if (block->major == MD_MAJOR || starts(name, "md"))
		return SB_NODE_MD;
	if (starts(name, "loop"))
		return SB_NODE_LOOP;
	if (starts(name, "zram"))
		return SB_NODE_ZRAM;
	return SB_NODE_DISK;
}

/* In sysfs a partition is a directory in its disk's. */
static int partition_parent(struct scan *scan, const struct block *block)
{
	char path[SYS_PATH];
	char *slash;

	memcpy(path, block->path, sizeof(path));
	slash = strrchr(path, '/');
	if (!slash)
		return -ENODEV;
	*slash = '\0';
	slash = strrchr(path, '/');
	return slash ? probe_block(scan, slash + 1) : -ENODEV;
}

/* Parents stand before their children, so the one that comes later goes up. */
static int common_ancestor(const struct scan *scan, int a, int b)
{
	while (a != b) {
		int *later = a > b ? &a : &b;

		*later = probe_node(scan, *later)->parent;
	}
	return a;
}

/* The head of NVMe's own multipath hangs in the air: it goes where its paths meet. */
static int head_parent(struct scan *scan, const char *name)
{
	int paths[16], n = probe_nvme_paths(scan, name, paths, SB_COUNT(paths)), parent;

	if (n <= 0)
		return n < 0 ? n : probe_scan_machine(scan);
	parent = probe_node(scan, paths[0])->parent;
	for (int i = 1; i < n; i++)
		parent = common_ancestor(scan, parent, probe_node(scan, paths[i])->parent);
	return parent;
}

static int parent_of(struct scan *scan, const struct block *block, enum sb_node_kind kind)
{
	if (kind == SB_NODE_PARTITION)
		return partition_parent(scan, block);
	if (kind == SB_NODE_DISK && probe_is_nvme_head(block->name, block->path))
		return head_parent(scan, block->name);
	if (kind == SB_NODE_DISK)
		return probe_controller(scan, block->path);
	return probe_scan_machine(scan);
}

static int set_number(struct sb_node *node, const char *key, int dir, const char *attribute,
		      uint64_t unit)
{
	uint64_t value;

	if (!probe_u64(dir, attribute, &value) || value > UINT64_MAX / unit)
		return 0;
	return sb_node_setf(node, key, "%llu", (unsigned long long)(value * unit));
}

static int set_text(struct sb_node *node, const char *key, int dir, const char *attribute)
{
	char text[4096];

	return probe_text(dir, attribute, text, sizeof(text)) ? sb_node_set(node, key, text) : 0;
}

static int set_sizes(struct sb_node *node, const struct block *block)
{
	int rc = sb_node_setf(node, "dev", "%u:%u", block->major, block->minor);

	if (rc == 0)
		rc = set_number(node, "size_bytes", block->dir, "size", SYS_SECTOR);
	if (rc != 0 || node->kind == SB_NODE_PARTITION)
		return rc;
	rc = set_number(node, "sector_bytes", block->dir, "queue/logical_block_size", 1);
	if (rc == 0)
		rc = set_number(node, "rotational", block->dir, "queue/rotational", 1);
	if (rc == 0)
		rc = set_number(node, "read_only", block->dir, "ro", 1);
	return rc;
}

static int set_disk(struct sb_node *node, const struct block *block)
{
	char driver[64], path[SYS_PATH + 8];
	int rc = set_number(node, "removable", block->dir, "removable", 1);

	if (rc == 0 && starts(block->name, "nvme"))
		rc = set_number(node, "hidden", block->dir, "hidden", 1);
	snprintf(path, sizeof(path), "%s/device", block->path);
	if (rc == 0 && !is_virtual(block) && probe_link(path, "driver", driver, sizeof(driver)))
		rc = sb_node_set(node, "driver", driver);
	return rc == 0 ? probe_slot(node, block->path) : rc;
}

/* The device node in /dev, where the kernel's name does not say it or it cannot be read. */
static int set_access(struct sb_node *node, const struct block *block)
{
	char path[sizeof(block->devname) + 8];
	int rc = 0;

	snprintf(path, sizeof(path), "/dev/%s", block->devname);
	if (strcmp(block->devname, block->name) != 0)
		rc = sb_node_set(node, "path", path);
	if (rc == 0 && access(path, R_OK) != 0)
		rc = sb_node_set(node, "access", errno == ENOENT ? "missing" : "denied");
	return rc;
}

static int set_attributes(struct scan *scan, int index, const struct block *block)
{
	struct sb_node *node = probe_node(scan, index);
	int rc = set_sizes(node, block);

	if (rc == 0)
		rc = set_access(node, block);
	if (rc == 0 && node->kind == SB_NODE_DISK)
		rc = set_disk(node, block);
	if (rc == 0 && node->kind == SB_NODE_LOOP)
		rc = set_text(node, "backing_file", block->dir, "loop/backing_file");
	if (rc == 0 && node->kind == SB_NODE_LOOP)
		rc = set_text(node, "direct", block->dir, "loop/dio");
	if (rc == 0 && node->kind == SB_NODE_DM)
		rc = set_text(node, "dm_name", block->dir, "dm/name");
	if (rc == 0 && node->kind == SB_NODE_DM)
		rc = set_text(node, "dm_uuid", block->dir, "dm/uuid");
	if (rc == 0 && node->kind == SB_NODE_MD)
		rc = set_text(node, "md_level", block->dir, "md/level");
	if (rc == 0 && node->kind == SB_NODE_MD)
		rc = set_text(node, "md_metadata", block->dir, "md/metadata_version");
	if (rc == 0 && node->kind == SB_NODE_MD)
		rc = set_text(node, "md_sync_action", block->dir, "md/sync_action");
	return rc == 0 ? probe_identity(scan, index, block) : rc;
}

struct relatives {
	struct scan *scan;
	const struct block *block;
};

static int add_relative(void *arg, const char *name)
{
	const struct relatives *relatives = arg;
	int rc = probe_block(relatives->scan, name);

	return rc == -ENOMEM ? rc : 0;
}

static int add_partition(void *arg, const char *name)
{
	const struct relatives *relatives = arg;

	return starts(name, relatives->block->name) ? add_relative(arg, name) : 0;
}

/* What is stacked on a device decides how it is marked. */
static int add_relatives(struct scan *scan, const struct block *block)
{
	struct relatives relatives = {scan, block};
	int rc = 0;

	if (scan->whole)
		return 0;
	if (strcmp(block->devtype, "partition") != 0)
		rc = probe_each(block->dir, ".", add_partition, &relatives);
	if (rc != -ENOMEM)
		rc = probe_each(block->dir, "holders", add_relative, &relatives);
	return rc == -ENOMEM ? rc : 0;
}

static int add_opened(struct scan *scan, const char *id, const struct block *block)
{
	enum sb_node_kind kind = kind_of(block);
	int parent = parent_of(scan, block, kind), node = probe_scan_find(scan, id), rc;

	if (parent < 0 || node >= 0) /* a partition that came with its disk */
		return parent < 0 ? parent : node;
	node = probe_scan_add(scan, kind, id, block->name, parent);
	if (node < 0)
		return node;
	rc = set_attributes(scan, node, block);
	if (rc == 0 && kind == SB_NODE_PARTITION)
		rc = sb_topo_add_below(scan->topo, node, parent);
	if (rc == 0)
		rc = probe_stack(scan, node, block);
	if (rc == 0)
		rc = add_relatives(scan, block);
	return rc == 0 ? node : rc;
}

int probe_block(struct scan *scan, const char *name)
{
	struct block block;
	char id[320];
	int rc;

	if ((size_t)snprintf(id, sizeof(id), "block:%s", name) >= sizeof(id))
		return -ENAMETOOLONG;
	rc = probe_scan_find(scan, id);
	if (rc >= 0)
		return rc;
	rc = probe_block_open(&block, name);
	if (rc == 0)
		rc = add_opened(scan, id, &block);
	probe_block_close(&block);
	return rc;
}

int probe_block_number(struct scan *scan, unsigned major, unsigned minor)
{
	char link[64], name[256];

	snprintf(link, sizeof(link), "%u:%u", major, minor);
	if (!probe_link("/sys/dev/block", link, name, sizeof(name)))
		return -ENODEV;
	return probe_block(scan, name);
}

/* The kernel makes eight and more in advance; they are not worth a look. */
static bool is_unused_loop(const char *name)
{
	char path[512];

	if (!starts(name, "loop") || strchr(name, 'p') != strrchr(name, 'p'))
		return false;
	snprintf(path, sizeof(path), SYS_BLOCK "/%s/loop/backing_file", name);
	return access(path, F_OK) != 0;
}

/* Those that are made of others come after them, so that the order is people's. */
static bool is_stacked(const char *name)
{
	return starts(name, "dm-") || starts(name, "md") || starts(name, "loop") ||
	       starts(name, "zram");
}

static int add_names(struct scan *scan, bool stacked, unsigned *unused)
{
	for (size_t i = 0; i < scan->n_names; i++) {
		const char *name = scan->names[i];

		if (is_stacked(name) != stacked)
			continue;
		if (is_unused_loop(name))
			(*unused)++;
		else if (probe_block(scan, name) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

int probe_all_blocks(struct scan *scan)
{
	unsigned unused = 0;
	int rc = probe_scan_names(scan), machine = probe_scan_machine(scan);

	if (machine < 0)
		return machine;
	scan->whole = true;
	if (rc == 0)
		rc = add_names(scan, false, &unused);
	if (rc == 0)
		rc = add_names(scan, true, &unused);
	scan->whole = false;
	if (rc == 0)
		rc = sb_node_setf(probe_node(scan, machine), "unused_loops", "%u", unused);
	return rc;
}
