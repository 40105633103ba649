/* Links under load and what they could not have carried: files made for it stand in for sysfs, are
 * sampled as in a run, and changed between phases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/judge.h"
#include "satabench/link.h"
#include "satabench/sample.h"
#include "satabench/units.h"

static char folder[] = "/tmp/satabench-links.XXXXXX";

struct bed {
	struct sb_result result;
	struct sb_hops *hops;
	int machine, port, controller, sata, disk;
};

static void put(const char *place, const char *name, const char *text)
{
	SB_AUTO_FREE char *path = NULL, *dir = NULL;
	FILE *file;

	assert_true(asprintf(&dir, "%s/%s", folder, place) > 0);
	assert_true(asprintf(&path, "%s/%s/%s", folder, place, name) > 0);
	mkdir(dir, 0700);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void put_port(const char *speed, const char *width)
{
	put("port", "current_link_speed", speed);
	put("port", "current_link_width", width);
	put("ctl", "current_link_speed", speed);
	put("ctl", "current_link_width", width);
}

static int add(struct bed *b, enum sb_node_kind kind, const char *name, int parent)
{
	int node = sb_topo_add(&b->result.topo, kind, name, name, parent);

	assert_true(node >= 0);
	assert_int_equal(sb_node_setf(&b->result.topo.nodes[node], "sysfs", "%s/%s", folder, name),
			 0);
	return node;
}

static void set_link(struct bed *b, int node, const char *speed, const char *most,
		     const char *width, const char *width_most)
{
	struct sb_node *n = &b->result.topo.nodes[node];

	sb_node_set(n, "link_speed", speed);
	sb_node_set(n, "link_speed_max", most);
	sb_node_set(n, "link_width", width);
	sb_node_set(n, "link_width_max", width_most);
}

static struct sb_node *node_of(struct bed *b, int node)
{
	return &b->result.topo.nodes[node];
}

/* A disk at 6 Gb/s behind a controller in a slot of 8 GT/s x2, all at full speed. */
static int setup(void **state)
{
	struct bed *b = calloc(1, sizeof(*b));
	struct sb_device *device;

	assert_non_null(b);
	sb_result_init(&b->result);
	b->machine = sb_topo_add(&b->result.topo, SB_NODE_MACHINE, "machine", "machine", -1);
	b->port = add(b, SB_NODE_PCIE, "port", b->machine);
	b->controller = add(b, SB_NODE_CONTROLLER, "ctl", b->port);
	b->sata = add(b, SB_NODE_LINK, "sata", b->controller);
	b->disk = sb_topo_add(&b->result.topo, SB_NODE_DISK, "disk", "disk", b->sata);
	assert_int_equal(sb_node_set(node_of(b, b->port), "port", "root"), 0);
	set_link(b, b->port, "8 GT/s", "8 GT/s", "2", "2");
	set_link(b, b->controller, "8 GT/s", "8 GT/s", "2", "2");
	set_link(b, b->sata, "6 Gb/s", "6 Gb/s", NULL, NULL);
	node_of(b, b->port)->line_bytes_s = sb_pcie_line(8, 2);
	node_of(b, b->sata)->line_bytes_s = sb_sata_line(6);
	put_port("8.0 GT/s PCIe\n", "2\n");
	put("sata", "sata_spd", "6.0 Gbps\n");
	device = sb_result_add_device(&b->result);
	assert_non_null(device);
	device->node = b->disk;
	device->state = SB_DEVICE_READY;
	assert_int_equal(sb_set_string(&device->target, "disk"), 0);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bed *b = *state;

	sb_hops_destroy(b->hops);
	sb_result_free(&b->result);
	free(b);
	return 0;
}

/* A phase of a second; read or not, its links are as the files say now. */
static struct sb_phase *run(struct bed *b, double bytes_s, bool sampled)
{
	struct sb_phase *phase = sb_result_add_phase(&b->result, SB_PHASE_ALONE,
						     (unsigned)b->result.n_phases + 1, "test");
	struct sb_job *job = phase ? sb_phase_add_job(phase) : NULL;

	assert_non_null(job);
	*job = (struct sb_job){.device = 0,
			       .state = SB_JOB_DONE,
			       .bytes = (uint64_t)bytes_s,
			       .seconds = 1,
			       .device_bytes = SB_NONE_U64,
			       .device_write_bytes = SB_NONE_U64};
	phase->done = true;
	phase->window_start_ns = 0;
	phase->window_end_ns = SB_NS_PER_SEC;
	if (!b->hops)
		assert_int_equal(sb_hops_create(&b->hops, &b->result.topo, &b->disk, 1), 0);
	if (sampled)
		assert_int_equal(sb_hops_read_links(b->hops, &b->disk, 1, phase), 0);
	return phase;
}

static const struct sb_mark *find(struct bed *b, const char *id)
{
	const struct sb_mark *found = NULL;

	for (size_t i = 0; i < b->result.n_phases; i++)
		sb_judge_phase(&b->result.phases[i]);
	assert_int_equal(sb_judge_run(&b->result), 0);
	for (size_t i = 0; i < b->result.n_marks; i++) {
		if (strcmp(b->result.marks[i].id, id) != 0)
			continue;
		assert_null(found); /* one link is one mark, though both ends show it */
		found = &b->result.marks[i];
	}
	return found;
}

static void expect_none(struct bed *b, const char *id)
{
	const struct sb_mark *mark = find(b, id);

	if (mark)
		fail_msg("mark %s: %s", id, mark->message);
}

static void expect(struct bed *b, const char *id, int level, const char *subject, const char *words)
{
	const struct sb_mark *mark = find(b, id);

	if (!mark) {
		fail_msg("no mark %s", id);
		return;
	}
	assert_int_equal(mark->level, level);
	assert_string_equal(mark->subject, subject);
	if (!strstr(mark->message, words))
		fail_msg("'%s' does not say '%s'", mark->message, words);
}

static void expect_no_link_mark(struct bed *b)
{
	expect_none(b, "link_changed");
	expect_none(b, "link_downgraded");
	expect_none(b, "link_idle");
	expect_none(b, "above_line");
}

static void test_full_speed_is_nothing_to_say(void **state)
{
	run(*state, 500e6, true);
	run(*state, 500e6, true);
	expect_no_link_mark(*state);
}

static void test_without_a_reading_there_is_no_value(void **state)
{
	struct bed *b = *state;

	put_port("Unknown\n", "0\n");
	put("sata", "sata_spd", "<unknown>\n");
	run(b, 5e9, true);
	/* at full speed nothing of this could be; what the link did is not known */
	expect_no_link_mark(b);
	set_link(b, b->port, "2.5 GT/s", NULL, "1", NULL);
	node_of(b, b->port)->line_bytes_s = sb_pcie_line(2.5, 1);
	run(b, 300e6, false);
	expect_no_link_mark(b);
}

static void test_changed(void **state)
{
	struct bed *b = *state;

	run(b, 500e6, true);
	put_port("2.5 GT/s PCIe\n", "2\n");
	run(b, 100e6, true);
	expect(b, "link_changed", SB_MARK_TAINT, "port",
	       "ran at 8 GT/s x2 (alone, round 1) and at 2.5 GT/s x2 (alone, round 2)");
	/* it is known that both ends can do more: they did */
	expect(b, "link_downgraded", SB_MARK_NOTE, "port", "8 GT/s x2");
	assert_int_equal(sb_judge_status(&b->result), SB_EXIT_TAINT);
	/* in no figure */
	b->result.phases[1].kind = SB_PHASE_CALIBRATE;
	expect_no_link_mark(b);
}

static void test_width_changed(void **state)
{
	struct bed *b = *state;

	run(b, 500e6, true);
	put_port("8.0 GT/s PCIe\n", "1\n");
	run(b, 500e6, true);
	expect(b, "link_changed", SB_MARK_TAINT, "port", "at 8 GT/s x1 (alone, round 2)");
}

static void test_sata_downgraded(void **state)
{
	struct bed *b = *state;

	set_link(b, b->sata, "3 Gb/s", "6 Gb/s", NULL, NULL);
	node_of(b, b->sata)->line_bytes_s = sb_sata_line(3);
	put("sata", "sata_spd", "3.0 Gbps\n");
	run(b, 250e6, true);
	/* one end can do more, the other is not known */
	expect_no_link_mark(b);
	sb_node_set(node_of(b, b->sata), "downgraded", "1");
	expect(b, "link_downgraded", SB_MARK_NOTE, "sata",
	       "ran at 3 Gb/s under load (alone, round 1), where both ends can do 6 Gb/s");
	expect_none(b, "link_changed");
	assert_int_equal(sb_judge_status(&b->result), SB_EXIT_OK);
}

static void make_idle(struct bed *b)
{
	set_link(b, b->port, "2.5 GT/s", "8 GT/s", "2", "2");
	set_link(b, b->controller, "2.5 GT/s", "8 GT/s", "2", "2");
	sb_node_set(node_of(b, b->port), "downgraded", "1");
	sb_node_set(node_of(b, b->controller), "downgraded", "1");
	node_of(b, b->port)->line_bytes_s = sb_pcie_line(2.5, 2);
	node_of(b, b->port)->practical_bytes_s = sb_pcie_practical(2.5, 2, 128);
}

static void test_idle_link_is_a_note(void **state)
{
	struct bed *b = *state;

	make_idle(b);
	/* over what it could carry while it was idle */
	run(b, 590e6, true);
	expect(b, "link_idle", SB_MARK_NOTE, "port", "2.5 GT/s x2");
	expect_none(b, "link_downgraded");
	expect_none(b, "above_line");
	assert_int_equal(sb_judge_status(&b->result), SB_EXIT_OK);
}

static void test_slow_under_load_is_no_idle_link(void **state)
{
	struct bed *b = *state;

	make_idle(b);
	put_port("5.0 GT/s PCIe\n", "2\n");
	run(b, 500e6, true);
	expect(b, "link_downgraded", SB_MARK_NOTE, "port", "5 GT/s x2");
	expect_none(b, "link_idle");
}

static void test_emulated_links_say_nothing(void **state)
{
	struct bed *b = *state;

	make_idle(b);
	node_of(b, b->port)->line_bytes_s = NAN;
	put_port("2.5 GT/s PCIe\n", "1\n");
	run(b, 590e6, true);
	expect_no_link_mark(b);
}

static void test_above_line(void **state)
{
	struct bed *b = *state;

	run(b, 605e6, true); /* 0.8 % over SATA's 600 */
	expect_none(b, "above_line");
	run(b, 610e6, true);
	expect(b, "above_line", SB_MARK_TAINT, "sata", "610 MB/s (alone, round 2)");
	/* the reading of the phase counts */
	set_link(b, b->sata, "3 Gb/s", "6 Gb/s", NULL, NULL);
	node_of(b, b->sata)->line_bytes_s = sb_sata_line(3);
	b->result.phases[1].jobs[0].bytes = 590000000;
	expect_none(b, "above_line");
}

static void test_above_line_that_was_sampled_lower(void **state)
{
	struct bed *b = *state;

	put("sata", "sata_spd", "1.5 Gbps\n");
	run(b, 200e6, true);
	expect(b, "above_line", SB_MARK_TAINT, "sata", "150 MB/s");
}

static void test_idle_trained_link_that_was_not_sampled(void **state)
{
	struct bed *b = *state;

	make_idle(b);
	run(b, 590e6, false);
	expect_none(b, "above_line");
}

/* With buffered reading the rest came from memory, which has a note of its own. */
static void test_cached_bytes_pass_no_link(void **state)
{
	struct bed *b = *state;
	struct sb_phase *phase = run(b, 1200e6, true);

	phase->jobs[0].device_bytes = 400000000;
	b->result.options.buffered = true;
	expect_none(b, "above_line");
	phase->jobs[0].device_bytes = 1100000000;
	expect(b, "above_line", SB_MARK_TAINT, "sata", "1.10 GB/s");
}

/* An array's bytes pass a link only where all of its members are behind it. */
static void test_array_over_two_links(void **state)
{
	struct bed *b = *state;
	int other, disk, md;

	other = add(b, SB_NODE_LINK, "sata2", b->machine);
	disk = sb_topo_add(&b->result.topo, SB_NODE_DISK, "disk2", "disk2", other);
	md = sb_topo_add(&b->result.topo, SB_NODE_MD, "md", "md", b->machine);
	assert_int_equal(sb_topo_add_below(&b->result.topo, md, b->disk), 0);
	b->result.devices[0].node = md;
	run(b, 1100e6, true);
	expect(b, "above_line", SB_MARK_TAINT, "sata", "1.10 GB/s");
	assert_int_equal(sb_topo_add_below(&b->result.topo, md, disk), 0);
	expect_none(b, "above_line");
}

static void set_action(struct bed *b, int md, const char *start, const char *end)
{
	sb_node_set(node_of(b, md), "md_sync_action", start);
	sb_node_set(node_of(b, md), "md_sync_action_end", end);
}

static void test_resync(void **state)
{
	struct bed *b = *state;
	int part, md, other;

	part = sb_topo_add(&b->result.topo, SB_NODE_PARTITION, "disk1", "disk1", b->disk);
	md = sb_topo_add(&b->result.topo, SB_NODE_MD, "md0", "md0", b->machine);
	other = sb_topo_add(&b->result.topo, SB_NODE_MD, "md1", "md1", b->machine);
	assert_int_equal(sb_topo_add_below(&b->result.topo, md, part), 0);
	run(b, 100e6, true);
	expect_none(b, "resync"); /* raid0 has no such thing */
	set_action(b, md, "idle", "frozen");
	set_action(b, other, "check", "check"); /* of others' disks */
	expect_none(b, "resync");
	set_action(b, md, "recover", "idle");
	expect(b, "resync", SB_MARK_TAINT, "md0", "(recover)");
	set_action(b, md, "idle", "check");
	expect(b, "resync", SB_MARK_TAINT, "md0", "(check)");
	b->result.devices[0].node = md;
	expect(b, "resync", SB_MARK_TAINT, "md0", "(check)");
}

static void test_clock_step(void **state)
{
	struct bed *b = *state;

	run(b, 100e6, true);
	expect_none(b, "clock_step"); /* not known */
	b->result.realtime_step_s = 0.4;
	expect_none(b, "clock_step");
	b->result.realtime_step_s = -3.5;
	assert_non_null(find(b, "clock_step"));
	assert_non_null(strstr(find(b, "clock_step")->message, "3.5 s less"));
	assert_int_equal(sb_judge_status(&b->result), SB_EXIT_TAINT);
}

static void test_throttled(void **state)
{
	struct bed *b = *state;

	run(b, 100e6, true);
	expect_none(b, "throttled"); /* not known */
	b->result.throttle_events = 0;
	expect_none(b, "throttled");
	b->result.throttle_events = 17;
	assert_non_null(strstr(find(b, "throttled")->message, "17 times"));
	assert_int_equal(sb_judge_status(&b->result), SB_EXIT_TAINT);
}

static void test_throttle_counts_are_added(void **state)
{
	SB_AUTO_FREE char *cpus = NULL;

	(void)state;
	assert_true(asprintf(&cpus, "%s/cpus", folder) > 0);
	assert_true(sb_throttle_read(cpus) == SB_NONE_U64);
	mkdir(cpus, 0700);
	assert_true(sb_throttle_read(cpus) == SB_NONE_U64);
	for (const char *const *name =
		     (const char *const[]){"cpus/cpu0", "cpus/cpu11", "cpus/cpufreq", NULL};
	     *name; name++) {
		SB_AUTO_FREE char *place = NULL, *dir = NULL;

		assert_true(asprintf(&dir, "%s/%s", folder, *name) > 0);
		assert_true(asprintf(&place, "%s/thermal_throttle", *name) > 0);
		mkdir(dir, 0700);
		put(place, "core_throttle_count", "40\n");
	}
	put("cpus/cpu0/thermal_throttle", "package_throttle_count", "2\n");
	assert_int_equal(sb_throttle_read(cpus), 82);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	SB_AUTO_FREE char *command = NULL;

	(void)state;
	return asprintf(&command, "rm -rf %s", folder) < 0 ? -1 : system(command);
}

#define BED_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(test_full_speed_is_nothing_to_say),
		BED_TEST(test_without_a_reading_there_is_no_value),
		BED_TEST(test_changed),
		BED_TEST(test_width_changed),
		BED_TEST(test_sata_downgraded),
		BED_TEST(test_idle_link_is_a_note),
		BED_TEST(test_slow_under_load_is_no_idle_link),
		BED_TEST(test_emulated_links_say_nothing),
		BED_TEST(test_above_line),
		BED_TEST(test_above_line_that_was_sampled_lower),
		BED_TEST(test_idle_trained_link_that_was_not_sampled),
		BED_TEST(test_cached_bytes_pass_no_link),
		BED_TEST(test_array_over_two_links),
		BED_TEST(test_resync),
		BED_TEST(test_clock_step),
		BED_TEST(test_throttled),
		cmocka_unit_test(test_throttle_counts_are_added),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
