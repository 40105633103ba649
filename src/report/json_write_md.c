/* Arrays as JSON. */
#include <errno.h>
#include <stdlib.h>

#include "report_priv.h"
#include "satabench/cleanup.h"

static json_t *begin(const struct sb_result *result, int node, const struct sb_fields *fields,
		     const void *base)
{
	json_t *object = json_object(), *rest = report_json_object(fields, base);
	int rc = report_json_put(object, "node", report_json_node(result, node));

	rc |= rest ? json_object_update(object, rest) : -ENOMEM;
	json_decref(rest);
	return report_json_finish(object, rc);
}

json_t *report_json_array(const struct sb_result *result, const struct sb_md_array *array)
{
	json_t *object = begin(result, array->node, &sb_fields_md, array);
	json_t *members = json_array();
	SB_AUTO_FREE char *layout = sb_md_layout_text(array->kind, array->layout);
	int slowest = array->slowest >= 0 ? array->members[array->slowest].node : -1;
	int rc = layout ? 0 : -ENOMEM;

	rc |= report_json_put(object, "layout",
			      report_json_string(layout && *layout ? layout : NULL));
	rc |= report_json_put(object, "slowest_node", report_json_node(result, slowest));
	for (size_t i = 0; i < array->n_members; i++)
		rc |= json_array_append_new(members,
					    begin(result, array->members[i].node,
						  &sb_fields_md_member, &array->members[i]));
	return report_json_finish(object, rc | report_json_put(object, "members", members));
}

json_t *report_json_md(const struct sb_result *result)
{
	json_t *arrays = json_array();
	int rc = arrays ? 0 : -ENOMEM;

	for (size_t i = 0; i < result->n_md; i++)
		rc |= json_array_append_new(arrays, report_json_array(result, &result->md[i]));
	return report_json_finish(arrays, rc);
}
