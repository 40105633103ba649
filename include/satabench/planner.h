/* What to run next. Sees options and a result, no device. Main thread. */
#ifndef SATABENCH_PLANNER_H
#define SATABENCH_PLANNER_H

#include <stdbool.h>

#include "satabench/result.h"

/* One row a plan; the last has name NULL. */
struct sb_plan {
	const char *name;
	const char *summary;
	/* Appends what is to run next to result->phases, each phase with its reason: the number
	 * appended, 0 = finished, or -ENOMEM. Looks at the phases that are done; devices that
	 * are not READY (or NEW, for a dry run) are left out. */
	int (*next)(const struct sb_plan *plan, struct sb_result *result);
	/* It reads arrays at several levels: their members are to be among the devices. */
	bool arrays;
	/* The rule for what follows the first phases, for --dry-run. */
	const char *rule;
};

extern const struct sb_plan sb_plans[];
const struct sb_plan *sb_plan_find(const char *name);
int sb_plan_next(const struct sb_plan *plan, struct sb_result *result);
/* The longest it can take, seconds, hangs apart; NaN when it ends by amount and the rate is not
 * known. */
double sb_plan_longest(const struct sb_plan *plan, const struct sb_result *result);

/* Options that contradict each other or cannot work for these devices (an offset that is not
 * aligned, a product past 64 bits ...): 0, or -EINVAL after an sb_error that names the fault. With
 * `prepared`, when load has told sizes and sectors for certain, a device for which reading would
 * begin past its end becomes FAILED, and block sizes that are rounded up to the sector size are
 * said. */
int sb_plan_check(struct sb_result *result, bool prepared);

#endif
