#include "satabench/action.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define NAME_SIZE 32 /* of a block device (DISK_NAME_LEN) */
#define PATH_SIZE (NAME_SIZE + 32)

/* An empty name is a free place. */
struct held {
	char name[SB_CHECKS_MOST][NAME_SIZE];
};

static struct held *held;

int sb_check_share(void)
{
	void *memory;

	if (held)
		return 0;
	memory = mmap(NULL, sizeof(*held), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (memory == MAP_FAILED)
		return -ENOMEM;
	held = memory;
	return 0;
}

static bool is_name(const char *array)
{
	size_t n = strlen(array);

	return n < NAME_SIZE && strncmp(array, "md", 2) == 0 &&
	       strspn(array, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
		       n;
}

/* The only file of the machine that is ever opened to be written, and its only two words. */
static int write_action(const char *array, bool check)
{
	const char *word = check ? "check" : "idle";
	char path[PATH_SIZE];
	struct statfs fs;
	SB_AUTO_FD int fd = -1;

	if (!is_name(array))
		return -EINVAL;
	snprintf(path, sizeof(path), "/sys/block/%s/md/sync_action", array);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	if (fstatfs(fd, &fs) != 0 || fs.f_type != SYSFS_MAGIC)
		return -EINVAL;
	return write(fd, word, strlen(word)) < 0 ? -errno : 0;
}

/* A rebuild that has begun meanwhile is not to be ended. */
static bool is_checking(const char *array)
{
	char path[PATH_SIZE], action[NAME_SIZE];

	snprintf(path, sizeof(path), "/sys/block/%s/md/sync_action", array);
	return sb_read_text(AT_FDCWD, path, action, sizeof(action)) > 0 &&
	       strcmp(action, "check") == 0;
}

static char *find(const char *name)
{
	for (size_t i = 0; held && i < SB_CHECKS_MOST; i++)
		if (strcmp(held->name[i], name) == 0)
			return held->name[i];
	return NULL;
}

int sb_check_start(const char *array)
{
	char *place;
	int rc;

	if (!is_name(array))
		return -EINVAL;
	rc = sb_check_share();
	place = rc == 0 ? find("") : NULL;
	if (!place)
		return rc ? rc : -ENOSPC;
	/* held first: who dies in between leaves nothing running */
	memcpy(place, array, strlen(array) + 1);
	rc = write_action(array, true);
	if (rc < 0)
		place[0] = '\0';
	return rc;
}

int sb_check_end(const char *array)
{
	char *place = array[0] ? find(array) : NULL;
	int rc;

	if (!place)
		return 0;
	rc = is_checking(array) ? write_action(array, false) : 0;
	if (rc == 0)
		place[0] = '\0';
	return rc;
}

void sb_check_end_all(void)
{
	for (size_t i = 0; held && i < SB_CHECKS_MOST; i++)
		(void)sb_check_end(held->name[i]);
}
