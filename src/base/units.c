#include "satabench/units.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "satabench/cleanup.h"

/* The one table that is read for parsing and for printing. */
static const struct suffix {
	const char *text;
	uint64_t bytes;
} suffixes[] = {
	{"EiB", 1ULL << 60},
	{"PiB", 1ULL << 50},
	{"TiB", 1ULL << 40},
	{"GiB", 1ULL << 30},
	{"MiB", 1ULL << 20},
	{"KiB", 1ULL << 10},
	{"E", 1ULL << 60},
	{"P", 1ULL << 50},
	{"T", 1ULL << 40},
	{"G", 1ULL << 30},
	{"M", 1ULL << 20},
	{"K", 1ULL << 10},
	{"EB", 1000000000000000000ULL},
	{"PB", 1000000000000000ULL},
	{"TB", 1000000000000ULL},
	{"GB", 1000000000ULL},
	{"MB", 1000000ULL},
	{"KB", 1000ULL},
	{"c", 1},
	{"w", 2},
	{"b", 512},
	/* a lone B is no suffix: dd's "b" is 512 */
};

static int parse_digits(const char **text, uint64_t *value)
{
	const char *p = *text;

	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	*value = 0;
	for (; isdigit((unsigned char)*p); p++) {
		unsigned digit = (unsigned)(*p - '0');

		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return -ERANGE;
	}
	*text = p;
	return 0;
}

/* ".5" of "1.5G", as thousandths of a millionth are enough for any size people type. */
static int parse_fraction(const char **text, uint64_t *billionths)
{
	const char *p = *text;
	uint64_t scale = 100000000;

	*billionths = 0;
	if (*p != '.')
		return 0;
	p++;
	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	for (; isdigit((unsigned char)*p); p++, scale /= 10)
		*billionths += (uint64_t)(*p - '0') * scale;
	*text = p;
	return 0;
}

int sb_parse_size(const char *text, uint64_t *bytes)
{
	uint64_t value, billionths, unit = 1;
	int rc = parse_digits(&text, &value);

	if (rc == 0)
		rc = parse_fraction(&text, &billionths);
	if (rc)
		return rc;
	if (*text) {
		size_t i;

		for (i = 0; i < SB_COUNT(suffixes); i++) {
			/* c, w and b are dd's; B alone would be read as 512 by some and as 1 by
			 * others, so it is refused */
			if (suffixes[i].bytes <= 512 ? strcmp(text, suffixes[i].text) == 0
						     : strcasecmp(text, suffixes[i].text) == 0)
				break;
		}
		if (i == SB_COUNT(suffixes))
			return -EINVAL;
		unit = suffixes[i].bytes;
	}
	if (billionths && unit < 1000)
		return -EINVAL;
	if (__builtin_mul_overflow(value, unit, &value))
		return -ERANGE;
	/* unit / 1e9 * billionths without overflow; exact to a byte for units up to 2^34, and to
	 * a part in 1e9 beyond */
	if (billionths) {
		unsigned __int128 part = (unsigned __int128)unit * billionths / 1000000000u;

		if (__builtin_add_overflow(value, (uint64_t)part, &value))
			return -ERANGE;
	}
	if (value == SB_NONE_U64)
		return -ERANGE;
	*bytes = value;
	return 0;
}

int sb_parse_count(const char *text, uint64_t *count)
{
	uint64_t value;
	int rc = parse_digits(&text, &value);

	if (rc)
		return rc;
	if (*text)
		return -EINVAL;
	if (value == SB_NONE_U64)
		return -ERANGE;
	*count = value;
	return 0;
}

/* A number with a decimal point, whatever the locale. */
static int parse_decimal(const char **text, double *value)
{
	static locale_t c_locale;
	char *end;

	if (!c_locale)
		c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!isdigit((unsigned char)**text) && **text != '.')
		return -EINVAL;
	*value = strtod_l(*text, &end, c_locale);
	if (end == *text || !isfinite(*value))
		return -EINVAL;
	*text = end;
	return 0;
}

int sb_parse_seconds(const char *text, double *seconds)
{
	static const struct {
		const char *text;
		double seconds;
	} units[] = {{"", 1},	{"s", 1},    {"ms", 1e-3}, {"us", 1e-6},
		     {"m", 60}, {"min", 60}, {"h", 3600},  {"d", 86400}};
	double value;
	int rc = parse_decimal(&text, &value);

	if (rc)
		return rc;
	for (size_t i = 0; i < SB_COUNT(units); i++) {
		if (strcmp(text, units[i].text) == 0) {
			*seconds = value * units[i].seconds;
			/* longer than a century is a typing error, and ns must fit 64 bits */
			return *seconds > 3.2e9 ? -ERANGE : 0;
		}
	}
	return -EINVAL;
}

int sb_parse_percent(const char *text, double *percent)
{
	int rc = parse_decimal(&text, percent);

	if (rc)
		return rc;
	return *text == '\0' || strcmp(text, "%") == 0 ? 0 : -EINVAL;
}

/* Three significant digits below 1000, else the whole number; the point in any locale. */
static void format_scaled(char *buf, double value, const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	double scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
	unsigned long long fixed = (unsigned long long)(value * scale + 0.5);

	if (decimals == 0)
		snprintf(buf, SB_UNIT_TEXT, "%llu %s", fixed, unit);
	else if (decimals == 1)
		snprintf(buf, SB_UNIT_TEXT, "%llu.%llu %s", fixed / 10, fixed % 10, unit);
	else
		snprintf(buf, SB_UNIT_TEXT, "%llu.%02llu %s", fixed / 100, fixed % 100, unit);
}

static char *none(char *buf)
{
	snprintf(buf, SB_UNIT_TEXT, "-");
	return buf;
}

/* value in `units[first]`, stepped up by `step` while it has four digits or more */
static char *format_steps(char *buf, double value, double step, const char *const *units, size_t n)
{
	size_t i = 0;

	if (isnan(value) || value < 0)
		return none(buf);
	for (; i + 1 < n && value >= step * 0.9995; i++)
		value /= step;
	if (value > 1e15)
		return none(buf);
	format_scaled(buf, value, units[i]);
	return buf;
}

char *sb_format_rate(char buf[SB_UNIT_TEXT], double bytes_per_second)
{
	static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};

	return format_steps(buf, bytes_per_second, 1000, units, SB_COUNT(units));
}

char *sb_format_bytes(char buf[SB_UNIT_TEXT], uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

	if (bytes == SB_NONE_U64)
		return none(buf);
	if (bytes < 1000) {
		snprintf(buf, SB_UNIT_TEXT, "%u B", (unsigned)bytes);
		return buf;
	}
	return format_steps(buf, (double)bytes, 1000, units, SB_COUNT(units));
}

char *sb_format_block(char buf[SB_UNIT_TEXT], uint64_t bytes)
{
	if (bytes == SB_NONE_U64)
		return none(buf);
	for (size_t i = 0; i < 6; i++) { /* the KiB .. EiB rows */
		if (bytes >= suffixes[i].bytes && bytes % suffixes[i].bytes == 0) {
			snprintf(buf, SB_UNIT_TEXT, "%llu %s",
				 (unsigned long long)(bytes / suffixes[i].bytes), suffixes[i].text);
			return buf;
		}
	}
	snprintf(buf, SB_UNIT_TEXT, "%llu B", (unsigned long long)bytes);
	return buf;
}

char *sb_format_latency(char buf[SB_UNIT_TEXT], double ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};

	return format_steps(buf, ns, 1000, units, SB_COUNT(units));
}

char *sb_format_duration(char buf[SB_UNIT_TEXT], double seconds)
{
	unsigned long long s;

	if (isnan(seconds) || seconds < 0 || seconds > 1e15)
		return none(buf);
	if (seconds < 9.95) {
		unsigned long long tenths = (unsigned long long)(seconds * 10 + 0.5);

		if (tenths % 10 == 0)
			snprintf(buf, SB_UNIT_TEXT, "%llu s", tenths / 10);
		else
			snprintf(buf, SB_UNIT_TEXT, "%llu.%llu s", tenths / 10, tenths % 10);
		return buf;
	}
	s = (unsigned long long)(seconds + 0.5);
	if (s < 60)
		snprintf(buf, SB_UNIT_TEXT, "%llu s", s);
	else if (s < 3600)
		snprintf(buf, SB_UNIT_TEXT, "%llu min %02llu s", s / 60, s % 60);
	else
		snprintf(buf, SB_UNIT_TEXT, "%llu h %02llu min", s / 3600, s / 60 % 60);
	return buf;
}
