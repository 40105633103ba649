/* Inside load: a worker, one run of a phase, and the contract of an engine and of a workload.
 *
 * Threads: main creates a run, hands each worker its job by a ticket, waits until all are ready,
 * opens the gate, and later reads what a worker left once that worker has ended (acquire on
 * live.state). A worker that hangs keeps its run, which is never freed then: should it ever wake
 * up, it finds the stop flag of its own old run and ends, without touching a newer one. */
#ifndef SATABENCH_LOAD_PRIV_H
#define SATABENCH_LOAD_PRIV_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "satabench/clock.h"
#include "satabench/live.h"
#include "satabench/load.h"
#include "satabench/nullspec.h"
#include "satabench/sample.h"
#include "satabench/file.h"
#include "satabench/units.h"
#include "scan.h"

/* Segments of a vectored read that all point at one buffer: small enough for L1 and L2, page
 * aligned so that the block layer never has to bounce it. */
#define SB_SEGMENT_BYTES 32768u
#define SB_PAGE_BYTES 4096u
#define SB_DEPTH_MAX 1024u
/* A worker yields after each of its first reads: every worker makes its first read before any makes
 * its fifth, which cuts the skew of the start on machines with few CPUs. */
#define SB_YIELDS 4ul

/* State of one phase that is run, shared by its workers. */
struct sb_run {
	_Alignas(128) _Atomic uint32_t gate; /* futex: 1 = open */
	uint64_t gate_ns;		     /* written before the gate opens */
	_Alignas(128) _Atomic uint32_t stop;
	_Atomic uint64_t open_ns;  /* start of the common window; 0 = not yet */
	_Atomic uint64_t close_ns; /* its end; 0 = not yet */
	_Alignas(128) _Atomic uint32_t n_ready;
	_Atomic uint32_t n_first; /* had their first completion, or ended without one */
	_Atomic uint32_t n_ended; /* adding to it is a worker's last touch of the run */
	uint32_t n_jobs;
	uint64_t settle_ns; /* added to the window's start with spinning disks */
	bool no_window;	    /* each job counts from the gate to its own end */
};

/* A worker's counts at one of its completions. */
struct sb_mark_point {
	uint64_t time_ns, bytes, operations;
};

/* The completions on both sides of an end of the window: what had been read at that moment lies
 * between them. */
struct sb_edge {
	bool passed;
	struct sb_mark_point before, after;
};

/* One request in flight. */
struct sb_slot {
	uint64_t offset_bytes, submit_ns;
	uint64_t length;	  /* bytes still wanted */
	struct iovec *full, *odd; /* vectors for a whole block, and for any other length */
};

struct sb_engine;
struct sb_workload;
struct sb_null;
struct sb_tester;

struct sb_worker {
	struct sb_live live; /* relaxed atomics, for anybody */
	struct sb_hist hist;

	struct sb_load *load;
	struct sb_device *device;  /* identity and choices; the worker only reads it */
	bool is_stream;		   /* one of several of its device: `first` has looked at it */
	struct sb_worker *first;   /* the device's own worker */
	struct sb_worker *streams; /* of a first one: the others, one behind the other; NULL */
	pthread_t thread;
	bool started, lost;    /* main's: lost = hung, never joined or asked again */
	_Atomic uint32_t left; /* its device is closed: joining it does not wait any more */

	_Atomic uint32_t ticket; /* futex: the next order */
	int order;		 /* enum sb_order */
	struct sb_run *run;
	struct sb_job *job; /* of the phase; read by the worker, filled by main */
	const struct sb_engine *engine;
	const struct sb_workload *workload;
	int error; /* of the engine's open, negative errno */

	int fd;		/* of the device; -1 */
	uint32_t align; /* requests are whole multiples of it; 1 through the page cache */
	int stat_fd;	/* of its counters; -1, main's */
	struct sb_look *look;

	/* memory */
	unsigned char *one; /* the segment all requests share, in the pool */
	unsigned char *own; /* depth x block; NULL until needed */
	size_t own_bytes;
	bool one_buffer;
	struct iovec *vectors; /* for full blocks, then one a slot for other lengths */
	unsigned n_vector;     /* entries of each */
	struct sb_slot *slots;

	/* position and counts; after `ended` main may read them */
	uint64_t position; /* kept from phase to phase: reading goes on where it ended */
	uint64_t random;   /* state of the generator */
	uint64_t issued_bytes;
	bool wrapped;
	uint64_t first_ns, last_ns;  /* first completion, and the last one or error; 0: none */
	struct sb_mark_point newest; /* completion; the gate before the first */
	struct sb_edge open, close;
	uint64_t cpu_ns;    /* of its thread, gate to end; SB_NONE_U64: no thread */
	uint64_t system_ns; /* the same, in the kernel */
	uint64_t n_errors;
	struct sb_io_error errors[SB_ERRORS_KEPT];
	int outcome; /* enum sb_job_state */

	void *engine_data; /* the ring; kept between phases */
	struct sb_null *null;
	struct sb_scan *scan;	  /* of workload surface; NULL */
	struct sb_tester *tester; /* of a directory */
	size_t chain;		  /* jobs that it runs one after the other, from `job` on */
};

enum sb_order { SB_ORDER_PREPARE, SB_ORDER_RUN, SB_ORDER_LEAVE };

/* What an engine must do. All calls come from the worker's own thread. */
struct sb_engine {
	const char *name, *summary;
	/* Is it to be had on this machine? 0 or negative errno. */
	int (*probe)(void);
	/* Before the gate, memory is there: rings, registered files. 0 or negative errno. */
	int (*open)(struct sb_worker *w);
	/* After the gate: reads until sb_worker_next says no more, reporting each completion by
	 * sb_worker_done or sb_worker_failed; when nothing is in flight any more it asks
	 * sb_worker_resume. No allocation, no lock, no stdio. */
	void (*run)(struct sb_worker *w);
	/* One read while nothing is in flight: 0 or errno; -1: there will be no answer. */
	int (*read)(struct sb_worker *w, uint64_t offset_bytes, uint64_t length, uint64_t *now_ns);
	/* When the worker leaves; may come without open. */
	void (*close)(struct sb_worker *w);
};

/* Picks the next request within the job's span, which is not empty; length 0: it is through. */
struct sb_workload {
	const char *name, *summary;
	void (*next)(struct sb_worker *w, uint64_t *offset_bytes, uint64_t *length);
};

extern const struct sb_engine sb_engine_uring, sb_engine_preadv, sb_engine_null;
extern const struct sb_workload sb_workload_read, sb_workload_randread, sb_workload_surface;
const struct sb_engine *sb_engine_find(const char *name);
const struct sb_workload *sb_workload_find(const char *name);

/* futex.c; deadlines are CLOCK_MONOTONIC ns, 0 = none. -ETIMEDOUT or 0 (also when woken early). */
int sb_futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns);
void sb_futex_wake(_Atomic uint32_t *word, int n);

/* look.c: what the worker finds out about its device before the first gate. */
struct sb_look {
	int error;	  /* negative errno of what failed; 0 */
	const char *step; /* what failed: "open" ... */
	uint64_t size_bytes;
	uint32_t sector_bytes;
	bool direct_refused; /* O_DIRECT is not to be had: reads go through the page cache */
	bool nowait;	     /* RWF_NOWAIT works, so ring reads stay in the ring */
	bool one_refused;    /* a read into one buffer failed, one into own memory did not */
	bool empty;
	double wake_seconds;		 /* NaN: not read */
	uint64_t free_bytes, free_files; /* of a directory; SB_NONE_U64: not told */
	char contents[64];		 /* "" = nothing known */
};
void sb_look(struct sb_worker *w, bool buffered);
/* Another reader of a device: it is opened, and no more. */
void sb_look_again(struct sb_worker *w, bool buffered);
/* main: turns it into the device's fields */
void sb_look_apply(struct sb_worker *w, const struct sb_options *options);

/* memory.c */
unsigned char *sb_pool_create(size_t n, size_t *length);
void sb_pool_destroy(unsigned char *pool, size_t length);
/* Slots, vectors and, for own buffers, memory for the job; all touched. 0 or -ENOMEM. */
int sb_worker_memory(struct sb_worker *w);
void sb_worker_memory_free(struct sb_worker *w);
/* Vector for a length that is not a whole block. */
struct iovec *sb_slot_odd_vector(struct sb_worker *w, size_t slot, uint64_t length,
				 unsigned *count);

/* worker.c */
int sb_worker_start(struct sb_worker *w);
void sb_worker_order(struct sb_worker *w, enum sb_order order);
/* Resets the counts before a run; main, while the worker is parked. */
void sb_worker_reset(struct sb_worker *w);
/* The next request, or false when the job is to end: stop, amount, end of device. */
bool sb_worker_next(struct sb_worker *w, uint64_t *offset_bytes, uint64_t *length);
/* A request failed with errno `error` (0: no data before the known end). False: no more requests;
 * when all are back, sb_worker_resume tells whether the job goes on. */
bool sb_worker_failed(struct sb_worker *w, uint64_t offset_bytes, uint64_t length, int error,
		      uint64_t now_ns);
/* Nothing is in flight. */
bool sb_worker_resume(struct sb_worker *w, uint64_t *now_ns);
/* engine_preadv.c: one read of the device, for any engine that has one */
int sb_read_once(struct sb_worker *w, uint64_t offset_bytes, uint64_t length, uint64_t *now_ns);
/* The job is over: `outcome` as set, time of its end for the window. */
void sb_worker_ended(struct sb_worker *w, uint64_t now_ns);

/* null_noise.c: factors of a null device's rates in a phase. Phases must come in their order. */
struct sb_null_noise {
	double own, share[SB_NULL_SHARES];
	double drift;
	size_t drifted; /* phases that the drift has in it */
};
void sb_null_noise_next(struct sb_null_noise *noise, const struct sb_nullspec *spec, size_t phase);

/* null_model.c: when a null device answers. One schedule per phase, made by main beforehand. */
enum sb_null_event { SB_NULL_DONE, SB_NULL_ERROR, SB_NULL_HANG, SB_NULL_VANISH };
struct sb_null *sb_null_create(const struct sb_nullspec *spec);
void sb_null_destroy(struct sb_null *null);
const struct sb_nullspec *sb_null_spec(const struct sb_null *null);
/* Schedules for the null workers of a phase that starts started_s after the run's first gate.
 * 0 or -ENOMEM. */
int sb_null_schedule(struct sb_worker *const *workers, size_t n, double runtime_s, double started_s,
		     size_t phase);
/* Time (since the gate) at which the request of `length` bytes after all the earlier ones is
 * answered, and how; *submit_ns is when it was sent, at the job's depth. */
enum sb_null_event sb_null_next(struct sb_null *null, uint64_t offset_bytes, uint64_t length,
				uint64_t depth, uint64_t *submit_ns, uint64_t *done_ns);

/* phase.c and virtual.c: running one phase, by the clock and without it. */
struct sb_load {
	const struct sb_options *options;
	struct sb_result *result;
	struct sb_load_watch watch;
	struct sb_worker *workers; /* by device; behind them those of streams */
	size_t n_workers;
	unsigned char *pool;
	size_t pool_bytes;
	struct sb_sampler *sampler; /* NULL in virtual time */
	struct sb_hops *hops;	    /* same */
	struct sb_series *series;
	uint64_t first_gate_ns; /* 0 = none yet; in virtual time it counts from 1 s */
	uint64_t virtual_ns;
	uint64_t hang_ns, max_errors;
	bool any_lost;
	int ring_error; /* negative errno of trying io_uring once; 0 = it is to be had */
	_Atomic uint32_t n_identifying; /* futex: workers inside libblkid */
	_Atomic uint32_t event; /* futex for the main thread: something happened. Not in the run,
				 * which may be freed between a worker's last count and its wake */
};

/* The workers of a phase and the lists that go with them. */
struct sb_crew {
	struct sb_phase *phase;
	struct sb_worker **worker;
	size_t *first; /* the first job of each */
	const struct sb_live **live;
	const struct sb_live **shown; /* by job */
	int *stat_fd;
	struct sb_disk_reading *before;
	bool *counted;
	int *nodes; /* of their devices, in the topology */
	size_t n;
	struct sb_run *run;
	struct sb_snapshot at_open, at_close;
	bool opened, closed;
	bool linked; /* the links were looked at */
};
/* load.c: readers of a device besides its own worker. */
size_t sb_load_streams(const struct sb_device *device);
/* crew.c. 0, or negative errno after which it is to be freed as well. */
int sb_crew_init(struct sb_load *load, struct sb_crew *crew, struct sb_phase *phase);
void sb_crew_free(struct sb_crew *crew);
int sb_phase_run_clock(struct sb_load *load, struct sb_crew *crew);
int sb_phase_run_virtual(struct sb_load *load, struct sb_crew *crew);
/* How long to wait for the last first completion before the window opens without it, ns. */
uint64_t sb_phase_grace_ns(const struct sb_phase *phase);
bool sb_phase_by_amount(const struct sb_phase *phase);
/* outcome.c: fills the jobs and the phase; hung workers by what they told live. */
void sb_phase_outcome(struct sb_load *load, struct sb_crew *crew, bool interrupted);

/* Vector for the slot's next read. */
static inline struct iovec *sb_slot_vector(struct sb_worker *w, size_t slot, uint64_t length,
					   unsigned *count)
{
	if (__builtin_expect(length != w->job->block_bytes, 0))
		return sb_slot_odd_vector(w, slot, length, count);
	*count = w->n_vector;
	return w->slots[slot].full;
}

static inline void sb_load_event(struct sb_load *load)
{
	atomic_fetch_add(&load->event, 1);
	sb_futex_wake(&load->event, 1);
}

/* worker.c: the first completion of a phase, and the first one past an end of the window. */
void sb_worker_first(struct sb_worker *w, uint64_t done_ns);
void sb_worker_edge(struct sb_edge *edge, const struct sb_mark_point *before,
		    const struct sb_mark_point *after);

/* One completion of `bytes` bytes; the hot path. Times: CLOCK_MONOTONIC, or scheduled ones. */
static inline void sb_worker_done(struct sb_worker *w, uint64_t offset_bytes, uint64_t bytes,
				  uint64_t submit_ns, uint64_t done_ns)
{
	struct sb_mark_point now = {done_ns, w->newest.bytes + bytes, w->newest.operations + 1};
	uint64_t end;

	if (__builtin_expect(w->scan != NULL, 0))
		sb_scan_done(w, offset_bytes, bytes, submit_ns, done_ns);
	SB_RELAXED_STORE(w->live.bytes, now.bytes);
	SB_RELAXED_STORE(w->live.operations, now.operations);
	SB_RELAXED_STORE(w->live.last_done_ns, done_ns);
	w->last_ns = done_ns;
	if (__builtin_expect(w->first_ns == 0, 0))
		sb_worker_first(w, done_ns);
	if (__builtin_expect(!w->open.passed, 0)) {
		end = atomic_load_explicit(&w->run->open_ns, memory_order_relaxed);
		if (end != 0 && done_ns >= end) {
			sb_worker_edge(&w->open, &w->newest, &now);
			sb_hist_reset(&w->hist); /* what came before is not the window's */
			/* one that was under way through the whole window passes both ends */
			end = atomic_load_explicit(&w->run->close_ns, memory_order_relaxed);
			if (end != 0 && done_ns > end)
				sb_worker_edge(&w->close, &w->newest, &now);
		}
		sb_hist_add(&w->hist, done_ns - submit_ns);
	} else if (!w->close.passed) {
		end = atomic_load_explicit(&w->run->close_ns, memory_order_relaxed);
		if (end == 0 || done_ns <= end)
			sb_hist_add(&w->hist, done_ns - submit_ns);
		else
			sb_worker_edge(&w->close, &w->newest, &now);
	}
	w->newest = now;
}

#endif
