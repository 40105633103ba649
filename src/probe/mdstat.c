/* The form is that of md_seq_show and the status functions of the levels in drivers/md. */
#include "mdstat.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/device.h"
#include "satabench/units.h"

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static int add_string(char ***list, size_t *n, const char *text, size_t length)
{
	char **more = reallocarray(*list, *n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	*list = more;
	more[*n] = strndup(text, length);
	return more[*n] ? ((*n)++, 0) : -ENOMEM;
}

/* "[raid1] [raid6]" */
static int take_personalities(struct mdstat *m, const char *text)
{
	int rc = 0;

	for (const char *p = strchr(text, '['); p && rc == 0; p = strchr(p, '[')) {
		size_t length = strcspn(++p, "]");

		rc = add_string(&m->personalities, &m->n_personalities, p, length);
		p += length;
	}
	return rc;
}

/* Names, or "<none>" */
static int take_unused(struct mdstat *m, const char *text)
{
	int rc = 0;

	m->unused_line = true;
	for (const char *p = text; *p && rc == 0;) {
		size_t length;

		p += strspn(p, " \t");
		length = strcspn(p, " \t");
		if (length && *p != '<')
			rc = add_string(&m->unused, &m->n_unused, p, length);
		p += length;
	}
	return rc;
}

/* "sda1[0](W)(F)"; false for a word of another form. */
static bool is_member(const char *word)
{
	const char *bracket = strrchr(word, '[');

	return bracket && bracket > word && isdigit((unsigned char)bracket[1]) &&
	       strchr(bracket, ']');
}

static int take_member(struct mdstat_array *a, const char *word)
{
	const char *bracket = strrchr(word, '[');
	struct mdstat_member *more, *member;
	size_t n = 0;

	more = reallocarray(a->members, a->n_members + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	a->members = more;
	member = &more[a->n_members];
	*member = (struct mdstat_member){.slot = strtoull(bracket + 1, NULL, 10)};
	member->name = strndup(word, (size_t)(bracket - word));
	if (!member->name)
		return -ENOMEM;
	a->n_members++;
	for (const char *p = strchr(bracket, '('); p && n + 1 < sizeof(member->flags);
	     p = strchr(p + 1, '('))
		if (isalpha((unsigned char)p[1]))
			member->flags[n++] = p[1];
	return 0;
}

/* What stands behind "md0 :". */
static int take_head(struct mdstat_array *a, char *text)
{
	char *rest = text, *word;
	int rc = sb_set_string(&a->ro, "no");

	while (rc == 0 && (word = strsep(&rest, " \t")) != NULL) {
		size_t length = strlen(word);

		if (!length)
			continue;
		if (!a->state) {
			rc = sb_set_string(&a->state, word);
		} else if (word[0] == '(' && word[length - 1] == ')') {
			word[length - 1] = '\0';
			rc = sb_set_string(&a->ro, word + 1);
		} else if (is_member(word)) {
			rc = take_member(a, word);
		} else if (!a->level) {
			rc = sb_set_string(&a->level, word);
		}
	}
	return rc;
}

static int begin_array(struct mdstat *m, char *line, char *colon)
{
	struct mdstat_array *more = reallocarray(m->arrays, m->n_arrays + 1, sizeof(*more)), *a;

	if (!more)
		return -ENOMEM;
	m->arrays = more;
	a = &more[m->n_arrays++];
	*a = (struct mdstat_array){
		.blocks_kib = SB_NONE_U64,
		.chunk_kib = SB_NONE_U64,
		.rounding_kib = SB_NONE_U64,
		.algorithm = SB_NONE_U64,
		.disks_total = SB_NONE_U64,
		.disks_active = SB_NONE_U64,
		.sync = {NULL, NULL, NAN, SB_NONE_U64, SB_NONE_U64, NAN, SB_NONE_U64},
		.bitmap = {false, SB_NONE_U64, SB_NONE_U64, SB_NONE_U64, NULL},
	};
	*colon = '\0';
	line[strcspn(line, " \t")] = '\0';
	return sb_set_string(&a->name, line) ? -ENOMEM : take_head(a, colon + 1);
}

/* "2 near-copies", one behind the other where there are two kinds. */
static int take_copies(struct mdstat_array *a, const char *number, const char *word)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s%.20s %.*s", a->layout ? a->layout : "",
		 a->layout ? " " : "", number, (int)strcspn(word, ","), word);
	return sb_set_string(&a->layout, text);
}

/* A word of the line of blocks, with the one before it. */
static int take_detail(struct mdstat_array *a, const char *before, const char *word)
{
	unsigned long long total, active;
	uint64_t number = strtoull(before, NULL, 10);
	bool is_number = isdigit((unsigned char)before[0]);

	if (strcmp(before, "super") == 0)
		return sb_set_string(&a->metadata, word);
	if (strcmp(before, "algorithm") == 0)
		a->algorithm = strtoull(word, NULL, 10);
	else if (is_number && starts(word, "blocks"))
		a->blocks_kib = number;
	else if (is_number && starts(word, "chunk"))
		a->chunk_kib = number;
	else if (is_number && starts(word, "rounding"))
		a->rounding_kib = number;
	else if (is_number && strstr(word, "-copies"))
		return take_copies(a, before, word);
	else if (sscanf(word, "[%llu/%llu]", &total, &active) == 2) {
		a->disks_total = total;
		a->disks_active = active;
	} else if (word[0] == '[' && (word[1] == 'U' || word[1] == '_')) {
		SB_AUTO_FREE char *status = strndup(word + 1, strcspn(word + 1, "]"));

		return status ? sb_set_string(&a->status, status) : -ENOMEM;
	}
	return 0;
}

static int take_details(struct mdstat_array *a, char *line)
{
	char *rest = line, *word;
	const char *before = "";
	int rc = sb_set_string(&a->metadata, "0.90");

	while (rc == 0 && (word = strsep(&rest, " \t")) != NULL) {
		if (!*word)
			continue;
		rc = take_detail(a, before, word);
		before = word;
	}
	return rc;
}

/* "resync =  1.2% (6528/509056) finish=2.5min speed=3264K/sec", with or without the bar before it;
 * "resync=DELAYED". False: it is no such line. */
static int take_sync(struct mdstat_array *a, const char *line, bool *taken)
{
	static const char *const actions[] = {"resync", "recovery", "check", "repair", "reshape"};
	unsigned long long done, total, speed;
	char state[16];
	const char *at = NULL, *behind;

	for (size_t i = 0; i < SB_COUNT(actions) && !*taken; i++) {
		at = strstr(line, actions[i]);
		behind = at ? at + strlen(actions[i]) : NULL;
		if (!behind || behind[strspn(behind, " ")] != '=')
			continue;
		*taken = true;
		if (sb_set_string(&a->sync.action, actions[i]) != 0)
			return -ENOMEM;
		if (sscanf(behind, "=%15[A-Z]", state) == 1)
			return sb_set_string(&a->sync.state, state);
		behind += strspn(behind, " =");
		a->sync.percent = strtod(behind, NULL);
		behind = strchr(behind, '(');
		if (behind && sscanf(behind, "(%llu/%llu)", &done, &total) == 2) {
			a->sync.done = done;
			a->sync.total = total;
		}
		at = strstr(line, "finish=");
		a->sync.minutes = at ? strtod(at + strlen("finish="), NULL) : NAN;
		at = strstr(line, "speed=");
		if (at && sscanf(at, "speed=%lluK", &speed) == 1)
			a->sync.kib_s = speed;
	}
	return 0;
}

static int take_bitmap(struct mdstat_array *a, const char *line)
{
	unsigned long long pages, of, chunk;
	const char *at = strstr(line, "], ");

	a->bitmap.there = true;
	if (sscanf(line, "bitmap: %llu/%llu", &pages, &of) == 2) {
		a->bitmap.pages = pages;
		a->bitmap.of = of;
	}
	if (at && sscanf(at, "], %lluKB chunk", &chunk) == 1)
		a->bitmap.chunk_kib = chunk;
	at = strstr(line, "file: ");
	return sb_set_string(&a->bitmap.file, at ? at + strlen("file: ") : NULL);
}

static int take_more(struct mdstat_array *a, char *line)
{
	bool taken = false;
	int rc;

	line += strspn(line, " \t");
	if (isdigit((unsigned char)line[0]) && strstr(line, " blocks"))
		return take_details(a, line);
	if (starts(line, "bitmap:"))
		return take_bitmap(a, line);
	rc = take_sync(a, line, &taken);
	return rc;
}

static int take_line(struct mdstat *m, char *line)
{
	char *colon = strstr(line, " :");

	if (isspace((unsigned char)line[0]) || !line[0])
		return m->n_arrays && line[0] ? take_more(&m->arrays[m->n_arrays - 1], line) : 0;
	if (starts(line, "Personalities")) {
		m->there = true;
		return take_personalities(m, line);
	}
	if (starts(line, "read_ahead"))
		return sb_set_string(&m->read_ahead, line);
	if (starts(line, "unused devices:"))
		return take_unused(m, line + strlen("unused devices:"));
	if (!colon)
		return 0;
	m->there = true;
	return begin_array(m, line, colon + 1);
}

int probe_mdstat_parse(struct mdstat *mdstat, const char *text)
{
	SB_AUTO_FREE char *copy = strdup(text);
	char *rest = copy, *line;
	int rc = copy ? 0 : -ENOMEM;

	*mdstat = (struct mdstat){0};
	while (rc == 0 && (line = strsep(&rest, "\n")) != NULL)
		rc = take_line(mdstat, line);
	return rc;
}

static void free_array(struct mdstat_array *a)
{
	for (size_t i = 0; i < a->n_members; i++)
		free(a->members[i].name);
	free(a->members);
	free(a->name);
	free(a->state);
	free(a->ro);
	free(a->level);
	free(a->metadata);
	free(a->layout);
	free(a->status);
	free(a->sync.action);
	free(a->sync.state);
	free(a->bitmap.file);
}

void probe_mdstat_free(struct mdstat *mdstat)
{
	for (size_t i = 0; i < mdstat->n_arrays; i++)
		free_array(&mdstat->arrays[i]);
	for (size_t i = 0; i < mdstat->n_personalities; i++)
		free(mdstat->personalities[i]);
	for (size_t i = 0; i < mdstat->n_unused; i++)
		free(mdstat->unused[i]);
	free(mdstat->arrays);
	free(mdstat->personalities);
	free(mdstat->unused);
	free(mdstat->read_ahead);
	*mdstat = (struct mdstat){0};
}

const struct mdstat_array *probe_mdstat_find(const struct mdstat *mdstat, const char *name)
{
	for (size_t i = 0; i < mdstat->n_arrays; i++)
		if (strcmp(mdstat->arrays[i].name, name) == 0)
			return &mdstat->arrays[i];
	return NULL;
}

bool probe_mdstat_has_flag(const struct mdstat_member *member, char flag)
{
	return strchr(member->flags, flag) != NULL;
}

bool probe_mdstat_is_container(const struct mdstat_array *array)
{
	static const char prefix[] = "external:";
	const char *kind = array->metadata && starts(array->metadata, prefix)
				   ? array->metadata + sizeof(prefix) - 1
				   : NULL;

	return kind && *kind && *kind != '/' && *kind != '-';
}
