/* The null engine: no device behind it. Completions carry their scheduled times. */
#include <errno.h>

#include "load_priv.h"

static int probe(void)
{
	return 0;
}

static int open_null(struct sb_worker *w)
{
	(void)w;
	return 0;
}

/* Until the time, or until the run is stopped (then false). */
static bool wait_until(struct sb_run *run, uint64_t time_ns)
{
	while (atomic_load_explicit(&run->stop, memory_order_relaxed) == 0) {
		if (sb_now_ns() >= time_ns)
			return true;
		sb_futex_wait(&run->stop, 0, time_ns);
	}
	return false;
}

/* As a thread in uninterruptible sleep: nothing brings it back. */
static _Noreturn void hang(void)
{
	static _Atomic uint32_t never;

	for (;;)
		sb_futex_wait(&never, 0, 0);
}

/* How the next request is answered, and when. False: the job is over. */
static bool answer(struct sb_worker *w, uint64_t offset, uint64_t length, uint64_t *last)
{
	uint64_t gate = w->run->gate_ns, submit, done;
	enum sb_null_event event =
		sb_null_next(w->null, offset, length, w->job->depth, &submit, &done);

	if (event == SB_NULL_HANG)
		hang();
	/* stopped: what is in flight is still answered, unless that would take for ever */
	if (!wait_until(w->run, gate + done) && gate + done > sb_now_ns() + w->load->hang_ns)
		return false;
	*last = gate + done;
	if (event == SB_NULL_DONE) {
		sb_worker_done(w, offset, length, gate + submit, *last);
		return true;
	}
	return sb_worker_failed(w, offset, length, event == SB_NULL_ERROR ? EIO : ENODEV, *last);
}

static int read_null(struct sb_worker *w, uint64_t offset, uint64_t length, uint64_t *now_ns)
{
	uint64_t gate = w->run->gate_ns, submit, done;
	enum sb_null_event event =
		sb_null_next(w->null, offset, length, w->job->depth, &submit, &done);

	if (event == SB_NULL_HANG && w->load->options->virtual_time)
		return -1;
	if (event == SB_NULL_HANG)
		hang();
	if (!w->load->options->virtual_time && !wait_until(w->run, gate + done))
		return -1;
	*now_ns = gate + done;
	return event == SB_NULL_DONE ? 0 : event == SB_NULL_ERROR ? EIO : ENODEV;
}

/* A thread that woke late is behind the schedule when it is stopped: what the device would have
 * answered within the window is made up for. */
static bool is_behind(const struct sb_worker *w, uint64_t last)
{
	return w->job->limit_bytes == 0 &&
	       last < atomic_load_explicit(&w->run->close_ns, memory_order_relaxed);
}

static void run(struct sb_worker *w)
{
	uint64_t offset, length, last = w->run->gate_ns;
	bool going = true;

	while (going && sb_worker_next(w, &offset, &length))
		going = answer(w, offset, length, &last) || sb_worker_resume(w, &last);
	while (going && is_behind(w, last)) {
		w->workload->next(w, &offset, &length);
		going = answer(w, offset, length, &last);
	}
	sb_worker_ended(w, last);
}

static void close_null(struct sb_worker *w)
{
	(void)w;
}

const struct sb_engine sb_engine_null = {
	"null", "no device, answers by a schedule", probe, open_null, run, read_null, close_null,
};
