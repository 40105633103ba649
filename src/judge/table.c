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

/* How many of its devices are at the `n` places of the tree from `first` on. */
static size_t count_in(const struct sb_test_tree *tree, const struct sb_phase *phase, size_t first,
		       size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		int device = phase->jobs[i].device;
		size_t place;

		if (device < 0 || (size_t)device >= tree->n_places || tree->place[device] < 0)
			continue;
		place = (size_t)tree->place[device];
		count += place >= first && place < first + n;
	}
	return count;
}

static bool has_just(const struct sb_test_tree *tree, const struct sb_phase *phase, size_t first,
		     size_t n)
{
	return phase->n_jobs == n && count_in(tree, phase, first, n) == n;
}

bool judge_rests(const struct sb_test_tree *tree, const struct sb_phase *phase,
		 const struct sb_test_child *child)
{
	return count_in(tree, phase, child->first, child->n) == 0;
}

/* Some of the test's children are in it, each whole, and the one that is named is not. */
static bool lacks_children(const struct judge_table *table, const struct sb_result *result,
			   const struct sb_phase *phase, const struct sb_test *test)
{
	bool lacks_named = false;
	size_t sum = 0;

	for (size_t i = 0; i < test->n_children; i++) {
		const struct sb_test_child *c = &test->children[i];
		size_t n = count_in(&table->tree, phase, c->first, c->n);

		if (n && n < c->n)
			return false;
		sum += n;
		lacks_named |= !n && sb_test_child_node(&table->tree, result, c) == phase->left_out;
	}
	return lacks_named && sum && sum == phase->n_jobs;
}

/* Key of the phase, -1: it is not compared. */
static int key_of(const struct judge_table *table, const struct sb_result *result,
		  const struct sb_phase *phase)
{
	const struct sb_test_tree *tree = &table->tree;
	int test;

	if (sb_phase_confirms(phase))
		return -1;
	if (phase->kind == SB_PHASE_ALONE)
		return phase->n_jobs == 1 ? phase->jobs[0].device : -1;
	if (phase->kind == SB_PHASE_ALL)
		return has_just(tree, phase, 0, tree->n_devices) ? judge_key_all(table)
								 : judge_key_other_all(table);
	if (phase->kind != SB_PHASE_GROUP && phase->kind != SB_PHASE_LEAVE_ONE_OUT)
		return -1;
	test = sb_test_tree_find(tree, phase->node);
	if (test < 0)
		return -1;
	if (phase->kind == SB_PHASE_LEAVE_ONE_OUT)
		return lacks_children(table, result, phase, &tree->tests[test])
			       ? judge_key_left_out(table, test)
			       : -1;
	return has_just(tree, phase, tree->tests[test].first, tree->tests[test].n)
		       ? judge_key_group(table, test)
		       : -1;
}

bool judge_reads_test(const struct judge_table *table, const struct sb_phase *phase, int test)
{
	const struct sb_test *t = &table->tree.tests[test];

	return phase->done && is_whole(phase) &&
	       sb_test_tree_find(&table->tree, phase->node) == test &&
	       has_just(&table->tree, phase, t->first, t->n);
}

static bool make_cell(struct noise_cell *cell, const struct judge_table *table,
		      const struct sb_result *result, const struct sb_phase *phase)
{
	if (!phase->done || !is_whole(phase))
		return false;
	*cell = (struct noise_cell){.key = key_of(table, result, phase),
				    .round = phase->round,
				    .phase = phase,
				    .distance = NAN};
	if (cell->key < 0)
		return false;
	for (size_t i = 0; i < phase->n_jobs; i++)
		cell->rate += phase->jobs[i].bytes_s;
	cell->log_rate = log(cell->rate);
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
	int rc;

	*table = (struct judge_table){.sd = NAN};
	rc = sb_test_tree_make(&table->tree, result);
	if (rc < 0)
		return rc;
	table->cells = calloc(result->n_phases + 1, sizeof(*table->cells));
	if (!table->cells) {
		judge_table_free(table);
		return -ENOMEM;
	}
	for (size_t i = 0; i < result->n_phases; i++)
		table->n += make_cell(&table->cells[table->n], table, result, &result->phases[i]);
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
	sb_test_tree_free(&table->tree);
	*table = (struct judge_table){.sd = NAN};
}

size_t judge_cells(const struct judge_table *table, int key, size_t *first)
{
	size_t low = 0, high = table->n, end;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (table->cells[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	*first = end = low;
	while (end < table->n && table->cells[end].key == key)
		end++;
	return end - low;
}

const struct noise_cell *judge_clean_cell(const struct judge_table *table, int key, unsigned round)
{
	size_t first, n = judge_cells(table, key, &first);

	for (size_t i = first; i < first + n; i++)
		if (table->cells[i].round == round)
			return table->cells[i].bad ? NULL : &table->cells[i];
	return NULL;
}

double judge_clean_mean(const struct judge_table *table, int key)
{
	size_t first, n = judge_cells(table, key, &first), clean = 0;
	double sum = 0;

	for (size_t i = first; i < first + n; i++) {
		if (table->cells[i].bad)
			continue;
		sum += table->cells[i].log_rate;
		clean++;
	}
	return clean ? exp(sum / (double)clean) : 0;
}

double judge_part(const struct judge_table *table, const struct noise_cell *cell, size_t first,
		  size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < cell->phase->n_jobs; i++) {
		const struct sb_job *job = &cell->phase->jobs[i];
		int place = table->tree.place[job->device];

		if (place >= 0 && (size_t)place >= first && (size_t)place < first + n)
			sum += job->bytes_s;
	}
	return sum;
}
