/* Within the room: arrays. */
#ifndef SATABENCH_JUDGE_MD_PRIV_H
#define SATABENCH_JUDGE_MD_PRIV_H

#include "judge_priv.h"
#include "satabench/md.h"

#define MD_TOLERANCE 0.05 /* so far below its range an array is called below it */
#define MD_SURE 0.95	  /* ... with this probability */

/* What md's way of reading makes of the members' rates: docs/MD.md has the derivation. `heads`: by
 * member, whether a reader of a linear array has begun on it; NULL = not known. NaN where a member
 * that is needed was not measured, or the level is none that is known. */
struct sb_md_range judge_md_theory(const struct sb_md_array *array, const bool *heads);

/* md.c: all figures of the arrays; the devices' own are there. 0 or -ENOMEM. */
int judge_md(struct sb_result *result, const struct judge_table *table);
/* md_cpu.c: whether a CPU was full while the array was read by so many, and not in the members'
 * own phases. */
bool judge_md_cpu_full(const struct sb_result *result, const struct sb_md_array *array, bool many);

/* The phases of an array: is it read here, alone, by one reader or by several? */
bool judge_md_reads(const struct sb_phase *phase, const struct sb_md_array *array, bool many);
/* ... among other arrays at once? */
bool judge_md_reads_beside(const struct sb_phase *phase, const struct sb_md_array *array,
			   bool many);
/* Are all its members read here, and nothing else? */
bool judge_md_reads_members(const struct sb_phase *phase, const struct sb_md_array *array);
/* Sum of the array's jobs; NaN when one has no rate. */
double judge_md_rate(const struct sb_phase *phase, int device);

/* The reading that tells most of md: the one furthest below its range; NULL = none is surely below.
 */
const struct sb_md_reading *judge_md_below(const struct sb_md_array *array);

#endif
