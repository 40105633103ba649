/* Inside of the room: arrays. */
#ifndef SATABENCH_PROBE_MD_PRIV_H
#define SATABENCH_PROBE_MD_PRIV_H

#include "probe_priv.h"
#include "satabench/md.h"

#define PROBE_DEPTH_MOST 32 /* the kernel's own stacks are far lower */

/* md.c: the arrays below the result's devices, into result->md. 0 or -ENOMEM. */
int probe_md(struct scan *scan, struct sb_result *result);
/* One array by its kernel name, without nodes and devices. */
int probe_md_read(struct sb_md_array *array, const char *name);
/* An attribute below the array's folder in SYS_BLOCK, "md/level". */
bool probe_md_text(const char *name, const char *attribute, char *buf, size_t size);
/* "1569888 / 2093056"; anything else is none. */
void probe_md_take_completed(struct sb_md_array *a, const char *text);
/* The name in external metadata that says in which container it lies; NULL: it does not. */
int probe_md_container(const char *metadata, char **container);

/* md_devices.c: which device of the result is which array and member. */
void probe_md_find_devices(struct sb_result *result);

/* md_members.c */
int probe_md_members(struct sb_md_array *array);
void probe_md_take_state(struct sb_md_member *m, const char *state);

/* md_compare.c: what /proc/mdstat says otherwise, into array->mdstat_differs. 0 or -ENOMEM. */
int probe_md_compare(struct sb_md_array *array);
/* The same of given values, malloc'ed: "" = nothing; NULL out of memory. */
struct mdstat_array;
char *probe_md_difference(const struct sb_md_array *a, const struct mdstat_array *m);

#endif
