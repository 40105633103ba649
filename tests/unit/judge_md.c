/* The figures, the findings and the verdict of an array. */
#include "satabench/judge.h"
#include "md_data.h"

static const double equal[] = {100, 100, 100, 100}, capped[] = {50, 50, 50, 50};

static const struct sb_mark *find_mark(const struct sb_result *result, const char *id)
{
	for (size_t i = 0; i < result->n_marks; i++)
		if (strcmp(result->marks[i].id, id) == 0)
			return &result->marks[i];
	return NULL;
}

static struct sb_md_array *judged(struct sb_result *result, const double together[4], double one,
				  double many)
{
	md_measure(result, equal, together, one, many);
	assert_int_equal(sb_judge_run(result), 0);
	return &result->md[0];
}

static void assert_mb(double seen, double expected)
{
	if (fabs(seen - expected * MB) > 1000)
		fail_msg("%f, not %f MB/s", seen / MB, expected);
}

/* A controller that passes half: its loss, not md's. */
static void test_controller(void **state)
{
	struct sb_result result;
	struct sb_md_array *a;

	(void)state;
	md_make(&result, "raid5");
	a = judged(&result, capped, 195, 190);
	assert_mb(a->alone_bytes_s, 400);
	assert_mb(a->together_bytes_s, 200);
	assert_true(fabs(a->controller_loss - 0.5) < 1e-6);
	assert_mb(a->one.theory.low, 150);
	assert_mb(a->one.theory.high, 200);
	assert_true(a->one.md_loss == 0 && a->one.cpu_loss == 0);
	assert_int_equal(a->one.streams, 1);
	assert_int_equal(a->many.streams, 4);
	assert_mb(a->many.bytes_s, 190);
	assert_int_equal(result.verdict.cls, SB_CLASS_CONTROLLER);
	assert_null(find_mark(&result, "md_below"));
	sb_result_free(&result);
}

/* Members that give all, and an array that does not. */
static void test_md_loses(void **state)
{
	struct sb_result result;
	struct sb_md_array *a;

	(void)state;
	md_make(&result, "raid0");
	a = judged(&result, equal, 200, 396);
	assert_true(fabs(a->one.md_loss - 0.5) < 1e-6 && a->one.cpu_loss == 0);
	assert_true(a->one.p_below > 0.99);
	assert_true(a->many.p_below < 0.5);
	assert_int_equal(result.verdict.cls, SB_CLASS_MD);
	assert_int_equal(result.verdict.node, a->node);
	assert_non_null(strstr(result.verdict.sentence, "md0 gives 200 MB/s"));
	assert_non_null(find_mark(&result, "md_below"));
	sb_result_free(&result);
}

static void test_cpu(void **state)
{
	struct sb_result result;
	struct sb_md_array *a;

	(void)state;
	md_make(&result, "raid0");
	md_measure(&result, equal, equal, 200, 0);
	for (size_t i = 0; i < result.n_phases; i++) {
		struct sb_cpu_counters *c = &result.phases[i].counters;
		bool array = result.phases[i].kind == SB_PHASE_ARRAY;

		/* two CPUs for two seconds */
		c->valid = true;
		c->wall_ns = 2000000000;
		c->ticks_per_second = 100;
		c->total.field[SB_CPU_SYSTEM] = array ? 398 : 100;
		c->total.field[SB_CPU_IDLE] = array ? 2 : 300;
		c->cpus = calloc(2, sizeof(*c->cpus));
		assert_non_null(c->cpus);
		c->n_cpus = 2;
		for (int k = 0; k < 2; k++) {
			c->cpus[k].cpu = k;
			c->cpus[k].ticks.field[SB_CPU_SYSTEM] = array ? 199 : 50;
			c->cpus[k].ticks.field[SB_CPU_IDLE] = array ? 1 : 150;
		}
		sb_judge_phase(&result.phases[i]);
		for (size_t k = 0; k < result.phases[i].n_jobs; k++) {
			struct sb_job *job = &result.phases[i].jobs[k];

			job->bytes_s = (double)job->bytes;
		}
	}
	assert_int_equal(sb_judge_run(&result), 0);
	a = &result.md[0];
	assert_true(fabs(a->one.cpu_loss - 0.5) < 1e-6 && a->one.md_loss == 0);
	assert_int_equal(result.verdict.cls, SB_CLASS_CPU);
	assert_int_equal(result.verdict.node, a->node);
	sb_result_free(&result);
}

/* The slowest, and how long a check takes: by the slowest together, or md's own limit. */
static void test_times(void **state)
{
	static const double together[] = {100, 80, 100, 100};
	struct sb_result result;
	struct sb_md_array *a;

	(void)state;
	md_make(&result, "raid5");
	result.md[0].component_bytes = 8000 * 1000000ull;
	a = judged(&result, together, 300, 0);
	assert_true(fabs(a->check_seconds - 100) < 0.1);
	a->sync_max_bytes_s = 20 * 1000000;
	assert_int_equal(sb_judge_run(&result), 0);
	assert_true(fabs(a->check_seconds - 400) < 0.1);
	assert_true(fabs(a->rebuild_seconds - 400) < 0.1);
	sb_result_free(&result);
}

static struct sb_result made;

static struct sb_md_array *make(void)
{
	return md_make(&made, "raid5");
}

/* Each finding: how it comes about. `make` has none of them. */
static void degrade(struct sb_md_array *a)
{
	md_lose(a, 1);
}

static void set_state(struct sb_md_array *a, const char *text)
{
	assert_int_equal(sb_set_string(&a->array_state, text), 0);
}

static void break_it(struct sb_md_array *a)
{
	set_state(a, "broken");
}

static void stop(struct sb_md_array *a)
{
	set_state(a, "inactive");
}

static void only_read(struct sb_md_array *a)
{
	set_state(a, "read-auto");
}

static void add_spare(struct sb_md_array *a)
{
	struct sb_md_member *m = sb_md_add_member(a);

	assert_non_null(m);
	m->role = SB_MD_SPARE;
	assert_int_equal(sb_set_string(&m->name, "sdz"), 0);
}

static void rebuild(struct sb_md_array *a)
{
	a->members[1].role = SB_MD_SPARE;
	a->members[1].in_sync = false;
}

static void mostly(struct sb_md_array *a)
{
	a->members[1].write_mostly = true;
}

static void add_journal(struct sb_md_array *a)
{
	add_spare(a);
	a->members[4].role = SB_MD_JOURNAL;
}

static void replace(struct sb_md_array *a)
{
	a->members[1].want_replacement = true;
}

static void list_bad(struct sb_md_array *a)
{
	a->members[1].bad_ranges = 1;
}

static void correct(struct sb_md_array *a)
{
	a->members[1].errors = 2;
}

static void wait_for(struct sb_md_array *a)
{
	assert_int_equal(sb_set_string(&a->sync_waits, "pending"), 0);
}

static void mismatch(struct sb_md_array *a)
{
	a->mismatch_sectors = 8;
}

static void no_bitmap(struct sb_md_array *a)
{
	assert_int_equal(sb_set_string(&a->consistency, "resync"), 0);
}

static void other_layout(struct sb_md_array *a)
{
	a->layout = 0;
}

static void differ(struct sb_md_array *a)
{
	assert_int_equal(sb_set_string(&a->mdstat_differs, "level raid6, sysfs raid5"), 0);
}

static void unlike_sizes(struct sb_md_array *a)
{
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(sb_node_set(&made.topo.nodes[a->members[i].node], "size_bytes",
					     i == 2 ? "98000000000" : "100000000000"),
				 0);
}

static void slow(struct sb_md_array *a)
{
	(void)a;
	for (size_t i = 0; i < made.n_phases; i++)
		if (made.phases[i].kind == SB_PHASE_ALONE && made.phases[i].jobs[0].device == 2)
			made.phases[i].jobs[0].bytes_s = 80 * MB;
}

/* Members behind links of 600 MB/s, one of 300. */
static void unlike_links(struct sb_md_array *a)
{
	for (size_t i = 0; i < 4; i++) {
		SB_AUTO_FREE char *id = sb_format("link%zu", i);
		int link = sb_topo_add(&made.topo, SB_NODE_LINK, id, id, 1);

		assert_true(link >= 0);
		made.topo.nodes[link].line_bytes_s = i == 3 ? 300 * MB : 600 * MB;
		made.topo.nodes[a->members[i].node].parent = link;
	}
}

static void one_controller(struct sb_md_array *a)
{
	for (size_t i = 0; i < 4; i++)
		made.topo.nodes[a->members[i].node].parent = 1;
}

/* A member becomes a partition of another member's disk. */
static void share_disk(struct sb_md_array *a)
{
	struct sb_node *node = &made.topo.nodes[a->members[1].node];

	node->kind = SB_NODE_PARTITION;
	node->parent = a->members[0].node;
	assert_int_equal(sb_topo_add_below(&made.topo, a->members[1].node, a->members[0].node), 0);
}

/* The array's own phases at half of what they should be. */
static void lower(struct sb_md_array *a)
{
	for (size_t i = 0; i < made.n_phases; i++)
		if (made.phases[i].kind == SB_PHASE_ARRAY)
			made.phases[i].jobs[0].bytes_s = 100 * MB;
	(void)a;
}

static void small_blocks(struct sb_md_array *a)
{
	lower(a);
	for (size_t i = 0; i < made.n_phases; i++)
		made.phases[i].jobs[0].block_bytes = 4096;
}

static void small_cache(struct sb_md_array *a)
{
	lower(a);
	a->degraded = 1;
	a->stripe_cache = 256; /* 3 MiB of data; 4 x 1 MiB are in flight */
}

static void small_ahead(struct sb_md_array *a)
{
	lower(a);
	a->read_ahead_bytes = 131072;
	made.options.buffered = true;
}

static const struct {
	const char *id;
	int level;
	void (*spoil)(struct sb_md_array *a);
	const char *text;
} findings[] = {
	{"md_degraded", SB_MARK_TAINT, degrade, "1 of its 4 slots has no good member"},
	{"md_broken", SB_MARK_TAINT, break_it, "cannot do without"},
	{"md_inactive", SB_MARK_NOTE, stop, "mdadm --run"},
	{"md_failed", SB_MARK_NOTE, degrade, "sdb: failed"},
	{"md_spare", SB_MARK_NOTE, add_spare, "sdz: spare"},
	{"md_rebuilt", SB_MARK_NOTE, rebuild, "sdb: holds a slot"},
	{"md_write_mostly", SB_MARK_NOTE, mostly, "sdb: write-mostly"},
	{"md_journal", SB_MARK_NOTE, add_journal, "sdz: journal"},
	{"md_replacement", SB_MARK_NOTE, replace, "sdb: a replacement"},
	{"md_bad_blocks", SB_MARK_NOTE, list_bad, "sdb: md has bad blocks"},
	{"md_errors", SB_MARK_NOTE, correct, "sdb: md has corrected"},
	{"md_pending", SB_MARK_NOTE, wait_for, "pending until the first write"},
	{"md_read_only", SB_MARK_NOTE, only_read, "auto-read-only"},
	{"md_mismatch", SB_MARK_NOTE, mismatch, "8 sectors"},
	{"md_bitmap", SB_MARK_NOTE, no_bitmap, "no bitmap"},
	{"md_layout", SB_MARK_NOTE, other_layout, "left-asymmetric"},
	{"md_mdstat", SB_MARK_NOTE, differ, "level raid6, sysfs raid5"},
	{"md_sizes", SB_MARK_NOTE, unlike_sizes, "sdc has 98.0 GB"},
	{"md_speeds", SB_MARK_NOTE, slow, "sdc is slower"},
	{"md_links", SB_MARK_NOTE, unlike_links, "sdd (300 MB/s, the others 600 MB/s at most)"},
	{"md_controller", SB_MARK_NOTE, one_controller, "one controller"},
	{"md_shared_disk", SB_MARK_NOTE, share_disk, "several members on one disk: sda, sdb"},
	{"md_below", SB_MARK_NOTE, lower, "100 MB/s with 1 reader"},
	{"md_chunk", SB_MARK_NOTE, small_blocks, "16 KiB in flight"},
	{"md_stripe_cache", SB_MARK_NOTE, small_cache, "stripe_cache_size 1024 instead of 256"},
	{"md_read_ahead", SB_MARK_NOTE, small_ahead, "read ahead by 128 KiB"},
};

static struct sb_md_array *measured(void)
{
	struct sb_md_array *a = make();

	/* two controllers: one of the findings is that there is only one */
	int other = sb_topo_add(&made.topo, SB_NODE_CONTROLLER, "c1", "c1", 0);

	made.topo.nodes[a->members[3].node].parent = other;
	md_measure(&made, equal, equal, 380, 0);
	return a;
}

static void test_findings(void **state)
{
	(void)state;
	for (size_t i = 0; i < SB_COUNT(findings); i++) {
		struct sb_md_array *a = measured();
		const struct sb_mark *mark;

		assert_int_equal(sb_judge_run(&made), 0);
		if (find_mark(&made, findings[i].id))
			fail_msg("%s without a reason", findings[i].id);
		findings[i].spoil(a);
		assert_int_equal(sb_judge_run(&made), 0);
		mark = find_mark(&made, findings[i].id);
		if (!mark || mark->level != findings[i].level ||
		    !strstr(mark->message, findings[i].text))
			fail_msg("%s: %s", findings[i].id, mark ? mark->message : "no such mark");
		assert_string_equal(mark->subject, "/dev/md0");
		sb_result_free(&made);
	}
}

/* Advice needs what was measured: a whole array, or one that is as fast as it can be, gets none. */
static void test_no_folklore(void **state)
{
	struct sb_md_array *a = measured();

	(void)state;
	a->stripe_cache = 16;
	a->read_ahead_bytes = 4096;
	made.options.buffered = true;
	a->degraded = 1;
	for (size_t i = 0; i < made.n_phases; i++)
		if (made.phases[i].kind == SB_PHASE_ARRAY)
			made.phases[i].jobs[0].bytes_s = 299 * MB;
	assert_int_equal(sb_judge_run(&made), 0);
	assert_null(find_mark(&made, "md_stripe_cache"));
	assert_null(find_mark(&made, "md_read_ahead"));
	sb_result_free(&made);
}

static void test_not_assembled(void **state)
{
	struct sb_md_array *a = measured();
	const struct sb_mark *mark;

	(void)state;
	assert_int_equal(sb_set_string(&made.devices[0].contents, "linux_raid_member"), 0);
	assert_int_equal(sb_judge_run(&made), 0);
	assert_null(find_mark(&made, "md_not_assembled"));
	made.topo.nodes[a->node].n_below = 0;
	assert_int_equal(sb_judge_run(&made), 0);
	mark = find_mark(&made, "md_not_assembled");
	assert_non_null(mark);
	assert_string_equal(mark->subject, "/dev/sda");
	sb_result_free(&made);
}

/* Two arrays: each beside the other. */
static void test_two_arrays(void **state)
{
	struct sb_result result;
	const struct sb_md_array *a;
	int both[2];

	(void)state;
	md_make(&result, "raid0");
	md_add_disk(&result, "sde", "c0");
	md_add_disk(&result, "sdf", "c0");
	md_add_array(&result, "raid1", 5, 2);
	md_measure(&result, equal, equal, 390, 0);
	both[0] = result.md[0].device;
	both[1] = result.md[1].device;
	for (unsigned round = 1; round <= 3; round++)
		md_run(&result, SB_PHASE_ARRAY, round, -1, both, (const double[]){250, 50}, 2);
	assert_int_equal(sb_judge_run(&result), 0);
	a = result.md;
	assert_mb(a[0].one.bytes_s, 390);
	assert_mb(a[0].one.beside_bytes_s, 250);
	assert_mb(a[1].one.beside_bytes_s, 50);
	assert_int_equal(a[1].one.streams, 0);
	assert_true(isnan(a[1].one.bytes_s));
	sb_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_controller),    cmocka_unit_test(test_md_loses),
		cmocka_unit_test(test_cpu),	      cmocka_unit_test(test_times),
		cmocka_unit_test(test_findings),      cmocka_unit_test(test_no_folklore),
		cmocka_unit_test(test_not_assembled), cmocka_unit_test(test_two_arrays)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
