/* Surface: each byte once, from the start to the end, or a run at each of N places. What cannot be
 * read is narrowed down to sectors by reading it again in parts, one at a time; the work for one
 * damaged region is bounded, and beyond that it is skipped in growing steps (as ddrescue does). */
#include <errno.h>
#include <stdlib.h>

#include "load_priv.h"

#define PARTS 16u		       /* a part that fails is read in so many */
#define REGION_FAILURES 256u	       /* ... and so often may reads of one region fail, */
#define REGION_NS (60 * SB_NS_PER_SEC) /* or so long may it take: a disk can try for seconds */
#define SKIP_SHARE 100u		       /* of the span: the longest step, ... */
#define SKIP_BYTES (1ULL << 30)	       /* ... and this */

static struct sb_scan *create(const struct sb_surface *surface, uint64_t depth)
{
	struct sb_scan *scan = calloc(1, sizeof(*scan));

	if (!scan)
		return NULL;
	scan->n_room = depth;
	scan->failed = calloc(depth, sizeof(scan->failed[0]));
	scan->region_end_bytes = SB_NONE_U64;
	if (!scan->failed || sb_surface_copy(&scan->surface, surface) < 0) {
		sb_scan_destroy(scan);
		return NULL;
	}
	scan->next = scan->surface.position_bytes;
	scan->timed = true;
	return scan;
}

void sb_scan_destroy(struct sb_scan *scan)
{
	if (!scan)
		return;
	sb_surface_free(&scan->surface);
	free(scan->failed);
	free(scan);
}

int sb_scan_attach(struct sb_worker *w, const struct sb_phase *phase)
{
	const struct sb_surface *surface;

	sb_scan_destroy(w->scan);
	w->scan = NULL;
	if (phase->kind != SB_PHASE_SURFACE)
		return 0;
	surface = sb_result_surface(w->load->result, w->job->device);
	if (!surface)
		return -EINVAL;
	w->scan = create(surface, w->job->depth);
	return w->scan ? 0 : -ENOMEM;
}

static void next(struct sb_worker *w, uint64_t *offset_bytes, uint64_t *length)
{
	struct sb_scan *scan = w->scan;
	struct sb_surface *s = &scan->surface;
	uint64_t left;

	*length = 0;
	if (scan->next >= sb_surface_total(s))
		return;
	left = s->run_bytes - scan->next % s->run_bytes;
	*length = left < w->job->block_bytes ? left : w->job->block_bytes;
	*offset_bytes = sb_surface_offset(s, scan->next);
	scan->next += *length;
	sb_surface_put(&s->position_bytes, scan->next);
}

/* Requests that were sent while the heads were elsewhere: as many as are in flight. */
static bool begins_place(const struct sb_surface *s, const struct sb_job *job,
			 uint64_t offset_bytes)
{
	uint64_t in_flight = job->depth * job->block_bytes;

	if (in_flight > s->run_bytes / 4)
		in_flight = s->run_bytes / 4;
	return !sb_surface_is_whole(s) &&
	       sb_surface_position(s, offset_bytes) % s->run_bytes < in_flight;
}

void sb_scan_done(struct sb_worker *w, uint64_t offset_bytes, uint64_t bytes, uint64_t submit_ns,
		  uint64_t done_ns)
{
	struct sb_scan *scan = w->scan;
	struct sb_surface *s = &scan->surface;
	bool timed = scan->timed && !begins_place(s, w->job, offset_bytes);
	uint64_t before_ns = scan->last_done_ns ? scan->last_done_ns : w->run->gate_ns;
	uint64_t latency = done_ns - submit_ns;

	sb_surface_add_read(s, offset_bytes, bytes, timed ? bytes : 0,
			    timed ? done_ns - before_ns : 0);
	scan->last_done_ns = done_ns;
	scan->timed = true;
	/* those behind a slow one in the queue are no places of their own */
	if (submit_ns < scan->stall_end_ns && latency < 2 * scan->stall_ns)
		return;
	scan->stall_end_ns = done_ns;
	scan->stall_ns = latency;
	sb_surface_add_slow(s, offset_bytes, latency);
}

void sb_scan_failed(struct sb_worker *w, uint64_t offset_bytes, uint64_t length_bytes, int error)
{
	struct sb_scan *scan = w->scan;
	uint64_t i = scan->n_failed;

	if (i == scan->n_room)
		return;
	for (; i > 0 && scan->failed[i - 1].offset_bytes > offset_bytes; i--)
		scan->failed[i] = scan->failed[i - 1];
	scan->failed[i] = (struct sb_failed){offset_bytes, length_bytes, error};
	scan->n_failed++;
}

static bool is_stopped(const struct sb_worker *w)
{
	return atomic_load_explicit(&w->run->stop, memory_order_relaxed) != 0;
}

static bool is_spent(const struct sb_scan *scan, uint64_t now_ns)
{
	return scan->region_failures >= REGION_FAILURES ||
	       now_ns - scan->region_start_ns >= REGION_NS;
}

/* A part that was read by itself: it counts, but its time is no rate of the disk. */
static void count_part(struct sb_worker *w, uint64_t offset_bytes, uint64_t bytes, uint64_t now_ns)
{
	w->newest =
		(struct sb_mark_point){now_ns, w->newest.bytes + bytes, w->newest.operations + 1};
	SB_RELAXED_STORE(w->live.bytes, w->newest.bytes);
	SB_RELAXED_STORE(w->live.operations, w->newest.operations);
	sb_surface_add_read(&w->scan->surface, offset_bytes, bytes, 0, 0);
}

/* One part; 0, errno, or -1: it is not settled, and nothing more is to be tried. */
static int read_part(struct sb_worker *w, uint64_t offset_bytes, uint64_t bytes, uint64_t *now_ns)
{
	int error = is_stopped(w) ? -1 : w->engine->read(w, offset_bytes, bytes, now_ns);

	if (error < 0) {
		w->scan->unsettled_bytes = offset_bytes;
		return -1;
	}
	w->last_ns = *now_ns;
	SB_RELAXED_STORE(w->live.last_done_ns, *now_ns);
	if (error == ENODEV || error == ENXIO) {
		w->outcome = SB_JOB_VANISHED;
		w->scan->unsettled_bytes = offset_bytes;
		return -1;
	}
	if (error)
		w->scan->region_failures++;
	else
		count_part(w, offset_bytes, bytes, *now_ns);
	return error;
}

/* Reads in parts what failed with `error` as a whole, down to sectors. False: broken off. */
static bool narrow(struct sb_worker *w, uint64_t offset_bytes, uint64_t length_bytes, int error,
		   uint64_t *now_ns)
{
	struct sb_surface *s = &w->scan->surface;
	uint64_t sector = s->sector_bytes, end = offset_bytes + length_bytes;
	uint64_t part = (length_bytes / PARTS + sector - 1) / sector * sector;

	if (length_bytes <= sector) {
		sb_surface_add_range(s, SB_SURFACE_UNREADABLE, offset_bytes, length_bytes, error);
		return true;
	}
	if (part < sector)
		part = sector;
	for (uint64_t at = offset_bytes; at < end; at += part) {
		uint64_t length = end - at < part ? end - at : part;

		if (is_spent(w->scan, *now_ns)) {
			sb_surface_add_range(s, SB_SURFACE_UNCLEAR, at, end - at, error);
			return true;
		}
		error = read_part(w, at, length, now_ns);
		if (error < 0 || (error > 0 && !narrow(w, at, length, error, now_ns)))
			return false;
	}
	return true;
}

static bool settle(struct sb_worker *w, const struct sb_failed *failed, uint64_t *now_ns)
{
	struct sb_scan *scan = w->scan;
	struct sb_surface *s = &scan->surface;
	uint64_t bad;

	if (failed->offset_bytes != scan->region_end_bytes) {
		scan->region_start_ns = *now_ns;
		scan->region_failures = 0;
		scan->skip_bytes = 0;
	}
	scan->region_end_bytes = failed->offset_bytes + failed->length_bytes;
	scan->region_failures++;
	bad = s->range_bytes[SB_SURFACE_UNREADABLE] + s->range_bytes[SB_SURFACE_UNCLEAR];
	if (!narrow(w, failed->offset_bytes, failed->length_bytes, failed->error, now_ns))
		return false;
	if (s->range_bytes[SB_SURFACE_UNREADABLE] + s->range_bytes[SB_SURFACE_UNCLEAR] == bad)
		sb_surface_add_range(s, SB_SURFACE_RECOVERED, failed->offset_bytes,
				     failed->length_bytes, failed->error);
	return true;
}

/* Behind a region that has had its work: on, by twice as much each time, within the place. */
static void skip(struct sb_worker *w)
{
	struct sb_scan *scan = w->scan;
	struct sb_surface *s = &scan->surface;
	uint64_t most =
		s->span_bytes / SKIP_SHARE < SKIP_BYTES ? s->span_bytes / SKIP_SHARE : SKIP_BYTES;
	uint64_t left = (s->run_bytes - scan->next % s->run_bytes) % s->run_bytes, length;

	if (scan->next >= sb_surface_total(s) || left == 0 ||
	    sb_surface_offset(s, scan->next) != scan->region_end_bytes)
		return;
	scan->skip_bytes = scan->skip_bytes ? 2 * scan->skip_bytes : w->job->block_bytes;
	most = most / w->job->block_bytes * w->job->block_bytes;
	if (scan->skip_bytes > most)
		scan->skip_bytes = most ? most : w->job->block_bytes;
	length = scan->skip_bytes < left ? scan->skip_bytes : left;
	sb_surface_add_range(s, SB_SURFACE_SKIPPED, scan->region_end_bytes, length, 0);
	scan->region_end_bytes += length;
	scan->next += length;
	sb_surface_put(&s->position_bytes, scan->next);
}

/* A later session begins at the first byte that is not settled. */
static void turn_back(struct sb_worker *w, uint64_t offset_bytes)
{
	struct sb_surface *s = &w->scan->surface;

	w->scan->next = sb_surface_position(s, offset_bytes);
	sb_surface_put(&s->position_bytes, w->scan->next);
	w->scan->n_failed = 0;
}

bool sb_scan_resume(struct sb_worker *w, uint64_t *now_ns)
{
	struct sb_scan *scan = w->scan;
	uint64_t n = scan->n_failed;

	if (n == 0)
		return false;
	if (w->outcome == SB_JOB_VANISHED || w->outcome == SB_JOB_FAILED || is_stopped(w)) {
		turn_back(w, scan->failed[0].offset_bytes);
		return false;
	}
	w->outcome = SB_JOB_PLANNED; /* it may have come to the end, but not be through */
	scan->timed = false;
	for (uint64_t i = 0; i < n; i++) {
		if (settle(w, &scan->failed[i], now_ns))
			continue;
		turn_back(w, scan->unsettled_bytes);
		return w->outcome == SB_JOB_PLANNED && !is_stopped(w);
	}
	scan->n_failed = 0;
	if (is_spent(scan, *now_ns))
		skip(w);
	return true;
}

int sb_scan_outcome(const struct sb_worker *w, struct sb_surface *into, double elapsed_seconds)
{
	uint64_t in_flight = w->job->depth * w->job->block_bytes;
	uint64_t elapsed_ns = elapsed_seconds > 0 ? sb_seconds_to_ns(elapsed_seconds) : 0;
	uint64_t before = into->elapsed_ns, sessions = into->sessions,
		 position = into->position_bytes;

	sb_surface_free(into);
	if (sb_surface_copy(into, &w->scan->surface) < 0)
		return -ENOMEM;
	into->elapsed_ns = before + elapsed_ns;
	into->sessions = sessions + 1;
	/* of one that hangs, what was in flight is not known to be read */
	if (w->lost)
		into->position_bytes = into->position_bytes > position + in_flight
					       ? into->position_bytes - in_flight
					       : position;
	sb_surface_sort_slowest(into);
	return 0;
}

const struct sb_workload sb_workload_surface = {"surface", "the whole length once, by place", next};
