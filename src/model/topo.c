#include "satabench/topo.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/device.h"

#define STEPS_MOST 1024 /* through what is stacked: a file may hold rings of it */

static const char *const kind_names[SB_NODE_KINDS] = {
	[SB_NODE_MACHINE] = "machine",
	[SB_NODE_NUMA] = "numa",
	[SB_NODE_ROOT_COMPLEX] = "root_complex",
	[SB_NODE_CHIPSET] = "chipset",
	[SB_NODE_PCIE] = "pcie",
	[SB_NODE_SWITCH] = "switch",
	[SB_NODE_CONTROLLER] = "controller",
	[SB_NODE_LINK] = "link",
	[SB_NODE_PORT_MULTIPLIER] = "pm",
	[SB_NODE_EXPANDER] = "expander",
	[SB_NODE_ENCLOSURE] = "enclosure",
	[SB_NODE_DISK] = "disk",
	[SB_NODE_PARTITION] = "partition",
	[SB_NODE_MD] = "md",
	[SB_NODE_DM] = "dm",
	[SB_NODE_LOOP] = "loop",
	[SB_NODE_ZRAM] = "zram",
	[SB_NODE_FILE] = "file",
	[SB_NODE_FILESYSTEM] = "filesystem",
	[SB_NODE_NULL] = "null",
};

const char *sb_node_kind_name(enum sb_node_kind kind)
{
	return (unsigned)kind < SB_NODE_KINDS ? kind_names[kind] : "unknown";
}

int sb_node_kind_parse(const char *name)
{
	for (int i = 0; i < SB_NODE_KINDS; i++)
		if (strcmp(kind_names[i], name) == 0)
			return i;
	return -1;
}

bool sb_node_stores(const struct sb_node *node)
{
	const char *medium = sb_node_get(node, "medium");

	if (medium && strcmp(medium, "memory") == 0)
		return false;
	return node->kind >= SB_NODE_DISK && node->kind < SB_NODE_KINDS &&
	       node->kind != SB_NODE_FILE && node->kind != SB_NODE_NULL;
}

/* Room for one more of `size` bytes; arrays double, so n adds cost n in all. */
static int grow(void **array, size_t n, size_t size)
{
	void *more;

	if (n & (n - 1)) /* capacity is the next power of two */
		return 0;
	more = reallocarray(*array, n ? n * 2 : 1, size);
	if (!more)
		return -ENOMEM;
	*array = more;
	return 0;
}

int sb_topo_add(struct sb_topo *topo, enum sb_node_kind kind, const char *id, const char *name,
		int parent)
{
	struct sb_node *node;

	if (grow((void **)&topo->nodes, topo->n_nodes, sizeof(*node)) != 0)
		return -ENOMEM;
	node = &topo->nodes[topo->n_nodes];
	*node = (struct sb_node){.kind = kind,
				 .parent = parent,
				 .practical_bytes_s = NAN,
				 .line_bytes_s = NAN,
				 .id = strdup(id),
				 .name = strdup(name)};
	if (!node->id || !node->name) {
		free(node->id);
		free(node->name);
		return -ENOMEM;
	}
	return (int)topo->n_nodes++;
}

int sb_topo_find(const struct sb_topo *topo, const char *id)
{
	for (size_t i = 0; i < topo->n_nodes; i++)
		if (strcmp(topo->nodes[i].id, id) == 0)
			return (int)i;
	return -1;
}

/* Index of key, or where it belongs (then *found is 0). */
static size_t attribute_place(const struct sb_node *node, const char *key, int *found)
{
	size_t low = 0, high = node->n_attributes;

	*found = 0;
	while (low < high) {
		size_t mid = (low + high) / 2;
		int order = strcmp(node->attributes[mid].key, key);

		if (order == 0) {
			*found = 1;
			return mid;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void attribute_remove(struct sb_node *node, size_t place)
{
	free(node->attributes[place].key);
	free(node->attributes[place].value);
	node->n_attributes--;
	memmove(&node->attributes[place], &node->attributes[place + 1],
		(node->n_attributes - place) * sizeof(node->attributes[0]));
}

int sb_node_set(struct sb_node *node, const char *key, const char *value)
{
	int found;
	size_t place = attribute_place(node, key, &found);
	struct sb_attribute added;

	if (!value) {
		if (found)
			attribute_remove(node, place);
		return 0;
	}
	if (found)
		return sb_set_string(&node->attributes[place].value, value);
	if (grow((void **)&node->attributes, node->n_attributes, sizeof(added)) != 0)
		return -ENOMEM;
	added.key = strdup(key);
	added.value = strdup(value);
	if (!added.key || !added.value) {
		free(added.key);
		free(added.value);
		return -ENOMEM;
	}
	memmove(&node->attributes[place + 1], &node->attributes[place],
		(node->n_attributes - place) * sizeof(added));
	node->attributes[place] = added;
	node->n_attributes++;
	return 0;
}

int sb_node_setf(struct sb_node *node, const char *key, const char *format, ...)
{
	SB_AUTO_FREE char *value = NULL;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&value, format, args);
	va_end(args);
	if (n < 0) {
		value = NULL;
		return -ENOMEM;
	}
	return sb_node_set(node, key, value);
}

const char *sb_node_get(const struct sb_node *node, const char *key)
{
	int found;
	size_t place = attribute_place(node, key, &found);

	return found ? node->attributes[place].value : NULL;
}

int sb_node_set_stable_id(struct sb_node *node, const char *stable_id)
{
	return sb_set_string(&node->stable_id, stable_id);
}

static int nearest(const struct sb_topo *topo, int node, bool (*wanted)(enum sb_node_kind kind),
		   int *steps)
{
	const struct sb_node *n;
	int found = -1;

	for (int at = node; at >= 0; at = topo->nodes[at].parent)
		if (wanted(topo->nodes[at].kind))
			return at;
	if (node < 0 || --*steps <= 0)
		return -1;
	n = &topo->nodes[node];
	for (size_t i = 0; i < n->n_below; i++) {
		int below = nearest(topo, n->below[i], wanted, steps);

		if (below < 0 || (i > 0 && below != found))
			return -1;
		found = below;
	}
	return found;
}

int sb_topo_nearest(const struct sb_topo *topo, int node, bool (*wanted)(enum sb_node_kind kind))
{
	int steps = STEPS_MOST;

	return nearest(topo, node, wanted, &steps);
}

int sb_topo_add_below(struct sb_topo *topo, int node, int below)
{
	struct sb_node *n = &topo->nodes[node];

	for (size_t i = 0; i < n->n_below; i++)
		if (n->below[i] == below)
			return 0;
	if (grow((void **)&n->below, n->n_below, sizeof(int)) != 0)
		return -ENOMEM;
	n->below[n->n_below++] = below;
	return 0;
}

void sb_topo_free(struct sb_topo *topo)
{
	for (size_t i = 0; i < topo->n_nodes; i++) {
		struct sb_node *node = &topo->nodes[i];

		for (size_t j = 0; j < node->n_attributes; j++) {
			free(node->attributes[j].key);
			free(node->attributes[j].value);
		}
		free(node->attributes);
		free(node->below);
		free(node->limit_source);
		free(node->stable_id);
		free(node->name);
		free(node->id);
	}
	free(topo->nodes);
	*topo = (struct sb_topo){0};
}

bool sb_is_identity(const char *text)
{
	const char *dot = strchr(text, '.');

	if (dot && dot - text <= 4) /* naa. eui. t10. uuid. */
		text = dot + 1;
	if (strncmp(text, "0x", 2) == 0)
		text += 2;
	return text[strspn(text, "0 -_.:")] != '\0';
}
