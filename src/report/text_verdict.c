/* The verdict in words: the sentence that a report begins with, and what it rests on. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define LINKS_NAMED 3

static void print_taints(FILE *out, const struct sb_result *result)
{
	SB_AUTO_FREE char *names = NULL;

	for (size_t i = 0; i < result->n_marks; i++) {
		const struct sb_mark *mark = &result->marks[i];
		bool told = mark->level != SB_MARK_TAINT;
		char *longer;

		for (size_t j = 0; j < i; j++)
			told |= result->marks[j].level == SB_MARK_TAINT &&
				strcmp(result->marks[j].id, mark->id) == 0;
		if (told)
			continue;
		SB_AUTO_FREE char *id = sb_escape(mark->id);

		longer = sb_format("%s%s%s", names ? names : "", names ? ", " : "", id ? id : "");
		free(names);
		names = longer;
	}
	if (names) {
		SB_AUTO_FREE char *text =
			sb_format("doubtful: %s; see \"To be known about these figures\"", names);

		if (text)
			report_paragraph(out, "! ", text);
	}
}

/* No doubt about the figures, but mostly what was looked for: shown where nobody misses it. */
static void print_slow_links(FILE *out, const struct sb_result *result)
{
	SB_AUTO_FREE char *names = NULL;
	size_t n = 0;

	for (size_t i = 0; i < result->n_marks; i++) {
		const struct sb_mark *mark = &result->marks[i];
		int node = mark->subject ? sb_topo_find(&result->topo, mark->subject) : -1;
		SB_AUTO_FREE char *name = NULL;
		char *longer;

		if (strcmp(mark->id, "link_downgraded") != 0 || node < 0 || n++ >= LINKS_NAMED)
			continue;
		name = sb_node_label(&result->topo, node);
		longer = sb_format("%s%s%s", names ? names : "", names ? ", " : "",
				   name ? name : "-");
		free(names);
		names = longer;
	}
	if (names) {
		SB_AUTO_FREE char *more =
			n > LINKS_NAMED ? sb_format(" and %zu more", n - LINKS_NAMED) : strdup("");
		SB_AUTO_FREE char *text =
			sb_format("slower under load than both ends can do: the link of %s%s; see "
				  "\"To be known about these figures\"",
				  names, more ? more : "");

		if (text)
			report_paragraph(out, "! ", text);
	}
}

bool report_shows_verdict(const struct sb_result *result)
{
	const char *plan = result->options.plan;

	if (!result->verdict.sentence)
		return false;
	return (plan && strcmp(plan, "diagnose") == 0) ||
	       (report_has_phases(result, SB_PHASE_ALONE) &&
		report_has_phases(result, SB_PHASE_ALL));
}

void report_text_sentence(FILE *out, const struct sb_result *result)
{
	SB_AUTO_FREE char *sentence = sb_escape(result->verdict.sentence);

	if (!result->complete)
		fputs("NOT COMPLETE: the run was ended early. What was measured until then says:\n",
		      out);
	report_paragraph(out, "", sentence ? sentence : "");
	print_slow_links(out, result);
	print_taints(out, result);
	fputc('\n', out);
}

void report_text_line(FILE *out, const char *name, char *text)
{
	SB_AUTO_FREE char *first = sb_format("  %-11s  ", name);

	if (first && text && *text)
		report_paragraph(out, first, text);
	free(text);
}

char *report_probability_text(double p)
{
	if (isnan(p))
		return strdup("-");
	if (p > 0.999)
		return strdup("over 0.999");
	return p < 0.001 ? strdup("under 0.001") : sb_format("%.3f", p);
}

static void print_local(FILE *out, char *const *labels, const struct sb_verdict *v)
{
	char *text = strdup("");

	for (size_t i = 0; text && i < v->n_local; i++) {
		char *longer = sb_format("%s%s%s", text, i > 0 ? ", " : "", labels[v->local[i]]);

		free(text);
		text = longer;
	}
	if (text && v->n_local > 0 && !v->cannot_tell)
		report_text_line(
			out, "local",
			sb_format("%s: loss beside the others, though nothing shared is full",
				  text));
	free(text);
}

static char *slow_text(const struct sb_result *result, char *const *labels)
{
	const struct sb_verdict *v = &result->verdict;
	char *text = strdup("");

	for (size_t i = 0; text && i < v->n_slow; i++) {
		SB_AUTO_FREE char *p = report_probability_text(v->slow[i].p);
		double alone = result->devices[v->slow[i].device].alone_bytes_s;
		char rate[SB_UNIT_TEXT], *longer;

		longer = sb_format("%s%s%s, %s alone (P %s)", text, i > 0 ? "; " : "",
				   labels[v->slow[i].device], sb_format_rate(rate, alone),
				   p ? p : "");
		free(text);
		text = longer;
	}
	return text;
}

/* Parts that are neither surely free nor surely a limit. */
static char *unsure_text(const struct sb_result *result, char *const *labels)
{
	const struct sb_verdict *v = &result->verdict;
	char *text = strdup("");

	for (size_t i = 0; text && i < v->n_losses; i++) {
		const struct sb_node_loss *loss = &v->losses[i];
		SB_AUTO_FREE char *name = NULL;
		SB_AUTO_FREE char *p = NULL;
		char *longer;

		if (loss->state != SB_LOSS_UNSURE)
			continue;
		name = report_node_text(result, labels, loss->node);
		p = report_probability_text(loss->p);
		longer = sb_format("%s%s%s (P %s)", text, *text ? ", " : "", name ? name : "",
				   p ? p : "");
		free(text);
		text = longer;
	}
	return text;
}

/* Without a limit: what is said instead, and how surely. */
static void print_other(FILE *out, const struct sb_result *result, char *const *labels)
{
	const struct sb_verdict *v = &result->verdict;

	report_text_line(out, "class",
			 v->cannot_tell ? strdup("unknown: it cannot be told")
					: strdup(sb_class_name(v->cls)));
	if (v->node >= 0)
		report_text_line(out, v->cls == SB_CLASS_UNKNOWN ? "below" : "named",
				 report_node_text(result, labels, v->node));
	if (!isnan(v->confidence))
		report_text_line(out, "confidence", report_probability_text(v->confidence));
	if (v->n_candidates > 0 &&
	    (v->cannot_tell || (v->cls == SB_CLASS_UNKNOWN && v->n_local == 0)))
		report_text_line(out, "may be",
				 report_nodes_text(result, labels, v->candidates, v->n_candidates));
	if (!isnan(v->smallest_excluded))
		report_text_line(out, "excluded",
				 sb_format("losses of %.1f %% and more",
					   report_percent(v->smallest_excluded)));
}

#define WORTH_A_WORD 0.05 /* probability of a loss over 3 % */

/* Said already where it is among the candidates, and no news where nothing limits or it is free. */
static bool tells_runner_up(const struct sb_verdict *v)
{
	const struct sb_node_loss *loss = report_loss_at(v, v->runner_up);

	if (loss && loss->p < WORTH_A_WORD)
		return false;
	for (size_t i = 0; i < v->n_candidates; i++)
		if (v->candidates[i] == v->runner_up)
			return false;
	return v->runner_up >= 0 && v->runner_up != v->node && v->cls != SB_CLASS_NONE &&
	       v->n_limits < 2;
}

int report_text_verdict(FILE *out, const struct sb_result *result, char *const *labels)
{
	const struct sb_verdict *v = &result->verdict;
	size_t refuted = 0;

	fputs("\nVerdict\n", out);
	for (size_t i = 0; i < v->n_limits; i++)
		report_text_limit(out, result, labels, i);
	for (size_t i = 0; i < v->n_limits; i++)
		refuted += v->limits[i].refuted;
	if (v->n_limits > 1)
		fputc('\n', out);
	if (refuted == v->n_limits)
		print_other(out, result, labels);
	if (tells_runner_up(v))
		report_text_line(out, "next likely",
				 report_node_text(result, labels, v->runner_up));
	print_local(out, labels, v);
	report_text_line(out, "slow", slow_text(result, labels));
	if (!v->cannot_tell)
		report_text_line(out, "unsure", unsure_text(result, labels));
	if (!isnan(v->noise))
		report_text_line(out, "noise",
				 sb_format("%.1f %% from run to run", report_percent(v->noise)));
	/* what stands above says most of it; JSON has it all */
	if (!result->options.verbose)
		return 0;
	if (v->n_evidence > 0)
		fputs("\nEvidence\n", out);
	for (size_t i = 0; i < v->n_evidence; i++) {
		SB_AUTO_FREE char *row = sb_escape(v->evidence[i]);

		report_paragraph(out, "  - ", row ? row : "");
	}
	return 0;
}
