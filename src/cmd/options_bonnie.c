/* Values in bonnie++'s notation: numbers with a meaning by their place, parted by colons. */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

#define PLACES 5
#define MIB (UINT64_C(1) << 20)
#define MIB_TEXT "MiB, or with a suffix k, m, g, t"
#define CHUNK_LEAST 256u
#define CHUNK_MOST (1u << 20)
#define FILES_MOST (UINT64_C(1) << 20) /* x 1024 */
#define FOLDERS_MOST 65536u

/* A copy whose colons are ends of strings. */
struct places {
	char *text;
	char *place[PLACES];
	size_t n; /* PLACES + 1: too many */
};

/* An empty place has its default. */
static bool has(const struct places *p, size_t place)
{
	return p->n > place && p->place[place][0];
}

static void places_free(struct places *p)
{
	free(p->text);
}

static struct places split(const char *value)
{
	struct places p = {.text = strdup(value)};
	char *rest = p.text, *word;

	while (rest && (word = strsep(&rest, ":")) != NULL) {
		if (p.n == PLACES) {
			p.n++;
			break;
		}
		p.place[p.n++] = word;
	}
	return p;
}

/* A number without a suffix counts in `unit`. */
static bool parse(const char *text, uint64_t unit, uint64_t *value)
{
	bool plain = text[0] && strspn(text, "0123456789") == strlen(text);

	if (!plain)
		return sb_parse_size(text, value) == 0 && *value != SB_NONE_U64;
	return sb_parse_count(text, value) == 0 && !__builtin_mul_overflow(*value, unit, value) &&
	       *value != SB_NONE_U64;
}

static const char *set_chunk(uint64_t *member, const char *text)
{
	uint64_t value;

	if (!parse(text, 1, &value) || value < CHUNK_LEAST || value > CHUNK_MOST ||
	    (value & (value - 1)) != 0)
		return "the chunk must be a power of two from 256 bytes to 1 MiB";
	*member = value;
	return NULL;
}

static const char *set_number(uint64_t *member, const char *text, uint64_t most, const char *wrong)
{
	uint64_t value;

	if (sb_parse_count(text, &value) != 0 || value < 1 || value > most)
		return wrong;
	*member = value;
	return NULL;
}

static const char *set_data(struct sb_options *o, const struct places *p)
{
	const char *wrong = NULL;
	uint64_t bytes;

	if (p->n < 1 || p->n > 4)
		return "must be MIB[:CHUNK[:SEEKS[:SEEKERS]]]";
	if (!parse(p->place[0], MIB, &bytes))
		return "the amount must be a number of " MIB_TEXT;
	if (has(p, 1))
		wrong = set_chunk(&o->chunk_bytes, p->place[1]);
	if (!wrong && has(p, 2))
		wrong = set_number(&o->seeks, p->place[2], UINT32_MAX,
				   "there must be at least one seek");
	if (!wrong && has(p, 3))
		wrong = set_number(&o->seekers, p->place[3], 256,
				   "there must be from 1 to 256 seekers");
	o->data_bytes = bytes;
	o->no_data = bytes == 0;
	return wrong;
}

const char *sb_bonnie_data(struct sb_options *options, const char *value)
{
	__attribute__((cleanup(places_free))) struct places p = split(value);

	return set_data(options, &p);
}

static const char *set_largest(struct sb_options *o, const char *text)
{
	o->file_links = strcmp(text, "-1") == 0	  ? SB_LINKS_HARD
			: strcmp(text, "-2") == 0 ? SB_LINKS_SOFT
						  : SB_LINKS_NONE;
	o->file_max_bytes = 0;
	if (o->file_links != SB_LINKS_NONE || parse(text, 1, &o->file_max_bytes))
		return NULL;
	return "the largest size must be bytes, or -1 for hard links, -2 for symbolic links";
}

static const char *set_files(struct sb_options *o, const struct places *p)
{
	const char *wrong = NULL;
	uint64_t n;

	if (p->n < 1 || p->n > PLACES)
		return "must be N[:MAX[:MIN[:FOLDERS[:CHUNK]]]]";
	if (sb_parse_count(p->place[0], &n) != 0 || n > FILES_MOST)
		return "the number of files, in 1024, must be from 0 to 1048576";
	if (has(p, 1))
		wrong = set_largest(o, p->place[1]);
	if (!wrong && has(p, 2) &&
	    (!parse(p->place[2], 1, &o->file_min_bytes) || o->file_min_bytes > o->file_max_bytes))
		wrong = "the smallest size must be bytes, and not above the largest";
	if (!wrong && has(p, 3))
		wrong = set_number(&o->file_folders, p->place[3], FOLDERS_MOST,
				   "there must be from 1 to 65536 folders");
	if (!wrong && has(p, 4))
		wrong = set_chunk(&o->file_chunk_bytes, p->place[4]);
	if (!wrong && n && o->file_folders > n * 1024)
		wrong = "there are more folders than files";
	o->files = n;
	o->no_files = n == 0;
	return wrong;
}

const char *sb_bonnie_files(struct sb_options *options, const char *value)
{
	__attribute__((cleanup(places_free))) struct places p = split(value);

	return set_files(options, &p);
}

const char *sb_bonnie_ram(struct sb_options *options, const char *value)
{
	if (!parse(value, MIB, &options->ram_bytes))
		return "must be a number of " MIB_TEXT;
	options->no_ram_check = options->ram_bytes == 0;
	return NULL;
}

/* In a file the flag has the words that flags have there. */
const char *sb_bonnie_chars(struct sb_options *options, const char *value)
{
	uint64_t bytes = 0;

	if (value && strcmp(value, "no") != 0 && strcmp(value, "yes") != 0 &&
	    (!parse(value, MIB, &bytes) || bytes == 0))
		return "must be a number of " MIB_TEXT ", or nothing";
	options->char_bytes = bytes;
	options->no_char = bytes == 0 && (!value || strcmp(value, "no") != 0);
	return NULL;
}

static int find_group(const char *name, uint64_t *gid)
{
	const struct group *group;
	uint64_t number;

	if (sb_parse_count(name, &number) == 0 && number < UINT32_MAX) {
		*gid = number;
		return 0;
	}
	group = getgrnam(name);
	if (!group)
		return -EINVAL;
	*gid = group->gr_gid;
	return 0;
}

/* A user without a group has the one of its entry; a number without an entry, nogroup. */
static int find_user(const char *name, uint64_t *uid, uint64_t *gid)
{
	const struct passwd *entry = getpwnam(name);
	uint64_t number;

	if (!entry && sb_parse_count(name, &number) == 0 && number < UINT32_MAX) {
		entry = getpwuid((uid_t)number);
		*uid = number;
		if (!entry)
			return find_group("nogroup", gid);
	}
	if (!entry)
		return -EINVAL;
	*uid = entry->pw_uid;
	*gid = entry->pw_gid;
	return 0;
}

static int not_found(const char *what, const char *name)
{
	SB_AUTO_FREE char *shown = sb_escape(name);

	sb_error("--%s %s: there is no such %s", what, shown ? shown : "?", what);
	return -EINVAL;
}

int sb_bonnie_owner(struct sb_options *options)
{
	SB_AUTO_FREE char *user = options->user ? strdup(options->user) : NULL;
	char *colon = user ? strchr(user, ':') : NULL;
	const char *group = options->group;

	if (colon) {
		*colon = '\0';
		group = colon + 1;
	}
	if (user && find_user(user, &options->uid, &options->gid) < 0)
		return not_found("user", user);
	if (group && find_group(group, &options->gid) < 0)
		return not_found("group", group);
	if (options->uid == SB_NONE_U64)
		options->uid = geteuid();
	if (options->gid == SB_NONE_U64)
		options->gid = getegid();
	if (geteuid() == 0 || (options->uid == geteuid() && options->gid == getegid()))
		return 0;
	sb_error("--user and --group need root");
	return -EINVAL;
}
