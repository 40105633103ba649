/* Which steps of the ramp are run in the time that is left. */
#include "plan_data.h"

/* The sizes of the ramp's steps, as digits of base 36. */
static void ramp_text(const struct sb_result *result, char *text)
{
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].kind == SB_PHASE_RAMP)
			*text++ = "0123456789abcdefghijklmnopqrstuvwxyz"[result->phases[i].n_jobs];
	*text = '\0';
}

/* A plan that has come as far as its ramp, for a controller with 32 disks of 100 MB/s that is full
 * with `knee` of them; `seconds` of the budget are left. */
static void ramp_with(double knee, double seconds, const char *want)
{
	struct sb_result result;
	struct sb_limit *limit;
	char got[32];
	int machine, controller;

	sb_result_init(&result);
	result.options.depth = 4;
	machine = sb_topo_add(&result.topo, SB_NODE_MACHINE, "machine", "machine", -1);
	controller = sb_topo_add(&result.topo, SB_NODE_CONTROLLER, "A", "A", machine);
	for (int d = 0; d < 32; d++) {
		struct sb_device *device = sb_result_add_device(&result);
		char disk[] = "a0";

		assert_non_null(device);
		disk[1] = (char)('0' + d);
		device->state = SB_DEVICE_READY;
		sb_set_string(&device->target, disk);
		device->node = sb_topo_add(&result.topo, SB_NODE_DISK, disk, disk, controller);
	}
	limit = result.verdict.limits = calloc(1, sizeof(*limit));
	assert_non_null(limit);
	result.verdict.n_limits = 1;
	*limit = (struct sb_limit){.cls = SB_CLASS_CONTROLLER,
				   .node = controller,
				   .test_node = controller,
				   .knee = knee};
	result.agenda.stage = 5;
	sb_result_add_phase(&result, SB_PHASE_ALL, 1, "all that came before")->runtime_s =
		278 + 8 * 9 - seconds - 0.2;
	result.phases[0].done = true;
	while (sb_plan_next(sb_plan_find("diagnose"), &result) == 1)
		result.phases[result.n_phases - 1].done = true;
	ramp_text(&result, got);
	assert_string_equal(got, want);
	sb_result_free(&result);
}

/* Around what should fill it; all of it, or nothing. */
static void test_ramp(void **state)
{
	(void)state;
	ramp_with(5.7, 100, "1248gw");
	ramp_with(5.7, 6 * 2.2 + .1, "1248gw");
	ramp_with(5.7, 5 * 2.2 + .1, "248gw");
	ramp_with(5.7, 4 * 2.2 + .1, "248g");
	ramp_with(5.7, 3 * 2.2 + .1, "48g");
	ramp_with(5.7, 2 * 2.2 + .1, "48");
	ramp_with(5.7, 1 * 2.2 + .1, "");
	ramp_with(5.7, 1, "");
	ramp_with(2.02, 2 * 2.2 + .1, "12");
	ramp_with(2.2, 2 * 2.2 + .1, "24");
	ramp_with(1, 2 * 2.2 + .1, "12");
	ramp_with(1, 3 * 2.2 + .1, "124");
	ramp_with(31.9, 2 * 2.2 + .1, "gw");
	ramp_with(31.9, 3 * 2.2 + .1, "8gw");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ramp),
	};

	return cmocka_run_group_tests_name("plan: ramp", tests, NULL, NULL);
}
