/* Within the files that run a command's copies. */
#ifndef SATABENCH_COMMAND_PRIV_H
#define SATABENCH_COMMAND_PRIV_H

#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "satabench/clock.h"
#include "satabench/command.h"
#include "satabench/sample.h"

/* Shared memory by which a copy tells us of its start, up to its execve. */
struct command_slot {
	_Atomic uint32_t ready; /* it stands at the gate */
	uint64_t start_ns;	/* CLOCK_MONOTONIC; 0: not yet */
	int error;		/* why it could not be executed, errno; 0 */
	int status;		/* ... and what it then exited with */
};

struct sb_command {
	/* signals */
	int signal_fd;
	sigset_t taken; /* what we read from signal_fd */
	sigset_t mask_before;
	struct sigaction pipe_before, child_before;
	int first_signal;
	unsigned n_signals; /* a second one asks to leave without waiting */
	uint64_t last_signal_ns;

	/* copies */
	struct sb_exec *exec;
	bool apart;
	pid_t *pids;	 /* by copy; 0: has ended */
	pid_t *sessions; /* by copy: that it leads, where it is apart */
	size_t n_alive;
	int gate[2];
	struct command_slot *slots; /* shared; by copy */
};

/* command_signals.c */
int command_signals_take(struct sb_command *command);
/* In a copy, before its execve: as if there had been no satabench. */
void command_signals_child(const struct sb_command *command);
void command_signals_back(struct sb_command *command);
/* Waits until `deadline_ns` for signals and does what they ask for; true: children have ended. */
bool command_signals_wait(struct sb_command *command, uint64_t deadline_ns);
/* `number` to all that descend from us; how many these were. */
size_t command_signal_all(int number);

/* command_reap.c: takes the children that have ended; `gate_ns` is the gate's time. */
void command_reap(struct sb_command *command, uint64_t gate_ns);

/* command_child.c: a copy's process, from its fork on. */
_Noreturn void command_child(const struct sb_command *command, size_t index, char *const *argv,
			     int in_fd, int out_fd, int err_fd);

#endif
