/* The one thing of the machine that this program changes: it starts and ends md's own check, by the
 * file md/sync_action of one array. Nothing else can be written through here.
 *
 * Checks that are under way are held in memory that the keeper shares: what this process does not
 * end itself, because it crashed or was killed, the keeper ends. Main thread. */
#ifndef SATABENCH_ACTION_H
#define SATABENCH_ACTION_H

#include <stdbool.h>

#define SB_CHECKS_MOST 64 /* at once */

/* Before the fork of the keeper: memory that both have. 0 or -ENOMEM. */
int sb_check_share(void);
/* Writes "check" to the sync_action of an array, by its kernel's name ("md0"). 0 or negative errno
 * (-EINVAL: no name of an array; -EBUSY: md does something else; -ENOSPC: too many at once). */
int sb_check_start(const char *array);
/* Writes "idle", if it is a check that runs still, and lets go of it. Also for one that ended by
 * itself. 0 or negative errno. */
int sb_check_end(const char *array);
/* All that are held: the last act of a process, and the keeper's. */
void sb_check_end_all(void);

#endif
