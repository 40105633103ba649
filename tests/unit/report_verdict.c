/* The report of a verdict: what a person sees first, each device once and in the block of its
 * controller, never wider than a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#include "report_data.h"

static int add_disk(struct sb_result *r, const char *name, int parent)
{
	struct sb_device *device = sb_result_add_device(r);
	char text[64];

	snprintf(text, sizeof(text), "block:%s", name);
	device->node = sb_topo_add(&r->topo, SB_NODE_DISK, text, name, parent);
	snprintf(text, sizeof(text), "/dev/%s", name);
	data_set(&device->target, text);
	device->state = SB_DEVICE_READY;
	device->alone_bytes_s = 200e6;
	device->all_bytes_s = 100e6;
	device->loss_percent = 50;
	device->loss_low_percent = -29.4;
	device->loss_high_percent = 100;
	return device->node;
}

static void add_loss(struct sb_result *r, int node, int state)
{
	struct sb_verdict *v = &r->verdict;

	v->losses = realloc(v->losses, (v->n_losses + 1) * sizeof(*v->losses));
	v->losses[v->n_losses++] = (struct sb_node_loss){.node = node,
							 .state = state,
							 .by_group = true,
							 .n = 3,
							 .loss = 0.5,
							 .low = -0.294,
							 .high = 0.99,
							 .p = 0.5,
							 .masked_by = -1};
}

static void run_phase(struct sb_result *r, int kind, int node, double bytes_s)
{
	struct sb_phase *phase = sb_result_add_phase(r, kind, 1, "");

	phase->node = node;
	phase->done = phase->complete = true;
	phase->bytes_s = bytes_s;
}

/* Two controllers of `n` disks, the second with half of them behind an expander. */
static void make_result(struct sb_result *r, int n)
{
	int a, b, expander;
	char name[16];

	sb_result_init(r);
	r->complete = true;
	data_set(&r->version, "1");
	sb_topo_add(&r->topo, SB_NODE_MACHINE, "machine", "host", -1);
	a = sb_topo_add(&r->topo, SB_NODE_CONTROLLER, "pci:a", "0000:00:1f.2", 0);
	b = sb_topo_add(&r->topo, SB_NODE_CONTROLLER, "pci:b", "0000:41:00.0", 0);
	expander = sb_topo_add(&r->topo, SB_NODE_EXPANDER, "exp", "expander-0:0", b);
	sb_node_set(&r->topo.nodes[a], "driver", "ahci");
	for (int i = 0; i < 2 * n; i++) {
		snprintf(name, sizeof(name), "sd%c%c", 'a' + i / 26, 'a' + i % 26);
		add_disk(r, name, i < n ? a : i < n + n / 2 ? b : expander);
	}
	run_phase(r, SB_PHASE_ALONE, -1, 200e6);
	run_phase(r, SB_PHASE_ALL, 0, 100e6 * 2 * n);
	run_phase(r, SB_PHASE_GROUP, a, 150e6 * n);
	data_set(&r->verdict.sentence, "The controller 0000:41:00.0 limits: move disks.");
	add_loss(r, expander, SB_LOSS_FREE);
	add_loss(r, a, SB_LOSS_FREE);
	add_loss(r, b, SB_LOSS_LIMIT);
	add_loss(r, 0, SB_LOSS_UNSURE);
}

/* The lines from `from` up to an empty line and `to`. */
static char *section(const char *text, const char *from, const char *to)
{
	const char *start = strstr(text, from), *end;

	assert_non_null(start);
	end = strstr(start, to);
	assert_non_null(end);
	return strndup(start, (size_t)(end - start));
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

static void expect_page(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (length > 100)
			fail_msg("%zu columns: %.*s", length, (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void test_sentence_comes_first(void **state)
{
	struct sb_result r;
	char *text;

	(void)state;
	make_result(&r, 2);
	text = data_write(&r, "text");
	assert_ptr_equal(strstr(text, "The controller 0000:41:00.0 limits: move disks.\n\n"), text);
	free(text);
	sb_result_add_mark(&r, SB_MARK_TAINT, "other_io", "/dev/sda", NAN, NAN, "others read");
	sb_result_add_mark(&r, SB_MARK_NOTE, "own_buffers", NULL, NAN, NAN, "own");
	r.complete = false;
	text = data_write(&r, "text");
	assert_int_equal(strncmp(text, "NOT COMPLETE", 12), 0);
	assert_non_null(strstr(text, "move disks.\n! doubtful: other_io; see "));
	assert_int_equal(count(text, "NOT COMPLETE"), 1);
	free(text);
	sb_result_free(&r);
}

/* No doubt about the figures, yet at the head. */
static void test_slow_links_stand_at_the_head(void **state)
{
	static const char *const nodes[] = {"pci:a", "pci:b", "exp", "machine"};
	struct sb_result r;
	char *text;

	(void)state;
	make_result(&r, 2);
	for (size_t i = 0; i < 4; i++) {
		sb_result_add_mark(&r, SB_MARK_NOTE, "link_downgraded", nodes[i], NAN, NAN,
				   "the link of %s ran at 3 Gb/s", nodes[i]);
		text = data_write(&r, "text");
		expect_page(text);
		assert_int_equal(count(text, "! slower under load than both ends can do: the link "
					     "of controller 0000:00:1f.2"),
				 1);
		assert_int_equal(count(text, "! doubtful"), 0);
		assert_int_equal(count(text, "and 1 more; see"), i == 3);
		assert_int_equal(count(text, "    note   "), i + 1);
		free(text);
	}
	sb_result_free(&r);
}

static void add_larger(struct sb_result *r, int node)
{
	struct sb_phase *phase = sb_result_add_phase(r, SB_PHASE_GROUP, 0, "larger");
	struct sb_job *job = sb_phase_add_job(phase);

	assert_non_null(job);
	job->block_bytes = 4 << 20;
	phase->node = node;
	phase->done = phase->complete = true;
	phase->bytes_s = 123.4e6;
	phase->cpu.busy_exact = 98.76;
	phase->cpu.busiest_busy = NAN;
}

/* What the larger blocks gave is said in figures, where there was such a run. */
static void test_cpu_is_confirmed_in_figures(void **state)
{
	struct sb_result r;
	char *text;

	(void)state;
	for (int i = 0; i < 6; i++) {
		make_result(&r, 2);
		r.verdict.limits = calloc(1, sizeof(*r.verdict.limits));
		assert_non_null(r.verdict.limits);
		r.verdict.n_limits = 1;
		r.verdict.limits[0] = (struct sb_limit){
			.cls = i % 3 == SB_ANSWER_NO ? SB_CLASS_CONTROLLER : SB_CLASS_CPU,
			.node = 2,
			.test_node = 2,
			.cpu_confirmed = i % 3,
			.confidence = 1};
		if (i >= 3)
			add_larger(&r, 2);
		text = data_write(&r, "text");
		expect_page(text);
		assert_int_equal(count(text, "in blocks of 4 MiB: 123.4 MB/s, all CPUs 98.8 % "
					     "busy, the busiest - %:"),
				 i >= 3 && i % 3 != SB_ANSWER_NONE);
		assert_int_equal(count(text, "it does not limit"), i == 3 + SB_ANSWER_NO);
		assert_int_equal(count(text, "not confirmed"), i % 3 == SB_ANSWER_NONE);
		assert_int_equal(count(text, "confirmed by a run"), i == SB_ANSWER_YES);
		free(text);
		sb_result_free(&r);
	}
}

static void test_each_device_stands_once_under_its_controller(void **state)
{
	static const int sizes[] = {2, 4, 12, 30};

	(void)state;
	for (size_t s = 0; s < 4; s++) {
		struct sb_result r;
		char *text, *table, *a, word[32];

		make_result(&r, sizes[s]);
		text = data_write(&r, "text");
		expect_page(text);
		table = section(text, "\nAlone and together\n", "\nAbove the controllers");
		a = section(table, "  0000:00:1f.2  ahci\n", "\n\n");
		for (size_t i = 0; i < r.n_devices; i++) {
			snprintf(word, sizeof(word), " %s ", r.devices[i].target);
			assert_int_equal(count(table, word), 1);
			assert_int_equal(count(a, word), (int)i < sizes[s]);
		}
		assert_int_equal(count(a, "by itself"), 1);
		assert_non_null(strstr(a, "  free"));
		assert_non_null(strstr(table, "  LIMIT\n"));
		/* the part above the controllers is told, those in blocks are not told again */
		assert_non_null(strstr(text, "\n  the machine "));
		assert_int_equal(count(text, "\n  controller 0000:00:1f.2"), 0);
		free(a);
		free(table);
		free(text);
		sb_result_free(&r);
	}
}

static void test_links_are_told_and_escaped(void **state)
{
	struct sb_result r;
	char *text;

	(void)state;
	make_result(&r, 2);
	sb_node_set(&r.topo.nodes[1], "link_speed", "8\033[31m GT/s");
	sb_node_set(&r.topo.nodes[1], "link_width", "4");
	sb_node_set(&r.topo.nodes[1], "link_width_max", "8");
	r.topo.nodes[2].practical_bytes_s = 3.15e9;
	text = data_write(&r, "text");
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "    link 8\\x1b[31m GT/s x4 (one end can do x8)\n"));
	assert_non_null(strstr(text, "    link practical 3.15 GB/s\n"));
	free(text);
	sb_node_set(&r.topo.nodes[1], "downgraded", "1");
	text = data_write(&r, "text");
	assert_non_null(strstr(text, " x4 (could be x8)\n"));
	free(text);
	sb_result_free(&r);
}

/* An array over two controllers hangs on neither, one over a single controller on that. */
static void test_stacked_devices(void **state)
{
	struct sb_result r;
	char *text, *a, *without;
	int md;

	(void)state;
	make_result(&r, 2);
	add_disk(&r, "md0", 0);
	md = r.devices[4].node;
	sb_topo_add_below(&r.topo, md, r.devices[0].node);
	sb_topo_add_below(&r.topo, md, r.devices[2].node);
	add_disk(&r, "md1", 0);
	md = r.devices[5].node;
	sb_topo_add_below(&r.topo, md, r.devices[0].node);
	sb_topo_add_below(&r.topo, md, r.devices[1].node);
	add_disk(&r, "lost", 0);
	r.devices[6].node = -1;
	text = data_write(&r, "text");
	a = section(text, "  0000:00:1f.2  ahci\n", "\n\n");
	without = section(text, "  without a controller\n", "\n\n");
	assert_int_equal(count(a, "/dev/md1"), 1);
	assert_int_equal(count(a, "/dev/md0"), 0);
	assert_int_equal(count(without, "/dev/md0"), 1);
	assert_int_equal(count(without, "/dev/lost"), 1);
	free(a);
	free(without);
	free(text);
	sb_result_free(&r);
}

/* Rings of what is stacked are nothing that a machine has, but a file may. */
static void test_rings_end(void **state)
{
	struct sb_result r;

	(void)state;
	make_result(&r, 4);
	for (size_t i = 0; i < r.n_devices; i++)
		for (size_t j = 0; j < r.n_devices; j++)
			sb_topo_add_below(&r.topo, r.devices[i].node, r.devices[j].node);
	for (size_t i = 0; i < r.n_devices; i++)
		r.topo.nodes[r.devices[i].node].parent = -1;
	free(data_write(&r, "text"));
	sb_result_free(&r);
}

static void test_without_verdict_as_before(void **state)
{
	struct sb_result r;
	char *text, *csv, *ndjson;

	(void)state;
	make_result(&r, 2);
	data_set(&r.verdict.sentence, NULL);
	text = data_write(&r, "text");
	assert_int_equal(strncmp(text, "satabench 1", 11), 0);
	assert_non_null(strstr(text, "\nAlone and together\n  device "));
	assert_null(strstr(text, "\nVerdict"));
	csv = data_write(&r, "csv");
	assert_null(strstr(csv, "\r\nverdict,"));
	ndjson = data_write(&r, "ndjson");
	assert_null(strstr(ndjson, "\"record\":\"verdict\""));
	free(text);
	free(csv);
	free(ndjson);
	sb_result_free(&r);
}

/* A percentage is written from a fraction, and read back as one: no format may see a difference. */
static void test_fractions_survive_saving(void **state)
{
	struct sb_result first, second;
	char path[] = "/tmp/satabench-verdict-XXXXXX", *json;
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	(void)state;
	make_result(&first, 2);
	for (int i = 1; i <= 2000; i++) {
		add_loss(&first, 0, SB_LOSS_FREE);
		first.verdict.losses[first.verdict.n_losses - 1].loss = i / 2003.0;
		first.verdict.losses[first.verdict.n_losses - 1].low = -i * 3e-4;
	}
	json = data_write(&first, "json");
	assert_non_null(f);
	fputs(json, f);
	fclose(f);
	assert_int_equal(sb_result_read(path, &second), 0);
	unlink(path);
	for (const struct sb_format *format = sb_formats; format->name; format++) {
		char *before = data_write(&first, format->name);
		char *after = data_write(&second, format->name);

		assert_string_equal(before, after);
		free(before);
		free(after);
	}
	free(json);
	sb_result_free(&first);
	sb_result_free(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sentence_comes_first),
		cmocka_unit_test(test_slow_links_stand_at_the_head),
		cmocka_unit_test(test_cpu_is_confirmed_in_figures),
		cmocka_unit_test(test_each_device_stands_once_under_its_controller),
		cmocka_unit_test(test_links_are_told_and_escaped),
		cmocka_unit_test(test_stacked_devices),
		cmocka_unit_test(test_rings_end),
		cmocka_unit_test(test_without_verdict_as_before),
		cmocka_unit_test(test_fractions_survive_saving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
