#include "satabench/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "satabench/cleanup.h"

int sb_open_readonly(int dirfd, const char *path, int flags)
{
	int fd;

	if ((flags & O_ACCMODE) != 0 || (flags & (O_CREAT | O_TRUNC | O_APPEND)) != 0)
		return -EINVAL;
	fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
	return fd < 0 ? -errno : fd;
}

int sb_open_terminal(int fd)
{
	char path[40];
	int copy;

	if (!isatty(fd))
		return -ENOTTY;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	copy = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return copy < 0 ? -errno : copy;
}

int sb_read_text(int dirfd, const char *path, char *buf, size_t size)
{
	SB_AUTO_FD int fd = sb_open_readonly(dirfd, path, 0);
	size_t used = 0;

	if (fd < 0)
		return fd;
	for (;;) {
		ssize_t n = read(fd, buf + used, size - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
		if (used == size)
			return -EFBIG;
	}
	while (used > 0 && buf[used - 1] == '\n')
		used--;
	buf[used] = '\0';
	return (int)used;
}

char *sb_read_all(const char *path, size_t *length)
{
	SB_AUTO_FD int fd = sb_open_readonly(AT_FDCWD, path, 0);
	SB_AUTO_FREE char *text = NULL;
	size_t used = 0, size = 0;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	for (;;) {
		ssize_t n;

		if (size - used < 4096) {
			char *more = realloc(text, size = size * 2 + 16384);

			if (!more)
				return NULL;
			text = more;
		}
		n = read(fd, text + used, size - used - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
	if (length)
		*length = used;
	char *result = text;
	text = NULL;
	return result;
}

int sb_read_u64(int dirfd, const char *path, uint64_t *value)
{
	char text[64], *end;
	int rc = sb_read_text(dirfd, path, text, sizeof(text));

	if (rc < 0)
		return rc;
	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno ? -errno : *end ? -EINVAL : 0;
}

/* A terminal, a pipe or /dev/null cannot be renamed over: it is written directly. A block device is
 * never opened for writing, not even if it takes the path's place after the first look. */
static int open_stream(struct sb_outfile *out, const char *path, mode_t mode)
{
	struct stat st;
	int fd;

	if (!S_ISCHR(mode) && !S_ISFIFO(mode))
		return S_ISDIR(mode) ? -EISDIR : -EINVAL;
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) != 0 || (!S_ISCHR(st.st_mode) && !S_ISFIFO(st.st_mode))) {
		close(fd);
		return -EINVAL;
	}
	out->file = fdopen(fd, "w");
	if (!out->file) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

int sb_outfile_open(struct sb_outfile *out, const char *path)
{
	struct stat st;
	int fd, rc;

	memset(out, 0, sizeof(*out));
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return open_stream(out, path, st.st_mode);
	out->path = strdup(path);
	out->temporary = sb_format("%s.XXXXXX", path);
	if (!out->path || !out->temporary) {
		rc = -ENOMEM;
		goto fail;
	}
	fd = mkostemp(out->temporary, O_CLOEXEC);
	if (fd < 0) {
		rc = -errno;
		goto fail;
	}
	out->file = fdopen(fd, "w");
	if (!out->file) {
		rc = -errno;
		close(fd);
		unlink(out->temporary);
		goto fail;
	}
	return 0;
fail:
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
	return rc;
}

static mode_t current_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

int sb_outfile_commit(struct sb_outfile *out)
{
	int rc = 0;

	if (!out->file)
		return -EBADF;
	if (fflush(out->file) != 0 || ferror(out->file))
		rc = errno ? -errno : -EIO;
	/* mkostemp made it 0600; a result is an ordinary file */
	if (rc == 0 && out->temporary &&
	    (fchmod(fileno(out->file), 0666 & ~current_umask()) != 0 ||
	     fsync(fileno(out->file)) != 0))
		rc = -errno;
	if (fclose(out->file) != 0 && rc == 0)
		rc = -errno;
	out->file = NULL;
	if (rc == 0 && out->temporary && rename(out->temporary, out->path) != 0)
		rc = -errno;
	if (rc != 0 && out->temporary)
		unlink(out->temporary);
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
	return rc;
}

int sb_create_file(int dirfd, const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
	struct stat st;
	int fd;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode))
		return -EINVAL;
	fd = openat(dirfd, name, flags | O_NONBLOCK, 0666);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && ftruncate(fd, 0) == 0 &&
	    fcntl(fd, F_SETFL, O_APPEND) == 0)
		return fd;
	close(fd);
	return -EINVAL;
}

void sb_outfile_discard(struct sb_outfile *out)
{
	if (out->file)
		fclose(out->file);
	if (out->temporary)
		unlink(out->temporary);
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
}

int sb_drop_caches(void)
{
	SB_AUTO_FD int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, "3", 1) == 1 ? 0 : -errno;
}

int sb_make_directories(const char *path)
{
	SB_AUTO_FREE char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	for (char *p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0755) != 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(copy, 0755) != 0 && errno != EEXIST ? -errno : 0;
}

/* Length of the valid UTF-8 sequence at s (1-4), 0 if it is none (RFC 3629: no overlong forms, no
 * surrogates, at most U+10FFFF). */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] < 0x80	 ? 1
		   : s[0] < 0xc2 ? 0
		   : s[0] < 0xe0 ? 2
		   : s[0] < 0xf0 ? 3
		   : s[0] < 0xf5 ? 4
				 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* C0, DEL and C1 (U+0080..9F) can move the cursor or change colours. */
static bool is_control(const unsigned char *s)
{
	return s[0] < 0x20 || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

/* Of the escapes that have a letter; 0: none. */
static char letter_of(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\\':
		return '\\';
	default:
		return 0;
	}
}

char *sb_escape(const char *name)
{
	const unsigned char *s = (const unsigned char *)name;
	char *text = malloc(strlen(name) * 4 + 1), *out = text;

	if (!text)
		return NULL;
	while (*s) {
		size_t n = utf8_length(s);

		if (letter_of(*s)) {
			*out++ = '\\';
			*out++ = letter_of(*s++);
		} else if (n == 0 || is_control(s)) {
			n = n ? n : 1;
			for (; n > 0; n--)
				out += sprintf(out, "\\x%02x", *s++);
		} else {
			memcpy(out, s, n);
			out += n;
			s += n;
		}
	}
	*out = '\0';
	return text;
}

char *sb_quote(const char *word)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f;

	if (word[0] && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=.,:/@%") == strlen(word))
		return strdup(word);
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	fputc('\'', f);
	for (const char *p = word; *p; p++)
		fprintf(f, *p == '\'' ? "'\\''" : "%c", *p);
	fputc('\'', f);
	fclose(f);
	return text;
}

char *sb_format(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return n < 0 ? NULL : text;
}
