/* The way of the data, from a target down to the disks. */
#include "probe_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

#include "satabench/cleanup.h"

#define DEPTH_MOST 32 /* the kernel's own stacks are far lower */

/* File systems that hand a direct read's memory to the block layer and do not look at it. */
static const struct file_system {
	unsigned long magic;
	const char *name;
	bool passes;
} file_systems[] = {
	{EXT4_SUPER_MAGIC, "ext4", true}, /* ext2 and ext3 have the same */
	{0x58465342, "xfs", true},	     {TMPFS_MAGIC, "tmpfs", true},
	{BTRFS_SUPER_MAGIC, "btrfs", false}, {OVERLAYFS_SUPER_MAGIC, "overlayfs", false},
	{NFS_SUPER_MAGIC, "nfs", false},     {F2FS_SUPER_MAGIC, "f2fs", false},
	{FUSE_SUPER_MAGIC, "fuse", false},   {V9FS_MAGIC, "9p", false},
	{MSDOS_SUPER_MAGIC, "vfat", false},  {SQUASHFS_MAGIC, "squashfs", false},
	{RAMFS_MAGIC, "ramfs", false},	     {0x2fc12fc1, "zfs", false},
	{0xca451a4e, "bcachefs", false},     {0xff534d42, "cifs", false},
	{0xfe534d42, "smb2", false},	     {0x2011bab0, "exfat", false},
};

static const struct file_system *file_system_of(unsigned long magic)
{
	for (size_t i = 0; i < SB_COUNT(file_systems); i++)
		if (file_systems[i].magic == magic)
			return &file_systems[i];
	return NULL;
}

static bool integrity_allows(const struct sb_node *node, char *reason, size_t size)
{
	char path[SYS_PATH], format[64];
	uint64_t verifies;

	snprintf(path, sizeof(path), SYS_BLOCK "/%s/integrity/format", node->name);
	if (!probe_text(AT_FDCWD, path, format, sizeof(format)) || strcmp(format, "none") == 0)
		return true;
	snprintf(path, sizeof(path), SYS_BLOCK "/%s/integrity/read_verify", node->name);
	if (probe_u64(AT_FDCWD, path, &verifies) && verifies == 0)
		return true;
	snprintf(reason, size, "the kernel checks protection information of %s (%s)", node->name,
		 format);
	return false;
}

static bool dm_allows(const struct sb_node *node, char *reason, size_t size)
{
	const char *dev = sb_node_get(node, "dev");
	unsigned major, minor;

	if (dev && sscanf(dev, "%u:%u", &major, &minor) == 2)
		return probe_dm_one_buffer(major, minor, node->name, reason, size);
	snprintf(reason, size, "the device-mapper table of %s cannot be found", node->name);
	return false;
}

static bool walk(struct scan *scan, int index, int depth, char *reason, size_t size)
{
	const struct sb_node *node = probe_node(scan, index);

	if (depth > DEPTH_MOST) {
		snprintf(reason, size, "too many layers below");
		return false;
	}
	if (probe_is_block(node) && node->kind != SB_NODE_PARTITION &&
	    !integrity_allows(node, reason, size))
		return false;
	if (node->kind == SB_NODE_DM && !dm_allows(node, reason, size))
		return false;
	if (node->kind == SB_NODE_LOOP) {
		const char *file = sb_node_get(node, "backing_file");
		int device = node->n_below ? node->below[0] : -1;

		/* Without direct I/O it copies out of the page cache, whatever lies below. */
		if (!probe_is(node, "direct") || !file)
			return true;
		return probe_file_one_buffer(scan, file, device, reason, size);
	}
	for (size_t i = 0; i < node->n_below; i++)
		if (!walk(scan, node->below[i], depth + 1, reason, size))
			return false;
	return true;
}

bool probe_path_one_buffer(struct scan *scan, int node, char *reason, size_t size)
{
	return walk(scan, node, 0, reason, size);
}

bool probe_file_one_buffer(struct scan *scan, const char *path, int device, char *reason,
			   size_t size)
{
	const struct file_system *fs;
	struct statfs st;

	if (statfs(path, &st) != 0) {
		snprintf(reason, size, "its file system cannot be seen: %s", strerror(errno));
		return false;
	}
	fs = file_system_of((unsigned long)(uint32_t)st.f_type);
	if (!fs || !fs->passes) {
		snprintf(reason, size, "%s may look at or copy the data",
			 fs ? fs->name : "its file system");
		return false;
	}
	if ((unsigned long)(uint32_t)st.f_type == TMPFS_MAGIC)
		return true;
	if (device < 0) {
		snprintf(reason, size, "the device below %s is not known", fs->name);
		return false;
	}
	return walk(scan, device, 0, reason, size);
}

static bool turns(struct scan *scan, int index, int depth)
{
	const struct sb_node *node = probe_node(scan, index);

	if (probe_is(node, "rotational"))
		return true;
	for (size_t i = 0; i < node->n_below && depth < DEPTH_MOST; i++)
		if (turns(scan, node->below[i], depth + 1))
			return true;
	return false;
}

bool probe_path_rotational(struct scan *scan, int node)
{
	return turns(scan, node, 0);
}
