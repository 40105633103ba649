/* What the CPUs did since a moment ago, for a display. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/sample.h"
#include "sample_priv.h"

struct sb_cpu_watch {
	int fd;
	struct stat_text text;
	struct sb_cpu_reading last, now;
};

int sb_cpu_watch_create(struct sb_cpu_watch **out)
{
	struct sb_cpu_watch *w = calloc(1, sizeof(*w));
	int rc;

	if (!w)
		return -ENOMEM;
	w->fd = sb_open_readonly(AT_FDCWD, "/proc/stat", 0);
	rc = w->fd < 0 ? w->fd : sample_stat_read(w->fd, &w->text, &w->last);
	if (rc < 0)
		sb_cpu_watch_destroy(w);
	else
		*out = w;
	return rc;
}

int sb_cpu_watch_read(struct sb_cpu_watch *w, struct sb_cpu_counters *out)
{
	int rc = sample_stat_read(w->fd, &w->text, &w->now);
	struct sb_cpu_reading last = w->last;

	if (rc == 0)
		rc = sb_cpu_delta(&w->last, &w->now, out);
	if (rc < 0)
		return rc;
	out->valid = true;
	w->last = w->now;
	w->now = last;
	return 0;
}

void sb_cpu_watch_destroy(struct sb_cpu_watch *w)
{
	if (!w)
		return;
	sb_cleanup_fd(&w->fd);
	free(w->text.text);
	sb_cpu_reading_free(&w->last);
	sb_cpu_reading_free(&w->now);
	free(w);
}
