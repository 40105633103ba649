/* Config files and presets: lines of `key = value`, the keys being the long options. */
#include "cmd_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"

#define CEILINGS "ceilings.conf" /* lies beside the presets, and is none */

struct config {
	struct sb_options *options;
	const char *next; /* rest of the text */
	const char *shown;
	struct sb_origin origin;
	int error;
};

static int complain(struct config *c, const char *what, const char *text)
{
	SB_AUTO_FREE char *word = sb_escape(text);

	sb_error("%s:%d: %s: %s", c->shown, c->origin.line, word ? word : "?", what);
	return -EINVAL;
}

/* inih's fgets. Counts lines, and takes off leading blanks, which would make inih see the line as a
 * continuation of the one before. */
static char *read_line(char *buffer, int size, void *stream)
{
	struct config *c = stream;
	size_t length;

	if (!*c->next || c->error)
		return NULL;
	c->origin.line++;
	c->next += strspn(c->next, " \t");
	length = strcspn(c->next, "\n");
	if (length + 2 > (size_t)size) {
		sb_error("%s:%d: the line is longer than %d bytes", c->shown, c->origin.line,
			 size - 2);
		c->error = -EINVAL;
		return NULL;
	}
	memcpy(buffer, c->next, length);
	memcpy(buffer + length, "\n", 2);
	c->next += length;
	if (*c->next)
		c->next++;
	return buffer;
}

static int set(struct config *c, const char *section, const char *key, const char *value)
{
	const struct sb_option *option = sb_option_find(key);
	const char *near;

	if (section[0])
		return complain(c, "sections are not used here", section);
	if (option && option->type >= SB_OPTION_TARGETS)
		return complain(c, "only for the command line", key);
	if (option && option->group)
		return sb_option_set(c->options, option, value, &c->origin);
	near = sb_option_near(key, SB_FOR_RUN);
	if (near) {
		SB_AUTO_FREE char *what = sb_format("unknown key; did you mean %s?", near);

		return complain(c, what ? what : "unknown key", key);
	}
	return complain(c, "unknown key; the long options of satabench --help are the keys", key);
}

static int on_key(void *user, const char *section, const char *name, const char *value)
{
	struct config *c = user;

	if (!c->error)
		c->error = set(c, section, name, value);
	return c->error == 0;
}

/* The first line it could not read, named; sb_config_read's result. */
static int parse(struct config *c)
{
	int line = ini_parse_stream(read_line, c, on_key, c);

	if (c->error || line == 0)
		return c->error;
	sb_error("%s:%d: not a line of key = value", c->shown, line);
	return -EINVAL;
}

int sb_config_read(const char *path, struct sb_options *options)
{
	SB_AUTO_FREE char *shown = sb_escape(path);
	SB_AUTO_FREE char *text = NULL;
	struct config c = {.options = options, .shown = shown ? shown : "?"};
	struct stat status;
	size_t length;

	/* a disk given by mistake would be read to its end */
	if (stat(path, &status) == 0 && S_ISBLK(status.st_mode)) {
		sb_error("%s: a block device, not a config file", c.shown);
		return -EINVAL;
	}
	text = sb_read_all(path, &length);
	if (!text) {
		int error = errno;

		sb_error("%s: cannot read the config file: %s", c.shown, strerror(error));
		return error == ENOMEM ? -ENOMEM : -EINVAL;
	}
	if (strlen(text) != length) {
		sb_error("%s: not a text file", c.shown);
		return -EINVAL;
	}
	c.next = text;
	c.origin.file = path;
	return parse(&c);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "classic, default, quick"; NULL when there are none. */
static char *list_presets(const char *folder)
{
	char *names[64], *list = NULL;
	size_t n = 0;
	int fd = sb_open_readonly(AT_FDCWD, folder, O_DIRECTORY);
	SB_AUTO_DIR DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	while (n < SB_COUNT(names) && (entry = readdir(dir))) {
		size_t length = strlen(entry->d_name);

		if (length > 5 && strcmp(entry->d_name + length - 5, ".conf") == 0 &&
		    strcmp(entry->d_name, CEILINGS) != 0 &&
		    (names[n] = strndup(entry->d_name, length - 5)))
			n++;
	}
	qsort(names, n, sizeof(names[0]), by_name);
	for (size_t i = 0; i < n; i++) {
		char *longer = sb_format("%s%s%s", list ? list : "", list ? ", " : "", names[i]);

		free(list);
		list = longer;
		free(names[i]);
	}
	return list;
}

int sb_config_read_preset(const char *name, struct sb_options *options)
{
	const char *folders[] = {sb_data_folder(), SB_CONFIGDIR};
	SB_AUTO_FREE char *shown = sb_escape(name);
	SB_AUTO_FREE char *known = NULL;

	for (size_t i = 0; i < SB_COUNT(folders) && name[0] && !strchr(name, '/'); i++) {
		SB_AUTO_FREE char *path = sb_format("%s/%s.conf", folders[i], name);

		if (!path)
			return -ENOMEM;
		if (access(path, F_OK) == 0 && strcmp(name, "ceilings") != 0)
			return sb_config_read(path, options);
	}
	known = list_presets(folders[0]);
	if (known)
		sb_error("--preset: %s: unknown; known are %s", shown ? shown : "?", known);
	else
		sb_error("--preset: %s: no presets in %s", shown ? shown : "?", folders[0]);
	return -EINVAL;
}
