/* Field tables: beside each struct of the model one const table that JSON (both ways), CSV, text
 * and the man page walk. */
#ifndef SATABENCH_FIELD_H
#define SATABENCH_FIELD_H

#include <stddef.h>

enum sb_field_type {
	SB_FIELD_U64, /* SB_NONE_U64 = null */
	SB_FIELD_U32,
	SB_FIELD_INT, /* -1 = null */
	SB_FIELD_BOOL,
	SB_FIELD_ANSWER,   /* int, enum sb_answer; SB_ANSWER_NONE = null */
	SB_FIELD_DOUBLE,   /* NaN = null */
	SB_FIELD_SIZE,	   /* size_t */
	SB_FIELD_SIZE_SET, /* size_t, 0 = null */
	SB_FIELD_FRACTION, /* double, NaN = null; shown as percent, 0-100 */
	SB_FIELD_STRING,   /* char *, NULL = null */
	SB_FIELD_NAME,	   /* int through name/parse */
	SB_FIELD_U64_SET,  /* like U64 and U32, but 0 = null: wishes, where 0 is "not said" */
	SB_FIELD_U32_SET
};

enum sb_better { SB_BETTER_NEITHER, SB_BETTER_HIGHER, SB_BETTER_LOWER };

struct sb_field {
	const char *key;   /* JSON and CSV; a point in it opens a nested object */
	const char *label; /* text and man page */
	const char *unit;  /* "B", "B/s", "1/s", "s", "ns", "ms", "%", "ticks", "" */
	enum sb_better better;
	enum sb_field_type type;
	size_t offset;
	const char *(*name)(int value); /* SB_FIELD_NAME */
	int (*parse)(const char *name);
};

struct sb_fields {
	const struct sb_field *field;
	size_t n;
};

/* Scalars of each struct; arrays and nested structs are the writer's own loops. */
extern const struct sb_fields sb_fields_options;
extern const struct sb_fields sb_fields_node;
extern const struct sb_fields sb_fields_device;
extern const struct sb_fields sb_fields_phase;
extern const struct sb_fields sb_fields_job;
extern const struct sb_fields sb_fields_latency;
extern const struct sb_fields sb_fields_cpu;
extern const struct sb_fields sb_fields_mark;
extern const struct sb_fields sb_fields_host;
extern const struct sb_fields sb_fields_result;
extern const struct sb_fields sb_fields_counters; /* struct sb_cpu_counters */
extern const struct sb_fields sb_fields_ticks;
extern const struct sb_fields sb_fields_link;	  /* struct sb_link_reading, without its node */
extern const struct sb_fields sb_fields_irq;	  /* struct sb_irq_count, same */
extern const struct sb_fields sb_fields_copy;	  /* struct sb_copy */
extern const struct sb_fields sb_fields_disk_use; /* struct sb_disk_use, without its node */
extern const struct sb_fields sb_fields_error;	  /* struct sb_io_error */
/* of a run with directories, of a directory, of a job that is a test */
extern const struct sb_fields sb_fields_suite_options;
extern const struct sb_fields sb_fields_directory;
extern const struct sb_fields sb_fields_suite_job;
extern const struct sb_fields sb_fields_verdict;
extern const struct sb_fields sb_fields_limit;
extern const struct sb_fields sb_fields_loss; /* struct sb_node_loss */
extern const struct sb_fields sb_fields_odd_run;
extern const struct sb_fields sb_fields_session;
extern const struct sb_fields sb_fields_change;
extern const struct sb_fields sb_fields_shift;
extern const struct sb_fields sb_fields_left_out; /* its leave-one-out */
extern const struct sb_fields sb_fields_md;	  /* struct sb_md_array */
extern const struct sb_fields sb_fields_md_member;
extern const struct sb_fields sb_fields_device_md; /* of a device, where it has to do with arrays */
extern const struct sb_fields sb_fields_job_stream; /* of a job that is one of several readers */
extern const struct sb_fields sb_fields_mdcheck;
extern const struct sb_fields sb_fields_mdcheck_member;
extern const struct sb_fields sb_fields_surface;
extern const struct sb_fields sb_fields_surface_bucket;
extern const struct sb_fields sb_fields_surface_range;
extern const struct sb_fields sb_fields_surface_slow;

#endif
