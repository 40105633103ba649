/* Reading JSON with faults that say where they are. Only json_read*.c include it. */
#ifndef SATABENCH_JSON_READ_PRIV_H
#define SATABENCH_JSON_READ_PRIV_H

#include <jansson.h>

#include "satabench/field.h"
#include "satabench/result.h"

struct reader {
	const char *file; /* escaped */
	char where[200];  /* e.g. "phases[3].jobs[0]" */
};

/* Prints the one line; returns -EINVAL. */
int reader_fail(struct reader *r, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds key[index] to `where`; the mark takes it off again. */
size_t reader_enter(struct reader *r, const char *key, size_t index);
void reader_leave(struct reader *r, size_t mark);
/* Member that is an object; NULL where it is missing or null. */
int reader_object(struct reader *r, const json_t *in, const char *key, const json_t **out);
/* Calls `element` for each object of an array; a missing array is empty. */
int reader_each(struct reader *r, const json_t *in, const char *key,
		int (*element)(struct reader *r, const json_t *json, void *arg), void *arg);
/* A missing scalar becomes "no value". */
int reader_fields(struct reader *r, const json_t *object, const struct sb_fields *fields,
		  void *base);
/* malloc'ed, decoded */
int reader_need_string(struct reader *r, const json_t *object, const char *key, char **out);
/* Index of the node that is named; -1 where it is missing or null. */
int reader_node(struct reader *r, const json_t *object, const char *key, const struct sb_topo *topo,
		int *node);

/* The two ends of an interval; NaN where they are missing or null. */
int reader_pair(struct reader *r, const json_t *object, const char *key, double *low, double *high);

/* json_read_topo.c, json_read_phase.c */
int reader_topology(struct reader *r, const json_t *root, struct sb_topo *topo);
int reader_counters(struct reader *r, const json_t *in, struct sb_cpu_counters *counters);
int reader_figures(struct reader *r, const json_t *in, const char *key,
		   struct sb_cpu_figures *figures);
/* An element of `phases`; `arg` is the struct sb_result, whose devices have been read. */
int reader_phase(struct reader *r, const json_t *json, void *arg);
/* json_exec.c: what a phase of kind exec has. */
int reader_exec(struct reader *r, const json_t *json, const struct sb_topo *topo,
		struct sb_phase *phase);
/* json_mdcheck.c; the topology has been read */
int reader_checks(struct reader *r, const json_t *root, struct sb_result *result);
/* json_surface.c; devices have been read */
int reader_surfaces(struct reader *r, const json_t *root, struct sb_result *result);
/* json_read_verdict.c; devices and topology have been read. */
int reader_verdict(struct reader *r, const json_t *root, struct sb_result *result);
/* json_read_md.c; the same */
int reader_md(struct reader *r, const json_t *root, struct sb_result *result);

#endif
