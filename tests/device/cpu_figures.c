/* cpu_figures FIRST SECOND: the six figures between two texts of /proc/stat, in iostat's order. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/judge.h"
#include "satabench/sample.h"

static int read_stat(const char *path, struct sb_cpu_reading *reading)
{
	size_t length;
	SB_AUTO_FREE char *text = sb_read_all(path, &length);
	int err = text ? sb_cpu_parse(text, length, reading) : -errno;

	if (err)
		fprintf(stderr, "%s: %s\n", path, strerror(-err));
	return err;
}

int main(int argc, char **argv)
{
	struct sb_cpu_reading start = {0}, end = {.time_ns = 1};
	struct sb_cpu_counters counters = {.valid = true};
	struct sb_cpu_figures f;

	if (argc != 3 || read_stat(argv[1], &start) || read_stat(argv[2], &end) ||
	    sb_cpu_delta(&start, &end, &counters))
		return 1;
	sb_judge_cpu(&counters, &f);
	printf("%.4f %.4f %.4f %.4f %.4f %.4f\n", f.user, f.nice, f.system, f.iowait, f.steal,
	       f.idle);
	free(counters.cpus);
	sb_cpu_reading_free(&start);
	sb_cpu_reading_free(&end);
	return 0;
}
