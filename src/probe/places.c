/* What is mounted and swapped on, by device number. */
#include "probe_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

static int add(struct places *places, dev_t dev, unsigned use)
{
	if (places->n == places->capacity) {
		size_t capacity = places->capacity ? places->capacity * 2 : 32;
		struct place *more = reallocarray(places->place, capacity, sizeof(*more));

		if (!more)
			return -ENOMEM;
		places->place = more;
		places->capacity = capacity;
	}
	places->place[places->n++] = (struct place){.dev = dev, .use = use};
	return 0;
}

static int add_source(struct places *places, uint64_t mount_id, dev_t dev)
{
	struct source *more = reallocarray(places->source, places->n_sources + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	places->source = more;
	more[places->n_sources++] = (struct source){mount_id, dev};
	return 0;
}

/* The kernel writes blanks and backslashes in paths as \ooo. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
		    from[2] <= '7' && from[3] >= '0' && from[3] <= '7') {
			*to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0');
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
static int parse_mount(struct places *places, char *line)
{
	char *source = strstr(line, " - ");
	unsigned major, minor, id;
	struct stat st;
	int rc;

	if (sscanf(line, "%u %*u %u:%u", &id, &major, &minor) != 3)
		return 0;
	if (major != 0 || !source)
		return add(places, makedev(major, minor), PLACE_MOUNTED);
	source = strchr(source + 3, ' ');
	if (!source || strncmp(++source, "/dev/", 5) != 0)
		return 0;
	source[strcspn(source, " ")] = '\0';
	unescape(source);
	if (stat(source, &st) != 0 || !S_ISBLK(st.st_mode))
		return 0;
	rc = add_source(places, id, st.st_rdev);
	return rc ? rc : add(places, st.st_rdev, PLACE_MOUNTED);
}

/* /dev/sda2   partition   8388604   0   -2 */
static int parse_swap(struct places *places, char *line)
{
	struct stat st;

	line[strcspn(line, " \t")] = '\0';
	unescape(line);
	if (line[0] != '/' || stat(line, &st) != 0)
		return 0;
	return add(places, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev, PLACE_SWAP);
}

static int by_device(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->dev < y->dev ? -1 : x->dev > y->dev;
}

static void sort(struct places *places)
{
	size_t kept = 0;

	if (places->n == 0)
		return;
	qsort(places->place, places->n, sizeof(places->place[0]), by_device);
	for (size_t i = 1; i < places->n; i++) {
		struct place *last = &places->place[kept], *next = &places->place[i];

		if (last->dev != next->dev) {
			places->place[++kept] = *next;
			continue;
		}
		last->use |= next->use;
	}
	places->n = kept + 1;
}

static int parse_lines(struct places *places, char *text, int (*parse)(struct places *, char *))
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		int rc = parse(places, line);

		if (rc != 0)
			return rc;
	}
	return 0;
}

int probe_places_parse(struct places *places, char *mountinfo, char *swaps)
{
	int rc = parse_lines(places, mountinfo, parse_mount);

	if (rc == 0)
		rc = parse_lines(places, swaps, parse_swap);
	sort(places);
	return rc;
}

int probe_places_read(struct places *places)
{
	SB_AUTO_FREE char *mountinfo = sb_read_all("/proc/self/mountinfo", NULL);
	SB_AUTO_FREE char *swaps = sb_read_all("/proc/swaps", NULL);

	return probe_places_parse(places, mountinfo, swaps);
}

unsigned probe_places_use(const struct places *places, dev_t dev)
{
	const struct place key = {.dev = dev}, *found = NULL;

	if (places->n)
		found = bsearch(&key, places->place, places->n, sizeof(key), by_device);
	return found ? found->use : 0;
}

dev_t probe_places_source(const struct places *places, uint64_t mount_id)
{
	for (size_t i = 0; i < places->n_sources; i++)
		if (places->source[i].mount_id == mount_id)
			return places->source[i].dev;
	return 0;
}

void probe_places_free(struct places *places)
{
	free(places->place);
	free(places->source);
	*places = (struct places){0};
}
