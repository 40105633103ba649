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

static int add_mount(struct places *places, const struct mount *mount)
{
	size_t n = places->n_mounts;

	if ((n & (n - 1)) == 0) {
		struct mount *more = reallocarray(places->mount, n ? n * 2 : 1, sizeof(*more));

		if (!more)
			return -ENOMEM;
		places->mount = more;
	}
	places->mount[places->n_mounts++] = *mount;
	return 0;
}

static int parse_mount(struct places *places, char *line)
{
	struct mount mount;
	struct stat st;
	int rc;

	if (!probe_mount_parse(&mount, line))
		return 0;
	rc = add_mount(places, &mount);
	if (rc != 0)
		return rc;
	if (major(mount.dev) != 0)
		return add(places, mount.dev, PLACE_MOUNTED);
	if (strncmp(mount.source, "/dev/", 5) != 0 || stat(mount.source, &st) != 0 ||
	    !S_ISBLK(st.st_mode))
		return 0;
	return add(places, st.st_rdev, PLACE_MOUNTED);
}

/* /dev/sda2   partition   8388604   0   -2 */
static int parse_swap(struct places *places, char *line)
{
	struct stat st;

	line[strcspn(line, " \t")] = '\0';
	probe_unescape(line);
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
	SB_AUTO_FREE char *swaps = sb_read_all("/proc/swaps", NULL);

	places->text = sb_read_all("/proc/self/mountinfo", NULL);
	return probe_places_parse(places, places->text, swaps);
}

unsigned probe_places_use(const struct places *places, dev_t dev)
{
	const struct place key = {.dev = dev}, *found = NULL;

	if (places->n)
		found = bsearch(&key, places->place, places->n, sizeof(key), by_device);
	return found ? found->use : 0;
}

const struct mount *probe_places_mount(const struct places *places, uint64_t id)
{
	for (size_t i = 0; i < places->n_mounts; i++)
		if (places->mount[i].id == id)
			return &places->mount[i];
	return NULL;
}

void probe_places_free(struct places *places)
{
	free(places->place);
	free(places->mount);
	free(places->text);
	*places = (struct places){0};
}
