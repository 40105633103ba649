/* One line of /proc/self/mountinfo. */
#include "probe_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"

void probe_unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
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

/* Behind the last field: an empty one. */
static char *next(char **rest)
{
	char *field = *rest, *end = strchrnul(field, ' ');

	*rest = end + (*end != '\0');
	*end = '\0';
	return field;
}

/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
bool probe_mount_parse(struct mount *mount, char *line)
{
	char *root, *point, *field;
	unsigned id, major, minor;

	if (sscanf(line, "%u %*u %u:%u", &id, &major, &minor) != 3)
		return false;
	for (int i = 0; i < 3; i++)
		next(&line);
	root = next(&line);
	point = next(&line);
	do
		field = next(&line);
	while (*line && strcmp(field, "-") != 0);
	*mount = (struct mount){.id = id,
				.dev = makedev(major, minor),
				.root = root,
				.point = point,
				.type = next(&line),
				.source = next(&line),
				.options = next(&line)};
	probe_unescape(root);
	probe_unescape(point);
	probe_unescape(mount->source);
	return true;
}

/* The text between `text` and the first character of `stops` that has no backslash before it. */
static size_t piece(const char *text, char stop)
{
	size_t n = 0;

	while (text[n] && text[n] != stop)
		n += text[n] == '\\' && text[n + 1] ? 2 : 1;
	return n;
}

/* A colon in a path of lowerdir has a backslash before it. */
static int call(const char *path, size_t length, int (*each)(void *, const char *), void *arg)
{
	SB_AUTO_FREE char *plain = calloc(length + 1, 1);
	size_t n = 0;

	for (size_t i = 0; plain && i < length; i++) {
		i += path[i] == '\\' && i + 1 < length;
		plain[n++] = path[i];
	}
	return plain ? each(arg, plain) : 0;
}

/* rw,lowerdir=/a:/b,upperdir=/c,workdir=/d; since 6.8 also lowerdir+=/a,lowerdir+=/b */
int probe_mount_layers(const struct mount *mount, int (*each)(void *arg, const char *path),
		       void *arg)
{
	static const char *const keys[] = {"upperdir=", "lowerdir=", "lowerdir+="};
	int rc = 0;

	for (size_t k = 0; k < SB_COUNT(keys); k++) {
		const char *at = mount->options;

		while (*at && rc == 0) {
			size_t whole = strcspn(at, ","), name = strlen(keys[k]);
			SB_AUTO_FREE char *value = NULL;

			if (whole > name && strncmp(at, keys[k], name) == 0)
				value = strndup(at + name, whole - name);
			if (value)
				probe_unescape(value);
			for (const char *path = value; path && *path && rc == 0;) {
				size_t n = k == 1 ? piece(path, ':') : strlen(path);

				rc = call(path, n, each, arg);
				path += n + (path[n] == ':');
			}
			at += whole + (at[whole] == ',');
		}
	}
	return rc;
}
