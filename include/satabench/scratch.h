/* A folder of our own inside somebody's directory, and the files in it: all that the program ever
 * writes to measure. It is made under a name that nobody has, held by descriptors, and removed
 * through them: a directory that is renamed or replaced under us costs nothing. The keeper knows of
 * each and removes what a killed child left. Any thread, one folder from one thread at a time. */
#ifndef SATABENCH_SCRATCH_H
#define SATABENCH_SCRATCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SB_SCRATCH_NAME 32

struct sb_scratch {
	int parent_fd; /* of the directory it is in; -1 */
	int fd;	       /* its own; -1 */
	dev_t device;  /* who it is */
	ino_t inode;
	char name[SB_SCRATCH_NAME]; /* under which it was made */
	uint32_t id;		    /* by which the keeper knows it */
};

#define SB_SCRATCH_NONE ((struct sb_scratch){.parent_fd = -1, .fd = -1})

/* Makes it in `parent_fd`, which is taken over in any case. 0 or negative errno. */
int sb_scratch_make(struct sb_scratch *scratch, int parent_fd);
/* Removes what was made in it and itself, and closes both descriptors. 0, or negative errno when
 * something is left: -ENOTEMPTY when that is not ours. */
int sb_scratch_remove(struct sb_scratch *scratch);

/* The one place that opens a file to be measured for writing: always a new regular file, mode 0600.
 * `flags`: O_DIRECT, O_SYNC. Names in a scratch folder are letters and digits only, others are
 * refused (-EINVAL). fd or negative errno. */
int sb_scratch_create(int dir_fd, const char *name, int flags);
/* Opens it once more, with a position of its own. What does not turn out to be the regular file
 * behind `fd`, which create gave, is refused (-ESTALE). */
int sb_scratch_again(int dir_fd, const char *name, int fd, int flags);
/* For reading, and a regular file only. */
int sb_scratch_read(int dir_fd, const char *name);
int sb_scratch_unlink(int dir_fd, const char *name);
/* Hard and symbolic links from one name to another in the same folder. */
int sb_scratch_link(int dir_fd, const char *name, const char *to);
int sb_scratch_symlink(int dir_fd, const char *name, const char *to);
/* A folder in the folder: fd or negative errno. */
int sb_scratch_folder(int dir_fd, const char *name);
int sb_scratch_remove_folder(int dir_fd, const char *name);
/* Removes all of our making from the folder, also folders in it. 0 or negative errno. */
int sb_scratch_empty(int dir_fd);

#endif
