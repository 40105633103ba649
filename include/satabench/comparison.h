/* Before and after: a comparison is a value of its own, made by judge from results, printed by
 * report. Plain data; strings are owned, raw bytes where they are names of devices and files. */
#ifndef SATABENCH_COMPARISON_H
#define SATABENCH_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "satabench/result.h"

enum sb_shift_kind {
	SB_SHIFT_TOTAL,
	SB_SHIFT_CONTROLLER,
	SB_SHIFT_ARRAY,
	SB_SHIFT_DEVICE,
	SB_SHIFT_CPU, /* CPU time for what was read; less is better */
	SB_SHIFT_KINDS
};

enum sb_shift_word {
	SB_SHIFT_CANNOT_TELL,
	SB_SHIFT_SAME, /* within `within` */
	SB_SHIFT_BETTER,
	SB_SHIFT_WORSE,
	SB_SHIFT_WORDS
};

/* What one side has of a row. */
struct sb_shift_side {
	size_t n;	 /* values: rounds, or sessions where those differ among themselves */
	bool by_session; /* ... the latter */
	double value;	 /* geometric mean; B/s, of CPU s/GiB; NaN = none */
	double sd;	 /* of the logs; NaN below two */
};

struct sb_shift {
	int kind;	  /* enum sb_shift_kind */
	char *name;	  /* what it is called before */
	char *name_after; /* NULL: the same */
	size_t n_devices; /* in the sum */
	struct sb_shift_side before, after;
	double shift;	  /* after / before - 1: a ratio of geometric means; NaN */
	double low, high; /* its 95 % interval, not corrected for the number of rows; NaN */
	double p;	  /* of no shift, two-sided, not corrected; NaN */
	bool sure;	  /* the test rejects "no shift", for devices and controllers by Holm */
	int word;	  /* enum sb_shift_word */
	double within;	  /* SB_SHIFT_SAME: both ends of the interval; fraction; NaN */
};

/* What is not the same in the two machines, or in how they were read. */
struct sb_change {
	char *what;	      /* "kernel", "controller", "block size" ... */
	char *subject;	      /* "sda, sdb"; NULL: the machine, or all devices */
	char *before, *after; /* NULL = not known */
	bool load;	      /* it is another load, so the shift is not the machine's alone */
};

/* One result that was compared. */
struct sb_session {
	char *file, *started, *label;
	size_t rounds; /* that count */
	size_t taints;
	bool complete;
};

struct sb_comparison {
	char *version;
	double threshold; /* fraction: less is of no practical meaning */
	bool alone;	  /* the rates are those of each device alone: none were read together */
	struct sb_session *sessions;
	size_t n_sessions, n_before; /* those before stand first */
	struct sb_change *changes;
	size_t n_changes;
	struct sb_shift *shifts; /* total, controllers, arrays, devices, CPU */
	size_t n_shifts;
	char **notes; /* sentences */
	size_t n_notes;
	char *advice;  /* the command that gives enough rounds; NULL: there are enough */
	bool worse;    /* a row is, or a device that was read is not any more */
	bool doubtful; /* another load, or a taint in a result */
};

void sb_comparison_free(struct sb_comparison *comparison);
const char *sb_shift_kind_name(int kind);
/* "faster", "slower", "same", "cannot tell"; of CPU time "less" and "more" */
const char *sb_shift_word_name(const struct sb_shift *shift);

#endif
