/* The display on stderr while it runs: on a terminal the tree of controllers (live.c), or a line a
 * device, drawn over itself at most four times a second and never wider or taller than the window
 * is now. Elsewhere a line an interval, or nothing. */
#include "satabench/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_priv.h"
#include "progress_priv.h"
#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"
#include "screen_priv.h"

#define REDRAW_NS (SB_NS_PER_SEC / 4)
#define TOO_NARROW 20

struct sb_progress {
	bool on_screen; /* drawn in place */
	bool plain;	/* without the tree */
	uint64_t interval_ns, last_ns;
	double left_s; /* at `left_ns`; NaN */
	uint64_t left_ns;
	struct view view;
	struct live live;
	char **labels;
	size_t n_labels;
	struct screen screen;
	struct frame frame; /* the next one */
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
	p->on_screen = screen;
	p->plain = options->plain;
	p->left_s = NAN;
	p->frame.utf8 = report_locale_is_utf8();
	p->frame.colour = !(no_color && *no_color);
	p->interval_ns = screen ? REDRAW_NS
			 : options->status_interval_s < 1e9
				 ? sb_seconds_to_ns(options->status_interval_s)
				 : UINT64_MAX;
	p->last_ns = screen ? 0 : sb_now_ns();
	if (screen)
		screen_open(&p->screen);
	return p;
}

bool sb_progress_wants_cpu(const struct sb_progress *p)
{
	return p && p->on_screen && !p->plain;
}

void sb_progress_cpu(struct sb_progress *p, const struct sb_progress_cpu *cpu)
{
	if (sb_progress_wants_cpu(p))
		live_cpu(&p->live, cpu);
}

void sb_progress_left(struct sb_progress *p, double seconds)
{
	if (!p)
		return;
	p->left_s = seconds;
	p->left_ns = sb_now_ns();
}

void sb_progress_clear(struct sb_progress *p)
{
	if (p && p->on_screen)
		screen_clear(&p->screen);
}

static bool is_faulty(const struct view_job *job)
{
	return job->errors > 0 || job->silent_s > 0;
}

static void add_line(struct frame *f, int style, const char *text)
{
	frame_text(f, style, text);
	frame_end_line(f);
}

static void add_job(struct sb_progress *p, const struct view_job *job, size_t name)
{
	size_t bar = 0, columns = p->frame.columns;
	struct view_text line;

	if (columns > name + 40)
		bar = columns - name - 40 < 30 ? columns - name - 40 : 30;
	view_line(&line, job, &p->view, name, bar, p->frame.utf8);
	add_line(&p->frame, is_faulty(job) ? FRAME_RED : FRAME_PLAIN, line.text);
}

/* As many devices as there are rows for: those with faults first, then in their order. */
static void add_jobs(struct sb_progress *p, size_t rows)
{
	const struct view *view = &p->view;
	size_t room = view->n_jobs <= rows ? view->n_jobs : rows - 1;
	size_t faulty = 0, calm, name = 6, left_out = 0;
	double rest = 0;

	for (size_t i = 0; i < view->n_jobs; i++) {
		size_t width = report_columns(view->jobs[i].label);

		faulty += is_faulty(&view->jobs[i]);
		name = width > name ? width : name;
	}
	if (name > p->frame.columns / 3)
		name = p->frame.columns / 3;
	if (faulty > room)
		faulty = room;
	calm = room - faulty;
	for (size_t i = 0; i < view->n_jobs; i++) {
		const struct view_job *job = &view->jobs[i];
		size_t *share = is_faulty(job) ? &faulty : &calm;

		if (*share > 0) {
			(*share)--;
			add_job(p, job, name);
		} else {
			left_out++;
			rest += job->bytes_s > 0 ? job->bytes_s : 0;
		}
	}
	if (left_out == 0)
		return;
	frame_format(&p->frame, FRAME_PLAIN, "... and %zu more, together %.1f MB/s", left_out,
		     rest / 1e6);
	frame_end_line(&p->frame);
}

static void draw_plain(struct sb_progress *p)
{
	SB_AUTO_FREE char *reason = p->view.reason ? sb_escape(p->view.reason) : NULL;
	struct frame *f = &p->frame;
	size_t rows = f->rows - 2;
	struct view_text head;

	view_head(&head, &p->view);
	add_line(f, FRAME_PLAIN, head.text);
	/* the cursor stands below the last line, and needs a row, too */
	if (f->rows > 4 && f->columns >= TOO_NARROW && reason) {
		add_line(f, FRAME_PLAIN, reason);
		rows--;
	}
	if (f->rows > 3 && f->columns >= TOO_NARROW)
		add_jobs(p, rows);
}

/* Begins a frame as large as the window; a line that is redrawn in place needs one more below it
 * for the cursor. */
static bool begin(struct sb_progress *p)
{
	size_t columns, rows;

	screen_size(&columns, &rows);
	frame_begin(&p->frame, columns, rows);
	return rows >= 2 && columns >= 2;
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

static void print_line(const struct view *view)
{
	SB_AUTO_FREE char *reason = view->reason ? sb_escape(view->reason) : NULL;
	struct view_text line;

	view_head(&line, view);
	fprintf(stderr, "%s%s%s\n", line.text, reason ? "  " : "", reason ? reason : "");
}

void sb_progress_update(struct sb_progress *p, const struct sb_result *result,
			const struct sb_phase *phase, const struct sb_series *series,
			const struct sb_live *const *lives)
{
	if (!p || !is_due(p) || !make_labels(p, result) ||
	    !view_update(&p->view, result, phase, series, lives, p->labels))
		return;
	p->view.left_s = p->left_s - (double)(sb_now_ns() - p->left_ns) / 1e9;
	if (!p->on_screen) {
		print_line(&p->view);
		return;
	}
	if (!p->plain && !live_update(&p->live, &p->view, result, phase, lives, p->labels))
		return;
	if (!begin(p))
		return;
	if (p->plain)
		draw_plain(p);
	else
		live_draw(&p->live, &p->view, &p->frame);
	screen_draw(&p->screen, &p->frame);
}

void sb_progress_say(struct sb_progress *p, const char *text)
{
	if (!p || !is_due(p))
		return;
	if (!p->on_screen) {
		fprintf(stderr, "%s\n", text);
		return;
	}
	if (!begin(p))
		return;
	add_line(&p->frame, FRAME_PLAIN, text);
	screen_draw(&p->screen, &p->frame);
}

void sb_progress_destroy(struct sb_progress *p)
{
	if (!p)
		return;
	if (p->on_screen)
		screen_close(&p->screen);
	frame_free(&p->frame);
	live_free(&p->live);
	free(p->view.jobs);
	report_labels_free(p->labels, p->n_labels);
	free(p);
}
