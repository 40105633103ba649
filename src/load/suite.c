/* Tests in a directory as an engine: one test, or a chain of them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite_priv.h"

/* A disk without a counter may take so many times --hang-timeout to have all written. */
#define PATIENCE 10u

static const struct sb_test_code *find_code(const struct sb_test_code *codes, const char *name)
{
	while (codes->name && strcmp(codes->name, name) != 0)
		codes++;
	return codes->name ? codes : NULL;
}

/* Everything that need not be timed. */
static int prepare(struct sb_tester *t, struct sb_job *job)
{
	int rc;

	t->job = job;
	t->cached_percent = NAN;
	t->code = find_code(sb_data_codes, job->test);
	if (!t->code)
		t->code = find_code(sb_file_codes, job->test);
	if (!t->code)
		return -EINVAL;
	atomic_store(&t->tickets, 0);
	atomic_fetch_add(&t->patient, 1);
	rc = sb_streams_make(t);
	if (rc == 0)
		rc = t->code->prepare(t);
	if (rc == 0)
		rc = sb_streams_start(t);
	atomic_fetch_sub(&t->patient, 1);
	return rc;
}

static void add_stream(struct sb_test_record *r, const struct sb_stream *s)
{
	r->bytes += SB_RELAXED_LOAD(s->bytes);
	r->operations += SB_RELAXED_LOAD(s->operations);
	r->over_2s += s->over_2s;
	r->over_10s += s->over_10s;
	if (s->sync_ns > r->sync_ns)
		r->sync_ns = s->sync_ns;
	if (s->first_ns && (!r->first_ns || s->first_ns < r->first_ns))
		r->first_ns = s->first_ns;
	r->cpu_ns = s->cpu_ns == SB_NONE_U64 || r->cpu_ns == SB_NONE_U64 ? SB_NONE_U64
									 : r->cpu_ns + s->cpu_ns;
	if (s->error && !r->error)
		r->error = s->error;
}

/* A signal has ended it before all was done. */
static bool is_cut(const struct sb_tester *t, const struct sb_test_record *r)
{
	bool cut = false;

	for (unsigned i = 0; i < t->n_streams; i++)
		cut |= t->streams[i].cut;
	return cut ||
	       (atomic_load(&t->worker->run->stop) &&
		(r->bytes < t->job->limit_bytes || r->operations < t->job->limit_operations));
}

static void record(struct sb_tester *t, uint64_t began_ns, int error)
{
	struct sb_test_record *r = &t->records[t->n_records++];
	struct sb_worker *w = t->worker;

	*r = (struct sb_test_record){.began_ns = began_ns,
				     .last_ns = sb_now_ns(),
				     .cached_percent = t->cached_percent,
				     .error = error};
	if (error || t->n_streams != 1)
		sb_hist_reset(&w->hist);
	for (unsigned i = 0; i < t->n_streams && !error; i++) {
		add_stream(r, &t->streams[i]);
		if (t->n_streams > 1)
			sb_hist_merge(&w->hist, t->streams[i].hist);
	}
	r->latency = sb_hist_latency(&w->hist);
	r->outcome = r->error ? SB_JOB_FAILED : is_cut(t, r) ? SB_JOB_STOPPED : SB_JOB_DONE;
	atomic_store_explicit(&t->n_done, t->n_records, memory_order_release);
}

static int probe(void)
{
	return 0;
}

static int open_suite(struct sb_worker *w)
{
	int rc = prepare(w->tester, w->job);

	if (rc < 0)
		record(w->tester, sb_now_ns(), rc);
	return rc;
}

static bool has_failed(const struct sb_tester *t)
{
	return t->n_records && t->records[t->n_records - 1].outcome != SB_JOB_DONE;
}

/* A directory that is full gives back what it took, so that others on its file system go on. */
void sb_tester_give_up(struct sb_tester *t)
{
	atomic_fetch_add(&t->patient, 1);
	sb_tester_remove_data(t);
	sb_tester_free_files(t);
	sb_scratch_remove(&t->scratch);
	atomic_fetch_sub(&t->patient, 1);
}

static void run_suite(struct sb_worker *w)
{
	struct sb_tester *t = w->tester;

	for (size_t i = 0; i < w->chain && !has_failed(t) && !atomic_load(&w->run->stop); i++) {
		int rc = i == 0 ? 0 : prepare(t, w->job + i);

		if (rc == 0)
			record(t, sb_streams_run(t), 0);
		else
			record(t, sb_now_ns(), rc);
	}
	sb_streams_free(t);
	if (has_failed(t) && t->records[t->n_records - 1].outcome == SB_JOB_FAILED) {
		w->outcome = SB_JOB_FAILED;
		sb_tester_give_up(t);
	}
	sb_worker_ended(w, sb_now_ns());
}

/* All that it made goes with the worker. */
static void close_suite(struct sb_worker *w)
{
	sb_streams_free(w->tester);
	sb_tester_give_up(w->tester);
}

const struct sb_engine sb_engine_suite = {
	.name = "suite",
	.summary = "tests in a directory",
	.probe = probe,
	.open = open_suite,
	.run = run_suite,
	.close = close_suite,
};

int sb_tester_create(struct sb_worker *w)
{
	struct sb_tester *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->worker = w;
	t->scratch = SB_SCRATCH_NONE;
	t->files_fd = -1;
	w->tester = t;
	return 0;
}

void sb_tester_destroy(struct sb_tester *t)
{
	if (!t)
		return;
	sb_streams_free(t);
	free(t->records);
	free(t);
}

int sb_tester_chain(struct sb_tester *t, size_t n)
{
	free(t->records);
	t->records = calloc(n, sizeof(*t->records));
	t->n_records = 0;
	atomic_store(&t->n_done, 0);
	return t->records ? 0 : -ENOMEM;
}

/* Its disk's counter moves: it is slow, and does not hang. */
static bool disk_moves(struct sb_worker *w, uint64_t now_ns)
{
	struct sb_tester *t = w->tester;
	struct sb_disk_reading reading;
	uint64_t count;

	if (w->stat_fd < 0 || sb_disk_read(w->stat_fd, &reading) != 0)
		return false;
	count = reading.read_bytes + reading.write_bytes;
	if (count != t->moved_count)
		t->moved_ns = now_ns;
	t->moved_count = count;
	return true;
}

bool sb_tester_hangs(struct sb_worker *w, uint64_t now_ns, uint64_t limit_ns)
{
	struct sb_tester *t = w->tester;
	uint64_t last = SB_RELAXED_LOAD(w->live.last_done_ns);

	if (limit_ns == 0)
		return true;
	if (!atomic_load(&t->patient))
		return now_ns > last + limit_ns;
	if (disk_moves(w, now_ns))
		return now_ns > (t->moved_ns > last ? t->moved_ns : last) + limit_ns;
	return now_ns > last + limit_ns * PATIENCE;
}
