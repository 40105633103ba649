/* Streams: what runs one test, in the worker's own thread or, where there are several, in threads
 * of their own that are ready before the gate. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "suite_priv.h"

#define STACK_BYTES ((size_t)256 << 10)
#define LOOK_NS (SB_NS_PER_SEC / 50) /* how often the streams' counts are summed up */

static uint64_t thread_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
		return SB_NONE_U64;
	return (uint64_t)now.tv_sec * SB_NS_PER_SEC + (uint64_t)now.tv_nsec;
}

void sb_stream_sync(struct sb_stream *s, int fd, bool whole)
{
	uint64_t before = sb_now_ns();

	/* Ctrl-C: what is thrown away need not reach the disk */
	if (sb_stream_stops(s)) {
		s->cut = s->error == 0;
		return;
	}
	atomic_fetch_add(&s->tester->patient, 1);
	if ((whole ? syncfs(fd) : fsync(fd)) != 0)
		sb_stream_fail(s, -errno);
	atomic_fetch_sub(&s->tester->patient, 1);
	s->sync_ns += sb_now_ns() - before;
	SB_RELAXED_STORE(s->last_ns, sb_now_ns());
	if (s->live)
		SB_RELAXED_STORE(s->live->last_done_ns, sb_now_ns());
}

static void run_stream(struct sb_stream *s)
{
	uint64_t began = thread_ns();

	s->tester->code->run(s);
	s->cpu_ns = began == SB_NONE_U64 ? SB_NONE_U64 : thread_ns() - began;
}

static void *stream_main(void *arg)
{
	struct sb_stream *s = arg;
	struct sb_tester *t = s->tester;

	while (atomic_load_explicit(&t->go, memory_order_acquire) == 0)
		sb_futex_wait(&t->go, 0, 0);
	if (atomic_load(&t->go) == 1)
		run_stream(s);
	atomic_fetch_add(&t->n_ended, 1);
	sb_futex_wake(&t->n_ended, INT_MAX);
	return NULL;
}

static int start_thread(struct sb_stream *s)
{
	pthread_attr_t attributes;
	int rc;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	/* signals are blocked in the worker, and so in what it starts */
	rc = -pthread_create(&s->thread, &attributes, stream_main, s);
	pthread_attr_destroy(&attributes);
	return rc;
}

static void join_streams(struct sb_tester *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pthread_join(t->streams[i].thread, NULL);
	t->threaded = false;
}

/* So many of them were started and wait to be let go: they are not. */
static void dismiss(struct sb_tester *t, unsigned n)
{
	atomic_store(&t->go, 2);
	sb_futex_wake(&t->go, INT_MAX);
	join_streams(t, n);
}

void sb_streams_free(struct sb_tester *t)
{
	if (t->threaded) /* a signal came between their start and the gate */
		dismiss(t, t->n_streams);
	for (unsigned i = 0; i < t->n_streams; i++) {
		if (t->streams[i].fd >= 0)
			close(t->streams[i].fd);
		free(t->streams[i].buffer);
	}
	free(t->streams);
	t->streams = NULL;
	t->n_streams = 0;
}

/* What compresses or is alike would be measured for less than it is. */
static void fill(struct sb_stream *s, size_t bytes)
{
	for (size_t i = 0; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
		uint64_t value = sb_stream_draw(s);

		memcpy(s->buffer + i, &value, sizeof(value));
	}
}

int sb_streams_make(struct sb_tester *t)
{
	const struct sb_job *job = t->job;
	size_t n = job->depth, bytes = job->block_bytes < 4096 ? 4096 : job->block_bytes;

	sb_streams_free(t);
	t->streams = aligned_alloc(128, n * sizeof(*t->streams));
	if (!t->streams)
		return -ENOMEM;
	memset(t->streams, 0, n * sizeof(*t->streams));
	for (t->n_streams = 0; t->n_streams < n; t->n_streams++) {
		struct sb_stream *s = &t->streams[t->n_streams];

		s->tester = t;
		s->fd = -1;
		s->random = (t->worker->random += 0x9e3779b97f4a7c15u) | 1;
		s->hist = n == 1 ? &t->worker->hist : &s->own_hist;
		sb_hist_reset(s->hist);
		if (posix_memalign((void **)&s->buffer, SB_PAGE_BYTES, bytes) != 0) {
			s->buffer = NULL;
			t->n_streams++;
			return -ENOMEM;
		}
		fill(s, bytes);
	}
	return 0;
}

int sb_streams_start(struct sb_tester *t)
{
	atomic_store(&t->go, 0);
	atomic_store(&t->n_ended, 0);
	if (t->n_streams == 1)
		return 0;
	for (unsigned i = 0; i < t->n_streams; i++) {
		int rc = start_thread(&t->streams[i]);

		if (rc == 0)
			continue;
		dismiss(t, i);
		return rc;
	}
	t->threaded = true;
	return 0;
}

/* The streams' counts, while they run, as those of the worker. */
static void tell_live(struct sb_tester *t, uint64_t bytes, uint64_t operations)
{
	struct sb_live *live = &t->worker->live;
	uint64_t last = 0;

	for (unsigned i = 0; i < t->n_streams; i++) {
		const struct sb_stream *s = &t->streams[i];
		uint64_t at = SB_RELAXED_LOAD(s->last_ns);

		bytes += SB_RELAXED_LOAD(s->bytes);
		operations += SB_RELAXED_LOAD(s->operations);
		last = at > last ? at : last;
	}
	SB_RELAXED_STORE(live->bytes, bytes);
	SB_RELAXED_STORE(live->operations, operations);
	if (last)
		SB_RELAXED_STORE(live->last_done_ns, last);
}

static void run_threads(struct sb_tester *t)
{
	uint64_t bytes = SB_RELAXED_LOAD(t->worker->live.bytes);
	uint64_t operations = SB_RELAXED_LOAD(t->worker->live.operations);
	uint32_t n;

	atomic_store_explicit(&t->go, 1, memory_order_release);
	sb_futex_wake(&t->go, INT_MAX);
	while ((n = atomic_load(&t->n_ended)) < t->n_streams) {
		sb_futex_wait(&t->n_ended, n, sb_now_ns() + LOOK_NS);
		tell_live(t, bytes, operations);
	}
	join_streams(t, t->n_streams);
	tell_live(t, bytes, operations);
}

uint64_t sb_streams_run(struct sb_tester *t)
{
	uint64_t began;

	if (t->n_streams == 1) {
		t->streams[0].live = &t->worker->live;
		t->streams[0].live_bytes = SB_RELAXED_LOAD(t->worker->live.bytes);
		t->streams[0].live_operations = SB_RELAXED_LOAD(t->worker->live.operations);
	}
	began = sb_now_ns();
	if (t->threaded)
		run_threads(t);
	else
		run_stream(&t->streams[0]);
	return began;
}
