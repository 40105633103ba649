/* When a null device answers. Its rate over time follows from all null devices of the phase: each
 * has its own rate, times the noise of this phase, and what they share is divided fairly (max-min).
 * The times are computed before the gate, so figures do not depend on when a thread gets to run. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load_priv.h"

#define NEVER UINT64_MAX
#define TREND_STEP_S 0.05
#define TREND_END_S 600.0
#define ENOUGH_BYTES 0.5

struct segment {
	double start_s, bytes_s; /* until the next one's start; the last has no end */
};

struct sb_null {
	struct sb_nullspec spec;
	struct sb_null_noise noise;
	struct segment *segments;
	size_t n_segments;
	double hang_s, vanish_s; /* since this gate; INFINITY never */
	/* while the schedule is made */
	double own_bytes_s, rate, left_bytes;
	bool active, frozen;
	/* while it answers */
	size_t at;
	double time_s;
	uint64_t n_requests;
	uint64_t done_ns[SB_DEPTH_MAX];
};

struct sb_null *sb_null_create(const struct sb_nullspec *spec)
{
	struct sb_null *null = calloc(1, sizeof(*null));

	if (null)
		null->spec = *spec;
	return null;
}

void sb_null_destroy(struct sb_null *null)
{
	if (null)
		free(null->segments);
	free(null);
}

const struct sb_nullspec *sb_null_spec(const struct sb_null *null)
{
	return &null->spec;
}

/* How much more each device that is not frozen may get until `share` of it is used up. */
static double share_room(struct sb_worker *const *workers, size_t n, const char *name)
{
	double capacity = INFINITY, used = 0;
	size_t open = 0;

	for (size_t i = 0; i < n; i++) {
		const struct sb_null *d = workers[i]->null;

		for (unsigned s = 0; d && d->active && s < d->spec.n_shares; s++) {
			if (strcmp(d->spec.share[s].name, name) != 0)
				continue;
			capacity =
				fmin(capacity, d->spec.share[s].rate_bytes_s * d->noise.share[s]);
			used += d->rate;
			open += !d->frozen;
		}
	}
	return open ? fmax(0, capacity - used) / (double)open : INFINITY;
}

static double device_room(struct sb_worker *const *workers, size_t n, const struct sb_null *d)
{
	double room = d->own_bytes_s - d->rate;

	for (unsigned s = 0; s < d->spec.n_shares; s++)
		room = fmin(room, share_room(workers, n, d->spec.share[s].name));
	return room;
}

/* Max-min fair rates by progressive filling: all grow together until one meets a limit, which then
 * stays where it is. */
static void divide(struct sb_worker *const *workers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sb_null *d = workers[i]->null;

		if (d) {
			d->rate = 0;
			d->frozen = !d->active;
		}
	}
	for (;;) {
		double step = INFINITY;

		for (size_t i = 0; i < n; i++)
			if (workers[i]->null && !workers[i]->null->frozen)
				step = fmin(step, device_room(workers, n, workers[i]->null));
		if (isinf(step))
			return;
		for (size_t i = 0; i < n; i++)
			if (workers[i]->null && !workers[i]->null->frozen)
				workers[i]->null->rate += step;
		for (size_t i = 0; i < n; i++) {
			struct sb_null *d = workers[i]->null;

			if (d && !d->frozen && device_room(workers, n, d) <= 1e-9 * d->own_bytes_s)
				d->frozen = true;
		}
	}
}

static int add_segment(struct sb_null *d, double start_s, double bytes_s)
{
	struct segment *more;
	size_t n = d->n_segments;

	if (n && d->segments[n - 1].bytes_s == bytes_s)
		return 0;
	if ((n & (n - 1)) == 0) { /* capacity is the next power of two */
		more = reallocarray(d->segments, n ? n * 2 : 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		d->segments = more;
	}
	d->segments[d->n_segments++] = (struct segment){start_s, bytes_s};
	return 0;
}

/* Starts the schedule of one device; the own rate of this phase carries its noise. */
static void begin(struct sb_worker *w, double started_s, size_t phase, bool beside_others)
{
	const struct sb_job *job = w->job;
	struct sb_null *d = w->null;

	free(d->segments);
	d->segments = NULL;
	d->n_segments = d->at = 0;
	d->time_s = 0;
	d->n_requests = 0;
	sb_null_noise_next(&d->noise, &d->spec, phase);
	d->own_bytes_s = d->spec.rate_bytes_s * d->noise.own;
	if (beside_others)
		d->own_bytes_s *= 1 - d->spec.disturbed;
	d->hang_s = isnan(d->spec.hang_at_s) ? INFINITY : fmax(0, d->spec.hang_at_s - started_s);
	d->vanish_s =
		isnan(d->spec.vanish_at_s) ? INFINITY : fmax(0, d->spec.vanish_at_s - started_s);
	d->left_bytes = job->limit_bytes ? (double)job->limit_bytes : INFINITY;
}

/* The next moment after `now` at which some device's rate may change. */
static double next_change(struct sb_worker *const *workers, size_t n, double now, double end)
{
	double next = end;

	for (size_t i = 0; i < n; i++) {
		const struct sb_null *d = workers[i]->null;

		if (!d)
			continue;
		if (d->spec.delay_s > now)
			next = fmin(next, d->spec.delay_s);
		if (!d->active)
			continue;
		next = fmin(next, fmin(d->hang_s, d->vanish_s));
		if (d->rate > 0)
			next = fmin(next, now + d->left_bytes / d->rate);
		if (d->spec.trend != 0 && now < TREND_END_S)
			next = fmin(next, now + TREND_STEP_S);
	}
	return next;
}

static void set_active(struct sb_null *d, double now, double noisy_bytes_s)
{
	d->active = now >= d->spec.delay_s && now < d->hang_s && now < d->vanish_s &&
		    d->left_bytes > ENOUGH_BYTES;
	d->own_bytes_s = noisy_bytes_s * fmax(0.01, 1 + d->spec.trend * now / 10);
}

int sb_null_schedule(struct sb_worker *const *workers, size_t n, double runtime_s, double started_s,
		     size_t phase)
{
	/* Past the planned end the last rates go on: a stop may come late. */
	double now = 0, end = runtime_s > 0 ? runtime_s + 1 : INFINITY;
	double *noisy = calloc(n ? n : 1, sizeof(*noisy));
	int rc = noisy ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && rc == 0; i++) {
		if (!workers[i]->null)
			continue;
		begin(workers[i], started_s, phase, n > 1);
		noisy[i] = workers[i]->null->own_bytes_s;
		/* one that begins after the end is late, not hung */
		end = fmax(end, workers[i]->null->spec.delay_s + 1);
	}
	while (rc == 0 && now < end) {
		double next;

		for (size_t i = 0; i < n; i++)
			if (workers[i]->null)
				set_active(workers[i]->null, now, noisy[i]);
		divide(workers, n);
		next = next_change(workers, n, now, end);
		for (size_t i = 0; i < n && rc == 0; i++) {
			struct sb_null *d = workers[i]->null;

			/* One that has its amount takes nothing from the others any more, but its
			 * rate goes on: else rounding could leave its last byte behind. */
			if (!d || d->left_bytes <= ENOUGH_BYTES)
				continue;
			rc = add_segment(d, now, d->rate);
			d->left_bytes -= d->rate * (next - now);
		}
		now = next;
	}
	free(noisy);
	return rc;
}

/* Moves the device's clock to where `bytes` more have passed; false if they never do. */
static bool pass(struct sb_null *d, double bytes)
{
	for (;;) {
		bool last = d->at + 1 >= d->n_segments;
		double rate = d->segments[d->at].bytes_s;
		double end = last ? INFINITY : d->segments[d->at + 1].start_s;

		if (rate > 0 && d->time_s + bytes / rate <= end) {
			d->time_s += bytes / rate;
			return true;
		}
		if (last)
			return false;
		bytes -= rate * (end - d->time_s);
		d->time_s = end;
		d->at++;
	}
}

/* Its clock goes on, and nothing passes. */
static void stall(struct sb_null *d, double seconds)
{
	d->time_s += seconds;
	while (d->at + 1 < d->n_segments && d->segments[d->at + 1].start_s <= d->time_s)
		d->at++;
}

/* Bytes at the device's own rate that take as long as these. */
static double weight(const struct sb_nullspec *spec, uint64_t offset, uint64_t length)
{
	uint64_t zone = spec->n_zones ? (uint64_t)((unsigned __int128)offset * spec->n_zones /
						   (spec->size_bytes ? spec->size_bytes : 1))
				      : 0;

	if (!spec->n_zones)
		return (double)length;
	return (double)length / spec->zone[zone < spec->n_zones ? zone : spec->n_zones - 1];
}

static double stall_s(const struct sb_nullspec *spec, uint64_t offset, uint64_t length)
{
	double seconds = 0;

	for (unsigned i = 0; i < spec->n_slow; i++)
		if (spec->slow[i].offset_bytes >= offset &&
		    spec->slow[i].offset_bytes - offset < length)
			seconds += spec->slow[i].seconds;
	return seconds;
}

static bool is_bad(const struct sb_nullspec *spec, uint64_t offset, uint64_t length)
{
	for (unsigned i = 0; i < spec->n_bad; i++)
		if (spec->bad[i].offset_bytes < offset + length &&
		    offset < spec->bad[i].offset_bytes + spec->bad[i].length_bytes)
			return true;
	return false;
}

enum sb_null_event sb_null_next(struct sb_null *null, uint64_t offset_bytes, uint64_t length,
				uint64_t depth, uint64_t *submit_ns, uint64_t *done_ns)
{
	uint64_t slot = null->n_requests % depth;
	bool passes = pass(null, weight(&null->spec, offset_bytes, length));
	double done_s;

	stall(null, stall_s(&null->spec, offset_bytes, length));
	done_s = passes ? null->time_s : INFINITY;

	*submit_ns = null->n_requests < depth ? 0 : null->done_ns[slot];
	null->n_requests++;
	if (null->vanish_s <= done_s && null->vanish_s <= null->hang_s) {
		*done_ns = isinf(null->vanish_s) ? NEVER : sb_seconds_to_ns(null->vanish_s);
		return isinf(null->vanish_s) ? SB_NULL_HANG : SB_NULL_VANISH;
	}
	if (null->hang_s <= done_s || !passes) {
		*done_ns = NEVER;
		return SB_NULL_HANG;
	}
	*done_ns = sb_seconds_to_ns(done_s);
	null->done_ns[slot] = *done_ns;
	if ((null->spec.error_every && null->n_requests % null->spec.error_every == 0) ||
	    is_bad(&null->spec, offset_bytes, length))
		return SB_NULL_ERROR;
	return SB_NULL_DONE;
}
