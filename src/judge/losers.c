/* Each device in `all`: a symptom, never an accusation by itself. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define PAIR_WEIGHT 2

static void estimate_loss(struct judge_look *look, int device)
{
	const struct judge_table *table = look->table;
	size_t first, n = judge_cells(table, judge_key_all(table), &first);
	size_t place = (size_t)look->tree->place[device];

	for (size_t i = first; i < first + n; i++) {
		const struct noise_cell *all = &table->cells[i];
		const struct noise_cell *alone =
			all->bad ? NULL : judge_clean_cell(table, device, all->round);

		if (alone)
			look_add(look, alone->rate, judge_part(table, all, place, 1));
	}
	look->devices[device].loss = look_estimate(look, PAIR_WEIGHT);
	look->devices[device].alone_bytes_s = judge_clean_mean(table, device);
}

static void find_foreign(struct judge_look *look)
{
	for (size_t i = 0; i < look->table->n; i++) {
		const struct noise_cell *cell = &look->table->cells[i];

		for (size_t k = 0; cell->foreign && k < cell->phase->n_jobs; k++) {
			const struct sb_job *job = &cell->phase->jobs[k];

			if (judge_foreign_share(look->result, cell->phase, job) >
			    JUDGE_FOREIGN_SHARE)
				look->devices[job->device].foreign = true;
		}
	}
}

int judge_losers(struct judge_look *look)
{
	size_t n = 0;
	SB_AUTO_FREE struct hypothesis *h = calloc(look->tree->n_devices, sizeof(*h));

	if (!h)
		return -ENOMEM;
	find_foreign(look);
	for (size_t i = 0; i < look->tree->n_devices; i++) {
		int device = look->tree->devices[i];
		const struct sb_estimate *e = &look->devices[device].loss;

		estimate_loss(look, device);
		if (look_has(e))
			h[n++] = (struct hypothesis){
				.p = 1 - sb_estimate_above(e, sb_loss_to_log(LOSS_PRACTICAL)),
				.index = (size_t)device};
	}
	judge_holm(h, n, n);
	for (size_t i = 0; i < n; i++) {
		struct look_device *d = &look->devices[h[i].index];

		d->loser = h[i].rejected && !d->foreign &&
			   d->loss.mean >= sb_loss_to_log(LOSS_DISK) &&
			   d->loss.least >= sb_loss_to_log(LOSS_FREE);
	}
	return 0;
}
