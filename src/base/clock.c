#include "satabench/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int sb_sleep_until(uint64_t deadline_ns)
{
	struct timespec t = {.tv_sec = (time_t)(deadline_ns / SB_NS_PER_SEC),
			     .tv_nsec = (long)(deadline_ns % SB_NS_PER_SEC)};

	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

char *sb_format_time(char buf[SB_TIME_TEXT], const struct timespec *realtime)
{
	struct tm tm;
	char text[32];
	long minutes;

	localtime_r(&realtime->tv_sec, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	minutes = tm.tm_gmtoff / 60;
	snprintf(buf, SB_TIME_TEXT, "%s%c%02ld:%02ld", text, minutes < 0 ? '-' : '+',
		 labs(minutes) / 60 % 100, labs(minutes) % 60);
	return buf;
}
