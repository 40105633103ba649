/* Making I/O: engines, workloads, workers, the gate, running one phase. Devices are opened for
 * reading only. The calls are the main thread's; workers live inside. */
#ifndef SATABENCH_LOAD_H
#define SATABENCH_LOAD_H

#include "satabench/live.h"
#include "satabench/result.h"
#include "satabench/series.h"

struct sb_load;

/* Rows of the engine table, for help and for choosing; the last has name NULL. */
struct sb_engine_info {
	const char *name;
	const char *summary;
};
const struct sb_engine_info *sb_load_engines(void);
const struct sb_engine_info *sb_load_workloads(void);

/* What the main thread does while a phase runs, about ten times a second and at its end. `lives`:
 * by job of the phase. Never called by a worker. */
struct sb_load_watch {
	void (*tick)(void *arg, struct sb_phase *phase, const struct sb_series *series,
		     const struct sb_live *const *lives);
	void *arg;
};

/* Keeps pointers to options and result (devices) for its life. One worker thread per device is
 * started; with virtual time none. 0 or negative errno after an sb_error. */
int sb_load_create(struct sb_load **out, const struct sb_options *options, struct sb_result *result,
		   const struct sb_load_watch *watch);
/* Every worker opens and looks at its device, all in parallel, under the hang timeout; fills the
 * load part of the devices. A device that fails is marked so; 0 unless nothing could be tried. */
int sb_load_prepare(struct sb_load *load);
/* Runs phase `index` of the result and fills its outcome. `series` (created by load for the phase)
 * stays valid until the next call. 0; -EINTR when a stop signal ended it early; other negative
 * errno when it could not be run at all. */
int sb_load_run(struct sb_load *load, size_t index, const struct sb_series **series);
/* Has md check the arrays of the targets, and watches it as one phase without jobs: `tick` is
 * called with neither series nor lives. Every check is ended when this returns. 0; -EINTR when a
 * stop signal ended it early; other negative errno. */
int sb_load_md_check(struct sb_result *result, const struct sb_load_watch *tick);
/* 0, or -EINVAL and why that array is not to be checked now. */
int sb_load_md_refuses(const struct sb_md_array *array, const char **why);
/* Joins the workers that are not hung; true when all could be joined. */
bool sb_load_destroy(struct sb_load *load);

#endif
