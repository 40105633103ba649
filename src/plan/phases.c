#include "plan_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/units.h"

bool sb_plan_usable(const struct sb_device *device)
{
	return device->state == SB_DEVICE_READY || device->state == SB_DEVICE_NEW;
}

size_t sb_plan_usable_count(const struct sb_result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_devices; i++)
		n += sb_plan_usable(&result->devices[i]);
	return n;
}

bool sb_plan_is(const char *said, const char *name)
{
	return said && strcmp(said, name) == 0;
}

bool sb_plan_by_amount(const struct sb_options *options)
{
	return options->size_bytes || options->count || options->end_at_end;
}

uint64_t sb_plan_block(const struct sb_result *result, const struct sb_device *device)
{
	const struct sb_options *o = &result->options;
	const struct sb_md_array *array = sb_plan_array_of(result, device);
	uint64_t block = o->block_bytes, sector = device->sector_bytes;

	if (!block && sb_plan_is(o->workload, "randread"))
		block = SB_DEFAULT_RANDOM_BLOCK;
	if (!block && array)
		block = sb_plan_stripes(array);
	if (!block)
		block = SB_DEFAULT_BLOCK;
	/* a direct read is whole sectors; the page cache takes any length */
	if (sector && !o->buffered)
		block = (block + sector - 1) / sector * sector;
	return block;
}

uint64_t sb_plan_offset(const struct sb_result *result, const struct sb_device *device)
{
	const struct sb_options *o = &result->options;
	uint64_t offset =
		o->offset_bytes ? o->offset_bytes : o->skip * sb_plan_block(result, device);

	return device->added ? sb_plan_member_offset(result, device, offset) : offset;
}

unsigned sb_plan_rounds(const struct sb_result *result, unsigned by_amount, unsigned by_time)
{
	if (result->options.rounds)
		return (unsigned)result->options.rounds;
	return sb_plan_by_amount(&result->options) ? by_amount : by_time;
}

static uint64_t depth_of(const struct sb_result *result, const struct sb_device *device)
{
	if (sb_plan_is(device->engine, "preadv"))
		return 1; /* synchronous: one at a time */
	if (result->options.depth)
		return result->options.depth;
	return device->depth ? device->depth : SB_DEFAULT_DEPTH;
}

int sb_plan_fill_job(const struct sb_result *result, struct sb_job *job, int index)
{
	const struct sb_options *o = &result->options;
	const struct sb_device *d = &result->devices[index];
	int rc = 0;

	job->device = index;
	job->block_bytes = sb_plan_block(result, d);
	job->depth = depth_of(result, d);
	job->offset_bytes = sb_plan_offset(result, d);
	job->span_bytes = d->size_bytes == SB_NONE_U64 || d->size_bytes < job->offset_bytes
				  ? 0
				  : d->size_bytes - job->offset_bytes;
	job->limit_bytes = o->size_bytes ? o->size_bytes : o->count * job->block_bytes;
	job->end_at_end = o->end_at_end;
	if (o->end_at_end && (!job->limit_bytes || job->limit_bytes > job->span_bytes))
		job->limit_bytes = job->span_bytes;
	rc |= sb_set_string(&job->target, d->target);
	rc |= sb_set_string(&job->workload, o->workload ? o->workload : "read");
	rc |= sb_set_string(&job->engine, d->engine);
	rc |= sb_set_string(&job->buffers, d->buffers);
	return rc ? -ENOMEM : 0;
}

struct sb_phase *sb_plan_phase(struct sb_result *result, int kind, unsigned round, double runtime_s,
			       const int *devices, size_t n, const char *reason)
{
	struct sb_phase *phase = sb_result_add_phase(result, kind, round, reason);
	bool turning = false;

	if (!phase)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct sb_job *job = sb_phase_add_job(phase);

		if (!job || sb_plan_fill_job(result, job, devices[i]) < 0)
			return NULL;
		turning |= result->devices[devices[i]].rotational;
	}
	phase->runtime_s = result->options.runtime_s > 0 && kind != SB_PHASE_CALIBRATE
				   ? result->options.runtime_s
				   : runtime_s + (turning ? SB_ROTATING_S : 0);
	phase->node = n == 1 ? result->devices[devices[0]].node : -1;
	return phase;
}

bool sb_plan_has(const struct sb_result *result, int kind, unsigned round, int device)
{
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *p = &result->phases[i];

		if (p->kind == kind && p->round == round &&
		    (device < 0 || (p->n_jobs && p->jobs[0].device == device)))
			return true;
	}
	return false;
}
