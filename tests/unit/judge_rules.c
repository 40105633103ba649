/* Each class of limit: a case where the rule speaks, one where it must not, and one with too little
 * to tell. */
#include "machine_data.h"
#include "satabench/link.h"
#include "satabench/units.h"

static void test_kinds(void **state)
{
	static const struct {
		int kind, cls;
	} rows[] = {
		{SB_NODE_LINK, SB_CLASS_LINK},
		{SB_NODE_PORT_MULTIPLIER, SB_CLASS_LINK},
		{SB_NODE_EXPANDER, SB_CLASS_LINK},
		{SB_NODE_ENCLOSURE, SB_CLASS_LINK},
		{SB_NODE_CONTROLLER, SB_CLASS_CONTROLLER},
		{SB_NODE_PCIE, SB_CLASS_PCIE},
		{SB_NODE_SWITCH, SB_CLASS_PCIE},
		{SB_NODE_CHIPSET, SB_CLASS_CHIPSET},
		{SB_NODE_NUMA, SB_CLASS_UNKNOWN},
		{SB_NODE_ROOT_COMPLEX, SB_CLASS_UNKNOWN},
		/* read at four places at once, as partitions are */
		{SB_NODE_DISK, SB_CLASS_DISK},
	};

	(void)state;
	for (size_t i = 0; i < SB_COUNT(rows); i++) {
		struct machine m;
		int part = two_parts(&m, rows[i].kind, 200 * MB);

		run_rounds(&m, 3);
		expect(&m, rows[i].cls, part);
		says(&m, "its 4 disks give 400 MB/s alone and 200 MB/s together");
		assert_true(m.result.verdict.confidence > 0.99);
		sb_result_free(&m.result);

		two_parts(&m, rows[i].kind, 404 * MB);
		run_rounds(&m, 3);
		expect(&m, SB_CLASS_NONE, -1);
		says(&m, "Nothing shared limits");
		sb_result_free(&m.result);

		two_parts(&m, rows[i].kind, 200 * MB);
		run_rounds(&m, 1);
		expect_cannot_tell(&m);
		says(&m, "Cannot tell");
		sb_result_free(&m.result);
	}
}

static void test_machine_masks(void **state)
{
	struct machine m;

	(void)state;
	two_parts(&m, SB_NODE_CONTROLLER, INFINITY);
	m.cap[0] = 300 * MB;
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_UNKNOWN, 0);
	says(&m, "could give 800 MB/s, part by part, and give 300 MB/s together");
	says(&m, "controller part and controller other fill it alone already");
	assert_int_equal(m.result.verdict.losses[0].masked_by, 0);
	sb_result_free(&m.result);

	/* the machine passes clearly more than the part: nothing is masked, both limit */
	two_parts(&m, SB_NODE_CONTROLLER, 200 * MB);
	m.cap[0] = 500 * MB;
	run_rounds(&m, 3);
	judge(&m);
	assert_int_equal(m.result.verdict.n_limits, 2);
	assert_int_equal(m.result.verdict.losses[0].masked_by, -1);
	says(&m, "so does, by 100 MB/s, the machine (600 MB/s alone, 500 MB/s together)");
	sb_result_free(&m.result);
}

static void test_cpu(void **state)
{
	struct machine m;
	int part = two_parts(&m, SB_NODE_CONTROLLER, 200 * MB);

	(void)state;
	m.busy = 99;
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_CPU, part);
	says(&m, "The CPU limits");
	sb_result_free(&m.result);

	/* one CPU, that rests while the parts run alone */
	part = two_parts(&m, SB_NODE_CONTROLLER, 200 * MB);
	m.busiest = 98;
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_CPU, part);
	m.result.baseline.busiest_busy = 95; /* it was full before */
	expect(&m, SB_CLASS_CONTROLLER, part);
	m.result.baseline.busiest_busy = NAN; /* nobody looked */
	expect(&m, SB_CLASS_CPU, part);
	sb_result_free(&m.result);

	/* as full when a disk runs alone: explains nothing */
	part = two_parts(&m, SB_NODE_CONTROLLER, 200 * MB);
	m.busiest = m.busiest_alone = 98;
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_CONTROLLER, part);
	sb_result_free(&m.result);

	/* nothing known of the CPUs */
	part = two_parts(&m, SB_NODE_CONTROLLER, 200 * MB);
	m.busy = m.busiest = NAN;
	run_rounds(&m, 3);
	expect(&m, SB_CLASS_CONTROLLER, part);
	sb_result_free(&m.result);
}

/* A slot over the controller over four disks; nothing else but a second controller. */
static int with_slot(struct machine *m, double ceiling)
{
	int root, slot, controller;

	machine_init(m);
	root = add_node(m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	slot = add_node(m, SB_NODE_PCIE, "slot", root, INFINITY);
	controller = add_node(m, SB_NODE_CONTROLLER, "card", slot, 200 * MB);
	add_disks(m, controller, 4, 100 * MB);
	controller = add_node(m, SB_NODE_CONTROLLER, "other", root, INFINITY);
	add_disks(m, controller, 4, 100 * MB);
	m->result.topo.nodes[slot].practical_bytes_s = ceiling;
	sb_set_string(&m->result.topo.nodes[slot].limit_source, "2.5 GT/s x1");
	run_rounds(m, 3);
	return slot;
}

static void test_ceilings(void **state)
{
	struct machine m;
	int slot = with_slot(&m, 228 * MB);

	(void)state;
	expect(&m, SB_CLASS_PCIE, slot);
	says(&m, "it can carry about 228 MB/s (2.5 GT/s x1)");
	says(&m, "it cannot be told apart from controller card");
	assert_int_equal(m.result.verdict.n_candidates, 2);
	sb_result_free(&m.result);

	slot = with_slot(&m, 800 * MB); /* it can carry far more: struck off */
	expect(&m, SB_CLASS_CONTROLLER, slot + 1);
	assert_int_equal(m.result.verdict.n_candidates, 1);
	m.result.topo.nodes[slot + 1].practical_bytes_s = 900 * MB; /* and so can the controller */
	expect(&m, SB_CLASS_UNKNOWN, slot + 1);
	assert_int_equal(m.result.verdict.n_candidates, 2);
	sb_result_free(&m.result);

	slot = with_slot(&m, NAN); /* not known: neither can be told from the other */
	expect(&m, SB_CLASS_CONTROLLER, slot + 1);
	assert_int_equal(m.result.verdict.n_candidates, 2);
	assert_int_equal(m.result.verdict.runner_up, slot);
	sb_result_free(&m.result);

	slot = with_slot(&m, 150 * MB); /* it carried more than it can */
	expect(&m, SB_CLASS_CONTROLLER, slot + 1);
	assert_int_equal(m.result.verdict.n_above_ceiling, 1);
	assert_int_equal(m.result.verdict.above_ceiling[0], slot);
	sb_result_free(&m.result);

	slot = with_slot(&m, 228 * MB); /* two that fit: the one that fills first */
	m.result.topo.nodes[slot + 1].practical_bytes_s = 215 * MB;
	expect(&m, SB_CLASS_CONTROLLER, slot + 1);
	sb_result_free(&m.result);
}

static void set_trained(struct machine *m, int slot, const char *speed)
{
	struct sb_node *node = &m->result.topo.nodes[slot];

	sb_node_set(node, "link_speed", speed);
	sb_node_set(node, "link_speed_max", "8 GT/s");
	sb_node_set(node, "link_width", "1");
	sb_node_set(node, "link_width_max", "1");
	node->line_bytes_s = sb_pcie_line(2.5, 1);
	node->practical_bytes_s = sb_pcie_practical(2.5, 1, 128);
}

static void set_reading(struct machine *m, int slot, uint64_t bits)
{
	for (size_t i = 0; i < m->result.n_phases; i++) {
		struct sb_phase *phase = &m->result.phases[i];

		free(phase->links);
		phase->links = calloc(1, sizeof(*phase->links));
		assert_non_null(phase->links);
		phase->links[0] = (struct sb_link_reading){slot, bits, 1};
		phase->n_links = 1;
	}
}

/* 200 MB/s are what a slot trained to 2.5 GT/s x1 carries, and nothing for one at 8 GT/s. */
static void test_a_ceiling_is_that_of_the_link_under_load(void **state)
{
	struct machine m;
	int slot = with_slot(&m, 0);

	(void)state;
	set_trained(&m, slot, "2.5 GT/s");
	set_reading(&m, slot, 2500000000ULL);
	expect(&m, SB_CLASS_PCIE, slot);
	set_reading(&m, slot, 8000000000ULL);
	expect(&m, SB_CLASS_CONTROLLER, slot + 1);
	assert_int_equal(m.result.verdict.n_candidates, 1);
	/* no reading: what it could do, since nobody knows that it was slower */
	set_reading(&m, slot, SB_NONE_U64);
	expect(&m, SB_CLASS_CONTROLLER, slot + 1);
	sb_result_free(&m.result);
}

/* A controller of 300 beside one whose disks give `beside` in all: has the machine carried more? */
static int with_small_sibling(struct machine *m, double beside, double wobble)
{
	int root, part, other;

	machine_init(m);
	root = add_node(m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	part = add_node(m, SB_NODE_CONTROLLER, "part", root, 300 * MB);
	add_disks(m, part, 4, 100 * MB);
	other = add_node(m, SB_NODE_CONTROLLER, "other", root, INFINITY);
	add_disks(m, other, 4, beside / 4);
	m->all_factor[1] = 1 + wobble;
	m->all_factor[2] = 1 - wobble;
	run_rounds(m, 3);
	return part;
}

static void test_witness(void **state)
{
	struct machine m;
	int part = with_small_sibling(&m, 60 * MB, 0);

	(void)state;
	expect(&m, SB_CLASS_CONTROLLER, part); /* 20 % more: cleared */
	assert_int_equal(m.result.verdict.n_candidates, 1);
	sb_result_free(&m.result);

	part = with_small_sibling(&m, 6 * MB, 0); /* surely more, but too little more */
	expect(&m, SB_CLASS_CONTROLLER, part);
	assert_int_equal(m.result.verdict.n_candidates, 2);
	assert_int_equal(m.result.verdict.candidates[1], 0);
	assert_int_equal(m.result.verdict.n_undecided, 0); /* more rounds would not help */
	sb_result_free(&m.result);

	part = with_small_sibling(&m, 14 * MB, 0); /* close: more rounds may tell */
	expect(&m, SB_CLASS_CONTROLLER, part);
	assert_int_equal(m.result.verdict.n_candidates, 2);
	assert_int_equal(m.result.verdict.n_undecided, 1);
	assert_int_equal(m.result.verdict.undecided[0].upper, 0);
	assert_int_equal(m.result.verdict.undecided[0].lower, part);
	sb_result_free(&m.result);

	part = with_small_sibling(&m, 24 * MB, 0.08); /* enough more, but not surely */
	expect(&m, SB_CLASS_CONTROLLER, part);
	assert_int_equal(m.result.verdict.n_candidates, 2);
	sb_result_free(&m.result);
}

static void test_too_little(void **state)
{
	struct machine m;

	(void)state;
	machine_init(&m);
	judge(&m);
	says(&m, "at least two devices");
	add_node(&m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	add_disks(&m, 0, 1, 100 * MB);
	run_rounds(&m, 3);
	expect_cannot_tell(&m);
	sb_result_free(&m.result);

	/* a disk failed in the first of three rounds: those of the others stay */
	two_parts(&m, SB_NODE_CONTROLLER, 200 * MB);
	run_rounds(&m, 3);
	for (size_t i = 0; i < m.result.n_phases; i++)
		if (m.result.phases[i].round == 1)
			for (size_t k = 0; k < m.result.phases[i].n_jobs; k++)
				if (m.result.phases[i].jobs[k].device == 1)
					m.result.phases[i].jobs[k].state = SB_JOB_FAILED;
	expect(&m, SB_CLASS_CONTROLLER, 1);
	assert_int_equal(m.result.verdict.losses[0].n, 2);
	sb_result_free(&m.result);
}

/* The whole judge: marks come from the verdict, too. */
static void test_marks(void **state)
{
	struct machine m;
	bool found = false;

	(void)state;
	with_slot(&m, 150 * MB);
	for (size_t i = 0; i < m.result.n_phases; i++)
		m.result.phases[i].runtime_s = 2;
	assert_int_equal(sb_judge_run(&m.result), 0);
	for (size_t i = 0; i < m.result.n_marks; i++)
		found |= strcmp(m.result.marks[i].id, "above_ceiling") == 0 &&
			 strcmp(m.result.marks[i].subject, "slot") == 0;
	assert_true(found);
	assert_int_equal(sb_judge_status(&m.result), SB_EXIT_TAINT);
	sb_result_free(&m.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_machine_masks),
		cmocka_unit_test(test_a_ceiling_is_that_of_the_link_under_load),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_ceilings),
		cmocka_unit_test(test_witness),
		cmocka_unit_test(test_too_little),
		cmocka_unit_test(test_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
