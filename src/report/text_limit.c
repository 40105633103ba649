/* One limit of the verdict, in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

static char *rate_text(double bytes_s)
{
	return sb_format("%.*f MB/s", bytes_s < 1e7 ? 2 : 1, bytes_s / 1e6);
}

static void print_capacity(FILE *out, const struct sb_limit *limit)
{
	int decimals = limit->capacity_bytes_s < 1e7 ? 2 : 1;
	SB_AUTO_FREE char *interval = NULL;
	SB_AUTO_FREE char *share = NULL;
	char ceiling[SB_UNIT_TEXT];

	if (isnan(limit->capacity_bytes_s))
		return;
	if (!isnan(limit->capacity_low) && !isnan(limit->capacity_high))
		interval = sb_format(" (%.*f to %.*f)", decimals, limit->capacity_low / 1e6,
				     decimals, limit->capacity_high / 1e6);
	if (limit->ceiling_bytes_s > 0)
		share = sb_format(", %.0f %% of the %s that it can carry in practice",
				  100 * limit->capacity_bytes_s / limit->ceiling_bytes_s,
				  sb_format_rate(ceiling, limit->ceiling_bytes_s));
	report_text_line(out, "carries",
			 sb_format("%.*f MB/s%s%s", decimals, limit->capacity_bytes_s / 1e6,
				   interval ? interval : "", share ? share : ""));
}

/* The whole plan runs one for the costliest limit, when there is time. */
static bool lacks_ramp(const struct sb_result *result, const struct sb_limit *limit)
{
	const char *plan = result->options.plan;

	return result->complete && limit == result->verdict.limits && plan &&
	       strcmp(plan, "diagnose") == 0 && !report_has_phases(result, SB_PHASE_RAMP);
}

static void print_costs(FILE *out, const struct sb_result *result, const struct sb_limit *limit)
{
	SB_AUTO_FREE char *measured = NULL;

	if (!isnan(limit->cost_bytes_s))
		report_text_line(out, "costs", rate_text(limit->cost_bytes_s));
	if (limit->ramp_knee > 0)
		measured = sb_format("; measured: %zu disk%s", limit->ramp_knee,
				     limit->ramp_knee == 1 ? "" : "s");
	else if (lacks_ramp(result, limit))
		measured = strdup("; not measured: no time was left for a ramp");
	if (!isnan(limit->knee))
		report_text_line(out, "full with",
				 sb_format("%.1f of the parts below it%s", limit->knee,
					   measured ? measured : ""));
}

/* More and more of its devices at once: where it gets full. */
static void print_ramp(FILE *out, const struct sb_result *result, int test_node)
{
	char *text = NULL;

	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		char *longer;

		if (phase->kind != SB_PHASE_RAMP || phase->node != test_node || test_node < 0 ||
		    isnan(phase->bytes_s))
			continue;
		longer = sb_format("%s%s%zu: %.1f", text ? text : "", text ? ", " : "",
				   phase->n_jobs, phase->bytes_s / 1e6);
		free(text);
		text = longer;
	}
	if (text)
		report_text_line(out, "ramp", sb_format("%s MB/s by number of disks", text));
	free(text);
}

static void print_left_out(FILE *out, const struct sb_node_loss *loss)
{
	SB_AUTO_FREE char *percent = NULL;
	SB_AUTO_FREE char *p = NULL;

	if (!loss || !loss->left_out)
		return;
	percent = report_number_text(report_percent(loss->recovered), 0);
	p = report_probability_text(loss->q);
	report_text_line(out, loss->n_resting > 1 ? "some rest" : "one rests",
			 sb_format("the others got back %s %% of what they could (%zu pair%s; "
				   "over half: P %s)%s",
				   percent ? percent : "", loss->n_left_out,
				   loss->n_left_out == 1 ? "" : "s", p ? p : "",
				   loss->clean ? "" : "; too few to decide"));
}

/* Those whose devices fill this one already by themselves. */
static void print_hidden(FILE *out, const struct sb_result *result, char *const *labels,
			 int test_node)
{
	const struct sb_verdict *v = &result->verdict;
	char *text = strdup("");

	for (size_t i = 0; text && i < v->n_losses; i++) {
		const struct sb_node_loss *loss = &v->losses[i];
		struct report_rates rates;
		SB_AUTO_FREE char *name = NULL;
		SB_AUTO_FREE char *least = NULL;
		char *longer;

		if (loss->masked_by != test_node || test_node < 0)
			continue;
		name = report_node_text(result, labels, loss->node);
		rates = report_rates_of(result, loss);
		least = isnan(rates.once_bytes_s) ? strdup("-") : rate_text(rates.once_bytes_s);
		longer = name && least ? sb_format("%s%s%s, at least %s", text, *text ? "; " : "",
						   name, least)
				       : NULL;
		free(text);
		text = longer;
	}
	report_text_line(out, "hides", text);
}

static void print_or(FILE *out, const struct sb_result *result, char *const *labels,
		     const struct sb_limit *limit)
{
	SB_AUTO_FREE char *names =
		report_nodes_text(result, labels, limit->candidates + 1, limit->n_candidates - 1);

	if (names)
		report_text_line(out, "or",
				 sb_format("%s: reading alone cannot tell these apart", names));
}

/* A loss that does not come back is no capacity: what it "carries" would mislead. */
static void print_refuted(FILE *out, const struct sb_result *result, char *const *labels,
			  const struct sb_limit *limit)
{
	SB_AUTO_FREE char *name = report_node_text(result, labels, limit->test_node);

	fprintf(out, "no shared limit at %s\n", name ? name : "-");
	report_text_line(out, "why",
			 strdup("its devices lose together, yet nothing comes back to the others "
				"when some rest"));
	if (!isnan(limit->cost_bytes_s))
		report_text_line(out, "costs", rate_text(limit->cost_bytes_s));
	print_left_out(out, report_loss_at(&result->verdict, limit->test_node));
}

/* The last run of its devices in larger blocks; NULL. */
static const struct sb_phase *larger_run(const struct sb_result *result, int test_node)
{
	for (size_t i = result->n_phases; i-- > 0;)
		if (sb_phase_confirms(&result->phases[i]) && result->phases[i].done &&
		    result->phases[i].n_jobs && result->phases[i].node == test_node)
			return &result->phases[i];
	return NULL;
}

/* "in blocks of 16 KiB: 641.5 MB/s, all CPUs 99.7 % busy, the busiest 100.0 %" */
static char *larger_text(const struct sb_phase *phase)
{
	SB_AUTO_FREE char *rate = rate_text(phase->bytes_s);
	SB_AUTO_FREE char *all = report_number_text(phase->cpu.busy_exact, 1);
	SB_AUTO_FREE char *one = report_number_text(phase->cpu.busiest_busy, 1);
	char block[SB_UNIT_TEXT];

	return sb_format("in blocks of %s: %s, all CPUs %s %% busy, the busiest %s %%",
			 sb_format_block(block, phase->jobs[0].block_bytes), rate ? rate : "-",
			 all ? all : "-", one ? one : "-");
}

static void print_confirmed(FILE *out, const struct sb_result *result, const struct sb_limit *limit)
{
	const struct sb_phase *phase = larger_run(result, limit->test_node);
	SB_AUTO_FREE char *larger = phase ? larger_text(phase) : NULL;

	if (limit->cpu_confirmed == SB_ANSWER_YES && larger)
		report_text_line(out, "CPU", sb_format("%s: that confirms it", larger));
	else if (limit->cpu_confirmed == SB_ANSWER_NO && larger)
		report_text_line(out, "CPU",
				 sb_format("full, too, but %s: it does not limit", larger));
	else if (limit->cls == SB_CLASS_CPU)
		report_text_line(out, "CPU",
				 strdup(limit->cpu_confirmed == SB_ANSWER_YES
						? "confirmed by a run in larger blocks"
						: "not confirmed: no run in larger blocks tells"));
}

void report_text_limit(FILE *out, const struct sb_result *result, char *const *labels, size_t index)
{
	const struct sb_limit *limit = &result->verdict.limits[index];
	SB_AUTO_FREE char *name = report_node_text(result, labels, limit->node);

	if (result->verdict.n_limits > 1)
		fprintf(out, "%s  %zu. ", index > 0 ? "\n" : "", index + 1);
	else
		fputs("  ", out);
	if (limit->refuted) {
		print_refuted(out, result, labels, limit);
		return;
	}
	fprintf(out, "%s%s, class %s\n", limit->cls == SB_CLASS_CPU ? "the CPU, seen at " : "",
		name ? name : "-", sb_class_name(limit->cls));
	print_capacity(out, limit);
	print_costs(out, result, limit);
	print_ramp(out, result, limit->test_node);
	print_left_out(out, report_loss_at(&result->verdict, limit->test_node));
	print_confirmed(out, result, limit);
	if (limit->n_candidates > 1)
		print_or(out, result, labels, limit);
	print_hidden(out, result, labels, limit->test_node);
	report_text_line(out, "confidence", report_probability_text(limit->confidence));
}
