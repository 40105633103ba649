/* A directory of one's own under another one, and its removal with all that others have put into
 * it. What is removed is reached by descriptor: a name that was moved away or replaced by a
 * symbolic link leads nowhere else. */
#ifndef SATABENCH_FRESH_DIR_H
#define SATABENCH_FRESH_DIR_H

#include <stdint.h>
#include <sys/types.h>

struct sb_fresh_dir {
	int parent_fd; /* of the current directory when it was made; -1: there is none */
	int fd;
	char *name; /* in the parent */
	char *path; /* absolute where the parent's is known */
};

/* Makes PREFIX-XXXXXX under the current directory. 0 or negative errno; then there is nothing to
 * free. */
int sb_fresh_dir_make(struct sb_fresh_dir *dir, const char *prefix);
/* Removes it and all below it, but follows no symbolic link and goes into no other mount. 0, or the
 * negative errno of the first thing that stayed: -EBUSY something is mounted there, -ESTALE it has
 * another name now and is empty. */
int sb_fresh_dir_remove(const struct sb_fresh_dir *dir);
void sb_fresh_dir_free(struct sb_fresh_dir *dir);

#endif
