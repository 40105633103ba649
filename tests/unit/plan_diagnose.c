/* The order of phases: whole sessions of the method's reference plan on simulated machines. Each
 * phase that the plan asks for must be the one that was run there next; it gets the rates that it
 * had there. */
#include "method_data.h"

#include "satabench/planner.h"

static const char *current;
static size_t at;

static const struct sb_plan *plan_named(const char *name)
{
	const struct sb_plan *plan = sb_plan_find(name);

	assert_non_null(plan);
	return plan;
}

/* Rounds of leave one out count from 101 here, from 100 there. */
static unsigned round_of(const json_t *want)
{
	unsigned round = (unsigned)json_integer_value(json_object_get(want, "round"));

	return round < 100 ? round : round + 1;
}

static void same_phase(const struct sb_result *result, const struct sb_phase *phase,
		       const json_t *want)
{
	const char *kind = text_of(want, "kind"), *left = text_of(want, "left");
	const json_t *rates = json_object_get(want, "rates");
	const char *node = phase->node < 0 ? "" : result->topo.nodes[phase->node].id;

	if (strcmp(sb_phase_kind_name(phase->kind), kind) != 0 || phase->round != round_of(want) ||
	    strcmp(node, text_of(want, "node")) != 0)
		fail_msg("%s, phase %zu: %s of %s in round %u, not %s of %s in round %u", current,
			 at, sb_phase_kind_name(phase->kind), node, phase->round, kind,
			 text_of(want, "node"), round_of(want));
	if (strcmp(node_id(result, phase->left_out), left ? left : "") != 0)
		fail_msg("%s, phase %zu: without %s, not without %s", current, at,
			 node_id(result, phase->left_out), left ? left : "any");
	if (phase->n_jobs != json_object_size(rates))
		fail_msg("%s, phase %zu: %zu devices, not %zu", current, at, phase->n_jobs,
			 json_object_size(rates));
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (!json_object_get(rates, phase->jobs[i].target))
			fail_msg("%s, phase %zu: %s is in it", current, at, phase->jobs[i].target);
	assert_true(strlen(phase->reason) > 8);
}

static void set_rate(struct sb_job *job, double bytes_s, double foreign)
{
	job->state = SB_JOB_DONE;
	job->bytes = TEST_BYTES;
	job->bytes_s = bytes_s;
	job->device_bytes =
		TEST_BYTES + (uint64_t)llround((double)TEST_BYTES * (isnan(foreign) ? 0 : foreign));
}

static void run_phase(struct sb_phase *phase, const json_t *want)
{
	double busy = number_of(want, "cpu_busy"), busiest = number_of(want, "cpu_busiest");
	const json_t *foreign = json_object_get(want, "foreign");

	for (size_t i = 0; i < phase->n_jobs; i++) {
		const char *target = phase->jobs[i].target;

		set_rate(&phase->jobs[i], number_of(json_object_get(want, "rates"), target),
			 foreign ? number_of(foreign, target) : 0);
	}
	phase->cpu.busy_exact = 100 * (isnan(busy) ? 0.3 : busy);
	phase->cpu.busiest_busy = 100 * (isnan(busiest) ? 0.4 : busiest);
	phase->done = phase->complete = true;
}

/* What confirms the CPU, which the reference leaves to others: it is full again. */
static void run_confirming(struct sb_result *result, struct sb_phase *phase)
{
	assert_int_equal(result->verdict.cls, SB_CLASS_CPU);
	assert_int_equal(result->verdict.limits[0].cpu_confirmed, SB_ANSWER_NONE);
	assert_int_equal(phase->node, result->verdict.limits[0].test_node);
	for (size_t i = 0; i < phase->n_jobs; i++) {
		assert_int_equal(phase->jobs[i].block_bytes, 4 << 20);
		assert_int_equal(phase->jobs[i].depth, 4);
		set_rate(&phase->jobs[i], 1e6, 0);
	}
	phase->cpu.busy_exact = 99;
	phase->cpu.busiest_busy = 100;
	phase->done = phase->complete = true;
	assert_int_equal(sb_judge_verdict(result), 0);
	assert_int_equal(result->verdict.limits[0].cpu_confirmed, SB_ANSWER_YES);
	assert_int_equal(result->verdict.cls, SB_CLASS_CPU);
}

static void check_end(const struct sb_result *result, const json_t *want)
{
	const struct sb_verdict *v = &result->verdict;
	const char *node = text_of(want, "node");
	size_t accused = 0;

	if (strcmp(sb_class_name(v->cls), text_of(want, "class")) != 0 ||
	    strcmp(node_id(result, v->node), node ? node : "") != 0 ||
	    v->cannot_tell != json_is_true(json_object_get(want, "cannot_tell")))
		fail_msg("%s: %s %s, not %s %s", current, sb_class_name(v->cls),
			 node_id(result, v->node), text_of(want, "class"), node ? node : "");
	for (size_t i = 0; i < v->n_limits; i++)
		accused += !v->limits[i].refuted;
	assert_int_equal(accused, json_array_size(json_object_get(want, "accused")));
}

/* The first step of a ramp: as the last phase it is all that there was time for. */
static bool is_lone_step(const json_t *want)
{
	return strcmp(text_of(want, "kind"), "ramp") == 0 &&
	       json_object_size(json_object_get(want, "rates")) == 1;
}

static void replay(const json_t *session)
{
	const struct sb_plan *plan = plan_named("diagnose");
	const json_t *phases = json_object_get(session, "phases");
	struct sb_result result;
	double seconds = 0;
	size_t confirming = 0;
	int rc;

	current = text_of(session, "id");
	method_tree(&result, json_object_get(session, "tree"));
	result.options.depth = 4;
	for (at = 0; (rc = sb_plan_next(plan, &result)) == 1; at++) {
		struct sb_phase *phase = &result.phases[result.n_phases - 1];

		if (sb_phase_confirms(phase)) {
			run_confirming(&result, phase);
			seconds += phase->runtime_s + 0.2;
			confirming++;
			at--;
			continue;
		}
		if (at >= json_array_size(phases))
			fail_msg("%s: a phase too many: %s", current, phase->reason);
		same_phase(&result, phase, json_array_get(phases, at));
		run_phase(phase, json_array_get(phases, at));
		seconds += phase->runtime_s + 0.2;
		assert_int_equal(sb_judge_verdict(&result), 0);
	}
	assert_int_equal(rc, 0);
	/* a ramp that would end early is not begun here */
	if (at + 1 == json_array_size(phases) && is_lone_step(json_array_get(phases, at)))
		seconds += 2.2, at++;
	if (at != json_array_size(phases))
		fail_msg("%s: ends after %zu phases", current, at);
	/* the one phase that the reference does not have */
	assert_int_equal(confirming, result.verdict.cls == SB_CLASS_CPU);
	seconds -= (double)confirming * 2.2;
	assert_true(fabs(seconds - number_of(session, "seconds")) < 1e-6);
	assert_true(seconds + 2.2 <= sb_plan_longest(plan, &result) + 1e-6);
	check_end(&result, json_object_get(session, "expect"));
	sb_result_free(&result);
}

static void test_sessions(void **state)
{
	json_t *file = method_load("sessions.json"), *session;
	size_t i;

	(void)state;
	assert_true(json_array_size(json_object_get(file, "sessions")) >= 12);
	json_array_foreach(json_object_get(file, "sessions"), i, session) replay(session);
	json_decref(file);
}

/* A machine of two controllers with four disks each; a controller gives `cap` at most. */
static void two_by_four(struct sb_result *result)
{
	int machine, controller;

	sb_result_init(result);
	result->options.depth = 4;
	machine = sb_topo_add(&result->topo, SB_NODE_MACHINE, "machine", "machine", -1);
	for (int c = 0; c < 2; c++) {
		char id[] = "A", disk[] = "a0";

		id[0] = (char)(id[0] + c);
		disk[0] = (char)(disk[0] + c);
		controller = sb_topo_add(&result->topo, SB_NODE_CONTROLLER, id, id, machine);
		for (int d = 0; d < 4; d++) {
			struct sb_device *device = sb_result_add_device(result);

			disk[1] = (char)('0' + d);
			assert_non_null(device);
			device->state = SB_DEVICE_READY;
			sb_set_string(&device->target, disk);
			device->node =
				sb_topo_add(&result->topo, SB_NODE_DISK, disk, disk, controller);
		}
	}
}

/* CPU busy while A runs, in percent; in larger blocks. */
static double busy_together, busy_larger;

/* Is the run of that number slowed down, as if by somebody else? NULL: none is. */
static bool (*is_slowed)(size_t run);

/* Disks of 100 MB/s of which those of A share `cap`. */
static void simulate(struct sb_phase *phase, size_t number, double cap)
{
	double n = 0, rate = is_slowed && is_slowed(number) ? 60e6 : 100e6;

	if (phase->n_jobs > 1 && phase->jobs[0].target[0] == 'a' && phase->n_jobs <= 4)
		phase->cpu.busy_exact = phase->cpu.busiest_busy =
			sb_phase_confirms(phase) ? busy_larger : busy_together;
	else
		phase->cpu.busy_exact = phase->cpu.busiest_busy = 20;

	for (size_t i = 0; i < phase->n_jobs; i++)
		n += phase->jobs[i].target[0] == 'a';
	for (size_t i = 0; i < phase->n_jobs; i++)
		set_rate(&phase->jobs[i],
			 phase->jobs[i].target[0] == 'a' ? fmin(rate, cap / n) : rate, 0);
	phase->done = phase->complete = true;
}

static bool has_device(const struct sb_phase *phase, int device)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			return true;
	return false;
}

static double seconds_of(const struct sb_result *result)
{
	double seconds = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		seconds += result->phases[i].runtime_s + 0.2;
	return seconds;
}

/* Runs the plan; device `lost` fails in phase number `when`. Number of phases. */
static size_t run(struct sb_result *result, const char *name, double cap, int lost, size_t when)
{
	int rc;

	sb_set_string(&result->options.plan, name);
	while ((rc = sb_plan_next(plan_named(name), result)) == 1) {
		struct sb_phase *phase = &result->phases[result->n_phases - 1];

		assert_true(result->n_phases < 300);
		if (lost >= 0 && result->n_phases > when + 1)
			assert_false(has_device(phase, lost));
		simulate(phase, result->n_phases - 1, cap);
		if (lost >= 0 && result->n_phases == when + 1) {
			result->devices[lost].state = SB_DEVICE_FAILED;
			for (size_t i = 0; i < phase->n_jobs; i++)
				if (phase->jobs[i].device == lost)
					phase->jobs[i].state = SB_JOB_FAILED;
		}
		assert_int_equal(sb_judge_verdict(result), 0);
	}
	assert_int_equal(rc, 0);
	assert_true(seconds_of(result) <= sb_plan_longest(plan_named(name), result) + 1e-6);
	return result->n_phases;
}

static size_t count_kind(const struct sb_result *result, int kind)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		n += result->phases[i].kind == kind;
	return n;
}

/* A device that fails is in no later phase, and the limit is found among those that are left. */
static void test_failing_device(void **state)
{
	(void)state;
	for (size_t when = 0; when < 40; when += 3) {
		struct sb_result result;

		two_by_four(&result);
		run(&result, "diagnose", 200e6, 2, when);
		if (result.verdict.cls != SB_CLASS_CONTROLLER)
			fail_msg("failed in phase %zu of %zu: %s", when, result.n_phases,
				 result.verdict.sentence);
		assert_string_equal(node_id(&result, result.verdict.node), "A");
		sb_result_free(&result);
	}
}

static void test_all_but_one_fail(void **state)
{
	struct sb_result result;

	(void)state;
	two_by_four(&result);
	for (int i = 1; i < 8; i++)
		result.devices[i].state = SB_DEVICE_FAILED;
	assert_int_equal(run(&result, "diagnose", 1e9, -1, 0), 3);
	assert_true(result.verdict.cannot_tell);
	result.devices[0].state = SB_DEVICE_HUNG;
	assert_int_equal(sb_plan_next(plan_named("diagnose"), &result), 0);
	sb_result_free(&result);
}

static size_t count_confirming(const struct sb_result *result, const char *node)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		n += sb_phase_confirms(&result->phases[i]) &&
		     strcmp(node_id(result, result->phases[i].node), node) == 0;
	return n;
}

/* Once for the CPU, with what it is about; for no other limit, and not where it is quick. */
static void test_confirming(void **state)
{
	struct sb_result result;

	(void)state;
	two_by_four(&result);
	busy_together = busy_larger = 99;
	run(&result, "diagnose", 200e6, -1, 0);
	assert_int_equal(result.verdict.cls, SB_CLASS_CPU);
	assert_int_equal(result.verdict.limits[0].cpu_confirmed, SB_ANSWER_YES);
	assert_int_equal(count_confirming(&result, "A"), 1);
	assert_int_equal(count_confirming(&result, "machine"), 0);
	assert_int_equal(count_kind(&result, SB_PHASE_LEAVE_ONE_OUT), 3);
	sb_result_free(&result);

	two_by_four(&result);
	busy_larger = 60;
	run(&result, "diagnose", 200e6, -1, 0);
	assert_int_equal(result.verdict.cls, SB_CLASS_CONTROLLER);
	assert_int_equal(result.verdict.limits[0].cpu_confirmed, SB_ANSWER_NO);
	assert_int_equal(count_confirming(&result, "A"), 1);
	sb_result_free(&result);

	/* a device is lost meanwhile: it is asked once more, of those that are left */
	for (size_t when = 40; when < 58; when++) {
		two_by_four(&result);
		busy_larger = 99;
		run(&result, "diagnose", 200e6, 2, when);
		assert_int_equal(result.verdict.cls, SB_CLASS_CPU);
		assert_int_equal(result.verdict.limits[0].cpu_confirmed, SB_ANSWER_YES);
		assert_in_range(count_confirming(&result, "A"), 1, 2);
		sb_result_free(&result);
	}

	two_by_four(&result);
	run(&result, "quick", 200e6, -1, 0);
	assert_int_equal(result.verdict.cls, SB_CLASS_CPU);
	assert_int_equal(result.verdict.limits[0].cpu_confirmed, SB_ANSWER_NONE);
	assert_int_equal(count_confirming(&result, "A"), 0);
	sb_result_free(&result);

	two_by_four(&result);
	busy_together = 20;
	run(&result, "diagnose", 200e6, -1, 0);
	assert_int_equal(result.verdict.cls, SB_CLASS_CONTROLLER);
	assert_int_equal(count_confirming(&result, "A"), 0);
	sb_result_free(&result);

	/* blocks that are as large as one read can be */
	two_by_four(&result);
	busy_together = 99;
	result.options.block_bytes = 16 << 20;
	run(&result, "diagnose", 200e6, -1, 0);
	assert_int_equal(result.verdict.limits[0].cpu_confirmed, SB_ANSWER_NONE);
	assert_int_equal(count_confirming(&result, "A"), 0);
	sb_result_free(&result);
	busy_together = busy_larger = 0;
}

/* Own buffers are four times as large, too: the depth gives way where there is no room. */
static void test_confirming_memory(void **state)
{
	struct sb_result result;
	const struct sb_phase *last;

	(void)state;
	for (int small = 0; small < 2; small++) {
		two_by_four(&result);
		busy_together = busy_larger = 99;
		result.options.depth = 32;
		result.host.memory_bytes = small ? 1ULL << 30 : 64ULL << 30;
		for (size_t i = 0; i < result.n_devices; i++)
			sb_set_string(&result.devices[i].buffers, "own");
		run(&result, "diagnose", 200e6, -1, 0);
		last = NULL;
		for (size_t i = 0; i < result.n_phases; i++)
			if (sb_phase_confirms(&result.phases[i]))
				last = &result.phases[i];
		assert_non_null(last);
		assert_int_equal(last->jobs[0].block_bytes, 4 << 20);
		assert_int_equal(last->jobs[0].depth, small ? 8 : 32);
		sb_result_free(&result);
	}
	busy_together = busy_larger = 0;
}

/* Quick has the same first rounds, and nothing that confirms. */
static void test_quick(void **state)
{
	struct sb_result result;

	(void)state;
	two_by_four(&result);
	run(&result, "quick", 200e6, -1, 0);
	assert_int_equal(count_kind(&result, SB_PHASE_ALONE), 24);
	assert_int_equal(count_kind(&result, SB_PHASE_ALL), 3);
	assert_int_equal(count_kind(&result, SB_PHASE_GROUP), 6);
	assert_int_equal(count_kind(&result, SB_PHASE_LEAVE_ONE_OUT), 0);
	assert_int_equal(count_kind(&result, SB_PHASE_RAMP), 0);
	assert_string_equal(node_id(&result, result.verdict.node), "A");
	sb_result_free(&result);
}

static bool is_sixth(size_t run)
{
	return run == 5;
}

static bool is_any_third(size_t run)
{
	return run % 3 == 1;
}

/* A run that stands out is read again by quick, too, or two rounds would be left; the time it said
 * beforehand holds whatever happens. */
static void test_quick_again(void **state)
{
	const struct sb_phase *last;
	struct sb_result result;

	(void)state;
	two_by_four(&result);
	is_slowed = is_sixth;
	assert_int_equal(run(&result, "quick", 1e9, -1, 0), 28);
	last = &result.phases[27];
	assert_int_equal(last->kind, SB_PHASE_ALONE);
	assert_int_equal(last->round, 1);
	assert_int_equal(last->jobs[0].device, result.phases[5].jobs[0].device);
	assert_int_equal(result.verdict.n_odd_runs, 0);
	assert_int_equal(result.verdict.rounds, 3);
	sb_result_free(&result);

	is_slowed = is_any_third;
	for (int i = 0; i < 4; i++) {
		two_by_four(&result);
		for (int k = i < 2 ? 8 : 1; k < 8; k++)
			result.devices[k].state = SB_DEVICE_FAILED;
		run(&result, i % 2 ? "quick" : "diagnose", 200e6, -1, 0);
		sb_result_free(&result);
	}
	is_slowed = NULL;
}

/* An array beside its members is read alone only. */
static void test_array_beside_members(void **state)
{
	struct sb_result result;
	struct sb_device *array;
	size_t alone = 0;

	(void)state;
	two_by_four(&result);
	array = sb_result_add_device(&result);
	assert_non_null(array);
	array->state = SB_DEVICE_READY;
	sb_set_string(&array->target, "md0");
	array->node = sb_topo_add(&result.topo, SB_NODE_MD, "md0", "md0", 0);
	sb_topo_add_below(&result.topo, array->node, result.devices[0].node);
	run(&result, "diagnose", 200e6, -1, 0);
	for (size_t i = 0; i < result.n_phases; i++) {
		if (!has_device(&result.phases[i], 8))
			continue;
		assert_int_equal(result.phases[i].n_jobs, 1);
		alone++;
	}
	assert_int_equal(alone, 3);
	assert_string_equal(node_id(&result, result.verdict.node), "A");
	sb_result_free(&result);
}

/* With nothing judged the plan begins all the same: that is a dry run. */
static void test_dry_run(void **state)
{
	struct sb_result result;

	(void)state;
	two_by_four(&result);
	for (int i = 0; i < 8; i++)
		result.devices[i].state = SB_DEVICE_NEW;
	for (int i = 0; i < 9; i++)
		assert_int_equal(sb_plan_next(plan_named("diagnose"), &result), 1);
	assert_string_equal(result.phases[0].jobs[0].target, "a0");
	assert_string_equal(result.phases[1].jobs[0].target, "a2");
	assert_int_equal(result.phases[4].kind, SB_PHASE_ALL);
	assert_int_equal(result.phases[4].n_jobs, 8);
	assert_int_equal(result.phases[8].round, 1);
	sb_result_free(&result);
}

/* The time that is said beforehand grows with the devices as promised. */
static void test_longest(void **state)
{
	struct sb_result result;

	(void)state;
	two_by_four(&result);
	assert_true(sb_plan_longest(plan_named("diagnose"), &result) == 110 + 2.2);
	sb_set_string(&result.options.plan, "quick");
	assert_true(sb_plan_longest(plan_named("quick"), &result) < 73);
	sb_set_string(&result.options.plan, "diagnose");
	result.options.runtime_s = 15;
	assert_true(sb_plan_longest(plan_named("diagnose"), &result) > 900);
	result.options.size_bytes = 1;
	assert_true(isnan(sb_plan_longest(plan_named("diagnose"), &result)));
	sb_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_failing_device),
		cmocka_unit_test(test_all_but_one_fail),
		cmocka_unit_test(test_confirming),
		cmocka_unit_test(test_confirming_memory),
		cmocka_unit_test(test_quick),
		cmocka_unit_test(test_quick_again),
		cmocka_unit_test(test_array_beside_members),
		cmocka_unit_test(test_dry_run),
		cmocka_unit_test(test_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
