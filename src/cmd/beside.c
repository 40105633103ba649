#include "beside.h"

#include <math.h>
#include <time.h>

#include "satabench/clock.h"
#include "satabench/probe.h"
#include "satabench/sample.h"
#include "satabench/units.h"

#define DEFAULT_BASELINE_S 0.25

static double clock_offset(void)
{
	struct timespec real, steady;

	clock_gettime(CLOCK_REALTIME, &real);
	clock_gettime(CLOCK_MONOTONIC, &steady);
	return (double)(real.tv_sec - steady.tv_sec) +
	       (double)(real.tv_nsec - steady.tv_nsec) / 1e9;
}

void beside_start(struct beside *beside)
{
	beside->clock_offset_s = clock_offset();
	beside->throttled = sb_throttle_read(SB_CPU_FOLDER);
}

void beside_look_at_cpu(struct sb_result *result)
{
	double seconds = result->options.baseline_s;
	struct sb_snapshot before = {0}, after = {0};
	struct sb_sampler *sampler;

	if (isnan(seconds))
		seconds = DEFAULT_BASELINE_S;
	if (seconds <= 0 || result->options.virtual_time || sb_sampler_create(&sampler) != 0)
		return;
	if (sb_sampler_snapshot(sampler, &before) == 0) {
		sb_sleep_until(sb_now_ns() + sb_seconds_to_ns(seconds));
		if (sb_sampler_snapshot(sampler, &after) == 0)
			sb_snapshot_delta(&before, &after, &result->baseline_counters);
	}
	sb_snapshot_free(&before);
	sb_snapshot_free(&after);
	sb_sampler_destroy(sampler);
}

int beside_end(const struct beside *beside, struct sb_result *result)
{
	uint64_t throttled = sb_throttle_read(SB_CPU_FOLDER);

	if (result->options.virtual_time)
		return 0;
	result->realtime_step_s = clock_offset() - beside->clock_offset_s;
	/* a step back: a CPU has left */
	if (beside->throttled != SB_NONE_U64 && throttled != SB_NONE_U64 &&
	    throttled >= beside->throttled)
		result->throttle_events = throttled - beside->throttled;
	return sb_probe_end(result);
}
