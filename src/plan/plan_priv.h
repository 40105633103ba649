/* Inside plan: what the plans have in common. */
#ifndef SATABENCH_PLAN_PRIV_H
#define SATABENCH_PLAN_PRIV_H

#include <stdbool.h>

#include "satabench/planner.h"

#define SB_DEFAULT_BLOCK (1ULL << 20)
#define SB_DEFAULT_RANDOM_BLOCK 4096ULL
#define SB_DEFAULT_DEPTH 4u
#define SB_DEFAULT_ROUNDS 3u
#define SB_ALONE_S 1.5 /* runtime of a phase */
#define SB_ALL_S 2.0
#define SB_ROTATING_S 0.5 /* more where a disk turns: 0.3 s of it lie before the window */
#define SB_CALIBRATE_S 0.25
#define SB_OVERHEAD_S 0.2 /* between phases, at most */

/* Can it still be read? In a dry run nothing has been opened. */
bool sb_plan_usable(const struct sb_device *device);
size_t sb_plan_usable_count(const struct sb_result *result);
uint64_t sb_plan_block(const struct sb_result *result, const struct sb_device *device);
/* First byte of the span; its end is the end of the device. */
uint64_t sb_plan_offset(const struct sb_result *result, const struct sb_device *device);
bool sb_plan_by_amount(const struct sb_options *options);
bool sb_plan_is(const char *said, const char *name);
unsigned sb_plan_rounds(const struct sb_result *result, unsigned by_amount, unsigned by_time);

/* Appends one phase with a job for each device of the list. NULL out of memory. */
struct sb_phase *sb_plan_phase(struct sb_result *result, int kind, unsigned round, double runtime_s,
			       const int *devices, size_t n, const char *reason);
/* Is there already such a phase (of this device, -1: any)? */
bool sb_plan_has(const struct sb_result *result, int kind, unsigned round, int device);

/* calibrate.c: appends the next calibrating phase: 1, 0 when all depths are known, -ENOMEM. */
int sb_plan_calibrate(struct sb_result *result);

#endif
