/* Running one phase by the clock: prepare, gate, run, and always come back. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "suite_priv.h"
#include "satabench/keeper.h"
#include "satabench/log.h"

#define TICK_NS (SB_NS_PER_SEC / 10)
#define STOP_GRACE_NS (2 * SB_NS_PER_SEC) /* after Ctrl-C, for requests in flight */

bool sb_phase_by_amount(const struct sb_phase *phase)
{
	return phase->kind == SB_PHASE_SUITE ||
	       (phase->n_jobs > 0 && (phase->jobs[0].limit_bytes > 0 || phase->jobs[0].end_at_end));
}

uint64_t sb_phase_grace_ns(const struct sb_phase *phase)
{
	return sb_phase_by_amount(phase) ? SB_NS_PER_SEC : sb_seconds_to_ns(phase->runtime_s) / 2;
}

static void lose(struct sb_load *load, struct sb_worker *w)
{
	w->lost = true;
	load->any_lost = true;
}

static size_t n_lost(const struct sb_crew *crew)
{
	size_t n = 0;

	for (size_t i = 0; i < crew->n; i++)
		n += crew->worker[i]->lost;
	return n;
}

static void start_silence(struct sb_crew *crew)
{
	for (size_t i = 0; i < crew->n; i++)
		SB_RELAXED_STORE(crew->worker[i]->live.last_done_ns, sb_now_ns());
}

/* Is a directory still at work that may take longer than a device? */
static bool any_prepares(struct sb_load *load, struct sb_crew *crew)
{
	for (size_t i = 0; i < crew->n; i++) {
		struct sb_worker *w = crew->worker[i];

		if (w->tester && atomic_load(&w->live.state) == SB_LIVE_PREPARING &&
		    !sb_tester_hangs(w, sb_now_ns(), load->hang_ns))
			return true;
	}
	return false;
}

/* All are ready, or late ones are given up. */
static void wait_ready(struct sb_load *load, struct sb_crew *crew)
{
	struct sb_run *run = crew->run;
	uint64_t deadline = sb_now_ns() + load->hang_ns;

	start_silence(crew);
	for (;;) {
		uint32_t event = atomic_load(&load->event);

		if (atomic_load(&run->n_ready) == run->n_jobs)
			return;
		if ((sb_now_ns() >= deadline && !any_prepares(load, crew)) || sb_stop_count() > 1)
			break;
		sb_futex_wait(&load->event, event, sb_now_ns() + TICK_NS);
	}
	for (size_t i = 0; i < crew->n; i++)
		if (atomic_load(&crew->worker[i]->live.state) == SB_LIVE_PREPARING)
			lose(load, crew->worker[i]);
}

static void read_counters(struct sb_crew *crew)
{
	for (size_t i = 0; i < crew->n; i++)
		crew->counted[i] = crew->stat_fd[i] >= 0 &&
				   sb_disk_read(crew->stat_fd[i], &crew->before[i]) == 0;
}

static void open_gate(struct sb_load *load, struct sb_crew *crew, struct sb_snapshot *at_gate)
{
	struct sb_run *run = crew->run;

	read_counters(crew);
	sb_sampler_start(load->sampler, load->series, crew->live, crew->stat_fd, crew->n);
	sb_sampler_snapshot(load->sampler, at_gate);
	/* Rows are taken from the gate on: the first one is its time. */
	run->gate_ns = sb_series_count(load->series) ? sb_series_row(load->series, 0)->time_ns
						     : sb_now_ns();
	for (size_t i = 0; i < crew->n; i++)
		SB_RELAXED_STORE(crew->worker[i]->live.last_done_ns, run->gate_ns);
	atomic_store_explicit(&run->gate, 1, memory_order_release);
	sb_futex_wake(&run->gate, INT_MAX);
}

/* Links that had nothing to do may have trained down: they are looked at under load. */
static void look_at_links(struct sb_load *load, struct sb_crew *crew)
{
	if (load->hops && !crew->linked)
		(void)sb_hops_read_links(load->hops, crew->nodes, crew->n, crew->phase);
	crew->linked = true;
}

static void close_window(struct sb_run *run, uint64_t now)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong(&run->close_ns, &none, now);
}

static void stop_all(struct sb_run *run)
{
	atomic_store(&run->stop, 1);
	sb_futex_wake(&run->stop, INT_MAX);
}

/* Snapshots at the two ends of the window, as soon as they are there. */
static void watch_window(struct sb_load *load, struct sb_crew *crew, uint64_t now, uint64_t grace)
{
	struct sb_run *run = crew->run;
	uint64_t open = atomic_load(&run->open_ns), none = 0;

	if (run->no_window)
		return;
	if (open == 0 && now >= grace) {
		atomic_compare_exchange_strong(&run->open_ns, &none, now);
		open = atomic_load(&run->open_ns);
	}
	if (!crew->opened && !crew->closed && open != 0 && now >= open &&
	    atomic_load(&run->close_ns) == 0)
		crew->opened = sb_sampler_snapshot(load->sampler, &crew->at_open) == 0;
	if (!crew->closed && atomic_load(&run->close_ns) != 0)
		crew->closed = sb_sampler_snapshot(load->sampler, &crew->at_close) == 0;
}

/* What is known of the window while it runs: for the live rows. */
static void tell_window(struct sb_crew *crew)
{
	struct sb_run *run = crew->run;
	uint64_t close = atomic_load(&run->close_ns);

	if (run->no_window)
		crew->phase->window_start_ns = 0;
	if (crew->opened && crew->phase->window_start_ns == SB_NONE_U64)
		crew->phase->window_start_ns = atomic_load(&run->open_ns) - run->gate_ns;
	if (crew->opened && close != 0)
		crew->phase->window_end_ns = close - run->gate_ns;
}

static void watch_hangs(struct sb_load *load, struct sb_crew *crew, uint64_t now, uint64_t limit_ns)
{
	for (size_t i = 0; i < crew->n; i++) {
		struct sb_worker *w = crew->worker[i];

		if (w->lost || atomic_load(&w->live.state) == SB_LIVE_ENDED)
			continue;
		if (w->tester ? sb_tester_hangs(w, now, limit_ns)
			      : now > SB_RELAXED_LOAD(w->live.last_done_ns) + limit_ns)
			lose(load, w);
	}
}

/* Devices that are read beside directories are read until the last of those has ended. */
static bool all_tested(const struct sb_crew *crew)
{
	for (size_t i = 0; i < crew->n; i++) {
		const struct sb_worker *w = crew->worker[i];

		if (w->tester && !w->lost && atomic_load(&w->live.state) != SB_LIVE_ENDED)
			return false;
	}
	return crew->phase->kind == SB_PHASE_SUITE;
}

static uint64_t earlier(uint64_t a, uint64_t b, uint64_t now)
{
	return b > now && b < a ? b : a;
}

/* The main thread's loop while workers read. True when a signal ended it early. */
static bool watch(struct sb_load *load, struct sb_crew *crew)
{
	struct sb_run *run = crew->run;
	uint64_t gate = run->gate_ns, grace = gate + sb_phase_grace_ns(crew->phase);
	uint64_t deadline = sb_phase_by_amount(crew->phase)
				    ? UINT64_MAX
				    : gate + sb_seconds_to_ns(crew->phase->runtime_s);
	uint64_t middle =
		deadline == UINT64_MAX ? gate + SB_NS_PER_SEC / 2 : gate + (deadline - gate) / 2;
	uint64_t tick = gate + TICK_NS, stopped = 0;
	bool interrupted = false;

	for (;;) {
		uint32_t event = atomic_load(&load->event);
		uint64_t now = sb_now_ns();

		if (!stopped && (now >= deadline || sb_stop_signal())) {
			interrupted = now < deadline;
			close_window(run, now);
			stop_all(run);
			stopped = now;
		}
		if (!stopped && all_tested(crew)) {
			stop_all(run);
			stopped = now;
		}
		watch_window(load, crew, now, grace);
		if (!stopped && now >= middle)
			look_at_links(load, crew);
		tell_window(crew);
		if (atomic_load(&run->n_ended) + n_lost(crew) >= crew->n)
			return interrupted;
		if (sb_stop_count() > 1)
			watch_hangs(load, crew, now, 0);
		else if (sb_stop_signal() && stopped && now > stopped + STOP_GRACE_NS)
			watch_hangs(load, crew, now, STOP_GRACE_NS);
		else
			watch_hangs(load, crew, now, load->hang_ns);
		if (now >= tick) {
			load->watch.tick(load->watch.arg, crew->phase, load->series, crew->shown);
			tick = now + TICK_NS;
		}
		sb_futex_wait(&load->event, event,
			      earlier(earlier(earlier(earlier(tick, deadline, now), grace, now),
					      middle, now),
				      atomic_load(&run->open_ns), now));
	}
}

/* What directories have written is on the disk, so that all of it can be dropped. */
static void drop_caches(const struct sb_phase *phase)
{
	bool reads = false;
	int rc;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		const struct sb_suite_test *test = sb_suite_test(phase->jobs[i].test);

		reads |= test && test->reads;
	}
	rc = reads ? sb_drop_caches() : 0;
	if (rc < 0)
		sb_warn("--drop-caches: not dropped: %s", strerror(-rc));
}

int sb_phase_run_clock(struct sb_load *load, struct sb_crew *crew)
{
	struct sb_snapshot at_gate = {0}, at_end = {0};
	bool interrupted;

	if (load->options->drop_caches && crew->phase->kind == SB_PHASE_SUITE)
		drop_caches(crew->phase);
	for (size_t i = 0; i < crew->n; i++)
		sb_worker_order(crew->worker[i], SB_ORDER_RUN);
	wait_ready(load, crew);
	if (load->hops)
		sb_hops_start_interrupts(load->hops, crew->nodes, crew->n);
	open_gate(load, crew, &at_gate);
	interrupted = watch(load, crew);
	if (load->hops)
		(void)sb_hops_end_interrupts(load->hops, crew->phase);
	/* A window that opened and closed before this thread woke: from the gate to here. */
	if (!crew->opened || !crew->closed) {
		sb_snapshot_free(&crew->at_open);
		sb_snapshot_free(&crew->at_close);
		sb_sampler_snapshot(load->sampler, &at_end);
		crew->at_open = at_gate;
		crew->at_close = at_end;
		at_gate = (struct sb_snapshot){0};
	}
	sb_sampler_stop(load->sampler);
	if (load->first_gate_ns == 0)
		load->first_gate_ns = crew->run->gate_ns;
	sb_snapshot_delta(&crew->at_open, &crew->at_close, &crew->phase->counters);
	sb_snapshot_free(&at_gate);
	return interrupted ? -EINTR : 0;
}
