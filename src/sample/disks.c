/* All whole block devices: which of them moved between two moments. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/sample.h"

struct whole_disk {
	char *name;
	int fd;
	bool counted; /* `start` has its counters */
	struct sb_disk_reading start;
};

struct sb_disks {
	struct whole_disk *disk;
	size_t n;
};

static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct whole_disk *)a)->name,
			  ((const struct whole_disk *)b)->name);
}

/* Paths of an NVMe multipath disk are hidden, and have counters of their own. */
static bool is_hidden(int folder, const char *name)
{
	SB_AUTO_FREE char *path = sb_format("%s/hidden", name);
	uint64_t hidden;

	return path && sb_read_u64(folder, path, &hidden) == 0 && hidden != 0;
}

static int add(struct sb_disks *disks, int folder, const char *name)
{
	SB_AUTO_FREE char *path = sb_format("%s/stat", name);
	struct whole_disk *more;
	int fd;

	if (!path)
		return -ENOMEM;
	if (name[0] == '.' || is_hidden(folder, name))
		return 0;
	fd = sb_open_readonly(folder, path, 0);
	if (fd < 0)
		return 0;
	more = reallocarray(disks->disk, disks->n + 1, sizeof(*more));
	if (more)
		disks->disk = more;
	if (!more || !(more[disks->n].name = strdup(name))) {
		close(fd);
		return -ENOMEM;
	}
	more[disks->n].fd = fd;
	disks->n++;
	return 0;
}

int sb_disks_open(struct sb_disks **out, const char *folder)
{
	struct sb_disks *disks = calloc(1, sizeof(*disks));
	int fd = sb_open_readonly(AT_FDCWD, folder, O_DIRECTORY);
	SB_AUTO_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int rc = disks ? 0 : -ENOMEM;

	/* without sysfs there are none */
	if (!dir && fd >= 0)
		close(fd);
	while (rc == 0 && dir && (entry = readdir(dir)))
		rc = add(disks, fd, entry->d_name);
	if (rc < 0) {
		sb_disks_close(disks);
		return rc;
	}
	if (disks->n > 1)
		qsort(disks->disk, disks->n, sizeof(*disks->disk), by_name);
	*out = disks;
	return 0;
}

void sb_disks_start(struct sb_disks *disks)
{
	for (size_t i = 0; i < disks->n; i++)
		disks->disk[i].counted =
			sb_disk_read(disks->disk[i].fd, &disks->disk[i].start) == 0;
}

static int node_of(const struct sb_topo *topo, const char *name)
{
	SB_AUTO_FREE char *id = sb_format("block:%s", name);

	return id ? sb_topo_find(topo, id) : -1;
}

static int add_moved(const struct whole_disk *disk, const struct sb_topo *topo,
		     struct sb_exec *exec)
{
	const struct sb_disk_reading *a = &disk->start;
	struct sb_disk_reading b;
	struct sb_disk_use *use;

	if (!disk->counted || sb_disk_read(disk->fd, &b) != 0)
		return 0;
	/* a counter that goes back is another device's of the same name */
	if (b.read_bytes < a->read_bytes || b.write_bytes < a->write_bytes ||
	    b.read_operations < a->read_operations || b.write_operations < a->write_operations)
		return 0;
	if (b.read_operations == a->read_operations && b.write_operations == a->write_operations)
		return 0;
	use = sb_exec_add_disk(exec, disk->name);
	if (!use)
		return -ENOMEM;
	use->node = node_of(topo, disk->name);
	use->read_bytes = b.read_bytes - a->read_bytes;
	use->write_bytes = b.write_bytes - a->write_bytes;
	use->read_operations = b.read_operations - a->read_operations;
	use->write_operations = b.write_operations - a->write_operations;
	use->busy_ms = b.busy_ms - a->busy_ms;
	return 0;
}

int sb_disks_end(const struct sb_disks *disks, const struct sb_topo *topo, struct sb_exec *exec)
{
	int rc = 0;

	for (size_t i = 0; i < disks->n && rc == 0; i++)
		rc = add_moved(&disks->disk[i], topo, exec);
	return rc;
}

void sb_disks_close(struct sb_disks *disks)
{
	if (!disks)
		return;
	for (size_t i = 0; i < disks->n; i++) {
		close(disks->disk[i].fd);
		free(disks->disk[i].name);
	}
	free(disks->disk);
	free(disks);
}
