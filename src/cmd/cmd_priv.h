/* Inside the verbs' room: the option table and what reads it, help, and what the verbs share.
 * Main thread only. */
#ifndef SATABENCH_CMD_PRIV_H
#define SATABENCH_CMD_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "satabench/options.h"

/* The verbs an option belongs to. */
#define SB_FOR_RUN 1u
#define SB_FOR_REPORT 2u
#define SB_FOR_LIST 4u
#define SB_FOR_EXEC 16u
#define SB_FOR_COMPARE 8u
#define SB_FOR_ALL (SB_FOR_RUN | SB_FOR_REPORT | SB_FOR_LIST | SB_FOR_EXEC | SB_FOR_COMPARE)

enum sb_option_type {
	SB_OPTION_FLAG,	    /* bool */
	SB_OPTION_SIZE,	    /* uint64_t bytes */
	SB_OPTION_COUNT,    /* uint64_t */
	SB_OPTION_SECONDS,  /* double */
	SB_OPTION_PERCENT,  /* double */
	SB_OPTION_STRING,   /* char *, owned */
	SB_OPTION_CHOICE,   /* char *, owned: one of the words of `choice` */
	SB_OPTION_WORKLOAD, /* the same; surface may have =N behind it */
	SB_OPTION_DATA,	    /* bonnie++'s notations, several members each */
	SB_OPTION_FILES,
	SB_OPTION_RAM,
	SB_OPTION_CHARS,   /* a flag that may have a value, in the same word */
	SB_OPTION_BUFFERS, /* int, enum sb_buffers: index of the word of `choice` */
	SB_OPTION_TARGETS, /* greedy; argv only, as are the following */
	SB_OPTION_PRESET,
	SB_OPTION_CONFIG,
	SB_OPTION_HELP,
	SB_OPTION_VERSION,
	SB_OPTION_LIST, /* the table itself, for the scripts that check it */
};

/* Options of one set exclude each other where they are said in the same place; said in a stronger
 * place one takes the other back. */
enum sb_option_set {
	SB_SET_NONE,
	SB_SET_AMOUNT, /* stop by time or by amount */
	SB_SET_START,
	SB_SET_CACHE,
	SB_SET_TALK,
};

struct sb_option {
	const char *name; /* long, and the key in a config file */
	char letter;	  /* short, or 0 */
	enum sb_option_type type;
	unsigned verbs;
	enum sb_option_set set;
	size_t offset;			     /* in struct sb_options */
	double least, most;		     /* of numbers, where there is a `limit` */
	const char *limit;		     /* what is wrong outside them */
	const char *(*choice)(size_t index); /* the words; NULL behind the last */
	const char *group;		     /* heading in --help; NULL: hidden */
	const char *metavar;		     /* NULL: takes no value */
	const char *help;		     /* one line of any length */
	const char *standard;		     /* the default in words; NULL: none to tell */
};

#define SB_OPTIONS_MOST 128
extern const struct sb_option sb_option_table[]; /* the last has name NULL */

/* By long name, without dashes, or by letter; NULL. */
const struct sb_option *sb_option_find(const char *name);
const struct sb_option *sb_option_find_letter(char letter);
/* A name that may have been meant, or NULL. */
const char *sb_option_near(const char *name, unsigned verb);
bool sb_option_has_value(const struct sb_option *option);

/* Where settings come from: argv (file NULL), or a line of a file. A stronger place is a new origin
 * over the same options. */
struct sb_origin {
	const char *file;
	int line;
	bool said[SB_OPTIONS_MOST]; /* by row of the table */
};

/* Sets one option. `value` is NULL for a flag of argv; in files flags take yes or no. 0, or -EINVAL
 * after an sb_error that names the place, or -ENOMEM. */
int sb_option_set(struct sb_options *options, const struct sb_option *option, const char *value,
		  struct sb_origin *origin);

/* options_bonnie.c: what is wrong with the value, or NULL. `value` of the last may be NULL. */
const char *sb_bonnie_data(struct sb_options *options, const char *value);
const char *sb_bonnie_files(struct sb_options *options, const char *value);
const char *sb_bonnie_ram(struct sb_options *options, const char *value);
const char *sb_bonnie_chars(struct sb_options *options, const char *value);
/* Fills uid and gid. 0 or -EINVAL after an sb_error. */
int sb_bonnie_owner(struct sb_options *options);

/* A file of `key = value` lines over `options`. 0 or negative errno after an sb_error. */
int sb_config_read(const char *path, struct sb_options *options);
/* The same for a preset, by name. */
int sb_config_read_preset(const char *name, struct sb_options *options);

/* Reads argv behind its first word (the program or the verb), the preset and the config file:
 * preset over built-in, file over preset, argv over file. 0; 1 = done (-h, -V: printed on stdout);
 * -EINVAL or -ENOMEM after an sb_error. In any case to be freed with sb_options_free. */
int sb_options_parse(int argc, char **argv, struct sb_options *options);
/* The same for `report`; *path points into argv. */
int sb_options_parse_report(int argc, char **argv, struct sb_options *options, const char **path);

/* Words of argv, those before `--` first. */
struct sb_files {
	const char **path; /* owned, the words are not */
	size_t n, n_before;
};
/* The same for `compare`; both sides have a file. */
int sb_options_parse_compare(int argc, char **argv, struct sb_options *options,
			     struct sb_files *files);

/* The same for `list`; words without an option are targets. */
int sb_options_parse_list(int argc, char **argv, struct sb_options *options);

/* The same for `exec`; *command points into argv, where the command begins. */
int sb_options_parse_exec(int argc, char **argv, struct sb_options *options, char ***command);

void sb_help_print(FILE *out);
void sb_help_print_exec(FILE *out);
void sb_help_print_list(FILE *out);
void sb_help_print_report(FILE *out);
void sb_help_print_compare(FILE *out);
void sb_help_print_version(FILE *out);
void sb_help_print_table(FILE *out);

#endif
