/* Reading arrays. */
#include "json_read_priv.h"

#include <errno.h>

struct place {
	const struct sb_result *result;
	struct sb_md_array *array;
};

static int check_device(struct reader *r, const struct sb_result *result, int device)
{
	return device < 0 || (size_t)device < result->n_devices
		       ? 0
		       : reader_fail(r, "device", "is no index of the devices");
}

static int read_member(struct reader *r, const json_t *json, void *arg)
{
	const struct place *p = arg;
	struct sb_md_member *member = sb_md_add_member(p->array);
	int rc = member ? reader_fields(r, json, &sb_fields_md_member, member) : -ENOMEM;

	if (rc == 0)
		rc = reader_node(r, json, "node", &p->result->topo, &member->node);
	if (rc == 0)
		rc = check_device(r, p->result, member->device);
	return rc == 0 && !member->name ? reader_fail(r, "name", "must be a string") : rc;
}

static int read_array(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_md_array *array = sb_result_add_md(result);
	struct place place = {result, array};
	int rc = array ? reader_fields(r, json, &sb_fields_md, array) : -ENOMEM;

	if (rc != 0)
		return rc;
	array->kind = sb_md_kind(array->level, array->metadata);
	if (!array->name)
		return reader_fail(r, "name", "must be a string");
	rc = reader_node(r, json, "node", &result->topo, &array->node);
	if (rc == 0)
		rc = check_device(r, result, array->device);
	if (rc == 0)
		rc = reader_each(r, json, "members", read_member, &place);
	if (rc == 0 && array->slowest >= 0 && (size_t)array->slowest >= array->n_members)
		rc = reader_fail(r, "slowest", "is no index of the members");
	return rc;
}

int reader_md(struct reader *r, const json_t *root, struct sb_result *result)
{
	return reader_each(r, root, "md", read_array, result);
}
