/* The tests of files: many of them are created, looked at and deleted, in the order of their
 * numbers (which lead their names) or at random. Names as bonnie++ makes them: ten digits, and up
 * to twelve letters before or behind them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "suite_priv.h"

#define LETTERS_MOST 12
#define ENTRIES_BYTES 32768u
#define FILES_FOLDER "files"

/* As the kernel gives it (getdents64(2)); the C library has no struct for it. */
struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

static const struct sb_options *options_of(const struct sb_tester *t)
{
	return t->worker->load->options;
}

void sb_tester_free_files(struct sb_tester *t)
{
	for (uint32_t i = 0; t->folders && i < t->n_folders; i++)
		if (t->folders[i] >= 0 && t->folders[i] != t->files_fd)
			close(t->folders[i]);
	if (t->files_fd >= 0)
		close(t->files_fd);
	t->files_fd = -1;
	free(t->folders);
	free(t->names);
	free(t->order);
	free(t->entries);
	t->folders = NULL;
	t->names = NULL;
	t->order = NULL;
	t->entries = NULL;
	t->n_files = t->n_folders = t->n_folders_made = 0;
}

static void make_name(struct sb_stream *s, char name[SB_FILE_NAME], uint32_t number, bool random)
{
	static const char set[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
	char letters[LETTERS_MOST + 1];
	size_t n = sb_stream_draw(s) % (LETTERS_MOST + 1);

	for (size_t i = 0; i < n; i++)
		letters[i] = set[sb_stream_draw(s) % (sizeof(set) - 1)];
	letters[n] = '\0';
	if (random)
		snprintf(name, SB_FILE_NAME, "%s%010x", letters, number);
	else
		snprintf(name, SB_FILE_NAME, "%010x%s", number, letters);
}

static int allocate(struct sb_tester *t)
{
	t->n_files = (uint32_t)t->job->limit_operations;
	t->n_folders = options_of(t)->file_folders ? (uint32_t)options_of(t)->file_folders : 1;
	t->names = calloc(t->n_files, sizeof(*t->names));
	t->order = calloc(t->n_files, sizeof(*t->order));
	t->folders = calloc(t->n_folders, sizeof(*t->folders));
	t->entries = malloc(ENTRIES_BYTES);
	for (uint32_t i = 0; t->folders && i < t->n_folders; i++)
		t->folders[i] = -1;
	return t->names && t->order && t->folders && t->entries ? 0 : -ENOMEM;
}

static int make_folders(struct sb_tester *t)
{
	char name[SB_FILE_NAME];

	t->files_fd = sb_scratch_folder(t->scratch.fd, FILES_FOLDER);
	if (t->files_fd < 0)
		return t->files_fd;
	if (t->n_folders == 1) {
		t->folders[0] = t->files_fd;
		return 0;
	}
	for (uint32_t i = 0; i < t->n_folders; i++) {
		snprintf(name, sizeof(name), "%05x", i);
		t->folders[i] = sb_scratch_folder(t->files_fd, name);
		if (t->folders[i] < 0)
			return t->folders[i];
		t->n_folders_made++;
	}
	return 0;
}

static int prepare_files(struct sb_tester *t, bool random)
{
	struct sb_stream *s = &t->streams[0];
	int rc;

	/* the disk has room for one or the other only */
	sb_tester_remove_data(t);
	sb_tester_free_files(t);
	sb_scratch_empty(t->scratch.fd);
	rc = allocate(t);
	if (rc == 0)
		rc = make_folders(t);
	for (uint32_t i = 0; rc == 0 && i < t->n_files; i++) {
		make_name(s, t->names[i], i, random);
		t->order[i] = i;
	}
	return rc;
}

static int prepare_create(struct sb_tester *t)
{
	return prepare_files(t, false);
}

static int prepare_random_create(struct sb_tester *t)
{
	return prepare_files(t, true);
}

static int prepare_walk(struct sb_tester *t)
{
	return t->n_files ? 0 : -ENOENT;
}

/* Fisher and Yates */
static int prepare_shuffled(struct sb_tester *t)
{
	struct sb_stream *s = &t->streams[0];

	if (t->n_files == 0)
		return -ENOENT;
	for (uint32_t i = t->n_files; i > 1; i--) {
		uint32_t k = (uint32_t)(sb_stream_draw(s) % i), other = t->order[k];

		t->order[k] = t->order[i - 1];
		t->order[i - 1] = other;
	}
	return 0;
}

/* Files of neighbouring numbers lie in the same folder. */
static int folder_of(const struct sb_tester *t, uint32_t file)
{
	return t->folders[(uint64_t)file * t->n_folders / t->n_files];
}

static uint64_t size_of(struct sb_stream *s)
{
	const struct sb_options *o = options_of(s->tester);
	uint64_t range = o->file_max_bytes - o->file_min_bytes;

	return o->file_min_bytes + (range ? sb_stream_draw(s) % (range + 1) : 0);
}

static int write_file(struct sb_stream *s, int fd, uint64_t bytes)
{
	uint64_t block = s->tester->job->block_bytes;

	for (uint64_t done = 0; done < bytes;) {
		uint64_t part = bytes - done < block ? bytes - done : block;
		ssize_t n = write(fd, s->buffer, part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		done += (uint64_t)n;
	}
	return 0;
}

/* Links lead to the first file of their folder. */
static int make_link(struct sb_tester *t, int folder, uint32_t i)
{
	uint64_t n = t->n_folders, k = (uint64_t)i * n / t->n_files;
	uint32_t first = (uint32_t)((k * t->n_files + n - 1) / n);

	if (first == i)
		return -ENOENT;
	return options_of(t)->file_links == SB_LINKS_HARD
		       ? sb_scratch_link(folder, t->names[i], t->names[first])
		       : sb_scratch_symlink(folder, t->names[i], t->names[first]);
}

static int make_file(struct sb_stream *s, int folder, uint32_t i, uint64_t bytes)
{
	struct sb_tester *t = s->tester;
	bool each = options_of(t)->fsync_each;
	int fd, rc;

	if (options_of(t)->file_links != SB_LINKS_NONE) {
		rc = make_link(t, folder, i);
		if (rc != -ENOENT)
			return rc == 0 && each && fsync(folder) != 0 ? -errno : rc;
	}
	fd = sb_scratch_create(folder, t->names[i], 0);
	if (fd < 0)
		return fd;
	rc = write_file(s, fd, bytes);
	if (rc == 0 && each && (fsync(fd) != 0 || fsync(folder) != 0))
		rc = -errno;
	if (close(fd) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

static void run_create(struct sb_stream *s)
{
	struct sb_tester *t = s->tester;
	uint64_t before = sb_now_ns();

	for (uint32_t i = 0; i < t->n_files; i++) {
		uint64_t bytes = size_of(s);
		int rc = make_file(s, folder_of(t, i), i, bytes);

		if (rc < 0) {
			sb_stream_fail(s, rc);
			break;
		}
		if (!sb_stream_done(s, bytes, &before))
			break;
	}
	sb_stream_sync(s, t->scratch.fd, true);
}

/* Its bytes, or negative errno. */
static int64_t read_file(struct sb_stream *s, int folder, const char *name)
{
	uint64_t block = s->tester->job->block_bytes;
	int fd = sb_scratch_read(folder, name);
	int64_t bytes = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	while ((n = read(fd, s->buffer, block)) > 0)
		bytes += n;
	if (n < 0)
		bytes = -errno;
	close(fd);
	return bytes;
}

static int64_t look_at(struct sb_stream *s, int folder, const char *name)
{
	struct stat st;

	if (fstatat(folder, name, &st, 0) != 0)
		return -errno;
	return st.st_size > 0 && S_ISREG(st.st_mode) ? read_file(s, folder, name) : 0;
}

static int64_t delete (struct sb_stream *s, int folder, const char *name)
{
	int rc = sb_scratch_unlink(folder, name);

	if (rc == 0 && options_of(s->tester)->fsync_each && fsync(folder) != 0)
		rc = -errno;
	return rc;
}

typedef int64_t action_fn(struct sb_stream *s, int folder, const char *name);

/* False: the test is to end. */
static bool act(struct sb_stream *s, action_fn *action, int folder, const char *name,
		uint64_t *before)
{
	int64_t bytes = action(s, folder, name);

	if (bytes >= 0)
		return sb_stream_done(s, (uint64_t)bytes, before);
	sb_stream_fail(s, (int)bytes);
	return false;
}

/* In the order in which the folder gives them. */
static bool walk_folder(struct sb_stream *s, int folder, action_fn *action, uint64_t *before)
{
	unsigned char *entries = s->tester->entries;
	long n;

	if (lseek(folder, 0, SEEK_SET) != 0) {
		sb_stream_fail(s, -errno);
		return false;
	}
	while ((n = syscall(SYS_getdents64, folder, entries, (size_t)ENTRIES_BYTES)) > 0) {
		for (long at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(const void *)(entries + at);

			at += e->length;
			if (e->name[0] != '.' && !act(s, action, folder, e->name, before))
				return false;
		}
	}
	if (n < 0)
		sb_stream_fail(s, -errno);
	return n == 0;
}

static void walk(struct sb_stream *s, action_fn *action)
{
	struct sb_tester *t = s->tester;
	uint64_t before = sb_now_ns();

	for (uint32_t i = 0; i < t->n_folders; i++)
		if (!walk_folder(s, t->folders[i], action, &before))
			break;
}

static void jump(struct sb_stream *s, action_fn *action)
{
	struct sb_tester *t = s->tester;
	uint64_t before = sb_now_ns();

	for (uint32_t i = 0; i < t->n_files; i++) {
		uint32_t k = t->order[i];

		if (!act(s, action, folder_of(t, k), t->names[k], &before))
			break;
	}
}

static void run_stat(struct sb_stream *s)
{
	walk(s, look_at);
}

static void run_random_stat(struct sb_stream *s)
{
	jump(s, look_at);
}

/* The folders go with their files, in the time of the test. */
static void remove_folders(struct sb_stream *s)
{
	struct sb_tester *t = s->tester;
	char name[SB_FILE_NAME];
	int rc = 0;

	if (sb_stream_stops(s))
		return;
	for (uint32_t i = 0; i < t->n_folders_made && rc == 0; i++) {
		snprintf(name, sizeof(name), "%05x", i);
		rc = sb_scratch_remove_folder(t->files_fd, name);
	}
	if (rc == 0)
		rc = sb_scratch_remove_folder(t->scratch.fd, FILES_FOLDER);
	if (rc < 0)
		sb_stream_fail(s, rc);
	sb_stream_sync(s, t->scratch.fd, true);
}

static void run_delete(struct sb_stream *s)
{
	walk(s, delete);
	remove_folders(s);
}

static void run_random_delete(struct sb_stream *s)
{
	jump(s, delete);
	remove_folders(s);
}

const struct sb_test_code sb_file_codes[] = {
	{"create", prepare_create, run_create},
	{"stat", prepare_walk, run_stat},
	{"delete", prepare_walk, run_delete},
	{"random_create", prepare_random_create, run_create},
	{"random_stat", prepare_shuffled, run_random_stat},
	{"random_delete", prepare_shuffled, run_random_delete},
	{NULL, NULL, NULL},
};
