/* A command that was run in copies under the sampler: what phases of kind exec have. Plain data;
 * load fills it, judge derives, report reads. */
#ifndef SATABENCH_EXEC_H
#define SATABENCH_EXEC_H

#include <stddef.h>
#include <stdint.h>

enum sb_copy_state {
	SB_COPY_PLANNED,
	SB_COPY_ENDED,
	SB_COPY_FAILED, /* it could not be executed: `message` says why */
	SB_COPY_LEFT,	/* still there when satabench ended: it could not be killed */
	SB_COPY_STATES
};

/* One copy with its children: those that it, or they, have waited for, and those that it left
 * behind and that ended before the last copy. */
struct sb_copy {
	int number;		   /* from 1: what {} stands for */
	int state;		   /* enum sb_copy_state */
	char *directory;	   /* what {dir} stands for; NULL */
	char *message;		   /* NULL */
	int status;		   /* that it exited with; -1: it did not */
	int signal;		   /* that ended it; -1: none */
	uint64_t start_ns, end_ns; /* since the gate; SB_NONE_U64. Before its execve, and when it
				    * was seen to have ended */
	/* SB_NONE_U64: no value */
	uint64_t user_ns, system_ns;
	uint64_t peak_bytes;		  /* of the largest of its processes (ru_maxrss) */
	uint64_t read_bytes, write_bytes; /* that it caused block devices to move */
	uint64_t cancelled_bytes;	  /* of write_bytes: thrown away before they were written */
	uint64_t read_call_bytes, write_call_bytes; /* by read(), write() and their like */
	char *io_source; /* of the block I/O: "/proc/PID/io", or "rusage", in blocks of 512 */
	uint64_t major_faults, minor_faults;
	uint64_t voluntary_switches, involuntary_switches;
	uint64_t processes; /* its own and those left behind that were waited for here */

	/* derived, judge */
	double wall_s;
	double cpu_percent; /* (user + system) / wall */
};

/* A whole block device whose counters moved between the gate and the last copy's end. */
struct sb_disk_use {
	int node;   /* index in the topology, -1: not there */
	char *name; /* the kernel's */
	uint64_t read_bytes, read_operations, write_bytes, write_operations;
	uint64_t busy_ms;

	/* derived, judge */
	double read_bytes_s, write_bytes_s, reads_s, writes_s;
	double busy_percent;
};

struct sb_exec {
	char **argv; /* as given, with {} and {dir} in it; owned */
	size_t n_argv;
	struct sb_copy *copies;
	size_t n_copies;
	struct sb_disk_use *disks;
	size_t n_disks;
	uint64_t left_running; /* processes of the copies that still ran at the end */
};

/* With n_copies copies, numbered, "no value" in all else; NULL out of memory. */
struct sb_exec *sb_exec_create(size_t n_copies);
void sb_exec_free(struct sb_exec *exec);
/* NULL out of memory */
struct sb_disk_use *sb_exec_add_disk(struct sb_exec *exec, const char *name);
/* 0 or -ENOMEM */
int sb_exec_add_word(struct sb_exec *exec, const char *word);

const char *sb_copy_state_name(int state);
int sb_copy_state_parse(const char *name); /* or -1 */
/* As a shell tells it: the exit status, 128 + the signal that ended it. */
int sb_copy_status(const struct sb_copy *copy);

#endif
