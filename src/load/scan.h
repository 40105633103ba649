/* A surface being read: what the worker of one device keeps beside the surface itself. Worker's own
 * after the gate; main makes it before and takes the surface from it after the end. */
#ifndef SATABENCH_LOAD_SCAN_H
#define SATABENCH_LOAD_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "satabench/surface.h"

struct sb_worker;

/* A request that failed, to be looked at in parts once the others in flight are back. */
struct sb_failed {
	uint64_t offset_bytes, length_bytes;
	int error;
};

struct sb_scan {
	struct sb_surface surface;
	uint64_t next;	       /* position of the next request */
	uint64_t last_done_ns; /* of the newest completion; 0: the gate */
	bool timed;	       /* what completes next is */
	uint64_t stall_end_ns; /* reads that were sent before it waited for the same slow one */
	uint64_t stall_ns;
	struct sb_failed *failed; /* one for each request in flight */
	uint64_t n_failed, n_room;

	/* the region of neighbouring failures, whose work is bounded */
	uint64_t region_end_bytes, region_start_ns;
	uint64_t region_failures, skip_bytes;
	uint64_t unsettled_bytes; /* where narrowing broke off */
};

struct sb_phase;

/* main, before the gate: what the worker's job in this phase needs, if anything. 0 or negative
 * errno. */
int sb_scan_attach(struct sb_worker *w, const struct sb_phase *phase);
void sb_scan_destroy(struct sb_scan *scan);
void sb_scan_done(struct sb_worker *w, uint64_t offset_bytes, uint64_t bytes, uint64_t submit_ns,
		  uint64_t done_ns);
void sb_scan_failed(struct sb_worker *w, uint64_t offset_bytes, uint64_t length_bytes, int error);
/* Nothing is in flight: narrows what failed. Whether reading goes on; *now_ns moves on. */
bool sb_scan_resume(struct sb_worker *w, uint64_t *now_ns);
/* main, when the worker has ended or hangs */
int sb_scan_outcome(const struct sb_worker *w, struct sb_surface *into, double elapsed_seconds);

#endif
