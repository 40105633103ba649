#include "hop_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <libudev.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

/* FNV-1a */
static size_t hash(const char *text)
{
	uint64_t h = 14695981039346656037ULL;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 1099511628211ULL;
	return (size_t)h;
}

static void put(struct scan *scan, int node)
{
	size_t mask = scan->n_slots - 1;
	size_t at = hash(scan->topo->nodes[node].id) & mask;

	while (scan->slots[at])
		at = (at + 1) & mask;
	scan->slots[at] = node + 1;
}

/* At most half full, so that searches stay short. */
static int make_room(struct scan *scan)
{
	size_t n = scan->topo->n_nodes;

	if ((n + 1) * 2 <= scan->n_slots)
		return 0;
	free(scan->slots);
	scan->n_slots = 64;
	while (scan->n_slots < (n + 1) * 4)
		scan->n_slots *= 2;
	scan->slots = calloc(scan->n_slots, sizeof(scan->slots[0]));
	if (!scan->slots)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		put(scan, (int)i);
	return 0;
}

int probe_scan_begin(struct scan *scan, struct sb_topo *topo)
{
	*scan = (struct scan){.topo = topo};
	return make_room(scan);
}

int probe_scan_finish(struct scan *scan)
{
	int rc = probe_doubles(scan);

	return rc == 0 ? probe_marks(scan) : rc;
}

void probe_scan_end(struct scan *scan)
{
	free(scan->slots);
	for (size_t i = 0; i < scan->n_names; i++)
		free(scan->names[i]);
	free(scan->names);
	probe_places_free(&scan->places);
	if (scan->facts)
		probe_facts_free(scan->facts);
	free(scan->facts);
	if (scan->hwdb)
		udev_hwdb_unref(scan->hwdb);
	if (scan->udev)
		udev_unref(scan->udev);
	*scan = (struct scan){0};
}

int probe_scan_find(const struct scan *scan, const char *id)
{
	size_t mask = scan->n_slots - 1;

	for (size_t at = hash(id) & mask; scan->slots[at]; at = (at + 1) & mask) {
		int node = scan->slots[at] - 1;

		if (strcmp(scan->topo->nodes[node].id, id) == 0)
			return node;
	}
	return -1;
}

int probe_scan_add(struct scan *scan, enum sb_node_kind kind, const char *id, const char *name,
		   int parent)
{
	int node = probe_scan_find(scan, id);

	if (node >= 0)
		return node;
	if (make_room(scan) != 0)
		return -ENOMEM;
	node = sb_topo_add(scan->topo, kind, id, name, parent);
	if (node >= 0)
		put(scan, node);
	return node;
}

int probe_scan_machine(struct scan *scan)
{
	return probe_scan_add(scan, SB_NODE_MACHINE, "machine", "machine", -1);
}

struct sb_node *probe_node(const struct scan *scan, int node)
{
	return &scan->topo->nodes[node];
}

bool probe_is(const struct sb_node *node, const char *attribute)
{
	const char *value = sb_node_get(node, attribute);

	return value && strcmp(value, "1") == 0;
}

bool probe_is_block(const struct sb_node *node)
{
	return node->kind >= SB_NODE_DISK && node->kind <= SB_NODE_ZRAM;
}

/* sdz before sdaa, nvme2n1 before nvme10n1 */
static int natural(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t nx = strcspn(x, "0123456789"), ny = strcspn(y, "0123456789");

	if (nx != ny && strncmp(x, y, 2) == 0)
		return nx < ny ? -1 : 1;
	return strverscmp(x, y);
}

static int add_name(void *arg, const char *name)
{
	struct scan *scan = arg;
	size_t n = scan->n_names;

	if ((n & (n - 1)) == 0) {
		char **more = reallocarray(scan->names, n ? n * 2 : 1, sizeof(*more));

		if (!more)
			return -ENOMEM;
		scan->names = more;
	}
	scan->names[n] = strdup(name);
	if (!scan->names[n])
		return -ENOMEM;
	scan->n_names++;
	return 0;
}

int probe_scan_names(struct scan *scan)
{
	int rc;

	if (scan->names_read)
		return 0;
	rc = probe_each(AT_FDCWD, SYS_BLOCK, add_name, scan);
	if (rc < 0)
		return rc;
	scan->names_read = true;
	if (scan->n_names)
		qsort(scan->names, scan->n_names, sizeof(scan->names[0]), natural);
	return 0;
}

int probe_scan_places(struct scan *scan)
{
	if (scan->places_read)
		return 0;
	scan->places_read = true;
	return probe_places_read(&scan->places);
}
