#include "satabench/nullspec.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/units.h"

#define PREFIX "null:"
#define DEFAULT_RATE 100e6
#define DEFAULT_SIZE (1ULL << 40)

bool sb_is_nullspec(const char *target)
{
	return strncmp(target, PREFIX, strlen(PREFIX)) == 0;
}

static int copy_text(char *to, size_t size, const char *from)
{
	size_t n = strlen(from);

	if (n == 0 || n >= size)
		return -EINVAL;
	memcpy(to, from, n + 1);
	return 0;
}

static int parse_rate(const char *text, double *rate)
{
	uint64_t bytes;
	int rc = sb_parse_size(text, &bytes);

	/* "100M" of a rate means what disks' data sheets mean: 10^6 */
	if (rc == 0 && strpbrk(text, "kKMGTP") && !strchr(text, 'i') && !strchr(text, 'B')) {
		SB_AUTO_FREE char *decimal = NULL;

		if (asprintf(&decimal, "%sB", text) < 0) {
			decimal = NULL;
			return -ENOMEM;
		}
		rc = sb_parse_size(decimal, &bytes);
	}
	if (rc == 0 && bytes == 0)
		return -EINVAL;
	if (rc == 0)
		*rate = (double)bytes;
	return rc;
}

static int parse_fraction(const char *text, double *fraction)
{
	double percent;
	bool negative = text[0] == '-';
	int rc = sb_parse_percent(text + negative, &percent);

	if (rc == 0)
		*fraction = (negative ? -percent : percent) / 100;
	return rc;
}

/* "A:200M+B:300M" */
static int parse_shares(char *text, struct sb_nullspec *spec)
{
	char *rest = text, *one;

	spec->n_shares = 0;
	while ((one = strsep(&rest, "+"))) {
		char *rate = strchr(one, ':');

		if (!rate || spec->n_shares == SB_NULL_SHARES)
			return -EINVAL;
		*rate++ = '\0';
		if (copy_text(spec->share[spec->n_shares].name, SB_NULL_TEXT, one) ||
		    parse_rate(rate, &spec->share[spec->n_shares].rate_bytes_s))
			return -EINVAL;
		spec->n_shares++;
	}
	return 0;
}

/* "100%+90%" */
static int set_zones(struct sb_nullspec *s, char *v)
{
	char *rest = v, *one;

	for (s->n_zones = 0; (one = strsep(&rest, "+")); s->n_zones++)
		if (s->n_zones == SB_NULL_ZONES || one[0] == '-' ||
		    parse_fraction(one, &s->zone[s->n_zones]) || s->zone[s->n_zones] <= 0)
			return -EINVAL;
	return 0;
}

/* "OFFSET:VALUE+..."; what stands behind the colon, or NULL at the end or a fault. */
static char *next_spot(char **rest, uint64_t *offset_bytes, unsigned n)
{
	char *one = strsep(rest, "+"), *value = one ? strchr(one, ':') : NULL;

	if (!value || n == SB_NULL_SPOTS)
		return NULL;
	*value++ = '\0';
	return sb_parse_size(one, offset_bytes) == 0 ? value : NULL;
}

static int set_bad(struct sb_nullspec *s, char *v)
{
	for (s->n_bad = 0; v; s->n_bad++) {
		char *length = next_spot(&v, &s->bad[s->n_bad].offset_bytes, s->n_bad);

		if (!length || sb_parse_size(length, &s->bad[s->n_bad].length_bytes))
			return -EINVAL;
	}
	return 0;
}

static int set_slow(struct sb_nullspec *s, char *v)
{
	for (s->n_slow = 0; v; s->n_slow++) {
		char *seconds = next_spot(&v, &s->slow[s->n_slow].offset_bytes, s->n_slow);

		if (!seconds || sb_parse_seconds(seconds, &s->slow[s->n_slow].seconds))
			return -EINVAL;
	}
	return 0;
}

static int set_rate(struct sb_nullspec *s, char *v)
{
	return parse_rate(v, &s->rate_bytes_s);
}
static int set_size(struct sb_nullspec *s, char *v)
{
	return sb_parse_size(v, &s->size_bytes);
}
static int set_noise(struct sb_nullspec *s, char *v)
{
	return v[0] == '-' ? -EINVAL : parse_fraction(v, &s->noise);
}
static int set_common(struct sb_nullspec *s, char *v)
{
	return v[0] == '-' ? -EINVAL : parse_fraction(v, &s->common);
}
static int set_drift(struct sb_nullspec *s, char *v)
{
	return v[0] == '-' ? -EINVAL : parse_fraction(v, &s->drift);
}
static int set_outlier(struct sb_nullspec *s, char *v)
{
	return v[0] == '-' ? -EINVAL : parse_fraction(v, &s->outlier);
}
static int set_disturbed(struct sb_nullspec *s, char *v)
{
	return parse_fraction(v, &s->disturbed) || !(s->disturbed < 1) ? -EINVAL : 0;
}
static int set_trend(struct sb_nullspec *s, char *v)
{
	return parse_fraction(v, &s->trend);
}
static int set_delay(struct sb_nullspec *s, char *v)
{
	return sb_parse_seconds(v, &s->delay_s);
}
static int set_errors(struct sb_nullspec *s, char *v)
{
	return sb_parse_count(v, &s->error_every);
}
static int set_hang(struct sb_nullspec *s, char *v)
{
	return sb_parse_seconds(v, &s->hang_at_s);
}
static int set_vanish(struct sb_nullspec *s, char *v)
{
	return sb_parse_seconds(v, &s->vanish_at_s);
}
static int set_under(struct sb_nullspec *s, char *v)
{
	return copy_text(s->under, sizeof(s->under), v);
}
static int set_line(struct sb_nullspec *s, char *v)
{
	return parse_rate(v, &s->line_bytes_s);
}
static int set_ceiling(struct sb_nullspec *s, char *v)
{
	return parse_rate(v, &s->ceiling_bytes_s);
}
static int set_model(struct sb_nullspec *s, char *v)
{
	return copy_text(s->model, sizeof(s->model), v);
}
static int set_seed(struct sb_nullspec *s, char *v)
{
	return sb_parse_count(v, &s->seed);
}

static int set_rotational(struct sb_nullspec *s, char *v)
{
	if (strcmp(v, "0") != 0 && strcmp(v, "1") != 0)
		return -EINVAL;
	s->rotational = v[0] == '1';
	return 0;
}

static int set_share(struct sb_nullspec *s, char *v)
{
	return parse_shares(v, s);
}

static const struct key {
	const char *name;
	int (*set)(struct sb_nullspec *spec, char *value);
} keys[] = {
	{"rate", set_rate},	      {"size", set_size},    {"share", set_share},
	{"noise", set_noise},	      {"trend", set_trend},  {"delay", set_delay},
	{"error-every", set_errors},  {"hang-at", set_hang}, {"vanish-at", set_vanish},
	{"under", set_under},	      {"model", set_model},  {"rotational", set_rotational},
	{"seed", set_seed},	      {"line", set_line},    {"ceiling", set_ceiling},
	{"common", set_common},	      {"drift", set_drift},  {"outlier", set_outlier},
	{"disturbed", set_disturbed}, {"zones", set_zones},  {"bad", set_bad},
	{"slow", set_slow},
};

static int parse_pair(struct sb_nullspec *spec, char *pair, char *message, size_t size)
{
	char *value = strchr(pair, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < SB_COUNT(keys); i++) {
		if (strcmp(keys[i].name, pair) != 0)
			continue;
		if (value && keys[i].set(spec, value) == 0)
			return 0;
		snprintf(message, size, "bad value for %s", pair);
		return -EINVAL;
	}
	snprintf(message, size, "unknown word \"%s\" (known:", pair);
	for (size_t i = 0; i < SB_COUNT(keys); i++) {
		size_t used = strlen(message);

		snprintf(message + used, size - used, " %s%s", keys[i].name,
			 i + 1 < SB_COUNT(keys) ? "" : ")");
	}
	return -EINVAL;
}

int sb_nullspec_parse(const char *target, struct sb_nullspec *spec, char *message, size_t size)
{
	SB_AUTO_FREE char *copy = strdup(target + strlen(PREFIX));
	char *rest = copy, *word;

	*spec = (struct sb_nullspec){.rate_bytes_s = DEFAULT_RATE,
				     .size_bytes = DEFAULT_SIZE,
				     .hang_at_s = NAN,
				     .vanish_at_s = NAN,
				     .line_bytes_s = NAN,
				     .ceiling_bytes_s = NAN,
				     .seed = 1};
	if (!copy)
		return -ENOMEM;
	word = strsep(&rest, ",");
	if (copy_text(spec->name, sizeof(spec->name), word)) {
		snprintf(message, size,
			 "a name of 1 to %d characters must follow null:", SB_NULL_TEXT - 1);
		return -EINVAL;
	}
	while ((word = strsep(&rest, ","))) {
		int rc = parse_pair(spec, word, message, size);

		if (rc)
			return rc;
	}
	if (!spec->under[0] && !(isnan(spec->line_bytes_s) && isnan(spec->ceiling_bytes_s))) {
		snprintf(message, size, "line and ceiling are limits of a node: under= is missing");
		return -EINVAL;
	}
	return 0;
}
