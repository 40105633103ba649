/* What a worker tells while it works: one cache-aligned block a worker. One writer, relaxed
 * atomics; anyone may read at any time, also of a worker that hangs. */
#ifndef SATABENCH_LIVE_H
#define SATABENCH_LIVE_H

#include <stdatomic.h>
#include <stdint.h>

#include "satabench/hist.h"

enum sb_live_state {
	SB_LIVE_IDLE,
	SB_LIVE_PREPARING,
	SB_LIVE_READY,
	SB_LIVE_RUNNING,
	SB_LIVE_ENDED
};

struct sb_live {
	_Alignas(128) _Atomic uint64_t bytes; /* of the current phase, since the gate */
	_Atomic uint64_t operations;
	_Atomic uint64_t errors;
	_Atomic uint64_t last_done_ns; /* time of the newest completion, or of the gate */
	_Atomic int state;	       /* enum sb_live_state */
	const struct sb_hist *latency; /* since the common window began; NULL: not known */
};

#endif
