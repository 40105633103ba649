#include "satabench/fresh_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define TRIES 100
#define MOST_PASSES 10000 /* somebody may still be writing into it */

/* Six letters that nobody has. */
static char *fresh_name(const char *prefix)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char random[6];
	char text[sizeof(random) + 1] = "";

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return NULL;
	for (size_t i = 0; i < sizeof(random); i++)
		text[i] = letters[random[i] % 32];
	return sb_format("%s-%s", prefix, text);
}

static char *path_of(const char *name)
{
	SB_AUTO_FREE char *here = getcwd(NULL, 0);

	/* "(unreachable)/..." where it lies outside of our root */
	if (!here || here[0] != '/')
		return strdup(name);
	return sb_format("%s%s%s", here, strcmp(here, "/") == 0 ? "" : "/", name);
}

static int make_in(struct sb_fresh_dir *dir, const char *prefix)
{
	for (int i = 0; i < TRIES; i++) {
		free(dir->name);
		dir->name = fresh_name(prefix);
		if (!dir->name)
			return -ENOMEM;
		if (mkdirat(dir->parent_fd, dir->name, 0777) == 0)
			break;
		if (errno != EEXIST || i + 1 == TRIES)
			return -errno;
	}
	dir->fd = sb_open_readonly(dir->parent_fd, dir->name, O_DIRECTORY | O_NOFOLLOW);
	dir->path = dir->fd < 0 ? NULL : path_of(dir->name);
	if (dir->path)
		return 0;
	unlinkat(dir->parent_fd, dir->name, AT_REMOVEDIR);
	return dir->fd < 0 ? dir->fd : -ENOMEM;
}

int sb_fresh_dir_make(struct sb_fresh_dir *dir, const char *prefix)
{
	int rc;

	*dir = (struct sb_fresh_dir){.fd = -1};
	dir->parent_fd = sb_open_readonly(AT_FDCWD, ".", O_DIRECTORY);
	rc = dir->parent_fd < 0 ? dir->parent_fd : make_in(dir, prefix);
	if (rc < 0)
		sb_fresh_dir_free(dir);
	return rc;
}

void sb_fresh_dir_free(struct sb_fresh_dir *dir)
{
	sb_cleanup_fd(&dir->parent_fd);
	sb_cleanup_fd(&dir->fd);
	free(dir->name);
	free(dir->path);
	*dir = (struct sb_fresh_dir){.parent_fd = -1, .fd = -1};
}

/* Depth costs nothing: a directory below the first level that is not empty is moved up into the
 * root, and its turn comes there. */
struct sweep {
	int root;
	uint64_t mount;
	unsigned long moved; /* name of the next one that is moved up */
	bool any;	     /* something went in this pass */
	int error;	     /* of the first thing that stayed in this pass */
};

static void stayed(struct sweep *s, int error)
{
	if (s->error == 0)
		s->error = -error;
}

/* Identity of the mount that a descriptor lies in; before Linux 5.8 its file system's. */
static int mount_of(int fd, uint64_t *mount)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &st) != 0)
		return -errno;
	*mount = st.stx_mask & STATX_MNT_ID ? st.stx_mnt_id
					    : ((uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor);
	return 0;
}

/* Where the name is taken by an empty directory, that goes, which is as well. */
static void lift(struct sweep *s, int fd, const char *name)
{
	char above[32];
	int rc;

	do {
		snprintf(above, sizeof(above), "%lu", s->moved++);
		rc = renameat(fd, name, s->root, above);
	} while (rc != 0 && (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR));
	if (rc == 0)
		s->any = true;
	else
		stayed(s, errno);
}

static void sweep_folder(struct sweep *s, int fd);

/* A directory right in the root that is not empty. */
static void sweep_child(struct sweep *s, const char *name)
{
	int fd = sb_open_readonly(s->root, name, O_DIRECTORY | O_NOFOLLOW);
	uint64_t mount = 0;
	int rc = fd < 0 ? fd : mount_of(fd, &mount);

	if (rc == 0 && mount != s->mount)
		rc = -EBUSY;
	if (rc == 0) {
		sweep_folder(s, fd);
		if (unlinkat(s->root, name, AT_REMOVEDIR) == 0)
			s->any = true;
		else
			stayed(s, errno);
	} else {
		sb_cleanup_fd(&fd);
		stayed(s, -rc);
	}
}

static void sweep_entry(struct sweep *s, int fd, const char *name)
{
	if (unlinkat(fd, name, 0) == 0 ||
	    (errno == EISDIR && unlinkat(fd, name, AT_REMOVEDIR) == 0)) {
		s->any = true;
		return;
	}
	if (errno == ENOENT)
		return;
	if (errno != ENOTEMPTY && errno != EEXIST)
		stayed(s, errno);
	else if (fd == s->root)
		sweep_child(s, name);
	else
		lift(s, fd, name);
}

/* Takes the descriptor, unless it is the root's. */
static void sweep_folder(struct sweep *s, int fd)
{
	int own = fd == s->root ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : fd;
	DIR *folder = own < 0 ? NULL : fdopendir(own);
	struct dirent *entry;

	if (!folder) {
		stayed(s, errno);
		sb_cleanup_fd(&own);
		return;
	}
	rewinddir(folder); /* the duplicate shares its place with the passes before */
	while ((entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			sweep_entry(s, fd, entry->d_name);
	closedir(folder);
}

/* The name must still be the directory's own. */
static int remove_root(const struct sb_fresh_dir *dir)
{
	struct stat own, named;

	if (fstat(dir->fd, &own) != 0)
		return -errno;
	if (fstatat(dir->parent_fd, dir->name, &named, AT_SYMLINK_NOFOLLOW) != 0)
		return errno != ENOENT ? -errno : own.st_nlink == 0 ? 0 : -ESTALE;
	if (own.st_dev != named.st_dev || own.st_ino != named.st_ino)
		return -ESTALE;
	return unlinkat(dir->parent_fd, dir->name, AT_REMOVEDIR) == 0 ? 0 : -errno;
}

int sb_fresh_dir_remove(const struct sb_fresh_dir *dir)
{
	struct sweep s = {.root = dir->fd};
	int rc = mount_of(dir->fd, &s.mount);

	if (rc < 0)
		return rc;
	s.any = true;
	for (int i = 0; i < MOST_PASSES && s.any; i++) {
		s.any = false;
		s.error = 0;
		sweep_folder(&s, dir->fd);
	}
	rc = remove_root(dir);
	return rc == -ENOTEMPTY && s.error ? s.error : rc;
}
