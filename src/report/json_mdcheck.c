/* Checks of arrays in JSON: written and read back. */
#include <errno.h>
#include <stdlib.h>

#include "json_read_priv.h"
#include "report_priv.h"

json_t *report_json_check(const struct sb_result *result, const struct sb_mdcheck *c)
{
	json_t *object = report_json_object(&sb_fields_mdcheck, c), *members = json_array();
	int rc = report_json_put(object, "node", report_json_node(result, c->node));

	for (size_t i = 0; i < c->n_members; i++) {
		json_t *m = report_json_object(&sb_fields_mdcheck_member, &c->members[i]);

		rc |= report_json_put(m, "node", report_json_node(result, c->members[i].node));
		rc |= json_array_append_new(members, m);
	}
	return report_json_finish(object, rc | report_json_put(object, "members", members));
}

int report_json_put_checks(json_t *root, const struct sb_result *result)
{
	json_t *checks;
	int rc = 0;

	if (result->n_checks == 0)
		return 0;
	checks = json_array();
	for (size_t i = 0; i < result->n_checks; i++)
		rc |= json_array_append_new(checks, report_json_check(result, &result->checks[i]));
	return rc | report_json_put(root, "md_check", checks);
}

struct check_arg {
	const struct sb_result *result;
	struct sb_mdcheck *check;
};

static int read_member(struct reader *r, const json_t *json, void *arg)
{
	const struct check_arg *a = arg;
	struct sb_mdcheck_member *m = sb_mdcheck_add_member(a->check);
	int rc = m ? reader_fields(r, json, &sb_fields_mdcheck_member, m) : -ENOMEM;

	return rc ? rc : reader_node(r, json, "node", &a->result->topo, &m->node);
}

static int read_check(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct check_arg a = {result, sb_result_add_check(result)};
	int rc = a.check ? reader_fields(r, json, &sb_fields_mdcheck, a.check) : -ENOMEM;

	if (rc == 0 && !sb_mdcheck_state_name(a.check->state))
		return reader_fail(r, "state", "must be the name of a state");
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &a.check->node);
	return rc ? rc : reader_each(r, json, "members", read_member, &a);
}

int reader_checks(struct reader *r, const json_t *root, struct sb_result *result)
{
	return reader_each(r, root, "md_check", read_check, result);
}
