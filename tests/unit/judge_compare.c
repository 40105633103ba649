/* Before and after: which devices are the same, what is said of their rates, and what is told
 * beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/judge.h"
#include "satabench/units.h"

#define ROUNDS 8

static void near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.12g is not %.12g within %g", value, expected, tolerance);
}

/* Two disks a controller. */
struct disk {
	const char *name, *wwn, *serial;
	double rate;
};

/* Deviations of rounds: mean 0, sd 1 (two runs of +-0.935). */
static double wobble(unsigned round, unsigned phase)
{
	return ((round + phase) / 2 % 2 ? 1 : -1) * 0.9354143466934853;
}

static struct sb_result *make(const char *started, const struct disk *disks, size_t n,
			      unsigned rounds, double noise)
{
	struct sb_result *r = calloc(1, sizeof(*r));
	int machine, controller = -1;
	char text[40];

	sb_result_init(r);
	r->complete = true;
	sb_set_string(&r->started, started);
	sb_set_string(&r->options.plan, "together");
	machine = sb_topo_add(&r->topo, SB_NODE_MACHINE, "machine", "machine", -1);
	for (size_t i = 0; i < n; i++) {
		struct sb_device *d = sb_result_add_device(r);

		if (i % 2 == 0) {
			snprintf(text, sizeof(text), "pci:0000:0%zu:00.0", i);
			controller =
				sb_topo_add(&r->topo, SB_NODE_CONTROLLER, text, text + 4, machine);
		}
		snprintf(text, sizeof(text), "/dev/%s", disks[i].name);
		sb_set_string(&d->target, text);
		snprintf(text, sizeof(text), "block:%s", disks[i].name);
		d->node = sb_topo_add(&r->topo, SB_NODE_DISK, text, disks[i].name, controller);
		d->state = SB_DEVICE_READY;
		sb_node_set(&r->topo.nodes[d->node], "wwn", disks[i].wwn);
		sb_node_set(&r->topo.nodes[d->node], "serial", disks[i].serial);
		sb_node_set_stable_id(&r->topo.nodes[d->node],
				      disks[i].wwn ? disks[i].wwn : disks[i].serial);
	}
	for (unsigned round = 1; round <= rounds; round++) {
		struct sb_phase *p = sb_result_add_phase(r, SB_PHASE_ALL, round, "all at once");

		p->done = p->complete = true;
		for (size_t i = 0; i < n; i++) {
			struct sb_job *job = sb_phase_add_job(p);

			job->device = (int)i;
			job->state = SB_JOB_DONE;
			job->block_bytes = 1 << 20;
			job->bytes = 1 << 30;
			job->bytes_s = disks[i].rate * exp(noise * wobble(round, (unsigned)i % 2));
		}
	}
	return r;
}

static struct sb_comparison compared;

static int compare_files(struct sb_result **r, size_t n, size_t n_before)
{
	static const char *const files[] = {"a.json", "b.json", "c.json", "d.json"};
	struct sb_compare_wish wish = {.results = (const struct sb_result *const *)r,
				       .files = files,
				       .n = n,
				       .n_before = n_before,
				       .threshold = 0.03};
	int rc;

	sb_comparison_free(&compared);
	rc = sb_judge_compare(&wish, &compared);
	for (size_t i = 0; i < n; i++) {
		sb_result_free(r[i]);
		free(r[i]);
	}
	return rc;
}

static int compare(struct sb_result *before, struct sb_result *after)
{
	struct sb_result *r[] = {before, after};

	return compare_files(r, 2, 1);
}

static const struct sb_shift *row(int kind, const char *name)
{
	for (size_t i = 0; i < compared.n_shifts; i++)
		if (compared.shifts[i].kind == kind && strcmp(compared.shifts[i].name, name) == 0)
			return &compared.shifts[i];
	return NULL;
}

static const char *noted(const char *text)
{
	for (size_t i = 0; i < compared.n_notes; i++)
		if (strstr(compared.notes[i], text))
			return compared.notes[i];
	return NULL;
}

static const struct sb_change *changed(const char *what)
{
	for (size_t i = 0; i < compared.n_changes; i++)
		if (strcmp(compared.changes[i].what, what) == 0)
			return &compared.changes[i];
	return NULL;
}

static void renamed_disks_are_the_same(void **state)
{
	static const struct disk before[] = {{"sda", "naa.5001", "S1", 100e6},
					     {"sdb", "naa.5002", "S2", 200e6}};
	static const struct disk after[] = {{"sdc", "naa.5002", "S2", 190e6},
					    {"sda", "naa.5003", "S3", 50e6},
					    {"sdb", NULL, "S1", 101e6}};
	const struct sb_shift *s;

	(void)state;
	assert_int_equal(
		compare(make("1", before, 2, ROUNDS, 0.005), make("2", after, 3, ROUNDS, 0.005)),
		0);
	s = row(SB_SHIFT_DEVICE, "sda");
	assert_non_null(s);
	assert_string_equal(s->name_after, "sdb");
	near(s->shift, 0.01, 1e-12);
	assert_int_equal(s->word, SB_SHIFT_SAME);
	s = row(SB_SHIFT_DEVICE, "sdb");
	assert_string_equal(s->name_after, "sdc");
	near(s->before.value, 200e6, 1e-3);
	near(s->after.value, 190e6, 1e-3);
	assert_int_equal(s->word, SB_SHIFT_WORSE);
	/* the third is on one side only: it is in no sum */
	assert_non_null(noted("only after: sda"));
	near(compared.shifts[0].after.value, 291e6, 0.01e6);
	assert_int_equal(compared.shifts[0].n_devices, 2);
	assert_null(noted("by name"));
	assert_int_equal(sb_judge_compare_status(&compared), SB_EXIT_WORSE);
}

static void zeros_and_twins_are_no_identity(void **state)
{
	/* the same zeros, and one serial twice: by name; two ids under one name: two disks */
	static const struct disk before[] = {{"sda", "naa.0000000000000000", NULL, 100e6},
					     {"sdb", NULL, "X", 110e6},
					     {"sdc", NULL, "X", 120e6},
					     {"sdd", NULL, "D", 130e6}};
	static const struct disk after[] = {{"sda", "naa.0000000000000000", NULL, 100e6},
					    {"sdb", NULL, "X", 110e6},
					    {"sdc", NULL, "X", 120e6},
					    {"sdd", NULL, "E", 65e6}};

	(void)state;
	assert_int_equal(compare(make("1", before, 4, ROUNDS, 0), make("2", after, 4, ROUNDS, 0)),
			 0);
	assert_non_null(strstr(noted("by name"), ": sda, sdb, sdc"));
	assert_null(row(SB_SHIFT_DEVICE, "sdd"));
	assert_non_null(noted("only before: sdd"));
	assert_non_null(noted("only after: sdd"));
	assert_int_equal(sb_judge_compare_status(&compared), SB_EXIT_TAINT);
}

static void words(void **state)
{
	static const struct {
		double after, noise;
		int word;
	} rows[] = {
		{100e6, 0.01, SB_SHIFT_SAME},	      {95e6, 0.01, SB_SHIFT_WORSE},
		{105e6, 0.01, SB_SHIFT_BETTER},	      {97.8e6, 0.002, SB_SHIFT_SAME},
		{96.5e6, 0.05, SB_SHIFT_CANNOT_TELL}, {97.5e6, 0.01, SB_SHIFT_CANNOT_TELL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct disk a[] = {{"sda", "naa.5001", NULL, 100e6}};
		struct disk b[] = {{"sda", "naa.5001", NULL, rows[i].after}};
		const struct sb_shift *s = compared.shifts;

		assert_int_equal(compare(make("1", a, 1, ROUNDS, rows[i].noise),
					 make("2", b, 1, ROUNDS, rows[i].noise)),
				 0);
		s = compared.shifts;
		if (s->word != rows[i].word)
			fail_msg("row %zu: %s", i, sb_shift_word_name(s));
		near(s->shift, rows[i].after / 100e6 - 1, 1e-9);
		near(s->before.sd, rows[i].noise, 1e-9);
		assert_int_equal(compared.worse, rows[i].word == SB_SHIFT_WORSE);
		assert_int_equal(sb_judge_compare_status(&compared),
				 rows[i].word == SB_SHIFT_WORSE ? SB_EXIT_WORSE : SB_EXIT_OK);
	}
	/* R: t.test with sd 0.01 and n = 8 a side: half width 2.144787 x 0.005 (df 14) */
	near(log1p(compared.shifts[0].high) - log1p(compared.shifts[0].shift), 2.144787 * 0.005,
	     1e-8);
}

/* Sixteen devices, of which one has a p that Holm does not pass, though its own interval does. */
static void devices_are_corrected(void **state)
{
	struct disk a[16], b[16];
	static char names[16][8], ids[16][16];
	const struct sb_shift *s;

	(void)state;
	for (size_t i = 0; i < 16; i++) {
		snprintf(names[i], sizeof(names[i]), "sd%c", (char)('a' + i));
		snprintf(ids[i], sizeof(ids[i]), "naa.50%02zu", i);
		a[i] = b[i] = (struct disk){names[i], ids[i], NULL, 100e6};
	}
	b[3].rate = 96.9e6;
	assert_int_equal(compare(make("1", a, 16, ROUNDS, 0.02), make("2", b, 16, ROUNDS, 0.02)),
			 0);
	s = row(SB_SHIFT_DEVICE, "sdd");
	assert_true(s->p < 0.02 && s->p > 0.02 / 16);
	assert_true(s->high < 0);
	assert_false(s->sure);
	assert_int_equal(s->word, SB_SHIFT_CANNOT_TELL);
	b[3].rate = 92e6;
	assert_int_equal(compare(make("1", a, 16, ROUNDS, 0.02), make("2", b, 16, ROUNDS, 0.02)),
			 0);
	assert_int_equal(row(SB_SHIFT_DEVICE, "sdd")->word, SB_SHIFT_WORSE);
}

static void few_rounds_are_told(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6}};
	struct sb_result *x, *y;

	(void)state;
	x = make("1", a, 1, 1, 0);
	y = make("2", a, 1, 4, 0.01);
	y->options.targets = calloc(1, sizeof(char *));
	y->options.targets[y->options.n_targets++] = strdup("/dev/a b");
	y->options.block_bytes = 4096;
	assert_int_equal(compare(x, y), 0);
	assert_int_equal(compared.shifts[0].word, SB_SHIFT_CANNOT_TELL);
	assert_true(isnan(compared.shifts[0].low) && isnan(compared.shifts[0].p));
	assert_int_equal(compared.shifts[0].before.n, 1);
	assert_non_null(noted("before and after have fewer than 5 values"));
	assert_string_equal(compared.advice, "satabench -d '/dev/a b' --plan together --rounds 8 "
					     "--bs 4096 --save FILE");
	compare(make("1", a, 1, 5, 0), make("2", a, 1, 5, 0));
	assert_null(compared.advice);
}

/* Sessions that differ by 4 % while their rounds agree to 1 %: two values, not sixteen. */
static void sessions_are_pooled_or_not(void **state)
{
	static const struct disk low[] = {{"sda", "naa.5001", NULL, 98e6}};
	static const struct disk high[] = {{"sda", "naa.5001", NULL, 102e6}};
	struct sb_result *r[3];

	(void)state;
	r[0] = make("1", low, 1, ROUNDS, 0.01);
	r[1] = make("2", high, 1, ROUNDS, 0.01);
	r[2] = make("3", low, 1, ROUNDS, 0.01);
	assert_int_equal(compare_files(r, 3, 2), 0);
	assert_int_equal(compared.shifts[0].before.n, 2);
	assert_true(compared.shifts[0].before.by_session);
	assert_int_equal(compared.shifts[0].after.n, 8);
	assert_int_equal(compared.shifts[0].word, SB_SHIFT_CANNOT_TELL);
	assert_non_null(noted("the sessions before differ"));
	near(compared.shifts[0].before.value, sqrt(98e6 * 102e6), 1);
	r[0] = make("1", low, 1, ROUNDS, 0.01);
	r[1] = make("2", low, 1, ROUNDS, 0.01);
	r[2] = make("3", low, 1, ROUNDS, 0.01);
	assert_int_equal(compare_files(r, 3, 2), 0);
	assert_int_equal(compared.shifts[0].before.n, 16);
	assert_false(compared.shifts[0].before.by_session);
}

static void what_changed(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6},
					{"sdb", "naa.5002", NULL, 100e6}};
	struct sb_result *x = make("1", a, 2, ROUNDS, 0), *y = make("2", a, 2, ROUNDS, 0);
	const struct sb_change *c;

	(void)state;
	sb_set_string(&x->host.kernel, "6.1");
	sb_set_string(&y->host.kernel, "6.12");
	sb_node_set(&x->topo.nodes[1], "driver", "ahci");
	sb_node_set(&y->topo.nodes[1], "driver", "mpt3sas");
	sb_node_set(&y->topo.nodes[1], "link_speed", "8 GT/s");
	sb_node_set(&y->topo.nodes[1], "link_width", "4");
	sb_node_set(&y->topo.nodes[y->devices[1].node], "revision", "2.0");
	for (size_t i = 0; i < y->n_phases; i++)
		y->phases[i].jobs[0].block_bytes = 4096;
	assert_int_equal(compare(x, y), 0);
	c = changed("kernel");
	assert_string_equal(c->before, "6.1");
	assert_string_equal(c->after, "6.12");
	c = changed("controller");
	assert_null(c->subject);
	assert_string_equal(c->before, "0000:00:00.0 (ahci)");
	assert_string_equal(c->after, "0000:00:00.0 (mpt3sas)");
	c = changed("controller's link");
	assert_null(c->before);
	assert_string_equal(c->after, "8 GT/s x4");
	assert_string_equal(changed("firmware")->subject, "sdb");
	c = changed("block size");
	assert_string_equal(c->subject, "sda");
	assert_true(c->load);
	assert_non_null(noted("they were not read alike (block size)"));
	assert_int_equal(compared.n_changes, 5);
	assert_int_equal(sb_judge_compare_status(&compared), SB_EXIT_TAINT);
}

/* Four disks of two controllers move to one, and back: the same disks, wherever they hang. */
static void controllers_by_their_disks(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6},
					{"sdb", "naa.5002", NULL, 100e6},
					{"sdc", "naa.5003", NULL, 100e6},
					{"sdd", "naa.5004", NULL, 100e6}};
	struct sb_result *x = make("1", a, 4, ROUNDS, 0.01), *y = make("2", a, 4, ROUNDS, 0.01);
	const struct sb_shift *s;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		y->topo.nodes[y->devices[i].node].parent = 1;
	assert_int_equal(compare(x, y), 0);
	s = row(SB_SHIFT_CONTROLLER, "0000:02:00.0");
	assert_string_equal(s->name_after, "0000:00:00.0");
	assert_int_equal(s->n_devices, 2);
	near(s->before.value, 200e6, 1e6);
	s = row(SB_SHIFT_CONTROLLER, "several controllers");
	assert_string_equal(s->name_after, "0000:00:00.0");
	assert_int_equal(s->n_devices, 4);
}

static void cpu_is_a_cost(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6}};
	struct sb_result *r[2];

	(void)state;
	for (int side = 0; side < 2; side++) {
		r[side] = make(side ? "2" : "1", a, 1, ROUNDS, 0);
		for (size_t i = 0; i < ROUNDS; i++) {
			struct sb_phase *p = &r[side]->phases[i];

			/* 4 CPUs x 2 s x 10 % of 1 GiB */
			p->counters.valid = true;
			p->counters.wall_ns = 2000000000;
			p->counters.n_cpus = 4;
			p->cpu.busy_exact = side ? 12 : 10;
		}
	}
	assert_int_equal(compare_files(r, 2, 1), 0);
	assert_int_equal(compared.shifts[compared.n_shifts - 1].kind, SB_SHIFT_CPU);
	near(compared.shifts[compared.n_shifts - 1].before.value, 0.8, 1e-9);
	near(compared.shifts[compared.n_shifts - 1].shift, 0.2, 1e-9);
	assert_string_equal(sb_shift_word_name(&compared.shifts[compared.n_shifts - 1]), "more");
	assert_int_equal(compared.shifts[0].word, SB_SHIFT_SAME);
	assert_int_equal(sb_judge_compare_status(&compared), SB_EXIT_WORSE);
}

/* An array beside its members has phases of its own: by one reader, and by several. */
static void arrays(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6},
					{"sdb", "naa.5002", NULL, 100e6}};
	struct sb_result *r[2];

	(void)state;
	for (int side = 0; side < 2; side++) {
		struct sb_device *d;
		int node;

		r[side] = make(side ? "2" : "1", a, 2, ROUNDS, 0);
		node = sb_topo_add(&r[side]->topo, SB_NODE_MD, "block:md0", "md0", 0);
		sb_topo_add_below(&r[side]->topo, node, r[side]->devices[0].node);
		sb_topo_add_below(&r[side]->topo, node, r[side]->devices[1].node);
		d = sb_result_add_device(r[side]);
		sb_set_string(&d->target, "/dev/md0");
		d->node = node;
		d->state = SB_DEVICE_READY;
		for (unsigned round = 1; round <= ROUNDS; round++)
			for (size_t readers = 1; readers < 3; readers++) {
				struct sb_phase *p = sb_result_add_phase(r[side], SB_PHASE_ARRAY,
									 round, "array");

				p->done = true;
				for (size_t i = 0; i < readers; i++)
					*sb_phase_add_job(p) =
						(struct sb_job){.device = 2,
								.state = SB_JOB_DONE,
								.bytes_s = (side ? 150e6 : 180e6) /
									   (double)readers};
			}
	}
	assert_int_equal(compare_files(r, 2, 1), 0);
	near(row(SB_SHIFT_ARRAY, "md0")->before.value, 180e6, 1e-3);
	near(row(SB_SHIFT_ARRAY, "md0")->after.value, 150e6, 1e-3);
	assert_int_equal(row(SB_SHIFT_ARRAY, "md0")->word, SB_SHIFT_WORSE);
	assert_null(row(SB_SHIFT_DEVICE, "md0"));
	/* reading it is reading its members: it is in no sum */
	assert_int_equal(compared.shifts[0].n_devices, 2);
	assert_int_equal(compared.shifts[0].word, SB_SHIFT_SAME);
}

static void lost_devices_are_worse(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6},
					{"sdb", "naa.5002", NULL, 100e6}};
	struct sb_result *x = make("1", a, 2, ROUNDS, 0), *y = make("2", a, 2, ROUNDS, 0);

	(void)state;
	y->devices[1].state = SB_DEVICE_HUNG;
	for (size_t i = 0; i < ROUNDS; i++)
		y->phases[i].jobs[1].state = SB_JOB_HUNG;
	assert_int_equal(compare(x, y), 0);
	assert_non_null(noted("failed, hung or vanished after: sdb"));
	assert_int_equal(compared.shifts[0].n_devices, 1);
	assert_int_equal(compared.shifts[0].word, SB_SHIFT_SAME);
	assert_int_equal(sb_judge_compare_status(&compared), SB_EXIT_WORSE);
}

static void dropped_and_repeated_runs(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6}};
	struct sb_result *x = make("1", a, 1, ROUNDS, 0), *y = make("2", a, 1, ROUNDS, 0);
	struct sb_phase *p;

	(void)state;
	x->phases[0].dropped = true;
	x->phases[0].jobs[0].bytes_s = 1;
	/* round 2 once more, which replaces it */
	x->phases[1].jobs[0].bytes_s = 1;
	p = sb_result_add_phase(x, SB_PHASE_ALL, 2, "again");
	p->done = true;
	*sb_phase_add_job(p) = (struct sb_job){.state = SB_JOB_DONE, .bytes_s = 100e6};
	/* larger blocks, in no round */
	p = sb_result_add_phase(x, SB_PHASE_ALL, 0, "larger blocks");
	p->done = true;
	*sb_phase_add_job(p) = (struct sb_job){.state = SB_JOB_DONE, .bytes_s = 300e6};
	assert_int_equal(compare(x, y), 0);
	assert_int_equal(compared.shifts[0].before.n, ROUNDS - 1);
	near(compared.shifts[0].before.value, 100e6, 1e-3);
}

static void refused(void **state)
{
	static const struct disk a[] = {{"sda", "naa.5001", NULL, 100e6},
					{"sdb", "naa.5002", NULL, 100e6}};
	static const struct disk b[] = {{"sda", "naa.5003", NULL, 90e6}};
	struct sb_result *x = make("1", a, 2, ROUNDS, 0);

	(void)state;
	assert_int_equal(compare(make("1", a, 2, ROUNDS, 0), make("1", a, 2, ROUNDS, 0)), -EINVAL);
	for (size_t i = 0; i < x->n_phases; i++)
		x->phases[i].kind = SB_PHASE_ALONE;
	assert_int_equal(compare(x, make("2", a, 2, ROUNDS, 0)), -EINVAL);
	/* nothing in common: the totals, of what there is */
	assert_int_equal(compare(make("1", a, 2, ROUNDS, 0), make("2", b, 1, ROUNDS, 0)), 0);
	near(compared.shifts[0].before.value, 200e6, 1e-3);
	near(compared.shifts[0].after.value, 90e6, 1e-3);
	assert_non_null(noted("no device is on both sides"));
	assert_int_equal(compared.n_shifts, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(renamed_disks_are_the_same),
		cmocka_unit_test(zeros_and_twins_are_no_identity),
		cmocka_unit_test(words),
		cmocka_unit_test(devices_are_corrected),
		cmocka_unit_test(few_rounds_are_told),
		cmocka_unit_test(sessions_are_pooled_or_not),
		cmocka_unit_test(what_changed),
		cmocka_unit_test(controllers_by_their_disks),
		cmocka_unit_test(cpu_is_a_cost),
		cmocka_unit_test(arrays),
		cmocka_unit_test(lost_devices_are_worse),
		cmocka_unit_test(dropped_and_repeated_runs),
		cmocka_unit_test(refused),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	sb_comparison_free(&compared);
	return failed;
}
