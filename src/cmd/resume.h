/* Going on with a surface of an earlier run. */
#ifndef SATABENCH_CMD_RESUME_H
#define SATABENCH_CMD_RESUME_H

#include "satabench/result.h"

/* Before the targets are looked at: reads what --resume names, if anything, and takes over options
 * and targets that were not given. 0 or negative errno after an sb_error. */
int sb_resume_read(struct sb_result *result, struct sb_result *earlier);
/* When the devices are open: takes over their surfaces. 0, or negative errno
 * after an sb_error. */
int sb_resume_apply(struct sb_result *result, const struct sb_result *earlier);

#endif
