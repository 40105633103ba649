/* Sizes, times and figures as people write and read them; names that must not reach a terminal raw.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "satabench/file.h"
#include "satabench/units.h"

static void sizes(void **state)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t bytes;
	} cases[] = {
		{"0", 0, 0},
		{"4096", 0, 4096},
		{"128k", 0, 131072},
		{"128K", 0, 131072},
		{"1M", 0, 1048576},
		{"1MiB", 0, 1048576},
		{"1mib", 0, 1048576},
		{"1MB", 0, 1000000},
		{"1kB", 0, 1000},
		{"1KB", 0, 1000},
		{"1.5G", 0, 1610612736},
		{"0.1k", 0, 102},
		{"2b", 0, 1024},
		{"3w", 0, 6},
		{"7c", 0, 7},
		{"16E", -ERANGE, 0},
		{"15.9E", 0, 18331451923248866918u},
		{"18446744073709551614", 0, 18446744073709551614u},
		{"18446744073709551615", -ERANGE, 0}, /* stands for "no value" */
		{"18446744073709551616", -ERANGE, 0},
		{"99999999999999999999999", -ERANGE, 0},
		{"", -EINVAL, 0},
		{"k", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"+1", -EINVAL, 0},
		{" 1", -EINVAL, 0},
		{"1 M", -EINVAL, 0},
		{"1B", -EINVAL, 0},
		{"12q", -EINVAL, 0},
		{"1.M", -EINVAL, 0},
		{"1.5", -EINVAL, 0}, /* half a byte */
		{"0x10", -EINVAL, 0},
		{"1e6", -EINVAL, 0},
		{"1,5M", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t bytes = 1234;
		int rc = sb_parse_size(cases[i].text, &bytes);

		if (rc != cases[i].rc || (rc == 0 && bytes != cases[i].bytes))
			fail_msg("\"%s\": rc %d, %llu", cases[i].text, rc,
				 (unsigned long long)bytes);
	}
}

static void seconds(void **state)
{
	double s;

	(void)state;
	assert_int_equal(sb_parse_seconds("1.5", &s), 0);
	assert_true(s == 1.5);
	assert_int_equal(sb_parse_seconds("250ms", &s), 0);
	assert_true(fabs(s - 0.25) < 1e-12);
	assert_int_equal(sb_parse_seconds("2m", &s), 0);
	assert_true(s == 120);
	assert_int_equal(sb_parse_seconds("1h", &s), 0);
	assert_true(s == 3600);
	for (const char *const *bad = (const char *const[]){"-1", "inf", "nan", "", "1x", "1e400",
							    "1000000d", "1,5", NULL};
	     *bad; bad++)
		assert_true(sb_parse_seconds(*bad, &s) < 0);
}

/* A decimal comma in the user's locale changes neither what is read nor what is printed. */
static void locales(void **state)
{
	char buf[SB_UNIT_TEXT];
	double s = 0;

	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		setlocale(LC_ALL, "C.UTF-8");
	assert_int_equal(sb_parse_seconds("1.5", &s), 0);
	assert_true(s == 1.5);
	assert_string_equal(sb_format_rate(buf, 99.8e6), "99.8 MB/s");
	setlocale(LC_ALL, "C");
}

static void figures(void **state)
{
	char b[SB_UNIT_TEXT];

	(void)state;
	assert_string_equal(sb_format_rate(b, NAN), "-");
	assert_string_equal(sb_format_rate(b, 0), "0.00 B/s");
	assert_string_equal(sb_format_rate(b, 999.6e6), "1.00 GB/s");
	assert_string_equal(sb_format_rate(b, 99.96e6), "100 MB/s");
	assert_string_equal(sb_format_rate(b, 9.994e6), "9.99 MB/s");
	assert_string_equal(sb_format_bytes(b, SB_NONE_U64), "-");
	assert_string_equal(sb_format_bytes(b, 512), "512 B");
	assert_string_equal(sb_format_bytes(b, 8589934592), "8.59 GB");
	assert_string_equal(sb_format_block(b, 1048576), "1 MiB");
	assert_string_equal(sb_format_block(b, 131072), "128 KiB");
	assert_string_equal(sb_format_block(b, 4000), "4000 B");
	assert_string_equal(sb_format_latency(b, 9.98e6), "9.98 ms");
	assert_string_equal(sb_format_latency(b, 450), "450 ns");
	assert_string_equal(sb_format_duration(b, 1.5), "1.5 s");
	assert_string_equal(sb_format_duration(b, 59.7), "1 min 00 s");
	assert_string_equal(sb_format_duration(b, 7500), "2 h 05 min");
}

static void names(void **state)
{
	static const char *const cases[][2] = {
		{"/dev/disk/by-path/pci-0000:00:1f.2-ata-1",
		 "/dev/disk/by-path/pci-0000:00:1f.2-ata-1"},
		{"a b", "a b"},
		{"a\nb\tc\\", "a\\nb\\tc\\\\"},
		{"\x1b[31mred", "\\x1b[31mred"},
		{"\xff\xfe", "\\xff\\xfe"},
		{"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
		{"\xc2\x9b"
		 "1m",
		 "\\xc2\\x9b1m"},		     /* C1: a control sequence to some terminals */
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* a surrogate */
		{"cut\xe2\x82", "cut\\xe2\\x82"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = sb_escape(cases[i][0]);

		assert_string_equal(text, cases[i][1]);
		free(text);
	}
}

/* Nothing opens for writing through the one reading door. */
static void readonly(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(sb_open_readonly(AT_FDCWD, "/dev/null", O_WRONLY), -EINVAL);
	assert_int_equal(sb_open_readonly(AT_FDCWD, "/dev/null", O_RDWR), -EINVAL);
	assert_int_equal(sb_open_readonly(AT_FDCWD, "/tmp/x", O_CREAT), -EINVAL);
	assert_int_equal(sb_open_readonly(AT_FDCWD, "/nosuch/x", 0), -ENOENT);
	fd = sb_open_readonly(AT_FDCWD, "/dev/null", 0);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_int_equal(write(fd, "x", 1), -1);
	close(fd);
}

/* A file appears whole or not at all, and what was there stays until then. */
static void outfile(void **state)
{
	char folder[] = "/tmp/satabench-unit.XXXXXX", path[64], text[64];
	struct sb_outfile out;
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/r.json", folder);
	assert_int_equal(sb_outfile_open(&out, path), 0);
	fputs("one\n", out.file);
	assert_int_equal(stat(path, &st), -1);
	assert_int_equal(sb_outfile_commit(&out), 0);
	assert_int_equal(sb_read_text(AT_FDCWD, path, text, sizeof(text)), 3);
	assert_int_equal(sb_outfile_open(&out, path), 0);
	fputs("two", out.file);
	sb_outfile_discard(&out);
	assert_int_equal(sb_read_text(AT_FDCWD, path, text, sizeof(text)), 3);
	assert_string_equal(text, "one");
	assert_int_equal(sb_outfile_open(&out, folder), -EISDIR);
	assert_int_equal(sb_outfile_open(&out, "/nosuch/folder/x"), -ENOENT);
	assert_int_equal(sb_outfile_open(&out, "/dev/null"), 0);
	assert_int_equal(sb_outfile_commit(&out), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	unlink(path);
	assert_int_equal(rmdir(folder), 0); /* no temporary file stayed */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),   cmocka_unit_test(seconds), cmocka_unit_test(locales),
		cmocka_unit_test(figures), cmocka_unit_test(names),   cmocka_unit_test(readonly),
		cmocka_unit_test(outfile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
