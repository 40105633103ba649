/* Random: whole blocks at block-aligned places, evenly spread over the span. */
#include "load_priv.h"

/* xorshift64 (Marsaglia 2003, "Xorshift RNGs"): a few cycles, and the quality matters little here
 */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void next(struct sb_worker *w, uint64_t *offset_bytes, uint64_t *length)
{
	const struct sb_job *job = w->job;
	uint64_t blocks = job->span_bytes / job->block_bytes, at;

	if (blocks == 0) { /* the span is smaller than a block */
		*offset_bytes = job->offset_bytes;
		*length = job->span_bytes;
		return;
	}
	/* multiply-shift instead of a division */
	at = (uint64_t)(((unsigned __int128)draw(&w->random) * blocks) >> 64);
	*offset_bytes = job->offset_bytes + at * job->block_bytes;
	*length = job->block_bytes;
}

const struct sb_workload sb_workload_randread = {"randread", "random reads of whole blocks", next};
