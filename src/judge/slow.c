/* Disks that are far slower alone than others like them, where those agree among themselves:
 * unequal disks must not accuse each other. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define SLOW 0.70  /* of the median of its like */
#define ALIKE 0.10 /* the others lie that close to it */
#define FEWEST_LIKE 4
#define MOST_SLOW 4 /* one in so many */

static const char *model_of(const struct judge_look *look, int device)
{
	int node = look_node(look, device);
	const char *model = node < 0 ? NULL : sb_node_get(&look->result->topo.nodes[node], "model");

	return model ? model : "";
}

/* Those of the model, in the order of the tree. */
static size_t find_like(const struct judge_look *look, const char *model, int *like)
{
	size_t n = 0;

	for (size_t i = 0; i < look->tree->n_devices; i++)
		if (strcmp(model_of(look, look->tree->devices[i]), model) == 0)
			like[n++] = look->tree->devices[i];
	return n;
}

static double median_alone(struct judge_look *look, const int *like, size_t n)
{
	SB_AUTO_FREE double *rates = calloc(n, sizeof(*rates));

	for (size_t i = 0; rates && i < n; i++)
		rates[i] = look->devices[like[i]].alone_bytes_s;
	return rates ? sb_median(rates, n) : NAN;
}

/* The one of the others that is closest to the median; -1 when they do not agree, or too many are
 * slow. */
static int typical_of(const struct judge_look *look, const int *like, size_t n, double median)
{
	double closest = INFINITY;
	size_t n_slow = 0;
	int typical = -1;

	for (size_t i = 0; i < n; i++) {
		double ratio = look->devices[like[i]].alone_bytes_s / median;

		if (ratio < SLOW) {
			n_slow++;
			continue;
		}
		if (!(fabs(ratio - 1) <= ALIKE))
			return -1;
		if (fabs(ratio - 1) < closest) {
			closest = fabs(ratio - 1);
			typical = like[i];
		}
	}
	return n_slow * MOST_SLOW <= n ? typical : -1;
}

static void judge_one(struct judge_look *look, int device, int typical)
{
	struct sb_verdict *v = look->verdict;
	size_t first, n = judge_cells(look->table, device, &first);
	struct sb_estimate e;

	for (size_t i = first; i < first + n; i++)
		if (!look->table->cells[i].bad)
			look_add(look, look->devices[typical].alone_bytes_s,
				 look->table->cells[i].rate);
	e = look_estimate(look, 1);
	if (look_has(&e) && !look->devices[device].foreign)
		v->slow[v->n_slow++] =
			(struct sb_slow_disk){device, sb_estimate_above(&e, sb_loss_to_log(ALIKE))};
}

int judge_slow(struct judge_look *look)
{
	struct sb_verdict *v = look->verdict;
	SB_AUTO_FREE int *like = calloc(look->tree->n_devices, sizeof(*like));

	v->slow = calloc(look->tree->n_devices, sizeof(*v->slow));
	if (!like || !v->slow)
		return -ENOMEM;
	for (size_t i = 0; i < look->tree->n_devices; i++) {
		int device = look->tree->devices[i], typical;
		size_t n = find_like(look, model_of(look, device), like);
		double median;

		if (n < FEWEST_LIKE)
			continue;
		median = median_alone(look, like, n);
		if (!(look->devices[device].alone_bytes_s < SLOW * median))
			continue;
		typical = typical_of(look, like, n, median);
		if (typical >= 0)
			judge_one(look, device, typical);
	}
	return 0;
}
