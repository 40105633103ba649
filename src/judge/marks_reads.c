/* Whether the reads were what they seem: cache, counters, other users, the data itself. */
#include <math.h>
#include <string.h>

#include "satabench/units.h"
#include "judge_priv.h"

#define CACHE_SHARE 0.01
#define SMALL_SPAN_BYTES (2ULL << 30) /* what a drive's own cache might still hold a part of */
#define WAKE_SECONDS 1.0

/* A job together with its phase. */
struct found {
	const struct sb_phase *phase;
	double value;
};

typedef double value_fn(const struct sb_result *result, const struct sb_phase *phase,
			const struct sb_job *job);

/* The phase in which a figure of the device is largest; phase NULL: no value in any. */
static struct found find_largest(const struct sb_result *result, int device, value_fn *value)
{
	struct found found = {NULL, NAN};

	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		for (size_t i = 0; judge_counts(phase) && i < phase->n_jobs; i++) {
			double v = phase->jobs[i].device == device
					   ? value(result, phase, &phase->jobs[i])
					   : NAN;

			if (!isnan(v) && !(v <= found.value))
				found = (struct found){phase, v};
		}
	}
	return found;
}

static double read_bytes(const struct sb_job *job)
{
	return (double)job->bytes + (double)job->outside_bytes;
}

/* By all readers of the job's device, whose counter counts all of them. */
static double read_by_all(const struct sb_phase *phase, const struct sb_job *job)
{
	double sum = 0;

	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == job->device)
			sum += read_bytes(&phase->jobs[i]);
	return sum;
}

/* Sums over all phases, calibration included. */
static void sum_device(const struct sb_result *result, int device, double *read, double *counted)
{
	*read = 0;
	*counted = NAN;
	for (size_t p = 0; p < result->n_phases; p++)
		for (size_t i = 0; i < result->phases[p].n_jobs; i++) {
			const struct sb_job *job = &result->phases[p].jobs[i];

			if (!result->phases[p].done || job->device != device ||
			    job->device_bytes == SB_NONE_U64)
				continue;
			*read += read_bytes(job);
			*counted = (isnan(*counted) ? 0 : *counted) + (double)job->device_bytes;
		}
}

static double cached_share(const struct sb_result *result, const struct sb_phase *phase,
			   const struct sb_job *job)
{
	double read = read_by_all(phase, job);

	(void)result;
	if (read <= 0 || job->device_bytes == SB_NONE_U64)
		return NAN;
	return 1 - (double)job->device_bytes / read;
}

static int add_page_cache(struct sb_result *result, const struct sb_device *device,
			  const struct found *worst)
{
	char where[JUDGE_PHASE_TEXT];
	double percent = 100 * worst->value;

	judge_phase_text(where, worst->phase);
	if (result->options.buffered)
		return sb_result_add_mark(result, SB_MARK_NOTE, "page_cache", device->target,
					  percent, 100 * CACHE_SHARE,
					  "%.0f %% of the bytes (%s) came from the page cache, as "
					  "buffered reading allows",
					  percent, where);
	return sb_result_add_mark(
		result, SB_MARK_TAINT, "page_cache", device->target, percent, 100 * CACHE_SHARE,
		"%.0f %% of the bytes (%s) never reached the device by its own "
		"counter, so its rate is that of a cache; drop the caches, or read "
		"a device that takes direct reads",
		percent, where);
}

int mark_page_cache(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		struct found worst;
		double read, counted;
		int err;

		sum_device(result, (int)i, &read, &counted);
		/* a counter that never moved may be switched off: it is no value */
		if (!device->counts_all || !(counted > 0))
			continue;
		worst = find_largest(result, (int)i, cached_share);
		if (!worst.phase || worst.value <= CACHE_SHARE)
			continue;
		err = add_page_cache(result, device, &worst);
		if (err)
			return err;
	}
	return 0;
}

int mark_counter_off(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		char bytes[SB_UNIT_TEXT];
		double read, counted;
		int err;

		sum_device(result, (int)i, &read, &counted);
		if (!device->counts_all || counted != 0 || read <= 0)
			continue;
		sb_format_bytes(bytes, (uint64_t)read);
		err = sb_result_add_mark(
			result, SB_MARK_NOTE, "counter_off", device->target, read, 0,
			"its counter did not move while %s were read%s; switch it on (1 in "
			"queue/iostats) to have the bytes checked",
			bytes,
			result->options.buffered ? ": it is off, or all came from the page cache"
						 : "");
		if (err)
			return err;
	}
	return 0;
}

static int each_foreign(struct sb_result *result, bool is_low)
{
	int level = is_low ? SB_MARK_NOTE : SB_MARK_TAINT;
	const char *id = is_low ? "other_io_low" : "other_io";

	for (size_t i = 0; i < result->n_devices; i++) {
		struct found worst = find_largest(result, (int)i, judge_foreign_share);
		char where[JUDGE_PHASE_TEXT];
		int err;

		if (!worst.phase || worst.value <= 0 ||
		    (worst.value <= JUDGE_FOREIGN_SHARE) != is_low)
			continue;
		judge_phase_text(where, worst.phase);
		err = sb_result_add_mark(
			result, level, id, result->devices[i].target, 100 * worst.value,
			100 * JUDGE_FOREIGN_SHARE,
			is_low ? "somebody else read or wrote on it while it was measured: %.2g %% "
				 "of our bytes (%s), too little to matter"
			       : "somebody else read or wrote on it while it was measured: %.1f %% "
				 "of our bytes (%s); stop what uses it and measure again",
			100 * worst.value, where);
		if (err)
			return err;
	}
	return 0;
}

int mark_other_io(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	return each_foreign(result, false);
}

int mark_foreign_low(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	return each_foreign(result, true);
}

int mark_empty(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		int err;

		/* a disk that turns has to read its zeros */
		if (!device->looks_empty || device->rotational)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_TAINT, "empty", device->target, NAN, NAN,
			"it looks empty (all zero wherever it was looked at): flash and thin media "
			"answer that without reading; fill it with data before measuring");
		if (err)
			return err;
	}
	return 0;
}

/* The smallest span of the device's jobs that began again at its start; NaN: none did. */
static double wrapped_span(const struct sb_result *result, int device)
{
	double span = NAN;

	for (size_t p = 0; p < result->n_phases; p++)
		for (size_t i = 0; i < result->phases[p].n_jobs; i++) {
			const struct sb_job *job = &result->phases[p].jobs[i];

			if (judge_counts(&result->phases[p]) && job->device == device &&
			    job->wrapped)
				span = fmin(span, (double)job->span_bytes);
		}
	return span;
}

static bool is_disk(const struct sb_result *result, const struct sb_device *device)
{
	return device->node >= 0 && (size_t)device->node < result->topo.n_nodes &&
	       result->topo.nodes[device->node].kind == SB_NODE_DISK;
}

int mark_wrapped(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		double span = wrapped_span(result, (int)i);
		bool is_small = is_disk(result, device) && span < (double)SMALL_SPAN_BYTES;
		char bytes[SB_UNIT_TEXT];
		int err;

		if (isnan(span))
			continue;
		sb_format_bytes(bytes, (uint64_t)span);
		err = sb_result_add_mark(
			result, is_small ? SB_MARK_TAINT : SB_MARK_NOTE,
			is_small ? "wrapped_small" : "wrapped", device->target, span,
			is_small ? (double)SMALL_SPAN_BYTES : NAN,
			is_small ? "reading began again at the start of only %s, which the disk's "
				   "own cache may hold; give it a larger part to read"
				 : "reading began again at the start: it has %s to read",
			bytes);
		if (err)
			return err;
	}
	return 0;
}

int mark_own_buffers(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		int err;

		if (result->options.buffered || result->options.buffers == SB_BUFFERS_OWN ||
		    !device->buffers || strcmp(device->buffers, "own") != 0 ||
		    device->kind == SB_DEVICE_DIRECTORY)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_NOTE, "own_buffers", device->target, NAN, NAN,
			"each request had memory of its own, which costs more CPU%s%s",
			device->own_reason ? ": " : "",
			device->own_reason ? device->own_reason : "");
		if (err)
			return err;
	}
	return 0;
}

int mark_engine(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		int err;

		if (!device->engine_reason)
			continue;
		err = sb_result_add_mark(result, SB_MARK_NOTE, "engine", device->target, NAN, NAN,
					 "read with %s: %s",
					 device->engine ? device->engine : "another engine",
					 device->engine_reason);
		if (err)
			return err;
	}
	return 0;
}

int mark_waking(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		int err;

		if (!(device->wake_seconds > WAKE_SECONDS))
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_NOTE, "waking", device->target, device->wake_seconds,
			WAKE_SECONDS,
			"the first read took %.1f s, as of a disk that was asleep; "
			"that time is in no figure",
			device->wake_seconds);
		if (err)
			return err;
	}
	return 0;
}
