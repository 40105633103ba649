/* Where a file or directory lies: its file system, and the block devices that one is on. */
#include "probe_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define SYS_BTRFS "/sys/fs/btrfs"
#define OVERLAYS_MOST 4 /* on top of each other; the kernel allows two */
#define DISKS_MOST 1024 /* of one file system */

/* File systems without a block device of this machine, by mountinfo's names. */
static const struct medium {
	const char *type, *medium;
} media[] = {
	{"nfs", "network"},	   {"nfs4", "network"},	    {"cifs", "network"},
	{"smb3", "network"},	   {"ceph", "network"},	    {"lustre", "network"},
	{"afs", "network"},	   {"beegfs", "network"},   {"fuse.glusterfs", "network"},
	{"fuse.sshfs", "network"}, {"tmpfs", "memory"},	    {"ramfs", "memory"},
	{"devtmpfs", "memory"},	   {"hugetlbfs", "memory"}, {"9p", "host"},
	{"virtiofs", "host"},	   {"vboxsf", "host"},
};

static const char *medium_of(const char *type)
{
	for (size_t i = 0; i < SB_COUNT(media); i++)
		if (strcmp(media[i].type, type) == 0)
			return media[i].medium;
	return NULL;
}

struct disks {
	struct scan *scan;
	int node[DISKS_MOST];
	size_t n;
	const char *wanted; /* kernel name of a device of the btrfs that is looked for */
	char path[SYS_PATH];
	char uuid[64]; /* of the btrfs that has it; empty: none */
	bool found;
};

static int add_disk(struct disks *disks, int node)
{
	for (size_t i = 0; i < disks->n; i++)
		if (disks->node[i] == node)
			return 0;
	if (node >= 0 && disks->n < DISKS_MOST)
		disks->node[disks->n++] = node;
	return node == -ENOMEM ? node : 0;
}

/* /dev/sda1, or /dev/sda:/dev/sdb of bcachefs */
static int add_source(struct disks *disks, const char *source)
{
	int rc = 0;

	while (strncmp(source, "/dev/", 5) == 0 && rc == 0) {
		size_t n = strcspn(source, ":");
		SB_AUTO_FREE char *path = strndup(source, n);
		struct stat st;

		if (!path)
			return -ENOMEM;
		if (stat(path, &st) == 0 && S_ISBLK(st.st_mode))
			rc = add_disk(disks, probe_block_number(disks->scan, major(st.st_rdev),
								minor(st.st_rdev)));
		source += n + (source[n] == ':');
	}
	return rc;
}

static int is_wanted(void *arg, const char *name)
{
	struct disks *disks = arg;

	disks->found |= strcmp(name, disks->wanted) == 0;
	return 0;
}

static int look_at_btrfs(void *arg, const char *uuid)
{
	struct disks *disks = arg;

	snprintf(disks->path, sizeof(disks->path), SYS_BTRFS "/%s/devices", uuid);
	probe_each(AT_FDCWD, disks->path, is_wanted, disks);
	if (disks->found)
		snprintf(disks->uuid, sizeof(disks->uuid), "%s", uuid);
	return disks->found;
}

static int add_named(void *arg, const char *name)
{
	struct disks *disks = arg;

	return add_disk(disks, probe_block(disks->scan, name));
}

/* mountinfo names one of its devices, sysfs all. */
static int add_btrfs(struct disks *disks)
{
	SB_AUTO_FREE char *first =
		disks->n ? strdup(probe_node(disks->scan, disks->node[0])->name) : NULL;
	int rc;

	if (!first)
		return disks->n ? -ENOMEM : 0;
	disks->wanted = first;
	probe_each(AT_FDCWD, SYS_BTRFS, look_at_btrfs, disks);
	rc = disks->found ? probe_each(AT_FDCWD, disks->path, add_named, disks) : 0;
	return rc == -ENOMEM ? rc : 0;
}

static const struct mount *first_of(const struct places *places, const struct mount *mount)
{
	for (size_t i = 0; i < places->n_mounts; i++)
		if (places->mount[i].dev == mount->dev)
			return &places->mount[i];
	return mount;
}

/* One node for all its mounts: named by where it is served, by its pool, or where it was mounted
 * first. */
static int add_node(struct disks *disks, const struct mount *mount)
{
	struct scan *scan = disks->scan;
	const char *medium = medium_of(mount->type);
	const char *point = first_of(&scan->places, mount)->point;
	bool is_far = medium && strcmp(medium, "memory") != 0;
	bool is_pool = strcmp(mount->type, "zfs") == 0;
	SB_AUTO_FREE char *pool = strndup(mount->source, strcspn(mount->source, "/"));
	const char *name = is_far ? mount->source : is_pool ? pool : point;
	SB_AUTO_FREE char *id =
		sb_format("fs:%s:%s", mount->type, disks->uuid[0] ? disks->uuid : name);
	int machine = probe_scan_machine(scan), node, rc;

	if (machine < 0 || !id || !name)
		return -ENOMEM;
	node = probe_scan_add(scan, SB_NODE_FILESYSTEM, id, name, machine);
	if (node < 0)
		return node;
	rc = sb_node_set(probe_node(scan, node), "file_system", mount->type);
	if (rc == 0)
		rc = sb_node_set(probe_node(scan, node), "medium", medium);
	for (size_t i = 0; i < disks->n && rc == 0; i++)
		rc = sb_topo_add_below(scan->topo, node, disks->node[i]);
	return rc == 0 ? node : rc;
}

static int file_system_node(struct scan *scan, const struct mount *mount)
{
	SB_AUTO_FREE struct disks *disks = calloc(1, sizeof(*disks));
	int rc = disks ? 0 : -ENOMEM;

	if (rc == 0)
		disks->scan = scan;
	if (rc == 0)
		rc = add_source(disks, mount->source);
	if (rc == 0 && strcmp(mount->type, "btrfs") == 0)
		rc = add_btrfs(disks);
	if (rc != 0)
		return rc;
	return disks->n == 1 ? disks->node[0] : add_node(disks, mount);
}

static const struct mount *mount_of(struct scan *scan, const char *path, dev_t dev)
{
	struct statx stx;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_MNT_ID, &stx) == 0 &&
	    (stx.stx_mask & STATX_MNT_ID))
		return probe_places_mount(&scan->places, stx.stx_mnt_id);
	for (size_t i = 0; i < scan->places.n_mounts; i++) /* before Linux 5.8 */
		if (scan->places.mount[i].dev == dev)
			return &scan->places.mount[i];
	return NULL;
}

/* A file that is seen through an overlay, and where it is in the layers. */
struct seen {
	struct scan *scan;
	const struct stat *st;
	const char *inner; /* path within the overlay */
	int depth, node;
};

static int locate(struct scan *scan, const char *path, int depth, struct location *location);

/* The overlay shows the size and times of the file in the layer; what a directory gets is written
 * to the uppermost layer. A container may not see the layers, or others of that name. */
static int look_in_layer(void *arg, const char *layer)
{
	struct seen *seen = arg;
	bool is_dir = S_ISDIR(seen->st->st_mode);
	SB_AUTO_FREE char *path = sb_format("%s%s", layer, is_dir ? "" : seen->inner);
	struct location location;
	struct stat st;
	int rc;

	if (!path)
		return -ENOMEM;
	if (layer[0] != '/' || stat(path, &st) != 0)
		return is_dir;
	if ((st.st_mode & S_IFMT) != (seen->st->st_mode & S_IFMT) ||
	    (!is_dir &&
	     (st.st_size != seen->st->st_size || st.st_mtim.tv_sec != seen->st->st_mtim.tv_sec ||
	      st.st_mtim.tv_nsec != seen->st->st_mtim.tv_nsec)))
		return is_dir;
	rc = locate(seen->scan, path, seen->depth + 1, &location);
	seen->node = location.node;
	return rc == 0 ? 1 : rc;
}

static int through_overlay(struct scan *scan, const struct mount *mount, const char *path,
			   const struct stat *st, int depth)
{
	SB_AUTO_FREE char *real = realpath(path, NULL);
	SB_AUTO_FREE char *inner = NULL;
	size_t n = strcmp(mount->point, "/") == 0 ? 0 : strlen(mount->point);
	struct seen seen = {.scan = scan, .st = st, .depth = depth, .node = -1};
	int rc;

	if (!real || depth >= OVERLAYS_MOST || strncmp(real, mount->point, n) != 0)
		return -1;
	inner = sb_format("%s%s", strcmp(mount->root, "/") == 0 ? "" : mount->root, real + n);
	if (!inner)
		return -ENOMEM;
	seen.inner = inner;
	rc = probe_mount_layers(mount, look_in_layer, &seen);
	return rc < 0 ? rc : seen.node;
}

static int locate(struct scan *scan, const char *path, int depth, struct location *location)
{
	const struct mount *mount;
	struct stat st;
	int node = -1;

	*location = (struct location){.node = -1};
	if (stat(path, &st) != 0)
		return 0;
	if (probe_scan_places(scan) != 0)
		return -ENOMEM;
	mount = mount_of(scan, path, st.st_dev);
	if (mount) {
		location->type = mount->type;
		location->source = mount->source;
	}
	if (major(st.st_dev) != 0)
		node = probe_block_number(scan, major(st.st_dev), minor(st.st_dev));
	if (node < 0 && node != -ENOMEM && mount && strcmp(mount->type, "overlay") == 0)
		node = through_overlay(scan, mount, path, &st, depth);
	if (node < 0 && node != -ENOMEM && mount)
		node = file_system_node(scan, mount);
	location->node = node < 0 ? -1 : node;
	return node == -ENOMEM ? node : 0;
}

int probe_locate(struct scan *scan, const char *path, struct location *location)
{
	return locate(scan, path, 0, location);
}
