/* What an array should give: a table a level. The expected values are worked out in docs/MD.md's
 * words beside each row. */
#include "../../src/judge/md_priv.h"
#include "md_data.h"

struct row {
	const char *what, *level;
	uint64_t layout;
	double alone[4], together[4]; /* MB/s */
	int lost[2];		      /* slots without a member; -1 = none */
	double low, high;	      /* MB/s; NAN = not known */
};

#define NEAR(n) (0x100u + (n))
#define FAR(n) (((n) << 8) + 1u)
#define OFFSET(n) (0x10000u + ((n) << 8) + 1u)
#define EQUAL                                                                                      \
	{                                                                                          \
		100, 100, 100, 100                                                                 \
	}
#define CAPPED                                                                                     \
	{                                                                                          \
		50, 50, 50, 50                                                                     \
	}
#define UNLIKE                                                                                     \
	{                                                                                          \
		100, 90, 60, 120                                                                   \
	}
#define NONE                                                                                       \
	{                                                                                          \
		-1, -1                                                                             \
	}

static const struct row rows[] = {
	/* the slowest sets the pace: 4 x 60 */
	{"raid0", "raid0", 0, EQUAL, EQUAL, NONE, 400, 400},
	{"raid0, unlike", "raid0", 0, UNLIKE, UNLIKE, NONE, 240, 240},
	{"raid0, a shared limit", "raid0", 0, EQUAL, CAPPED, NONE, 200, 200},
	/* shares that are not fair: the array asks for equal ones, up to the sum */
	{"raid0, unfair", "raid0", 0, EQUAL, {80, 40, 40, 40}, NONE, 160, 200},
	{"raid0, broken", "raid0", 0, EQUAL, EQUAL, {1, -1}, NAN, NAN},

	/* nobody knows which member: 60 to 120; see test_heads */
	{"linear", "linear", 0, UNLIKE, UNLIKE, NONE, 60, 120},
	{"linear, a shared limit", "linear", 0, EQUAL, CAPPED, NONE, 50, 100},

	/* the best one, up to the sum */
	{"raid1", "raid1", 0, EQUAL, EQUAL, NONE, 100, 400},
	{"raid1, unlike", "raid1", 0, UNLIKE, UNLIKE, NONE, 120, 370},
	{"raid1, a shared limit", "raid1", 0, EQUAL, CAPPED, NONE, 50, 200},
	{"raid1, one left of two slots", "raid1", 0, EQUAL, EQUAL, {1, 2}, 100, 200},

	/* three data disks, the last has the parity: 3 x 60 of the first three */
	{"raid4", "raid4", 5, EQUAL, EQUAL, NONE, 300, 300},
	{"raid4, unlike", "raid4", 5, UNLIKE, UNLIKE, NONE, 180, 180},
	{"raid4, slow parity",
	 "raid4",
	 5,
	 {100, 100, 100, 20},
	 {100, 100, 100, 20},
	 NONE,
	 300,
	 300},
	{"raid4, parity first",
	 "raid4",
	 4,
	 {20, 100, 100, 100},
	 {20, 100, 100, 100},
	 NONE,
	 300,
	 300},
	/* three disks share what four do not use all of: 150 to 200 */
	{"raid4, a shared limit", "raid4", 5, EQUAL, CAPPED, NONE, 150, 200},
	{"raid4, no parity", "raid4", 5, EQUAL, EQUAL, {3, -1}, 300, 300},
	{"raid4, degraded", "raid4", 5, EQUAL, EQUAL, {1, -1}, 300, 300},
	{"raid4, two lost", "raid4", 5, EQUAL, EQUAL, {1, 2}, NAN, NAN},

	/* passing over parity costs all of its time, or nothing */
	{"raid5", "raid5", 2, EQUAL, EQUAL, NONE, 300, 400},
	{"raid5, unlike", "raid5", 2, UNLIKE, UNLIKE, NONE, 180, 240},
	{"raid5, a shared limit", "raid5", 2, EQUAL, CAPPED, NONE, 150, 200},
	/* nothing to pass over: all of the other three is needed */
	{"raid5, degraded", "raid5", 2, EQUAL, EQUAL, {2, -1}, 300, 300},
	{"raid5, two lost", "raid5", 2, EQUAL, EQUAL, {1, 2}, NAN, NAN},

	{"raid6", "raid6", 2, EQUAL, EQUAL, NONE, 200, 400},
	{"raid6, unlike", "raid6", 2, UNLIKE, UNLIKE, NONE, 120, 240},
	{"raid6, degraded", "raid6", 2, EQUAL, EQUAL, {0, -1}, 200, 300},
	{"raid6, two lost", "raid6", 2, EQUAL, EQUAL, {0, 3}, 200, 200},

	/* two pairs; of each the best, up to both: 2 x min(100, 120) to 2 x min(190, 180) */
	{"raid10 near", "raid10", NEAR(2), EQUAL, EQUAL, NONE, 200, 400},
	{"raid10 near, unlike", "raid10", NEAR(2), UNLIKE, UNLIKE, NONE, 200, 360},
	{"raid10 near, a shared limit", "raid10", NEAR(2), EQUAL, CAPPED, NONE, 100, 200},
	{"raid10 near, degraded", "raid10", NEAR(2), EQUAL, EQUAL, {1, -1}, 200, 200},
	{"raid10 near, one of each pair", "raid10", NEAR(2), EQUAL, EQUAL, {0, 3}, 200, 200},
	{"raid10 near, a pair lost", "raid10", NEAR(2), EQUAL, EQUAL, {0, 1}, NAN, NAN},
	/* not a multiple: a third of it is copies */
	{"raid10 near=3 of 4", "raid10", NEAR(3), EQUAL, EQUAL, NONE, 400.0 / 3, 400},
	/* far: as raid0 */
	{"raid10 far", "raid10", FAR(2), EQUAL, EQUAL, NONE, 400, 400},
	{"raid10 far, unlike", "raid10", FAR(2), UNLIKE, UNLIKE, NONE, 240, 240},
	{"raid10 far, degraded", "raid10", FAR(2), EQUAL, EQUAL, {1, -1}, 200, 300},
	/* offset: the copies lie between */
	{"raid10 offset", "raid10", OFFSET(2), EQUAL, EQUAL, NONE, 200, 400},
	{"raid10 offset, unlike", "raid10", OFFSET(2), UNLIKE, UNLIKE, NONE, 120, 240},

	{"container", "container", 0, EQUAL, EQUAL, NONE, NAN, NAN},
	{"unknown level", "raid7", 0, EQUAL, EQUAL, NONE, NAN, NAN},
	{"not measured", "raid5", 2, EQUAL, {100, 100, NAN, 100}, NONE, NAN, NAN},
};

static bool is_near(double seen, double expected)
{
	return isnan(expected) ? isnan(seen) : fabs(seen - expected * MB) < 1;
}

static void fill(struct sb_md_array *a, const struct row *row)
{
	a->layout = row->layout;
	for (size_t i = 0; i < 4; i++) {
		a->members[i].alone_bytes_s = row->alone[i] * MB;
		a->members[i].together_bytes_s = row->together[i] * MB;
	}
	for (size_t i = 0; i < 2; i++)
		if (row->lost[i] >= 0)
			md_lose(a, (size_t)row->lost[i]);
}

static void test_levels(void **state)
{
	(void)state;
	for (size_t i = 0; i < SB_COUNT(rows); i++) {
		struct sb_result result;
		struct sb_md_array *a = md_make(&result, rows[i].level);
		struct sb_md_range range;

		fill(a, &rows[i]);
		range = judge_md_theory(a, NULL);
		if (!is_near(range.low, rows[i].low) || !is_near(range.high, rows[i].high))
			fail_msg("%s: %.1f to %.1f MB/s, not %.1f to %.1f", rows[i].what,
				 range.low / MB, range.high / MB, rows[i].low, rows[i].high);
		sb_result_free(&result);
	}
}

/* Readers of a linear array that begin on members 60 and 120; on 90 alone. */
static void test_heads(void **state)
{
	static const struct row row = {"linear", "linear", 0, UNLIKE, UNLIKE, NONE, 0, 0};
	const bool two[] = {false, false, true, true}, one[] = {false, true, false, false};
	struct sb_result result;
	struct sb_md_array *a = md_make(&result, "linear");
	struct sb_md_range range;

	(void)state;
	fill(a, &row);
	range = judge_md_theory(a, two);
	assert_true(is_near(range.low, 120) && is_near(range.high, 180));
	range = judge_md_theory(a, one);
	assert_true(is_near(range.low, 90) && is_near(range.high, 90));
	sb_result_free(&result);
}

static void test_write_mostly(void **state)
{
	static const struct row row = {"raid1", "raid1", 0, UNLIKE, UNLIKE, {1, 2}, 0, 0};
	struct sb_result result;
	struct sb_md_array *a = md_make(&result, "raid1");
	struct sb_md_range range;

	(void)state;
	fill(a, &row);
	a->members[3].write_mostly = true; /* the one of 120 */
	range = judge_md_theory(a, NULL);
	assert_true(is_near(range.low, 100) && is_near(range.high, 100));
	a->members[0].write_mostly = true; /* no other is left */
	range = judge_md_theory(a, NULL);
	assert_true(is_near(range.low, 120) && is_near(range.high, 220));
	sb_result_free(&result);
}

/* Copies that may differ yet: the first member, and of each pair the first. */
static void test_resync(void **state)
{
	static const struct row mirror = {"raid1", "raid1", 0, UNLIKE, UNLIKE, NONE, 0, 0};
	static const struct row pairs = {"raid10", "raid10", NEAR(2), UNLIKE, UNLIKE, NONE, 0, 0};
	struct sb_result result;
	struct sb_md_array *a = md_make(&result, "raid1");
	struct sb_md_range range;

	(void)state;
	fill(a, &mirror);
	assert_int_equal(sb_set_string(&a->sync_action, "resync"), 0);
	range = judge_md_theory(a, NULL);
	assert_true(is_near(range.low, 100) && is_near(range.high, 370));
	sb_result_free(&result);
	a = md_make(&result, "raid10");
	fill(a, &pairs);
	assert_int_equal(sb_set_string(&a->sync_action_end, "resync"), 0);
	range = judge_md_theory(a, NULL);
	assert_true(is_near(range.low, 120) && is_near(range.high, 360));
	sb_result_free(&result);
}

static void test_stripes(void **state)
{
	static const struct {
		const char *level;
		uint64_t layout, chunks;
	} stripes[] = {{"raid0", 0, 4},		 {"raid1", 0, 0},	 {"linear", 0, 0},
		       {"raid4", 5, 3},		 {"raid5", 2, 3},	 {"raid6", 2, 2},
		       {"raid10", NEAR(2), 2},	 {"raid10", NEAR(3), 4}, {"raid10", FAR(2), 4},
		       {"raid10", OFFSET(2), 4}, {"container", 0, 0}};

	(void)state;
	for (size_t i = 0; i < SB_COUNT(stripes); i++) {
		struct sb_result result;
		struct sb_md_array *a = md_make(&result, stripes[i].level);

		a->layout = stripes[i].layout;
		assert_int_equal(sb_md_stripe_bytes(a), stripes[i].chunks * 65536);
		sb_result_free(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels), cmocka_unit_test(test_heads),
		cmocka_unit_test(test_write_mostly), cmocka_unit_test(test_stripes),
		cmocka_unit_test(test_resync)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
