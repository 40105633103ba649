#include "describe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"
#include "satabench/probe.h"

/* argv as one could type it again. */
static char *command_line(const char *program, int argc, char **argv)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs(program, f);
	for (int i = 1; i < argc; i++) {
		SB_AUTO_FREE char *word = sb_quote(argv[i]);

		fprintf(f, " %s", word ? word : "?");
	}
	fclose(f);
	return text;
}

int describe_start(struct sb_result *result, const char *program, int argc, char **argv)
{
	struct timespec now;
	char text[SB_TIME_TEXT];

	clock_gettime(CLOCK_REALTIME, &now);
	result->version = strdup(SB_VERSION);
	result->started = strdup(sb_format_time(text, &now));
	result->command = command_line(program, argc, argv);
	sb_set_string(&result->label, result->options.label);
	sb_probe_host(&result->host);
	return result->version && result->started && result->command ? 0 : -ENOMEM;
}
