/* What a phase came to: from the workers' counts to jobs, phase and devices. Main thread; of a
 * worker that hangs only the atomics are read. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite_priv.h"
#include "satabench/cleanup.h"

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

static void count_device(struct sb_crew *crew, size_t i, struct sb_job *job)
{
	struct sb_disk_reading after;

	if (!crew->counted[i] || sb_disk_read(crew->stat_fd[i], &after) != 0)
		return;
	job->device_bytes = after.read_bytes - crew->before[i].read_bytes;
	job->device_operations = after.read_operations - crew->before[i].read_operations;
	job->device_busy_ms = after.busy_ms - crew->before[i].busy_ms;
	job->device_write_bytes = after.write_bytes - crew->before[i].write_bytes;
}

static void hung_job(struct sb_worker *w, struct sb_job *job)
{
	uint64_t gate = w->run->gate_ns;

	job->state = SB_JOB_HUNG;
	job->bytes = SB_RELAXED_LOAD(w->live.bytes);
	job->operations = SB_RELAXED_LOAD(w->live.operations);
	job->n_errors = SB_RELAXED_LOAD(w->live.errors);
	job->seconds = job->elapsed_seconds =
		gate ? seconds(gate, SB_RELAXED_LOAD(w->live.last_done_ns)) : 0;
}

/* What the block layer means by an errno that says something else to everybody else (blk_errors in
 * the kernel's block/blk-core.c). */
static const char *errno_text(int error)
{
	switch (error) {
	case 0:
		return "no data before the end of the device";
	case ENODATA:
		return "medium error";
	case EILSEQ:
		return "data integrity check failed";
	case EREMOTEIO:
		return "target error";
	case ENOLINK:
		return "transport error";
	case EBADE:
		return "reservation conflict";
	default:
		return strerror(error);
	}
}

static void copy_errors(const struct sb_worker *w, struct sb_job *job)
{
	size_t n = w->n_errors < SB_ERRORS_KEPT ? w->n_errors : SB_ERRORS_KEPT;

	job->n_errors = w->n_errors;
	job->errors = n ? calloc(n, sizeof(job->errors[0])) : NULL;
	if (!job->errors)
		return;
	for (size_t i = 0; i < n; i++) {
		job->errors[i] = w->errors[i];
		job->errors[i].message = strdup(errno_text(w->errors[i].error));
	}
	job->n_errors_kept = n;
}

/* The counts at a moment between two completions, in proportion to the time. */
static struct sb_mark_point at_edge(const struct sb_worker *w, const struct sb_edge *edge,
				    uint64_t time_ns)
{
	const struct sb_mark_point *a = &edge->before, *b = &edge->after;
	double share;

	if (!edge->passed || b->time_ns <= a->time_ns) {
		struct sb_mark_point p = edge->passed ? *b : w->newest;

		p.time_ns = time_ns;
		return p;
	}
	/* An end that another worker sets may lie before a completion that did not see it yet. */
	share = time_ns <= a->time_ns
			? 0
			: (double)(time_ns - a->time_ns) / (double)(b->time_ns - a->time_ns);
	return (struct sb_mark_point){
		.time_ns = time_ns,
		.bytes = a->bytes + (uint64_t)(share * (double)(b->bytes - a->bytes) + 0.5),
		.operations = a->operations +
			      (uint64_t)(share * (double)(b->operations - a->operations) + 0.5),
	};
}

static void ended_job(struct sb_worker *w, struct sb_job *job, bool interrupted, bool has_window)
{
	uint64_t gate = w->run->gate_ns, open = atomic_load(&w->run->open_ns);
	uint64_t close = atomic_load(&w->run->close_ns);
	struct sb_mark_point from = {gate, 0, 0}, to = w->newest;

	job->state = w->outcome != SB_JOB_PLANNED ? w->outcome
		     : interrupted		  ? SB_JOB_STOPPED
						  : SB_JOB_DONE;
	/* nothing but errors is no slow disk */
	if (job->state == SB_JOB_DONE && w->n_errors && w->newest.bytes == 0)
		job->state = SB_JOB_FAILED;
	job->wrapped = w->wrapped;
	if (has_window) {
		from = at_edge(w, &w->open, open);
		to = at_edge(w, &w->close, close);
		/* One that failed worked up to there only. */
		if (job->state != SB_JOB_DONE && w->last_ns < close)
			to.time_ns = w->last_ns > open ? w->last_ns : open;
	}
	job->bytes = to.bytes - from.bytes;
	job->operations = to.operations - from.operations;
	job->seconds = seconds(from.time_ns, to.time_ns);
	job->outside_bytes = w->newest.bytes - job->bytes;
	job->elapsed_seconds = w->last_ns ? seconds(gate, w->last_ns) : 0;
	job->cpu_ns = w->cpu_ns;
	job->system_ns = w->system_ns;
	if (w->first_ns) {
		job->first_done_ns = w->first_ns - gate;
		job->last_done_ns = w->last_ns - gate;
	}
	copy_errors(w, job);
}

/* The hang timeout, or less when a signal cut the waiting short. */
static double silence_s(const struct sb_load *load, const struct sb_worker *w)
{
	uint64_t last = SB_RELAXED_LOAD(w->live.last_done_ns);
	double limit = (double)load->hang_ns / 1e9;

	return load->options->virtual_time || last == 0 ? limit
							: fmin(limit, seconds(last, sb_now_ns()));
}

static void tell_device(struct sb_load *load, struct sb_worker *w, const struct sb_job *job)
{
	struct sb_device *d = w->device;
	SB_AUTO_FREE char *node = sb_format("/sys/dev/block/%u:%u", d->major, d->minor);
	SB_AUTO_FREE char *message = NULL;
	bool gone = d->kind == SB_DEVICE_BLOCK && node && access(node, F_OK) != 0;

	if (job->state == SB_JOB_HUNG) {
		d->state = SB_DEVICE_HUNG;
		message = sb_format("no answer for %.1f s: left out from here on",
				    silence_s(load, w));
	} else if (job->state == SB_JOB_VANISHED || (job->state == SB_JOB_FAILED && gone)) {
		d->state = SB_DEVICE_VANISHED;
		message = sb_format("vanished at %.1f s of its phase: %s", job->elapsed_seconds,
				    job->n_errors_kept ? job->errors[job->n_errors_kept - 1].message
						       : "it is gone");
	} else if (job->state == SB_JOB_FAILED && w->tester) {
		d->state = SB_DEVICE_FAILED;
		message = sb_tester_message(w, job);
	} else if (job->state == SB_JOB_FAILED && w->error) {
		d->state = SB_DEVICE_FAILED;
		message = sb_format("cannot be read by %s: %s", job->engine, strerror(-w->error));
	} else if (job->state == SB_JOB_FAILED) {
		d->state = SB_DEVICE_FAILED;
		message = sb_format(
			"given up after %llu read errors, the first at byte %llu: %s",
			(unsigned long long)job->n_errors,
			(unsigned long long)(job->n_errors_kept ? job->errors[0].offset_bytes : 0),
			job->n_errors_kept ? job->errors[0].message : "unknown");
	} else {
		return;
	}
	sb_set_string(&d->message, message);
}

/* A common window is there when every job that was not cut short had a completion in it: else all
 * figures are from the gate on, as dd's are. */
static bool has_common_window(const struct sb_crew *crew)
{
	uint64_t open = atomic_load(&crew->run->open_ns);
	uint64_t close = atomic_load(&crew->run->close_ns);

	for (size_t i = 0; i < crew->n; i++) {
		const struct sb_worker *w = crew->worker[i];

		if (!w->lost && w->outcome != SB_JOB_FAILED && w->outcome != SB_JOB_VANISHED &&
		    !w->open.passed)
			return false;
	}
	return open != 0 && close > open;
}

static void fill_window(struct sb_crew *crew, bool has_window)
{
	struct sb_run *run = crew->run;
	struct sb_phase *phase = crew->phase;
	uint64_t first = UINT64_MAX, end = 0;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		const struct sb_job *job = &phase->jobs[i];

		if (job->first_done_ns == SB_NONE_U64)
			continue;
		first = job->first_done_ns < first ? job->first_done_ns : first;
		end = job->last_done_ns > end ? job->last_done_ns : end;
	}
	phase->window_start_ns = phase->window_end_ns = SB_NONE_U64;
	if (first == UINT64_MAX)
		return;
	phase->first_done_ns = first;
	phase->last_done_ns = end;
	phase->window_start_ns = has_window ? atomic_load(&run->open_ns) - run->gate_ns : 0;
	phase->window_end_ns = has_window ? atomic_load(&run->close_ns) - run->gate_ns : end;
}

static void tell_surface(struct sb_load *load, const struct sb_worker *w, const struct sb_job *job)
{
	struct sb_surface *surface = sb_result_surface(load->result, job->device);

	if (surface)
		(void)sb_scan_outcome(w, surface, job->elapsed_seconds);
}

void sb_phase_outcome(struct sb_load *load, struct sb_crew *crew, bool interrupted)
{
	struct sb_phase *phase = crew->phase;
	bool has_window = has_common_window(crew);

	for (size_t i = 0; i < crew->n; i++) {
		struct sb_worker *w = crew->worker[i];
		struct sb_job *job = &phase->jobs[crew->first[i]];

		if (w->tester) {
			sb_tester_outcome(w, job, w->chain, interrupted);
		} else {
			if (w->lost)
				hung_job(w, job);
			else
				ended_job(w, job, interrupted, has_window);
			if (w->scan)
				tell_surface(load, w, job);
			job->latency_ns = sb_hist_latency(&w->hist);
		}
		if (w->chain == 1)
			count_device(crew, i, job);
		for (size_t k = 0; k < w->chain; k++)
			tell_device(load, w, job + k);
	}
	fill_window(crew, has_window);
	phase->started_s = load->first_gate_ns && crew->run->gate_ns
				   ? seconds(load->first_gate_ns, crew->run->gate_ns)
				   : 0;
	phase->done = true;
	phase->complete = !interrupted;
}
