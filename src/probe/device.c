/* One device of the run: what sysfs, the file system and the topology say of it. */
#include "hop_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/nullspec.h"
#include "satabench/units.h"

int probe_device_fail(struct sb_device *device, const char *format, ...)
{
	va_list args;
	int n;

	device->state = SB_DEVICE_FAILED;
	free(device->message);
	va_start(args, format);
	n = vasprintf(&device->message, format, args);
	va_end(args);
	if (n < 0)
		device->message = NULL;
	return n < 0 ? -ENOMEM : 0;
}

/* access(), not faccessat(AT_EACCESS): the program is never set-user-ID, and the first is what
 * test beds replace. */
static int check_access(struct sb_device *device, const struct stat *st)
{
	const struct group *group;

	if (access(device->target, R_OK) == 0)
		return 0;
	if (errno != EACCES)
		return probe_device_fail(device, "%s", strerror(errno));
	group = (st->st_mode & S_IRGRP) ? getgrgid(st->st_gid) : NULL;
	if (group && st->st_gid != 0)
		return probe_device_fail(device,
					 "permission denied: run as root or join the group `%s`",
					 group->gr_name);
	if (S_ISBLK(st->st_mode))
		return probe_device_fail(device, "permission denied: run as root, or let a group "
						 "such as `disk` read it and join that");
	return probe_device_fail(device, "permission denied: run as root or as its owner");
}

static uint64_t number(const struct sb_node *node, const char *key, uint64_t missing)
{
	const char *value = sb_node_get(node, key);

	return value ? strtoull(value, NULL, 10) : missing;
}

/* The disk of a partition, else the node itself: who has the queue. */
static int whole(const struct scan *scan, int node)
{
	const struct sb_node *n = probe_node(scan, node);

	return n->kind == SB_NODE_PARTITION ? n->parent : node;
}

/* queue/iostats 0 switches the counter off, except where there are no requests to count: zram, dm
 * and md count each bio and show 0 all the same. */
static bool counter_is_off(const struct scan *scan, int on)
{
	const struct sb_node *disk = probe_node(scan, whole(scan, on));
	char path[SYS_PATH];
	uint64_t counts;

	if (disk->kind == SB_NODE_ZRAM || disk->kind == SB_NODE_DM || disk->kind == SB_NODE_MD)
		return false;
	snprintf(path, sizeof(path), SYS_BLOCK "/%s/queue/iostats", disk->name);
	return probe_u64(AT_FDCWD, path, &counts) && counts == 0;
}

static int set_counter(const struct scan *scan, struct sb_device *device, int on)
{
	char path[SYS_PATH];

	snprintf(path, sizeof(path), SYS_BLOCK "/%s/stat", probe_node(scan, on)->name);
	if (counter_is_off(scan, on) || access(path, R_OK) != 0)
		return 0;
	return sb_set_string(&device->stat_path, path);
}

static int set_buffers(struct sb_device *device, bool one, const char *reason)
{
	device->one_buffer = one;
	return sb_set_string(&device->own_reason, one ? NULL : reason);
}

static int check_size(const struct scan *scan, struct sb_device *device)
{
	const struct sb_node *node = probe_node(scan, device->node);

	if (device->size_bytes != 0)
		return 0;
	if (node->kind == SB_NODE_LOOP)
		return probe_device_fail(device, "no backing file: attach one with losetup");
	if (node->kind == SB_NODE_ZRAM)
		return probe_device_fail(device, "size is 0: set its disksize and fill it");
	if (node->kind == SB_NODE_MD &&
	    sb_md_kind(sb_node_get(node, "md_level"), sb_node_get(node, "md_metadata")) ==
		    SB_MD_CONTAINER)
		return probe_device_fail(device, "a container of external metadata: its arrays "
						 "are what can be read");
	if (node->kind == SB_NODE_MD)
		return probe_device_fail(device, "the array is not running: mdadm --run starts it "
						 "if enough of its members are there");
	if (probe_is(node, "removable"))
		return probe_device_fail(device, "no medium in the drive: insert one");
	return probe_device_fail(device, "size is 0: there is nothing to read");
}

/* Without sysfs, or for a device that it does not show. */
static int unknown_block(struct scan *scan, const struct sb_device *device)
{
	char id[64];
	int machine = probe_scan_machine(scan);

	snprintf(id, sizeof(id), "block:%u:%u", device->major, device->minor);
	return machine < 0 ? machine
			   : probe_scan_add(scan, SB_NODE_DISK, id, device->target, machine);
}

int probe_device_block(struct scan *scan, struct sb_device *device, const struct stat *st)
{
	char reason[256] = "";
	bool one, known;
	int rc;

	device->kind = SB_DEVICE_BLOCK;
	device->major = major(st->st_rdev);
	device->minor = minor(st->st_rdev);
	device->node = probe_block_number(scan, device->major, device->minor);
	known = device->node >= 0;
	if (device->node < 0 && device->node != -ENOMEM)
		device->node = unknown_block(scan, device);
	if (device->node < 0)
		return device->node;
	device->size_bytes = number(probe_node(scan, device->node), "size_bytes", SB_NONE_U64);
	device->sector_bytes =
		(uint32_t)number(probe_node(scan, whole(scan, device->node)), "sector_bytes", 0);
	device->rotational = probe_path_rotational(scan, device->node);
	device->counts_all = true;
	rc = check_access(device, st);
	if (rc == 0 && device->state != SB_DEVICE_FAILED)
		rc = check_size(scan, device);
	if (rc != 0 || device->state == SB_DEVICE_FAILED)
		return rc;
	one = known && probe_path_one_buffer(scan, device->node, reason, sizeof(reason));
	rc = set_buffers(device, one, known ? reason : "sysfs does not show the device");
	return rc == 0 ? set_counter(scan, device, device->node) : rc;
}

static int file_node(struct scan *scan, struct sb_device *device, const struct location *location)
{
	SB_AUTO_FREE char *id = sb_format("file:%s", device->target);
	int machine = probe_scan_machine(scan), node, rc;

	if (machine < 0 || !id)
		return -ENOMEM;
	node = probe_scan_add(scan, SB_NODE_FILE, id, device->target, machine);
	if (node < 0)
		return node;
	rc = device->size_bytes == SB_NONE_U64
		     ? 0
		     : sb_node_setf(probe_node(scan, node), "size_bytes", "%llu",
				    (unsigned long long)device->size_bytes);
	if (rc == 0 && location->node >= 0)
		rc = sb_topo_add_below(scan->topo, node, location->node);
	if (rc == 0)
		rc = sb_set_string(&device->file_system, location->type);
	if (rc == 0)
		rc = sb_set_string(&device->file_system_source, location->source);
	return rc == 0 ? node : rc;
}

int probe_device_file(struct scan *scan, struct sb_device *device, const struct stat *st)
{
	char reason[256] = "";
	struct location location;
	int below, rc;
	bool one;

	device->kind = SB_DEVICE_FILE;
	device->size_bytes = (uint64_t)st->st_size;
	rc = check_access(device, st);
	if (rc != 0 || device->state == SB_DEVICE_FAILED)
		return rc;
	if (st->st_size == 0)
		return probe_device_fail(device, "is empty: there is nothing to read");
	device->major = major(st->st_dev);
	device->minor = minor(st->st_dev);
	rc = probe_locate(scan, device->target, &location);
	device->node = rc == 0 ? file_node(scan, device, &location) : rc;
	if (device->node < 0)
		return device->node;
	below = location.node;
	one = probe_file_one_buffer(scan, device->target, below, reason, sizeof(reason));
	rc = set_buffers(device, one, reason);
	if (rc != 0 || below < 0)
		return rc;
	device->sector_bytes =
		(uint32_t)number(probe_node(scan, whole(scan, below)), "sector_bytes", 0);
	device->rotational = probe_path_rotational(scan, below);
	/* A file system with a number of its own may be on many devices: none counts for it. */
	return device->major == 0 ? 0 : set_counter(scan, device, below);
}

/* What is free there, and who may write, the worker finds out: asking can hang. */
int probe_device_directory(struct scan *scan, struct sb_device *device, const struct stat *st)
{
	struct location location;
	int rc;

	device->kind = SB_DEVICE_DIRECTORY;
	device->major = major(st->st_dev);
	device->minor = minor(st->st_dev);
	rc = probe_locate(scan, device->path, &location);
	device->node = rc == 0 ? file_node(scan, device, &location) : rc;
	if (device->node < 0 || location.node < 0)
		return device->node < 0 ? device->node : 0;
	device->rotational = probe_path_rotational(scan, location.node);
	return device->major == 0 ? 0 : set_counter(scan, device, location.node);
}

/* "A/B": a controller A below the machine, and B below it. */
static int invented_parent(struct scan *scan, const char *under)
{
	char path[sizeof(((struct sb_nullspec *)0)->under)];
	int parent = probe_scan_machine(scan);
	char *end = path;

	snprintf(path, sizeof(path), "%s", under);
	while (parent >= 0 && *end) {
		char id[sizeof(path) + 16], *slash;
		const char *name = end;
		bool more;

		slash = strchrnul(end, '/');
		more = *slash == '/';
		*slash = '\0';
		snprintf(id, sizeof(id), "null-node:%s", path);
		if (*name)
			parent = probe_scan_add(scan, SB_NODE_CONTROLLER, id, name, parent);
		end = slash + more;
		if (more)
			*slash = '/';
	}
	return parent;
}

int probe_device_null(struct scan *scan, struct sb_device *device, const struct sb_nullspec *spec)
{
	char id[sizeof(spec->name) + 8];
	int parent = invented_parent(scan, spec->under), rc = 0;
	struct sb_node *node;

	if (parent < 0)
		return parent;
	if (spec->under[0])
		rc = probe_limit(probe_node(scan, parent), spec->line_bytes_s,
				 spec->ceiling_bytes_s, "given with a null target");
	if (rc != 0)
		return rc;
	snprintf(id, sizeof(id), "null:%s", spec->name);
	device->node = probe_scan_add(scan, SB_NODE_NULL, id, spec->name, parent);
	if (device->node < 0)
		return device->node;
	device->kind = SB_DEVICE_NULL;
	device->size_bytes = spec->size_bytes;
	device->sector_bytes = SYS_SECTOR;
	device->rotational = spec->rotational;
	device->one_buffer = true;
	node = probe_node(scan, device->node);
	rc = sb_node_setf(node, "size_bytes", "%llu", (unsigned long long)spec->size_bytes);
	if (rc == 0)
		rc = sb_node_set(node, "rotational", spec->rotational ? "1" : "0");
	if (rc == 0 && spec->model[0])
		rc = sb_node_set(node, "model", spec->model);
	return rc;
}
