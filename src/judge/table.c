#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "judge_priv.h"

static bool is_whole(const struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (!judge_has_rate(&phase->jobs[i]))
			return false;
	return phase->n_jobs > 0;
}

static bool is_foreign(const struct sb_result *result, const struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (judge_foreign_share(result, phase, &phase->jobs[i]) > JUDGE_FOREIGN_SHARE)
			return true;
	return false;
}

static bool make_cell(struct noise_cell *cell, const struct sb_result *result,
		      const struct sb_phase *phase)
{
	double sum = 0;

	if (!phase->done || !is_whole(phase))
		return false;
	if (phase->kind == SB_PHASE_ALONE && phase->n_jobs == 1)
		cell->key = phase->jobs[0].device;
	else if (phase->kind == SB_PHASE_ALL)
		cell->key = (int)result->n_devices;
	else
		return false;
	for (size_t i = 0; i < phase->n_jobs; i++)
		sum += phase->jobs[i].bytes_s;
	cell->round = phase->round;
	cell->phase = phase;
	cell->log_rate = log(sum);
	cell->foreign = is_foreign(result, phase);
	return true;
}

/* By key and round, the later run of a cell first. */
static int compare_cells(const void *a, const void *b)
{
	const struct noise_cell *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->phase > y->phase ? -1 : x->phase < y->phase;
}

/* A later run of the same cell replaces the earlier. */
static void drop_replaced(struct judge_table *table)
{
	size_t n = 0;

	for (size_t i = 0; i < table->n; i++) {
		const struct noise_cell *last = n ? &table->cells[n - 1] : NULL;

		if (last && last->key == table->cells[i].key &&
		    last->round == table->cells[i].round)
			continue;
		table->cells[n++] = table->cells[i];
	}
	table->n = n;
}

int judge_table_make(struct judge_table *table, const struct sb_result *result)
{
	*table = (struct judge_table){.sd = NAN};
	table->cells = calloc(result->n_phases ? result->n_phases : 1, sizeof(*table->cells));
	if (!table->cells)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_phases; i++)
		table->n += make_cell(&table->cells[table->n], result, &result->phases[i]);
	qsort(table->cells, table->n, sizeof(*table->cells), compare_cells);
	drop_replaced(table);
	table->sd = judge_noise(table->cells, table->n);
	if (!isnan(table->sd))
		return 0;
	judge_table_free(table);
	return -ENOMEM;
}

void judge_table_free(struct judge_table *table)
{
	free(table->cells);
	*table = (struct judge_table){.sd = NAN};
}
