/* The tests that are run in a directory, by workload: bonnie++'s, tiobench's, dd's. Const tables,
 * any thread. */
#ifndef SATABENCH_SUITE_H
#define SATABENCH_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "satabench/options.h"
#include "satabench/plan.h"

enum sb_test_group {
	SB_TEST_CHAR, /* one byte a call */
	SB_TEST_DATA,
	SB_TEST_SEEKS, /* operations at random places of the data */
	SB_TEST_FILES, /* operations on many files */
};

struct sb_suite_test {
	const char *name; /* of jobs, and of --tests */
	const char *label;
	int group; /* enum sb_test_group */
	bool writes;
	bool reads;	   /* data that an earlier test has written */
	const char *needs; /* test that has to be run before it; NULL */
};

struct sb_suite {
	const char *workload;
	const char *const *tests; /* in the order in which they are run; NULL behind the last */
};

extern const struct sb_suite sb_suites[]; /* the last has workload NULL */
/* NULL: no workload of directories. */
const struct sb_suite *sb_suite_find(const char *workload);
/* The one that these options ask for. */
const struct sb_suite *sb_suite_of(const struct sb_options *options);
const struct sb_suite_test *sb_suite_test(const char *name); /* or NULL */
/* Are directories run? */
bool sb_suite_is_run(const struct sb_options *options);
/* The one that a phase consists of; NULL: none, or several. */
const struct sb_suite_test *sb_suite_phase_test(const struct sb_phase *phase);
/* The names of the tests to be run, those added that they need; as many as `names` has room for
 * (SB_SUITE_TESTS). Their number, 0 when nothing is left to be run; -EINVAL: --tests names one
 * that is not of the workload, *unknown (length *n). */
#define SB_SUITE_TESTS 16
int sb_suite_select(const struct sb_options *options, const char *names[SB_SUITE_TESTS],
		    const char **unknown, size_t *n);

/* What is taken where nothing is said. bonnie++ 2.00a's own: its manual, and what strace shows of
 * it (3 MiB byte by byte). */
#define SB_SUITE_CHUNK 8192u
#define SB_SUITE_SEEKS 8192u
#define SB_SUITE_SEEKERS 5u
#define SB_SUITE_CHAR_BYTES (3u << 20)
#define SB_SUITE_FILES 16u
#define SB_TIOBENCH_BLOCK 4096u
#define SB_TIOBENCH_OPERATIONS 4000u
#define SB_DD_BLOCK (1u << 20)
#define SB_SUITE_SHORT_S 0.5 /* what takes less is not to be trusted */

#endif
