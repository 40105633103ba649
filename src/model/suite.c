#include "satabench/suite.h"

#include <errno.h>
#include <string.h>

#include "satabench/cleanup.h"

static const struct sb_suite_test tests[] = {
	{"putc", "per-character write", SB_TEST_CHAR, true, false, NULL},
	{"write", "block write", SB_TEST_DATA, true, false, NULL},
	{"random_write", "random write", SB_TEST_SEEKS, true, false, "write"},
	{"rewrite", "rewrite", SB_TEST_DATA, true, true, "write"},
	{"getc", "per-character read", SB_TEST_CHAR, false, true, "write"},
	{"read", "block read", SB_TEST_DATA, false, true, "write"},
	{"random_read", "random read", SB_TEST_SEEKS, false, true, "write"},
	{"seeks", "random seeks", SB_TEST_SEEKS, false, true, "write"},
	{"create", "create files in sequence", SB_TEST_FILES, true, false, NULL},
	{"stat", "stat files in sequence", SB_TEST_FILES, false, false, "create"},
	{"delete", "delete files in sequence", SB_TEST_FILES, true, false, "create"},
	{"random_create", "create files at random", SB_TEST_FILES, true, false, NULL},
	{"random_stat", "stat files at random", SB_TEST_FILES, false, false, "random_create"},
	{"random_delete", "delete files at random", SB_TEST_FILES, true, false, "random_create"},
};

static const char *const bonnie[] = {
	"putc", "write",  "rewrite",	   "getc",	  "read",	   "seeks", "create",
	"stat", "delete", "random_create", "random_stat", "random_delete", NULL};
static const char *const tiobench[] = {"write", "random_write", "read", "random_read", NULL};
static const char *const dd[] = {"write", "read", NULL};

const struct sb_suite sb_suites[] = {
	{"bonnie", bonnie},
	{"tiobench", tiobench},
	{"dd", dd},
	{NULL, NULL},
};

const struct sb_suite *sb_suite_find(const char *workload)
{
	for (const struct sb_suite *s = sb_suites; workload && s->workload; s++)
		if (strcmp(s->workload, workload) == 0)
			return s;
	return NULL;
}

const struct sb_suite *sb_suite_of(const struct sb_options *options)
{
	const struct sb_suite *suite = sb_suite_find(options->workload);

	return suite ? suite : sb_suites;
}

const struct sb_suite_test *sb_suite_test(const char *name)
{
	for (size_t i = 0; name && i < SB_COUNT(tests); i++)
		if (strcmp(tests[i].name, name) == 0)
			return &tests[i];
	return NULL;
}

bool sb_suite_is_run(const struct sb_options *options)
{
	return options->plan && strcmp(options->plan, "suite") == 0;
}

const struct sb_suite_test *sb_suite_phase_test(const struct sb_phase *phase)
{
	const struct sb_suite_test *only = NULL;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		const struct sb_suite_test *test = sb_suite_test(phase->jobs[i].test);

		if (only && test && test != only)
			return NULL;
		only = test ? test : only;
	}
	return only;
}

static bool is_named(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (*list) {
		size_t word = strcspn(list, ",");

		if (word == length && strncmp(list, name, word) == 0)
			return true;
		list += word + (list[word] == ',');
	}
	return false;
}

/* Every word of the list must be a test of the suite. */
static bool all_known(const char *list, const struct sb_suite *suite, const char **unknown,
		      size_t *n)
{
	while (*list) {
		size_t word = strcspn(list, ",");
		bool known = false;

		for (const char *const *t = suite->tests; *t; t++)
			known |= strlen(*t) == word && strncmp(list, *t, word) == 0;
		if (!known) {
			*unknown = list;
			*n = word;
			return false;
		}
		list += word + (list[word] == ',');
	}
	return true;
}

static bool is_wanted(const struct sb_options *options, const struct sb_suite_test *test)
{
	if (options->tests)
		return is_named(options->tests, test->name);
	if (test->group == SB_TEST_FILES)
		return !options->no_files;
	return !options->no_data && !(test->group == SB_TEST_CHAR && options->no_char);
}

int sb_suite_select(const struct sb_options *options, const char *names[SB_SUITE_TESTS],
		    const char **unknown, size_t *n)
{
	const struct sb_suite *suite = sb_suite_of(options);
	int count = 0;

	if (options->tests && !all_known(options->tests, suite, unknown, n))
		return -EINVAL;
	for (const char *const *name = suite->tests; *name; name++) {
		bool take = is_wanted(options, sb_suite_test(*name));

		for (const char *const *other = suite->tests; *other && !take; other++) {
			const struct sb_suite_test *test = sb_suite_test(*other);

			take = test->needs && strcmp(test->needs, *name) == 0 &&
			       is_wanted(options, test);
		}
		if (take)
			names[count++] = *name;
	}
	return count;
}
