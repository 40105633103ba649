/* Each mark: where it must stand, where it must not, and where there is no value to judge by. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/clock.h"
#include "satabench/judge.h"
#include "satabench/units.h"

#define TARGET "/dev/x"
#define BYTES 1000000000ULL

/* One device read alone for a second, its counter in agreement, CPU time in order. */
static int setup(void **state)
{
	struct sb_result *r = calloc(1, sizeof(*r));
	struct sb_cpu_counters *c;
	struct sb_device *device;
	struct sb_phase *phase;
	struct sb_job *job;

	assert_non_null(r);
	sb_result_init(r);
	device = sb_result_add_device(r);
	phase = sb_result_add_phase(r, SB_PHASE_ALONE, 2, "test");
	assert_true(device && phase);
	assert_int_equal(sb_set_string(&device->target, TARGET), 0);
	device->kind = SB_DEVICE_BLOCK;
	device->counts_all = true;
	job = sb_phase_add_job(phase);
	assert_non_null(job);
	job->device = 0;
	job->state = SB_JOB_DONE;
	job->bytes = BYTES - 1000000;
	job->outside_bytes = 1000000;
	job->seconds = 1;
	job->device_bytes = BYTES;
	job->device_write_bytes = 0;
	phase->done = true;
	phase->window_start_ns = 0;
	phase->window_end_ns = SB_NS_PER_SEC;
	c = &phase->counters;
	*c = (struct sb_cpu_counters){.valid = true, .wall_ns = SB_NS_PER_SEC, .n_cpus = 2};
	c->ticks_per_second = 100;
	c->total = (struct sb_cpu_ticks){{10, 0, 10, 180}};
	c->cpus = calloc(2, sizeof(*c->cpus));
	assert_non_null(c->cpus);
	c->cpus[0] = (struct sb_cpu_line){0, {{10, 0, 0, 90}}};
	c->cpus[1] = (struct sb_cpu_line){1, {{0, 0, 10, 90}}};
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	sb_result_free(*state);
	free(*state);
	return 0;
}

static const struct sb_mark *find(struct sb_result *r, const char *id)
{
	for (size_t i = 0; i < r->n_phases; i++)
		sb_judge_phase(&r->phases[i]);
	assert_int_equal(sb_judge_run(r), 0);
	for (size_t i = 0; i < r->n_marks; i++)
		if (!strcmp(r->marks[i].id, id))
			return &r->marks[i];
	return NULL;
}

static void expect_mark(struct sb_result *r, const char *id, int level, bool of_device,
			const char *words)
{
	const struct sb_mark *mark = find(r, id);

	if (!mark) {
		fail_msg("no mark %s", id);
		return;
	}
	assert_int_equal(mark->level, level);
	if (of_device)
		assert_string_equal(mark->subject, TARGET);
	else
		assert_null(mark->subject);
	if (!strstr(mark->message, words))
		fail_msg("'%s' does not say '%s'", mark->message, words);
}

static void expect_none(struct sb_result *r, const char *id)
{
	const struct sb_mark *mark = find(r, id);

	if (mark)
		fail_msg("mark %s: %s", id, mark->message);
}

#define JOB(r) (&(r)->phases[0].jobs[0])
#define DEVICE(r) (&(r)->devices[0])
#define CPU(r) (&(r)->phases[0].counters)

static void test_sound_has_none(void **state)
{
	struct sb_result *r = *state;

	find(r, "");
	assert_int_equal(r->n_marks, 0);
}

static void test_page_cache(void **state)
{
	struct sb_result *r = *state;

	JOB(r)->device_bytes = BYTES * 995 / 1000;
	expect_none(r, "page_cache");
	JOB(r)->device_bytes = BYTES / 4;
	expect_mark(r, "page_cache", SB_MARK_TAINT, true, "75 %");
	r->options.buffered = true;
	expect_mark(r, "page_cache", SB_MARK_NOTE, true, "75 %");
	r->options.buffered = false;
	DEVICE(r)->counts_all = false;
	expect_none(r, "page_cache");
	DEVICE(r)->counts_all = true;
	JOB(r)->device_bytes = SB_NONE_U64;
	expect_none(r, "page_cache");
	/* in no figure */
	JOB(r)->device_bytes = BYTES / 4;
	r->phases[0].kind = SB_PHASE_CALIBRATE;
	expect_none(r, "page_cache");
}

static void test_counter_off(void **state)
{
	struct sb_result *r = *state;

	expect_none(r, "counter_off");
	JOB(r)->device_bytes = 0;
	expect_mark(r, "counter_off", SB_MARK_NOTE, true, "1.00 GB");
	/* no value, so it proves no cache */
	expect_none(r, "page_cache");
	JOB(r)->device_bytes = SB_NONE_U64;
	expect_none(r, "counter_off");
	JOB(r)->device_bytes = 0;
	DEVICE(r)->counts_all = false;
	expect_none(r, "counter_off");
}

static void test_other_io(void **state)
{
	struct sb_result *r = *state;

	JOB(r)->device_bytes = BYTES * 103 / 100;
	expect_mark(r, "other_io", SB_MARK_TAINT, true, "3.0 %");
	JOB(r)->device_bytes = BYTES * 101 / 100;
	expect_none(r, "other_io");
	expect_mark(r, "other_io_low", SB_MARK_NOTE, true, "1 %");
	JOB(r)->device_bytes = BYTES;
	expect_none(r, "other_io_low");
	JOB(r)->device_write_bytes = BYTES / 10;
	expect_mark(r, "other_io", SB_MARK_TAINT, true, "10.0 %");
	JOB(r)->device_write_bytes = 4096;
	expect_none(r, "other_io");
	expect_mark(r, "other_io_low", SB_MARK_NOTE, true, "0.00041 %");
	JOB(r)->device_write_bytes = SB_NONE_U64;
	JOB(r)->device_bytes = SB_NONE_U64;
	expect_none(r, "other_io");
	expect_none(r, "other_io_low");
}

/* A disk and the array on it, read together: the disk's counter sees both. */
static void test_other_io_is_not_our_own(void **state)
{
	struct sb_result *r = *state;
	struct sb_device *array;
	struct sb_job *job;
	int disk, md;

	disk = sb_topo_add(&r->topo, SB_NODE_DISK, "block:x", "x", -1);
	md = sb_topo_add(&r->topo, SB_NODE_MD, "block:md0", "md0", -1);
	assert_true(disk >= 0 && md >= 0);
	DEVICE(r)->node = disk;
	array = sb_result_add_device(r);
	assert_int_equal(sb_set_string(&array->target, "/dev/md0"), 0);
	array->node = md;
	job = sb_phase_add_job(&r->phases[0]);
	assert_non_null(job);
	job->device = 1;
	job->state = SB_JOB_DONE;
	job->bytes = BYTES;
	job->seconds = 1;
	r->phases[0].kind = SB_PHASE_ALL;
	JOB(r)->device_bytes = BYTES + BYTES / 2;
	expect_mark(r, "other_io", SB_MARK_TAINT, true, "50.0 %");
	assert_int_equal(sb_topo_add_below(&r->topo, md, disk), 0);
	expect_none(r, "other_io");
}

static void test_background_cpu(void **state)
{
	struct sb_result *r = *state;
	struct sb_cpu_counters *b = &r->baseline_counters;

	*b = (struct sb_cpu_counters){.valid = true,
				      .wall_ns = SB_NS_PER_SEC,
				      .ticks_per_second = 100,
				      .total = {{88, 0, 0, 312}},
				      .n_cpus = 4};
	b->cpus = calloc(4, sizeof(*b->cpus));
	assert_non_null(b->cpus);
	for (int i = 0; i < 4; i++)
		b->cpus[i] = (struct sb_cpu_line){i, {{22, 0, 0, 78}}};
	expect_mark(r, "background_cpu", SB_MARK_TAINT, false, "22 % of all CPUs");
	b->own_ns = SB_NS_PER_SEC / 5; /* 5 % of them were ours */
	expect_none(r, "background_cpu");
	b->total = (struct sb_cpu_ticks){{5, 0, 0, 395}};
	b->cpus[2].ticks = (struct sb_cpu_ticks){{95, 0, 0, 5}};
	expect_mark(r, "background_cpu", SB_MARK_TAINT, false, "CPU 2 was 95 %");
	b->valid = false;
	expect_none(r, "background_cpu");
}

static void test_steal(void **state)
{
	struct sb_result *r = *state;

	CPU(r)->total = (struct sb_cpu_ticks){{10, 0, 0, 186, 0, 0, 0, 4}};
	expect_none(r, "steal");
	CPU(r)->total = (struct sb_cpu_ticks){{10, 0, 0, 180, 0, 0, 0, 10}};
	expect_mark(r, "steal", SB_MARK_TAINT, false, "5.0 %");
	CPU(r)->valid = false;
	expect_none(r, "steal");
}

static void test_tick_sum(void **state)
{
	struct sb_result *r = *state;

	/* 3 ticks a CPU are allowed for the edges */
	CPU(r)->total = (struct sb_cpu_ticks){{10, 0, 10, 186}};
	expect_none(r, "tick_sum");
	CPU(r)->total = (struct sb_cpu_ticks){{10, 0, 10, 187}};
	expect_mark(r, "tick_sum", SB_MARK_TAINT, false, "207 ticks where 2 CPUs had 200");
	CPU(r)->total = (struct sb_cpu_ticks){{10, 0, 10, 100}};
	expect_mark(r, "tick_sum", SB_MARK_TAINT, false, "120 ticks");
	CPU(r)->valid = false;
	expect_none(r, "tick_sum");
}

static void test_hotplug(void **state)
{
	struct sb_result *r = *state;

	CPU(r)->cpus_changed = 1;
	expect_mark(r, "hotplug", SB_MARK_TAINT, false, "alone, round 2");
	CPU(r)->cpus_changed = 0;
	expect_none(r, "hotplug");
	/* it left between the look before the load and the load */
	r->baseline_counters = (struct sb_cpu_counters){.valid = true, .n_cpus = 3};
	r->baseline_counters.cpus = calloc(3, sizeof(struct sb_cpu_line));
	assert_non_null(r->baseline_counters.cpus);
	expect_mark(r, "hotplug", SB_MARK_TAINT, false, "2 stayed");
	CPU(r)->valid = false;
	expect_none(r, "hotplug");
}

static void test_too_short(void **state)
{
	struct sb_result *r = *state;

	r->phases[0].window_end_ns = SB_NS_PER_SEC / 10;
	expect_none(r, "too_short");
	r->phases[0].window_end_ns = SB_NS_PER_SEC * 9 / 100;
	expect_mark(r, "too_short", SB_MARK_TAINT, false, "90 ms");
	r->phases[0].window_end_ns = SB_NONE_U64;
	expect_none(r, "too_short");
}

static void test_empty(void **state)
{
	struct sb_result *r = *state;

	DEVICE(r)->looks_empty = true;
	expect_mark(r, "empty", SB_MARK_TAINT, true, "all zero");
	DEVICE(r)->kind = SB_DEVICE_NULL;
	expect_mark(r, "empty", SB_MARK_TAINT, true, "all zero");
	DEVICE(r)->rotational = true;
	expect_none(r, "empty");
}

static void test_wrapped(void **state)
{
	struct sb_result *r = *state;
	int disk = sb_topo_add(&r->topo, SB_NODE_DISK, "block:x", "x", -1);
	int loop = sb_topo_add(&r->topo, SB_NODE_LOOP, "block:l", "l", -1);

	JOB(r)->span_bytes = 1ULL << 30;
	DEVICE(r)->node = disk;
	expect_none(r, "wrapped_small");
	JOB(r)->wrapped = true;
	expect_mark(r, "wrapped_small", SB_MARK_TAINT, true, "1.07 GB");
	expect_none(r, "wrapped");
	JOB(r)->span_bytes = 2ULL << 30;
	expect_mark(r, "wrapped", SB_MARK_NOTE, true, "2.15 GB");
	expect_none(r, "wrapped_small");
	JOB(r)->span_bytes = 1ULL << 20;
	DEVICE(r)->node = loop;
	expect_mark(r, "wrapped", SB_MARK_NOTE, true, "1.05 MB");
	DEVICE(r)->node = -1;
	expect_mark(r, "wrapped", SB_MARK_NOTE, true, "1.05 MB");
}

static void test_notes_of_a_device(void **state)
{
	struct sb_result *r = *state;
	struct sb_device *device = DEVICE(r);

	assert_int_equal(sb_set_string(&device->buffers, "one"), 0);
	assert_int_equal(sb_set_string(&device->engine, "preadv"), 0);
	device->wake_seconds = 0.9;
	find(r, "");
	assert_int_equal(r->n_marks, 0);
	assert_int_equal(sb_set_string(&device->buffers, "own"), 0);
	assert_int_equal(sb_set_string(&device->own_reason, "btrfs sums its data"), 0);
	assert_int_equal(sb_set_string(&device->engine_reason, "no io_uring"), 0);
	device->wake_seconds = 6.25;
	expect_mark(r, "own_buffers", SB_MARK_NOTE, true, "btrfs sums its data");
	expect_mark(r, "engine", SB_MARK_NOTE, true, "preadv: no io_uring");
	expect_mark(r, "waking", SB_MARK_NOTE, true, "6.2 s");
	assert_int_equal(sb_judge_status(r), SB_EXIT_OK);
	r->options.buffers = SB_BUFFERS_OWN; /* as asked for */
	expect_none(r, "own_buffers");
}

static void test_unsteady(void **state)
{
	struct sb_result *r = *state;
	struct sb_phase *phase = &r->phases[0];

	for (int i = 0; i < 20; i++) {
		struct sb_interval *interval = sb_phase_add_interval(phase);

		assert_non_null(interval);
		interval->bytes_s[0] = 1e8 * (1 - 0.01 * i);
	}
	expect_mark(r, "unsteady", SB_MARK_TAINT, true, "fell by 21 %");
	phase->kind = SB_PHASE_GROUP;
	expect_none(r, "unsteady");
	phase->kind = SB_PHASE_ALL;
	expect_mark(r, "unsteady", SB_MARK_TAINT, true, "together, round 2");
	JOB(r)->state = SB_JOB_HUNG;
	expect_none(r, "unsteady");
	JOB(r)->state = SB_JOB_DONE;
	for (int i = 0; i < 20; i++)
		phase->intervals[i].bytes_s[0] = i < 9 ? 1e8 * i : NAN;
	expect_none(r, "unsteady");
}

#define MARK_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MARK_TEST(test_sound_has_none),
		MARK_TEST(test_page_cache),
		MARK_TEST(test_counter_off),
		MARK_TEST(test_other_io),
		MARK_TEST(test_other_io_is_not_our_own),
		MARK_TEST(test_background_cpu),
		MARK_TEST(test_steal),
		MARK_TEST(test_tick_sum),
		MARK_TEST(test_hotplug),
		MARK_TEST(test_too_short),
		MARK_TEST(test_empty),
		MARK_TEST(test_wrapped),
		MARK_TEST(test_notes_of_a_device),
		MARK_TEST(test_unsteady),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
