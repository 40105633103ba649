/* What can go on beside the load without showing in its figures: read at both ends of a run. */
#ifndef SATABENCH_CMD_BESIDE_H
#define SATABENCH_CMD_BESIDE_H

#include "satabench/result.h"

struct beside {
	double clock_offset_s; /* CLOCK_REALTIME less CLOCK_MONOTONIC */
	uint64_t throttled;    /* SB_NONE_U64 */
};

void beside_start(struct beside *beside);
/* What runs before the load: its own share is judged against it. Sleeps for --baseline. */
void beside_look_at_cpu(struct sb_result *result);
/* Nothing in virtual time. 0 or -ENOMEM. */
int beside_end(const struct beside *beside, struct sb_result *result);

#endif
