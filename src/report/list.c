/* What is known of the machine, for programs. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/field.h"
#include "satabench/file.h"

#define LIST_SCHEMA "satabench.list/1"

/* Disks' links against the ceiling; NaN. */
static double oversubscription(const struct sb_node *node, const struct sb_reach *reach)
{
	return reach->disks < 2 ? NAN : reach->bytes_s / sb_node_ceiling(node);
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *node_json(const struct sb_list *list, const struct sb_reach *reach, size_t i)
{
	const struct sb_node *node = &list->topo->nodes[i];
	json_t *object = report_json_topo_node(list->topo, node);
	const char *reason = list->refuses ? list->refuses(list->topo, (int)i) : NULL;
	int rc = object ? 0 : -ENOMEM;

	if (rc == 0)
		rc = report_json_put(object, "disks", json_integer((json_int_t)reach[i].disks));
	if (rc == 0)
		rc = report_json_put(object, "disks_bytes_per_second", number(reach[i].bytes_s));
	if (rc == 0)
		rc = report_json_put(object, "oversubscription",
				     number(oversubscription(node, &reach[i])));
	if (rc == 0 && list->refuses && node->kind >= SB_NODE_DISK)
		rc = report_json_put(object, "left_by_all", report_json_string(reason));
	if (rc == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int write_json(FILE *out, const struct sb_list *list)
{
	SB_AUTO_FREE struct sb_reach *reach = sb_topo_reach(list->topo);
	json_t *root = json_object(), *nodes = json_array(), *topology = json_object();
	int rc = reach ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < list->topo->n_nodes; i++)
		rc |= json_array_append_new(nodes, node_json(list, reach, i));
	rc |= report_json_put(topology, "nodes", nodes);
	rc |= report_json_put(root, "schema", json_string(LIST_SCHEMA));
	rc |= report_json_put(root, "satabench", report_json_string(list->version));
	rc |= report_json_put(root, "topology", topology);
	rc = rc ? -ENOMEM : report_json_print(out, root);
	json_decref(root);
	return rc ? rc : report_stream_status(out);
}

/* Takes the malloc'ed value. 0 or -ENOMEM. */
static int print_row(FILE *out, const struct sb_node *node, const char *prefix, const char *metric,
		     char *value, const char *unit)
{
	if (!value)
		return -ENOMEM;
	fputs("node,", out);
	report_csv_field(out, node->id);
	fprintf(out, ",%s", prefix);
	report_csv_field(out, metric);
	fputc(',', out);
	report_csv_field(out, value);
	fprintf(out, ",%s\r\n", unit);
	free(value);
	return 0;
}

static int print_node(FILE *out, const struct sb_topo *topo, const struct sb_node *node,
		      const struct sb_reach *reach)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sb_fields_node.n; i++) {
		const struct sb_field *field = &sb_fields_node.field[i];

		if (strcmp(field->key, "id") != 0)
			rc = print_row(out, node, "", field->key, report_field_text(field, node),
				       field->unit);
	}
	if (rc == 0)
		rc = print_row(out, node, "", "parent",
			       strdup(node->parent < 0 ? "" : topo->nodes[node->parent].id), "");
	if (rc == 0)
		rc = print_row(out, node, "", "disks", sb_format("%zu", reach->disks), "");
	if (rc == 0)
		rc = print_row(out, node, "", "disks_bytes_per_second",
			       report_double_text(reach->bytes_s), "B/s");
	if (rc == 0)
		rc = print_row(out, node, "", "oversubscription",
			       report_double_text(oversubscription(node, reach)), "");
	for (size_t i = 0; rc == 0 && i < node->n_below; i++)
		rc = print_row(out, node, "", "below", strdup(topo->nodes[node->below[i]].id), "");
	for (size_t i = 0; rc == 0 && i < node->n_attributes; i++)
		rc = print_row(out, node, "attributes.", node->attributes[i].key,
			       strdup(node->attributes[i].value), "");
	return rc;
}

static int write_csv(FILE *out, const struct sb_list *list)
{
	SB_AUTO_FREE struct sb_reach *reach = sb_topo_reach(list->topo);
	int rc = reach ? 0 : -ENOMEM;

	fputs("record,subject,metric,value,unit\r\n", out);
	for (size_t i = 0; rc == 0 && i < list->topo->n_nodes; i++)
		rc = print_node(out, list->topo, &list->topo->nodes[i], &reach[i]);
	return rc ? rc : report_stream_status(out);
}

const struct sb_list_format sb_list_formats[] = {
	{"text", sb_report_tree},
	{"json", write_json},
	{"csv", write_csv},
	{NULL, NULL},
};

const struct sb_list_format *sb_list_format_find(const char *name)
{
	for (const struct sb_list_format *f = sb_list_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
