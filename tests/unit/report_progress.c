/* The display while it runs, on a small terminal of our own: it never wraps, never scrolls, and
 * leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report_data.h"
#include "satabench/clock.h"

#define MAX_ROWS 40
#define MAX_COLS 200

struct screen {
	char cell[MAX_ROWS][MAX_COLS]; /* one byte a column; '#' for what is not ASCII */
	int rows, cols, row, col;
	bool wrapped, scrolled, escaped;
};

static void erase_line(struct screen *s, int row, int from)
{
	memset(&s->cell[row][from], ' ', (size_t)(MAX_COLS - from));
}

static const char *escape(struct screen *s, const char *at)
{
	int n = 0;

	s->escaped = true;
	assert_int_equal(*at++, '[');
	while (*at >= '0' && *at <= '9')
		n = n * 10 + *at++ - '0';
	if (*at == 'A')
		s->row = s->row > n ? s->row - n : 0;
	else if (*at == 'K')
		erase_line(s, s->row, s->col);
	else if (*at == 'J')
		for (int r = s->row; r < MAX_ROWS; r++)
			erase_line(s, r, r == s->row ? s->col : 0);
	else
		assert_int_equal(*at, 'm');
	return at + 1;
}

static void show(struct screen *s, const char *text)
{
	while (*text) {
		unsigned char c = (unsigned char)*text++;

		if (c == '\033') {
			text = escape(s, text);
		} else if (c == '\r') {
			s->col = 0;
		} else if (c == '\n') {
			if (++s->row >= s->rows)
				s->scrolled = true;
		} else if (c < 0x80 || c >= 0xc0) {
			if (s->col >= s->cols)
				s->wrapped = true;
			assert_in_range(s->row, 0, MAX_ROWS - 1);
			assert_in_range(s->col, 0, MAX_COLS - 1);
			s->cell[s->row][s->col++] = c < 0x80 ? (char)c : '#';
		}
	}
}

static bool stands(const struct screen *s, int row, const char *text)
{
	return strncmp(s->cell[row], text, strlen(text)) == 0;
}

struct run {
	int rows, cols, devices;
	const char *term;
	double interval_s;
	bool destroy, resize, group;
};

/* In the child, with stderr on the terminal or the pipe. */
static void drive(const struct run *run)
{
	struct sb_progress_options options = {.status_interval_s = run->interval_s, .plain = true};
	size_t n = (size_t)run->devices;
	struct sb_live *lives = aligned_alloc(128, n * sizeof(*lives));
	const struct sb_live **pointers = calloc(n, sizeof(*pointers));
	struct sb_series *series = sb_series_create(n);
	struct sb_progress *progress = sb_progress_create(&options);
	struct sb_result result;
	struct sb_phase *phase;

	sb_result_init(&result);
	phase = sb_result_add_phase(&result, SB_PHASE_ALL, 1, "");
	if (run->group) {
		sb_topo_add(&result.topo, SB_NODE_CONTROLLER, "pci:a", "0000:02:00.0", -1);
		sb_topo_add(&result.topo, SB_NODE_DISK, "block:sda", "sda", 0);
		phase->kind = SB_PHASE_LEAVE_ONE_OUT;
		phase->round = SB_ROUND_PAIRS + 2;
		phase->node = 0;
		phase->left_out = 1;
		data_set(&phase->reason, "do the others get what it leaves?");
		sb_progress_left(progress, 75);
		data_set(&result.options.plan, "diagnose");
	}
	memset(lives, 0, n * sizeof(*lives));
	for (size_t i = 0; i < n; i++) {
		char name[100];

		snprintf(name, sizeof(name), "/dev/disk/by-id/ata-WDC_WD40EFRX_%zu", i);
		data_set(&sb_result_add_device(&result)->target, name);
		sb_phase_add_job(phase)->device = (int)i;
		lives[i].errors = i + 1 == n ? 7 : 0;
		pointers[i] = &lives[i];
	}
	sb_progress_say(progress,
			"waking the disks, a line that is wider than the narrow window is");
	for (unsigned step = 0; step < 4; step++) {
		struct sb_row *row = sb_series_next(series);

		row->time_ns = step * SB_NS_PER_SEC;
		for (size_t i = 0; i < n; i++)
			row->job_bytes[i] = step * 100000000ULL;
		sb_series_commit(series);
		usleep(260000);
		if (run->resize && step == 2) {
			struct winsize size = {.ws_row = 8, .ws_col = 30};

			ioctl(2, TIOCSWINSZ, &size);
		}
		sb_progress_update(progress, &result, phase, series, pointers);
	}
	if (run->destroy)
		sb_progress_destroy(progress);
}

static char *read_to_end(int fd)
{
	size_t used = 0, size = 1 << 20;
	char *text = calloc(1, size);
	ssize_t n;

	assert_non_null(text);
	while (used + 1 < size && (n = read(fd, text + used, size - used - 1)) > 0)
		used += (size_t)n;
	return text;
}

static char *output_of(const struct run *run, struct screen *screen)
{
	struct winsize size = {.ws_row = (unsigned short)run->rows,
			       .ws_col = (unsigned short)run->cols};
	int fd = -1, pipes[2], status;
	pid_t pid;
	char *text;

	memset(screen, 0, sizeof(*screen));
	for (int r = 0; r < MAX_ROWS; r++)
		erase_line(screen, r, 0);
	screen->rows = run->rows;
	screen->cols = run->cols;
	assert_int_equal(pipe(pipes), 0);
	pid = run->rows > 0 ? forkpty(&fd, NULL, NULL, &size) : fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (run->rows == 0)
			dup2(pipes[1], 2);
		close(pipes[0]);
		close(pipes[1]);
		setenv("TERM", run->term, 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		drive(run);
		_exit(0);
	}
	close(pipes[1]);
	text = read_to_end(run->rows > 0 ? fd : pipes[0]);
	close(pipes[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	if (run->rows > 0)
		close(fd);
	return text;
}

static void test_as_many_devices_as_there_are_rows(void **state)
{
	struct run run = {.rows = 10, .cols = 40, .devices = 30, .term = "xterm"};
	struct screen s;
	char *text = output_of(&run, &s);

	(void)state;
	show(&s, text);
	assert_false(s.wrapped);
	assert_false(s.scrolled);
	assert_true(stands(&s, 0, "phase 1/1 together round 1  3000.0 MB/s"));
	/* the device with errors is shown though it is the last */
	assert_non_null(strstr(s.cell[7], "100.0 MB/s"));
	assert_true(stands(&s, 8, "... and 23 more, together 2300.0 MB/s"));
	assert_true(stands(&s, 9, "        "));
	free(text);
}

static void test_nothing_is_left_on_the_screen(void **state)
{
	struct run run = {.rows = 24, .cols = 80, .devices = 3, .term = "xterm", .destroy = true};
	struct screen s;
	char *text = output_of(&run, &s);

	(void)state;
	show(&s, text);
	assert_true(s.escaped && !s.wrapped && !s.scrolled);
	assert_int_equal(s.row, 0);
	assert_int_equal(s.col, 0);
	for (int r = 0; r < s.rows; r++)
		assert_true(stands(&s, r, "                                        "));
	free(text);
}

static void test_a_smaller_window_is_kept_to(void **state)
{
	struct run run = {.rows = 24, .cols = 80, .devices = 12, .term = "xterm", .resize = true};
	struct screen s;
	char *text = output_of(&run, &s), *last = NULL, *newest = NULL;

	(void)state;
	/* what was drawn after the change begins at the cursor-up before the last: twice, and the
	 * second time only what is another */
	for (char *at = text; (at = strstr(at, "\r\033[")) != NULL; at++) {
		last = newest;
		newest = at;
	}
	assert_non_null(last);
	s.rows = 8;
	s.cols = 30;
	show(&s, last);
	assert_false(s.wrapped);
	assert_false(s.scrolled);
	assert_non_null(strstr(last, "... and 7 more"));
	free(text);
}

static void test_what_is_asked_and_how_long_it_takes(void **state)
{
	struct run run = {.rows = 8, .cols = 120, .devices = 12, .term = "xterm", .group = true};
	struct run lines = {.devices = 3, .term = "xterm", .interval_s = 0.5, .group = true};
	struct screen s;
	char *text = output_of(&run, &s);

	(void)state;
	show(&s, text);
	assert_false(s.wrapped);
	assert_false(s.scrolled);
	assert_true(stands(&s, 0, "phase 1 leave one out 0000:02:00.0 without sda pair 2  "));
	assert_non_null(strstr(s.cell[0], "  at most 1 min 1"));
	assert_true(stands(&s, 1, "do the others get what it leaves?  "));
	assert_true(stands(&s, 6, "... and 8 more"));
	free(text);
	text = output_of(&lines, &s);
	assert_non_null(strstr(text, " left  7 errors  do the others get what it leaves?\n"));
	free(text);
}

static void test_elsewhere_no_codes_and_nothing_unasked(void **state)
{
	struct run asked = {.devices = 3, .term = "xterm", .interval_s = 0.5};
	struct run unasked = {.devices = 3, .term = "xterm"};
	struct run dumb = {.rows = 24, .cols = 80, .devices = 3, .term = "dumb"};
	struct screen s;
	char *text;

	(void)state;
	text = output_of(&unasked, &s);
	assert_string_equal(text, "");
	free(text);
	text = output_of(&dumb, &s);
	assert_string_equal(text, "");
	free(text);
	text = output_of(&asked, &s);
	show(&s, text);
	assert_false(s.escaped);
	assert_non_null(strstr(text, "phase 1/1 together round 1  300.0 MB/s"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_many_devices_as_there_are_rows),
		cmocka_unit_test(test_nothing_is_left_on_the_screen),
		cmocka_unit_test(test_a_smaller_window_is_kept_to),
		cmocka_unit_test(test_what_is_asked_and_how_long_it_takes),
		cmocka_unit_test(test_elsewhere_no_codes_and_nothing_unasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
