#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"
#include "sample_priv.h"

#define NS_PER_US 1000ULL

/* A word of a list parted by commas. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

/* A container's own cgroup can be mounted as if it were the root: only the real root has v1's
 * release_agent, and only the real root lacks v2's cgroup.type. */
static bool is_root(const char *mount, bool v2)
{
	SB_AUTO_FREE char *path = sb_format("%s/%s", mount, v2 ? "cgroup.type" : "release_agent");

	return path && (access(path, F_OK) == 0) != v2;
}

static int open_usage(const char *mount, bool v2)
{
	SB_AUTO_FREE char *path = sb_format("%s/%s", mount, v2 ? "cpu.stat" : "cpuacct.usage");

	if (!path)
		return -ENOMEM;
	return is_root(mount, v2) ? sb_open_readonly(AT_FDCWD, path, 0) : -ENOENT;
}

/* One line of /proc/self/mountinfo: the fifth word is the mount point; behind " - " stand type,
 * source and options of the file system. Cuts the line up. */
static int open_line(char *line, bool v2)
{
	char *state = NULL, *mount = NULL;
	char *behind = strstr(line, " - ");
	const char *type, *options;

	if (!behind)
		return -ENOENT;
	*behind = '\0';
	type = strtok_r(behind + 3, " ", &state);
	strtok_r(NULL, " ", &state);
	options = strtok_r(NULL, " ", &state);
	if (!type || !options || strcmp(type, v2 ? "cgroup2" : "cgroup"))
		return -ENOENT;
	if (!v2 && !has_word(options, "cpuacct"))
		return -ENOENT;
	mount = strtok_r(line, " ", &state);
	for (int i = 1; mount && i < 5; i++)
		mount = strtok_r(NULL, " ", &state);
	return mount ? open_usage(mount, v2) : -ENOENT;
}

static int open_version(const char *mountinfo, bool v2)
{
	SB_AUTO_FREE char *text = strdup(mountinfo);
	char *state = NULL;
	int fd = -ENOENT;

	if (!text)
		return -ENOMEM;
	for (char *line = strtok_r(text, "\n", &state); line && fd < 0;
	     line = strtok_r(NULL, "\n", &state))
		fd = open_line(line, v2);
	return fd;
}

int sample_cgroup_open(struct cgroup_usage *usage)
{
	SB_AUTO_FREE char *mountinfo = sb_read_all("/proc/self/mountinfo", NULL);

	usage->fd = -1;
	usage->v2 = false;
	if (!mountinfo)
		return -errno;
	usage->fd = open_version(mountinfo, false);
	if (usage->fd < 0) {
		usage->v2 = true;
		usage->fd = open_version(mountinfo, true);
	}
	return usage->fd < 0 ? usage->fd : 0;
}

uint64_t sample_cgroup_read(const struct cgroup_usage *usage)
{
	static const char key[] = "usage_usec ";
	char text[512], *at = text;
	uint64_t value;
	ssize_t n;

	if (usage->fd < 0)
		return SB_NONE_U64;
	n = pread(usage->fd, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return SB_NONE_U64;
	text[n] = '\0';
	if (usage->v2) {
		at = strstr(text, key);
		if (!at)
			return SB_NONE_U64;
		at += sizeof(key) - 1;
	}
	at[strcspn(at, "\n")] = '\0';
	if (sb_parse_count(at, &value))
		return SB_NONE_U64;
	if (!usage->v2)
		return value;
	return value > SB_NONE_U64 / NS_PER_US ? SB_NONE_U64 : value * NS_PER_US;
}
