#include "beside.h"

#include <time.h>

#include "satabench/probe.h"
#include "satabench/sample.h"
#include "satabench/units.h"

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
