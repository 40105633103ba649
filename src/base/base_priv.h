/* Within the room only: what the child tells the keeper about its scratch folders. */
#ifndef SATABENCH_BASE_PRIV_H
#define SATABENCH_BASE_PRIV_H

#include "satabench/scratch.h"

/* keeper.c, child. Told before a folder is made (fd -1), again when it is there, and when it is
 * gone. Without a keeper nothing happens. */
void base_tell_scratch(const struct sb_scratch *scratch);
void base_tell_gone(const struct sb_scratch *scratch);

/* scratch.c: what is told before a folder is there may have come to be all the same. */
int base_scratch_find(struct sb_scratch *scratch);

/* leftovers.c, parent: folders that are not gone yet. */
struct base_leftovers {
	struct sb_scratch *scratch;
	size_t n;
};
/* Takes the descriptors over. */
void base_leftovers_add(struct base_leftovers *list, const struct sb_scratch *scratch);
void base_leftovers_gone(struct base_leftovers *list, uint32_t id);
/* Removes them, in bounded time; tells what had to stay. */
void base_leftovers_remove(struct base_leftovers *list);

#endif
