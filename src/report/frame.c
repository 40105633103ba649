/* Lines of text with colours, cut to a window. */
#include "screen_priv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"

static const char *const codes[] = {
	[FRAME_PLAIN] = "",	  [FRAME_BOLD] = "\033[1m",    [FRAME_DIM] = "\033[2m",
	[FRAME_RED] = "\033[31m", [FRAME_YELLOW] = "\033[33m", [FRAME_CYAN] = "\033[36m",
};

void frame_begin(struct frame *f, size_t columns, size_t rows)
{
	f->columns = columns;
	f->rows = rows;
	f->length = f->n_lines = f->used = 0;
	f->failed = false;
}

void frame_free(struct frame *f)
{
	free(f->text);
	free(f->lines);
	*f = (struct frame){.columns = 0};
}

static bool reserve(struct frame *f, size_t more)
{
	size_t size = (f->length + more) * 2;
	char *larger;

	if (f->capacity - f->length >= more)
		return true;
	larger = realloc(f->text, size);
	if (!larger) {
		f->failed = true;
		return false;
	}
	f->text = larger;
	f->capacity = size;
	return true;
}

static void put(struct frame *f, const char *text, size_t length)
{
	if (!length || !reserve(f, length))
		return;
	memcpy(f->text + f->length, text, length);
	f->length += length;
}

static void put_blanks(struct frame *f, size_t n)
{
	if (!n || !reserve(f, n))
		return;
	memset(f->text + f->length, ' ', n);
	f->length += n;
	f->used += n;
}

size_t frame_left(const struct frame *f)
{
	return f->columns > f->used + 1 ? f->columns - f->used - 1 : 0;
}

/* Bytes of the text that fit into `columns`, and how many of these they take. */
static size_t fit(const char *text, size_t columns, size_t *width)
{
	size_t length = strlen(text);

	/* most texts are plain letters */
	for (*width = 0; *width < length && *width < columns; (*width)++)
		if ((unsigned char)text[*width] >= 0x80) {
			size_t n = report_fit(text, columns);
			char *part = strndup(text, n);

			*width = part ? report_columns(part) : columns;
			free(part);
			return n;
		}
	return *width;
}

void frame_text(struct frame *f, int style, const char *text)
{
	size_t width, n = fit(text, frame_left(f), &width);

	if (!n)
		return;
	if (f->colour)
		put(f, codes[style], strlen(codes[style]));
	put(f, text, n);
	if (f->colour && style != FRAME_PLAIN)
		put(f, "\033[m", 3);
	f->used += width;
}

void frame_format(struct frame *f, int style, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	frame_text(f, style, text);
}

void frame_cell(struct frame *f, int style, const char *text, size_t width, bool right)
{
	size_t room = frame_left(f) < width ? frame_left(f) : width, used, n;
	char cut[512] = "";

	n = fit(text, room, &used);
	if (n >= sizeof(cut))
		n = sizeof(cut) - 1;
	memcpy(cut, text, n);
	cut[n] = '\0';
	if (right)
		put_blanks(f, room - used);
	frame_text(f, style, cut);
	if (!right)
		put_blanks(f, room - used);
}

void frame_end_line(struct frame *f)
{
	size_t at = f->n_lines ? f->lines[f->n_lines - 1].at + f->lines[f->n_lines - 1].length : 0;

	if (f->n_lines == f->lines_capacity) {
		size_t more = f->lines_capacity ? f->lines_capacity * 2 : 64;
		struct frame_line *lines = reallocarray(f->lines, more, sizeof(*lines));

		if (!lines) {
			f->failed = true;
			return;
		}
		f->lines = lines;
		f->lines_capacity = more;
	}
	f->lines[f->n_lines++] =
		(struct frame_line){.at = at, .length = f->length - at, .width = f->used};
	f->used = 0;
}
