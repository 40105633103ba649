/* Frames on stderr's terminal. The cursor stands below the last line, so nothing has to be put
 * right when the program ends in whatever way; the only codes are cursor up, erase to the end of
 * line or screen, and colours. A terminal that is slow (ssh, or stopped by Ctrl-S) never holds the
 * run up: it is written to without blocking, and frames are left out until it has taken the last
 * one. */
#include "screen_priv.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define PATIENCE_MS 1000 /* with a terminal, before the report */

void screen_open(struct screen *s)
{
	*s = (struct screen){.fd = sb_open_terminal(STDERR_FILENO)};
}

void screen_close(struct screen *s)
{
	screen_clear(s);
	sb_cleanup_fd(&s->fd);
	frame_free(&s->shown);
	free(s->out);
}

void screen_size(size_t *columns, size_t *rows)
{
	struct winsize size;
	bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;

	*columns = known ? size.ws_col : 80;
	*rows = known ? size.ws_row : 24;
}

static void put(struct screen *s, const char *text, size_t length)
{
	if (s->capacity - s->length < length) {
		size_t more = (s->length + length) * 2;
		char *larger = realloc(s->out, more);

		if (!larger)
			return;
		s->out = larger;
		s->capacity = more;
	}
	memcpy(s->out + s->length, text, length);
	s->length += length;
}

static void put_text(struct screen *s, const char *text)
{
	put(s, text, strlen(text));
}

static bool is_ready(const struct screen *s, int wait_ms)
{
	struct pollfd p = {.fd = s->fd >= 0 ? s->fd : STDERR_FILENO, .events = POLLOUT};

	return poll(&p, 1, wait_ms) > 0 && (p.revents & POLLOUT);
}

/* True when all is written. A terminal that is gone is no fault of the run: it has taken all. */
static bool flush(struct screen *s, int wait_ms)
{
	while (s->done < s->length) {
		ssize_t n;

		if (!is_ready(s, wait_ms))
			return false;
		n = write(s->fd >= 0 ? s->fd : STDERR_FILENO, s->out + s->done,
			  s->length - s->done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN && wait_ms == 0)
			return false;
		if (n <= 0 && errno != EAGAIN)
			break;
		s->done += n > 0 ? (size_t)n : 0;
	}
	s->length = s->done = 0;
	return true;
}

/* To the first column of the first line that stands there. Terminals wrap the old lines anew when
 * they get narrower. */
static void go_home(struct screen *s, size_t columns)
{
	size_t up = 0;
	char code[32];

	for (size_t i = 0; i < s->shown.n_lines; i++) {
		size_t width = s->shown.lines[i].width;

		up += columns < s->shown.columns && width > columns
			      ? (width + columns - 1) / columns
			      : 1;
	}
	if (up == 0)
		return;
	snprintf(code, sizeof(code), "\r\033[%zuA", up);
	put_text(s, code);
}

void screen_clear(struct screen *s)
{
	size_t columns, rows;

	if (!flush(s, PATIENCE_MS))
		s->length = s->done = s->shown.n_lines = 0;
	if (s->shown.n_lines == 0)
		return;
	screen_size(&columns, &rows);
	go_home(s, columns);
	put_text(s, "\033[J");
	s->shown.n_lines = 0;
	flush(s, PATIENCE_MS);
	s->length = s->done = 0;
}

static bool is_same(const struct frame *a, const struct frame *b, size_t line)
{
	return line < a->n_lines && a->lines[line].length == b->lines[line].length &&
	       memcmp(a->text + a->lines[line].at, b->text + b->lines[line].at,
		      a->lines[line].length) == 0;
}

static void put_lines(struct screen *s, const struct frame *f, bool all)
{
	for (size_t i = 0; i < f->n_lines; i++) {
		if (all || !is_same(&s->shown, f, i)) {
			put(s, f->text + f->lines[i].at, f->lines[i].length);
			put_text(s, "\033[K");
		}
		put_text(s, "\n");
	}
	if (all || s->shown.n_lines > f->n_lines)
		put_text(s, "\033[J");
}

void screen_draw(struct screen *s, struct frame *f)
{
	bool all =
		s->shown.n_lines == 0 || s->shown.columns != f->columns || s->shown.rows != f->rows;
	struct frame last;

	if (f->failed || !flush(s, 0))
		return;
	go_home(s, f->columns);
	put_lines(s, f, all);
	flush(s, 0);
	last = s->shown;
	s->shown = *f;
	last.utf8 = f->utf8;
	last.colour = f->colour;
	*f = last;
}
