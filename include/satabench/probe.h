/* Looking at the machine. The main thread only; reads sysfs, procfs and udev's database, opens no
 * device. */
#ifndef SATABENCH_PROBE_H
#define SATABENCH_PROBE_H

#include "satabench/result.h"

/* Fills result->host. Never fails: what is unknown stays unknown. */
void sb_probe_host(struct sb_host *host);

/* The disks, what they hang on (controller with driver and PCI address) and what is stacked on
 * them, into result->topo. 0 or negative errno when sysfs cannot be read. Node attributes set
 * where known: driver, model, vendor, revision, serial, size_bytes, sector_bytes, rotational,
 * removable, read_only, transport, md_level, md_metadata, md_sync_action, dev ("8:16"), contents
 * (udev's ID_FS_TYPE), marks (comma list of mounted, swap, md, lvm, zfs, crypt, multipath, busy,
 * holder), backing_file. */
int sb_probe_topology(struct sb_topo *topo);

/* Turns the targets in options into devices: resolves names, finds node, size, sector size and
 * the way its data takes. A target that cannot be used becomes a device in state FAILED with a
 * message (missing, a directory, a character device, a FIFO, size 0, no medium ...), so that the
 * others go on; the same device twice is warned about (sb_warn) and kept once; "all" is expanded.
 * Null targets and files get nodes of their own. The arrays below the targets become
 * result->md. 0, or negative errno after an sb_error. */
int sb_probe_targets(const struct sb_options *options, struct sb_result *result);

/* Adds what the arrays of the result are made of, and arrays below targets, to the devices, unless
 * they are there: for plans that read them. 0 or -ENOMEM. */
int sb_probe_members(struct sb_result *result);

/* After each phase: whether an array has begun to work on itself. 0 or -ENOMEM. */
int sb_probe_watch(struct sb_result *result);

/* What may have changed while the devices were read: what arrays do. 0 or -ENOMEM. */
int sb_probe_end(struct sb_result *result);

/* What `-d all` thinks of a node of kind disk (or zram, loop, md, dm): NULL = it is taken, else
 * why it is left, e.g. "no medium". Multipath: the second path is left. */
const char *sb_probe_all_refuses(const struct sb_topo *topo, int node);

#endif
