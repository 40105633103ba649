/* burn - a square wave of CPU load on one core.
 *
 *   burn PERCENT PERIOD-MS SECONDS */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t period_ns, busy_ns, edge_ns, end_ns;

	if (argc != 4)
		return 2;
	period_ns = (uint64_t)(atof(argv[2]) * 1e6);
	busy_ns = (uint64_t)((double)period_ns * atof(argv[1]) / 100);
	edge_ns = now_ns();
	end_ns = edge_ns + (uint64_t)(atof(argv[3]) * 1e9);
	while (now_ns() < end_ns) {
		struct timespec next;

		while (now_ns() < edge_ns + busy_ns)
			;
		edge_ns += period_ns;
		next.tv_sec = (time_t)(edge_ns / 1000000000u);
		next.tv_nsec = (long)(edge_ns % 1000000000u);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return 0;
}
