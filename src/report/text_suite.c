/* The tests of directories in the text report: a block a test, a line a directory. */
#include "report_priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

/* Columns that are there when somebody has something for them. */
struct shape {
	bool interval, over;
};

static bool was_run(const struct sb_result *result, const char *test)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if (report_suite_sum(result, i, test).n_jobs > 0)
			return true;
	return false;
}

static struct shape shape_of(const struct sb_result *result, const struct sb_suite *suite)
{
	struct shape shape = {.over = strcmp(suite->workload, "tiobench") == 0};

	for (const char *const *test = suite->tests; *test; test++) {
		for (size_t i = 0; i < result->n_devices; i++) {
			struct report_suite_sum sum = report_suite_sum(result, i, *test);

			shape.interval |= sum.rate.n > 1;
			shape.over |= sum.n_over_2s > 0;
		}
	}
	return shape;
}

static char *rate_text(double rate, const struct sb_suite_test *test)
{
	char text[SB_UNIT_TEXT];

	if (isnan(rate))
		return strdup("-");
	if (!report_suite_counts(test->name))
		return strdup(sb_format_rate(text, rate));
	return sb_format("%.*f %s/s", rate < 100 ? 1 : 0, rate,
			 test->group == SB_TEST_FILES ? "files" : "seeks");
}

static char *interval_text(const struct report_suite_sum *sum)
{
	double half = report_suite_half_width(&sum->rate);

	return isnan(half) || !(sum->rate.mean > 0)
		       ? strdup("-")
		       : sb_format("+-%.1f %%", 100 * half / sum->rate.mean);
}

static void add_share(struct report_table *t, uint64_t n, uint64_t all)
{
	report_cell_number(t, all ? 100 * (double)n / (double)all : NAN, 2);
}

/* What a reader should know of just this figure. */
static char *remark(const struct report_suite_sum *sum)
{
	if (sum->state != SB_JOB_DONE)
		return strdup(sb_job_state_name(sum->state));
	if (sum->cached_percent > 2)
		return sb_format("%.0f %% cached", sum->cached_percent);
	return strdup(sum->is_short ? "short" : "");
}

static void add_sum(struct report_table *t, const char *label, const struct sb_suite_test *test,
		    const struct report_suite_sum *sum, const struct shape *shape)
{
	char text[SB_UNIT_TEXT];

	report_cell_take(t, sb_format("  %s", label));
	report_cell_take(t, rate_text(report_suite_mean(&sum->rate), test));
	if (shape->interval)
		report_cell_take(t, interval_text(sum));
	report_cell_number(t, report_suite_mean(&sum->cpu), 1);
	report_cell(t, sb_format_latency(text, report_suite_mean(&sum->p50)));
	report_cell(t, sb_format_latency(text, sum->p99));
	report_cell(t, sb_format_latency(text, sum->max));
	if (shape->over) {
		add_share(t, sum->n_over_2s, sum->operations);
		add_share(t, sum->n_over_10s, sum->operations);
	}
	report_cell_number(t, report_suite_mean(&sum->seconds), 2);
	report_cell_number(t, report_suite_mean(&sum->sync), 2);
	report_cell_take(t, remark(sum));
}

static void add_total(struct report_table *t, const struct sb_suite_test *test, double rate)
{
	size_t columns = strlen(t->align);

	report_cell(t, "  total");
	report_cell_take(t, rate_text(rate, test));
	for (size_t i = 2; i < columns; i++)
		report_cell(t, "");
}

/* Devices that were read while the directories were loaded. */
static void add_readers(struct report_table *t, const struct sb_result *result, char *const *labels,
			const struct sb_suite_test *test)
{
	for (size_t d = 0; d < result->n_devices; d++) {
		struct sb_stats rate;
		char text[SB_UNIT_TEXT];

		sb_stats_start(&rate);
		for (size_t p = 0; p < result->n_phases; p++) {
			const struct sb_phase *phase = &result->phases[p];

			for (size_t i = 0; i < phase->n_jobs && sb_suite_phase_test(phase) == test;
			     i++)
				if ((size_t)phase->jobs[i].device == d && !phase->jobs[i].test &&
				    phase->jobs[i].bytes_s > 0)
					sb_stats_add(&rate, phase->jobs[i].bytes_s);
		}
		if (rate.n == 0)
			continue;
		report_cell_take(t, sb_format("  %s", labels[d]));
		report_cell(t, sb_format_rate(text, rate.mean));
		for (size_t i = 3; i < strlen(t->align); i++)
			report_cell(t, "");
		report_cell(t, "read meanwhile");
	}
}

static void add_test(struct report_table *t, const struct sb_result *result, char *const *labels,
		     const struct sb_suite_test *test, const struct shape *shape)
{
	double total = 0;
	size_t n = 0;

	report_line_take(t, strdup(test->label));
	for (size_t i = 0; i < result->n_devices; i++) {
		struct report_suite_sum sum = report_suite_sum(result, i, test->name);

		if (sum.n_jobs == 0)
			continue;
		add_sum(t, labels[i], test, &sum, shape);
		if (sum.rate.n == 0)
			continue;
		total += sum.rate.mean;
		n++;
	}
	if (n > 1)
		add_total(t, test, total);
	add_readers(t, result, labels, test);
}

static void add_heads(struct report_table *t, const struct shape *shape)
{
	report_cell(t, "");
	report_cell(t, "rate");
	if (shape->interval)
		report_cell(t, "95 %");
	report_cell(t, "CPU %");
	report_cell(t, "p50");
	report_cell(t, "p99");
	report_cell(t, "max");
	if (shape->over) {
		report_cell(t, "% >2 s");
		report_cell(t, "% >10 s");
	}
	report_cell(t, "seconds");
	report_cell(t, "to disk");
	report_cell(t, "");
}

void report_suite_table(struct report_table *t, const struct sb_result *result, char *const *labels)
{
	static const char *const aligns[] = {"lrrrrrrrl", "lrrrrrrrrl", "lrrrrrrrrrl",
					     "lrrrrrrrrrrl"};
	const struct sb_suite *suite = sb_suite_of(&result->options);
	struct shape shape = shape_of(result, suite);

	*t = (struct report_table){.align = aligns[shape.interval + 2 * shape.over]};
	add_heads(t, &shape);
	for (const char *const *test = suite->tests; *test; test++)
		if (was_run(result, *test))
			add_test(t, result, labels, sb_suite_test(*test), &shape);
}

int report_text_suite(FILE *out, const struct sb_result *result, char *const *labels)
{
	struct report_table t;

	fprintf(out, "\nTests of %s; " REPORT_SUITE_CAPTION "\n",
		sb_suite_of(&result->options)->workload);
	report_suite_table(&t, result, labels);
	return report_table_print(&t, out, "  ");
}

static const struct sb_job *first_job(const struct sb_result *result, int group)
{
	for (size_t p = 0; p < result->n_phases; p++)
		for (size_t i = 0; i < result->phases[p].n_jobs; i++) {
			const struct sb_job *job = &result->phases[p].jobs[i];
			const struct sb_suite_test *test = sb_suite_test(job->test);

			if (test && test->group == group)
				return job;
		}
	return NULL;
}

/* "67.1 MB", or "33.6 to 67.1 MB": of the directories that had some. */
static void write_amount(FILE *out, const struct sb_result *result)
{
	uint64_t least = UINT64_MAX, most = 0;
	char low[SB_UNIT_TEXT], high[SB_UNIT_TEXT];

	for (size_t i = 0; i < result->n_devices; i++) {
		uint64_t bytes = result->devices[i].data_bytes;

		if (bytes == 0)
			continue;
		least = bytes < least ? bytes : least;
		most = bytes > most ? bytes : most;
	}
	if (most == 0)
		return;
	sb_format_bytes(high, most);
	if (least < most)
		fprintf(out, ", %s to %s of data", sb_format_bytes(low, least), high);
	else
		fprintf(out, ", %s of data in each directory", high);
}

void report_suite_how(FILE *out, const struct sb_result *result)
{
	const struct sb_options *o = &result->options;
	const struct sb_job *data = first_job(result, SB_TEST_DATA);
	const struct sb_job *seeks = first_job(result, SB_TEST_SEEKS);
	const struct sb_job *files = first_job(result, SB_TEST_FILES);
	char text[SB_UNIT_TEXT];

	fprintf(out, "workload %s", sb_suite_of(o)->workload);
	if (data) {
		write_amount(out, result);
		fprintf(out, " in blocks of %s", sb_format_block(text, data->block_bytes));
		if (data->depth > 1)
			fprintf(out, " by %llu threads", (unsigned long long)data->depth);
	}
	if (seeks)
		fprintf(out, ", %llu random operations by %llu thread%s",
			(unsigned long long)seeks->limit_operations,
			(unsigned long long)seeks->depth, seeks->depth == 1 ? "" : "s");
	if (files)
		fprintf(out, ", %llu files", (unsigned long long)files->limit_operations);
	fputs(o->direct	    ? ", past the page cache"
	      : o->buffered ? ", through the page cache, which was left alone"
			    : ", through the page cache, from which the data was dropped before "
			      "it was read",
	      out);
	if (o->fsync_each)
		fputs(", fsync after each write", out);
	if (o->sync_writes)
		fputs(", synchronous writes", out);
	if (o->unsynchronised)
		fputs(", directories not waiting for each other", out);
	if (!isnan(result->elapsed_seconds))
		fprintf(out, "; took %s", sb_format_duration(text, result->elapsed_seconds));
}
