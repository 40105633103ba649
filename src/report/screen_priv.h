/* Lines on a terminal, drawn over themselves: a frame is made of text (frame.c) and put on stderr
 * (screen.c). Main thread only. */
#ifndef SATABENCH_SCREEN_PRIV_H
#define SATABENCH_SCREEN_PRIV_H

#include <stdbool.h>
#include <stddef.h>

enum frame_style { FRAME_PLAIN, FRAME_BOLD, FRAME_DIM, FRAME_RED, FRAME_YELLOW, FRAME_CYAN };

struct frame_line {
	size_t at, length; /* in the frame's text */
	size_t width;	   /* columns */
};

/* Zero it before the first use. Text is valid UTF-8 without control characters. */
struct frame {
	size_t columns, rows; /* of the window; a line has one column less, so that none wraps */
	bool utf8, colour;
	char *text;
	size_t length, capacity;
	struct frame_line *lines;
	size_t n_lines, lines_capacity;
	size_t used; /* columns of the line that is being written */
	bool failed; /* out of memory */
};

void frame_begin(struct frame *frame, size_t columns, size_t rows);
void frame_free(struct frame *frame);
/* Columns that are left in the line. */
size_t frame_left(const struct frame *frame);
/* What does not fit is cut. */
void frame_text(struct frame *frame, int style, const char *text);
void frame_format(struct frame *frame, int style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Just `width` columns, filled with blanks on the right; on the left if `right` is set. */
void frame_cell(struct frame *frame, int style, const char *text, size_t width, bool right);
void frame_end_line(struct frame *frame);

struct screen {
	int fd;		    /* the terminal, non-blocking; -1: only stderr itself can be had */
	struct frame shown; /* what stands there; no lines: nothing */
	char *out;	    /* to be written */
	size_t length, done, capacity;
};

void screen_open(struct screen *screen);
void screen_close(struct screen *screen);
/* Of stderr's terminal, 80 x 24 where it does not tell. */
void screen_size(size_t *columns, size_t *rows);
/* Puts the frame over what stands there, in one write; of lines that are the same nothing. The
 * frame is left out while the terminal has not taken the one before. */
void screen_draw(struct screen *screen, struct frame *frame);
/* Takes it off the screen; waits for the terminal, but not for long. */
void screen_clear(struct screen *screen);

#endif
