/* Marks of directories: where each must stand, and where it must not. */
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

#define GIB (1ULL << 30)

/* One directory, one sound test of a second, by nobody in particular. */
static struct sb_result *sound(const char *test)
{
	struct sb_result *r = calloc(1, sizeof(*r));
	struct sb_device *device;
	struct sb_phase *phase;
	struct sb_job *job;

	assert_non_null(r);
	sb_result_init(r);
	sb_set_string(&r->options.plan, "suite");
	r->options.uid = 1000;
	r->host.memory_bytes = GIB;
	device = sb_result_add_device(r);
	sb_set_string(&device->target, "/mnt");
	device->kind = SB_DEVICE_DIRECTORY;
	device->state = SB_DEVICE_READY;
	device->data_bytes = 2 * GIB;
	sb_set_string(&device->buffers, "own");
	phase = sb_result_add_phase(r, SB_PHASE_SUITE, 1, "test");
	phase->done = phase->complete = true;
	phase->window_start_ns = 0;
	phase->window_end_ns = SB_NS_PER_SEC;
	job = sb_phase_add_job(phase);
	sb_set_string(&job->target, "/mnt");
	sb_set_string(&job->test, test);
	job->state = SB_JOB_DONE;
	job->block_bytes = 8192;
	job->span_bytes = 2 * GIB;
	job->operations = 1000;
	job->bytes = 8192000;
	job->seconds = job->elapsed_seconds = 1;
	job->cpu_ns = 990000000;
	job->cached_percent = 0;
	return r;
}

static struct sb_job *job_of(struct sb_result *r)
{
	return &r->phases[0].jobs[0];
}

/* The mark, or NULL; with `only` there must be no other. */
static const struct sb_mark *judged(struct sb_result *r, const char *id)
{
	const struct sb_mark *found = NULL;

	sb_judge_phase(&r->phases[0]);
	assert_int_equal(sb_judge_run(r), 0);
	for (size_t i = 0; i < r->n_marks; i++) {
		if (id && strcmp(r->marks[i].id, id) == 0)
			found = &r->marks[i];
		else
			fail_msg("%s: %s", r->marks[i].id, r->marks[i].message);
	}
	return found;
}

static void done(struct sb_result *r)
{
	sb_result_free(r);
	free(r);
}

static void test_sound(void **state)
{
	struct sb_result *r = sound("read");

	(void)state;
	assert_null(judged(r, NULL));
	assert_true(fabs(job_of(r)->cpu_percent - 99) < 1e-9);
	assert_true(fabs(job_of(r)->iops - 1000) < 1e-9);
	assert_int_equal(sb_judge_status(r), SB_EXIT_OK);
	done(r);
	/* empty files have a rate of files and none of bytes */
	r = sound("create");
	job_of(r)->bytes = 0;
	assert_null(judged(r, NULL));
	assert_true(isnan(job_of(r)->bytes_s));
	assert_true(fabs(job_of(r)->iops - 1000) < 1e-9);
	done(r);
}

static void test_cached(void **state)
{
	struct sb_result *r = sound("read");
	const struct sb_mark *mark;

	(void)state;
	job_of(r)->cached_percent = 40;
	mark = judged(r, "suite_cached");
	assert_int_equal(mark->level, SB_MARK_TAINT);
	assert_string_equal(mark->subject, "/mnt");
	assert_non_null(strstr(mark->message, "block read"));
	assert_int_equal(sb_judge_status(r), SB_EXIT_TAINT);
	r->options.buffered = true;
	assert_int_equal(judged(r, "suite_cached")->level, SB_MARK_NOTE);
	r->options.buffered = false;
	job_of(r)->cached_percent = 1;
	assert_null(judged(r, NULL));
	job_of(r)->cached_percent = NAN; /* direct */
	assert_null(judged(r, NULL));
	done(r);
}

static void test_repeated(void **state)
{
	struct sb_result *r = sound("seeks");

	(void)state;
	job_of(r)->operations = 100000; /* of 262144 blocks */
	assert_non_null(judged(r, "suite_repeated"));
	r->options.no_ram_check = true;
	assert_null(judged(r, NULL));
	r->options.no_ram_check = false;
	job_of(r)->cached_percent = NAN;
	assert_null(judged(r, NULL));
	job_of(r)->cached_percent = 0;
	job_of(r)->operations = 20000;
	assert_null(judged(r, NULL));
	done(r);
}

static void test_short(void **state)
{
	struct sb_result *r = sound("stat");

	(void)state;
	job_of(r)->seconds = job_of(r)->elapsed_seconds = 0.49;
	assert_int_equal(judged(r, "suite_short")->level, SB_MARK_NOTE);
	assert_int_equal(sb_judge_status(r), SB_EXIT_OK);
	job_of(r)->state = SB_JOB_STOPPED; /* by a signal: that is known */
	assert_null(judged(r, NULL));
	done(r);
}

static void test_reduced(void **state)
{
	struct sb_result *r = sound("write");

	(void)state;
	r->devices[0].data_bytes = GIB;
	assert_non_null(judged(r, "suite_reduced"));
	r->options.data_bytes = GIB; /* as it was said */
	assert_null(judged(r, NULL));
	r->options.data_bytes = 0;
	r->options.ram_bytes = GIB / 2;
	assert_null(judged(r, NULL));
	done(r);
}

static void test_root(void **state)
{
	struct sb_result *r = sound("write");

	(void)state;
	r->options.uid = 0;
	assert_null(judged(r, "as_root")->subject);
	sb_set_string(&r->options.user, "root"); /* as it was said */
	assert_null(judged(r, NULL));
	done(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),	 cmocka_unit_test(test_cached),
		cmocka_unit_test(test_repeated), cmocka_unit_test(test_short),
		cmocka_unit_test(test_reduced),	 cmocka_unit_test(test_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
