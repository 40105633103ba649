/* A phase of null devices without waiting: one thread plays all workers' completions in the order
 * of their times, through the same code as the real ones, and takes the sampler's rows in between.
 */
#include <errno.h>
#include <stdlib.h>

#include "load_priv.h"

#define ROW_NS (SB_NS_PER_SEC / 10)

struct pending {
	bool ended;
	enum sb_null_event event;
	uint64_t offset, length, submit_ns, done_ns; /* absolute */
};

/* The worker's next event, or its end. */
static void advance(struct sb_worker *w, struct pending *p)
{
	uint64_t gate = w->run->gate_ns;

	if (!sb_worker_next(w, &p->offset, &p->length)) {
		p->ended = true;
		sb_worker_ended(w, w->last_ns);
		return;
	}
	p->event = sb_null_next(w->null, p->offset, p->length, w->job->depth, &p->submit_ns,
				&p->done_ns);
	p->submit_ns += gate;
	p->done_ns = p->event == SB_NULL_HANG ? UINT64_MAX : gate + p->done_ns;
}

static void play(struct sb_worker *w, struct pending *p)
{
	uint64_t now = p->done_ns;

	if (p->event == SB_NULL_DONE) {
		sb_worker_done(w, p->offset, p->length, p->submit_ns, now);
	} else if (!sb_worker_failed(w, p->offset, p->length,
				     p->event == SB_NULL_ERROR ? EIO : ENODEV, now) &&
		   !sb_worker_resume(w, &now)) {
		p->ended = true;
		sb_worker_ended(w, now);
		return;
	}
	advance(w, p);
}

static void take_row(struct sb_load *load, struct sb_crew *crew, uint64_t time_ns)
{
	struct sb_row *row = sb_series_next(load->series);

	if (!row)
		return;
	row->time_ns = time_ns;
	row->has_cpu = 0;
	for (size_t i = 0; i < crew->n; i++) {
		row->job_bytes[i] = crew->worker[i]->newest.bytes;
		row->device_bytes[i] = SB_NONE_U64;
	}
	sb_series_commit(load->series);
}

static size_t earliest(const struct pending *pending, size_t n)
{
	size_t first = n;

	for (size_t i = 0; i < n; i++)
		if (!pending[i].ended && pending[i].done_ns != UINT64_MAX &&
		    (first == n || pending[i].done_ns < pending[first].done_ns))
			first = i;
	return first;
}

static void force_open(struct sb_run *run, uint64_t time_ns)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong(&run->open_ns, &none, time_ns);
}

/* Plays all events up to the deadline (0: until every one has ended or hangs); the time it ends. */
static uint64_t play_all(struct sb_load *load, struct sb_crew *crew, struct pending *pending,
			 uint64_t deadline)
{
	struct sb_run *run = crew->run;
	uint64_t now = run->gate_ns, next_row = now + ROW_NS;
	uint64_t grace = now + sb_phase_grace_ns(crew->phase);

	for (;;) {
		size_t i = earliest(pending, crew->n);
		uint64_t time = i < crew->n ? pending[i].done_ns : UINT64_MAX;

		if (deadline && time > deadline)
			time = deadline;
		if (time == UINT64_MAX)
			return now;
		for (; next_row < time; next_row += ROW_NS)
			take_row(load, crew, next_row);
		if (time >= grace && !run->no_window)
			force_open(run, grace);
		now = time;
		if (i == crew->n || pending[i].done_ns > time)
			return now;
		play(crew->worker[i], &pending[i]);
	}
}

int sb_phase_run_virtual(struct sb_load *load, struct sb_crew *crew)
{
	struct sb_run *run = crew->run;
	uint64_t deadline = 0, none = 0, end;
	struct pending *pending = calloc(crew->n, sizeof(*pending));

	if (!pending)
		return -ENOMEM;
	run->gate_ns = load->virtual_ns;
	if (!sb_phase_by_amount(crew->phase))
		deadline = run->gate_ns + sb_seconds_to_ns(crew->phase->runtime_s);
	take_row(load, crew, run->gate_ns);
	for (size_t i = 0; i < crew->n; i++) {
		SB_RELAXED_STORE(crew->worker[i]->live.last_done_ns, run->gate_ns);
		crew->worker[i]->newest.time_ns = run->gate_ns;
		advance(crew->worker[i], &pending[i]);
	}
	end = play_all(load, crew, pending, deadline);
	atomic_compare_exchange_strong(&run->close_ns, &none, end);
	take_row(load, crew, end);
	for (size_t i = 0; i < crew->n; i++) {
		struct sb_worker *w = crew->worker[i];

		if (!pending[i].ended && pending[i].event == SB_NULL_HANG) {
			w->lost = true;
			end = run->gate_ns + load->hang_ns > end ? run->gate_ns + load->hang_ns
								 : end;
		} else if (!pending[i].ended) {
			/* what is in flight at the stop is answered, too */
			if (pending[i].event == SB_NULL_DONE &&
			    pending[i].done_ns < end + load->hang_ns)
				sb_worker_done(w, pending[i].offset, pending[i].length,
					       pending[i].submit_ns, pending[i].done_ns);
			sb_worker_ended(w, end);
		}
		atomic_store(&w->live.state, w->lost ? SB_LIVE_RUNNING : SB_LIVE_ENDED);
	}
	load->virtual_ns = end;
	free(pending);
	return 0;
}
