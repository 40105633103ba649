#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/sample.h"

#define FEWEST_COLUMNS 4 /* Linux 2.4 had user, nice, system, idle */

#define SAFE_DIGITS 19 /* any number of so many fits 64 bits */

/* A number as long as only the greatest are. */
static const char *parse_long(const char *at, const char *end, uint64_t *value)
{
	uint64_t v = 0;

	for (; at < end && (unsigned)(*at - '0') < 10; at++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (unsigned)(*at - '0'), &v))
			return NULL;
	}
	*value = v;
	return at;
}

/* Blanks, then a decimal number that fits; the place behind it or NULL. Written by hand: with 256
 * CPUs a reading has 2570 numbers, for which sscanf takes 30 times as long. */
static const char *parse_number(const char *at, const char *end, uint64_t *value)
{
	uint64_t v = 0;
	const char *first;
	unsigned digit;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	for (first = at; at < end && (digit = (unsigned)(*at - '0')) < 10; at++)
		v = v * 10 + digit;
	if (at == first)
		return NULL;
	if (at - first > SAFE_DIGITS)
		return parse_long(first, end, value);
	*value = v;
	return at;
}

/* Number of columns that were there; the others are 0. */
static int parse_ticks(const char *at, const char *end, struct sb_cpu_ticks *ticks)
{
	int n = 0;

	memset(ticks, 0, sizeof(*ticks));
	while (n < SB_CPU_FIELDS) {
		at = parse_number(at, end, &ticks->field[n]);
		if (!at)
			break;
		n++;
	}
	return n;
}

/* Place for a CPU's line, kept in order of number; NULL with 0 when that CPU has one already. */
static int add_line(struct sb_cpu_reading *reading, int cpu, struct sb_cpu_line **line)
{
	size_t at = reading->n_cpus;

	*line = NULL;
	while (at > 0 && reading->cpus[at - 1].cpu > cpu)
		at--;
	if (at > 0 && reading->cpus[at - 1].cpu == cpu)
		return 0;
	if (reading->n_cpus == reading->capacity) {
		size_t capacity = reading->capacity ? reading->capacity * 2 : 64;
		struct sb_cpu_line *cpus = realloc(reading->cpus, capacity * sizeof(*cpus));

		if (!cpus)
			return -ENOMEM;
		reading->cpus = cpus;
		reading->capacity = capacity;
	}
	memmove(&reading->cpus[at + 1], &reading->cpus[at],
		(reading->n_cpus - at) * sizeof(*reading->cpus));
	reading->n_cpus++;
	reading->cpus[at].cpu = cpu;
	*line = &reading->cpus[at];
	return 0;
}

static int parse_cpu_line(const char *at, const char *end, struct sb_cpu_reading *reading)
{
	struct sb_cpu_ticks ticks;
	struct sb_cpu_line *line;
	uint64_t cpu;
	int err;

	at = parse_number(at, end, &cpu);
	if (!at || cpu > INT_MAX || parse_ticks(at, end, &ticks) < FEWEST_COLUMNS)
		return 0;
	err = add_line(reading, (int)cpu, &line);
	if (!err && line)
		line->ticks = ticks;
	return err;
}

static bool is_zero(const struct sb_cpu_ticks *ticks)
{
	for (int i = 0; i < SB_CPU_FIELDS; i++)
		if (ticks->field[i])
			return false;
	return true;
}

static void sum_lines(struct sb_cpu_reading *reading)
{
	for (size_t k = 0; k < reading->n_cpus; k++)
		for (int i = 0; i < SB_CPU_FIELDS; i++)
			reading->total.field[i] += reading->cpus[k].ticks.field[i];
}

int sb_cpu_parse(const char *text, size_t length, struct sb_cpu_reading *reading)
{
	const char *at = text, *stop = text + length;
	bool has_total = false;

	reading->n_cpus = 0;
	memset(&reading->total, 0, sizeof(reading->total));
	while (at < stop) {
		const char *end = memchr(at, '\n', (size_t)(stop - at));
		int err = 0;

		if (!end)
			end = stop;
		if (end - at > 4 && !memcmp(at, "cpu", 3)) {
			if (at[3] != ' ')
				err = parse_cpu_line(at + 3, end, reading);
			else if (!has_total)
				has_total =
					parse_ticks(at + 3, end, &reading->total) >= FEWEST_COLUMNS;
		}
		if (err)
			return err;
		at = end + 1;
	}
	if (!has_total)
		return -ENODATA;
	/* lxcfs 4.0.3 prints a total of zeros first */
	if (is_zero(&reading->total))
		sum_lines(reading);
	return 0;
}

void sb_cpu_reading_free(struct sb_cpu_reading *reading)
{
	free(reading->cpus);
	memset(reading, 0, sizeof(*reading));
}

static void subtract(const struct sb_cpu_ticks *start, const struct sb_cpu_ticks *end,
		     struct sb_cpu_ticks *forward, struct sb_cpu_ticks *back)
{
	for (int i = 0; i < SB_CPU_FIELDS; i++) {
		uint64_t a = start->field[i], b = end->field[i];

		forward->field[i] = b > a ? b - a : 0;
		if (back)
			back->field[i] = a > b ? a - b : 0;
	}
}

int sb_cpu_delta(const struct sb_cpu_reading *start, const struct sb_cpu_reading *end,
		 struct sb_cpu_counters *out)
{
	size_t i = 0, k = 0, n = 0;

	out->cpus = calloc(start->n_cpus ? start->n_cpus : 1, sizeof(*out->cpus));
	if (!out->cpus)
		return -ENOMEM;
	subtract(&start->total, &end->total, &out->total, &out->total_back);
	while (i < start->n_cpus && k < end->n_cpus) {
		const struct sb_cpu_line *a = &start->cpus[i], *b = &end->cpus[k];

		if (a->cpu == b->cpu) {
			out->cpus[n].cpu = a->cpu;
			subtract(&a->ticks, &b->ticks, &out->cpus[n].ticks, NULL);
			n++;
		}
		i += a->cpu <= b->cpu;
		k += b->cpu <= a->cpu;
	}
	out->n_cpus = n;
	out->cpus_changed = start->n_cpus - n + (end->n_cpus - n);
	out->wall_ns = end->time_ns > start->time_ns ? end->time_ns - start->time_ns : 0;
	out->ticks_per_second = (unsigned)sysconf(_SC_CLK_TCK);
	return 0;
}
