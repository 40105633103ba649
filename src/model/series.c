#include "satabench/series.h"

#include <stdlib.h>

/* Chunks of rows that never move; a chunk's columns lie behind its rows. */
#define CHUNK_ROWS 128
#define CHUNKS 1024

struct sb_series {
	size_t n_jobs;
	_Atomic size_t count;
	struct sb_row *chunk[CHUNKS];
};

struct sb_series *sb_series_create(size_t n_jobs)
{
	struct sb_series *series = calloc(1, sizeof(*series));

	if (series)
		series->n_jobs = n_jobs;
	return series;
}

void sb_series_destroy(struct sb_series *series)
{
	if (!series)
		return;
	for (size_t i = 0; i < CHUNKS && series->chunk[i]; i++)
		free(series->chunk[i]);
	free(series);
}

size_t sb_series_jobs(const struct sb_series *series)
{
	return series->n_jobs;
}

static struct sb_row *chunk_create(size_t n_jobs)
{
	struct sb_row *rows;
	uint64_t *column;

	rows = calloc(1, CHUNK_ROWS * (sizeof(*rows) + 2 * n_jobs * sizeof(uint64_t)));
	if (!rows)
		return NULL;
	column = (uint64_t *)(rows + CHUNK_ROWS);
	for (size_t i = 0; i < CHUNK_ROWS; i++) {
		rows[i].job_bytes = column;
		rows[i].device_bytes = column + n_jobs;
		column += 2 * n_jobs;
	}
	return rows;
}

struct sb_row *sb_series_next(struct sb_series *series)
{
	size_t count = atomic_load_explicit(&series->count, memory_order_relaxed);
	size_t at = count / CHUNK_ROWS;

	if (at >= CHUNKS)
		return NULL;
	if (!series->chunk[at])
		series->chunk[at] = chunk_create(series->n_jobs);
	return series->chunk[at] ? &series->chunk[at][count % CHUNK_ROWS] : NULL;
}

void sb_series_commit(struct sb_series *series)
{
	size_t count = atomic_load_explicit(&series->count, memory_order_relaxed);

	/* publishes the row's contents and its chunk */
	atomic_store_explicit(&series->count, count + 1, memory_order_release);
}

size_t sb_series_count(const struct sb_series *series)
{
	return atomic_load_explicit(&series->count, memory_order_acquire);
}

const struct sb_row *sb_series_row(const struct sb_series *series, size_t index)
{
	return &series->chunk[index / CHUNK_ROWS][index % CHUNK_ROWS];
}
