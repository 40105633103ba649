/* The two line shapes of the script of 2009: dd's own summary for each device, and the average of
 * iostat's figures. Scripts parse them, so a device that failed has a line of the same shape, with
 * what was read of it. */
#include "satabench/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"
#include "satabench/suite.h"

/* Both are enough for 2^64 bytes in a nanosecond: 1.8e28. */
__extension__ typedef unsigned __int128 wide;
static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
#define UNITS (sizeof(units) / sizeof(units[0]))

static wide round_half_even(wide numerator, wide denominator)
{
	wide whole = numerator / denominator, twice = numerator % denominator * 2;

	return whole + (twice > denominator || (twice == denominator && whole % 2 == 1));
}

/* As dd shows an exact number: at least one and below ten with one decimal, else whole; halves go
 * to the even neighbour. */
static char *format_exact(char *buf, wide numerator, wide denominator)
{
	size_t unit = 0;
	wide tenths, rounded;

	for (; unit + 1 < UNITS && numerator / denominator >= 1000; unit++)
		denominator *= 1000;
	tenths = round_half_even(numerator * 10, denominator);
	rounded = round_half_even(numerator, denominator);
	if (unit > 0 && numerator / denominator < 10 && tenths < 100)
		snprintf(buf, REPORT_DD_TEXT, "%u.%u %s", (unsigned)(tenths / 10),
			 (unsigned)(tenths % 10), units[unit]);
	else if (rounded == 1000 && unit + 1 < UNITS)
		snprintf(buf, REPORT_DD_TEXT, "1.0 %s", units[unit + 1]);
	else
		snprintf(buf, REPORT_DD_TEXT, "%llu %s", (unsigned long long)rounded, units[unit]);
	return buf;
}

char *report_dd_size(char buf[REPORT_DD_TEXT], uint64_t bytes)
{
	return format_exact(buf, bytes, 1);
}

/* dd calculates exactly where the time divides a second or is whole seconds, and prints no decimal
 * from 10 on; else in long double from kB/s on, with a decimal below 100. */
char *report_dd_rate(char buf[REPORT_DD_TEXT], uint64_t bytes, uint64_t ns)
{
	long double rate, scale = 1000;
	size_t unit = 1;
	char digits[32];

	if (ns == 0) {
		snprintf(buf, REPORT_DD_TEXT, "%s", bytes ? "Infinity B" : "0.0 kB");
		return buf;
	}
	if (ns % SB_NS_PER_SEC == 0)
		return format_exact(buf, bytes, ns / SB_NS_PER_SEC);
	if (SB_NS_PER_SEC % ns == 0 && bytes <= UINT64_MAX / (SB_NS_PER_SEC / ns))
		return format_exact(buf, (wide)bytes * (SB_NS_PER_SEC / ns), 1);
	rate = (long double)bytes * ((long double)SB_NS_PER_SEC / (long double)ns);
	for (; scale * 1000 <= rate && unit + 1 < UNITS; unit++)
		scale *= 1000;
	rate /= scale;
	snprintf(digits, sizeof(digits), "%.1Lf", rate);
	if (strlen(digits) > 4) /* three digits before the point */
		snprintf(digits, sizeof(digits), "%.0Lf", rate);
	snprintf(buf, REPORT_DD_TEXT, "%s %s", digits, units[unit]);
	return buf;
}

/* Longer than 2^63 ns, or no time at all: none. */
static uint64_t to_ns(double seconds)
{
	return seconds > 0 && seconds < 9e9 ? sb_seconds_to_ns(seconds) : 0;
}

static int print_line(FILE *out, const char *target, uint64_t bytes, uint64_t ns)
{
	SB_AUTO_FREE char *name = sb_escape(target);
	char size[REPORT_DD_TEXT], rate[REPORT_DD_TEXT];

	if (!name)
		return -ENOMEM;
	fprintf(out, "dd for %s: %llu byte%s (%s) copied, %g s, %s/s\n", name,
		(unsigned long long)bytes, bytes == 1 ? "" : "s", report_dd_size(size, bytes),
		(double)ns / (double)SB_NS_PER_SEC, report_dd_rate(rate, bytes, ns));
	return 0;
}

static int print_device(FILE *out, const struct sb_result *result, int kind, size_t device)
{
	uint64_t bytes = 0, ns = 0;

	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		if (phase->kind != kind || !phase->done || sb_phase_confirms(phase))
			continue;
		for (size_t j = 0; j < phase->n_jobs; j++) {
			const struct sb_job *job = &phase->jobs[j];

			if ((size_t)job->device != device)
				continue;
			bytes += job->bytes + job->outside_bytes;
			ns += to_ns(job->elapsed_seconds);
		}
	}
	return print_line(out, result->devices[device].target, bytes, ns);
}

/* Of a directory a line for each test that writes or reads its data in sequence, as dd would. */
static int print_tests(FILE *out, const struct sb_result *result, size_t device)
{
	int rc = 0;

	for (size_t p = 0; p < result->n_phases; p++) {
		const struct sb_phase *phase = &result->phases[p];

		for (size_t j = 0; phase->done && j < phase->n_jobs && rc == 0; j++) {
			const struct sb_job *job = &phase->jobs[j];
			const struct sb_suite_test *test = sb_suite_test(job->test);

			if ((size_t)job->device == device && test && test->group == SB_TEST_DATA)
				rc = print_line(out, result->devices[device].target, job->bytes,
						to_ns(job->elapsed_seconds));
		}
	}
	return rc;
}

static void print_figure(FILE *out, const char *name, double percent, const char *after)
{
	if (isnan(percent))
		fprintf(out, "%s=nan%s", name, after);
	else
		fprintf(out, "%s=%.2f%s", name, percent, after);
}

int report_classic_write(FILE *out, const struct sb_result *result)
{
	const struct sb_cpu_figures *cpu = &result->cpu;
	int kind = report_has_phases(result, SB_PHASE_ALL)	 ? SB_PHASE_ALL
		   : report_has_phases(result, SB_PHASE_SURFACE) ? SB_PHASE_SURFACE
		   : report_has_phases(result, SB_PHASE_SUITE)	 ? SB_PHASE_SUITE
								 : SB_PHASE_ALONE;

	for (size_t i = 0; i < result->n_devices; i++)
		if ((result->devices[i].kind == SB_DEVICE_DIRECTORY
			     ? print_tests(out, result, i)
			     : print_device(out, result, kind, i)) != 0)
			return -ENOMEM;
	fputs("ios avg: ", out);
	print_figure(out, "user", cpu->user, ", ");
	print_figure(out, "nice", cpu->nice, ", ");
	print_figure(out, "sys", cpu->system, ", ");
	print_figure(out, "iowait", cpu->iowait, ", ");
	print_figure(out, "steal", cpu->steal, ", ");
	print_figure(out, "idle", cpu->idle, "\n");
	return report_stream_status(out);
}
