#include "satabench/log.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static enum sb_log_level level_shown = SB_LOG_INFO;
static void (*before_line)(void *arg);
static void *before_arg;

void sb_log_set_level(enum sb_log_level level)
{
	level_shown = level;
}

void sb_log_set_hook(void (*before)(void *arg), void *arg)
{
	before_line = before;
	before_arg = arg;
}

void sb_log(enum sb_log_level level, const char *format, ...)
{
	static const char *const prefix[] = {"", "warning: ", "", "debug: "};
	char line[4096];
	va_list args;

	if (level > level_shown)
		return;
	if (before_line)
		before_line(before_arg);
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* one write, so that lines of several processes do not mix */
	fprintf(stderr, "satabench: %s%s\n", prefix[level], line);
	fflush(stderr);
}
