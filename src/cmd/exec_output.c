#include "exec_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

#define MOST_BYTES (16 << 20) /* kept of one stream of one copy */
#define EDGE_BYTES (4 << 20)  /* of the beginning and of the end, where it was more */

static bool is_for_people(const char *format)
{
	return !format || strcmp(format, "text") == 0 || strcmp(format, "classic") == 0;
}

/* DIR/copy-N.out */
static int open_file(int dir, const char *shown, size_t copy, const char *ending)
{
	SB_AUTO_FREE char *name = sb_format("copy-%zu.%s", copy + 1, ending);
	int fd = name ? sb_create_file(dir, name) : -ENOMEM;

	if (fd < 0)
		sb_error("--output-dir %s: %s: %s", shown, name ? name : "?",
			 fd == -EINVAL ? "is no regular file" : strerror(-fd));
	return fd;
}

static int open_folder(struct exec_output *o, const char *path)
{
	SB_AUTO_FREE char *shown = sb_escape(path);
	int rc = sb_make_directories(path);
	SB_AUTO_FD int dir = rc < 0 ? rc : sb_open_readonly(AT_FDCWD, path, O_DIRECTORY);

	if (dir < 0) {
		sb_error("--output-dir %s: %s", shown, strerror(-dir));
		return dir;
	}
	for (size_t i = 0; i < o->n; i++) {
		o->out_fd[i] = open_file(dir, shown, i, "out");
		if (o->out_fd[i] < 0)
			return o->out_fd[i];
		o->err_fd[i] = open_file(dir, shown, i, "err");
		if (o->err_fd[i] < 0)
			return o->err_fd[i];
	}
	return 0;
}

static int open_memory(struct exec_output *o)
{
	o->is_kept = true;
	for (size_t i = 0; i < 2 * o->n; i++) {
		int *fd = i < o->n ? &o->out_fd[i] : &o->err_fd[i - o->n];

		*fd = memfd_create("satabench-output", MFD_CLOEXEC);
		if (*fd < 0) {
			int rc = -errno;

			sb_error("no memory for what the copies print: %s", strerror(-rc));
			return rc;
		}
	}
	return 0;
}

int exec_output_open(struct exec_output *o, const struct sb_options *options, size_t n)
{
	*o = (struct exec_output){.n = n,
				  .out_fd = calloc(n, sizeof(int)),
				  .err_fd = calloc(n, sizeof(int)),
				  .out_from = calloc(n, sizeof(uint64_t)),
				  .err_from = calloc(n, sizeof(uint64_t)),
				  .has_report =
					  !options->output && !is_for_people(options->format)};
	if (!o->out_fd || !o->err_fd || !o->out_from || !o->err_from)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		o->out_fd[i] = o->err_fd[i] = -1;
	if (options->output_dir)
		return open_folder(o, options->output_dir);
	if (n > 1)
		return open_memory(o);
	if (o->has_report)
		o->out_fd[0] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	return 0;
}

/* Without its middle: the pages there are given back. */
static void trim(int fd, uint64_t *from)
{
	struct stat st;
	off_t end;

	if (fstat(fd, &st) != 0 || st.st_size <= MOST_BYTES)
		return;
	end = st.st_size - EDGE_BYTES;
	if ((uint64_t)end > *from && fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					       EDGE_BYTES, end - EDGE_BYTES) == 0)
		*from = (uint64_t)end;
}

void exec_output_trim(struct exec_output *o)
{
	for (size_t i = 0; o->is_kept && i < o->n; i++) {
		trim(o->out_fd[i], &o->out_from[i]);
		trim(o->err_fd[i], &o->err_from[i]);
	}
}

/* The bytes from `at` to `end`; *last is the last one. */
static int copy_part(FILE *to, int fd, off_t at, off_t end, char *last)
{
	char buf[65536];

	while (at < end) {
		size_t wanted = end - at < (off_t)sizeof(buf) ? (size_t)(end - at) : sizeof(buf);
		ssize_t n = pread(fd, buf, wanted, at);

		if (n <= 0)
			return n < 0 ? -errno : 0;
		if (fwrite(buf, 1, (size_t)n, to) != (size_t)n)
			return -errno;
		*last = buf[n - 1];
		at += n;
	}
	return 0;
}

static int print_stream(FILE *to, int fd, uint64_t from, size_t copy, const char *what)
{
	char last = '\n', size[SB_UNIT_TEXT];
	struct stat st;
	int rc;

	if (fstat(fd, &st) != 0 || st.st_size == 0)
		return 0;
	fprintf(to, "==> copy %zu%s <==\n", copy + 1, what);
	if (from > 0) {
		rc = copy_part(to, fd, 0, EDGE_BYTES, &last);
		fprintf(to, "%s[... %s are left out; --output-dir keeps all ...]\n",
			last == '\n' ? "" : "\n", sb_format_bytes(size, from - EDGE_BYTES));
	} else {
		rc = 0;
	}
	if (rc == 0)
		rc = copy_part(to, fd, (off_t)from, st.st_size, &last);
	fputs(last == '\n' ? "\n" : "\n\n", to);
	return fflush(to) != 0 && rc == 0 ? -errno : rc;
}

int exec_output_print(struct exec_output *o)
{
	FILE *to = o->has_report ? stderr : stdout;
	int rc = 0;

	exec_output_trim(o);
	for (size_t i = 0; o->is_kept && i < o->n && rc == 0; i++) {
		rc = print_stream(to, o->out_fd[i], o->out_from[i], i, "");
		if (rc == 0)
			rc = print_stream(stderr, o->err_fd[i], o->err_from[i], i,
					  ", standard error");
	}
	return rc;
}

void exec_output_close(struct exec_output *o)
{
	for (size_t i = 0; o->out_fd && o->err_fd && i < o->n; i++) {
		sb_cleanup_fd(&o->out_fd[i]);
		sb_cleanup_fd(&o->err_fd[i]);
	}
	free(o->out_fd);
	free(o->err_fd);
	free(o->out_from);
	free(o->err_from);
}
