/* Files and small texts. Any thread. */
#ifndef SATABENCH_FILE_H
#define SATABENCH_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The one place that opens anything for reading: always O_RDONLY | O_CLOEXEC | O_NOCTTY plus
 * `flags` (O_DIRECT, O_NONBLOCK, O_DIRECTORY ...; an access mode or O_CREAT in it is an error,
 * -EINVAL). No function of the program opens a block device any other way. fd or negative errno. */
int sb_open_readonly(int dirfd, const char *path, int flags);

/* The terminal that `fd` is on once more, for writing without blocking: flags of `fd` itself are
 * shared with other programs. fd or negative errno; -ENOTTY: it is none. */
int sb_open_terminal(int fd);

/* Whole small file (sysfs, procfs) into buf, always terminated, trailing newline cut.
 * Length or negative errno; -EFBIG when it does not fit. */
int sb_read_text(int dirfd, const char *path, char *buf, size_t size);
/* The whole file as a malloc'ed, terminated string; for files of any length. NULL + errno. */
char *sb_read_all(const char *path, size_t *length);
/* A decimal number in a small file; negative errno when missing or not a number. */
int sb_read_u64(int dirfd, const char *path, uint64_t *value);

/* Output that appears whole or not at all: a temporary file beside `path`, synced and renamed by
 * commit. A terminal, a pipe or a character device is written directly (`temporary` is NULL); a
 * block device is refused (-EINVAL), a directory too (-EISDIR). */
struct sb_outfile {
	FILE *file;
	char *path;
	char *temporary;
};
int sb_outfile_open(struct sb_outfile *out, const char *path);
int sb_outfile_commit(struct sb_outfile *out);
void sb_outfile_discard(struct sb_outfile *out);
/* An empty file that is appended to, whatever regular file stood there; nothing else is opened
 * (-EINVAL). fd or negative errno. */
int sb_create_file(int dirfd, const char *name);
/* Where presets and ceilings lie: the source's for a program that is run where it was built, else
 * where they are installed. */
const char *sb_data_folder(void);
/* Asks the kernel to drop all clean caches of the machine. 0 or negative errno. */
int sb_drop_caches(void);
/* mkdir -p, mode 0755 */
int sb_make_directories(const char *path);

/* A name for people: control characters, invalid UTF-8 and backslash as \xNN, \n, \t, \\;
 * malloc'ed, NULL out of memory. */
char *sb_escape(const char *name);
/* A word as one could type it to a shell; malloc'ed, NULL out of memory. */
char *sb_quote(const char *word);
/* printf into a malloc'ed string; NULL out of memory */
char *sb_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
