/* Reading the tree of the machine. */
#include "json_read_priv.h"

#include <errno.h>
#include <stdlib.h>

#include "report_priv.h"
#include "satabench/cleanup.h"

static int read_attributes(struct reader *r, const json_t *in, struct sb_node *node)
{
	const json_t *json;
	const char *key;
	json_t *value;
	int rc = reader_object(r, in, "attributes", &json);

	if (rc != 0 || !json)
		return rc;
	json_object_foreach((json_t *)(uintptr_t)json, key, value)
	{
		SB_AUTO_FREE char *name = report_json_decode(key);
		SB_AUTO_FREE char *text = NULL;

		if (json_is_null(value))
			continue;
		if (!json_is_string(value))
			return reader_fail(r, "attributes", "must have strings only");
		text = report_json_decode(json_string_value(value));
		if (!name || !text || sb_node_set(node, name, text) != 0)
			return -ENOMEM;
	}
	return 0;
}

static int read_node(struct reader *r, const json_t *json, void *arg)
{
	struct sb_topo *topo = arg;
	SB_AUTO_FREE char *id = NULL;
	SB_AUTO_FREE char *name = NULL;
	int parent, index;
	int rc = reader_need_string(r, json, "id", &id);

	if (rc == 0)
		rc = reader_need_string(r, json, "name", &name);
	if (rc == 0)
		rc = reader_node(r, json, "parent", topo, &parent);
	if (rc != 0)
		return rc;
	if (sb_topo_find(topo, id) >= 0)
		return reader_fail(r, "id", "is that of another node, too");
	if (!json_is_string(json_object_get(json, "kind")))
		return reader_fail(r, "kind", "must be a string");
	index = sb_topo_add(topo, SB_NODE_MACHINE, id, name, parent);
	if (index < 0)
		return index;
	rc = reader_fields(r, json, &sb_fields_node, &topo->nodes[index]);
	return rc ? rc : read_attributes(r, json, &topo->nodes[index]);
}

/* After all nodes: a stacked edge may point at a later one. */
static int read_below(struct reader *r, const json_t *nodes, struct sb_topo *topo)
{
	for (size_t i = 0; i < topo->n_nodes; i++) {
		const json_t *below = json_object_get(json_array_get(nodes, i), "below");
		size_t mark = reader_enter(r, "topology.nodes", i);
		json_t *json;
		size_t j;

		if (below && !json_is_null(below) && !json_is_array(below))
			return reader_fail(r, "below", "must be an array");
		json_array_foreach(below, j, json)
		{
			SB_AUTO_FREE char *id = NULL;
			int index;

			if (!json_is_string(json))
				return reader_fail(r, "below", "must have strings only");
			id = report_json_decode(json_string_value(json));
			index = id ? sb_topo_find(topo, id) : -1;
			if (index < 0)
				return reader_fail(r, "below", "names no node of the topology");
			if (sb_topo_add_below(topo, (int)i, index) != 0)
				return -ENOMEM;
		}
		reader_leave(r, mark);
	}
	return 0;
}

int reader_topology(struct reader *r, const json_t *root, struct sb_topo *topo)
{
	const json_t *json;
	int rc = reader_object(r, root, "topology", &json);

	if (rc == 0 && json)
		rc = reader_each(r, json, "nodes", read_node, topo);
	if (rc == 0 && json)
		rc = read_below(r, json_object_get(json, "nodes"), topo);
	return rc;
}
