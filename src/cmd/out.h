/* Where a run's report and result go. All of it is opened before anything is measured. */
#ifndef SATABENCH_CMD_OUT_H
#define SATABENCH_CMD_OUT_H

#include <stdio.h>

#include "satabench/file.h"
#include "satabench/report.h"

struct sb_out {
	const struct sb_format *format;
	FILE *report; /* stdout, or report_file's */
	struct sb_outfile report_file, save_file, last_file;
	char *last_path; /* NULL: cannot be kept */
	struct sb_stream stream;
};

/* 0, or negative errno after an sb_error that names the file. */
int sb_out_open(struct sb_out *out, const struct sb_options *options, const char *default_format);
/* Writes the report alone. 0, or negative errno after an sb_error; a closed pipe is no error. */
int sb_out_report(struct sb_out *out, const struct sb_result *result);
/* Writes the report, the result that --save names, and the last one. Same. */
int sb_out_finish(struct sb_out *out, const struct sb_result *result);
void sb_out_discard(struct sb_out *out);

#endif
