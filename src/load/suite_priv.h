/* Inside load: what a worker does in a directory. A tester belongs to one worker; its tests are run
 * by streams: one in the worker's own thread, or several in threads that it starts before the gate
 * and waits for. Files come from base's scratch folder only. */
#ifndef SATABENCH_SUITE_PRIV_H
#define SATABENCH_SUITE_PRIV_H

#include <errno.h>

#include "load_priv.h"
#include "satabench/scratch.h"
#include "satabench/suite.h"

#define SB_FILE_NAME 24 /* ten digits, up to twelve letters */

/* What came of one job; written by the worker, published by n_done. */
struct sb_test_record {
	uint64_t began_ns, first_ns, last_ns; /* last: all is on the disk */
	uint64_t bytes, operations;
	uint64_t sync_ns, cpu_ns, over_2s, over_10s;
	double cached_percent;
	struct sb_latency latency;
	int error;   /* negative errno */
	int outcome; /* enum sb_job_state */
};

struct sb_stream {
	/* one writer, the stream; others may look */
	_Alignas(128) _Atomic uint64_t bytes, operations, last_ns;
	struct sb_hist *hist; /* the worker's, or, of several, its own */
	struct sb_hist own_hist;
	uint64_t first_ns, sync_ns, cpu_ns, over_2s, over_10s;

	struct sb_tester *tester;
	struct sb_live *live; /* told by itself where it is the only one, else NULL */
	uint64_t live_bytes, live_operations; /* what live had before */
	int fd;				      /* of its own for this test; -1 */
	uint64_t file_bytes;		      /* of its file */
	uint64_t operations_limit;
	unsigned char *buffer; /* of a block; page aligned */
	uint64_t random;
	int error; /* negative errno */
	bool cut;  /* ended by a signal, before all was on the disk */
	pthread_t thread;
};

struct sb_data_file {
	int fd; /* as it was made; -1: there is none */
	char name[SB_FILE_NAME];
};

struct sb_tester {
	struct sb_worker *worker;
	struct sb_scratch scratch;
	int direct_flag; /* O_DIRECT or 0 */

	/* the job that is being run */
	struct sb_job *job;
	const struct sb_test_code *code;
	struct sb_stream *streams;
	unsigned n_streams;
	bool threaded;
	_Atomic uint32_t go;	  /* futex: streams in threads may begin */
	_Atomic uint32_t n_ended; /* futex: of them */
	_Atomic uint64_t tickets; /* taken by the streams that share them */
	double cached_percent;

	/* Threads in calls that may rightly take long: fsync, removing. */
	_Atomic uint32_t patient;
	uint64_t moved_ns, moved_count; /* main's: when its disk was last seen at work */

	struct sb_data_file *data;
	unsigned n_data;

	/* many files */
	int files_fd; /* folder of the folders; -1 */
	int *folders; /* -1 where there is none */
	uint32_t n_folders, n_files, n_folders_made;
	char (*names)[SB_FILE_NAME];
	uint32_t *order;
	unsigned char *entries; /* for getdents */

	struct sb_test_record *records; /* by job of the chain */
	uint32_t n_records;
	_Atomic uint32_t n_done;
};

/* A test: what is done before the gate and what is timed. */
struct sb_test_code {
	const char *name;
	int (*prepare)(struct sb_tester *t); /* 0 or negative errno */
	void (*run)(struct sb_stream *s);
};
extern const struct sb_test_code sb_data_codes[], sb_file_codes[]; /* the last has name NULL */

/* suite_stream.c, worker's thread. Memory and counts for the job's threads; 0 or -ENOMEM. */
int sb_streams_make(struct sb_tester *t);
/* Starts them, where there are several, waiting. 0 or negative errno. */
int sb_streams_start(struct sb_tester *t);
/* Runs the test to its end; when it began. */
uint64_t sb_streams_run(struct sb_tester *t);
void sb_streams_free(struct sb_tester *t);

/* suite_look.c: worker's thread, before the first gate. */
void sb_tester_look(struct sb_worker *w);
void sb_tester_look_apply(struct sb_worker *w);

/* suite.c: the engine, and the tester's life. */
extern const struct sb_engine sb_engine_suite;
int sb_tester_create(struct sb_worker *w);
void sb_tester_destroy(struct sb_tester *t);
/* Removes all that it made; worker's thread. */
void sb_tester_give_up(struct sb_tester *t);
/* Main, while the worker is parked: room for so many jobs. 0 or -ENOMEM. */
int sb_tester_chain(struct sb_tester *t, size_t n);
/* Main: has it been silent for longer than it may? */
bool sb_tester_hangs(struct sb_worker *w, uint64_t now_ns, uint64_t limit_ns);
/* suite_outcome.c, main. */
void sb_tester_outcome(struct sb_worker *w, struct sb_job *jobs, size_t n, bool interrupted);
char *sb_tester_message(const struct sb_worker *w, const struct sb_job *job); /* malloc'ed */

/* suite_files.c */
void sb_tester_free_files(struct sb_tester *t);
/* suite_data.c */
void sb_tester_remove_data(struct sb_tester *t);

/* suite_cache.c: drops the file's clean pages; how much of it is in the cache, percent. */
void sb_cache_drop(int fd);
double sb_cache_percent(int fd, uint64_t bytes);

/* xorshift64, as work_randread.c's */
static inline uint64_t sb_stream_draw(struct sb_stream *s)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return s->random;
}

static inline bool sb_stream_stops(const struct sb_stream *s)
{
	return s->error != 0 ||
	       atomic_load_explicit(&s->tester->worker->run->stop, memory_order_relaxed) != 0;
}

/* The test cannot go on: errno is taken for `error` 0. */
static inline void sb_stream_fail(struct sb_stream *s, int error)
{
	s->error = error ? error : -EIO;
}

/* One operation is done; its end is the begin of the next. False: the test is to end. */
static inline bool sb_stream_done(struct sb_stream *s, uint64_t bytes, uint64_t *before_ns)
{
	uint64_t now = sb_now_ns(), took = now - *before_ns;

	sb_hist_add(s->hist, took);
	if (__builtin_expect(took > 2 * SB_NS_PER_SEC, 0)) {
		s->over_2s++;
		s->over_10s += took > 10 * SB_NS_PER_SEC;
	}
	SB_RELAXED_ADD(s->bytes, bytes);
	SB_RELAXED_ADD(s->operations, 1);
	SB_RELAXED_STORE(s->last_ns, now);
	if (__builtin_expect(s->first_ns == 0, 0))
		s->first_ns = now;
	if (s->live) {
		SB_RELAXED_STORE(s->live->bytes, s->live_bytes + SB_RELAXED_LOAD(s->bytes));
		SB_RELAXED_STORE(s->live->operations,
				 s->live_operations + SB_RELAXED_LOAD(s->operations));
		SB_RELAXED_STORE(s->live->last_done_ns, now);
	}
	*before_ns = now;
	return !sb_stream_stops(s);
}

/* Until what was written is on the disk: its time is part of the test. `fd` of a file, or with
 * `whole` of anything on the file system. */
void sb_stream_sync(struct sb_stream *s, int fd, bool whole);

#endif
