#include <math.h>

#include "satabench/units.h"
#include "judge_priv.h"

/* Through the page cache the kernel reads ahead of us, also past the last byte we took. */
#define READAHEAD_BYTES (16.0 * (1 << 20))

/* What all jobs of the phase can have read on the device of `job`: its own bytes, and those of
 * arrays, partitions and files that lie on it. */
static double our_bytes(const struct sb_result *result, const struct sb_phase *phase,
			const struct sb_job *job)
{
	int node = result->devices[job->device].node;
	double sum = 0;

	for (size_t i = 0; i < phase->n_jobs; i++) {
		const struct sb_job *other = &phase->jobs[i];
		bool is_device = other->device >= 0 && (size_t)other->device < result->n_devices;
		int from = is_device ? result->devices[other->device].node : -1;

		if (other == job || (node >= 0 && sb_topo_reaches(&result->topo, from, node)))
			sum += (double)other->bytes + (double)other->outside_bytes;
	}
	return sum;
}

double judge_foreign_share(const struct sb_result *result, const struct sb_phase *phase,
			   const struct sb_job *job)
{
	double ours, excess, writes;

	if (job->device < 0 || (size_t)job->device >= result->n_devices ||
	    !result->devices[job->device].counts_all || !judge_has_rate(job) || job->n_errors ||
	    job->device_bytes == SB_NONE_U64)
		return NAN;
	ours = our_bytes(result, phase, job);
	if (ours <= 0)
		return NAN;
	excess = (double)job->device_bytes - ours;
	if (result->options.buffered)
		excess -= READAHEAD_BYTES;
	writes = job->device_write_bytes == SB_NONE_U64 ? 0 : (double)job->device_write_bytes;
	return (fmax(excess, 0) + writes) / ours;
}
