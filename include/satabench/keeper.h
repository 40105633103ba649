/* The keeper: lets the command come back although a thread is stuck in the kernel.
 *
 * A thread in uninterruptible sleep keeps its whole process from ending, also after SIGKILL. So
 * main() calls sb_keeper_start() before any thread or device is touched: it forks once; the child
 * returns from it and does everything, the parent passes signals on and leaves with the status that
 * the child hands over by sb_keeper_release(), without waiting for the child to be reaped. */
#ifndef SATABENCH_KEEPER_H
#define SATABENCH_KEEPER_H

/* Returns only in the child (0) or on failure to fork (negative errno: run on without a keeper). */
int sb_keeper_start(void);
/* Child, after its last output: puts /dev/null on 0, 1 and 2 and hands `status` to the parent.
 * The caller then ends the process by _exit(). */
void sb_keeper_release(int status);

/* Signals that ask the run to stop: SIGINT, SIGTERM, SIGHUP, SIGQUIT. The handler only sets this;
 * 0 = none. SIGPIPE is ignored. */
void sb_stop_install(void);
int sb_stop_signal(void);
/* Number of stop signals seen: a second one asks to leave without waiting for anybody. */
int sb_stop_count(void);

#endif
