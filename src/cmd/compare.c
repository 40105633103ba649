/* `compare BEFORE.json... -- AFTER.json...`: what became faster and slower. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_priv.h"
#include "satabench/file.h"
#include "satabench/judge.h"
#include "satabench/keeper.h"
#include "satabench/log.h"
#include "satabench/report.h"
#include "verbs.h"

#define DEFAULT_THRESHOLD 3.0 /* percent */

static int write_to(const struct sb_options *options, const struct sb_compare_format *format,
		    const struct sb_comparison *comparison)
{
	struct sb_outfile file = {0};
	int rc = options->output ? sb_outfile_open(&file, options->output) : 0;

	if (rc == 0)
		rc = format->write(file.file ? file.file : stdout, comparison);
	if (rc == 0 && file.file)
		rc = sb_outfile_commit(&file);
	sb_outfile_discard(&file);
	if (rc < 0 && rc != -EPIPE)
		sb_error("cannot write the comparison: %s", strerror(-rc));
	return rc == -EPIPE ? 0 : rc;
}

static int compare(const struct sb_options *options, const struct sb_files *files,
		   const struct sb_compare_format *format, struct sb_result *results)
{
	const struct sb_result **pointers = calloc(files->n, sizeof(struct sb_result *));
	struct sb_compare_wish wish = {.results = pointers,
				       .files = files->path,
				       .n = files->n,
				       .n_before = files->n_before,
				       .threshold = (isnan(options->threshold_percent)
							     ? DEFAULT_THRESHOLD
							     : options->threshold_percent) /
						    100};
	struct sb_comparison comparison = {0};
	int rc = pointers ? 0 : -ENOMEM;

	for (size_t i = 0; i < files->n && rc == 0; i++) {
		rc = sb_result_read(files->path[i], &results[i]);
		pointers[i] = &results[i];
	}
	if (rc == 0)
		rc = sb_judge_compare(&wish, &comparison);
	if (rc == 0)
		rc = write_to(options, format, &comparison);
	if (rc == -ENOMEM)
		sb_error("out of memory");
	rc = rc < 0 ? SB_EXIT_USAGE : sb_judge_compare_status(&comparison);
	sb_comparison_free(&comparison);
	free(pointers);
	return rc;
}

int sb_cmd_compare(int argc, char **argv)
{
	struct sb_options options = {0};
	struct sb_files files = {0};
	const struct sb_compare_format *format;
	struct sb_result *results = NULL;
	int rc = sb_options_parse_compare(argc, argv, &options, &files);

	sb_stop_install();
	if (rc == 0) {
		format = sb_compare_format_find(options.format ? options.format : "text");
		results = calloc(files.n, sizeof(*results));
		for (size_t i = 0; results && i < files.n; i++)
			sb_result_init(&results[i]);
		if (!format)
			sb_error("--output-format: %s: compare has text, json and csv",
				 options.format);
		rc = format && results ? compare(&options, &files, format, results) : SB_EXIT_USAGE;
		for (size_t i = 0; results && i < files.n; i++)
			sb_result_free(&results[i]);
		free(results);
	} else {
		rc = rc < 0 ? SB_EXIT_USAGE : SB_EXIT_OK;
	}
	free(files.path);
	sb_options_free(&options);
	return rc;
}
