/* What the formats have in common: text widths, tables, short names, JSON pieces. Only src/report
 * includes it. Pure functions apart from the streams that are passed in. */
#ifndef SATABENCH_REPORT_PRIV_H
#define SATABENCH_REPORT_PRIV_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "satabench/comparison.h"
#include "satabench/field.h"
#include "satabench/result.h"
#include "satabench/stats.h"

/* width.c */

/* Length (1-4) of the UTF-8 sequence at `s` and its code point; 0 = not valid (RFC 3629). */
size_t report_utf8_decode(const char *s, uint32_t *code);
/* Columns of a terminal that the text takes; independent of the locale. */
size_t report_columns(const char *text);
/* Bytes of `text` that fit into `columns`. */
size_t report_fit(const char *text, size_t columns);
/* The user's locale draws UTF-8. */
bool report_locale_is_utf8(void);
/* Paragraph: `first` stands before the first line, as many blanks before the others; broken at
 * blanks to 100 columns. */
void report_paragraph(FILE *out, const char *first, const char *text);

/* table.c: cells of text, columns as wide as they must be, two blanks between. */
struct report_table {
	const char *align; /* a letter a column, 'l' or 'r' */
	char **cells;
	size_t n_cells;
	bool failed; /* out of memory */
};
/* Next cell, row by row; takes the malloc'ed text (NULL: out of memory). */
void report_cell_take(struct report_table *table, char *text);
void report_cell(struct report_table *table, const char *text);
/* "-" for NaN, no sign before zero; malloc'ed */
char *report_number_text(double value, int decimals);
void report_cell_number(struct report_table *table, double value, int decimals);
/* A line across all columns; takes the malloc'ed text. */
void report_line_take(struct report_table *table, char *text);
/* Prints and empties it. 0 or -ENOMEM. */
int report_table_print(struct report_table *table, FILE *out, const char *indent);
void report_table_free(struct report_table *table);

/* labels.c: a short name a device, unique, escaped, for tables: its target where that is short,
 * else its kernel name or a part of the target. Array of n_devices strings, or NULL. */
char **report_labels(const struct sb_result *result);
void report_labels_free(char **labels, size_t n);
#define REPORT_LABEL_COLUMNS 26

/* field_text.c: a value as CSV has it, malloc'ed; "" = no value; NULL = out of memory. */
char *report_field_text(const struct sb_field *field, const void *base);
/* Shortest decimal that reads back as the same double; "" for NaN. */
char *report_double_text(double value);

/* The percentage of a fraction (SB_FIELD_FRACTION), in every format; NaN. */
double report_percent(double fraction);

/* json_string.c: names are raw bytes, JSON is UTF-8. */
json_t *report_json_string(const char *raw); /* NULL gives null */
char *report_json_encode(const char *raw);
char *report_json_decode(const char *utf8);

/* json_write.c: new values, NULL out of memory */
json_t *report_json_object(const struct sb_fields *fields, const void *base);
/* The object, or drops it and gives NULL if any part of it failed. */
json_t *report_json_finish(json_t *object, int rc);
json_t *report_json_double(double value);			     /* null for NaN */
int report_json_put(json_t *object, const char *key, json_t *value); /* takes value; 0 or -ENOMEM */
json_t *report_json_node(const struct sb_result *result, int node);
json_t *report_json_topo_node(const struct sb_topo *topo, const struct sb_node *node);
json_t *report_json_host(const struct sb_result *result);
json_t *report_json_options(const struct sb_result *result);
json_t *report_json_device(const struct sb_result *result, const struct sb_device *device);
json_t *report_json_job(const struct sb_result *result, const struct sb_job *job);
json_t *report_json_interval(const struct sb_phase *phase, const struct sb_interval *interval);
json_t *report_json_counters(const struct sb_cpu_counters *counters);
/* json_exec.c: the words of its command; the disks that moved; and its copies into `object`. */
json_t *report_json_command(const struct sb_exec *exec);
json_t *report_json_disks(const struct sb_result *result, const struct sb_exec *exec);
int report_json_put_copies(json_t *object, const struct sb_exec *exec);
/* json_write_verdict.c: null where none was made */
json_t *report_json_verdict(const struct sb_result *result);
/* json_write_md.c */
json_t *report_json_array(const struct sb_result *result, const struct sb_md_array *array);
json_t *report_json_md(const struct sb_result *result);
/* json_mdcheck.c: the array `md_check`, where there is one */
json_t *report_json_check(const struct sb_result *result, const struct sb_mdcheck *check);
int report_json_put_checks(json_t *root, const struct sb_result *result);
/* json_surface.c: the array `surface`, where there is one */
json_t *report_json_surface(const struct sb_result *result, const struct sb_surface *surface);
int report_json_put_surfaces(json_t *root, const struct sb_result *result);
#define REPORT_JSON_FLAGS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(17))

/* json_layout.c: what holds no deeper nesting stands on one line. 0 or negative errno. */
int report_json_print(FILE *out, const json_t *json);

/* csv.c: one field, in quotes where it must be. */
void report_csv_field(FILE *out, const char *text);

/* The formats, for formats.c. 0 or negative errno of the stream. */
int report_text_write(FILE *out, const struct sb_result *result);
int report_csv_write(FILE *out, const struct sb_result *result);
int report_ndjson_write(FILE *out, const struct sb_result *result);
int report_classic_write(FILE *out, const struct sb_result *result);
int report_fio_json_write(FILE *out, const struct sb_result *result);
int report_html_write(FILE *out, const struct sb_result *result);
int report_bonnie_write(FILE *out, const struct sb_result *result);
/* 0, or negative errno when the stream has failed. */
int report_stream_status(FILE *out);

int report_compare_text(FILE *out, const struct sb_comparison *comparison);

/* places.c: where devices hang. Nodes are indices, -1 none. */
bool report_is_under(const struct sb_topo *topo, int node, int above); /* itself included */
int report_controller_of(const struct sb_topo *topo, int node);	       /* the nearest; -1 */
/* The nearest controller, port multiplier or expander; -1. */
int report_hub_of(const struct sb_topo *topo, int node);
/* Those that are made of others of the run do not count. */
size_t report_devices_under(const struct sb_result *result, int node);
size_t report_own_devices(const struct sb_result *result);
bool report_same_devices(const struct sb_result *result, int a, int b);
/* An array beside its members: reading it is reading them, it counts in no sum. */
bool report_is_made_of_others(const struct sb_result *result, size_t device);
/* "0000:02:00.0", and "controller 0000:02:00.0 (ahci)"; a device by its label. malloc'ed; NULL */
char *report_node_name(const struct sb_result *result, char *const *labels, int node);
char *report_node_text(const struct sb_result *result, char *const *labels, int node);
char *report_nodes_text(const struct sb_result *result, char *const *labels, const int *nodes,
			size_t n);
const char *report_kind_text(int kind); /* of a phase */
/* " 0000:02:00.0 without sda": where a group, leave-one-out or ramp is, else ""; malloc'ed */
char *report_place_text(const struct sb_result *result, char *const *labels,
			const struct sb_phase *phase);

/* hops.c: trained link and limits, "8.0 GT/s x4: practical ..., line ..."; malloc'ed, NULL when
 * nothing is known */
char *report_hop_text(const struct sb_node *node);

/* parts.c: the verdict's shared parts. NULL where there is none. */
const struct sb_limit *report_limit_at(const struct sb_verdict *verdict, int test_node);
const struct sb_node_loss *report_loss_at(const struct sb_verdict *verdict, int test_node);
const struct sb_node_loss *report_loss_of(const struct sb_result *result, int node);
/* What parts give one after the other, and at once. */
struct report_rates {
	double apart_bytes_s, once_bytes_s, loss_percent; /* NaN = no value */
};
/* Of the devices for which `member` is set, alone and together. */
struct report_rates report_rates_sum(const struct sb_result *result, const bool *member);
/* Of a part: its children by themselves, and all of it by itself; where its group was not run,
 * its devices alone and together. */
struct report_rates report_rates_of(const struct sb_result *result,
				    const struct sb_node_loss *loss);
/* "LIMIT", "free", "hidden by ..."; " *" behind what its group was not run for. malloc'ed */
char *report_state_text(const struct sb_result *result, char *const *labels,
			const struct sb_node_loss *loss);

/* text_blocks.c, text_verdict.c: with a verdict. 0 or -ENOMEM */
int report_text_blocks(FILE *out, const struct sb_result *result, char *const *labels);
/* Whether the text tells it: not for plans that cannot give one. */
bool report_shows_verdict(const struct sb_result *result);
void report_text_sentence(FILE *out, const struct sb_result *result);
int report_text_verdict(FILE *out, const struct sb_result *result, char *const *labels);
/* text_limit.c */
void report_text_limit(FILE *out, const struct sb_result *result, char *const *labels,
		       size_t index);
/* A line "  name         text"; takes the malloc'ed text; nothing for an empty one. */
void report_text_line(FILE *out, const char *name, char *text);
/* "0.950", and never quite 0 or 1; malloc'ed */
char *report_probability_text(double p);

/* reads.c: one device over all phases of a kind: amounts and times are added; of the latencies (ns)
 * the worst round counts, of the medians their median. */
struct report_reads {
	bool measured;
	bool failed; /* or hung, or vanished: shown, but in no sum */
	uint64_t bytes, operations, errors;
	double seconds, min, p90, p99, p999, max;
	double *p50;
	size_t n_p50;
};
/* By device; NULL out of memory. */
struct report_reads *report_reads_make(const struct sb_result *result, int kind);
void report_reads_free(struct report_reads *reads, size_t n);

/* text.c: how it was read: "plan diagnose, 3 rounds, engine io_uring, ..." */
void report_how(FILE *out, const struct sb_result *result);

/* text_tables.c */
/* Decimals of a column of the devices' rates in MB/s. */
int report_rate_decimals(const struct sb_result *result);
/* Cells: rate in MB/s, loss in %, and its interval. */
void report_cells_rates(struct report_table *table, const struct report_rates *rates, double low,
			double high, int decimals);
int report_text_tables(FILE *out, const struct sb_result *result, char *const *labels);
/* The phases of this kind that were run. */
bool report_has_phases(const struct sb_result *result, int kind);
/* text_faults.c: devices without figures, read errors, marks. */
void report_text_faults(FILE *out, const struct sb_result *result, char *const *labels);
const char *report_error_text(const struct sb_io_error *error);
/* text_mdcheck.c */
int report_text_checks(FILE *out, const struct sb_result *result);
/* text_md.c: a block an array. 0 or -ENOMEM */
int report_text_md(FILE *out, const struct sb_result *result, char *const *labels);
/* A line of it: the head, then what is told below its tables; malloc'ed, "" for one that has
 * nothing to say, NULL out of memory. */
#define REPORT_MD_LINES 6
char *report_md_line(const struct sb_result *result, char *const *labels,
		     const struct sb_md_array *array, size_t index);
/* "inside, 80 % of the most": where a figure lies; malloc'ed */
char *report_md_place(const struct sb_md_reading *reading);
/* Its figures stand in a block of its own. */
bool report_is_array(const struct sb_result *result, size_t device);
/* text_exec.c */
const struct sb_phase *report_exec_phase(const struct sb_result *result); /* or NULL */
int report_text_exec(FILE *out, const struct sb_result *result, const struct sb_exec *exec);
/* text_surface.c: there is one at least */
int report_text_surface(FILE *out, const struct sb_result *result, char *const *labels);
/* text_cpu.c */
int report_text_cpu(FILE *out, const struct sb_result *result);

/* suite_sum.c: one test of one directory over all rounds. */
struct report_suite_sum {
	struct sb_stats rate; /* bytes or, where report_suite_counts, operations a second */
	struct sb_stats cpu, p50, seconds, sync;
	double p99, max; /* of the worst round */
	double cached_percent;
	uint64_t n_over_2s, n_over_10s, operations;
	size_t n_jobs; /* with or without a figure */
	int state;     /* done, or the worst */
	bool is_short; /* one of them */
};
struct report_suite_sum report_suite_sum(const struct sb_result *result, size_t device,
					 const char *test);
double report_suite_rate(const struct sb_job *job);
/* Is its rate one of operations? */
bool report_suite_counts(const char *test);
double report_suite_mean(const struct sb_stats *stats);	      /* NaN */
double report_suite_half_width(const struct sb_stats *stats); /* of its 95 % interval; NaN */
/* text_suite.c */
#define REPORT_SUITE_CAPTION                                                                       \
	"CPU of the directory's own threads, latency of one operation,\n"                          \
	"seconds of a test and of these until all was on the disk"
void report_suite_table(struct report_table *t, const struct sb_result *result,
			char *const *labels);
int report_text_suite(FILE *out, const struct sb_result *result, char *const *labels);
void report_suite_how(FILE *out, const struct sb_result *result);

/* classic.c: dd's figure with its unit, e.g. "13 GB"; of `bytes`, and a second of `bytes` in `ns`.
 */
#define REPORT_DD_TEXT 40
char *report_dd_size(char buf[REPORT_DD_TEXT], uint64_t bytes);
char *report_dd_rate(char buf[REPORT_DD_TEXT], uint64_t bytes, uint64_t ns);

#endif
