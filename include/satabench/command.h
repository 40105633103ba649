/* Running copies of a command, all started at once, under the sampler. Main thread; no other may
 * exist before sb_command_fork has returned. */
#ifndef SATABENCH_COMMAND_H
#define SATABENCH_COMMAND_H

#include <stdbool.h>

#include "satabench/result.h"
#include "satabench/series.h"

struct sb_command;

struct sb_command_wish {
	char *const *argv;	    /* ends in NULL; {dir} is replaced */
	bool numbered;		    /* {} is replaced, too */
	const int *out_fd, *err_fd; /* by copy: its standard output and error; -1: ours */
	bool apart; /* each is a session of its own and reads nothing; else one copy, as a shell
		     * would start it: in our group, on our terminal, with our input */
};

/* About ten times a second while the copies run, and once at the end. */
struct sb_command_watch {
	void (*tick)(void *arg, struct sb_phase *phase, const struct sb_series *series);
	void *arg;
};

/* From here to sb_command_destroy SIGINT, SIGTERM, SIGHUP and SIGQUIT wait to be passed on, and
 * processes that the copies leave behind come to us. 0 or negative errno. */
int sb_command_create(struct sb_command **out);
/* Makes a process of each of exec's copies, with its `directory`; they wait at the gate. 0, or
 * negative errno after an sb_error. */
int sb_command_fork(struct sb_command *command, struct sb_exec *exec,
		    const struct sb_command_wish *wish);
/* Opens the gate and returns when all copies have ended; fills the outcome of the phase and of its
 * copies. A signal is passed on to all that the copies have started; after a second one they are
 * killed, and what does not go is left (SB_COPY_LEFT). 0 or negative errno. */
int sb_command_run(struct sb_command *command, struct sb_result *result, struct sb_phase *phase,
		   const struct sb_command_watch *watch);
/* Waits for a child of ours that is no copy. Its exit status; -EINTR: a further signal came first,
 * and the child was killed. */
int sb_command_wait(struct sb_command *command, pid_t child);
/* The first signal that came; 0 */
int sb_command_signal(const struct sb_command *command);
/* Signals are handled as before; NULL is allowed. */
void sb_command_destroy(struct sb_command *command);

/* `word` with {dir}, and with `numbered` {}, replaced; malloc'ed, NULL out of memory. */
char *sb_command_word(const char *word, const struct sb_copy *copy, bool numbered);

#endif
