#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"
#include "satabench/sample.h"
#include "satabench/units.h"
#include "sample_priv.h"

#define FAST_NS (SB_NS_PER_SEC / 10)
#define SLOW_NS SB_NS_PER_SEC
#define FAST_FOR_NS (60 * SB_NS_PER_SEC)
#define FEW_CPUS 64 /* above, /proc/stat costs too much for ten readings a second */

enum order { PARKED, RUNNING, ENDING };

/* The caller's thread and the sampler's hand the work fields to each other under `lock`: the caller
 * writes them while the thread is parked, the thread reads them while it is not. */
struct sb_sampler {
	int stat_fd;
	struct cgroup_usage cgroup;
	struct stat_text snapshot_text; /* of the caller's thread */
	struct stat_text row_text;
	struct sb_cpu_reading row_cpu;

	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* to the thread: order changed */
	pthread_cond_t rest; /* from the thread: it is parked */
	enum order order;
	bool is_parked;

	/* the work */
	struct sb_series *series;
	const struct sb_live *const *live;
	const int *stat_fds;
	size_t n;
	uint64_t start_ns;
	uint64_t cpu_due_ns;
};

/* Bytes first: the row's time is theirs. */
static void fill_row(struct sb_sampler *s, struct sb_row *row, bool with_cpu)
{
	struct sb_disk_reading disk;

	row->time_ns = sb_now_ns();
	for (size_t i = 0; i < s->n; i++)
		row->job_bytes[i] = atomic_load_explicit(&s->live[i]->bytes, memory_order_relaxed);
	for (size_t i = 0; i < s->n; i++)
		row->device_bytes[i] = s->stat_fds[i] >= 0 && !sb_disk_read(s->stat_fds[i], &disk)
					       ? disk.read_bytes
					       : SB_NONE_U64;
	row->has_cpu = with_cpu && !sample_stat_read(s->stat_fd, &s->row_text, &s->row_cpu);
	if (row->has_cpu)
		row->total = s->row_cpu.total;
	else
		memset(&row->total, 0, sizeof(row->total));
}

static void take_row(struct sb_sampler *s, bool with_cpu)
{
	struct sb_row *row = sb_series_next(s->series);

	if (!row)
		return;
	fill_row(s, row, with_cpu);
	sb_series_commit(s->series);
}

/* The next point of the grid after `now`; points that were missed are left out. */
static uint64_t next_deadline(const struct sb_sampler *s, uint64_t now)
{
	uint64_t passed = now - s->start_ns;
	uint64_t step = passed < FAST_FOR_NS ? FAST_NS : SLOW_NS;

	return s->start_ns + (passed / step + 1) * step;
}

static void take_due_row(struct sb_sampler *s)
{
	uint64_t now = sb_now_ns();
	bool with_cpu = s->row_cpu.n_cpus <= FEW_CPUS || now >= s->cpu_due_ns;

	if (with_cpu)
		s->cpu_due_ns = s->start_ns + ((now - s->start_ns) / SLOW_NS + 1) * SLOW_NS;
	take_row(s, with_cpu);
}

/* Called and left with the lock held; it is free while the thread sleeps or takes a row. */
static void run_phase(struct sb_sampler *s)
{
	uint64_t deadline = next_deadline(s, sb_now_ns());

	while (s->order == RUNNING) {
		struct timespec at = {.tv_sec = (time_t)(deadline / SB_NS_PER_SEC),
				      .tv_nsec = (long)(deadline % SB_NS_PER_SEC)};

		if (pthread_cond_timedwait(&s->wake, &s->lock, &at) != ETIMEDOUT)
			continue;
		if (s->order != RUNNING)
			break;
		pthread_mutex_unlock(&s->lock);
		take_due_row(s);
		pthread_mutex_lock(&s->lock);
		deadline = next_deadline(s, sb_now_ns());
	}
}

static void *sampler_main(void *arg)
{
	struct sb_sampler *s = arg;

	pthread_mutex_lock(&s->lock);
	while (s->order != ENDING) {
		if (s->order == RUNNING)
			run_phase(s);
		s->is_parked = true;
		pthread_cond_signal(&s->rest);
		if (s->order == PARKED)
			pthread_cond_wait(&s->wake, &s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int init_conds(struct sb_sampler *s)
{
	pthread_condattr_t attr;
	int err = pthread_condattr_init(&attr);

	if (err)
		return -err;
	err = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (!err)
		err = pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (err)
		return -err;
	err = pthread_cond_init(&s->rest, NULL);
	if (err)
		pthread_cond_destroy(&s->wake);
	return -err;
}

/* Signals are the main thread's: none is delivered here. */
static int start_thread(struct sb_sampler *s)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&s->thread, NULL, sampler_main, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		pthread_setname_np(s->thread, "sampler");
	return -err;
}

static void free_parts(struct sb_sampler *s)
{
	sb_cleanup_fd(&s->stat_fd);
	sb_cleanup_fd(&s->cgroup.fd);
	free(s->snapshot_text.text);
	free(s->row_text.text);
	sb_cpu_reading_free(&s->row_cpu);
	free(s);
}

int sb_sampler_create(struct sb_sampler **out)
{
	struct sb_sampler *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->is_parked = true;
	s->cgroup.fd = -1;
	s->stat_fd = sb_open_readonly(AT_FDCWD, "/proc/stat", 0);
	if (s->stat_fd < 0) {
		err = s->stat_fd;
		free_parts(s);
		return err;
	}
	/* only a cross-check: its absence is no error */
	sample_cgroup_open(&s->cgroup);
	pthread_mutex_init(&s->lock, NULL);
	err = init_conds(s);
	if (err)
		goto no_conds;
	err = start_thread(s);
	if (err)
		goto no_thread;
	*out = s;
	return 0;

no_thread:
	pthread_cond_destroy(&s->wake);
	pthread_cond_destroy(&s->rest);
no_conds:
	pthread_mutex_destroy(&s->lock);
	free_parts(s);
	return err;
}

int sb_sampler_snapshot(struct sb_sampler *s, struct sb_snapshot *snapshot)
{
	struct timespec own;
	int err = sample_stat_read(s->stat_fd, &s->snapshot_text, &snapshot->cpu);

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
	snapshot->own_ns = (uint64_t)own.tv_sec * SB_NS_PER_SEC + (uint64_t)own.tv_nsec;
	snapshot->cgroup_ns = sample_cgroup_read(&s->cgroup);
	return err;
}

void sb_snapshot_free(struct sb_snapshot *snapshot)
{
	sb_cpu_reading_free(&snapshot->cpu);
}

int sb_snapshot_delta(const struct sb_snapshot *start, const struct sb_snapshot *end,
		      struct sb_cpu_counters *out)
{
	int err = sb_cpu_delta(&start->cpu, &end->cpu, out);
	bool has_cgroup = start->cgroup_ns != SB_NONE_U64 && end->cgroup_ns != SB_NONE_U64 &&
			  end->cgroup_ns >= start->cgroup_ns;

	out->valid = !err;
	out->own_ns = end->own_ns > start->own_ns ? end->own_ns - start->own_ns : 0;
	out->cgroup_ns = has_cgroup ? end->cgroup_ns - start->cgroup_ns : SB_NONE_U64;
	return err;
}

int sb_sampler_start(struct sb_sampler *s, struct sb_series *series,
		     const struct sb_live *const *live, const int *stat_fd, size_t n)
{
	if (sb_series_jobs(series) < n)
		return -EINVAL;
	/* the thread is parked: the first row, at the gate, is taken here without delay */
	s->series = series;
	s->live = live;
	s->stat_fds = stat_fd;
	s->n = n;
	s->start_ns = sb_now_ns();
	s->cpu_due_ns = s->start_ns + SLOW_NS;
	take_row(s, true);
	pthread_mutex_lock(&s->lock);
	s->order = RUNNING;
	s->is_parked = false;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static void park(struct sb_sampler *s)
{
	pthread_mutex_lock(&s->lock);
	s->order = PARKED;
	pthread_cond_signal(&s->wake);
	while (!s->is_parked)
		pthread_cond_wait(&s->rest, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

void sb_sampler_stop(struct sb_sampler *s)
{
	if (!s->series)
		return;
	park(s);
	take_row(s, true);
	s->series = NULL;
}

void sb_sampler_destroy(struct sb_sampler *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->order = ENDING;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	pthread_cond_destroy(&s->wake);
	pthread_cond_destroy(&s->rest);
	pthread_mutex_destroy(&s->lock);
	free_parts(s);
}
