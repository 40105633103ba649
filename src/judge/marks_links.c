/* What the links did under load, and rates that no link could have carried. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define ABOVE_LINE 1.01
#define DEPTH_MOST 64 /* of hops; more is a loop in the data */
#define LINK_TEXT 48

/* Whether all that a node reads passes another: of what it is made of, each part. */
static bool passes(const struct sb_topo *topo, int at, int node, int depth)
{
	const struct sb_node *n;

	if (at < 0 || depth > DEPTH_MOST)
		return false;
	if (at == node)
		return true;
	n = &topo->nodes[at];
	if (!n->n_below)
		return passes(topo, n->parent, node, depth + 1);
	for (size_t i = 0; i < n->n_below; i++)
		if (!passes(topo, n->below[i], node, depth + 1))
			return false;
	return true;
}

/* What passed the links: with buffered reading the rest came from the page cache. */
static double link_rate(const struct sb_result *result, const struct sb_job *job)
{
	double read = (double)job->bytes + (double)job->outside_bytes;

	if (!result->options.buffered || job->device_bytes == SB_NONE_U64 || read <= 0)
		return job->bytes_s;
	return job->bytes_s * fmin(1, (double)job->device_bytes / read);
}

static double rate_below(const struct sb_result *result, const struct sb_phase *phase,
			 const bool *below)
{
	double sum = 0;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		const struct sb_job *job = &phase->jobs[i];

		if (job->device >= 0 && below[job->device] && !isnan(job->bytes_s))
			sum += link_rate(result, job);
	}
	return sum;
}

struct excess {
	const struct sb_phase *phase;
	double rate, line;
};

/* The phase in which the rate below a node was the most above its line; phase NULL: in none. */
static struct excess find_excess(const struct sb_result *result, int node, const bool *below)
{
	struct excess worst = {.rate = ABOVE_LINE, .line = 1};

	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		double rate, line;

		if (!judge_counts(phase))
			continue;
		line = judge_line(result, phase, node);
		rate = rate_below(result, phase, below);
		if (line > 0 && rate / line > worst.rate / worst.line)
			worst = (struct excess){phase, rate, line};
	}
	return worst;
}

static int add_above_line(struct sb_result *result, int node, const struct excess *worst)
{
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, node);
	char where[JUDGE_PHASE_TEXT], rate[SB_UNIT_TEXT], line[SB_UNIT_TEXT];
	const char *id = result->topo.nodes[node].id;

	judge_phase_text(where, worst->phase);
	sb_format_rate(rate, worst->rate);
	sb_format_rate(line, worst->line);
	return sb_result_add_mark(
		result, SB_MARK_TAINT, "above_line", id, worst->rate, worst->line,
		"%s would have carried %s (%s), and cannot carry more than %s: a cache answered, "
		"or its speed is not what the kernel says; read more or direct, and compare "
		"`satabench list`",
		label ? label : id, rate, where, line);
}

int mark_above_line(struct sb_result *result, const struct judge_table *table)
{
	SB_AUTO_FREE bool *below = calloc(result->n_devices + 1, sizeof(*below));
	int err = 0;

	(void)table;
	if (!below)
		return -ENOMEM;
	for (size_t node = 0; node < result->topo.n_nodes && !err; node++) {
		struct excess worst;

		if (isnan(result->topo.nodes[node].line_bytes_s))
			continue;
		for (size_t i = 0; i < result->n_devices; i++)
			below[i] = passes(&result->topo, result->devices[i].node, (int)node, 0);
		worst = find_excess(result, (int)node, below);
		if (worst.phase)
			err = add_above_line(result, (int)node, &worst);
	}
	return err;
}

/* All readings of a link under load. */
struct look {
	struct judge_link link;
	const struct sb_link_reading *slowest, *fastest; /* NULL: none has a value */
	const struct sb_phase *slowest_in, *fastest_in;
};

static bool is_read(const struct sb_link_reading *reading)
{
	return reading && reading->bits_per_second != SB_NONE_U64;
}

static bool is_slower(const struct judge_link *link, const struct sb_link_reading *a,
		      const struct sb_link_reading *b)
{
	return judge_link_line(link, a->bits_per_second, a->width) <
	       judge_link_line(link, b->bits_per_second, b->width);
}

/* False for what is no link, an emulated one, or one that was never read under load. */
static bool look_at(const struct sb_result *result, int node, struct look *look)
{
	*look = (struct look){0};
	if (isnan(result->topo.nodes[node].line_bytes_s) ||
	    !judge_link_look(&result->topo, node, &look->link))
		return false;
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		const struct sb_link_reading *reading =
			judge_counts(phase) ? judge_link_reading(phase, node) : NULL;

		if (!is_read(reading))
			continue;
		if (!look->slowest || is_slower(&look->link, reading, look->slowest)) {
			look->slowest = reading;
			look->slowest_in = phase;
		}
		if (!look->fastest || is_slower(&look->link, look->fastest, reading)) {
			look->fastest = reading;
			look->fastest_in = phase;
		}
	}
	return look->slowest != NULL;
}

static bool has_changed(const struct look *look)
{
	return look->slowest->bits_per_second != look->fastest->bits_per_second ||
	       look->slowest->width != look->fastest->width;
}

static char *link_text(char buf[LINK_TEXT], const struct judge_link *link, uint64_t bits,
		       uint64_t width)
{
	unsigned tenths = (unsigned)(bits / 100000000);
	size_t used = (size_t)snprintf(buf, LINK_TEXT, tenths % 10 ? "%u.%u %s" : "%u%.0u %s",
				       tenths / 10, tenths % 10, link->is_pcie ? "GT/s" : "Gb/s");

	if (width != SB_NONE_U64)
		snprintf(buf + used, LINK_TEXT - used, " x%u", (unsigned)width);
	return buf;
}

static char *reading_text(char buf[LINK_TEXT], const struct judge_link *link,
			  const struct sb_link_reading *reading)
{
	return link_text(buf, link, reading->bits_per_second, reading->width);
}

static double line_of(const struct judge_link *link, const struct sb_link_reading *reading)
{
	return judge_link_line(link, reading->bits_per_second, reading->width);
}

static int add_changed(struct sb_result *result, int node, const struct look *look)
{
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, node);
	char fast[LINK_TEXT], slow[LINK_TEXT], in_fast[JUDGE_PHASE_TEXT], in_slow[JUDGE_PHASE_TEXT];
	const char *id = result->topo.nodes[node].id;

	return sb_result_add_mark(
		result, SB_MARK_TAINT, "link_changed", id, line_of(&look->link, look->slowest),
		line_of(&look->link, look->fastest),
		"the link of %s ran at %s (%s) and at %s (%s), so its phases do not compare; look "
		"for errors in the kernel's log, reseat the card or cable and measure again",
		label ? label : id, reading_text(fast, &look->link, look->fastest),
		judge_phase_text(in_fast, look->fastest_in),
		reading_text(slow, &look->link, look->slowest),
		judge_phase_text(in_slow, look->slowest_in));
}

int mark_link_changed(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->topo.n_nodes && !err; i++) {
		struct look look;

		if (look_at(result, (int)i, &look) && has_changed(&look))
			err = add_changed(result, (int)i, &look);
	}
	return err;
}

/* What both ends can do: known where probe found the link slower than that, or where it did run so.
 */
static void possible(const struct judge_link *link, uint64_t *bits, uint64_t *width)
{
	*bits = link->bits;
	*width = link->width;
	if (link->is_downgraded && link->bits_max != SB_NONE_U64)
		*bits = link->bits_max;
	if (link->is_downgraded && link->width_max != SB_NONE_U64)
		*width = link->width_max;
}

static bool is_less(uint64_t value, uint64_t than)
{
	return value != SB_NONE_U64 && than != SB_NONE_U64 && value < than;
}

static bool is_downgraded(const struct look *look)
{
	uint64_t bits, width;

	possible(&look->link, &bits, &width);
	return is_less(look->slowest->bits_per_second, bits) ||
	       is_less(look->slowest->width, width);
}

static int add_downgraded(struct sb_result *result, int node, const struct look *look)
{
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, node);
	char trained[LINK_TEXT], both[LINK_TEXT], where[JUDGE_PHASE_TEXT];
	const char *id = result->topo.nodes[node].id;
	uint64_t bits, width;

	possible(&look->link, &bits, &width);
	return sb_result_add_mark(
		result, SB_MARK_NOTE, "link_downgraded", id, line_of(&look->link, look->slowest),
		judge_link_line(&look->link, bits, width),
		"the link of %s ran at %s under load (%s), where both ends can do %s; reseat the "
		"card or cable, try another slot or port, and see what the firmware's setup "
		"limits",
		label ? label : id, reading_text(trained, &look->link, look->slowest),
		judge_phase_text(where, look->slowest_in),
		link_text(both, &look->link, bits, width));
}

int mark_link_downgraded(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->topo.n_nodes && !err; i++) {
		struct look look;

		if (look_at(result, (int)i, &look) && is_downgraded(&look))
			err = add_downgraded(result, (int)i, &look);
	}
	return err;
}

static int add_idle(struct sb_result *result, int node, const struct look *look)
{
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, node);
	char idle[LINK_TEXT], loaded[LINK_TEXT];
	const char *id = result->topo.nodes[node].id;

	return sb_result_add_mark(
		result, SB_MARK_NOTE, "link_idle", id, line_of(&look->link, look->slowest),
		judge_link_line(&look->link, look->link.bits, look->link.width),
		"the link of %s was trained down to %s while nothing was read, and ran at %s under "
		"load; the latter counts",
		label ? label : id, link_text(idle, &look->link, look->link.bits, look->link.width),
		reading_text(loaded, &look->link, look->slowest));
}

int mark_link_idle(struct sb_result *result, const struct judge_table *table)
{
	int err = 0;

	(void)table;
	for (size_t i = 0; i < result->topo.n_nodes && !err; i++) {
		struct look look;

		if (look_at(result, (int)i, &look) && !is_downgraded(&look) &&
		    (is_less(look.link.bits, look.slowest->bits_per_second) ||
		     is_less(look.link.width, look.slowest->width)))
			err = add_idle(result, (int)i, &look);
	}
	return err;
}
