#include "satabench/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "satabench/action.h"
#include "satabench/clock.h"
#include "satabench/file.h"

#define ONE_WISH_NS (SB_NS_PER_SEC / 4)

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
#define PASSED_ON (sizeof(passed_on) / sizeof(passed_on[0]))

static int status_pipe = -1; /* child: where the status goes; -1 without a keeper */
static volatile sig_atomic_t stop_signal, stop_count;

/* A display that was cut off in the middle: colours off, and nothing below the cursor. */
static void tidy_terminal(void)
{
	static const char code[] = "\033[m\r\033[J";
	const char *term = getenv("TERM");
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0 &&
	    poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) &&
	    write(STDERR_FILENO, code, sizeof(code) - 1) < 0)
		return; /* gone: nothing to tidy */
}

/* The child ended without handing over a status: leave as it did. */
static int status_of(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (WIFSIGNALED(status))
		tidy_terminal();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void pass_on(int signals, pid_t child)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	/* What the terminal sends (Ctrl-C) reaches the whole foreground group by itself; twice
	 * would mean "leave at once" to the child. */
	if (info.ssi_code == SI_KERNEL)
		return;
	kill(child, (int)info.ssi_signo);
}

static _Noreturn void keep(pid_t child, int status_fd, const sigset_t *set)
{
	struct pollfd fds[2] = {{.fd = status_fd, .events = POLLIN}, {.events = POLLIN}};
	unsigned char status;
	ssize_t n;

	fds[1].fd = signalfd(-1, set, SFD_CLOEXEC);
	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents & POLLIN)
			pass_on(fds[1].fd, child);
		if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
			break;
	}
	do
		n = read(status_fd, &status, 1);
	while (n < 0 && errno == EINTR);
	/* what a child that was killed has left */
	sb_check_end_all();
	_exit(n == 1 ? status : status_of(child));
}

int sb_keeper_start(void)
{
	sigset_t set, old;
	int fds[2];
	pid_t parent = getpid(), child;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -errno;
	(void)sb_check_share(); /* without it only the keeper's part of it is missing */
	/* Blocked before the fork, so that no signal falls between. */
	sigemptyset(&set);
	for (size_t i = 0; i < PASSED_ON; i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	child = fork();
	if (child < 0) {
		int rc = -errno;

		sigprocmask(SIG_SETMASK, &old, NULL);
		close(fds[0]);
		close(fds[1]);
		return rc;
	}
	if (child > 0) {
		close(fds[1]);
		keep(child, fds[0], &set);
	}
	close(fds[0]);
	status_pipe = fds[1];
	/* A killed keeper is a request to stop. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return 0;
}

void sb_keeper_release(int status)
{
	unsigned char byte = (unsigned char)status;
	int null_in, null_out;

	if (status_pipe < 0)
		return;
	/* Else a shell's $(...) or a pipe would wait for a child that cannot end. */
	null_in = sb_open_readonly(AT_FDCWD, "/dev/null", 0);
	null_out = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null_in >= 0)
		dup2(null_in, STDIN_FILENO);
	if (null_out >= 0) {
		dup2(null_out, STDOUT_FILENO);
		dup2(null_out, STDERR_FILENO);
	} else { /* a container without /dev/null */
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
	}
	while (write(status_pipe, &byte, 1) < 0 && errno == EINTR)
		;
	close(status_pipe);
	status_pipe = -1;
}

/* A signal to the whole group reaches the child twice, by itself and through the keeper: one wish.
 */
static void on_stop(int number)
{
	static _Atomic uint64_t last_ns;
	uint64_t now = sb_now_ns();

	if (stop_count && now - last_ns < ONE_WISH_NS)
		return;
	last_ns = now;
	stop_signal = number;
	stop_count++;
}

void sb_stop_install(void)
{
	struct sigaction action = {.sa_handler = on_stop};
	struct sigaction ignored = {.sa_handler = SIG_IGN}, was;
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		/* nohup and background jobs of simple shells start with some ignored */
		if (sigaction(stops[i], NULL, &was) == 0 && was.sa_handler == SIG_IGN)
			continue;
		sigaction(stops[i], &action, NULL);
	}
	sigaction(SIGPIPE, &ignored, NULL);
}

int sb_stop_signal(void)
{
	return stop_signal;
}

int sb_stop_count(void)
{
	return stop_count;
}
