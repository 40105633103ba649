/* What bonnie++ 2.00 prints: for each directory its text block, and behind them the lines of CSV,
 * format 1.98 with 50 fields, which bon_csv2html and bon_csv2txt read. What bonnie++ would print as
 * +++++, since it took less than half a second, is left empty. With --quiet the CSV alone, as
 * there. Figures of data are KiB/s. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/suite.h"
#include "satabench/units.h"

#define KIB 1024.0
#define MIB (UINT64_C(1) << 20)
#define FORMAT "1.98"
#define NAME_COLUMNS 15

static const char *const data_tests[] = {"putc", "write", "rewrite", "getc", "read", "seeks"};
static const char *const file_tests[] = {"create",	  "stat",	 "delete",
					 "random_create", "random_stat", "random_delete"};

/* One directory in one round. */
struct run {
	const struct sb_result *result;
	size_t device;
	unsigned round;
};

static const struct sb_job *job_of(const struct run *run, const char *test)
{
	for (size_t p = 0; p < run->result->n_phases; p++) {
		const struct sb_phase *phase = &run->result->phases[p];

		for (size_t i = 0; phase->done && phase->round == run->round && i < phase->n_jobs;
		     i++)
			if ((size_t)phase->jobs[i].device == run->device && phase->jobs[i].test &&
			    strcmp(phase->jobs[i].test, test) == 0)
				return &phase->jobs[i];
	}
	return NULL;
}

static const struct sb_job *first_of(const struct run *run, const char *const *tests, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (job_of(run, tests[i]))
			return job_of(run, tests[i]);
	return NULL;
}

static bool is_sound(const struct sb_job *job)
{
	return job && job->state == SB_JOB_DONE && job->elapsed_seconds >= SB_SUITE_SHORT_S &&
	       !isnan(report_suite_rate(job));
}

/* "82013,24": whole numbers from 100 on, as bonnie++ has them. */
static void print_pair(FILE *out, const struct sb_job *job)
{
	double rate = is_sound(job) ? report_suite_rate(job) : NAN;

	if (!isnan(rate) && !report_suite_counts(job->test))
		rate /= KIB;
	if (isnan(rate))
		fputs(",,", out);
	else
		fprintf(out, ",%.*f,", rate < 100 ? 1 : 0, rate);
	if (!isnan(rate) && !isnan(job->cpu_percent))
		fprintf(out, "%.0f", job->cpu_percent);
}

/* "9730us", "238ms", "12s", as bonnie++ rounds them */
static char *latency_text(char buf[SB_UNIT_TEXT], const struct sb_job *job)
{
	double ns = job ? job->latency_ns.max : NAN;

	if (isnan(ns))
		buf[0] = '\0';
	else if (ns < 99999.5e3)
		snprintf(buf, SB_UNIT_TEXT, "%.0fus", ns / 1e3);
	else if (ns < 99999.5e6)
		snprintf(buf, SB_UNIT_TEXT, "%.0fms", ns / 1e6);
	else
		snprintf(buf, SB_UNIT_TEXT, "%.0fs", ns / 1e9);
	return buf;
}

static char *size_text(char buf[SB_UNIT_TEXT], uint64_t bytes)
{
	if (bytes % (1024 * MIB) == 0)
		snprintf(buf, SB_UNIT_TEXT, "%lluG", (unsigned long long)(bytes / (1024 * MIB)));
	else if (bytes >= MIB)
		snprintf(buf, SB_UNIT_TEXT, "%lluM", (unsigned long long)(bytes / MIB));
	else
		snprintf(buf, SB_UNIT_TEXT, "%lluk", (unsigned long long)(bytes / 1024));
	return buf;
}

/* The tools that read the lines know of no quotes. */
static char *plain(char *name)
{
	for (char *c = name; c && *c; c++)
		if (*c == ',' || *c == '"')
			*c = ';';
	return name;
}

/* The machine, and which directory where there are several; malloc'ed. */
static char *name_of(const struct run *run, char *const *labels)
{
	const struct sb_result *r = run->result;
	const char *machine = r->options.machine ? r->options.machine : r->host.name;
	SB_AUTO_FREE char *name = NULL;
	size_t n = 0;

	for (size_t i = 0; i < r->n_devices; i++)
		n += r->devices[i].kind == SB_DEVICE_DIRECTORY;
	name = n > 1 ? sb_format("%s:%s", machine ? machine : "", labels[run->device])
		     : strdup(machine ? machine : "");
	return name ? plain(sb_escape(name)) : NULL;
}

static void print_number(FILE *out, uint64_t value, bool there)
{
	if (there)
		fprintf(out, ",%llu", (unsigned long long)value);
	else
		fputc(',', out);
}

static void print_latencies(FILE *out, const struct run *run, const char *const *tests, size_t n)
{
	char text[SB_UNIT_TEXT];

	for (size_t i = 0; i < n; i++)
		fprintf(out, ",%s", latency_text(text, job_of(run, tests[i])));
}

static void print_csv(FILE *out, const struct run *run, const char *name)
{
	const struct sb_options *o = &run->result->options;
	const struct sb_job *data = first_of(run, data_tests, SB_COUNT(data_tests));
	const struct sb_job *block = first_of(run, &data_tests[1], 2);
	const struct sb_job *seeks = job_of(run, "seeks");
	const struct sb_job *files = first_of(run, file_tests, SB_COUNT(file_tests));
	uint64_t bytes = run->result->devices[run->device].data_bytes;
	char text[SB_UNIT_TEXT];

	fprintf(out, FORMAT ",satabench-%s,", run->result->version ? run->result->version : "");
	fprintf(out, "%s,%llu,", name, (unsigned long long)(o->streams ? o->streams : 1));
	fprintf(out, "%llu,%s", (unsigned long long)o->seed, data ? size_text(text, bytes) : "");
	print_number(out, block ? block->block_bytes : 0,
		     block && block->block_bytes != SB_SUITE_CHUNK);
	print_number(out, seeks ? seeks->limit_operations : 0, seeks);
	print_number(out, seeks ? seeks->depth : 0, seeks);
	for (size_t i = 0; i < SB_COUNT(data_tests); i++)
		print_pair(out, job_of(run, data_tests[i]));
	print_number(out, files ? files->limit_operations / 1024 : 0, files);
	if (o->file_links != SB_LINKS_NONE)
		fprintf(out, ",%d", o->file_links == SB_LINKS_HARD ? -1 : -2);
	else
		print_number(out, o->file_max_bytes, files && o->file_max_bytes);
	print_number(out, o->file_min_bytes, files && o->file_min_bytes);
	print_number(out, o->file_folders, files && o->file_folders);
	print_number(out, o->file_chunk_bytes, files && o->file_chunk_bytes);
	for (size_t i = 0; i < SB_COUNT(file_tests); i++)
		print_pair(out, job_of(run, file_tests[i]));
	print_latencies(out, run, data_tests, SB_COUNT(data_tests));
	print_latencies(out, run, file_tests, SB_COUNT(file_tests));
	fputc('\n', out);
}

/* " 80.1m  24": five columns and four */
static void print_cell(FILE *out, const struct sb_job *job)
{
	double rate = is_sound(job) ? report_suite_rate(job) : NAN;
	char text[SB_UNIT_TEXT] = "";

	if (!isnan(rate) && report_suite_counts(job->test))
		snprintf(text, sizeof(text), rate < 1000 ? "%.1f" : "%.0f", rate);
	else if (rate < 10 * MIB)
		snprintf(text, sizeof(text), "%.0fk", rate / KIB);
	else if (rate < 1000.0 * MIB)
		snprintf(text, sizeof(text), "%.1fm", rate / (double)MIB);
	else if (!isnan(rate))
		snprintf(text, sizeof(text), "%.2fg", rate / (double)(1024 * MIB));
	fprintf(out, " %5s", text);
	if (!isnan(rate) && !isnan(job->cpu_percent))
		fprintf(out, " %3.0f", job->cpu_percent);
	else
		fputs("    ", out);
}

static void print_rows(FILE *out, const struct run *run, const char *const *tests,
		       const char *first)
{
	char text[SB_UNIT_TEXT];

	fputs(first, out);
	for (size_t i = 0; i < 6; i++)
		print_cell(out, job_of(run, tests[i]));
	fputs("\nLatency          ", out);
	for (size_t i = 0; i < 6; i++)
		fprintf(out, "%10s", latency_text(text, job_of(run, tests[i])));
	fputc('\n', out);
}

static int print_data(FILE *out, const struct run *run, const char *name, const char *version)
{
	char size[SB_UNIT_TEXT];
	SB_AUTO_FREE char *first = NULL;

	size_text(size, run->result->devices[run->device].data_bytes);
	first = sb_format("%-*s %*s", (int)(20 - 2 - strlen(size)), name, (int)strlen(size), size);
	if (!first)
		return -ENOMEM;
	fprintf(out,
		"satabench %-9s ------Sequential Output------ --Sequential Input- --Random-\n"
		"                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--\n"
		"Name:Size etc        /sec %%CP  /sec %%CP  /sec %%CP  /sec %%CP  /sec %%CP  /sec "
		"%%CP\n",
		version);
	print_rows(out, run, data_tests, first);
	return 0;
}

static int print_files(FILE *out, const struct run *run, const char *name, const char *version,
		       uint64_t files)
{
	SB_AUTO_FREE char *first = sb_format("%19llu", (unsigned long long)(files / 1024));

	if (!first)
		return -ENOMEM;
	fprintf(out,
		"satabench %-9s ------Sequential Create------ --------Random Create--------\n"
		"%-19.19s -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--\n"
		"              files  /sec %%CP  /sec %%CP  /sec %%CP  /sec %%CP  /sec %%CP  /sec "
		"%%CP\n",
		version, name);
	print_rows(out, run, file_tests, first);
	return 0;
}

static int print_text(FILE *out, const struct run *run, const char *name)
{
	const char *version = run->result->version ? run->result->version : "";
	const struct sb_job *files = first_of(run, file_tests, SB_COUNT(file_tests));
	int rc = 0;

	if (first_of(run, data_tests, SB_COUNT(data_tests)))
		rc = print_data(out, run, name, version);
	if (files && rc == 0)
		rc = print_files(out, run, name, version, files->limit_operations);
	return rc;
}

static bool has_run(const struct run *run)
{
	return first_of(run, data_tests, SB_COUNT(data_tests)) ||
	       first_of(run, file_tests, SB_COUNT(file_tests));
}

/* Text blocks, or lines of CSV, of all directories and rounds. */
static int print_all(FILE *out, const struct sb_result *result, char *const *labels, bool csv)
{
	unsigned rounds = result->options.rounds ? (unsigned)result->options.rounds : 1;
	int rc = 0;

	for (unsigned round = 1; round <= rounds && rc == 0; round++) {
		for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
			struct run run = {result, i, round};
			SB_AUTO_FREE char *name = NULL;

			if (result->devices[i].kind != SB_DEVICE_DIRECTORY || !has_run(&run))
				continue;
			name = name_of(&run, labels);
			rc = name ? 0 : -ENOMEM;
			if (rc == 0 && csv)
				print_csv(out, &run, name);
			else if (rc == 0)
				rc = print_text(out, &run, name);
		}
	}
	return rc;
}

int report_bonnie_write(FILE *out, const struct sb_result *result)
{
	char **labels = report_labels(result);
	int rc = labels ? 0 : -ENOMEM;

	if (rc == 0 && !sb_suite_is_run(&result->options))
		fputs("No directory was loaded, and bonnie++'s lines are of directories.\n", out);
	if (rc == 0 && !result->options.quiet)
		rc = print_all(out, result, labels, false);
	if (rc == 0)
		rc = print_all(out, result, labels, true);
	report_labels_free(labels, result->n_devices);
	return rc ? rc : report_stream_status(out);
}
