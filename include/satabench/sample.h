/* Watching counters: /proc/stat and the devices' own. The sampler thread is the only writer of a
 * series; readings at the ends of a window are taken in the caller's thread. */
#ifndef SATABENCH_SAMPLE_H
#define SATABENCH_SAMPLE_H

#include <stdbool.h>

#include "satabench/cpu.h"
#include "satabench/live.h"
#include "satabench/plan.h"
#include "satabench/series.h"
#include "satabench/topo.h"

/* Parses the text of /proc/stat (length bytes, need not be terminated). 0; -ENODATA when the line
 * of all CPUs is missing or has fewer than four columns; -ENOMEM. Of two total lines the first
 * counts; a total of zeros (lxcfs) with CPU lines is replaced by their sum. time_ns is left. */
int sb_cpu_parse(const char *text, size_t length, struct sb_cpu_reading *reading);
void sb_cpu_reading_free(struct sb_cpu_reading *reading);

/* end - start, as iostat does it: a field that steps back counts 0, a CPU that is not in both is
 * left out. Fills total, cpus, wall_ns and ticks_per_second of `out` (freed by sb_phase_free or
 * free(out->cpus)). 0 or -ENOMEM. */
int sb_cpu_delta(const struct sb_cpu_reading *start, const struct sb_cpu_reading *end,
		 struct sb_cpu_counters *out);

/* What all CPUs did between one look and the next. Any one thread. 0 or negative errno. */
struct sb_cpu_watch;
int sb_cpu_watch_create(struct sb_cpu_watch **out); /* with the first look */
/* As sb_cpu_delta. */
int sb_cpu_watch_read(struct sb_cpu_watch *watch, struct sb_cpu_counters *out);
void sb_cpu_watch_destroy(struct sb_cpu_watch *watch);

/* A device's counters, fields 1, 3, 5, 7 and 10 of /sys/class/block/X/stat. */
struct sb_disk_reading {
	uint64_t read_operations, read_bytes, write_operations, write_bytes, busy_ms;
};
/* From an open descriptor by pread. 0 or negative errno (-ENODATA: not of this shape). */
int sb_disk_read(int fd, struct sb_disk_reading *reading);

/* Which whole block devices move between two moments: the counters of all that are there when it is
 * opened, in the order of their names. Main thread. */
struct sb_disks;
/* 0 or negative errno. `folder` is SB_DISKS_FOLDER, but for tests. */
int sb_disks_open(struct sb_disks **out, const char *folder);
void sb_disks_start(struct sb_disks *disks);
/* Adds those that moved since. 0 or -ENOMEM. */
int sb_disks_end(const struct sb_disks *disks, const struct sb_topo *topo, struct sb_exec *exec);
void sb_disks_close(struct sb_disks *disks);
#define SB_DISKS_FOLDER "/sys/block"

/* Both ends of a window: CPU, own CPU time and the root cgroup's. */
struct sb_snapshot {
	struct sb_cpu_reading cpu;
	uint64_t own_ns;
	uint64_t cgroup_ns; /* SB_NONE_U64 where it cannot be read */
};

/* Links and controllers between devices and processor. The calls are the main thread's, before and
 * while workers read. `nodes`: indices of devices, -1 is left out; their paths count, also those of
 * what they are made of. */
struct sb_hops;
/* Opens the links' files; keeps the pointer to the topology. 0 or -ENOMEM. */
int sb_hops_create(struct sb_hops **out, const struct sb_topo *topo, const int *nodes, size_t n);
void sb_hops_destroy(struct sb_hops *hops);
/* Fills phase->links. 0 or -ENOMEM. */
int sb_hops_read_links(struct sb_hops *hops, const int *nodes, size_t n, struct sb_phase *phase);
/* Both ends of a phase; the second fills phase->interrupts: 0 or -ENOMEM. */
void sb_hops_start_interrupts(struct sb_hops *hops, const int *nodes, size_t n);
int sb_hops_end_interrupts(struct sb_hops *hops, struct sb_phase *phase);
/* "3,0,17" by CPU, added to `sums`; fewer columns are allowed. 0 or -ENODATA. */
int sb_irq_parse(const char *text, uint64_t *sums, size_t n);

/* How often CPUs were slowed by heat since the start of the machine, summed over those in `folder`
 * (/sys/devices/system/cpu); SB_NONE_U64 where the kernel does not count it. */
uint64_t sb_throttle_read(const char *folder);
#define SB_CPU_FOLDER "/sys/devices/system/cpu"

struct sb_sampler;

/* Opens /proc/stat and the cgroup's file once. 0 or negative errno. */
int sb_sampler_create(struct sb_sampler **out);
/* Caller's thread, at once. */
int sb_sampler_snapshot(struct sb_sampler *sampler, struct sb_snapshot *snapshot);
void sb_snapshot_free(struct sb_snapshot *snapshot);
/* out->total etc. by sb_cpu_delta, own_ns, cgroup_ns; sets valid. */
int sb_snapshot_delta(const struct sb_snapshot *start, const struct sb_snapshot *end,
		      struct sb_cpu_counters *out);

/* Starts rows into `series`: job i has live[i] and the descriptor stat_fd[i] (-1: none). 10 Hz for
 * the first minute, 1 Hz after; CPU rows 1 Hz above 64 CPUs. Absolute deadlines; the thread is
 * parked between phases. Arrays must stay valid until stop. 0 or negative errno. */
int sb_sampler_start(struct sb_sampler *sampler, struct sb_series *series,
		     const struct sb_live *const *live, const int *stat_fd, size_t n);
/* Takes a last row and parks the thread. */
void sb_sampler_stop(struct sb_sampler *sampler);
void sb_sampler_destroy(struct sb_sampler *sampler);

#endif
