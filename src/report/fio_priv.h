/* The pieces of fio's JSON. Only fio_*.c include it. New values are NULL, and codes -ENOMEM, when
 * out of memory. */
#ifndef SATABENCH_FIO_PRIV_H
#define SATABENCH_FIO_PRIV_H

#include <jansson.h>

#include "satabench/result.h"

/* A job of the result with its phase; NULL: the device took part in none. */
struct fio_run {
	const struct sb_phase *phase;
	const struct sb_job *job;
	double rate; /* by which runs are ordered */
};

/* fio's options are strings; takes the malloc'ed text. */
int fio_put_text(json_t *object, const char *key, char *text);
/* Rounded down; null for NaN. */
int fio_put_integer(json_t *object, const char *key, double value);
int fio_put_real(json_t *object, const char *key, double value);
/* Keys (the last is NULL) with one value. */
json_t *fio_each(const char *const *keys, double value);
/* What went one way: all 0 without a job. */
json_t *fio_direction(const struct fio_run *run);
json_t *fio_sync(void);

#endif
