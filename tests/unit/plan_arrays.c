/* Arrays in a plan: which levels are run, in which blocks, with how many readers. */
#include "md_data.h"
#include "satabench/planner.h"

#define MIB (1ull << 20)

static struct sb_result made;

static void start(uint64_t streams)
{
	made.options.streams = streams;
	made.options.depth = 4; /* no calibration */
	made.options.rounds = 1;
	assert_int_equal(sb_set_string(&made.options.plan, "quick"), 0);
	assert_int_equal(sb_plan_check(&made, false), 0);
}

/* Runs the whole plan; each job gets a rate without any loss. */
static void run_all(void)
{
	const struct sb_plan *plan = sb_plan_find("quick");

	assert_true(plan->arrays);
	while (sb_plan_next(plan, &made) == 1) {
		struct sb_phase *phase = &made.phases[made.n_phases - 1];

		for (size_t i = 0; i < phase->n_jobs; i++) {
			phase->jobs[i].state = SB_JOB_DONE;
			phase->jobs[i].bytes_s = 100 * MB;
		}
		phase->done = phase->complete = true;
	}
}

/* "alone sda", "array md0 x4" ... of all phases, one a line. */
static char *phases_text(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	for (size_t i = 0; i < made.n_phases; i++) {
		const struct sb_phase *p = &made.phases[i];

		fprintf(f, "%s", sb_phase_kind_name(p->kind));
		for (size_t k = 0; k < p->n_jobs; k++) {
			size_t same = 1;

			while (k + 1 < p->n_jobs && p->jobs[k + 1].device == p->jobs[k].device) {
				same++;
				k++;
			}
			fprintf(f, " %s", p->jobs[k].target + strlen("/dev/"));
			if (same > 1)
				fprintf(f, "x%zu", same);
		}
		fputc('\n', f);
	}
	fclose(f);
	return text;
}

static void expect(const char *wanted)
{
	SB_AUTO_FREE char *text = phases_text();

	assert_string_equal(text, wanted);
}

static const struct sb_phase *last_phase(void)
{
	return &made.phases[made.n_phases - 1];
}

/* `all` has just the members, so that they need no phase of their own. */
static void test_one_array(void **state)
{
	const struct sb_phase *many;

	(void)state;
	md_make(&made, "raid5");
	start(0);
	run_all();
	expect("alone sda\nalone sdc\nall sda sdb sdc sdd\nalone sdb\nalone sdd\n"
	       "array md0\narray md0x4\n");
	many = last_phase();
	assert_int_equal(many->node, made.md[0].node);
	for (size_t i = 0; i < 4; i++) {
		const struct sb_job *job = &many->jobs[i];

		/* whole stripes of 192 KiB, at least 1 MiB */
		assert_int_equal(job->block_bytes, 6 * 196608);
		assert_int_equal(job->stream, i + 1);
		assert_int_equal(job->offset_bytes % job->block_bytes, 0);
		assert_true(job->offset_bytes >= job->span_bytes);
		if (i)
			assert_int_equal(job->offset_bytes,
					 many->jobs[i - 1].offset_bytes + job->span_bytes);
	}
	assert_true(many->jobs[3].offset_bytes + many->jobs[3].span_bytes <=
		    made.devices[made.md[0].device].size_bytes);
	assert_int_equal(made.phases[5].jobs[0].stream, 0);
	assert_int_equal(made.phases[5].jobs[0].offset_bytes, 0);
	sb_result_free(&made);
}

static void test_streams(void **state)
{
	(void)state;
	md_make(&made, "raid1");
	start(2);
	run_all();
	expect("alone sda\nalone sdc\nall sda sdb sdc sdd\nalone sdb\nalone sdd\n"
	       "array md0\narray md0x2\n");
	sb_result_free(&made);
	md_make(&made, "raid1");
	start(1);
	run_all();
	assert_int_equal(last_phase()->n_jobs, 1);
	assert_int_equal(last_phase()->jobs[0].block_bytes, MIB);
	sb_result_free(&made);
}

/* A disk beside the array, and one of its members lost: the members are a phase of their own. */
static void test_beside(void **state)
{
	(void)state;
	md_make(&made, "raid6");
	md_add_disk(&made, "sde", "c0");
	md_lose(&made.md[0], 1);
	made.devices[1].state = SB_DEVICE_FAILED;
	start(0);
	run_all();
	expect("alone sda\nalone sdd\nall sda sdc sdd sde\nalone sdc\nalone sde\n"
	       "group sda sdc sdd\narray md0\narray md0x3\n");
	sb_result_free(&made);
}

static void test_two_arrays(void **state)
{
	(void)state;
	sb_result_init(&made);
	for (int i = 0; i < 4; i++) {
		char name[] = {'s', 'd', (char)('a' + i), '\0'};

		md_add_disk(&made, name, "c0");
	}
	md_add_array(&made, "raid1", 0, 2);
	md_add_array(&made, "raid0", 2, 2);
	start(0);
	run_all();
	expect("alone sda\nalone sdc\nall sda sdb sdc sdd\nalone sdb\nalone sdd\n"
	       "group sda sdb\narray md0\narray md0x2\n"
	       "group sdc sdd\narray md1\narray md1x2\n"
	       "array md0 md1\narray md0x2 md1x2\n");
	/* of the last: the readers of each device count by themselves */
	assert_int_equal(last_phase()->jobs[3].stream, 2);
	assert_int_equal(last_phase()->jobs[2].stream, 1);
	assert_int_equal(last_phase()->node, -1);
	sb_result_free(&made);
}

/* A mirror of two stripes: the inner ones first; all at once, the outer one stands for them. */
static void test_array_of_arrays(void **state)
{
	struct sb_md_array *outer;
	int inner[2];

	(void)state;
	sb_result_init(&made);
	for (int i = 0; i < 4; i++) {
		char name[] = {'s', 'd', (char)('a' + i), '\0'};

		md_add_disk(&made, name, "c0");
	}
	inner[0] = md_add_array(&made, "raid0", 0, 2)->device;
	inner[1] = md_add_array(&made, "raid0", 2, 2)->device;
	outer = md_add_array(&made, "raid1", inner[0], 2);
	assert_int_equal(outer->members[1].device, inner[1]);
	start(1);
	run_all();
	expect("alone sda\nalone sdc\nall sda sdb sdc sdd\nalone sdb\nalone sdd\n"
	       "group sda sdb\narray md0\ngroup sdc sdd\narray md1\n"
	       "group md0 md1\narray md2\n");
	sb_result_free(&made);
}

static void add_volume(const char *name)
{
	int device = md_add_disk(&made, name, "machine");

	made.topo.nodes[made.devices[device].node].kind = SB_NODE_DM;
	assert_int_equal(sb_topo_add_below(&made.topo, made.devices[device].node, made.md[0].node),
			 0);
}

/* Two volumes on an array: each alone, and both at once. */
static void test_volumes(void **state)
{
	(void)state;
	md_make(&made, "raid5");
	add_volume("dm-0");
	add_volume("dm-1");
	start(1);
	run_all();
	expect("alone sda\nalone sdc\nall sda sdb sdc sdd\nalone sdb\nalone sdd\n"
	       "array md0\narray dm-0 dm-1\nalone dm-0\nalone dm-1\n");
	sb_result_free(&made);
}

/* Stripes too large for one read; a size that was said. */
static void test_blocks(void **state)
{
	(void)state;
	md_make(&made, "raid5");
	made.md[0].chunk_bytes = 64 * MIB;
	start(1);
	run_all();
	assert_int_equal(last_phase()->jobs[0].block_bytes, MIB);
	sb_result_free(&made);
	md_make(&made, "raid5");
	made.md[0].chunk_bytes = 4 * MIB;
	start(1);
	run_all();
	assert_int_equal(last_phase()->jobs[0].block_bytes, 12 * MIB);
	sb_result_free(&made);
	md_make(&made, "raid5");
	made.options.block_bytes = 65536;
	start(1);
	run_all();
	assert_int_equal(last_phase()->jobs[0].block_bytes, 65536);
	sb_result_free(&made);
}

/* Members are read where the array's data lies on them. */
static void test_offset(void **state)
{
	(void)state;
	md_make(&made, "raid5");
	for (size_t i = 0; i < 4; i++)
		made.devices[i].added = true;
	made.devices[made.md[0].device].size_bytes = 300000000000;
	made.options.offset_bytes = 1000 * 196608;
	start(1);
	run_all();
	assert_int_equal(made.phases[0].jobs[0].offset_bytes, 1000 * 65536);
	assert_int_equal(last_phase()->jobs[0].offset_bytes, 1000 * 196608);
	sb_result_free(&made);
}

/* What is beforehand said to be the longest holds. */
static void test_longest(void **state)
{
	double longest, sum = 0;

	(void)state;
	md_make(&made, "raid5");
	start(0);
	longest = sb_plan_longest(sb_plan_find("quick"), &made);
	run_all();
	for (size_t i = 0; i < made.n_phases; i++)
		sum += made.phases[i].runtime_s;
	assert_true(sum <= longest);
	sb_result_free(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_array),	cmocka_unit_test(test_streams),
		cmocka_unit_test(test_beside),		cmocka_unit_test(test_two_arrays),
		cmocka_unit_test(test_array_of_arrays), cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_volumes),		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_offset)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
