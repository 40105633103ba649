/* Cleanup attributes for locals. Owns nothing; any thread. */
#ifndef SATABENCH_CLEANUP_H
#define SATABENCH_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void sb_cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void sb_cleanup_fd(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void sb_cleanup_file(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void sb_cleanup_dir(DIR **d)
{
	if (*d)
		closedir(*d);
}

#define SB_AUTO_FREE __attribute__((cleanup(sb_cleanup_free)))
#define SB_AUTO_FD __attribute__((cleanup(sb_cleanup_fd)))
#define SB_AUTO_FILE __attribute__((cleanup(sb_cleanup_file)))
#define SB_AUTO_DIR __attribute__((cleanup(sb_cleanup_dir)))

#define SB_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
