/* Putting the display on stderr: on a terminal it is drawn over itself, at most four times a
 * second, from its first line on, and never wider or taller than the window is now. Elsewhere a
 * line an interval, or nothing. The only escape codes are cursor up, erase to the end of line or
 * screen and, without NO_COLOR, red for a device with errors. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "progress_priv.h"
#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"

#define REDRAW_NS (SB_NS_PER_SEC / 4)
#define TOO_NARROW 20

struct sb_progress {
	bool screen; /* drawn in place */
	bool utf8, colour;
	uint64_t interval_ns, last_ns;
	double left_s; /* at `left_ns`; NaN */
	uint64_t left_ns;
	struct view view;
	char **labels;
	size_t n_labels;

	/* what stands on the screen: lines, their widths, and the window's at that time */
	unsigned short *widths;
	size_t n_lines, widths_capacity;
	size_t columns;

	char *text; /* gathered, to be written at once */
	size_t length, capacity;
};

static bool is_capable(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

struct sb_progress *sb_progress_create(const struct sb_progress_options *options)
{
	const char *no_color = getenv("NO_COLOR");
	bool screen = is_capable();
	struct sb_progress *p;

	if (options->disabled || (!screen && !(options->status_interval_s > 0)))
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->screen = screen;
	p->left_s = NAN;
	p->utf8 = report_locale_is_utf8();
	p->colour = !(no_color && *no_color);
	p->interval_ns = screen ? REDRAW_NS
			 : options->status_interval_s < 1e9
				 ? sb_seconds_to_ns(options->status_interval_s)
				 : UINT64_MAX;
	p->last_ns = screen ? 0 : sb_now_ns();
	return p;
}

void sb_progress_left(struct sb_progress *p, double seconds)
{
	if (!p)
		return;
	p->left_s = seconds;
	p->left_ns = sb_now_ns();
}

static void put(struct sb_progress *p, const char *text, size_t length)
{
	if (p->capacity - p->length < length) {
		size_t more = (p->length + length) * 2;
		char *larger = realloc(p->text, more);

		if (!larger)
			return;
		p->text = larger;
		p->capacity = more;
	}
	memcpy(p->text + p->length, text, length);
	p->length += length;
}

static void put_text(struct sb_progress *p, const char *text)
{
	put(p, text, strlen(text));
}

/* What has gathered, in one go; a terminal that is gone is no fault of the run. */
static void flush(struct sb_progress *p)
{
	size_t done = 0;

	while (done < p->length) {
		ssize_t n = write(STDERR_FILENO, p->text + done, p->length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	p->length = 0;
}

static struct winsize window(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
		return (struct winsize){.ws_col = 80, .ws_row = 24};
	return size;
}

/* To the first column of the first line that was drawn. Terminals wrap the old lines anew when
 * they get narrower. */
static void go_home(struct sb_progress *p, size_t columns)
{
	size_t up = 0;
	char code[32];

	for (size_t i = 0; i < p->n_lines; i++)
		up += columns < p->columns && p->widths[i] > columns
			      ? (p->widths[i] + columns - 1) / columns
			      : 1;
	if (up == 0)
		return;
	snprintf(code, sizeof(code), "\r\033[%zuA", up);
	put_text(p, code);
}

void sb_progress_clear(struct sb_progress *p)
{
	if (!p || p->n_lines == 0)
		return;
	go_home(p, window().ws_col);
	put_text(p, "\033[J");
	p->n_lines = 0;
	flush(p);
}

/* Cuts what has been put into `line` to the window and adds it; remembers its width. */
static void add_line(struct sb_progress *p, const char *line, size_t columns, bool red)
{
	size_t fit = report_fit(line, columns - 1);
	size_t width = report_columns(line);

	if (p->n_lines == p->widths_capacity) {
		size_t more = p->widths_capacity ? p->widths_capacity * 2 : 64;
		unsigned short *widths = reallocarray(p->widths, more, sizeof(*widths));

		if (!widths)
			return;
		p->widths = widths;
		p->widths_capacity = more;
	}
	p->widths[p->n_lines++] = (unsigned short)(width < columns ? width : columns - 1);
	if (red && p->colour)
		put_text(p, "\033[31m");
	put(p, line, fit);
	if (red && p->colour)
		put_text(p, "\033[m");
	put_text(p, "\033[K\n");
}

static bool is_faulty(const struct view_job *job)
{
	return job->errors > 0 || job->silent_s > 0;
}

static void add_job(struct sb_progress *p, const struct view_job *job, size_t columns, size_t name)
{
	struct view_text line;
	size_t bar = 0;

	if (columns > name + 40)
		bar = columns - name - 40 < 30 ? columns - name - 40 : 30;
	view_line(&line, job, &p->view, name, bar, p->utf8);
	add_line(p, line.text, columns, is_faulty(job));
}

static void add_rest(struct sb_progress *p, size_t n, double bytes_s, size_t columns)
{
	char line[100];

	snprintf(line, sizeof(line), "... and %zu more, together %.1f MB/s", n, bytes_s / 1e6);
	add_line(p, line, columns, false);
}

/* As many devices as there are rows for: those with faults first, then in their order. */
static void add_jobs(struct sb_progress *p, size_t columns, size_t rows)
{
	const struct view *view = &p->view;
	size_t room = view->n_jobs <= rows ? view->n_jobs : rows - 1;
	size_t faulty = 0, calm, name = 6;
	double rest = 0;
	size_t left_out = 0;

	for (size_t i = 0; i < view->n_jobs; i++) {
		size_t width = report_columns(view->jobs[i].label);

		faulty += is_faulty(&view->jobs[i]);
		name = width > name ? width : name;
	}
	if (name > columns / 3)
		name = columns / 3;
	if (faulty > room)
		faulty = room;
	calm = room - faulty;
	for (size_t i = 0; i < view->n_jobs; i++) {
		const struct view_job *job = &view->jobs[i];
		size_t *share = is_faulty(job) ? &faulty : &calm;

		if (*share > 0) {
			(*share)--;
			add_job(p, job, columns, name);
		} else {
			left_out++;
			rest += job->bytes_s > 0 ? job->bytes_s : 0;
		}
	}
	if (left_out > 0)
		add_rest(p, left_out, rest, columns);
}

static void draw(struct sb_progress *p)
{
	struct winsize size = window();
	SB_AUTO_FREE char *reason = p->view.reason ? sb_escape(p->view.reason) : NULL;
	size_t rows = (size_t)size.ws_row - 2;
	struct view_text head;

	view_head(&head, &p->view);
	go_home(p, size.ws_col);
	p->n_lines = 0;
	p->columns = size.ws_col;
	if (size.ws_col >= 2)
		add_line(p, head.text, size.ws_col, false);
	/* the cursor stands below the last line, and needs a row, too */
	if (size.ws_row > 4 && size.ws_col >= TOO_NARROW && reason) {
		add_line(p, reason, size.ws_col, false);
		rows--;
	}
	if (size.ws_row > 3 && size.ws_col >= TOO_NARROW)
		add_jobs(p, size.ws_col, rows);
	put_text(p, "\033[J");
	flush(p);
}

static bool make_labels(struct sb_progress *p, const struct sb_result *result)
{
	if (p->labels && p->n_labels == result->n_devices)
		return true;
	report_labels_free(p->labels, p->n_labels);
	p->labels = report_labels(result);
	p->n_labels = p->labels ? result->n_devices : 0;
	return p->labels != NULL;
}

/* True once an interval. */
static bool is_due(struct sb_progress *p)
{
	uint64_t now = sb_now_ns();

	if (now - p->last_ns < p->interval_ns)
		return false;
	p->last_ns = now;
	return true;
}

/* A line that is redrawn in place needs one more below it for the cursor. */
static bool has_room(const struct sb_progress *p)
{
	struct winsize size = window();

	return !p->screen || (size.ws_row >= 2 && size.ws_col >= 2);
}

static void put_reason(struct sb_progress *p)
{
	SB_AUTO_FREE char *reason = sb_escape(p->view.reason);

	put_text(p, "  ");
	put_text(p, reason ? reason : "");
}

void sb_progress_update(struct sb_progress *p, const struct sb_result *result,
			const struct sb_phase *phase, const struct sb_series *series,
			const struct sb_live *const *lives)
{
	struct view_text line;

	if (!p || !is_due(p) || !has_room(p) || !make_labels(p, result) ||
	    !view_update(&p->view, result, phase, series, lives, p->labels))
		return;
	p->view.left_s = p->left_s - (double)(sb_now_ns() - p->left_ns) / 1e9;
	if (p->screen) {
		draw(p);
		return;
	}
	view_head(&line, &p->view);
	put_text(p, line.text);
	if (p->view.reason)
		put_reason(p);
	put_text(p, "\n");
	flush(p);
}

void sb_progress_say(struct sb_progress *p, const char *text)
{
	struct winsize size = window();

	if (!p || !is_due(p) || !has_room(p))
		return;
	if (p->screen) {
		go_home(p, size.ws_col);
		p->n_lines = 0;
		p->columns = size.ws_col;
		add_line(p, text, size.ws_col, false);
		put_text(p, "\033[J");
	} else {
		put_text(p, text);
		put_text(p, "\n");
	}
	flush(p);
}

void sb_progress_destroy(struct sb_progress *p)
{
	if (!p)
		return;
	sb_progress_clear(p);
	free(p->text);
	free(p->widths);
	free(p->view.jobs);
	report_labels_free(p->labels, p->n_labels);
	free(p);
}
