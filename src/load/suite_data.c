/* The tests of data: a file a stream, written and read in blocks, byte by byte, and at random. What
 * is written is on the disk before the time is taken. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite_priv.h"

#define REWRITE_SHARE 10u /* one seek in ten writes its block back, as bonnie++'s UpdateSeek */

static const struct sb_options *options_of(const struct sb_tester *t)
{
	return t->worker->load->options;
}

static int write_flags(const struct sb_tester *t)
{
	return options_of(t)->sync_writes ? O_SYNC : 0;
}

void sb_tester_remove_data(struct sb_tester *t)
{
	for (unsigned i = 0; i < t->n_data; i++) {
		if (t->data[i].fd < 0)
			continue;
		close(t->data[i].fd);
		sb_scratch_unlink(t->scratch.fd, t->data[i].name);
	}
	free(t->data);
	t->data = NULL;
	t->n_data = 0;
}

static int create(struct sb_tester *t, const char *prefix, unsigned n)
{
	sb_tester_remove_data(t);
	t->data = calloc(n, sizeof(*t->data));
	if (!t->data)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++, t->n_data++) {
		struct sb_data_file *f = &t->data[i];

		snprintf(f->name, sizeof(f->name), "%s%u", prefix, i);
		f->fd = sb_scratch_create(t->scratch.fd, f->name, 0);
		if (f->fd < 0)
			return f->fd;
	}
	return 0;
}

/* A descriptor of its own, with a position and read-ahead of its own, for each stream. */
static int open_streams(struct sb_tester *t, int flags)
{
	for (unsigned i = 0; i < t->n_streams; i++) {
		const struct sb_data_file *f = &t->data[i % t->n_data];
		struct sb_stream *s = &t->streams[i];

		s->fd = sb_scratch_again(t->scratch.fd, f->name, f->fd, flags);
		if (s->fd < 0)
			return s->fd;
		s->file_bytes = t->job->span_bytes / t->n_data;
		s->operations_limit = t->job->limit_operations / t->n_streams;
		if (i < t->job->limit_operations % t->n_streams)
			s->operations_limit++;
	}
	return 0;
}

static int prepare_char_write(struct sb_tester *t)
{
	int rc = create(t, "char", 1);

	return rc ? rc : open_streams(t, write_flags(t));
}

static int prepare_write(struct sb_tester *t)
{
	int rc = create(t, "data", t->n_streams);

	return rc ? rc : open_streams(t, t->direct_flag | write_flags(t));
}

/* What lies in the page cache would be read from memory, unless that is wanted. */
static void drop_cached(struct sb_tester *t, bool direct)
{
	uint64_t each = t->job->span_bytes / t->n_data;
	double sum = 0;

	for (unsigned i = 0; i < t->n_data; i++) {
		if (!options_of(t)->buffered)
			sb_cache_drop(t->data[i].fd);
		sum += sb_cache_percent(t->data[i].fd, each);
	}
	t->cached_percent = direct ? NAN : sum / t->n_data;
}

static int prepare_read(struct sb_tester *t)
{
	if (t->n_data == 0)
		return -ENOENT;
	drop_cached(t, t->direct_flag != 0);
	return open_streams(t, t->direct_flag | write_flags(t));
}

static int prepare_char_read(struct sb_tester *t)
{
	if (t->n_data == 0)
		return -ENOENT;
	drop_cached(t, false);
	return open_streams(t, 0);
}

static int prepare_random_write(struct sb_tester *t)
{
	return t->n_data ? open_streams(t, t->direct_flag | write_flags(t)) : -ENOENT;
}

static bool put(struct sb_stream *s, size_t length, uint64_t offset)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = pwrite(s->fd, s->buffer + done, length - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			sb_stream_fail(s, n < 0 ? -errno : -EIO);
			return false;
		}
		done += (size_t)n;
	}
	if (options_of(s->tester)->fsync_each && fsync(s->fd) != 0)
		sb_stream_fail(s, -errno);
	return s->error == 0;
}

static bool get(struct sb_stream *s, size_t length, uint64_t offset)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = pread(s->fd, s->buffer + done, length - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) { /* the file is as long as it was written */
			sb_stream_fail(s, n < 0 ? -errno : -EIO);
			return false;
		}
		done += (size_t)n;
	}
	return true;
}

/* No two blocks alike: a file system may store the same once. */
static void stamp(struct sb_stream *s, uint64_t value)
{
	memcpy(s->buffer, &value, sizeof(value));
}

static void run_write(struct sb_stream *s)
{
	uint64_t block = s->tester->job->block_bytes, before = sb_now_ns();

	for (uint64_t at = 0; at < s->file_bytes; at += block) {
		stamp(s, s->random ^ at);
		if (!put(s, block, at) || !sb_stream_done(s, block, &before))
			break;
	}
	sb_stream_sync(s, s->fd, false);
}

static void run_rewrite(struct sb_stream *s)
{
	uint64_t block = s->tester->job->block_bytes, before = sb_now_ns();

	for (uint64_t at = 0; at < s->file_bytes; at += block) {
		if (!get(s, block, at))
			break;
		s->buffer[at / block % block]++;
		if (!put(s, block, at) || !sb_stream_done(s, block, &before))
			break;
	}
	sb_stream_sync(s, s->fd, false);
}

static void run_read(struct sb_stream *s)
{
	uint64_t block = s->tester->job->block_bytes, before = sb_now_ns();

	for (uint64_t at = 0; at < s->file_bytes; at += block)
		if (!get(s, block, at) || !sb_stream_done(s, block, &before))
			break;
}

/* One write(2) a byte, as bonnie++ 2.00 has it. */
static void run_putc(struct sb_stream *s)
{
	uint64_t before = sb_now_ns();
	bool each = options_of(s->tester)->fsync_each;

	for (uint64_t at = 0; at < s->tester->job->limit_bytes; at++) {
		ssize_t n = write(s->fd, s->buffer + at % 4096, 1);

		if (n != 1 || (each && fsync(s->fd) != 0)) {
			sb_stream_fail(s, n == 0 ? -EIO : -errno);
			break;
		}
		if (!sb_stream_done(s, 1, &before))
			break;
	}
	sb_stream_sync(s, s->fd, false);
}

static void run_getc(struct sb_stream *s)
{
	uint64_t before = sb_now_ns();

	for (uint64_t at = 0; at < s->tester->job->limit_bytes; at++) {
		ssize_t n = read(s->fd, s->buffer, 1);

		if (n != 1) {
			sb_stream_fail(s, n == 0 ? -EIO : -errno);
			break;
		}
		if (!sb_stream_done(s, 1, &before))
			break;
	}
}

/* Evenly spread over the blocks of the file. */
static uint64_t random_offset(struct sb_stream *s)
{
	uint64_t block = s->tester->job->block_bytes, blocks = s->file_bytes / block;

	return (uint64_t)(((unsigned __int128)sb_stream_draw(s) * blocks) >> 64) * block;
}

/* The seekers share one number of seeks, so that they end together. */
static void run_seeks(struct sb_stream *s)
{
	struct sb_tester *t = s->tester;
	uint64_t block = t->job->block_bytes, before = sb_now_ns();

	while (atomic_fetch_add_explicit(&t->tickets, 1, memory_order_relaxed) <
	       t->job->limit_operations) {
		uint64_t at = random_offset(s);

		if (!get(s, block, at))
			break;
		if (sb_stream_draw(s) % REWRITE_SHARE == 0) {
			s->buffer[0]++;
			if (!put(s, block, at))
				break;
		}
		if (!sb_stream_done(s, block, &before))
			break;
	}
	sb_stream_sync(s, s->fd, false);
}

static void run_random(struct sb_stream *s, bool writing)
{
	uint64_t block = s->tester->job->block_bytes, before = sb_now_ns();

	for (uint64_t i = 0; i < s->operations_limit; i++) {
		uint64_t at = random_offset(s);

		stamp(s, s->random);
		if (!(writing ? put(s, block, at) : get(s, block, at)) ||
		    !sb_stream_done(s, block, &before))
			break;
	}
	if (writing)
		sb_stream_sync(s, s->fd, false);
}

static void run_random_write(struct sb_stream *s)
{
	run_random(s, true);
}

static void run_random_read(struct sb_stream *s)
{
	run_random(s, false);
}

const struct sb_test_code sb_data_codes[] = {
	{"putc", prepare_char_write, run_putc},
	{"write", prepare_write, run_write},
	{"rewrite", prepare_read, run_rewrite},
	{"getc", prepare_char_read, run_getc},
	{"read", prepare_read, run_read},
	{"seeks", prepare_read, run_seeks},
	{"random_write", prepare_random_write, run_random_write},
	{"random_read", prepare_read, run_random_read},
	{NULL, NULL, NULL},
};
