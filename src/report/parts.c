/* The shared parts of a verdict: the losses with the rates that they come from. */
#include "report_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

const struct sb_limit *report_limit_at(const struct sb_verdict *verdict, int test_node)
{
	for (size_t i = 0; i < verdict->n_limits; i++)
		if (verdict->limits[i].test_node == test_node)
			return &verdict->limits[i];
	return NULL;
}

const struct sb_node_loss *report_loss_at(const struct sb_verdict *verdict, int test_node)
{
	for (size_t i = 0; i < verdict->n_losses; i++)
		if (verdict->losses[i].node == test_node)
			return &verdict->losses[i];
	return NULL;
}

/* A part and what has the same devices below it share one test. */
const struct sb_node_loss *report_loss_of(const struct sb_result *result, int node)
{
	const struct sb_verdict *v = &result->verdict;

	for (size_t i = 0; node >= 0 && i < v->n_losses; i++)
		if (report_same_devices(result, v->losses[i].node, node))
			return &v->losses[i];
	return NULL;
}

/* Geometric mean over the phases that read all below the node and nothing else. */
static double group_bytes_s(const struct sb_result *result, int node)
{
	bool whole = report_devices_under(result, node) == report_own_devices(result);
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *phase = &result->phases[i];
		bool here = phase->kind == SB_PHASE_GROUP ? phase->node == node
							  : whole && phase->kind == SB_PHASE_ALL;

		if (!here || sb_phase_confirms(phase) || !phase->complete || !(phase->bytes_s > 0))
			continue;
		sum += log(phase->bytes_s);
		n++;
	}
	return n > 0 ? exp(sum / (double)n) : NAN;
}

/* No loss where a device has only one of the two rates. */
struct report_rates report_rates_sum(const struct sb_result *result, const bool *member)
{
	struct report_rates rates = {0};
	bool any = false, whole = true;

	for (size_t i = 0; i < result->n_devices; i++) {
		double alone = result->devices[i].alone_bytes_s;
		double all = result->devices[i].all_bytes_s;

		if (!member[i] || report_is_made_of_others(result, i))
			continue;
		rates.apart_bytes_s += isnan(alone) ? 0 : alone;
		rates.once_bytes_s += isnan(all) ? 0 : all;
		any |= !isnan(alone) || !isnan(all);
		whole &= isnan(alone) == isnan(all);
	}
	if (!any)
		rates.apart_bytes_s = rates.once_bytes_s = NAN;
	rates.loss_percent = any && whole && rates.apart_bytes_s > 0
				     ? 100 * (1 - rates.once_bytes_s / rates.apart_bytes_s)
				     : NAN;
	return rates;
}

static struct report_rates rates_under(const struct sb_result *result, int node)
{
	SB_AUTO_FREE bool *member = calloc(result->n_devices + 1, sizeof(*member));

	for (size_t i = 0; member && i < result->n_devices; i++)
		member[i] = report_is_under(&result->topo, result->devices[i].node, node);
	return member ? report_rates_sum(result, member) : (struct report_rates){NAN, NAN, NAN};
}

struct report_rates report_rates_of(const struct sb_result *result, const struct sb_node_loss *loss)
{
	const struct sb_limit *limit = report_limit_at(&result->verdict, loss->node);
	double percent = report_percent(loss->loss);
	struct report_rates rates;

	if (!loss->by_group) {
		rates = rates_under(result, loss->node);
		rates.loss_percent = percent;
		return rates;
	}
	rates.once_bytes_s = limit && !isnan(limit->capacity_bytes_s)
				     ? limit->capacity_bytes_s
				     : group_bytes_s(result, loss->node);
	rates.apart_bytes_s = percent < 100 ? rates.once_bytes_s / (1 - percent / 100) : NAN;
	rates.loss_percent = percent;
	return rates;
}

char *report_state_text(const struct sb_result *result, char *const *labels,
			const struct sb_node_loss *loss)
{
	const struct sb_limit *limit = report_limit_at(&result->verdict, loss->node);
	const char *bound = loss->by_group ? "" : " *";

	if (loss->masked_by >= 0) {
		SB_AUTO_FREE char *by = report_node_name(result, labels, loss->masked_by);

		return by ? sb_format("hidden by %s%s", by, bound) : NULL;
	}
	if (limit && limit->refuted)
		return sb_format("nothing came back%s", bound);
	if (limit && limit->cls == SB_CLASS_CPU)
		return strdup("LIMIT (CPU)");
	if (limit && limit->node >= 0 && limit->node != loss->node) {
		SB_AUTO_FREE char *named = report_node_name(result, labels, limit->node);

		return named ? sb_format("LIMIT (%s)%s", named, bound) : NULL;
	}
	if (loss->state == SB_LOSS_LIMIT)
		return sb_format("LIMIT%s", bound);
	return sb_format("%s%s", sb_loss_state_name(loss->state), bound);
}
