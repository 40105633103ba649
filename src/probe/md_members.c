/* The members of an array: a folder dev-NAME each. */
#include "md_priv.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define KIB 1024
#define PREFIX "dev-"

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)) != NULL; p += n)
		if ((p == list || p[-1] == ',') && (p[n] == ',' || p[n] == '\0'))
			return true;
	return false;
}

void probe_md_take_state(struct sb_md_member *m, const char *state)
{
	m->in_sync = has_word(state, "in_sync");
	m->write_mostly = has_word(state, "write_mostly");
	m->want_replacement = has_word(state, "want_replacement");
	if (has_word(state, "faulty"))
		m->role = SB_MD_FAULTY;
	else if (has_word(state, "journal"))
		m->role = SB_MD_JOURNAL;
	else if (has_word(state, "replacement"))
		m->role = SB_MD_REPLACEMENT;
	else
		m->role = m->in_sync ? SB_MD_DATA : SB_MD_SPARE;
}

/* A line a range. */
static uint64_t count_lines(int dir)
{
	SB_AUTO_FREE char *text = calloc(1, 4096);
	uint64_t n = 0;

	if (!text || sb_read_text(dir, "bad_blocks", text, 4096) < 0)
		return SB_NONE_U64;
	for (const char *p = text; *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] != '\0'))
		n++;
	return n;
}

static void take_number(int dir, const char *attribute, uint64_t unit, uint64_t *value)
{
	uint64_t number, product;

	if (probe_u64(dir, attribute, &number) && !__builtin_mul_overflow(number, unit, &product))
		*value = product;
}

static void take_slot(struct sb_md_member *m, int dir)
{
	char text[32];
	unsigned long slot;

	if (!probe_text(dir, "slot", text, sizeof(text)) || !isdigit((unsigned char)text[0]))
		return;
	slot = strtoul(text, NULL, 10);
	m->slot = slot <= INT_MAX ? (int)slot : -1;
}

struct folder {
	struct sb_md_array *array;
	const char *path;
};

static int add_member(void *arg, const char *entry)
{
	const struct folder *folder = arg;
	char path[SYS_PATH], text[256];
	struct sb_md_member *m;
	SB_AUTO_FD int dir = -1;
	int rc;

	if (strncmp(entry, PREFIX, strlen(PREFIX)) != 0 ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", folder->path, entry) >= sizeof(path))
		return 0;
	dir = sb_open_readonly(AT_FDCWD, path, O_DIRECTORY);
	if (dir < 0)
		return 0; /* it left in between */
	m = sb_md_add_member(folder->array);
	if (!m)
		return -ENOMEM;
	if (!probe_link(path, "block", text, sizeof(text)))
		snprintf(text, sizeof(text), "%s", entry + strlen(PREFIX));
	rc = sb_set_string(&m->name, text);
	if (probe_text(dir, "state", text, sizeof(text))) {
		rc |= sb_set_string(&m->state, text);
		probe_md_take_state(m, text);
	}
	take_slot(m, dir);
	take_number(dir, "size", KIB, &m->size_bytes);
	take_number(dir, "offset", SYS_SECTOR, &m->offset_bytes);
	take_number(dir, "errors", 1, &m->errors);
	m->bad_ranges = count_lines(dir);
	return rc ? -ENOMEM : 0;
}

/* By slot; those without one behind them; a replacement behind the one that it replaces. */
static int compare(const void *a, const void *b)
{
	const struct sb_md_member *x = a, *y = b;
	unsigned sx = (unsigned)x->slot, sy = (unsigned)y->slot;

	if (sx != sy)
		return sx < sy ? -1 : 1;
	if (x->role != y->role)
		return x->role < y->role ? -1 : 1;
	return strverscmp(x->name, y->name);
}

int probe_md_members(struct sb_md_array *array)
{
	char path[SYS_PATH];
	struct folder folder = {array, path};
	int rc;

	if ((size_t)snprintf(path, sizeof(path), SYS_BLOCK "/%s/md", array->name) >= sizeof(path))
		return 0;
	rc = probe_each(AT_FDCWD, path, add_member, &folder);
	if (array->n_members)
		qsort(array->members, array->n_members, sizeof(array->members[0]), compare);
	return rc == -ENOMEM ? rc : 0;
}
