/* Samples of /proc/stat with their right values, for the tests of sample and judge. */
#ifndef STAT_DATA_H
#define STAT_DATA_H

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/sample.h"

/* The samples that are shipped, and a larger corpus that may lie beside the checkout. */
#define SHIPPED_DATA "tests/data/procstat"
#define CORPUS_DATA "../shared/corpus/procstat"

/* All files of a folder under the source root that match; skips the test where there is
 * no corpus. */
static inline void find_data(const char *folder, const char *pattern, glob_t *found)
{
	const char *root = getenv("SB_SOURCE_ROOT");
	char *path = sb_format("%s/%s/%s", root ? root : ".", folder, pattern);
	int rc;

	assert_non_null(path);
	rc = glob(path, 0, NULL, found);
	if (rc && !strcmp(folder, SHIPPED_DATA))
		fail_msg("no samples: %s", path);
	if (rc)
		print_message("no samples: %s\n", path);
	free(path); /* skip() does not come back to clean up */
	if (rc)
		skip();
}

/* "a/x.stat" -> "a/x.expect.json": its text; NULL when there is none. */
static inline char *read_expected(const char *path, const char *suffix)
{
	int stem = (int)(strlen(path) - strlen(suffix));
	SB_AUTO_FREE char *name = sb_format("%.*s.expect.json", stem, path);

	return name ? sb_read_all(name, NULL) : NULL;
}

/* The number behind "key": in a JSON text from `at` on; NULL and words count as none. */
static inline bool find_text(const char *json, const char *key, char number[32])
{
	SB_AUTO_FREE char *quoted = sb_format("\"%s\":", key);
	const char *at = json ? strstr(json, quoted) : NULL;

	if (!at)
		return false;
	at += strlen(quoted);
	at += strspn(at, " ");
	snprintf(number, 32, "%.*s", (int)strspn(at, "0123456789.-"), at);
	return number[0] != '\0';
}

static inline void parse_file(const char *path, struct sb_cpu_reading *reading)
{
	size_t length;
	SB_AUTO_FREE char *text = sb_read_all(path, &length);

	assert_non_null(text);
	assert_int_equal(sb_cpu_parse(text, length, reading), 0);
}

#endif
