/* argv. Settings are collected first and applied last, so that what a preset or a file says is
 * under them wherever it is named. */
#include "cmd_priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

struct setting {
	const struct sb_option *option;
	const char *value;
};

struct parser {
	int argc;
	char **argv;
	int at; /* the next word */
	unsigned verb;
	struct sb_options *options;
	struct setting *settings; /* owned; at most one for each letter of argv */
	size_t n_settings;
	const char *path;	/* of report */
	struct sb_files *files; /* of compare */
};

#define DONE 1

static int fault(const char *word, const char *text)
{
	SB_AUTO_FREE char *shown = sb_escape(word);

	sb_error("%s: %s", shown ? shown : "?", text);
	return -EINVAL;
}

static int add_target(struct parser *p, const char *word)
{
	struct sb_options *o = p->options;
	char **grown, *copy;

	if (!word[0]) {
		sb_error("-d: an empty name (an empty variable?)");
		return -EINVAL;
	}
	grown = reallocarray(o->targets, o->n_targets + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	o->targets = grown;
	copy = strdup(word);
	if (!copy)
		return -ENOMEM;
	o->targets[o->n_targets++] = copy;
	return 0;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* All words up to the next option; `first`: what stands in the same word as -d, or NULL. */
static int take_targets(struct parser *p, const char *first)
{
	size_t before = p->options->n_targets;
	int error = first ? add_target(p, first) : 0;

	p->options->targets_said = true;
	while (!error && p->at < p->argc && !is_option(p->argv[p->at]))
		error = add_target(p, p->argv[p->at++]);
	if (error || p->options->n_targets > before)
		return error;
	/* "-d -- NAME": the names come behind the end of options */
	if (p->at + 1 < p->argc && strcmp(p->argv[p->at], "--") == 0)
		return 0;
	sb_error("-d needs at least one device (an empty variable?)");
	return -EINVAL;
}

/* A word that can only be meant as an option, not as the value of the one before it. */
static bool is_known_option(const char *word)
{
	SB_AUTO_FREE char *name = NULL;

	if (word[0] != '-' || !word[1])
		return false;
	if (word[1] != '-')
		return !word[2] && sb_option_find_letter(word[1]);
	name = strndup(word + 2, strcspn(word + 2, "="));
	return name && sb_option_find(name);
}

static int take_value(struct parser *p, const struct sb_option *option, const char *attached)
{
	const char *value = attached;

	if (!value) {
		if (p->at >= p->argc || is_known_option(p->argv[p->at])) {
			sb_error("--%s needs a value: --%s=%s", option->name, option->name,
				 option->metavar);
			return -EINVAL;
		}
		value = p->argv[p->at++];
	}
	p->settings[p->n_settings++] = (struct setting){option, value};
	return 0;
}

/* `attached`: a value in the same word, or NULL. */
static int take_option(struct parser *p, const struct sb_option *option, const char *attached)
{
	if (!(option->verbs & p->verb)) {
		sb_error("--%s has no meaning for satabench %s", option->name, p->argv[0]);
		return -EINVAL;
	}
	if (attached && !sb_option_has_value(option) && option->type != SB_OPTION_CHARS) {
		sb_error("--%s takes no value", option->name);
		return -EINVAL;
	}
	switch (option->type) {
	case SB_OPTION_TARGETS:
		return take_targets(p, attached);
	case SB_OPTION_HELP:
		if (p->verb == SB_FOR_REPORT)
			sb_help_print_report(stdout);
		else if (p->verb == SB_FOR_LIST)
			sb_help_print_list(stdout);
		else if (p->verb == SB_FOR_EXEC)
			sb_help_print_exec(stdout);
		else if (p->verb == SB_FOR_COMPARE)
			sb_help_print_compare(stdout);
		else
			sb_help_print(stdout);
		return DONE;
	case SB_OPTION_VERSION:
		sb_help_print_version(stdout);
		return DONE;
	case SB_OPTION_LIST:
		sb_help_print_table(stdout);
		return DONE;
	default:
		break;
	}
	if (sb_option_has_value(option))
		return take_value(p, option, attached);
	p->settings[p->n_settings++] = (struct setting){option, attached};
	return 0;
}

static int take_long(struct parser *p, const char *word)
{
	const char *equals = strchr(word, '=');
	SB_AUTO_FREE char *name =
		strndup(word + 2, equals ? (size_t)(equals - word - 2) : strlen(word + 2));
	SB_AUTO_FREE char *shown = NULL;
	const struct sb_option *option;
	const char *near;

	if (!name)
		return -ENOMEM;
	option = sb_option_find(name);
	if (option)
		return take_option(p, option, equals ? equals + 1 : NULL);
	near = sb_option_near(name, p->verb);
	shown = sb_escape(name);
	if (near)
		sb_error("--%s: unknown option; did you mean --%s?", shown ? shown : "?", near);
	else
		sb_error("--%s: unknown option; satabench --help lists them", shown ? shown : "?");
	return -EINVAL;
}

/* -q, -qv, -d/dev/sda */
static int take_letters(struct parser *p, const char *word)
{
	int result = 0;

	for (const char *c = word + 1; *c && result == 0; c++) {
		const struct sb_option *option = sb_option_find_letter(*c);

		if (!option)
			return fault(word, "unknown option; satabench --help lists them");
		if (sb_option_has_value(option) ||
		    (option->type == SB_OPTION_CHARS && c[1] >= '0' && c[1] <= '9'))
			return take_option(p, option, c[1] ? c + 1 : NULL);
		result = take_option(p, option, NULL);
	}
	return result;
}

static int add_file(struct parser *p, const char *word)
{
	const char **more = reallocarray(p->files->path, p->files->n + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	p->files->path = more;
	more[p->files->n++] = word;
	return 0;
}

static int take_word(struct parser *p, const char *word)
{
	if (p->verb == SB_FOR_COMPARE)
		return add_file(p, word);
	if (p->verb == SB_FOR_REPORT) {
		if (p->path)
			return fault(word, "one saved result at a time");
		p->path = word;
		return 0;
	}
	if (p->verb == SB_FOR_LIST)
		return add_target(p, word);
	if (p->options->targets_said)
		return fault(word, "stands behind no -d; targets follow -d up to the next option");
	return fault(word, "neither an option nor a command; targets are given with -d");
}

/* 0, DONE or negative errno. */
static int collect(struct parser *p)
{
	bool ended = false; /* by "--": no more options */
	int result = 0;

	while (p->at < p->argc && result == 0) {
		const char *word = p->argv[p->at++];

		/* the command's own options are not ours */
		if (p->verb == SB_FOR_EXEC && !is_option(word)) {
			p->at--;
			break;
		}
		if (ended && p->options->targets_said)
			result = add_target(p, word);
		else if (ended || !is_option(word))
			result = take_word(p, word);
		else if (word[1] != '-')
			result = take_letters(p, word);
		else if (word[2])
			result = take_long(p, word);
		else if (p->verb == SB_FOR_EXEC)
			break;
		else
			ended = true;
		if (ended && p->files && !p->files->n_before)
			p->files->n_before = p->files->n;
	}
	return result;
}

/* 0 or -EINVAL */
static int check_all(const struct sb_options *options)
{
	for (size_t i = 0; options->n_targets > 1 && i < options->n_targets; i++) {
		if (strcmp(options->targets[i], "all") != 0)
			continue;
		sb_error("-d all takes every disk, so no other target may stand beside it");
		return -EINVAL;
	}
	return 0;
}

static const char *last_value(const struct parser *p, enum sb_option_type type)
{
	const char *value = NULL;

	for (size_t i = 0; i < p->n_settings; i++)
		if (p->settings[i].option->type == type)
			value = p->settings[i].value;
	return value;
}

static int apply(const struct parser *p)
{
	const char *preset = last_value(p, SB_OPTION_PRESET);
	const char *config = last_value(p, SB_OPTION_CONFIG);
	struct sb_origin argv = {0};
	int error = 0;

	if (preset)
		error = sb_config_read_preset(preset, p->options);
	if (!error && config)
		error = sb_config_read(config, p->options);
	for (size_t i = 0; i < p->n_settings && !error; i++)
		error = sb_option_set(p->options, p->settings[i].option, p->settings[i].value,
				      &argv);
	return error;
}

static int parse(struct parser *p)
{
	size_t letters = 1;
	int result;

	*p->options = (struct sb_options){.uid = SB_NONE_U64,
					  .gid = SB_NONE_U64,
					  .runtime_s = NAN,
					  .baseline_s = NAN,
					  .hang_timeout_s = NAN,
					  .threshold_percent = NAN,
					  .status_interval_s = NAN};
	p->at = 1;
	for (int i = 1; i < p->argc; i++)
		letters += strlen(p->argv[i]) + 1;
	p->settings = calloc(letters, sizeof(*p->settings));
	result = p->settings ? collect(p) : -ENOMEM;
	if (result == 0)
		result = check_all(p->options);
	if (result == 0)
		result = apply(p);
	free(p->settings);
	p->settings = NULL;
	if (result == -ENOMEM)
		sb_error("out of memory");
	return result;
}

int sb_options_parse(int argc, char **argv, struct sb_options *options)
{
	struct parser p = {.argc = argc, .argv = argv, .verb = SB_FOR_RUN, .options = options};

	return parse(&p);
}

int sb_options_parse_report(int argc, char **argv, struct sb_options *options, const char **path)
{
	struct parser p = {.argc = argc, .argv = argv, .verb = SB_FOR_REPORT, .options = options};
	int result = parse(&p);

	if (result == 0 && !p.path) {
		sb_error("report needs a saved result: satabench report RESULT.json");
		return -EINVAL;
	}
	*path = p.path;
	return result;
}

int sb_options_parse_exec(int argc, char **argv, struct sb_options *options, char ***command)
{
	struct parser p = {.argc = argc, .argv = argv, .verb = SB_FOR_EXEC, .options = options};
	int result = parse(&p);

	if (result == 0 && (p.at >= argc || !argv[p.at][0])) {
		sb_error("exec needs a command: satabench exec [--copies N] -- COMMAND...");
		return -EINVAL;
	}
	*command = argv + p.at;
	return result;
}

int sb_options_parse_compare(int argc, char **argv, struct sb_options *options,
			     struct sb_files *files)
{
	struct parser p = {.argc = argc,
			   .argv = argv,
			   .verb = SB_FOR_COMPARE,
			   .options = options,
			   .files = files};
	int result = parse(&p);

	if (result == 0 && !files->n_before && files->n == 2)
		files->n_before = 1;
	if (result == 0 && (!files->n_before || files->n_before == files->n)) {
		sb_error("compare needs saved results before and after: "
			 "satabench compare BEFORE.json... -- AFTER.json...");
		return -EINVAL;
	}
	return result;
}

int sb_options_parse_list(int argc, char **argv, struct sb_options *options)
{
	struct parser p = {.argc = argc, .argv = argv, .verb = SB_FOR_LIST, .options = options};

	return parse(&p);
}
