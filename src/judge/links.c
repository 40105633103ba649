/* What a link can carry under load: an idle one may have trained down when the machine was looked
 * at, so its reading of the phase counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/link.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define TENTH_BITS 100000000ULL /* of a gigabit */

/* "8 GT/s", "2.5 GT/s", "6 Gb/s" */
static bool parse_speed(const char *text, uint64_t *bits, bool *is_pcie)
{
	unsigned whole = 0, tenth = 0;
	char unit[8] = "";

	if (!text || (sscanf(text, "%u.%1u %7s", &whole, &tenth, unit) != 3 &&
		      sscanf(text, "%u %7s", &whole, unit) != 2))
		return false;
	*is_pcie = strcmp(unit, "GT/s") == 0;
	*bits = (whole * 10ULL + tenth) * TENTH_BITS;
	return whole < 10000 && *bits > 0 && (*is_pcie || strcmp(unit, "Gb/s") == 0);
}

static uint64_t count_of(const struct sb_node *node, const char *key)
{
	const char *text = sb_node_get(node, key);
	uint64_t value;

	return text && sb_parse_count(text, &value) == 0 && value > 0 ? value : SB_NONE_U64;
}

/* Both ends of a PCIe link show it; the one above stands for it. */
static bool is_lower_end(const struct sb_topo *topo, const struct sb_node *node)
{
	const char *port =
		node->parent >= 0 ? sb_node_get(&topo->nodes[node->parent], "port") : NULL;

	return port && (strcmp(port, "root") == 0 || strcmp(port, "downstream") == 0);
}

bool judge_link_look(const struct sb_topo *topo, int node, struct judge_link *link)
{
	const struct sb_node *n = &topo->nodes[node];
	bool max_is_pcie;

	*link = (struct judge_link){.width = count_of(n, "link_width"),
				    .width_max = count_of(n, "link_width_max"),
				    .bits_max = SB_NONE_U64};
	if (!parse_speed(sb_node_get(n, "link_speed"), &link->bits, &link->is_pcie) ||
	    (link->is_pcie && is_lower_end(topo, n)))
		return false;
	if (!parse_speed(sb_node_get(n, "link_speed_max"), &link->bits_max, &max_is_pcie))
		link->bits_max = SB_NONE_U64;
	link->is_downgraded = sb_node_get(n, "downgraded") != NULL;
	return true;
}

const struct sb_link_reading *judge_link_reading(const struct sb_phase *phase, int node)
{
	for (size_t i = 0; i < phase->n_links; i++)
		if (phase->links[i].node == node)
			return &phase->links[i];
	return NULL;
}

double judge_link_line(const struct judge_link *link, uint64_t bits, uint64_t width)
{
	double giga = (double)bits / 1e9;

	if (bits == SB_NONE_U64 || (width == SB_NONE_U64 && link->is_pcie))
		return NAN;
	if (link->is_pcie)
		return sb_pcie_line(giga, (unsigned)width);
	return sb_sas_line(giga, width == SB_NONE_U64 ? 1 : (unsigned)width);
}

double judge_line(const struct sb_result *result, const struct sb_phase *phase, int node)
{
	const struct sb_link_reading *reading = judge_link_reading(phase, node);
	double line = result->topo.nodes[node].line_bytes_s;
	struct judge_link link;

	/* emulated links have none, whatever they show */
	if (isnan(line) || !judge_link_look(&result->topo, node, &link))
		return line;
	if (reading)
		return judge_link_line(&link, reading->bits_per_second, reading->width);
	return link.is_pcie ? judge_link_line(&link, link.bits_max, link.width_max) : line;
}

/* The lowest reading of all phases, else the most that the link could do. */
static bool under_load(const struct sb_result *result, int node, const struct judge_link *link,
		       uint64_t *bits, uint64_t *width)
{
	double least = NAN;

	*bits = link->bits_max;
	*width = link->width_max;
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_link_reading *reading =
			judge_counts(&result->phases[i])
				? judge_link_reading(&result->phases[i], node)
				: NULL;
		double line =
			reading ? judge_link_line(link, reading->bits_per_second, reading->width)
				: NAN;

		if (!reading || isnan(line) || line >= least)
			continue;
		least = line;
		*bits = reading->bits_per_second;
		*width = reading->width;
	}
	return *bits != SB_NONE_U64 && *width != SB_NONE_U64;
}

double judge_practical(const struct sb_result *result, int node)
{
	const struct sb_node *n = &result->topo.nodes[node];
	uint64_t bits, width, payload = count_of(n, "max_payload_bytes");
	struct judge_link link;
	double idle, loaded;

	if (isnan(n->practical_bytes_s) || isnan(n->line_bytes_s) ||
	    !judge_link_look(&result->topo, node, &link) || !link.is_pcie ||
	    link.width == SB_NONE_U64 || !under_load(result, node, &link, &bits, &width))
		return n->practical_bytes_s;
	if (payload == SB_NONE_U64)
		payload = SB_PAYLOAD_ASSUMED;
	idle = sb_pcie_practical((double)link.bits / 1e9, (unsigned)link.width, (unsigned)payload);
	loaded = sb_pcie_practical((double)bits / 1e9, (unsigned)width, (unsigned)payload);
	/* the chip itself does less than its link */
	if (n->practical_bytes_s < 0.999 * idle)
		return fmin(n->practical_bytes_s, loaded);
	return loaded;
}
