/* Whether the tests in directories measured what they seem to. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/suite.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define CACHED_PERCENT 2
#define REPEATED_SHARE 0.05

/* Jobs of one directory that have a figure to be marked. */
struct look {
	double value; /* the largest */
	size_t n;     /* different tests */
	char names[200];
};

typedef double figure_fn(const struct sb_job *job); /* NaN: nothing to mark */

static void add_name(struct look *look, const char *test)
{
	size_t used = strlen(look->names);

	if (strstr(look->names, test))
		return;
	look->n++;
	snprintf(look->names + used, sizeof(look->names) - used, "%s%s", used ? ", " : "", test);
}

/* The largest figure, and the tests that have one. */
static struct look find(const struct sb_result *result, int device, figure_fn *figure)
{
	struct look look = {.value = NAN};

	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		for (size_t i = 0; phase->done && i < phase->n_jobs; i++) {
			const struct sb_job *job = &phase->jobs[i];
			const struct sb_suite_test *test = sb_suite_test(job->test);
			double v;

			if (!test || job->device != device || job->state != SB_JOB_DONE)
				continue;
			v = figure(job);
			if (isnan(v))
				continue;
			add_name(&look, test->label);
			if (!(v <= look.value))
				look.value = v;
		}
	}
	return look;
}

static double cached(const struct sb_job *job)
{
	return job->cached_percent > CACHED_PERCENT ? job->cached_percent : NAN;
}

int mark_suite_cached(struct sb_result *result, const struct judge_table *table)
{
	bool wanted = result->options.buffered;
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_devices && !err; i++) {
		struct look look = find(result, (int)i, cached);

		if (look.n == 0)
			continue;
		err = sb_result_add_mark(
			result, wanted ? SB_MARK_NOTE : SB_MARK_TAINT, "suite_cached",
			result->devices[i].target, look.value, CACHED_PERCENT,
			wanted ? "up to %.0f %% of the data was in the page cache when it was read "
				 "(%s), as --buffered leaves it: these are figures of memory, too"
			       : "up to %.0f %% of the data was still in the page cache when it "
				 "was read (%s) and could not be dropped: these are figures of "
				 "memory, too; take more data or --direct",
			look.value, look.names);
	}
	return err;
}

/* Of n seeks over m blocks about n / 2m fall on one that an earlier seek has read. */
static double repeated(const struct sb_job *job)
{
	double blocks = job->block_bytes ? (double)job->span_bytes / (double)job->block_bytes : 0;
	double share = blocks > 0 ? (double)job->operations / (2 * blocks) : 0;

	if (strcmp(job->test, "seeks") != 0 && strcmp(job->test, "random_read") != 0)
		return NAN;
	return isnan(job->cached_percent) || share < REPEATED_SHARE ? NAN : 100 * fmin(share, 1);
}

int mark_suite_repeated(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_devices && !err; i++) {
		struct look look = find(result, (int)i, repeated);

		if (look.n && !result->options.no_ram_check)
			err = sb_result_add_mark(
				result, SB_MARK_NOTE, "suite_repeated", result->devices[i].target,
				look.value, 100 * REPEATED_SHARE,
				"about %.0f %% of its %s fell on blocks that were in memory from "
				"an earlier one: take more data or fewer seeks",
				look.value, look.names);
	}
	return err;
}

static double is_short(const struct sb_job *job)
{
	return job->elapsed_seconds < SB_SUITE_SHORT_S ? -job->elapsed_seconds : NAN;
}

int mark_suite_short(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->n_devices && !err; i++) {
		struct look look = find(result, (int)i, is_short);

		if (look.n)
			err = sb_result_add_mark(
				result, SB_MARK_NOTE, "suite_short", result->devices[i].target,
				-look.value, SB_SUITE_SHORT_S,
				"less than %.1f s, too short to be trusted: %s; take more data "
				"(-s) or files (-n)",
				SB_SUITE_SHORT_S, look.names);
	}
	return err;
}

int mark_suite_reduced(struct sb_result *result, const struct judge_table *table)
{
	const struct sb_options *o = &result->options;
	uint64_t memory = o->ram_bytes ? o->ram_bytes : result->host.memory_bytes;
	bool said = o->data_bytes || o->size_bytes || o->count;
	int err = 0;

	(void)table;
	if (said || o->no_ram_check || memory == SB_NONE_U64)
		return 0;
	for (size_t i = 0; i < result->n_devices && !err; i++) {
		const struct sb_device *d = &result->devices[i];
		char have[SB_UNIT_TEXT], wish[SB_UNIT_TEXT];

		/* rounding to whole blocks is no reduction */
		if (!d->data_bytes || d->data_bytes > 2 * memory - (memory >> 6))
			continue;
		err = sb_result_add_mark(result, SB_MARK_NOTE, "suite_reduced", d->target,
					 (double)d->data_bytes, 2 * (double)memory,
					 "its data was reduced to %s, since there is no room for "
					 "the default of twice the memory (%s)",
					 sb_format_bytes(have, d->data_bytes),
					 sb_format_bytes(wish, 2 * memory));
	}
	return err;
}

int mark_suite_root(struct sb_result *result, const struct judge_table *table)
{
	bool any = false;

	(void)table;
	for (size_t i = 0; i < result->n_devices; i++)
		any |= result->devices[i].kind == SB_DEVICE_DIRECTORY;
	if (!any || result->options.uid != 0 || result->options.user)
		return 0;
	return sb_result_add_mark(result, SB_MARK_NOTE, "as_root", NULL, NAN, NAN,
				  "the tests ran as root, who may use what a file system keeps in "
				  "reserve and is held "
				  "by no quota; -u USER runs them as somebody else");
}
