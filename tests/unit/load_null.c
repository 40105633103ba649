/* When a null device answers, against values computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load_priv.h"

#define MB 1000000u
#define MS 1000000u
#define MANY 4

/* Null devices and one job each. */
struct bench {
	struct sb_worker *worker[MANY];
	struct sb_job job[MANY];
	size_t n;
};

static void add(struct bench *b, const char *target)
{
	struct sb_worker *w = aligned_alloc(128, sizeof(*w));
	struct sb_nullspec spec;
	char message[200];

	assert_non_null(w);
	memset(w, 0, sizeof(*w));
	if (sb_nullspec_parse(target, &spec, message, sizeof(message)) != 0)
		fail_msg("%s: %s", target, message);
	w->null = sb_null_create(&spec);
	assert_non_null(w->null);
	w->job = &b->job[b->n];
	b->worker[b->n++] = w;
}

static void schedule(struct bench *b, double runtime_s, double started_s)
{
	assert_int_equal(sb_null_schedule(b->worker, b->n, runtime_s, started_s, 0), 0);
}

static void finish(struct bench *b)
{
	for (size_t i = 0; i < b->n; i++) {
		sb_null_destroy(b->worker[i]->null);
		free(b->worker[i]);
	}
	*b = (struct bench){0};
}

/* The next answer of device `i` comes at `ms`, and is `event`. Rounding may cost 1 ns. */
static void expect(struct bench *b, size_t i, uint64_t length, enum sb_null_event event, double ms)
{
	uint64_t submit_ns, done_ns;
	enum sb_null_event got =
		sb_null_next(b->worker[i]->null, 0, length, 4, &submit_ns, &done_ns);

	assert_int_equal(got, event);
	if (event == SB_NULL_HANG)
		assert_int_equal(done_ns, UINT64_MAX);
	else
		assert_in_range(done_ns + 1, (uint64_t)(ms * MS), (uint64_t)(ms * MS) + 2);
}

static void test_own_rate(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M");
	schedule(&b, 2, 0);
	for (unsigned i = 1; i <= 150; i++)
		expect(&b, 0, MB, SB_NULL_DONE, 10.0 * i);
	/* a stop may come late: the rate goes on behind the planned end */
	for (unsigned i = 151; i <= 1000; i++)
		expect(&b, 0, MB, SB_NULL_DONE, 10.0 * i);
	finish(&b);
}

static void test_lengths_add_up(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M");
	schedule(&b, 2, 0);
	expect(&b, 0, MB, SB_NULL_DONE, 10);
	expect(&b, 0, 5 * MB, SB_NULL_DONE, 60);
	expect(&b, 0, 1000, SB_NULL_DONE, 60.01);
	finish(&b);
}

/* A request is sent when the one `depth` before it was answered. */
static void test_submit_times(void **state)
{
	struct bench b = {0};
	uint64_t submit_ns, done_ns;

	(void)state;
	add(&b, "null:a,rate=100M");
	schedule(&b, 2, 0);
	for (unsigned i = 0; i < 12; i++) {
		assert_int_equal(sb_null_next(b.worker[0]->null, 0, MB, 3, &submit_ns, &done_ns),
				 SB_NULL_DONE);
		assert_in_range(submit_ns, i < 3 ? 0 : (i - 2) * 10 * MS - 1,
				i < 3 ? 0 : (i - 2) * 10 * MS + 1);
	}
	finish(&b);
}

/* a: 30 of its own; b and c divide what is left of 210. */
static void test_share_is_max_min(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=30M,share=S:210M");
	add(&b, "null:b,rate=100M,share=S:210M");
	add(&b, "null:c,rate=200M,share=S:210M");
	schedule(&b, 2, 0);
	expect(&b, 0, 3 * MB, SB_NULL_DONE, 100);
	expect(&b, 1, 9 * MB, SB_NULL_DONE, 100);
	expect(&b, 2, 9 * MB, SB_NULL_DONE, 100);
	finish(&b);
}

/* a and b have 100 between them, so c gets 150 of the 250 that all three may have. */
static void test_nested_shares(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=200M,share=A:100M+B:250M");
	add(&b, "null:b,rate=200M,share=A:100M+B:250M");
	add(&b, "null:c,rate=200M,share=B:250M");
	schedule(&b, 2, 0);
	expect(&b, 0, 5 * MB, SB_NULL_DONE, 100);
	expect(&b, 1, 5 * MB, SB_NULL_DONE, 100);
	expect(&b, 2, 15 * MB, SB_NULL_DONE, 100);
	finish(&b);
}

/* The lower of two sayings of one ceiling holds. */
static void test_share_said_twice(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=200M,share=A:300M");
	add(&b, "null:b,rate=200M,share=A:200M");
	schedule(&b, 2, 0);
	expect(&b, 0, 10 * MB, SB_NULL_DONE, 100);
	expect(&b, 1, 10 * MB, SB_NULL_DONE, 100);
	finish(&b);
}

/* b comes after 100 ms; a has all of the ceiling before that, and half of it after. */
static void test_late_device_takes_its_part(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,share=S:100M");
	add(&b, "null:b,rate=100M,share=S:100M,delay=100ms");
	schedule(&b, 2, 0);
	expect(&b, 0, 10 * MB, SB_NULL_DONE, 100);
	expect(&b, 0, 5 * MB, SB_NULL_DONE, 200);
	expect(&b, 1, 5 * MB, SB_NULL_DONE, 200);
	finish(&b);
}

/* By amount: a has its 10 MB after 200 ms; from then on b has the ceiling to itself. */
static void test_done_device_gives_back(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,share=S:100M");
	add(&b, "null:b,rate=100M,share=S:100M");
	b.job[0].limit_bytes = 10 * MB;
	b.job[1].limit_bytes = 30 * MB;
	schedule(&b, 0, 0);
	for (unsigned i = 1; i <= 10; i++)
		expect(&b, 0, MB, SB_NULL_DONE, 20.0 * i);
	expect(&b, 1, 10 * MB, SB_NULL_DONE, 200);
	for (unsigned i = 1; i <= 20; i++)
		expect(&b, 1, MB, SB_NULL_DONE, 200 + 10.0 * i);
	finish(&b);
}

/* However the pieces round, the last of the amount is answered. */
static void test_last_byte_comes(void **state)
{
	static const char *const targets[] = {"null:a,rate=3", "null:a,rate=7M,trend=9%",
					      "null:a,rate=333333333,noise=3%"};

	(void)state;
	for (size_t t = 0; t < 3; t++) {
		struct bench b = {0};
		uint64_t submit_ns, done_ns;

		add(&b, targets[t]);
		b.job[0].limit_bytes = t ? 7001 : 7;
		schedule(&b, 0, 0);
		for (uint64_t left = b.job[0].limit_bytes; left; left--)
			assert_int_equal(
				sb_null_next(b.worker[0]->null, 0, 1, 4, &submit_ns, &done_ns),
				SB_NULL_DONE);
		finish(&b);
	}
}

static void test_errors_take_their_time(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,error-every=3");
	schedule(&b, 2, 0);
	for (unsigned i = 1; i <= 30; i++)
		expect(&b, 0, MB, i % 3 ? SB_NULL_DONE : SB_NULL_ERROR, 10.0 * i);
	finish(&b);
}

static void test_hang_and_vanish(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,hang-at=25ms");
	add(&b, "null:b,rate=100M,vanish-at=25ms");
	add(&b, "null:c,rate=100M,vanish-at=25ms,hang-at=15ms");
	schedule(&b, 2, 0);
	for (size_t i = 0; i < 2; i++) {
		expect(&b, i, MB, SB_NULL_DONE, 10);
		expect(&b, i, MB, SB_NULL_DONE, 20);
	}
	expect(&b, 0, MB, SB_NULL_HANG, 0);
	expect(&b, 1, MB, SB_NULL_VANISH, 25);
	expect(&b, 2, MB, SB_NULL_DONE, 10);
	expect(&b, 2, MB, SB_NULL_HANG, 0);
	finish(&b);
}

/* Times of faults count from the first gate of the run. */
static void test_faults_in_a_later_phase(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,hang-at=1.015s");
	add(&b, "null:b,rate=100M,vanish-at=1.015s");
	add(&b, "null:c,rate=100M,vanish-at=0.5s");
	schedule(&b, 2, 1);
	expect(&b, 0, MB, SB_NULL_DONE, 10);
	expect(&b, 0, MB, SB_NULL_HANG, 0);
	expect(&b, 1, MB, SB_NULL_DONE, 10);
	expect(&b, 1, MB, SB_NULL_VANISH, 15);
	expect(&b, 2, MB, SB_NULL_VANISH, 0);
	finish(&b);
}

/* The rate changes by the fraction in 10 s, in steps of 50 ms: 100 MB/s, then 99.5 ... */
static void test_trend(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,trend=-100%");
	schedule(&b, 2, 0);
	expect(&b, 0, 5 * MB, SB_NULL_DONE, 50);
	expect(&b, 0, 4975000, SB_NULL_DONE, 100);
	expect(&b, 0, 4950000, SB_NULL_DONE, 150);
	finish(&b);
}

/* Noise is one factor for the whole phase, of the device's and the phase's own. */
static void test_noise_is_of_the_phase(void **state)
{
	struct bench b = {0};
	uint64_t submit_ns, first, second, third, other;

	(void)state;
	add(&b, "null:a,rate=100M,noise=5%");
	schedule(&b, 2, 0);
	sb_null_next(b.worker[0]->null, 0, MB, 4, &submit_ns, &first);
	sb_null_next(b.worker[0]->null, 0, MB, 4, &submit_ns, &second);
	assert_in_range(second, 2 * first - 2, 2 * first + 2);
	assert_int_not_equal(first, 10 * MS);
	schedule(&b, 2, 0);
	sb_null_next(b.worker[0]->null, 0, MB, 4, &submit_ns, &third);
	assert_int_equal(first, third);
	assert_int_equal(sb_null_schedule(b.worker, 1, 2, 0, 1), 0);
	sb_null_next(b.worker[0]->null, 0, MB, 4, &submit_ns, &other);
	assert_int_not_equal(first, other);
	finish(&b);
}

/* A device that begins long after the end of its phase is late: it hangs no more than others. */
static void test_late_is_no_hang(void **state)
{
	struct bench b = {0};

	(void)state;
	add(&b, "null:a,rate=100M,delay=60s");
	schedule(&b, 2, 0);
	expect(&b, 0, MB, SB_NULL_DONE, 60010);
	finish(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_rate),
		cmocka_unit_test(test_lengths_add_up),
		cmocka_unit_test(test_submit_times),
		cmocka_unit_test(test_share_is_max_min),
		cmocka_unit_test(test_nested_shares),
		cmocka_unit_test(test_share_said_twice),
		cmocka_unit_test(test_late_device_takes_its_part),
		cmocka_unit_test(test_done_device_gives_back),
		cmocka_unit_test(test_last_byte_comes),
		cmocka_unit_test(test_errors_take_their_time),
		cmocka_unit_test(test_hang_and_vanish),
		cmocka_unit_test(test_faults_in_a_later_phase),
		cmocka_unit_test(test_trend),
		cmocka_unit_test(test_noise_is_of_the_phase),
		cmocka_unit_test(test_late_is_no_hang),
	};

	return cmocka_run_group_tests_name("load: null devices", tests, NULL, NULL);
}
