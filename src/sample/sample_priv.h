/* Within the room only. */
#ifndef SATABENCH_SAMPLE_PRIV_H
#define SATABENCH_SAMPLE_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "satabench/clock.h"
#include "satabench/cpu.h"

/* The root cgroup's CPU time: v1's cpuacct.usage, which counts nanoseconds; else v2's cpu.stat,
 * which at the root is made of ticks. */
struct cgroup_usage {
	int fd; /* -1: none */
	bool v2;
};

/* 0 or negative errno; then fd is negative and readings have no value. */
int sample_cgroup_open(struct cgroup_usage *usage);
/* Nanoseconds; SB_NONE_U64 */
uint64_t sample_cgroup_read(const struct cgroup_usage *usage);

/* Where the text of /proc/stat is read into; grows when it must. */
struct stat_text {
	char *text;
	size_t size;
};

/* Reads the CPU lines from an open /proc/stat, from its beginning; sets time_ns, too. */
int sample_stat_read(int fd, struct stat_text *text, struct sb_cpu_reading *reading);

#endif
