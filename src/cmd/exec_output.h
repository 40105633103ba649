/* Where what the copies print goes, kept apart per copy. */
#ifndef SATABENCH_CMD_EXEC_OUTPUT_H
#define SATABENCH_CMD_EXEC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "satabench/options.h"

struct exec_output {
	size_t n;
	int *out_fd, *err_fd;	       /* by copy; -1: our own */
	uint64_t *out_from, *err_from; /* where what is kept goes on behind the beginning */
	bool is_kept;		       /* in memory, to be printed when all have ended */
	bool has_report;	       /* stdout is a machine's: what is printed goes to stderr */
};

/* One copy prints as it would by itself, several into memory, with --output-dir all into files.
 * Where the report is no text and goes to stdout, nothing else does. 0, or negative errno after an
 * sb_error. */
int exec_output_open(struct exec_output *output, const struct sb_options *options, size_t n);
/* Bounds what is kept: of what is long the beginning and the end. Now and then, while they run. */
void exec_output_trim(struct exec_output *output);
/* Each copy's output under a heading. 0 or negative errno. */
int exec_output_print(struct exec_output *output);
void exec_output_close(struct exec_output *output);

#endif
