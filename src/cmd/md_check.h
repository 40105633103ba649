/* --md-check: md's own check of the targets, on request. */
#ifndef SATABENCH_CMD_MD_CHECK_H
#define SATABENCH_CMD_MD_CHECK_H

#include "satabench/load.h"
#include "satabench/planner.h"

/* It has a plan of its own, which reads nothing. */
extern const struct sb_plan sb_md_check_plan;
/* Whether all targets can be checked: 0, or -EINVAL after a line for each that cannot. */
int sb_md_check_look(const struct sb_result *result);
/* Says what it does, and does it. 0, -EINTR, or other negative errno after an sb_error. */
int sb_md_check_run(struct sb_result *result, const struct sb_load_watch *watch);
/* "md0 37.2 %, 98 MB/s, about 3 min left"; malloc'ed, NULL: nothing to tell. */
char *sb_md_check_progress(const struct sb_result *result);

#endif
