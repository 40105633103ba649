/* What a surface tells: a flat start, when there is too little to say so, and slow reads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/judge.h"
#include "satabench/units.h"

#define GIB (1ULL << 30)
#define MS 1000000ULL
#define N 128

static struct sb_result with_device(bool rotational)
{
	struct sb_result r;
	struct sb_device *d;
	struct sb_surface *s;

	sb_result_init(&r);
	d = sb_result_add_device(&r);
	sb_set_string(&d->target, "sda");
	d->state = SB_DEVICE_READY;
	d->rotational = rotational;
	s = sb_result_add_surface(&r, 0);
	assert_int_equal(sb_surface_init(s, 0, N * GIB, 0, 512), 0);
	assert_int_equal(s->n_buckets, N);
	s->position_bytes = N * GIB;
	return r;
}

static void put(struct sb_result *r, size_t bucket, double bytes_s)
{
	struct sb_surface_bucket *b = &r->surfaces[0].buckets[bucket];

	b->bytes = b->timed_bytes = GIB;
	b->ns = (uint64_t)(1e9 * (double)GIB / bytes_s);
}

/* 20 zones from 200 MB/s to half of it, as a disk has them; noise of 0.5 % */
static double zone_rate(size_t bucket)
{
	size_t zone = bucket * 20 / N;

	return 200e6 * (1 - 0.5 * (double)zone / 19) * (1 + 0.005 * (double)(bucket % 3) - 0.005);
}

static void curve(struct sb_result *r, double cap)
{
	for (size_t i = 0; i < N; i++)
		put(r, i, fmin(cap, zone_rate(i)));
}

static const struct sb_mark *find_mark(const struct sb_result *r, const char *id)
{
	for (size_t i = 0; i < r->n_marks; i++)
		if (strcmp(r->marks[i].id, id) == 0)
			return &r->marks[i];
	return NULL;
}

static const struct sb_surface *judged(struct sb_result *r)
{
	assert_int_equal(sb_judge_run(r), 0);
	return &r->surfaces[0];
}

static void test_cap_is_seen(void **state)
{
	static const double caps[] = {180e6, 150e6, 120e6};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct sb_result r = with_device(true);
		const struct sb_surface *s;

		curve(&r, caps[i]);
		put(&r, 5, 3e8); /* out of a cache */
		s = judged(&r);
		assert_int_equal(s->flat_start, SB_ANSWER_YES);
		assert_true(fabs(s->flat_bytes_s / caps[i] - 1) < 0.005);
		/* zones that are faster than the cap, and no more of them than a zone's width */
		assert_true(fabs(s->flat_percent / 100 - 2 * (1 - caps[i] / 200e6)) < 0.08);
		assert_non_null(find_mark(&r, "flat_start"));
		assert_int_equal(sb_judge_status(&r), SB_EXIT_OK);
		sb_result_free(&r);
	}
}

static void test_zones_are_no_cap(void **state)
{
	struct sb_result r = with_device(true);
	const struct sb_surface *s;

	(void)state;
	curve(&r, INFINITY);
	s = judged(&r);
	assert_int_equal(s->flat_start, SB_ANSWER_NO);
	assert_null(find_mark(&r, "flat_start"));
	assert_true(fabs(s->start_bytes_s / 200e6 - 1) < 0.01);
	assert_true(fabs(s->end_bytes_s / 100e6 - 1) < 0.01);
	sb_result_free(&r);
}

static void unknown(struct sb_result *r)
{
	assert_int_equal(judged(r)->flat_start, SB_ANSWER_NONE);
	assert_null(find_mark(r, "flat_start"));
	sb_result_free(r);
}

static void test_too_little_to_tell(void **state)
{
	struct sb_result r = with_device(true);

	(void)state;
	curve(&r, 95e6); /* a cap that is never left */
	unknown(&r);
	r = with_device(false); /* flash */
	curve(&r, 150e6);
	unknown(&r);
	r = with_device(true); /* not to its end */
	curve(&r, 150e6);
	r.surfaces[0].buckets[N - 1].timed_bytes = r.surfaces[0].buckets[N - 1].ns = 0;
	unknown(&r);
	r = with_device(true); /* too many holes */
	curve(&r, 150e6);
	for (size_t i = 10; i < N - 10; i += 4)
		r.surfaces[0].buckets[i].timed_bytes = 0;
	unknown(&r);
	r = with_device(true); /* few places */
	curve(&r, 150e6);
	r.surfaces[0].n_buckets = 19;
	unknown(&r);
	r = with_device(true);
	curve(&r, 150e6);
	r.surfaces[0].offset_bytes = GIB; /* not from the outermost zone on */
	unknown(&r);
}

static void test_slow_reads(void **state)
{
	struct sb_result r = with_device(true);
	struct sb_surface *s = r.surfaces;
	struct sb_phase *phase = sb_result_add_phase(&r, SB_PHASE_SURFACE, 0, "");
	struct sb_job *job = sb_phase_add_job(phase);

	(void)state;
	sb_set_string(&job->target, "sda");
	job->latency_ns.p50 = 30.0 * MS;
	sb_surface_add_slow(s, 0, 900 * MS);
	sb_surface_add_slow(s, 1, 150 * MS);
	sb_surface_add_slow(s, 2, 149 * MS);
	assert_int_equal(judged(&r)->n_outliers, 2);
	job = &r.phases[0].jobs[0];
	job->latency_ns.p50 = 1.0 * MS; /* then 100 ms */
	assert_int_equal(judged(&r)->n_outliers, 3);
	s->slowest[2].latency_ns = 99 * MS;
	assert_int_equal(judged(&r)->n_outliers, 2);
	sb_result_free(&r);
}

static void test_unreadable_is_a_taint(void **state)
{
	struct sb_result r = with_device(true);

	(void)state;
	sb_surface_add_range(r.surfaces, SB_SURFACE_UNREADABLE, 5120, 1024, 5);
	r.surfaces[0].position_bytes /= 2;
	judged(&r);
	assert_int_equal(find_mark(&r, "unreadable")->value, 2);
	assert_int_equal(find_mark(&r, "surface_open")->value, 50);
	assert_int_equal(sb_judge_status(&r), SB_EXIT_TAINT);
	sb_result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cap_is_seen),
		cmocka_unit_test(test_zones_are_no_cap),
		cmocka_unit_test(test_too_little_to_tell),
		cmocka_unit_test(test_slow_reads),
		cmocka_unit_test(test_unreadable_is_a_taint),
	};

	return cmocka_run_group_tests_name("judge: surface", tests, NULL, NULL);
}
