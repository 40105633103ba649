/* The report for people. Plain ASCII of its own, at most 100 columns apart from long names; the
 * same bytes in every locale. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

static void print_escaped(FILE *out, const char *before, const char *text, const char *after)
{
	SB_AUTO_FREE char *escaped = text ? sb_escape(text) : NULL;

	if (escaped)
		fprintf(out, "%s%s%s", before, escaped, after);
}

static void print_head(FILE *out, const struct sb_result *result)
{
	const struct sb_host *host = &result->host;
	char buf[SB_UNIT_TEXT];

	print_escaped(out, "satabench ", result->version ? result->version : "", "");
	print_escaped(out, " on ", host->name, "");
	print_escaped(out, ", ", result->started, "");
	fputc('\n', out);
	print_escaped(out, "", host->cpu_brand, "");
	if (host->cpus_online != SB_NONE_U64)
		fprintf(out, "%s%llu CPU%s", host->cpu_brand ? ", " : "",
			(unsigned long long)host->cpus_online, host->cpus_online == 1 ? "" : "s");
	if (host->memory_bytes != SB_NONE_U64)
		fprintf(out, ", %s memory", sb_format_bytes(buf, host->memory_bytes));
	/* some say the system's name before the release, some do not */
	print_escaped(out, host->kernel && host->kernel[0] <= '9' ? ", Linux " : ", ", host->kernel,
		      "");
	fputc('\n', out);
	print_escaped(out, "label: ", result->label, "\n");
	if (!result->complete && !report_shows_verdict(result))
		fputs("\nNOT COMPLETE: the run was ended early. What was measured until then:\n",
		      out);
}

/* What the shortened names stand for. */
static int print_legend(FILE *out, const struct sb_result *result, char *const *labels)
{
	struct report_table t = {.align = "ll"};

	for (size_t i = 0; i < result->n_devices; i++) {
		char *target = sb_escape(result->devices[i].target);

		if (target && strcmp(target, labels[i]) == 0) {
			free(target);
			continue;
		}
		report_cell(&t, labels[i]);
		report_cell_take(&t, target);
	}
	if (t.n_cells > 0)
		fputs("\nDevices\n", out);
	return report_table_print(&t, out, "  ");
}

/* "io_uring", or "io_uring (3), preadv (1)": what was chosen and for how many. Takes the choices;
 * NULL when nothing was chosen. */
static char *distribution(char **chosen, size_t n)
{
	char *text = NULL;

	for (size_t i = 0; chosen && i < n; i++) {
		size_t same = 1, known = 0;
		char *longer;

		if (!chosen[i])
			continue;
		for (size_t j = 0; j < n; j++) {
			known += chosen[j] != NULL;
			if (j > i && chosen[j] && strcmp(chosen[i], chosen[j]) == 0) {
				free(chosen[j]);
				chosen[j] = NULL;
				same++;
			}
		}
		longer = !text && same == known ? strdup(chosen[i])
						: sb_format("%s%s%s (%zu)", text ? text : "",
							    text ? ", " : "", chosen[i], same);
		free(text);
		text = longer;
	}
	report_labels_free(chosen, n);
	return text;
}

static char **choices(const struct sb_result *result,
		      char *(*choose)(const struct sb_device *device))
{
	char **all = calloc(result->n_devices + 1, sizeof(*all));

	for (size_t i = 0; all && i < result->n_devices; i++)
		all[i] = choose(&result->devices[i]);
	return all;
}

static char *choose_engine(const struct sb_device *device)
{
	return device->engine ? sb_escape(device->engine) : NULL;
}

static char *choose_depth(const struct sb_device *device)
{
	return device->depth ? sb_format("%llu", (unsigned long long)device->depth) : NULL;
}

static char *choose_buffers(const struct sb_device *device)
{
	return device->buffers ? sb_escape(device->buffers) : NULL;
}

static uint64_t block_bytes(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].n_jobs > 0)
			return result->phases[i].jobs[0].block_bytes;
	return result->options.block_bytes;
}

static void print_list(FILE *out, const char *name, char *list)
{
	if (list)
		fprintf(out, ", %s %s", name, list);
	free(list);
}

static unsigned rounds_run(const struct sb_result *result)
{
	unsigned rounds = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].done && result->phases[i].round > rounds &&
		    result->phases[i].round < SB_ROUND_PAIRS)
			rounds = result->phases[i].round;
	return rounds;
}

void report_how(FILE *out, const struct sb_result *result)
{
	size_t n = result->n_devices;
	uint64_t block = block_bytes(result);
	unsigned rounds = rounds_run(result);
	char buf[SB_UNIT_TEXT];

	print_escaped(out, "plan ", result->options.plan ? result->options.plan : "-", "");
	if (rounds > 0)
		fprintf(out, ", %u round%s", rounds, rounds == 1 ? "" : "s");
	print_list(out, "engine", distribution(choices(result, choose_engine), n));
	if (block > 0)
		fprintf(out, ", blocks of %s", sb_format_block(buf, block));
	print_list(out, "queue depth", distribution(choices(result, choose_depth), n));
	print_list(out, "buffers", distribution(choices(result, choose_buffers), n));
	fputs(result->options.buffered ? ", through the page cache" : ", direct", out);
	if (!isnan(result->elapsed_seconds))
		fprintf(out, "; took %s", sb_format_duration(buf, result->elapsed_seconds));
}

static int print_how(FILE *out, const struct sb_result *result)
{
	SB_AUTO_FREE char *text = NULL;
	size_t length;
	FILE *line = open_memstream(&text, &length);

	if (!line)
		return -ENOMEM;
	if (report_has_phases(result, SB_PHASE_SUITE))
		report_suite_how(line, result);
	else
		report_how(line, result);
	if (fclose(line) != 0)
		return -ENOMEM;
	fputc('\n', out);
	report_paragraph(out, "", text);
	return 0;
}

/* A command's copies, in place of devices. */
static int write_exec(FILE *out, const struct sb_result *result, const struct sb_exec *exec,
		      char *const *labels)
{
	char buf[SB_UNIT_TEXT];
	int rc;

	print_head(out, result);
	rc = report_text_exec(out, result, exec);
	if (rc != 0)
		return rc;
	report_text_faults(out, result, labels);
	if (!isnan(result->elapsed_seconds))
		fprintf(out, "\ntook %s\n", sb_format_duration(buf, result->elapsed_seconds));
	return 0;
}

static int write_devices(FILE *out, const struct sb_result *result, char *const *labels)
{
	int rc;

	if (report_shows_verdict(result))
		report_text_sentence(out, result);
	print_head(out, result);
	rc = print_legend(out, result, labels);
	if (rc == 0)
		rc = report_text_tables(out, result, labels);
	/* what has a block of its own has not measured arrays */
	if (rc == 0 && result->n_checks == 0 && result->n_surfaces == 0)
		rc = report_text_md(out, result, labels);
	if (rc == 0)
		rc = report_text_cpu(out, result);
	if (rc == 0) {
		report_text_faults(out, result, labels);
		rc = print_how(out, result);
	}
	return rc;
}

int report_text_write(FILE *out, const struct sb_result *result)
{
	const struct sb_phase *exec = report_exec_phase(result);
	char **labels = report_labels(result);
	int rc;

	if (!labels)
		return -ENOMEM;
	rc = exec ? write_exec(out, result, exec->exec, labels)
		  : write_devices(out, result, labels);
	report_labels_free(labels, result->n_devices);
	return rc ? rc : report_stream_status(out);
}
