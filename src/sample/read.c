#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/sample.h"
#include "sample_priv.h"

#define FIRST_BYTES 16384 /* the CPU lines of about 250 CPUs */
#define MOST_BYTES (64U << 20)

/* The CPU lines stand first: what follows them (interrupts, up to megabytes) is not needed. */
static bool has_all_cpus(const char *text, size_t length)
{
	const char *at = text, *stop = text + length;

	while (at < stop) {
		const char *end = memchr(at, '\n', (size_t)(stop - at));

		if (stop - at >= 3 && memcmp(at, "cpu", 3))
			return true;
		if (!end)
			return false;
		at = end + 1;
	}
	return false;
}

static int grow(struct stat_text *text)
{
	size_t size = text->size ? text->size * 2 : FIRST_BYTES;
	char *more = size > MOST_BYTES ? NULL : realloc(text->text, size);

	if (!more)
		return -ENOMEM;
	text->text = more;
	text->size = size;
	return 0;
}

/* All in one read, so that the kernel makes the lines at one time; again where that was too short
 * for the CPU lines. lxcfs gives less than was asked for: then the rest is read on. */
static int read_text(int fd, struct stat_text *text, size_t *length)
{
	size_t used = 0;
	ssize_t n;

	*length = 0;
	do {
		if (used == text->size) {
			int err = grow(text);

			if (err)
				return err;
			used = 0;
		}
		n = pread(fd, text->text + used, text->size - used, (off_t)used);
		if (n < 0 && errno != EINTR)
			return -errno;
		used += n > 0 ? (size_t)n : 0;
	} while (n && !has_all_cpus(text->text, used));
	*length = used;
	return 0;
}

int sample_stat_read(int fd, struct stat_text *text, struct sb_cpu_reading *reading)
{
	uint64_t before = sb_now_ns(), after;
	size_t length;
	int err = read_text(fd, text, &length);

	if (err)
		return err;
	after = sb_now_ns();
	/* the kernel takes the counters between the two */
	reading->time_ns = before + (after - before) / 2;
	return sb_cpu_parse(text->text, length, reading);
}
