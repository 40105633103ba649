/* Within compare*.c: results as sessions of two sides, their devices matched. */
#ifndef SATABENCH_COMPARE_PRIV_H
#define SATABENCH_COMPARE_PRIV_H

#include "satabench/comparison.h"
#include "satabench/judge.h"
#include "satabench/stats.h"

/* A device that one or more results have, by what it is. */
struct entity {
	int *device_of; /* by result: index of its device, -1 */
	bool by_name;	/* some of them are the same by name only */
	bool in_sums;	/* every result has a rate of it, and it is made of no other */
	bool matched;	/* both sides have a rate of it */
};

struct compare {
	const struct sb_compare_wish *wish;
	struct entity *entities;
	size_t n_entities;
	int kind;   /* enum sb_phase_kind of the rates: all, or alone */
	bool apart; /* no device is on both sides: sums are of what there is */
	struct sb_comparison *out;
};

static inline const struct sb_result *compare_result(const struct compare *c, size_t index)
{
	return c->wish->results[index];
}

/* compare_match.c: all but `in_sums` and `matched`. 0 or -ENOMEM. */
int compare_match(struct compare *c);
/* First result of a side (0 before, 1 after) that has the device; NULL: none. */
const struct sb_result *compare_having(const struct compare *c, const struct entity *e, int side,
				       int *device);
/* What it is called there; malloc'ed. */
char *compare_name(const struct sb_result *result, int device);

/* compare_rounds.c */
unsigned compare_rounds(const struct sb_result *result); /* the last one */
/* The rate of the entities for which `member` is set, by one round of a result; NaN. */
double compare_rate(const struct compare *c, size_t result, const bool *member, unsigned round);
double compare_cpu(const struct compare *c, size_t result, unsigned round); /* CPU s/GiB; NaN */
/* Has it the device's rate in any round? */
bool compare_has_rate(const struct compare *c, size_t result, size_t entity);
/* Fills the figures of a row, but not `sure` and the word. `member` NULL: CPU. 0 or -ENOMEM */
void compare_shift(const struct compare *c, const bool *member, struct sb_shift *shift);

/* compare_texts.c: tables that end with a `what` of NULL. `load`: where it differs, it is not the
 * machine alone that is compared. */
extern const struct compare_of_run {
	const char *what;
	char *(*text)(const struct sb_result *r);
	bool load;
} compare_of_run[];
extern const struct compare_of_device {
	const char *what;
	char *(*text)(const struct sb_result *r, int device);
	bool load;
} compare_of_device[];
int compare_controller(const struct sb_result *r, int device); /* node; -1 */
char *compare_place(const struct sb_result *r, int node);      /* "0000:01:00.0 (ahci)" */

/* compare_changes.c. 0 or -ENOMEM. */
int compare_changes(struct compare *c);
/* Takes the name; the list is malloc'ed, at first NULL. Behind the sixth of `n` there is "...". */
int compare_add_name(char **list, size_t n, char *name);
/* Settings and machines of the results of one side differ: names of what does, malloc'ed; NULL. */
char *compare_differs(const struct compare *c, size_t a, size_t b);

/* compare_rows.c. 0 or -ENOMEM. */
int compare_rows(struct compare *c);

/* compare_notes.c. 0 or -ENOMEM. */
int compare_notes(struct compare *c);

#endif
