/* A saved result reads back as it was, and no file can do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_data.h"
#include "satabench/log.h"

static char folder[] = "/tmp/satabench-json-XXXXXX";
static char path[64], errors[64];

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/r.json", folder);
	snprintf(errors, sizeof(errors), "%s/stderr", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	unlink(errors);
	return rmdir(folder);
}

static void put_file(const char *text, size_t length)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, length, f), length);
	assert_int_equal(fclose(f), 0);
}

/* Reads `path` with stderr going to a file: the status and the text of what was said. */
static int read_quietly(const char *file, struct sb_result *result, char *said, size_t size)
{
	int saved = dup(2), fd = open(errors, O_RDWR | O_CREAT | O_TRUNC, 0600), rc;
	ssize_t n;

	dup2(fd, 2);
	rc = sb_result_read(file, result);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	n = pread(fd, said, size - 1, 0);
	close(fd);
	said[n > 0 ? n : 0] = '\0';
	return rc;
}

static void expect_verdict(const struct sb_verdict *v, const struct sb_verdict *first)
{
	assert_int_equal(v->cls, SB_CLASS_PCIE);
	assert_int_equal(v->candidates[0], 1);
	assert_int_equal(v->runner_up, 0);
	assert_true(isnan(v->limits[0].ceiling_bytes_s));
	assert_int_equal(v->limits[0].ramp_knee, 2);
	assert_int_equal(v->limits[1].ramp_knee, 0);
	assert_int_equal(v->limits[1].node, -1);
	assert_true(v->limits[1].refuted);
	assert_int_equal(v->losses[0].masked_by, 0);
	assert_true(v->losses[0].left_out && v->losses[0].clean);
	assert_true(fabs(v->losses[0].loss - 0.07) < 1e-12);
	assert_true(isnan(v->losses[1].loss));
	assert_false(v->losses[1].left_out);
	assert_int_equal(v->local[0], 1);
	assert_int_equal(v->undecided[0].lower, 1);
	assert_int_equal(v->odd_runs[0].device, -1);
	assert_int_equal(v->odd_runs[1].node, -1);
	assert_int_equal(v->odd_runs[1].device, 1);
	assert_true(isnan(v->odd_runs[1].off) && v->odd_runs[1].foreign);
	assert_int_equal(v->above_ceiling[0], 1);
	assert_int_equal(v->local_home, 1);
	assert_int_equal(v->small_shared, -1);
	assert_int_equal(v->rounds, 3);
	assert_string_equal(v->sentence, first->sentence);
	assert_string_equal(v->evidence[1], first->evidence[1]);
}

static void test_every_format_is_the_same_after_saving(void **state)
{
	struct sb_result first, second;
	char said[1000];

	(void)state;
	data_result(&first);
	char *json = data_write(&first, "json");

	put_file(json, strlen(json));
	assert_int_equal(read_quietly(path, &second, said, sizeof(said)), 0);
	assert_string_equal(said, "");
	for (const struct sb_format *f = sb_formats; f->name; f++) {
		char *before = data_write(&first, f->name), *after = data_write(&second, f->name);

		assert_string_equal(before, after);
		assert_true(strlen(before) > 50);
		free(before);
		free(after);
	}
	/* what a format may not show */
	assert_string_equal(second.devices[1].target, first.devices[1].target);
	assert_string_equal(second.topo.nodes[3].attributes[0].key,
			    first.topo.nodes[3].attributes[0].key);
	assert_int_equal(second.topo.nodes[2].below[0], 3);
	assert_true(second.phases[0].jobs[0].latency_ns.p50 == 5e-324);
	assert_true(second.phases[0].jobs[0].latency_ns.p90 == 1.7976931348623157e308);
	assert_true(second.phases[0].jobs[0].last_done_ns == UINT64_MAX - 1);
	assert_true(second.phases[0].counters.total.field[SB_CPU_IDLE] == 11732815868058135187ULL);
	assert_true(signbit(second.devices[0].loss_low_percent));
	assert_true(isnan(second.options.baseline_s));
	assert_true(second.phases[2].cpu.busiest_cpu == -1);
	assert_int_equal(second.phases[3].left_out, 2);
	assert_int_equal(second.phases[2].left_out, -1);
	expect_verdict(&second.verdict, &first.verdict);
	free(json);
	sb_result_free(&first);
	sb_result_free(&second);
}

static void expect_refused(const char *text, size_t length, const char *word)
{
	struct sb_result result;
	char said[4000];
	int rc;

	put_file(text, length);
	rc = read_quietly(path, &result, said, sizeof(said));
	assert_true(rc < 0);
	assert_non_null(strstr(said, path));
	if (!strstr(said, word))
		fail_msg("no \"%s\" in: %s", word, said);
	assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
	sb_result_free(&result);
}

/* The saved result with one piece of it replaced. */
static void expect_refused_with(const char *old, const char *new, const char *word)
{
	struct sb_result result;
	char *json, *at, *changed = NULL;

	data_result(&result);
	json = data_write(&result, "json");
	at = strstr(json, old);
	assert_non_null(at);
	assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - json), json, new, at + strlen(old)) >
		    0);
	expect_refused(changed, strlen(changed), word);
	free(changed);
	free(json);
	sb_result_free(&result);
}

static void test_faults_are_named(void **state)
{
	char deep[40000];

	(void)state;
	memset(deep, '[', sizeof(deep));
	expect_refused("", 0, "empty");
	expect_refused("{", 1, ":1: ");
	expect_refused("\x7f"
		       "ELF\0\0",
		       6, "no whole JSON");
	expect_refused("[]", 2, "no object");
	expect_refused("{}", 2, "schema");
	expect_refused(deep, sizeof(deep), "no whole JSON");
	expect_refused_with("result/1", "result/2", "schema");
	expect_refused_with("\"device\": 1", "\"device\": 2", "phases[0].jobs[1].device");
	expect_refused_with("\"device\": 1", "\"device\": -1", "jobs[1].device");
	expect_refused_with("\"device\": 1", "\"device\": 1e300", "jobs[1].device");
	expect_refused_with("\"node\": \"pci:0\"", "\"node\": \"pci:9\"", "phases[0].node");
	expect_refused_with("\"parent\": \"pci:0\"", "\"parent\": \"block:sda\"",
			    "nodes[2].parent");
	expect_refused_with("\"id\": \"pci:0\"", "\"id\": \"machine\"", "another node");
	expect_refused_with("\"state\": \"done\"", "\"state\": \"dome\\u001b\"", "\"dome\\x1b\"");
	expect_refused_with("\"bytes\": 1", "\"bytes\": \"x\", \"b\": 1", "jobs[0].bytes");
	expect_refused_with("\"bytes\": 1", "\"bytes\": -1", "jobs[0].bytes");
	expect_refused_with("\"bytes\": 1", "\"bytes\": 1e999, \"b\": 1", "no whole JSON");
	expect_refused_with("\"bytes_per_second\": [", "\"bytes_per_second\": [1, ", "each job");
	expect_refused_with("\"jobs\": [", "\"jobs\": 3, \"x\": [", "phases[0].jobs");
	expect_refused_with("\"complete\": true", "\"complete\": 1", "complete");
	expect_refused_with("\"test_node\": \"pci:0\"", "\"test_node\": \"pci:9\"",
			    "verdict.limits[0].test_node");
	expect_refused_with("\"candidates\": [", "\"candidates\": [\"pci:9\", ",
			    "verdict.candidates");
	expect_refused_with("\"evidence\": [", "\"evidence\": 3, \"y\": [", "verdict.evidence");
	expect_refused_with("\"local\": [\n      {\"device\": 1", "\"local\": [{\"device\": 2",
			    "verdict.local[0].device");
	expect_refused_with("\"state\": \"limit\"", "\"state\": \"full\"",
			    "verdict.losses[0].state");
	expect_refused_with("\"class\": \"pcie\"", "\"class\": 3", "verdict.class");
	expect_refused_with("\"noise_percent\": ", "\"noise_percent\": \"x\", \"z\": ",
			    "verdict.noise_percent");
	expect_refused_with("\"left_out\": \"block:sda\"", "\"left_out\": \"block:sdz\"",
			    "phases[3].left_out");
	expect_refused_with("\"cpu\": 7", "\"cpu\": -7", "cpus[1].cpu");
}

static void test_what_is_no_file_is_refused(void **state)
{
	static const char *const bad[] = {"/", "/dev/zero", "/nonexistent/r.json"};
	struct sb_result result;
	char said[1000];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_true(read_quietly(bad[i], &result, said, sizeof(said)) < 0);
		assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
		sb_result_free(&result);
	}
}

static void test_unknown_keys_are_skipped(void **state)
{
	static const char text[] =
		"{\"new\": {\"a\": [1]}, \"schema\": \"satabench.result/1\", \"verdict\": null,"
		" \"devices\": [{\"target\": \"a\", \"later\": 1}],"
		" \"phases\": [{\"kind\": \"all\", \"jobs\": [{\"device\": 0, \"target\": "
		"\"a\"}]}]}";
	struct sb_result result;
	char said[1000];

	(void)state;
	put_file(text, strlen(text));
	assert_int_equal(read_quietly(path, &result, said, sizeof(said)), 0);
	/* missing is no value, never 0 */
	assert_true(isnan(result.phases[0].jobs[0].bytes_s));
	assert_true(result.phases[0].jobs[0].device_bytes == SB_NONE_U64);
	assert_true(isnan(result.cpu.user) && result.cpu.busiest_cpu == -1);
	assert_true(isnan(result.verdict.confidence) && result.verdict.node == -1);
	assert_null(result.verdict.sentence);
	sb_result_free(&result);
}

static uint64_t random_state = 88172645463325252ULL;

static size_t random_below(size_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (size_t)(random_state % n);
}

/* Changes `text` (room for 64 bytes more) somewhere; the new length. */
static size_t mutate(char *text, size_t length)
{
	static const char *const words[] = {"null",	   "-1",	  "99999999999999999999",
					    "1e308",	   "[",		  "{}",
					    "\"\\ud800\"", "true",	  "4294967296",
					    "\"machine\"", "\"\\uef8a\"", "[[]]",
					    "0.5",	   "\"hung\""};
	const char *word = words[random_below(sizeof(words) / sizeof(words[0]))];
	size_t at = random_below(length), end = at, n = strlen(word);

	switch (random_below(4)) {
	case 0:
		return at;
	case 1:
		text[at] = (char)random_below(256);
		return length;
	case 2: /* cut something out */
		end = at + random_below(length - at < 400 ? length - at : 400);
		memmove(text + at, text + end, length - end);
		return length - (end - at);
	default: /* another value for a key */
		while (at < length && text[at] != ':')
			at++;
		at++;
		for (end = at; end < length && text[end] != ',' && text[end] != '}'; end++)
			;
		if (end >= length)
			return length;
		memmove(text + at + n, text + end, length - end);
		memcpy(text + at, word, n);
		return length - (end - at) + n;
	}
}

static void test_broken_files_do_no_harm(void **state)
{
	struct sb_result whole, result;
	char *json, *text, said[4000];
	size_t size, accepted = 0;

	(void)state;
	data_result(&whole);
	json = data_write(&whole, "json");
	size = strlen(json);
	text = malloc(size + 200);
	assert_non_null(text);
	for (int i = 0; i < 2000; i++) {
		size_t length = size;
		int rc;

		memcpy(text, json, size);
		for (size_t n = 1 + random_below(3); n > 0 && length > 1; n--)
			length = mutate(text, length);
		put_file(text, length);
		rc = read_quietly(path, &result, said, sizeof(said));
		if (rc == 0) {
			accepted++;
			for (const struct sb_format *f = sb_formats; f->name; f++)
				free(data_write(&result, f->name));
		} else if (strchr(said, '\n') != said + strlen(said) - 1) {
			fail_msg("not one line: %s", said);
		}
		sb_result_free(&result);
	}
	/* both ways were tried */
	assert_in_range(accepted, 50, 1900);
	free(text);
	free(json);
	sb_result_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_format_is_the_same_after_saving),
		cmocka_unit_test(test_faults_are_named),
		cmocka_unit_test(test_what_is_no_file_is_refused),
		cmocka_unit_test(test_unknown_keys_are_skipped),
		cmocka_unit_test(test_broken_files_do_no_harm),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
