/* The figures behind the verdict, a row of text each. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verdict_priv.h"

int evidence_begin(struct evidence_row *row)
{
	row->text = NULL;
	row->f = open_memstream(&row->text, &row->size);
	return row->f ? 0 : -ENOMEM;
}

int evidence_end(struct judge_look *look, struct evidence_row *row)
{
	struct sb_verdict *v = look->verdict;
	char **more;

	if (fclose(row->f) != 0) {
		free(row->text);
		return -ENOMEM;
	}
	more = reallocarray(v->evidence, v->n_evidence + 1, sizeof(*more));
	if (!more) {
		free(row->text);
		return -ENOMEM;
	}
	v->evidence = more;
	more[v->n_evidence++] = row->text;
	return 0;
}

/* To a tenth, and never "-0.0". */
static double percent(double fraction)
{
	return rint(1000 * fraction) / 10 + 0.0;
}

static void tell_state(FILE *f, const struct judge_look *look, size_t test)
{
	const struct sb_node_loss *l = &look->verdict->losses[test];

	if (isnan(l->loss)) {
		fputs(": not measured in two rounds", f);
		return;
	}
	fprintf(f, ": loses %.1f %% (95 %%: %.1f to %.1f) in %zu rounds, %s", percent(l->loss),
		percent(l->low), percent(l->high), l->n,
		l->by_group ? "its parts' groups against its own"
			    : "at most: its disks alone against all together");
	fprintf(f, ": %s", sb_loss_state_name(l->state));
	if (l->masked_by >= 0) {
		fputs(", but what it gives alone already fills ", f);
		say_node(f, look, l->masked_by);
		fputs(": it can carry at least that", f);
	}
	if (l->left_out)
		fprintf(f,
			"; with %zu part%s at rest %.0f %% of what could come back to the others "
			"came (%zu pairs)",
			l->n_resting, l->n_resting == 1 ? "" : "s", 100 * l->recovered,
			l->n_left_out);
}

/* The whole plan had no time left for the ramp of its costliest limit. */
static bool lacks_ramp(const struct judge_look *look, const struct sb_limit *l)
{
	const struct sb_result *result = look->result;
	const char *plan = result->options.plan;

	if (!result->complete || l != look->verdict->limits || !plan ||
	    strcmp(plan, "diagnose") != 0)
		return false;
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].kind == SB_PHASE_RAMP &&
		    result->phases[i].node == l->test_node)
			return false;
	return true;
}

static void tell_limit(FILE *f, const struct judge_look *look, const struct sb_limit *l)
{
	fputs("capacity ", f);
	say_rate(f, l->capacity_bytes_s);
	fputs(" (95 %: ", f);
	say_rate(f, l->capacity_low);
	fputs(" to ", f);
	say_rate(f, l->capacity_high);
	fputs(") at ", f);
	say_node(f, look, l->test_node);
	fprintf(f, ", filled by %.1f of its parts", l->knee);
	if (l->ramp_knee)
		fprintf(f, " (measured: by %zu disks)", l->ramp_knee);
	else if (lacks_ramp(look, l))
		fputs(" (not measured: no time was left for a ramp)", f);
	if (!isnan(l->ceiling_bytes_s))
		fprintf(f, ", %.0f %% of the ceiling of the named part",
			100 * l->capacity_bytes_s / l->ceiling_bytes_s);
	fputs("; it costs ", f);
	say_rate(f, l->cost_bytes_s);
	fprintf(f, "; class %s, confidence %.3f", sb_class_name(l->cls), l->confidence);
	if (l->refuted)
		fputs("; not accused, for nothing comes back when some rest", f);
}

static int add_loss(struct judge_look *look, size_t test)
{
	struct evidence_row row;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	say_node(row.f, look, look->verdict->losses[test].node);
	tell_state(row.f, look, test);
	return evidence_end(look, &row);
}

static int add_limit(struct judge_look *look, const struct sb_limit *l)
{
	struct evidence_row row;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	tell_limit(row.f, look, l);
	return evidence_end(look, &row);
}

static int add_local(struct judge_look *look, int device)
{
	const struct look_device *d = &look->devices[device];
	struct evidence_row row;
	double low, high;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	sb_estimate_interval(&d->loss, &low, &high);
	say_device(row.f, look, device);
	fputs(": ", row.f);
	say_rate(row.f, d->alone_bytes_s);
	fprintf(row.f, " alone, %.1f %% (95 %%: %.1f to %.1f) less beside the others",
		100 * sb_log_to_loss(d->loss.mean), 100 * sb_log_to_loss(low),
		100 * sb_log_to_loss(high));
	return evidence_end(look, &row);
}

static int add_slow(struct judge_look *look, const struct sb_slow_disk *slow)
{
	struct evidence_row row;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	say_device(row.f, look, slow->device);
	fputs(": ", row.f);
	say_rate(row.f, look->devices[slow->device].alone_bytes_s);
	fprintf(row.f, " alone; slower than its like by over 10 %% with probability %.3f", slow->p);
	return evidence_end(look, &row);
}

static int add_noise(struct judge_look *look)
{
	struct evidence_row row;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	fprintf(row.f, "noise of one run: %.1f %%; runs left out of all means: %zu",
		100 * look->verdict->noise, look->verdict->n_odd_runs);
	return evidence_end(look, &row);
}

int judge_evidence(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;
	int rc = 0;

	for (size_t i = 0; i < v->n_limits && rc == 0; i++)
		rc = add_limit(look, &v->limits[i]);
	for (size_t i = 0; i < v->n_limits && rc == 0; i++)
		rc = evidence_cpu(look, &v->limits[i]);
	for (size_t i = 0; i < v->n_losses && rc == 0; i++)
		rc = add_loss(look, i);
	for (size_t i = 0; i < v->n_local && rc == 0; i++)
		rc = add_local(look, v->local[i]);
	for (size_t i = 0; i < v->n_slow && rc == 0; i++)
		rc = add_slow(look, &v->slow[i]);
	if (rc == 0)
		rc = evidence_md(look);
	return rc || !v->n_losses ? rc : add_noise(look);
}
