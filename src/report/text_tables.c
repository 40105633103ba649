/* The tables of the text report: what each device did alone and together, and the figures of its
 * reads. */
#include "report_priv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/stats.h"
#include "satabench/units.h"

bool report_has_phases(const struct sb_result *result, int kind)
{
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].kind == kind && result->phases[i].done)
			return true;
	return false;
}

/* As many decimals as the smallest figure of a column needs to have three digits, at most two. */
static int decimals_for(double smallest)
{
	return smallest < 10 ? 2 : 1;
}

static double smaller_positive(double a, double b)
{
	return b > 0 && b < a ? b : a;
}

static char *number_text(double value, int decimals, double divisor)
{
	return report_number_text(value / divisor, decimals);
}

int report_rate_decimals(const struct sb_result *result)
{
	double smallest = INFINITY;

	for (size_t i = 0; i < result->n_devices; i++) {
		smallest = smaller_positive(smallest, result->devices[i].alone_bytes_s / 1e6);
		smallest = smaller_positive(smallest, result->devices[i].all_bytes_s / 1e6);
	}
	return decimals_for(smallest);
}

static void add_loss(struct report_table *t, double loss, double low, double high)
{
	SB_AUTO_FREE char *from = report_number_text(low, 1);
	SB_AUTO_FREE char *to = report_number_text(high, 1);

	report_cell_number(t, loss, 1);
	report_cell_take(t, isnan(low) || isnan(high) ? strdup("")
			    : from && to	      ? sb_format("%s to %s", from, to)
						      : NULL);
}

void report_cells_rates(struct report_table *table, const struct report_rates *rates, double low,
			double high, int decimals)
{
	report_cell_take(table, number_text(rates->apart_bytes_s, decimals, 1e6));
	report_cell_take(table, number_text(rates->once_bytes_s, decimals, 1e6));
	add_loss(table, rates->loss_percent, low, high);
}

static int print_comparison(FILE *out, const struct sb_result *result, char *const *labels)
{
	struct report_table t = {.align = "lrrrr"};
	int decimals = report_rate_decimals(result);

	report_cell(&t, "device");
	report_cell(&t, "alone MB/s");
	report_cell(&t, "together MB/s");
	report_cell(&t, "loss %");
	report_cell(&t, "95 % interval");
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];

		report_cell(&t, labels[i]);
		report_cells_rates(
			&t,
			&(struct report_rates){d->alone_bytes_s, d->all_bytes_s, d->loss_percent},
			d->loss_low_percent, d->loss_high_percent, decimals);
	}
	report_cell(&t, "total");
	report_cells_rates(&t,
			   &(struct report_rates){result->alone_bytes_s, result->all_bytes_s,
						  result->loss_percent},
			   NAN, NAN, decimals);
	return report_table_print(&t, out, "  ");
}

static void add_heads(struct report_table *t)
{
	static const char *const heads[] = {"device", "bytes", "seconds", "MB/s",  "IOPS",
					    "p50",    "p99",   "max",	  "errors"};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(t, heads[i]);
}

static void add_sum(struct report_table *t, const char *label, struct report_reads *sum,
		    int decimals)
{
	char buf[SB_UNIT_TEXT];

	report_cell(t, label);
	report_cell(t, sum->measured ? sb_format_bytes(buf, sum->bytes) : "-");
	report_cell_number(t, sum->measured ? sum->seconds : NAN, 2);
	report_cell_number(t, sum->measured ? (double)sum->bytes / sum->seconds / 1e6 : NAN,
			   decimals);
	report_cell_number(t, sum->measured ? (double)sum->operations / sum->seconds : NAN, 0);
	report_cell(t, sb_format_latency(buf, sb_median(sum->p50, sum->n_p50)));
	report_cell(t, sb_format_latency(buf, sum->p99));
	report_cell(t, sb_format_latency(buf, sum->max));
	report_cell_take(t, sb_format("%llu", (unsigned long long)sum->errors));
}

static void add_total(struct report_table *t, const struct report_reads *sums, size_t n,
		      int decimals)
{
	double rate = 0, iops = 0;
	uint64_t bytes = 0, errors = 0;
	char buf[SB_UNIT_TEXT];

	for (size_t i = 0; i < n; i++) {
		errors += sums[i].errors;
		if (!sums[i].measured || sums[i].failed)
			continue;
		bytes += sums[i].bytes;
		rate += (double)sums[i].bytes / sums[i].seconds;
		iops += (double)sums[i].operations / sums[i].seconds;
	}
	report_cell(t, "total");
	report_cell(t, sb_format_bytes(buf, bytes));
	report_cell(t, "");
	report_cell_take(t, number_text(rate, decimals, 1e6));
	report_cell_number(t, iops, 0);
	for (int i = 0; i < 3; i++)
		report_cell(t, "");
	report_cell_take(t, sb_format("%llu", (unsigned long long)errors));
}

static int print_reads(FILE *out, const struct sb_result *result, char *const *labels, int kind)
{
	struct report_table t = {.align = "lrrrrrrrr"};
	struct report_reads *sums = report_reads_make(result, kind);
	double smallest = INFINITY;
	int rc;

	if (!sums)
		return -ENOMEM;
	for (size_t i = 0; i < result->n_devices; i++)
		if (sums[i].measured)
			smallest = smaller_positive(smallest,
						    (double)sums[i].bytes / sums[i].seconds / 1e6);
	add_heads(&t);
	for (size_t i = 0; i < result->n_devices; i++)
		if (sums[i].measured || !report_is_array(result, i))
			add_sum(&t, labels[i], &sums[i], decimals_for(smallest));
	if (result->n_devices > 1)
		add_total(&t, sums, result->n_devices, decimals_for(smallest));
	rc = report_table_print(&t, out, "  ");
	report_reads_free(sums, result->n_devices);
	return rc;
}

int report_text_tables(FILE *out, const struct sb_result *result, char *const *labels)
{
	bool alone = report_has_phases(result, SB_PHASE_ALONE);
	bool all = report_has_phases(result, SB_PHASE_ALL);
	int rc = 0;

	if (result->n_checks > 0)
		return report_text_checks(out, result);
	if (result->n_surfaces > 0)
		return report_text_surface(out, result, labels);
	if (report_has_phases(result, SB_PHASE_SUITE))
		return report_text_suite(out, result, labels);
	if (!alone && !all) {
		fputs("\nNothing was measured.\n", out);
		return 0;
	}
	if (alone && all) {
		fputs("\nAlone and together\n", out);
		rc = report_shows_verdict(result) ? report_text_blocks(out, result, labels)
						  : print_comparison(out, result, labels);
		if (rc == 0 && report_shows_verdict(result))
			rc = report_text_verdict(out, result, labels);
	}
	if (rc != 0)
		return rc;
	fprintf(out, "\nRead %s; p50, p99 and max: latency of one read\n",
		all ? "together" : "one after the other");
	return print_reads(out, result, labels, all ? SB_PHASE_ALL : SB_PHASE_ALONE);
}
