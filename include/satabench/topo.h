/* The machine as a tree of nodes with stacked edges. Plain data in arrays, indices instead of
 * pointers; unknown is a legal value everywhere. Filled by probe, read by everybody, any thread
 * once it is filled. */
#ifndef SATABENCH_TOPO_H
#define SATABENCH_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_node_kind {
	SB_NODE_MACHINE,
	SB_NODE_NUMA,
	SB_NODE_ROOT_COMPLEX,
	SB_NODE_CHIPSET,
	SB_NODE_PCIE,	/* root port */
	SB_NODE_SWITCH, /* PCIe switch port */
	SB_NODE_CONTROLLER,
	SB_NODE_LINK, /* SATA port, SAS phy */
	SB_NODE_PORT_MULTIPLIER,
	SB_NODE_EXPANDER,
	SB_NODE_ENCLOSURE,
	SB_NODE_DISK,
	SB_NODE_PARTITION,
	SB_NODE_MD,
	SB_NODE_DM,
	SB_NODE_LOOP,
	SB_NODE_ZRAM,
	SB_NODE_FILE,
	SB_NODE_FILESYSTEM, /* one that is not on exactly one block device: on several, on the
			     * network, in memory */
	SB_NODE_NULL,
	SB_NODE_KINDS
};

struct sb_attribute {
	char *key;
	char *value;
};

struct sb_node {
	char *id; /* unique in this topology and the same at the next boot where possible:
		   * "pci:0000:00:1f.2", "block:sda", "file:/x", "null:a", "machine" */
	enum sb_node_kind kind;
	char *name;		  /* kernel name or path, raw bytes; escape before printing */
	char *stable_id;	  /* WWN, serial, PCI address; NULL = unknown */
	int parent;		  /* index, -1 for the root */
	double practical_bytes_s; /* what can be expected of it; NaN = unknown */
	double line_bytes_s;	  /* what cannot be exceeded; NaN = unknown */
	char *limit_source;	  /* where the two come from; NULL */
	struct sb_attribute *attributes; /* model, driver, size_bytes, marks ...: sorted by key */
	size_t n_attributes;
	int *below; /* what it is made of: md members, dm slaves, a partition's disk, a loop's
		     * backing disk */
	size_t n_below;
};

struct sb_topo {
	struct sb_node *nodes; /* parents stand before their children */
	size_t n_nodes;
};

const char *sb_node_kind_name(enum sb_node_kind kind);
/* Kind or -1. */
int sb_node_kind_parse(const char *name);

/* What a person calls it: "controller 0000:01:00.0 (ahci)", "sda", "the machine"; escaped. To be
 * freed; NULL out of memory. */
char *sb_node_label(const struct sb_topo *topo, int node);

/* A disk, or what stands for one: a partition, an array, a volume, a loop, a file system; but not
 * memory, which all share. */
bool sb_node_stores(const struct sb_node *node);

/* Index of the new node or -ENOMEM. Strings are copied; stable_id may be NULL. */
int sb_topo_add(struct sb_topo *topo, enum sb_node_kind kind, const char *id, const char *name,
		int parent);
/* Index or -1. */
int sb_topo_find(const struct sb_topo *topo, const char *id);
/* 0 or -ENOMEM; NULL value removes the key. */
int sb_node_set(struct sb_node *node, const char *key, const char *value);
int sb_node_setf(struct sb_node *node, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
const char *sb_node_get(const struct sb_node *node, const char *key);
int sb_node_set_stable_id(struct sb_node *node, const char *stable_id);
/* Whether reading `node` reads `target`: it is the node itself, or what it is made of. False out of
 * memory, too. */
bool sb_topo_reaches(const struct sb_topo *topo, int node, int target);
/* The node and all that it is made of, those left out that are `seen` already: into `reached`, and
 * marked. Both have room for all nodes. How many they are. */
size_t sb_topo_mark_below(const struct sb_topo *topo, int node, bool *seen, int *reached);
/* What each node hangs on when what it is made of counts: a file on its disk, a volume where all of
 * its disks meet. `above`: an element a node, -1 for the first alone. `order`: all nodes, each
 * behind what it hangs on; of a tree without stacks their own order. 0 or -ENOMEM. */
int sb_topo_hang(const struct sb_topo *topo, int *above, int *order);
bool sb_is_identity(const char *text); /* a WWN, serial number ...: not all zero or blank */
/* The nearest node at or above it of a kind that is wanted; of what is stacked, that which all
 * parts have in common. -1 */
int sb_topo_nearest(const struct sb_topo *topo, int node, bool (*wanted)(enum sb_node_kind kind));
/* Adds a stacked edge from node to what lies below it, once. */
int sb_topo_add_below(struct sb_topo *topo, int node, int below);
/* What can be expected of a node at most: practical, else line; NaN = unknown. */
double sb_node_ceiling(const struct sb_node *node);

/* What hangs below each node: disks that can be read, each once, and what they could give together
 * by the links that are theirs alone; NaN where one of them is not known. */
struct sb_reach {
	size_t disks;
	double bytes_s;
};
/* Malloc'ed, an element a node; NULL out of memory. */
struct sb_reach *sb_topo_reach(const struct sb_topo *topo);
void sb_topo_free(struct sb_topo *topo);

#endif
