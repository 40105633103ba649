/* Within the room: findings about an array. */
#ifndef SATABENCH_JUDGE_MD_FINDINGS_H
#define SATABENCH_JUDGE_MD_FINDINGS_H

#include <stdio.h>

#include "md_priv.h"

#define MD_LEFT_SYMMETRIC 2 /* md's number, and its default for raid5 and raid6 */

struct md_case {
	const struct sb_result *result;
	const struct sb_md_array *array;
};

struct md_finding {
	const char *id;
	int level; /* enum sb_mark_level */
	void (*say)(FILE *f, const struct md_case *c);
};

/* Names with commas. */
void md_say_members(FILE *f, const struct sb_md_array *a, const bool *chosen);

/* md_members.c: members that are unlike, or share what they should not. */
void md_find_sizes(FILE *f, const struct md_case *c);
void md_find_speeds(FILE *f, const struct md_case *c);
void md_find_links(FILE *f, const struct md_case *c);
void md_find_controller(FILE *f, const struct md_case *c);
void md_find_shared_disk(FILE *f, const struct md_case *c);

/* md_advice.c: settings that hold an array back, where that was seen. */
void md_advise_chunk(FILE *f, const struct md_case *c);
void md_advise_stripe_cache(FILE *f, const struct md_case *c);
void md_advise_read_ahead(FILE *f, const struct md_case *c);

#endif
