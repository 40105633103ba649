/* What was wished: plain data, filled by cmd/options.c from argv and config files.
 * 0, NULL and NaN mean "not said"; who uses a value applies its default. */
#ifndef SATABENCH_OPTIONS_H
#define SATABENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sb_buffers { SB_BUFFERS_AUTO, SB_BUFFERS_ONE, SB_BUFFERS_OWN };
/* What is made instead of files. */
enum sb_file_links { SB_LINKS_NONE, SB_LINKS_HARD, SB_LINKS_SOFT };

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
	uint64_t streams; /* readers of an array at once; threads in each directory */
	bool buffered;	  /* through the page cache, as dd without iflag=direct */
	bool direct; /* past it was asked for: what devices do anyway, and directories do not */
	int buffers; /* enum sb_buffers */
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

	uint64_t copies;	  /* exec: of the command; 0 = one, whose {} is left as it is */
	char *output_dir;	  /* exec: where the copies' own output goes */
	double threshold_percent; /* of compare; NaN = default */

	/* directories; said in bonnie++'s notation where it has one */
	uint64_t fresh;		 /* so many fresh folders under the current directory */
	char *tests;		 /* comma list; NULL: all of the workload */
	uint64_t data_bytes;	 /* of each directory */
	bool no_data;		 /* -s 0 */
	uint64_t chunk_bytes;	 /* block of the tests of data */
	uint64_t seeks, seekers; /* random seeks in all, and how many threads make them */
	uint64_t files;		 /* to be created, in 1024 */
	bool no_files;		 /* -n 0 */
	uint64_t file_max_bytes, file_min_bytes, file_chunk_bytes;
	uint64_t file_folders; /* that they are spread over */
	int file_links;	       /* enum sb_file_links */
	uint64_t ram_bytes;    /* taken for the memory */
	bool no_ram_check;     /* -r 0 */
	bool no_char;	       /* -f: without the per-character tests */
	uint64_t char_bytes;   /* ... or of this amount */
	bool fsync_each, sync_writes, drop_caches, unsynchronised;
	char *machine;	    /* name in bonnie++'s lines */
	char *user, *group; /* whose the workers become */
	uint64_t uid, gid;  /* the same as numbers; SB_NONE_U64: no directory */

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
