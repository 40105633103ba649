/* What was wished: plain data, filled by cmd/options.c from argv and config files.
 * 0, NULL and NaN mean "not said"; who uses a value applies its default. */
#ifndef SATABENCH_OPTIONS_H
#define SATABENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_buffers { SB_BUFFERS_AUTO, SB_BUFFERS_ONE, SB_BUFFERS_OWN };

struct sb_options {
	char **targets; /* owned strings; the word "all" stands alone */
	size_t n_targets;
	bool targets_said; /* -d was given, with or without something behind it */

	char *plan;		 /* name of a plan: rounds, together, alone */
	char *workload;		 /* read, randread, surface */
	bool md_check;		 /* nothing is read; md checks the arrays */
	uint64_t surface_places; /* of workload surface; 0 = the whole length */
	char *resume;		 /* saved result of a surface to go on with */
	char *engine;		 /* auto, io_uring, preadv */
	uint64_t block_bytes;
	uint64_t depth;	  /* queue depth */
	uint64_t streams; /* readers of an array at once */
	bool buffered;	  /* through the page cache, as dd without iflag=direct */
	int buffers;	  /* enum sb_buffers */
	double runtime_s;
	uint64_t size_bytes;   /* stop by amount, per device and phase; 0 = by time */
	uint64_t count;	       /* the same in blocks (dd's count=) */
	uint64_t offset_bytes; /* where reading begins */
	uint64_t skip;	       /* the same in blocks (dd's skip=) */
	bool end_at_end;       /* stop at the end of the device, as dd does, instead of wrapping */
	uint64_t rounds;
	double baseline_s; /* length of the look at the CPU before the load; NaN = default */
	double hang_timeout_s;
	uint64_t max_errors;
	bool virtual_time;
	uint64_t seed;

	uint64_t copies;  /* exec: of the command; 0 = one, whose {} is left as it is */
	char *output_dir; /* exec: where the copies' own output goes */
	double threshold_percent; /* of compare; NaN = default */

	char *format; /* output format */
	char *output; /* file for the report instead of stdout */
	char *save;   /* file for the JSON result */
	char *label;
	double status_interval_s;
	bool no_progress;
	bool no_live;
	bool dry_run;
	bool verbose;
	bool quiet;

	char *preset;
	char *config;
};

void sb_options_free(struct sb_options *options);

#endif
