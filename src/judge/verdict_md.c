/* An array that gives less than its members let it, where nothing else limits. */
#include <math.h>

#include "md_priv.h"
#include "verdict_priv.h"

const struct sb_md_array *judge_md_limit(const struct sb_result *result)
{
	const struct sb_md_array *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < result->n_md; i++) {
		const struct sb_md_reading *r = judge_md_below(&result->md[i]);
		double lost = r ? r->theory.low - r->bytes_s : 0;

		if (lost > most && result->md[i].node >= 0) {
			most = lost;
			worst = &result->md[i];
		}
	}
	return worst;
}

static void say_readers(FILE *f, const struct sb_md_reading *r)
{
	if (r->streams > 1)
		fprintf(f, " to %u readers", r->streams);
}

void say_array(FILE *f, const struct judge_look *look)
{
	const struct sb_md_array *a = judge_md_limit(look->result);
	const struct sb_md_reading *r = judge_md_below(a);
	bool cpu = r->cpu_loss > 0;

	say_node_first(f, look, a->node);
	fputs(" gives ", f);
	say_rate(f, r->bytes_s);
	say_readers(f, r);
	fputs(" where its members, which give ", f);
	say_rate(f, a->together_bytes_s);
	fputs(" together, let it give at least ", f);
	say_rate(f, r->theory.low);
	fputs(cpu ? ": a CPU was full: larger blocks, or a faster core."
		  : ": md loses it, not a controller nor the CPU: see its state, its "
		    "chunk and what else it does.",
	      f);
}

void say_array_rate(FILE *f, const struct judge_look *look, const struct sb_md_array *a)
{
	if (a->node < 0 || isnan(a->one.bytes_s) || isnan(a->one.theory.low))
		return;
	fputc(' ', f);
	say_node_first(f, look, a->node);
	fputs(" gives ", f);
	say_rate(f, a->one.bytes_s);
	fputs(", and by its members should give ", f);
	say_rate(f, a->one.theory.low);
	fputs(" to ", f);
	say_rate(f, a->one.theory.high);
	fputc('.', f);
}

static int add_reading(struct judge_look *look, const struct sb_md_array *a,
		       const struct sb_md_reading *r)
{
	struct evidence_row row;
	int rc;

	if (!r->streams || isnan(r->bytes_s) || isnan(r->theory.low))
		return 0;
	rc = evidence_begin(&row);
	if (rc < 0)
		return rc;
	say_node(row.f, look, a->node);
	fputs(": ", row.f);
	say_rate(row.f, r->bytes_s);
	say_readers(row.f, r);
	fputs(", by its members ", row.f);
	say_rate(row.f, r->theory.low);
	fputs(" to ", row.f);
	say_rate(row.f, r->theory.high);
	if (!isnan(r->p_below))
		fprintf(row.f, "; below that by over 5 %% with probability %.3f", r->p_below);
	return evidence_end(look, &row);
}

int evidence_md(struct judge_look *look)
{
	int rc = 0;

	for (size_t i = 0; i < look->result->n_md && rc == 0; i++) {
		const struct sb_md_array *a = &look->result->md[i];

		rc = add_reading(look, a, &a->one);
		if (rc == 0)
			rc = add_reading(look, a, &a->many);
	}
	return rc;
}
