/* All vectors of the method: the phases give the verdict that its reference code gives. */
#include "method_data.h"

static const char *current;

#define CHECK(condition, what)                                                                     \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail_msg("%s: %s", current, what);                                         \
	} while (0)

static void near_to(double value, const json_t *want, double tolerance, const char *what)
{
	double w = json_is_number(want) ? json_number_value(want) : NAN;

	if (isnan(w) ? !isnan(value) : !(fabs(value - w) <= tolerance * fmax(1, fabs(w))))
		fail_msg("%s: %s is %.12g, not %.12g", current, what, value, w);
}

static void same_id(const struct sb_result *result, int node, const json_t *want, const char *what)
{
	const char *id = json_is_string(want) ? json_string_value(want) : "";

	if (strcmp(node_id(result, node), id) != 0)
		fail_msg("%s: %s is %s, not %s", current, what, node_id(result, node), id);
}

static bool has_id(const json_t *list, const char *id)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one) if (strcmp(json_string_value(one), id) == 0) return true;
	return false;
}

static void check_limits(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;

	CHECK(v->n_limits == json_array_size(want), "number of limits");
	for (size_t i = 0; i < v->n_limits; i++) {
		const json_t *w = json_array_get(want, i), *knee = json_object_get(w, "ramp_knee");
		const struct sb_limit *l = &v->limits[i];

		same_id(result, l->test_node, json_object_get(w, "node"), "limit's test");
		same_id(result, l->node, json_object_get(w, "named"), "limit's node");
		CHECK(strcmp(sb_class_name(l->cls), text_of(w, "class")) == 0, "limit's class");
		near_to(l->capacity_bytes_s, json_object_get(w, "capacity"), 1e-9, "capacity");
		near_to(l->loss, json_object_get(w, "loss"), 1e-9, "limit's loss");
		near_to(l->cost_bytes_s, json_object_get(w, "cost"), 1e-6, "cost");
		near_to(l->knee, json_object_get(w, "knee"), 1e-9, "knee");
		CHECK((json_int_t)l->ramp_knee == json_integer_value(knee), "measured knee");
		CHECK(l->refuted == json_is_true(json_object_get(w, "refuted")), "refuted");
		CHECK(l->capacity_low < l->capacity_bytes_s &&
			      l->capacity_high > l->capacity_bytes_s,
		      "capacity's interval");
	}
}

static void check_losses(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;
	size_t measured = 0;

	for (size_t i = 0; i < v->n_losses; i++) {
		const struct sb_node_loss *l = &v->losses[i];
		const json_t *w = json_object_get(want, node_id(result, l->node));
		const json_t *interval = json_object_get(w, "interval");

		CHECK(!w == isnan(l->loss), "a loss that is measured");
		if (!w)
			continue;
		measured++;
		near_to(l->loss, json_object_get(w, "loss"), 1e-9, "loss");
		near_to(l->low, json_array_get(interval, 0), 1e-9, "lower end");
		near_to(l->high, json_array_get(interval, 1), 1e-9, "upper end");
		CHECK(strcmp(sb_loss_state_name(l->state), text_of(w, "state")) == 0, "state");
		near_to((double)l->n, json_object_get(w, "rounds"), 0, "rounds");
		CHECK(l->by_group == (strcmp(text_of(w, "by"), "group") == 0), "measured by");
	}
	CHECK(measured == json_object_size(want), "number of losses");
}

static void check_states(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;
	const json_t *masked = json_object_get(want, "masked");
	size_t unsure = 0, n_masked = 0, accused = 0;

	for (size_t i = 0; i < v->n_losses; i++) {
		const char *id = node_id(result, v->losses[i].node);

		unsure += v->losses[i].state == SB_LOSS_UNSURE;
		CHECK((v->losses[i].state == SB_LOSS_UNSURE) ==
			      has_id(json_object_get(want, "unsure"), id),
		      "unsure");
		if (v->losses[i].masked_by < 0)
			continue;
		CHECK(n_masked < json_array_size(masked), "masked");
		CHECK(has_id(json_array_get(masked, n_masked), id), "masked node");
		same_id(result, v->losses[i].masked_by,
			json_array_get(json_array_get(masked, n_masked++), 1), "masking node");
	}
	CHECK(v->n_losses == 0 || unsure == json_array_size(json_object_get(want, "unsure")),
	      "number of unsure");
	CHECK(n_masked == json_array_size(masked), "number of masked");
	for (size_t i = 0; i < v->n_limits; i++) {
		accused += !v->limits[i].refuted;
		CHECK(v->limits[i].refuted || has_id(json_object_get(want, "accused"),
						     node_id(result, v->limits[i].test_node)),
		      "accused");
	}
	CHECK(accused == json_array_size(json_object_get(want, "accused")), "number of accused");
}

static void check_odd_runs(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;

	CHECK(v->n_odd_runs == json_array_size(want), "number of outliers");
	for (size_t i = 0; i < v->n_odd_runs; i++) {
		const struct sb_odd_run *odd = &v->odd_runs[i];
		const char *id = odd->device >= 0 ? result->devices[odd->device].target
						  : node_id(result, odd->node);
		bool found = false;

		for (size_t k = 0; k < json_array_size(want); k++) {
			const json_t *w = json_array_get(want, k);

			found |= has_id(json_array_get(w, 0), id) &&
				 json_integer_value(json_array_get(w, 1)) == odd->round;
		}
		CHECK(found, "outlier");
	}
}

static void check_devices(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;

	CHECK(v->n_local == json_array_size(json_object_get(want, "local")), "number of local");
	for (size_t i = 0; i < v->n_local; i++)
		CHECK(has_id(json_object_get(want, "local"), result->devices[v->local[i]].target),
		      "local");
	CHECK(v->n_slow == json_array_size(json_object_get(want, "slow")), "number of slow");
	for (size_t i = 0; i < v->n_slow; i++)
		CHECK(has_id(json_object_get(want, "slow"),
			     result->devices[v->slow[i].device].target),
		      "slow");
}

static void check_taints(const struct sb_result *result, const json_t *want)
{
	size_t above = 0, small = 0;
	json_t *one;
	size_t i;

	json_array_foreach(want, i, one)
	{
		above += has_id(one, "above_ceiling");
		small += has_id(one, "small_shared_limit");
		if (has_id(one, "above_ceiling"))
			same_id(result, result->verdict.above_ceiling[0], json_array_get(one, 1),
				"above its ceiling");
	}
	CHECK(above == result->verdict.n_above_ceiling, "number above their ceilings");
	CHECK((small > 0) == (result->verdict.small_shared >= 0), "small shared limit");
}

/* Of nodes that are as likely as each other any may be next. */
static void check_runner_up(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;
	double p[2] = {NAN, NAN};
	const char *id = json_is_string(want) ? json_string_value(want) : "";

	for (size_t i = 0; i < v->n_losses; i++) {
		if (v->losses[i].node == v->runner_up)
			p[0] = v->losses[i].p;
		if (strcmp(node_id(result, v->losses[i].node), id) == 0)
			p[1] = v->losses[i].p;
	}
	if (!(fabs(p[0] - p[1]) < 1e-9))
		same_id(result, v->runner_up, want, "runner-up");
}

static void check_vector(const json_t *vector)
{
	const json_t *want = json_object_get(vector, "expect"), *candidates;
	double tolerance = number_of(want, "confidence_tolerance");
	struct sb_result result;
	const struct sb_verdict *v = &result.verdict;

	current = text_of(vector, "id");
	method_result(&result, vector);
	assert_int_equal(sb_judge_verdict(&result), 0);
	if (getenv("SB_SHOW")) {
		print_message("%s (%s):\n  %s\n", current, text_of(vector, "what"), v->sentence);
		for (size_t i = 0; i < v->n_evidence; i++)
			print_message("    %s\n", v->evidence[i]);
	}
	CHECK(strcmp(sb_class_name(v->cls), text_of(want, "class")) == 0, sb_class_name(v->cls));
	same_id(&result, v->node, json_object_get(want, "node"), "node");
	CHECK(v->cannot_tell == json_is_true(json_object_get(want, "cannot_tell")), "cannot tell");
	near_to(v->confidence, json_object_get(want, "confidence"), tolerance, "confidence");
	near_to(v->noise, json_object_get(want, "noise"), 1e-9, "noise");
	candidates = json_object_get(want, "candidates");
	CHECK(v->n_candidates == json_array_size(candidates), "number of candidates");
	for (size_t i = 0; i < v->n_candidates; i++)
		same_id(&result, v->candidates[i], json_array_get(candidates, i), "candidate");
	check_runner_up(&result, json_object_get(want, "runner_up"));
	check_states(&result, want);
	check_limits(&result, json_object_get(want, "limits"));
	check_losses(&result, json_object_get(want, "nodes"));
	check_odd_runs(&result, json_object_get(want, "outliers"));
	check_devices(&result, want);
	check_taints(&result, json_object_get(want, "taints"));
	CHECK(v->sentence && v->sentence[0] && v->sentence[strlen(v->sentence) - 1] == '.',
	      "sentence");
	for (size_t i = 0; i < v->n_evidence; i++)
		CHECK(!strstr(v->evidence[i], "-0.0 "), v->evidence[i]);
	sb_result_free(&result);
}

static void test_vectors(void **state)
{
	json_t *file = method_load("vectors.json"), *vector;
	size_t i;

	(void)state;
	assert_true(json_array_size(json_object_get(file, "vectors")) >= 42);
	json_array_foreach(json_object_get(file, "vectors"), i, vector) check_vector(vector);
	json_decref(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
