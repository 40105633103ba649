/* Reading the verdict. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_read_priv.h"
#include "report_priv.h"

/* Room for as many as the array has; NULL in *out for an empty one or what is none. */
static int make_room(const json_t *in, const char *key, size_t size, void *out)
{
	size_t n = json_array_size(json_object_get(in, key));
	void *room = n > 0 ? calloc(n, size) : NULL;

	memcpy(out, &room, sizeof(room));
	return n > 0 && !room ? -ENOMEM : 0;
}

static int read_nodes(struct reader *r, const json_t *in, const char *key,
		      const struct sb_topo *topo, int **nodes, size_t *n)
{
	const json_t *array = json_object_get(in, key);
	json_t *json;
	size_t i;
	int rc;

	if (!array || json_is_null(array))
		return 0;
	if (!json_is_array(array))
		return reader_fail(r, key, "must be an array");
	rc = make_room(in, key, sizeof(**nodes), nodes);
	if (rc != 0)
		return rc;
	json_array_foreach(array, i, json)
	{
		char *id;

		if (!json_is_string(json))
			return reader_fail(r, key, "must have strings only");
		id = report_json_decode(json_string_value(json));
		if (!id)
			return -ENOMEM;
		(*nodes)[*n] = sb_topo_find(topo, id);
		free(id);
		if ((*nodes)[(*n)++] < 0)
			return reader_fail(r, key, "names no node of the topology");
	}
	return 0;
}

static int read_limit(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_limit *limit = &result->verdict.limits[result->verdict.n_limits++];
	int rc;

	limit->cls = SB_CLASS_UNKNOWN;
	rc = reader_fields(r, json, &sb_fields_limit, limit);
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &limit->node);
	if (rc == 0)
		rc = reader_node(r, json, "test_node", &result->topo, &limit->test_node);
	if (rc == 0)
		rc = reader_pair(r, json, "capacity_bytes_per_second_interval",
				 &limit->capacity_low, &limit->capacity_high);
	return rc ? rc
		  : read_nodes(r, json, "candidates", &result->topo, &limit->candidates,
			       &limit->n_candidates);
}

static int read_loss(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_node_loss *loss = &result->verdict.losses[result->verdict.n_losses++];
	const json_t *left_out;
	int rc;

	loss->state = SB_LOSS_UNSURE;
	loss->recovered = loss->q = NAN;
	rc = reader_fields(r, json, &sb_fields_loss, loss);
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &loss->node);
	if (rc == 0 && loss->node < 0)
		rc = reader_fail(r, "node", "must be a string");
	if (rc == 0)
		rc = reader_node(r, json, "masked_by", &result->topo, &loss->masked_by);
	if (rc == 0)
		rc = reader_pair(r, json, "loss_percent_interval", &loss->low, &loss->high);
	loss->low /= 100;
	loss->high /= 100;
	if (rc == 0)
		rc = reader_object(r, json, "leave_one_out", &left_out);
	if (rc != 0 || !left_out)
		return rc;
	loss->left_out = true;
	return reader_fields(r, left_out, &sb_fields_left_out, loss);
}

static int read_device(struct reader *r, const json_t *json, const struct sb_result *result,
		       int *device)
{
	const json_t *index = json_object_get(json, "device");

	if (!json_is_integer(index) || json_integer_value(index) < 0 ||
	    (size_t)json_integer_value(index) >= result->n_devices)
		return reader_fail(r, "device", "is no index of the devices");
	*device = (int)json_integer_value(index);
	return 0;
}

static int read_local(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;

	return read_device(r, json, result, &result->verdict.local[result->verdict.n_local++]);
}

static int read_slow(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_slow_disk *slow = &result->verdict.slow[result->verdict.n_slow++];
	const json_t *p = json_object_get(json, "p");

	if (p && !json_is_null(p) && !json_is_number(p))
		return reader_fail(r, "p", "must be a number");
	slow->p = json_is_number(p) ? json_number_value(p) : NAN;
	return read_device(r, json, result, &slow->device);
}

static int read_undecided(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_undecided *pair = &result->verdict.undecided[result->verdict.n_undecided++];
	int rc = reader_node(r, json, "upper", &result->topo, &pair->upper);

	return rc ? rc : reader_node(r, json, "lower", &result->topo, &pair->lower);
}

static int read_odd_run(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_odd_run *run = &result->verdict.odd_runs[result->verdict.n_odd_runs++];
	const json_t *device = json_object_get(json, "device");
	int rc = reader_fields(r, json, &sb_fields_odd_run, run);

	run->device = -1;
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &run->node);
	return rc || !device || json_is_null(device) ? rc
						     : read_device(r, json, result, &run->device);
}

static int read_evidence(struct reader *r, const json_t *in, struct sb_verdict *v)
{
	const json_t *array = json_object_get(in, "evidence");
	json_t *json;
	size_t i;
	int rc = make_room(in, "evidence", sizeof(*v->evidence), &v->evidence);

	if (rc == 0 && array && !json_is_null(array) && !json_is_array(array))
		return reader_fail(r, "evidence", "must be an array");
	if (rc != 0)
		return rc;
	json_array_foreach(array, i, json)
	{
		if (!json_is_string(json))
			return reader_fail(r, "evidence", "must have strings only");
		v->evidence[i] = report_json_decode(json_string_value(json));
		v->n_evidence = i + 1;
		if (!v->evidence[i])
			return -ENOMEM;
	}
	return 0;
}

static int read_runner_up(struct reader *r, const json_t *in, struct sb_result *result)
{
	const json_t *json;
	int rc = reader_object(r, in, "runner_up", &json);

	if (rc != 0 || !json)
		return rc;
	return reader_node(r, json, "node", &result->topo, &result->verdict.runner_up);
}

static int read_more_lists(struct reader *r, const json_t *in, struct sb_result *result)
{
	struct sb_verdict *v = &result->verdict;
	int rc = make_room(in, "undecided", sizeof(*v->undecided), &v->undecided);

	if (rc == 0)
		rc = make_room(in, "odd_runs", sizeof(*v->odd_runs), &v->odd_runs);
	if (rc == 0)
		rc = reader_node(r, in, "local_home", &result->topo, &v->local_home);
	if (rc == 0)
		rc = reader_node(r, in, "small_shared", &result->topo, &v->small_shared);
	if (rc == 0)
		rc = read_nodes(r, in, "above_ceiling", &result->topo, &v->above_ceiling,
				&v->n_above_ceiling);
	if (rc == 0)
		rc = reader_each(r, in, "undecided", read_undecided, result);
	return rc ? rc : reader_each(r, in, "odd_runs", read_odd_run, result);
}

static int read_lists(struct reader *r, const json_t *in, struct sb_result *result)
{
	struct sb_verdict *v = &result->verdict;
	int rc = make_room(in, "limits", sizeof(*v->limits), &v->limits);

	if (rc == 0)
		rc = make_room(in, "losses", sizeof(*v->losses), &v->losses);
	if (rc == 0)
		rc = make_room(in, "local", sizeof(*v->local), &v->local);
	if (rc == 0)
		rc = make_room(in, "slow", sizeof(*v->slow), &v->slow);
	if (rc == 0)
		rc = reader_each(r, in, "limits", read_limit, result);
	if (rc == 0)
		rc = reader_each(r, in, "losses", read_loss, result);
	if (rc == 0)
		rc = reader_each(r, in, "local", read_local, result);
	if (rc == 0)
		rc = reader_each(r, in, "slow", read_slow, result);
	return rc ? rc : read_more_lists(r, in, result);
}

int reader_verdict(struct reader *r, const json_t *root, struct sb_result *result)
{
	struct sb_verdict *v = &result->verdict;
	const json_t *json;
	int rc = reader_object(r, root, "verdict", &json);

	if (rc != 0 || !json)
		return rc;
	snprintf(r->where, sizeof(r->where), "verdict");
	rc = reader_fields(r, json, &sb_fields_verdict, v);
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &v->node);
	if (rc == 0)
		rc = read_nodes(r, json, "candidates", &result->topo, &v->candidates,
				&v->n_candidates);
	if (rc == 0)
		rc = read_runner_up(r, json, result);
	if (rc == 0)
		rc = read_lists(r, json, result);
	if (rc == 0)
		rc = read_evidence(r, json, v);
	reader_leave(r, 0);
	return rc;
}
