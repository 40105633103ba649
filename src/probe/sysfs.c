#include "probe_priv.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

bool probe_text(int dir, const char *attribute, char *buf, size_t size)
{
	int n = sb_read_text(dir, attribute, buf, size);
	char *start = buf;

	if (n <= 0)
		return false;
	while (n > 0 && isspace((unsigned char)buf[n - 1]))
		buf[--n] = '\0';
	while (isspace((unsigned char)*start))
		start++;
	memmove(buf, start, strlen(start) + 1);
	return buf[0] != '\0';
}

bool probe_u64(int dir, const char *attribute, uint64_t *value)
{
	return sb_read_u64(dir, attribute, value) == 0;
}

bool probe_link(const char *path, const char *link, char *buf, size_t size)
{
	char full[SYS_PATH], to[SYS_PATH];
	const char *last;
	ssize_t n;

	if ((size_t)snprintf(full, sizeof(full), "%s/%s", path, link) >= sizeof(full))
		return false;
	n = readlink(full, to, sizeof(to) - 1);
	if (n <= 0)
		return false;
	to[n] = '\0';
	last = strrchr(to, '/');
	last = last ? last + 1 : to;
	return (size_t)snprintf(buf, size, "%s", last) < size && buf[0];
}

int probe_each(int dir, const char *path, int (*each)(void *arg, const char *name), void *arg)
{
	SB_AUTO_DIR DIR *d = NULL;
	struct dirent *entry;
	int fd = sb_open_readonly(dir, path, O_DIRECTORY);

	if (fd < 0)
		return fd;
	d = fdopendir(fd);
	if (!d) {
		close(fd);
		return -ENOMEM;
	}
	while ((entry = readdir(d)) != NULL) {
		int rc;

		if (entry->d_name[0] == '.')
			continue;
		rc = each(arg, entry->d_name);
		if (rc != 0)
			return rc;
	}
	return 0;
}

/* "../../devices/pci0000:00/..." -> "/sys/devices/pci0000:00/..." */
static int real_path(char path[SYS_PATH], const char *name)
{
	char link[SYS_PATH], to[SYS_PATH];
	const char *devices;
	ssize_t n;

	if ((size_t)snprintf(link, sizeof(link), SYS_BLOCK "/%s", name) >= sizeof(link))
		return -ENAMETOOLONG;
	n = readlink(link, to, sizeof(to) - 1);
	if (n < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	to[n] = '\0';
	devices = strstr(to, "devices/");
	if (!devices || (size_t)snprintf(path, SYS_PATH, "/sys/%s", devices) >= SYS_PATH)
		return -ENODEV;
	return 0;
}

static void take_property(struct block *block, const char *key, const char *value)
{
	if (strcmp(key, "MAJOR") == 0)
		block->major = (unsigned)strtoul(value, NULL, 10);
	else if (strcmp(key, "MINOR") == 0)
		block->minor = (unsigned)strtoul(value, NULL, 10);
	else if (strcmp(key, "DEVTYPE") == 0)
		snprintf(block->devtype, sizeof(block->devtype), "%s", value);
	else if (strcmp(key, "DEVNAME") == 0)
		snprintf(block->devname, sizeof(block->devname), "%s",
			 strncmp(value, "/dev/", 5) == 0 ? value + 5 : value);
}

static void read_uevent(struct block *block)
{
	char text[8192], *rest = text, *line;

	if (sb_read_text(block->dir, "uevent", text, sizeof(text)) <= 0)
		return;
	while ((line = strsep(&rest, "\n")) != NULL) {
		char *value = strchr(line, '=');

		if (!value)
			continue;
		*value++ = '\0';
		take_property(block, line, value);
	}
}

/* What uevent did not say. */
static void complete(struct block *block)
{
	char text[64];

	if (!block->major && !block->minor && probe_text(block->dir, "dev", text, sizeof(text)))
		(void)sscanf(text, "%u:%u", &block->major, &block->minor);
	if (!block->devtype[0])
		snprintf(block->devtype, sizeof(block->devtype), "%s",
			 faccessat(block->dir, "partition", F_OK, 0) == 0 ? "partition" : "disk");
	if (!block->devname[0]) {
		snprintf(block->devname, sizeof(block->devname), "%s", block->name);
		for (char *p = block->devname; *p; p++)
			if (*p == '!')
				*p = '/';
	}
}

int probe_block_open(struct block *block, const char *name)
{
	int rc;

	*block = (struct block){.name = name, .dir = -1};
	rc = real_path(block->path, name);
	if (rc != 0)
		return rc;
	block->dir = sb_open_readonly(AT_FDCWD, block->path, O_DIRECTORY);
	if (block->dir < 0)
		return -ENODEV;
	read_uevent(block);
	complete(block);
	return 0;
}

void probe_block_close(struct block *block)
{
	if (block->dir >= 0)
		close(block->dir);
	block->dir = -1;
}
