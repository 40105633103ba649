/* Inside of the room: one scan of the machine, which adds nodes as they are asked for. Main thread.
 * Functions return 0 or an index, else negative errno (-ENOMEM is the only one that matters to a
 * scan: what cannot be read is left unknown). */
#ifndef SATABENCH_PROBE_PRIV_H
#define SATABENCH_PROBE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "satabench/result.h"

#define SYS_BLOCK "/sys/class/block"
#define SYS_PATH 1024  /* longest path in sysfs that is looked at */
#define SYS_SECTOR 512 /* unit of sysfs's `size` and `start` */

struct udev;
struct udev_device;
struct udev_hwdb;
struct facts;

/* What the kernel says is in use, by device number. */
enum place_use { PLACE_MOUNTED = 1, PLACE_SWAP = 2 };
struct place {
	dev_t dev;
	unsigned use;
};
/* One line of mountinfo; the texts lie in it. */
struct mount {
	uint64_t id;
	dev_t dev;  /* of the file system; major 0: none */
	char *root; /* folder of the file system that is seen at `point` */
	char *point;
	char *type, *source, *options; /* of the file system; options as the kernel escapes them */
};
struct places {
	struct place *place; /* sorted by dev, each once */
	size_t n, capacity;
	struct mount *mount; /* in the order of mountinfo */
	size_t n_mounts;
	char *text; /* of mountinfo; NULL: the caller's */
};
/* mounts.c: \ooo in place; blanks and backslashes are written so. */
void probe_unescape(char *text);
/* False: it is none. Cuts the line. */
bool probe_mount_parse(struct mount *mount, char *line);
/* The directories of an overlay, uppermost first, until `each` returns non-zero. */
int probe_mount_layers(const struct mount *mount, int (*each)(void *arg, const char *path),
		       void *arg);
int probe_places_read(struct places *places);
/* The same from given texts, which it cuts and which have to stay; NULL: none. */
int probe_places_parse(struct places *places, char *mountinfo, char *swaps);
unsigned probe_places_use(const struct places *places, dev_t dev); /* enum place_use */
const struct mount *probe_places_mount(const struct places *places, uint64_t id); /* or NULL */
void probe_places_free(struct places *places);

struct scan {
	struct sb_topo *topo;
	int *slots; /* hash by id: index + 1, 0 = free */
	size_t n_slots;
	char **names; /* all of SYS_BLOCK, in natural order */
	size_t n_names;
	bool names_read;
	bool whole; /* every device is being added: no need to look for relatives */
	struct udev *udev;
	struct udev_hwdb *hwdb; /* NULL: not installed */
	bool hwdb_opened;
	struct facts *facts; /* NULL: not read yet */
	struct places places;
	bool places_read;
};

/* scan.c: `topo` may hold nodes of an earlier scan. */
int probe_scan_begin(struct scan *scan, struct sb_topo *topo);
/* Marks and doubles, from all that is known now. */
int probe_scan_finish(struct scan *scan);
void probe_scan_end(struct scan *scan);
int probe_scan_find(const struct scan *scan, const char *id); /* or -1 */
/* As sb_topo_add; an id that is there is returned. */
int probe_scan_add(struct scan *scan, enum sb_node_kind kind, const char *id, const char *name,
		   int parent);
int probe_scan_machine(struct scan *scan);
int probe_scan_names(struct scan *scan);
int probe_scan_places(struct scan *scan);
struct sb_node *probe_node(const struct scan *scan, int node);
bool probe_is(const struct sb_node *node, const char *attribute); /* it is "1" */

/* sysfs.c. A block device of which something is read: */
struct block {
	const char *name;    /* kernel's, with '!' */
	char path[SYS_PATH]; /* /sys/devices/... */
	int dir;	     /* open directory */
	char devname[256];   /* below /dev */
	char devtype[32];
	unsigned major, minor;
};
int probe_block_open(struct block *block, const char *name);
void probe_block_close(struct block *block);
/* Reads an attribute without the blanks around it; false when it is missing or empty. */
bool probe_text(int dir, const char *attribute, char *buf, size_t size);
bool probe_u64(int dir, const char *attribute, uint64_t *value);
/* Last component of a link, e.g. of "driver"; false when there is none. */
bool probe_link(const char *path, const char *link, char *buf, size_t size);
/* Calls `each` with the names in a directory until it returns non-zero. */
int probe_each(int dir, const char *path, int (*each)(void *arg, const char *name), void *arg);

/* block.c: the node of a block device with what it hangs on and what it is made of; unless the scan
 * is whole, with its partitions and what is stacked on it. -ENODEV when it is gone. */
int probe_block(struct scan *scan, const char *name);
int probe_block_number(struct scan *scan, unsigned major, unsigned minor);
/* Every one, but for loops without a backing file. */
int probe_all_blocks(struct scan *scan);

/* controller.c: what the device at this sysfs path hangs on; the machine when nothing is known. */
int probe_controller(struct scan *scan, const char *path);
/* identity.c */
int probe_identity(struct scan *scan, int node, const struct block *block);
/* Copies `from` without the blanks around it and doubled ones inside; false when nothing is left.
 */
bool probe_clean(char *buf, size_t size, const char *from, size_t length);
/* NULL without udev */
struct udev_device *probe_udev(struct scan *scan, const char *syspath);
const char *probe_property(struct udev_device *device, const char *key);

/* stack.c: edges to what it is made of */
int probe_stack(struct scan *scan, int node, const struct block *block);
bool probe_is_nvme_path(const char *name);
bool probe_is_nvme_head(const char *name, const char *path);
int probe_nvme_paths(struct scan *scan, const char *head, int *paths, size_t max);
/* locate.c: where a file or directory lies. */
struct location {
	const char *type, *source; /* of its file system, as mountinfo has them; NULL = unknown;
				    * valid as long as the scan */
	int node; /* the block device of the file system; else a node of kind filesystem with all
		   * its devices below, if it has any; -1 = unknown */
};
int probe_locate(struct scan *scan, const char *path, struct location *location);
/* Is the node a block device? */
bool probe_is_block(const struct sb_node *node);

/* marks.c, doubles.c: over all nodes there are */
int probe_marks(struct scan *scan);
int probe_doubles(struct scan *scan);

/* path.c: whether one buffer will do for a block device; else `reason` says why not. */
bool probe_path_one_buffer(struct scan *scan, int node, char *reason, size_t size);
bool probe_path_rotational(struct scan *scan, int node);
/* The same for a file by path; `device`: what its file system is on, or -1. */
bool probe_file_one_buffer(struct scan *scan, const char *path, int device, char *reason,
			   size_t size);
/* dm.c: the same for a dm device's own table. */
bool probe_dm_one_buffer(unsigned major, unsigned minor, const char *name, char *reason,
			 size_t size);
bool probe_dm_target_allowed(const char *type, const char *parameters);

/* device.c: fill one device of the run, whose target is set. What is wrong with the target becomes
 * its message. */
struct stat;
struct sb_nullspec;
int probe_device_block(struct scan *scan, struct sb_device *device, const struct stat *st);
int probe_device_directory(struct scan *scan, struct sb_device *device, const struct stat *st);
int probe_device_file(struct scan *scan, struct sb_device *device, const struct stat *st);
int probe_device_null(struct scan *scan, struct sb_device *device, const struct sb_nullspec *spec);
int probe_device_fail(struct sb_device *device, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* all.c: path of each disk that `all` takes, in topology order, after saying what is taken and what
 * is left. Strings and array are the caller's. */
int probe_all_paths(struct scan *scan, char ***paths, size_t *n);

#endif
