/* The verdict as JSON. Nodes are written by their ids, devices by index, target and node as in
 * jobs; fractions become percentages. */
#include <errno.h>

#include "report_priv.h"

static int put_pair(json_t *object, const char *key, double low, double high)
{
	json_t *pair = json_array();
	int rc = json_array_append_new(pair, report_json_double(low));

	rc |= json_array_append_new(pair, report_json_double(high));
	return rc | report_json_put(object, key, pair);
}

static int put_nodes(json_t *object, const struct sb_result *result, const char *key,
		     const int *nodes, size_t n)
{
	json_t *array = json_array();
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		rc |= json_array_append_new(array, report_json_node(result, nodes[i]));
	return rc | report_json_put(object, key, array);
}

static int put_runner_up(json_t *object, const struct sb_result *result, int node)
{
	json_t *inner;

	if (node < 0)
		return report_json_put(object, "runner_up", json_null());
	inner = json_object();
	return report_json_put(inner, "node", report_json_node(result, node)) |
	       report_json_put(object, "runner_up", inner);
}

/* New object with the node first and then the fields: what a reader of the file looks for. */
static json_t *begin(const struct sb_result *result, int node, const struct sb_fields *fields,
		     const void *base)
{
	json_t *object = json_object(), *rest = report_json_object(fields, base);
	int rc = report_json_put(object, "node", report_json_node(result, node));

	rc |= rest ? json_object_update(object, rest) : -ENOMEM;
	json_decref(rest);
	return report_json_finish(object, rc);
}

static json_t *limit_json(const struct sb_result *result, const struct sb_limit *limit)
{
	json_t *object = begin(result, limit->node, &sb_fields_limit, limit);
	int rc = report_json_put(object, "test_node", report_json_node(result, limit->test_node));

	rc |= put_pair(object, "capacity_bytes_per_second_interval", limit->capacity_low,
		       limit->capacity_high);
	rc |= put_nodes(object, result, "candidates", limit->candidates, limit->n_candidates);
	rc |= put_runner_up(object, result, limit->n_candidates > 1 ? limit->candidates[1] : -1);
	return report_json_finish(object, rc);
}

static json_t *loss_json(const struct sb_result *result, const struct sb_node_loss *loss)
{
	json_t *object = begin(result, loss->node, &sb_fields_loss, loss);
	int rc = put_pair(object, "loss_percent_interval", report_percent(loss->low),
			  report_percent(loss->high));

	rc |= report_json_put(object, "masked_by", report_json_node(result, loss->masked_by));
	rc |= report_json_put(object, "leave_one_out",
			      loss->left_out ? report_json_object(&sb_fields_left_out, loss)
					     : json_null());
	return report_json_finish(object, rc);
}

static json_t *device_json(const struct sb_result *result, int device)
{
	const struct sb_device *d = &result->devices[device];
	json_t *object = json_object();
	int rc = report_json_put(object, "device", json_integer(device));

	rc |= report_json_put(object, "target", report_json_string(d->target));
	return report_json_finish(
		object, rc | report_json_put(object, "node", report_json_node(result, d->node)));
}

static json_t *odd_run_json(const struct sb_result *result, const struct sb_odd_run *run)
{
	json_t *object = begin(result, run->node, &sb_fields_odd_run, run);
	int rc = report_json_put(object, "device",
				 run->device < 0 ? json_null() : json_integer(run->device));

	return report_json_finish(object, rc);
}

static json_t *undecided_json(const struct sb_result *result, const struct sb_undecided *pair)
{
	json_t *object = json_object();
	int rc = report_json_put(object, "upper", report_json_node(result, pair->upper));

	return report_json_finish(
		object,
		rc | report_json_put(object, "lower", report_json_node(result, pair->lower)));
}

static int put_more_lists(json_t *object, const struct sb_result *result)
{
	const struct sb_verdict *v = &result->verdict;
	json_t *undecided = json_array(), *odd_runs = json_array();
	int rc = report_json_put(object, "local_home", report_json_node(result, v->local_home));

	rc |= report_json_put(object, "small_shared", report_json_node(result, v->small_shared));
	rc |= put_nodes(object, result, "above_ceiling", v->above_ceiling, v->n_above_ceiling);
	for (size_t i = 0; i < v->n_undecided; i++)
		rc |= json_array_append_new(undecided, undecided_json(result, &v->undecided[i]));
	for (size_t i = 0; i < v->n_odd_runs; i++)
		rc |= json_array_append_new(odd_runs, odd_run_json(result, &v->odd_runs[i]));
	rc |= report_json_put(object, "undecided", undecided);
	return rc | report_json_put(object, "odd_runs", odd_runs);
}

static int put_lists(json_t *object, const struct sb_result *result)
{
	const struct sb_verdict *v = &result->verdict;
	json_t *limits = json_array(), *losses = json_array();
	json_t *local = json_array(), *slow = json_array();
	int rc = 0;

	for (size_t i = 0; i < v->n_limits; i++)
		rc |= json_array_append_new(limits, limit_json(result, &v->limits[i]));
	for (size_t i = 0; i < v->n_losses; i++)
		rc |= json_array_append_new(losses, loss_json(result, &v->losses[i]));
	for (size_t i = 0; i < v->n_local; i++)
		rc |= json_array_append_new(local, device_json(result, v->local[i]));
	for (size_t i = 0; i < v->n_slow; i++) {
		json_t *entry = device_json(result, v->slow[i].device);

		rc |= report_json_put(entry, "p", report_json_double(v->slow[i].p));
		rc |= json_array_append_new(slow, entry);
	}
	rc |= report_json_put(object, "limits", limits);
	rc |= report_json_put(object, "losses", losses);
	rc |= report_json_put(object, "local", local);
	rc |= report_json_put(object, "slow", slow);
	return rc | put_more_lists(object, result);
}

json_t *report_json_verdict(const struct sb_result *result)
{
	const struct sb_verdict *v = &result->verdict;
	json_t *object, *evidence;
	int rc;

	if (!v->sentence)
		return json_null();
	object = begin(result, v->node, &sb_fields_verdict, v);
	evidence = json_array();
	rc = put_nodes(object, result, "candidates", v->candidates, v->n_candidates);
	rc |= put_runner_up(object, result, v->runner_up);
	for (size_t i = 0; i < v->n_evidence; i++)
		rc |= json_array_append_new(evidence, report_json_string(v->evidence[i]));
	rc |= report_json_put(object, "evidence", evidence);
	return report_json_finish(object, rc | put_lists(object, result));
}
