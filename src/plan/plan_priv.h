/* Inside plan: what the plans have in common. */
#ifndef SATABENCH_PLAN_PRIV_H
#define SATABENCH_PLAN_PRIV_H

#include <stdbool.h>

#include "satabench/planner.h"
#include "satabench/testtree.h"

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
/* A job of plain reading, but for its device. */
int sb_plan_fill_job(const struct sb_result *result, struct sb_job *job, int index);
/* Is there already such a phase (of this device, -1: any)? */
bool sb_plan_has(const struct sb_result *result, int kind, unsigned round, int device);

/* arrays.c. The array that a device is; NULL. */
const struct sb_md_array *sb_plan_array_of(const struct sb_result *result,
					   const struct sb_device *device);
/* Whole stripes, at least the usual block; 0 = it has none that can be read at once. */
uint64_t sb_plan_stripes(const struct sb_md_array *array);
/* Where a member has what its array has at `offset`, about: that is the same zone of a disk. */
uint64_t sb_plan_member_offset(const struct sb_result *result, const struct sb_device *device,
			       uint64_t offset);
/* How many readers arrays may have; says when --streams has nothing to do. */
void sb_plan_set_streams(struct sb_result *result);
/* Wishes for a round: members together, array with one reader and with several, and all arrays at
 * once. 0 or -ENOMEM. */
int sb_plan_wish_arrays(struct sb_result *result, const struct sb_test_tree *tree, unsigned round);
/* Devices of a wish with `array`, a device once for each reader; their number or -ENOMEM. */
int sb_plan_array_devices(const struct sb_result *result, const struct sb_wish *wish, int **list);
/* Gives each of several readers of one device its own part of it. */
void sb_plan_part(const struct sb_result *result, struct sb_phase *phase);
bool sb_plan_is_array_phase(const struct sb_result *result, const struct sb_phase *phase);
/* What the arrays of a round take, seconds. */
double sb_plan_arrays_cost(const struct sb_result *result, const struct sb_test_tree *tree);

/* calibrate.c: appends the next calibrating phase: 1, 0 when all depths are known, -ENOMEM. */
int sb_plan_calibrate(struct sb_result *result);
/* The longest that it can take, seconds. */
double sb_plan_calibrate_longest(const struct sb_result *result);

/* agenda.c: what diagnose has decided on and not appended. */

/* The rounds that are run in any case, with all the groups, seconds. */
double sb_plan_first_rounds(const struct sb_result *result, const struct sb_test_tree *tree);
/* The longest that diagnose, or quick, may take for what is not run in any case, and with it;
 * seconds, calibrating apart. */
double sb_plan_budget(const struct sb_result *result, const struct sb_test_tree *tree);
/* Takes what `wish` says over (not the pointer); the reason by printf. 0 or -ENOMEM. */
int sb_plan_wish(struct sb_result *result, struct sb_wish wish, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sb_plan_forget_wishes(struct sb_result *result);
/* Appends the next wish that can be run still and, for a repetition, fits into the budget: 1, 0
 * when there is none left, -ENOMEM. */
int sb_plan_take_wish(struct sb_result *result, const struct sb_test_tree *tree);
/* Seconds that a wish takes; 0 when nothing of it can be run any more. */
double sb_plan_wish_cost(const struct sb_result *result, const struct sb_test_tree *tree,
			 const struct sb_wish *wish);
/* Could wishes of so many seconds still be run? */
bool sb_plan_fits(const struct sb_result *result, const struct sb_test_tree *tree, double seconds);
/* A device alone, or a test together (the root: all). */
struct sb_wish sb_plan_wish_device(int device, unsigned round);
struct sb_wish sb_plan_wish_test(const struct sb_test_tree *tree, int test, unsigned round);
struct sb_wish sb_plan_wish_child(const struct sb_test_tree *tree,
				  const struct sb_test_child *child, unsigned round);
bool sb_plan_is_same(const struct sb_wish *a, const struct sb_wish *b);
/* Devices of a test in the order of a ramp: taken in turn from its children. NULL out of memory. */
int *sb_plan_ramp_row(const struct sb_test_tree *tree, const struct sb_test *test);

/* The stages of diagnose: each adds the wishes of its next step. 1 = added or passed on to the next
 * stage, 0 = nothing more in this stage, -ENOMEM. */
int sb_plan_decide_rounds(struct sb_result *result, const struct sb_test_tree *tree);
int sb_plan_decide_repeats(struct sb_result *result, const struct sb_test_tree *tree);
int sb_plan_decide_extra(struct sb_result *result, const struct sb_test_tree *tree);
int sb_plan_decide_rest(struct sb_result *result, const struct sb_test_tree *tree);
int sb_plan_decide_confirm(struct sb_result *result, const struct sb_test_tree *tree);
int sb_plan_decide_ramp(struct sb_result *result, const struct sb_test_tree *tree);
#define SB_PLAN_THRESHOLD 0.03 /* practical size of a loss */
#define SB_PLAN_ROUNDS_MAX 9u

/* diagnose_confirm.c: larger blocks in the jobs of a phase, at the depth for which there is room.
 */
void sb_plan_enlarge(const struct sb_result *result, struct sb_phase *phase);

/* The last run of a phase, with all its rates; NULL. */
const struct sb_phase *sb_plan_find_run(const struct sb_result *result, const struct sb_wish *wish);

int sb_plan_next_diagnose(const struct sb_plan *plan, struct sb_result *result);
int sb_plan_next_surface(const struct sb_plan *plan, struct sb_result *result);
int sb_plan_next_quick(const struct sb_plan *plan, struct sb_result *result);
double sb_plan_diagnose_longest(const struct sb_result *result, bool quick);

/* suite.c */
bool sb_plan_has_directories(const struct sb_result *result);
int sb_plan_check_suite(struct sb_result *result, bool prepared);
int sb_plan_next_suite(const struct sb_plan *plan, struct sb_result *result);

#endif
