/* Disks that lose by themselves, slow ones, and leave-one-out: each where it speaks, where it must
 * not, and with too little to tell. */
#include "machine_data.h"

/* 24 disks of one controller; the third loses `loss` beside others. */
static int one_of_many(struct machine *m, double loss, unsigned rounds)
{
	int root, controller;

	machine_init(m);
	root = add_node(m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	controller = add_node(m, SB_NODE_CONTROLLER, "card", root, INFINITY);
	add_disks(m, controller, 24, 100 * MB);
	m->beside[2] = 1 - loss;
	run_rounds(m, rounds);
	return m->result.devices[2].node;
}

static void test_local_disk(void **state)
{
	struct machine m;
	int disk = one_of_many(&m, 0.6, 3);

	(void)state;
	expect(&m, SB_CLASS_DISK, disk);
	says(&m, "d2 limits itself: it gives 100 MB/s alone and 60 % less beside the others");
	assert_int_equal(m.result.verdict.n_local, 1);
	sb_result_free(&m.result);

	one_of_many(&m, 0.06, 3); /* too little to be a fault */
	expect(&m, SB_CLASS_NONE, -1);
	sb_result_free(&m.result);

	one_of_many(&m, 0.6, 1);
	expect_cannot_tell(&m);
	assert_int_equal(m.result.verdict.n_local, 0);
	sb_result_free(&m.result);

	/* others use the disk: never accused */
	machine_init(&m);
	m.foreign[2] = 0.4;
	add_node(&m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	add_disks(&m, 0, 24, 100 * MB);
	m.beside[2] = 0.4;
	run_rounds(&m, 3);
	judge(&m);
	assert_int_equal(m.result.verdict.n_local, 0);
	assert_true(m.result.verdict.cls != SB_CLASS_DISK);
	sb_result_free(&m.result);
}

/* Disks of one model, one of them at `rate`. */
static int one_slow(struct machine *m, size_t n, double rate, unsigned rounds)
{
	int root, disk;

	machine_init(m);
	root = add_node(m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	add_disks(m, root, n - 1, 100 * MB);
	disk = add_disk(m, SB_NODE_DISK, root, rate);
	run_rounds(m, rounds);
	return m->result.devices[disk].node;
}

static void test_slow_disk(void **state)
{
	struct machine m;
	int disk = one_slow(&m, 4, 40 * MB, 3);

	(void)state;
	expect(&m, SB_CLASS_DISK, disk);
	says(&m, "d3 (40.0 MB/s alone) is far slower than the other disks of the model");
	sb_result_free(&m.result);

	one_slow(&m, 4, 80 * MB, 3); /* within what disks of a model differ */
	expect(&m, SB_CLASS_NONE, -1);
	sb_result_free(&m.result);

	disk = one_slow(&m, 4, 40 * MB, 3); /* another model */
	sb_node_set(&m.result.topo.nodes[disk], "model", "other");
	expect(&m, SB_CLASS_NONE, -1);
	sb_result_free(&m.result);

	one_slow(&m, 3, 40 * MB, 3); /* too few alike */
	expect(&m, SB_CLASS_NONE, -1);
	sb_result_free(&m.result);

	machine_init(&m); /* three of eight: then it is no exception */
	add_node(&m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	add_disks(&m, 0, 5, 100 * MB);
	add_disks(&m, 0, 3, 40 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_NONE, -1);
	sb_result_free(&m.result);
}

/* Disks that shake each other: together each loses, but one at rest changes nothing. */
static int shaken(struct machine *m, unsigned pairs, double beside, double cap)
{
	int part = two_parts(m, SB_NODE_CONTROLLER, cap);

	for (int i = 0; i < 4; i++)
		m->beside[i] = beside;
	run_rounds(m, 3);
	run_pairs(m, part, 0, 4, pairs);
	return part;
}

static void test_leave_one_out(void **state)
{
	struct machine m;
	int part = shaken(&m, 3, 0.85, INFINITY);

	(void)state;
	expect(&m, SB_CLASS_UNKNOWN, part);
	assert_true(m.result.verdict.limits[0].refuted);
	says(&m, "when some rest nothing comes back to the others");
	sb_result_free(&m.result);

	part = shaken(&m, 3, 1, 340 * MB); /* a true limit of the same size: it comes back */
	expect(&m, SB_CLASS_CONTROLLER, part);
	assert_false(m.result.verdict.limits[0].refuted);
	assert_true(m.result.verdict.confidence > 0.99);
	assert_true(fabs(m.result.verdict.losses[0].recovered - 1) < 0.01);
	sb_result_free(&m.result);

	part = shaken(&m, 2, 0.85, INFINITY); /* too few pairs to refute; the doubt is told */
	expect(&m, SB_CLASS_CONTROLLER, part);
	assert_false(m.result.verdict.losses[0].clean);
	assert_true(m.result.verdict.confidence < 0.51);
	sb_result_free(&m.result);
}

/* Which of the others are looked at, and which runs are of no use. */
static void test_leave_one_out_details(void **state)
{
	static const double beside[] = {1, 0.85, 0.91, 0.91}, rested[] = {1, 0.85, 1, 1};
	struct machine m;
	int part = two_parts(&m, SB_NODE_CONTROLLER, INFINITY);

	(void)state;
	/* one loses most, but not it alone: what comes back to all of them counts */
	for (int i = 0; i < 4; i++) {
		m.beside[i] = beside[i];
		m.rested[i] = rested[i];
	}
	run_rounds(&m, 3);
	run_pairs(&m, part, 0, 4, 3);
	judge(&m);
	assert_false(m.result.verdict.limits[0].refuted);
	assert_true(fabs(m.result.verdict.losses[0].recovered - 18.0 / 33) < 0.01);
	sb_result_free(&m.result);

	/* others cannot fall when one rests: such runs refute nothing */
	part = two_parts(&m, SB_NODE_CONTROLLER, 300 * MB);
	for (int i = 0; i < 4; i++)
		m.rested[i] = 0.6;
	run_rounds(&m, 3);
	run_pairs(&m, part, 0, 4, 3);
	expect(&m, SB_CLASS_CONTROLLER, part);
	assert_true(m.result.verdict.losses[0].recovered < -0.25);
	assert_false(m.result.verdict.limits[0].refuted);
	sb_result_free(&m.result);
}

/* Several at rest: what they leave is counted together, and pairs of different sets tell nothing.
 */
static void test_leave_several_out(void **state)
{
	struct machine m;
	int part;

	(void)state;
	for (int shared = 0; shared < 2; shared++) {
		part = two_parts(&m, SB_NODE_CONTROLLER, shared ? 340 * MB : INFINITY);
		for (int i = 0; i < 4 && !shared; i++)
			m.beside[i] = 0.85;
		run_rounds(&m, 3);
		run_pairs_without(&m, part, 0, 4, 2, 3);
		expect(&m, shared ? SB_CLASS_CONTROLLER : SB_CLASS_UNKNOWN, part);
		assert_int_equal(m.result.verdict.limits[0].refuted, !shared);
		assert_int_equal(m.result.verdict.losses[0].n_resting, 2);
		assert_true(fabs(m.result.verdict.losses[0].recovered - shared) < 0.01);
		run_pairs_without(&m, part, 0, 4, 1, 1);
		judge(&m);
		assert_false(m.result.verdict.losses[0].left_out);
		sb_result_free(&m.result);
	}
}

/* A disk that loses beside others and rises when another one rests shares something after all. */
static void test_small_shared(void **state)
{
	struct machine m;

	(void)state;
	one_of_many(&m, 0.4, 3);
	m.rested[2] = 1;
	run_pairs(&m, 1, 0, 24, 3);
	expect(&m, SB_CLASS_NONE, -1);
	assert_int_equal(m.result.verdict.n_local, 0);
	assert_int_equal(m.result.verdict.small_shared, 1);
	sb_result_free(&m.result);

	one_of_many(&m, 0.4, 3); /* it does not: its own fault */
	run_pairs(&m, 1, 0, 24, 3);
	expect(&m, SB_CLASS_DISK, m.result.devices[2].node);
	assert_true(m.result.verdict.local_certain);
	sb_result_free(&m.result);
}

/* Two limits, of which the runs of the outer one are lost: those who lose below that one alone are
 * not said to lose by themselves, for it may be the outer one's doing. */
static void test_below_an_unsure_part(void **state)
{
	struct machine m;
	int outer, inner, other;

	(void)state;
	machine_init(&m);
	add_node(&m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	outer = add_node(&m, SB_NODE_PCIE, "outer", 0, 350 * MB);
	inner = add_node(&m, SB_NODE_CONTROLLER, "inner", outer, 150 * MB);
	add_disks(&m, inner, 3, 100 * MB);
	other = add_node(&m, SB_NODE_CONTROLLER, "other", outer, INFINITY);
	add_disks(&m, other, 3, 100 * MB);
	add_disks(&m, 0, 2, 100 * MB);
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_CONTROLLER, inner);
	assert_int_equal(m.result.verdict.n_limits, 2);

	for (size_t i = 0; i < m.result.n_phases; i++)
		if (m.result.phases[i].node == outer)
			m.result.phases[i].done = false;
	expect(&m, SB_CLASS_CONTROLLER, inner);
	assert_int_equal(m.result.verdict.n_limits, 1);
	assert_int_equal(m.result.verdict.n_local, 0);
	assert_int_equal(m.result.verdict.local_home, other);
	sb_result_free(&m.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_local_disk),
		cmocka_unit_test(test_slow_disk),
		cmocka_unit_test(test_leave_one_out),
		cmocka_unit_test(test_leave_one_out_details),
		cmocka_unit_test(test_leave_several_out),
		cmocka_unit_test(test_small_shared),
		cmocka_unit_test(test_below_an_unsure_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
