/* Setting one option from the text of its value, wherever that stands. */
#include "cmd_priv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/device.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

#define PLACES_MOST 1000000u
#define SUFFIXES "k, M, G = 1024; kB, MB, GB = 1000"

static void complain(const struct sb_option *option, const char *value,
		     const struct sb_origin *origin, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* "--bs: 12q: ..." of argv, "FILE:3: bs: 12q: ..." of a file. */
static void complain(const struct sb_option *option, const char *value,
		     const struct sb_origin *origin, const char *format, ...)
{
	SB_AUTO_FREE char *file = origin->file ? sb_escape(origin->file) : NULL;
	SB_AUTO_FREE char *shown = value ? sb_escape(value) : NULL;
	SB_AUTO_FREE char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (file)
		sb_error("%s:%d: %s: %s%s%s", file, origin->line, option->name, shown ? shown : "",
			 shown ? ": " : "", text ? text : "");
	else
		sb_error("--%s: %s%s%s", option->name, shown ? shown : "", shown ? ": " : "",
			 text ? text : "");
}

static bool is_within(const struct sb_option *option, double number)
{
	return !option->limit || (number >= option->least && number <= option->most);
}

static bool is_negative(const char *value)
{
	return value[0] == '-' && ((value[1] >= '0' && value[1] <= '9') || value[1] == '.');
}

static const char *number_fault(const struct sb_option *option, const char *value, int error)
{
	bool has_digit = strpbrk(value, "0123456789") == value;

	if (error == -ERANGE)
		return "does not fit 64 bits";
	if (is_negative(value))
		return option->limit ? option->limit : "must not be negative";
	if (option->type == SB_OPTION_SIZE)
		return has_digit ? "unknown suffix (" SUFFIXES ")"
				 : "not a size (a number; " SUFFIXES ")";
	if (option->type == SB_OPTION_SECONDS)
		return has_digit ? "unknown suffix (ms, s, m, h, d)"
				 : "not a time (1.5, 500ms, 2m)";
	if (option->type == SB_OPTION_PERCENT)
		return "not a percentage (3, 2.5%)";
	return "not a whole number";
}

static int set_u64(uint64_t *member, const struct sb_option *option, const char *value,
		   const struct sb_origin *origin)
{
	uint64_t number;
	int error = option->type == SB_OPTION_SIZE ? sb_parse_size(value, &number)
						   : sb_parse_count(value, &number);

	/* the largest number is taken for "no value" */
	if (!error && number == SB_NONE_U64)
		error = -ERANGE;
	if (error) {
		complain(option, value, origin, "%s", number_fault(option, value, error));
		return -EINVAL;
	}
	if (!is_within(option, (double)number)) {
		complain(option, value, origin, "%s", option->limit);
		return -EINVAL;
	}
	*member = number;
	return 0;
}

static int set_double(double *member, const struct sb_option *option, const char *value,
		      const struct sb_origin *origin)
{
	double number;
	int error = option->type == SB_OPTION_PERCENT ? sb_parse_percent(value, &number)
						      : sb_parse_seconds(value, &number);

	if (error) {
		complain(option, value, origin, "%s",
			 error == -ERANGE && option->limit ? option->limit
							   : number_fault(option, value, error));
		return -EINVAL;
	}
	if (!is_within(option, number)) {
		complain(option, value, origin, "%s", option->limit);
		return -EINVAL;
	}
	*member = number;
	return 0;
}

/* Index of the word, or -EINVAL after naming those there are. */
static int choose(const struct sb_option *option, const char *value, const struct sb_origin *origin)
{
	SB_AUTO_FREE char *known = NULL;

	for (size_t i = 0; option->choice(i); i++)
		if (strcmp(option->choice(i), value) == 0)
			return (int)i;
	for (size_t i = 0; option->choice(i); i++) {
		char *longer = sb_format("%s%s%s", known ? known : "", known ? ", " : "",
					 option->choice(i));

		free(known);
		known = longer;
	}
	complain(option, value, origin, "unknown; known are %s", known ? known : "none");
	return -EINVAL;
}

static int set_flag(bool *member, const struct sb_option *option, const char *value,
		    const struct sb_origin *origin)
{
	static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
	bool on = true;
	size_t i = 0;

	if (value) {
		while (i < SB_COUNT(words) && strcmp(words[i], value) != 0)
			i++;
		if (i == SB_COUNT(words)) {
			complain(option, value, origin, "must be yes or no");
			return -EINVAL;
		}
		on = i % 2;
	}
	*member = on;
	return 0;
}

static void *member_of(struct sb_options *options, const struct sb_option *option)
{
	return (char *)options + option->offset;
}

static void take_back(struct sb_options *options, const struct sb_option *option)
{
	void *member = member_of(options, option);

	switch (option->type) {
	case SB_OPTION_SIZE:
	case SB_OPTION_COUNT:
		*(uint64_t *)member = 0;
		break;
	case SB_OPTION_SECONDS:
		*(double *)member = NAN;
		break;
	case SB_OPTION_FLAG:
		*(bool *)member = false;
		break;
	case SB_OPTION_DATA:
		options->data_bytes = 0;
		options->no_data = false;
		break;
	default: /* no other type is in a set */
		break;
	}
}

/* Two that exclude each other in one place are an error; the weaker place gives way. */
static int resolve_set(struct sb_options *options, const struct sb_option *option,
		       const struct sb_origin *origin)
{
	for (const struct sb_option *o = sb_option_table; o->name && option->set; o++) {
		if (o == option || o->set != option->set)
			continue;
		if (origin->said[o - sb_option_table]) {
			complain(option, NULL, origin, "not together with %s%s",
				 origin->file ? "" : "--", o->name);
			return -EINVAL;
		}
		if (o->offset != option->offset)
			take_back(options, o);
	}
	return 0;
}

/* "surface=64": the word, and at how many places. */
static int set_workload(struct sb_options *options, const struct sb_option *option,
			const char *value, const struct sb_origin *origin)
{
	const char *equals = strchr(value, '=');
	SB_AUTO_FREE char *word = strndup(value, equals ? (size_t)(equals - value) : strlen(value));
	uint64_t places = 0;
	int index = word ? choose(option, word, origin) : -ENOMEM;

	if (index < 0)
		return index;
	if (equals && strcmp(word, "surface") != 0) {
		complain(option, value, origin, "only surface takes a number of places");
		return -EINVAL;
	}
	if (equals &&
	    (sb_parse_count(equals + 1, &places) != 0 || places < 1 || places > PLACES_MOST)) {
		complain(option, value, origin, "places must be from 1 to %u", PLACES_MOST);
		return -EINVAL;
	}
	options->surface_places = places;
	return sb_set_string(member_of(options, option), word);
}

static int set_notation(struct sb_options *options, const struct sb_option *option,
			const char *value, const struct sb_origin *origin)
{
	const char *wrong = NULL;

	if (option->type == SB_OPTION_DATA)
		wrong = sb_bonnie_data(options, value);
	else if (option->type == SB_OPTION_FILES)
		wrong = sb_bonnie_files(options, value);
	else if (option->type == SB_OPTION_RAM)
		wrong = sb_bonnie_ram(options, value);
	else
		wrong = sb_bonnie_chars(options, value);
	if (!wrong)
		return 0;
	complain(option, value, origin, "%s", wrong);
	return -EINVAL;
}

static int set_value(struct sb_options *options, const struct sb_option *option, const char *value,
		     const struct sb_origin *origin)
{
	void *member = member_of(options, option);
	int index;

	switch (option->type) {
	case SB_OPTION_SIZE:
	case SB_OPTION_COUNT:
		return set_u64(member, option, value, origin);
	case SB_OPTION_SECONDS:
	case SB_OPTION_PERCENT:
		return set_double(member, option, value, origin);
	case SB_OPTION_CHOICE:
		index = choose(option, value, origin);
		return index < 0 ? index : sb_set_string(member, value);
	case SB_OPTION_WORKLOAD:
		return set_workload(options, option, value, origin);
	case SB_OPTION_BUFFERS:
		index = choose(option, value, origin);
		if (index >= 0)
			*(int *)member = index;
		return index < 0 ? index : 0;
	case SB_OPTION_DATA:
	case SB_OPTION_FILES:
	case SB_OPTION_RAM:
		return set_notation(options, option, value, origin);
	default: /* strings, also the names of preset and config file */
		return sb_set_string(member, value);
	}
}

int sb_option_set(struct sb_options *options, const struct sb_option *option, const char *value,
		  struct sb_origin *origin)
{
	int error = resolve_set(options, option, origin);

	if (error)
		return error;
	origin->said[option - sb_option_table] = true;
	if (option->type == SB_OPTION_CHARS)
		return set_notation(options, option, value, origin);
	if (!sb_option_has_value(option))
		return set_flag(member_of(options, option), option, value, origin);
	if (!value || !value[0]) {
		complain(option, NULL, origin, "the value is empty (an empty variable?)");
		return -EINVAL;
	}
	return set_value(options, option, value, origin);
}
