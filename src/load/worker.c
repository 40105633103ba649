/* A worker: one thread per device that does everything which may hang. Parked on its ticket between
 * orders. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "suite_priv.h"

/* Most of it is never touched, so it costs address space only; libblkid and the sanitizers want it.
 */
#define STACK_BYTES ((size_t)512 << 10)

static void be_ready(struct sb_worker *w)
{
	struct sb_run *run = w->run;
	uint32_t n_jobs = run->n_jobs; /* counted in, the run may be gone */

	atomic_store_explicit(&w->live.state, SB_LIVE_READY, memory_order_release);
	/* only the last one has something to tell */
	if (atomic_fetch_add(&run->n_ready, 1) + 1 == n_jobs)
		sb_load_event(w->load);
}

static uint64_t thread_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
		return SB_NONE_U64;
	return (uint64_t)now.tv_sec * SB_NS_PER_SEC + (uint64_t)now.tv_nsec;
}

static uint64_t thread_system_ns(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage) != 0)
		return SB_NONE_U64;
	return (uint64_t)usage.ru_stime.tv_sec * SB_NS_PER_SEC +
	       (uint64_t)usage.ru_stime.tv_usec * 1000;
}

static void run_job(struct sb_worker *w)
{
	struct sb_run *run = w->run;
	uint64_t began, ended, began_system, ended_system;

	w->error = w->tester ? 0 : sb_worker_memory(w);
	if (w->error == 0)
		w->error = w->engine->open(w);
	be_ready(w);
	while (atomic_load_explicit(&run->gate, memory_order_acquire) == 0)
		sb_futex_wait(&run->gate, 0, 0);
	w->newest.time_ns = run->gate_ns;
	began = thread_ns();
	began_system = thread_system_ns();
	if (w->error == 0) {
		atomic_store_explicit(&w->live.state, SB_LIVE_RUNNING, memory_order_relaxed);
		w->engine->run(w);
	} else {
		w->outcome = SB_JOB_FAILED;
		if (w->tester)
			sb_tester_give_up(w->tester);
		sb_worker_ended(w, sb_now_ns());
	}
	ended = thread_ns();
	ended_system = thread_system_ns();
	if (began != SB_NONE_U64 && ended != SB_NONE_U64)
		w->cpu_ns = ended - began;
	if (began_system != SB_NONE_U64 && ended_system >= began_system &&
	    ended_system != SB_NONE_U64)
		w->system_ns = ended_system - began_system;
	atomic_store_explicit(&w->live.state, SB_LIVE_ENDED, memory_order_release);
	atomic_fetch_add(&run->n_ended, 1);
	sb_load_event(w->load);
}

static void *worker_main(void *arg)
{
	struct sb_worker *w = arg;
	uint32_t seen = 0, ticket;

	for (;;) {
		while ((ticket = atomic_load_explicit(&w->ticket, memory_order_acquire)) == seen)
			sb_futex_wait(&w->ticket, seen, 0);
		seen = ticket;
		if (w->order == SB_ORDER_LEAVE)
			break;
		if (w->order == SB_ORDER_PREPARE) {
			if (w->tester)
				sb_tester_look(w);
			else
				(w->is_stream ? sb_look_again
					      : sb_look)(w, w->load->options->buffered);
			be_ready(w);
		} else {
			run_job(w);
		}
	}
	if (w->tester)
		sb_engine_suite.close(w);
	else if (w->engine)
		w->engine->close(w);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	atomic_store(&w->left, 1);
	sb_load_event(w->load);
	return NULL;
}

int sb_worker_start(struct sb_worker *w)
{
	pthread_attr_t attributes;
	sigset_t all, old;
	int rc;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	/* signals are the main thread's */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = -pthread_create(&w->thread, &attributes, worker_main, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	w->started = rc == 0;
	return rc;
}

void sb_worker_order(struct sb_worker *w, enum sb_order order)
{
	w->order = order;
	atomic_fetch_add_explicit(&w->ticket, 1, memory_order_release);
	sb_futex_wake(&w->ticket, 1);
}

void sb_worker_reset(struct sb_worker *w)
{
	SB_RELAXED_STORE(w->live.bytes, 0);
	SB_RELAXED_STORE(w->live.operations, 0);
	SB_RELAXED_STORE(w->live.errors, 0);
	SB_RELAXED_STORE(w->live.last_done_ns, 0);
	SB_RELAXED_STORE(w->live.state, SB_LIVE_PREPARING);
	sb_hist_reset(&w->hist);
	w->issued_bytes = 0;
	w->first_ns = w->last_ns = 0;
	w->newest = (struct sb_mark_point){0};
	w->open = w->close = (struct sb_edge){0};
	w->cpu_ns = w->system_ns = SB_NONE_U64;
	w->n_errors = 0;
	w->wrapped = false;
	w->error = 0;
	w->outcome = SB_JOB_PLANNED;
	if (w->job->end_at_end || w->position > w->job->span_bytes)
		w->position = 0;
}

bool sb_worker_next(struct sb_worker *w, uint64_t *offset_bytes, uint64_t *length)
{
	uint64_t limit = w->job->limit_bytes;

	if (atomic_load_explicit(&w->run->stop, memory_order_relaxed) != 0)
		return false;
	if (limit && w->issued_bytes >= limit) {
		w->outcome = SB_JOB_DONE;
		return false;
	}
	w->workload->next(w, offset_bytes, length);
	if (*length == 0) {
		w->outcome = SB_JOB_DONE;
		return false;
	}
	if (limit && *length > limit - w->issued_bytes) {
		uint64_t rest = limit - w->issued_bytes;
		uint64_t shorter = (rest + w->align - 1) / w->align * w->align;

		if (shorter < *length) {
			w->position -= *length - shorter;
			*length = shorter;
		}
	}
	w->issued_bytes += *length;
	return true;
}

void sb_worker_first(struct sb_worker *w, uint64_t done_ns)
{
	struct sb_run *run = w->run;
	uint64_t none = 0;

	w->first_ns = done_ns;
	if (run->no_window)
		return;
	if (atomic_fetch_add(&run->n_first, 1) + 1 < run->n_jobs)
		return;
	atomic_compare_exchange_strong(&run->open_ns, &none, done_ns + run->settle_ns);
	sb_load_event(w->load);
}

void sb_worker_edge(struct sb_edge *edge, const struct sb_mark_point *before,
		    const struct sb_mark_point *after)
{
	edge->passed = true;
	edge->before = *before;
	edge->after = *after;
}

bool sb_worker_failed(struct sb_worker *w, uint64_t offset_bytes, uint64_t length, int error,
		      uint64_t now_ns)
{
	if (w->n_errors < SB_ERRORS_KEPT)
		w->errors[w->n_errors] = (struct sb_io_error){
			.offset_bytes = offset_bytes,
			.error = error,
			.at_seconds = (double)(now_ns - w->run->gate_ns) / 1e9,
		};
	w->n_errors++;
	w->last_ns = now_ns;
	SB_RELAXED_STORE(w->live.errors, w->n_errors);
	SB_RELAXED_STORE(w->live.last_done_ns, now_ns);
	/* The node is gone, or the medium ends before the end that was known. */
	if (error == 0 || error == ENODEV || error == ENXIO)
		w->outcome = SB_JOB_VANISHED;
	if (w->scan) {
		sb_scan_failed(w, offset_bytes, length, error);
		return false;
	}
	if (w->outcome != SB_JOB_VANISHED && w->n_errors > w->load->max_errors)
		w->outcome = SB_JOB_FAILED;
	return w->outcome != SB_JOB_VANISHED && w->outcome != SB_JOB_FAILED;
}

bool sb_worker_resume(struct sb_worker *w, uint64_t *now_ns)
{
	return w->scan && sb_scan_resume(w, now_ns);
}

void sb_worker_ended(struct sb_worker *w, uint64_t now_ns)
{
	struct sb_run *run = w->run;
	uint64_t none = 0;

	if (run->no_window)
		return;
	if (w->first_ns == 0 && atomic_fetch_add(&run->n_first, 1) + 1 == run->n_jobs)
		atomic_compare_exchange_strong(&run->open_ns, &none, now_ns + run->settle_ns);
	/* One that failed ends its own figures, not the window of the others. */
	none = 0;
	if (w->outcome == SB_JOB_DONE)
		atomic_compare_exchange_strong(&run->close_ns, &none, w->newest.time_ns);
}
