#include "satabench/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define PREFIX "satabench."
#define DEPTH 2	 /* of folders in the folder: files/00001 */
#define TRIES 16 /* a name of 64 random bits is taken once in a lifetime at most */

/* All names that are made in a scratch folder are of this kind: no path, no dot. */
static bool is_ours(const char *name)
{
	size_t n = 0;

	while (isalnum((unsigned char)name[n]))
		n++;
	return n > 0 && name[n] == '\0';
}

static int result(int rc)
{
	return rc < 0 ? -errno : rc;
}

int sb_scratch_create(int dir_fd, const char *name, int flags)
{
	if (!is_ours(name) || (flags & ~(O_DIRECT | O_SYNC)) != 0)
		return -EINVAL;
	return result(openat(dir_fd, name,
			     O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | flags,
			     0600));
}

static bool is_same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && S_ISREG(x.st_mode) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int sb_scratch_again(int dir_fd, const char *name, int fd, int flags)
{
	int again;

	if (!is_ours(name) || (flags & ~(O_DIRECT | O_SYNC)) != 0)
		return -EINVAL;
	/* O_NONBLOCK: a FIFO in its place must not keep us waiting */
	again = openat(dir_fd, name,
		       O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags);
	if (again < 0)
		return -errno;
	if (!is_same_file(again, fd)) {
		close(again);
		return -ESTALE;
	}
	return again;
}

int sb_scratch_read(int dir_fd, const char *name)
{
	struct stat st;
	int fd = is_ours(name) ? sb_open_readonly(dir_fd, name, O_NOFOLLOW | O_NONBLOCK) : -EINVAL;

	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -ESTALE;
}

int sb_scratch_unlink(int dir_fd, const char *name)
{
	return is_ours(name) ? result(unlinkat(dir_fd, name, 0)) : -EINVAL;
}

int sb_scratch_link(int dir_fd, const char *name, const char *to)
{
	return is_ours(name) && is_ours(to) ? result(linkat(dir_fd, to, dir_fd, name, 0)) : -EINVAL;
}

int sb_scratch_symlink(int dir_fd, const char *name, const char *to)
{
	return is_ours(name) && is_ours(to) ? result(symlinkat(to, dir_fd, name)) : -EINVAL;
}

int sb_scratch_folder(int dir_fd, const char *name)
{
	if (!is_ours(name))
		return -EINVAL;
	if (mkdirat(dir_fd, name, 0700) != 0)
		return -errno;
	return sb_open_readonly(dir_fd, name, O_DIRECTORY | O_NOFOLLOW);
}

int sb_scratch_remove_folder(int dir_fd, const char *name)
{
	return is_ours(name) ? result(unlinkat(dir_fd, name, AT_REMOVEDIR)) : -EINVAL;
}

static bool is_it(const struct sb_scratch *s, const struct stat *st)
{
	return S_ISDIR(st->st_mode) && st->st_dev == s->device && st->st_ino == s->inode;
}

static int identify(struct sb_scratch *s)
{
	struct stat st;

	if (fstat(s->fd, &st) != 0)
		return -errno;
	s->device = st.st_dev;
	s->inode = st.st_ino;
	return 0;
}

static void close_both(struct sb_scratch *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->parent_fd >= 0)
		close(s->parent_fd);
	s->fd = s->parent_fd = -1;
}

/* A folder under the name, which is ours if it belongs to us: nobody else knows the name. */
int base_scratch_find(struct sb_scratch *s)
{
	struct stat st;

	s->fd = sb_open_readonly(s->parent_fd, s->name, O_DIRECTORY | O_NOFOLLOW);
	if (s->fd < 0)
		return s->fd;
	if (fstat(s->fd, &st) != 0 || (st.st_mode & 07777) != 0700) {
		close(s->fd);
		s->fd = -1;
		return -ESTALE;
	}
	return identify(s);
}

static int make_under_new_name(struct sb_scratch *s)
{
	uint64_t random;
	int rc = -EEXIST;

	for (int i = 0; i < TRIES && rc == -EEXIST; i++) {
		if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
			return -EIO;
		snprintf(s->name, sizeof(s->name), PREFIX "%016llx", (unsigned long long)random);
		/* whoever is killed between the two lines has told of it */
		base_tell_scratch(s);
		rc = result(mkdirat(s->parent_fd, s->name, 0700));
	}
	return rc;
}

int sb_scratch_make(struct sb_scratch *scratch, int parent_fd)
{
	static _Atomic uint32_t ids;
	int rc;

	*scratch = SB_SCRATCH_NONE;
	scratch->parent_fd = parent_fd;
	scratch->id = atomic_fetch_add(&ids, 1) + 1;
	rc = make_under_new_name(scratch);
	if (rc == 0) {
		rc = base_scratch_find(scratch);
		if (rc < 0)
			unlinkat(parent_fd, scratch->name, AT_REMOVEDIR);
	}
	if (rc == 0) {
		base_tell_scratch(scratch);
		return 0;
	}
	base_tell_gone(scratch);
	close_both(scratch);
	return rc;
}

/* Everything in it that is of our making; folders of `depth` levels at most. */
static int empty(int fd, int depth)
{
	int copy = sb_open_readonly(fd, ".", O_DIRECTORY), rc = 0;
	SB_AUTO_DIR DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return copy < 0 ? copy : -ENOMEM;
	}
	while ((entry = readdir(dir)) != NULL) {
		SB_AUTO_FD int inner = -1;

		if (!is_ours(entry->d_name) || unlinkat(fd, entry->d_name, 0) == 0)
			continue;
		inner = depth > 0 ? sb_open_readonly(fd, entry->d_name, O_DIRECTORY | O_NOFOLLOW)
				  : -1;
		if (inner >= 0)
			empty(inner, depth - 1);
		if (unlinkat(fd, entry->d_name, AT_REMOVEDIR) != 0)
			rc = -errno;
	}
	return rc;
}

int sb_scratch_empty(int dir_fd)
{
	return empty(dir_fd, DEPTH);
}

/* It was renamed: its parent of now is behind "..", and its name there is the one with its inode.
 */
static int remove_elsewhere(const struct sb_scratch *s)
{
	int fd = sb_open_readonly(s->fd, "..", O_DIRECTORY), rc = -ENOENT;
	SB_AUTO_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;

	if (!dir)
		return fd < 0 ? fd : -ENOMEM;
	while (rc == -ENOENT && (entry = readdir(dir)) != NULL)
		if (entry->d_ino == s->inode &&
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    is_it(s, &st))
			rc = result(unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR));
	return rc;
}

int sb_scratch_remove(struct sb_scratch *s)
{
	struct stat st;
	int rc;

	if (s->fd < 0)
		return 0;
	/* what is not ours stays, and then the folder does */
	empty(s->fd, DEPTH);
	/* Only one that is empty can be removed, whatever has taken its name in the meantime. */
	if (fstatat(s->parent_fd, s->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_it(s, &st))
		rc = result(unlinkat(s->parent_fd, s->name, AT_REMOVEDIR));
	else if (fstat(s->fd, &st) == 0 && st.st_nlink == 0)
		rc = 0; /* somebody else has removed it */
	else
		rc = remove_elsewhere(s);
	if (rc == 0)
		base_tell_gone(s);
	close_both(s);
	return rc == -EEXIST ? -ENOTEMPTY : rc;
}
