/* CPU time: ticks as /proc/stat has them, and iostat's figures made of them. Plain data. */
#ifndef SATABENCH_CPU_H
#define SATABENCH_CPU_H

#include <stddef.h>
#include <stdint.h>

/* /proc/stat's columns in its order. guest and guest_nice are already inside user and nice. */
enum sb_cpu_field {
	SB_CPU_USER,
	SB_CPU_NICE,
	SB_CPU_SYSTEM,
	SB_CPU_IDLE,
	SB_CPU_IOWAIT,
	SB_CPU_IRQ,
	SB_CPU_SOFTIRQ,
	SB_CPU_STEAL,
	SB_CPU_GUEST,
	SB_CPU_GUEST_NICE,
	SB_CPU_FIELDS
};

struct sb_cpu_ticks {
	uint64_t field[SB_CPU_FIELDS]; /* ticks of 1/sysconf(_SC_CLK_TCK) s; missing column: 0 */
};

struct sb_cpu_line {
	int cpu; /* number, -1 for the line of all */
	struct sb_cpu_ticks ticks;
};

/* One reading of /proc/stat. The array is owned and reused from reading to reading. */
struct sb_cpu_reading {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	struct sb_cpu_ticks total;
	struct sb_cpu_line *cpus; /* online ones, by number */
	size_t n_cpus, capacity;
};

/* Percent of all CPUs' time, 0-100; NaN = no value. */
struct sb_cpu_figures {
	double user, nice, system, iowait, steal, idle;
	double busy_exact; /* 100 x (1 - (idle + iowait + steal) / (online CPUs x wall)) */
	int busiest_cpu;   /* -1 = unknown */
	double busiest_busy, busiest_system, busiest_softirq; /* percent of that one CPU */
	double own_percent; /* satabench's own CPU time, percent of all CPUs */
};

#endif
