/* Time. CLOCK_MONOTONIC in nanoseconds; any thread. */
#ifndef SATABENCH_CLOCK_H
#define SATABENCH_CLOCK_H

#include <stdint.h>
#include <time.h>

#define SB_NS_PER_SEC 1000000000ULL

static inline uint64_t sb_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SB_NS_PER_SEC + (uint64_t)t.tv_nsec;
}

static inline uint64_t sb_seconds_to_ns(double seconds)
{
	return (uint64_t)(seconds * 1e9 + 0.5);
}

/* Sleeps to an absolute time; returns early (-EINTR) on a signal. */
int sb_sleep_until(uint64_t deadline_ns);
/* RFC 3339 with the local offset, e.g. 2026-11-30T17:20:11+01:00. */
#define SB_TIME_TEXT 40
char *sb_format_time(char buf[SB_TIME_TEXT], const struct timespec *realtime);

#endif
