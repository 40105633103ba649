/* Sequential: block after block through the span; at its end begin again. */
#include "load_priv.h"

static void next(struct sb_worker *w, uint64_t *offset_bytes, uint64_t *length)
{
	const struct sb_job *job = w->job;
	uint64_t left;

	if (w->position >= job->span_bytes) {
		w->wrapped = true;
		w->position = 0;
	}
	left = job->span_bytes - w->position;
	*length = left < job->block_bytes ? left : job->block_bytes;
	*offset_bytes = job->offset_bytes + w->position;
	w->position += *length;
}

const struct sb_workload sb_workload_read = {"read", "sequential reads", next};
