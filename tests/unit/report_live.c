/* The live view of a given state, as text, in windows of several sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

#include "live_priv.h"
#include "report_data.h"
#include "report_priv.h"
#include "satabench/clock.h"

#define MOST 64

struct scene {
	struct sb_result result;
	struct sb_phase *phase;
	struct sb_series *series;
	struct sb_live *lives;
	struct sb_hist *hists;
	const struct sb_live *pointers[MOST];
	char **labels;
	struct view view;
	struct live live;
};

/* `n` disks, `each` on a controller; all are read but the last of each controller. */
static void make(struct scene *s, size_t n, size_t each)
{
	struct sb_topo *topo = &s->result.topo;
	int machine, controller = -1;
	char id[32], text[32];
	struct sb_row *row;

	*s = (struct scene){.lives = aligned_alloc(128, MOST * sizeof(*s->lives)),
			    .hists = calloc(MOST, sizeof(*s->hists))};
	memset(s->lives, 0, MOST * sizeof(*s->lives));
	sb_result_init(&s->result);
	machine = sb_topo_add(topo, SB_NODE_MACHINE, "machine", "machine", -1);
	s->phase = sb_result_add_phase(&s->result, SB_PHASE_ALL, 2, "all at once, to see");
	s->phase->runtime_s = 2;
	for (size_t i = 0; i < n; i++) {
		struct sb_device *d = sb_result_add_device(&s->result);

		if (i % each == 0) {
			snprintf(id, sizeof(id), "pci:%zu", i / each);
			snprintf(text, sizeof(text), "0000:0%zu:00.0", i / each);
			controller = sb_topo_add(topo, SB_NODE_CONTROLLER, id, text, machine);
			sb_node_set(&topo->nodes[controller], "driver", "ahci");
			topo->nodes[controller].practical_bytes_s = i ? NAN : 500e6;
		}
		snprintf(id, sizeof(id), "block:sd%c", (char)('a' + i));
		d->node = sb_topo_add(topo, SB_NODE_DISK, id, id + 6, controller);
		data_set(&d->target, id + 6);
		d->state = SB_DEVICE_READY;
		if (i % each + 1 < each)
			sb_phase_add_job(s->phase)->device = (int)i;
	}
	s->series = sb_series_create(s->phase->n_jobs);
	for (uint64_t second = 0; second < 2; second++) {
		row = sb_series_next(s->series);
		row->time_ns = (second + 1) * SB_NS_PER_SEC;
		for (size_t i = 0; i < s->phase->n_jobs; i++)
			row->job_bytes[i] = second * (100 + i) * 1000000;
		sb_series_commit(s->series);
	}
	for (size_t i = 0; i < s->phase->n_jobs; i++) {
		sb_hist_reset(&s->hists[i]);
		sb_hist_add(&s->hists[i], 2000000);
		sb_hist_add(&s->hists[i], 4000000);
		s->lives[i].latency = &s->hists[i];
		s->lives[i].last_done_ns = 2 * SB_NS_PER_SEC;
		s->lives[i].state = SB_LIVE_RUNNING;
		s->pointers[i] = &s->lives[i];
	}
	s->labels = report_labels(&s->result);
}

/* Time passes on the real clock: its digits are set to ours. */
static void update(struct scene *s)
{
	assert_true(view_update(&s->view, &s->result, s->phase, s->series, s->pointers, s->labels));
	s->view.elapsed_s = 1.2;
	s->view.left_s = 75;
	assert_true(live_update(&s->live, &s->view, &s->result, s->phase, s->pointers, s->labels));
}

static void give_cpu(struct scene *s)
{
	static const double busy[] = {0, 0.3, 0.55, 1};

	live_cpu(&s->live, &(struct sb_progress_cpu){.six = {.user = 1.25,
							     .nice = 0,
							     .system = 12.5,
							     .iowait = 40.25,
							     .steal = 0,
							     .idle = 46},
						     .busy = busy,
						     .n = 4});
}

static void drop(struct scene *s)
{
	live_free(&s->live);
	free(s->view.jobs);
	report_labels_free(s->labels, s->result.n_devices);
	sb_series_destroy(s->series);
	sb_result_free(&s->result);
	free(s->lives);
	free(s->hists);
}

/* The lines without blanks at their end; checks that each is within the window. */
static char *draw(struct scene *s, size_t columns, size_t rows, bool utf8)
{
	struct frame f = {.utf8 = utf8};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	frame_begin(&f, columns, rows);
	live_draw(&s->live, &s->view, &f);
	assert_false(f.failed);
	assert_true(f.n_lines < rows);
	for (size_t i = 0; i < f.n_lines; i++) {
		char *line = strndup(f.text + f.lines[i].at, f.lines[i].length);
		size_t length = strlen(line);

		assert_null(strchr(line, '\033'));
		assert_int_equal(report_columns(line), f.lines[i].width);
		assert_true(f.lines[i].width < columns);
		while (length && line[length - 1] == ' ')
			line[--length] = '\0';
		fprintf(out, "%s\n", line);
		free(line);
	}
	fclose(out);
	frame_free(&f);
	return text;
}

static void shows(struct scene *s, size_t columns, size_t rows, bool utf8, const char *expected)
{
	char *text = draw(s, columns, rows, utf8);

	assert_string_equal(text, expected);
	free(text);
}

static void a_line_a_disk(void **state)
{
	struct scene s;

	(void)state;
	make(&s, 6, 3);
	data_set(&s.result.verdict.sentence,
		 "Nothing limits so far: the sum of what the disks give "
		 "alone is what they give together.");
	data_set(&s.result.options.plan, "diagnose");
	s.lives[1].errors = 3;
	update(&s);
	/* before the CPU was looked at twice */
	shows(&s, 80, 24, true,
	      "phase 1 together round 2                  1.2 of 2.0 s, at most 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "so far  Nothing limits so far: the sum of what the disks give alone is what\n"
	      "        they give together.\n"
	      "CPU% us - ni - sy - wa - st - id -\n"
	      "                        MB/s          last 8 s  latency  full\n"
	      "all                !   406.0                 ▇                 3 errors\n"
	      "0000:00:00.0 (ahci)!   201.0                 ▇           40 %  3 errors\n"
	      "  sda                  100.0                 ▇  3.00 ms\n"
	      "  sdb              !   101.0                 ▇  3.00 ms        3 errors\n"
	      "  sdc\n"
	      "0000:01:00.0 (ahci)    205.0                 ▇\n"
	      "  sdd                  102.0                 ▇  3.00 ms\n"
	      "  sde                  103.0                 ▇  3.00 ms\n"
	      "  sdf\n");
	give_cpu(&s);
	/* a rate that rises, twenty columns of half a second */
	for (int i = 0; i < 20; i++)
		s.live.rows[0].history[20 + i] = i * 5e6;
	shows(&s, 120, 24, true,
	      "phase 1 together round 2                                                          "
	      "1.2 of 2.0 s, at most 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "so far  Nothing limits so far: the sum of what the disks give alone is what they "
	      "give together.\n"
	      "CPU %  user 1.2  nice 0.0  system 12.5  iowait 40.2  steal 0.0  idle 46.0  ▁▃▄▇\n"
	      "                        MB/s                                last 20 s  latency  "
	      "full\n"
	      "all                !   406.0                                        ▇               "
	      "  3 errors\n"
	      "0000:00:00.0 (ahci)!   201.0                                        ▇           40 "
	      "%  3 errors\n"
	      "  sda                  100.0                     ▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇  3.00 ms\n"
	      "  sdb              !   101.0                                        ▇  3.00 ms      "
	      "  3 errors\n"
	      "  sdc\n"
	      "0000:01:00.0 (ahci)    205.0                                        ▇\n"
	      "  sdd                  102.0                                        ▇  3.00 ms\n"
	      "  sde                  103.0                                        ▇  3.00 ms\n"
	      "  sdf\n");
	shows(&s, 80, 10, false,
	      "phase 1 together round 2                  1.2 of 2.0 s, at most 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "so far  Nothing limits so far: the sum of what the disks give alone is what t..\n"
	      "CPU% us 1 ni 0 sy 12 wa 40 st 0 id 46  _:-#\n"
	      "all                !   406.0                 #                 3 errors\n"
	      "0000:00:00.0 (ahci)!   201.0                 #           40 %  3 errors\n"
	      "sda     100.0 ---===+++##  sdb !   101.0           #  sdc\n"
	      "0000:01:00.0 (ahci)    205.0                 #\n"
	      "sdd     102.0           #  sde     103.0           #  sdf\n");
	drop(&s);
}

static void many_disks_in_columns(void **state)
{
	struct scene s;

	(void)state;
	make(&s, 24, 12);
	s.result.devices[3].state = SB_DEVICE_HUNG;
	update(&s);
	give_cpu(&s);
	shows(&s, 80, 24, true,
	      "phase 1/1 together round 2                1.2 of 2.0 s, at most 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "CPU% us 1 ni 0 sy 12 wa 40 st 0 id 46  ▁▃▄▇\n"
	      "                        MB/s          last 8 s  latency  full\n"
	      "all                   2431.0                 ▇\n"
	      "0000:00:00.0 (ahci)   1155.0                 ▇          231 %  of 500 MB/s\n"
	      "  sda     100.0       ▇  3.00 ms          sdg     106.0       ▇  3.00 ms\n"
	      "  sdb     101.0       ▇  3.00 ms          sdh     107.0       ▇  3.00 ms\n"
	      "  sdc     102.0       ▇  3.00 ms          sdi     108.0       ▇  3.00 ms\n"
	      "  sdd !   103.0       ▇  3.00 ms          sdj     109.0       ▇  3.00 ms\n"
	      "  sde     104.0       ▇  3.00 ms          sdk     110.0       ▇  3.00 ms\n"
	      "  sdf     105.0       ▇  3.00 ms          sdl\n"
	      "0000:01:00.0 (ahci)   1276.0                 ▇\n"
	      "  sdm     111.0       ▇  3.00 ms          sds     117.0       ▇  3.00 ms\n"
	      "  sdn     112.0       ▇  3.00 ms          sdt     118.0       ▇  3.00 ms\n"
	      "  sdo     113.0       ▇  3.00 ms          sdu     119.0       ▇  3.00 ms\n"
	      "  sdp     114.0       ▇  3.00 ms          sdv     120.0       ▇  3.00 ms\n"
	      "  sdq     115.0       ▇  3.00 ms          sdw     121.0       ▇  3.00 ms\n"
	      "  sdr     116.0       ▇  3.00 ms          sdx\n");
	shows(&s, 60, 15, false,
	      "phase 1/1 together round 2    1.2 of 2.0 s, 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "CPU% us 1 ni 0 sy 12 wa 40 st 0 id 46  _:-#\n"
	      "                        MB/s        last 7 s  latency  full\n"
	      "all                   2431.0               #\n"
	      "0000:00:00.0 (ahci)   1155.0               #          231 %\n"
	      "sda     100.0  sdd !   103.0  sdg     106.0  sdj     109.0\n"
	      "sdb     101.0  sde     104.0  sdh     107.0  sdk     110.0\n"
	      "sdc     102.0  sdf     105.0  sdi     108.0  sdl\n"
	      "0000:01:00.0 (ahci)   1276.0               #\n"
	      "sdm     111.0  sdp     114.0  sds     117.0  sdv     120.0\n"
	      "sdn     112.0  sdq     115.0  sdt     118.0  sdw     121.0\n"
	      "sdo     113.0  sdr     116.0  sdu     119.0  sdx\n");
	drop(&s);
}

static void a_wide_window(void **state)
{
	struct scene s;

	(void)state;
	make(&s, 24, 12);
	s.result.devices[3].state = SB_DEVICE_HUNG;
	update(&s);
	give_cpu(&s);
	shows(&s, 200, 60, true,
	      "phase 1/1 together round 2                                                          "
	      "                                                                              1.2 "
	      "of 2.0 s, at most 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "CPU %  user 1.2  nice 0.0  system 12.5  iowait 40.2  steal 0.0  idle 46.0  ▁▃▄▇\n"
	      "                        MB/s                                last 20 s  latency  "
	      "full\n"
	      "all                   2431.0                                        ▇\n"
	      "0000:00:00.0 (ahci)   1155.0                                        ▇          231 "
	      "%  of 500 MB/s\n"
	      "  sda                  100.0                                        ▇  3.00 ms\n"
	      "  sdb                  101.0                                        ▇  3.00 ms\n"
	      "  sdc                  102.0                                        ▇  3.00 ms\n"
	      "  sdd              !   103.0                                        ▇  3.00 ms      "
	      "  hung\n"
	      "  sde                  104.0                                        ▇  3.00 ms\n"
	      "  sdf                  105.0                                        ▇  3.00 ms\n"
	      "  sdg                  106.0                                        ▇  3.00 ms\n"
	      "  sdh                  107.0                                        ▇  3.00 ms\n"
	      "  sdi                  108.0                                        ▇  3.00 ms\n"
	      "  sdj                  109.0                                        ▇  3.00 ms\n"
	      "  sdk                  110.0                                        ▇  3.00 ms\n"
	      "  sdl\n"
	      "0000:01:00.0 (ahci)   1276.0                                        ▇\n"
	      "  sdm                  111.0                                        ▇  3.00 ms\n"
	      "  sdn                  112.0                                        ▇  3.00 ms\n"
	      "  sdo                  113.0                                        ▇  3.00 ms\n"
	      "  sdp                  114.0                                        ▇  3.00 ms\n"
	      "  sdq                  115.0                                        ▇  3.00 ms\n"
	      "  sdr                  116.0                                        ▇  3.00 ms\n"
	      "  sds                  117.0                                        ▇  3.00 ms\n"
	      "  sdt                  118.0                                        ▇  3.00 ms\n"
	      "  sdu                  119.0                                        ▇  3.00 ms\n"
	      "  sdv                  120.0                                        ▇  3.00 ms\n"
	      "  sdw                  121.0                                        ▇  3.00 ms\n"
	      "  sdx\n");
	drop(&s);
}

/* Sums, and what is faulty. */
static void windows_too_small_for_all(void **state)
{
	struct scene s;

	(void)state;
	make(&s, 24, 12);
	s.result.devices[3].state = SB_DEVICE_HUNG;
	update(&s);
	give_cpu(&s);
	shows(&s, 40, 8, false,
	      "phase 1/  1.2 of 2.0 s, 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "CPU% us 1 ni 0 sy 12 wa 40 st 0 id 46\n"
	      "all                   2431.0          #\n"
	      "0000:00:00.0 (ahci)   1155.0          #\n"
	      "0000:01:00.0 (ahci)   1276.0          #\n"
	      "  sdd              !   103.0          #\n");
	shows(&s, 30, 4, false,
	      "1.2 of 2.0 s, 1 min 15 s left\n"
	      "CPU% us 1 ni 0 sy 12 wa 40 st\n"
	      "all                   2431.0\n");
	shows(&s, 20, 2, false, "1.2 of 2.0 s, 1 min\n");
	shows(&s, 10, 3, false,
	      "1.2 of 2.\n"
	      "   2431.0\n");
	shows(&s, 2, 2, false, "1\n");
	drop(&s);
}

/* Nothing is known of where they hang; the rest of a phase is not read. */
static void disks_without_a_controller(void **state)
{
	struct scene s;

	(void)state;
	make(&s, 3, 3);
	for (int i = 0; i < 3; i++)
		s.result.devices[i].node = -1;
	update(&s);
	shows(&s, 60, 12, true,
	      "phase 1/1 together round 2    1.2 of 2.0 s, 1 min 15 s left\n"
	      "why     all at once, to see\n"
	      "CPU% us - ni - sy - wa - st - id -\n"
	      "                           MB/s           last 9 s  latency\n"
	      "all                       201.0                  ▇\n"
	      "sda                       100.0                  ▇  3.00 ms\n"
	      "sdb                       101.0                  ▇  3.00 ms\n"
	      "sdc\n");
	drop(&s);
}

static void any_window(void **state)
{
	struct scene s;

	(void)state;
	make(&s, 24, 5);
	update(&s);
	give_cpu(&s);
	for (size_t rows = 2; rows < 45; rows++)
		for (size_t columns = 2; columns < 220; columns += 1 + columns / 20)
			free(draw(&s, columns, rows, rows % 2));
	drop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_a_disk),
		cmocka_unit_test(many_disks_in_columns),
		cmocka_unit_test(a_wide_window),
		cmocka_unit_test(windows_too_small_for_all),
		cmocka_unit_test(disks_without_a_controller),
		cmocka_unit_test(any_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
