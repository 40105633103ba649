/* The vectors of the method as results that can be judged. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/judge.h"
#include "satabench/testtree.h"

#define TEST_BYTES 1000000000ULL

static inline json_t *method_load(const char *name)
{
	const char *root = getenv("SB_SOURCE_ROOT");
	SB_AUTO_FREE char *path = sb_format("%s/tests/data/method/%s", root ? root : ".", name);
	json_error_t error;
	json_t *json = json_load_file(path, 0, &error);

	if (!json)
		fail_msg("%s: %s", path, error.text);
	return json;
}

static inline const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static inline double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static inline int device_of(const struct sb_result *result, const char *id)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if (strcmp(result->devices[i].target, id) == 0)
			return (int)i;
	return -1;
}

static inline void method_tree(struct sb_result *result, const json_t *nodes)
{
	json_t *node;
	size_t i;

	sb_result_init(result);
	json_array_foreach(nodes, i, node)
	{
		const char *id = text_of(node, "id"), *parent = text_of(node, "parent");
		int kind = sb_node_kind_parse(text_of(node, "kind"));
		int index = sb_topo_add(&result->topo, (enum sb_node_kind)kind, id, id,
					parent ? sb_topo_find(&result->topo, parent) : -1);
		struct sb_device *device;

		assert_true(kind >= 0 && index >= 0);
		result->topo.nodes[index].practical_bytes_s = number_of(node, "ceiling");
		if (kind != SB_NODE_DISK)
			continue;
		sb_node_set(&result->topo.nodes[index], "model", text_of(node, "model"));
		device = sb_result_add_device(result);
		assert_non_null(device);
		sb_set_string(&device->target, id);
		device->node = index;
		device->state = SB_DEVICE_READY;
		device->counts_all = true;
	}
}

/* One job with its rate; `foreign`: the share of its device's bytes that was not ours. */
static inline void method_job(struct sb_phase *phase, int device, double bytes_s, double foreign)
{
	struct sb_job *job = sb_phase_add_job(phase);

	assert_non_null(job);
	job->device = device;
	job->state = SB_JOB_DONE;
	job->bytes = TEST_BYTES;
	job->device_bytes = TEST_BYTES + (uint64_t)llround((double)TEST_BYTES * foreign);
	job->seconds = (double)TEST_BYTES / bytes_s;
	job->bytes_s = bytes_s;
}

static inline struct sb_phase *method_phase(struct sb_result *result, const json_t *p)
{
	const char *node = text_of(p, "node"), *left = text_of(p, "left"), *disk;
	struct sb_phase *phase = sb_result_add_phase(
		result, sb_phase_kind_parse(text_of(p, "kind")),
		(unsigned)json_integer_value(json_object_get(p, "round")), "vector");
	const json_t *foreign = json_object_get(p, "foreign");
	json_t *rate;

	assert_non_null(phase);
	phase->done = phase->complete = true;
	phase->node = sb_topo_find(&result->topo, node);
	phase->left_out = left ? sb_topo_find(&result->topo, left) : -1;
	phase->cpu.busy_exact = 100 * number_of(p, "cpu_busy");
	phase->cpu.busiest_busy = 100 * number_of(p, "cpu_busiest");
	json_object_foreach(json_object_get(p, "rates"), disk, rate)
	{
		double share = foreign ? number_of(foreign, disk) : NAN;

		method_job(phase, device_of(result, disk), json_number_value(rate),
			   isnan(share) ? 0 : share);
	}
	return phase;
}

static inline void method_result(struct sb_result *result, const json_t *vector)
{
	json_t *phase;
	size_t i;

	method_tree(result, json_object_get(vector, "tree"));
	json_array_foreach(json_object_get(vector, "phases"), i, phase) method_phase(result, phase);
	result->baseline.busiest_busy = 100 * number_of(vector, "baseline_busiest");
}

static inline const json_t *method_vector(const json_t *file, const char *id)
{
	json_t *vector;
	size_t i;

	json_array_foreach(json_object_get(file, "vectors"), i,
			   vector) if (strcmp(text_of(vector, "id"), id) == 0) return vector;
	fail_msg("no vector %s", id);
	return NULL;
}

static inline const char *node_id(const struct sb_result *result, int node)
{
	return node < 0 ? "" : result->topo.nodes[node].id;
}
