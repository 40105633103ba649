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
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_priv.h"
#include "satabench/action.h"
#include "satabench/clock.h"
#include "satabench/file.h"

#define ONE_WISH_NS (SB_NS_PER_SEC / 4)

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
#define PASSED_ON (sizeof(passed_on) / sizeof(passed_on[0]))

/* What the child says: its status, or about a scratch folder, whose descriptors go with it. */
struct word {
	enum { WORD_STATUS, WORD_SCRATCH, WORD_GONE } kind;
	int status;
	struct sb_scratch scratch;
};
union rights {
	struct cmsghdr header;
	char space[CMSG_SPACE(2 * sizeof(int))];
};

static int to_keeper = -1; /* child: a socket; -1 without a keeper */
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

/* 1: a word; 0: the child is gone. */
static int hear(int from_child, struct word *word)
{
	union rights rights;
	struct iovec iov = {word, sizeof(*word)};
	struct msghdr message = {.msg_iov = &iov,
				 .msg_iovlen = 1,
				 .msg_control = &rights,
				 .msg_controllen = sizeof(rights)};
	const struct cmsghdr *with;
	int fds[2] = {-1, -1};
	ssize_t n;

	do
		n = recvmsg(from_child, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(*word))
		return 0;
	with = CMSG_FIRSTHDR(&message);
	if (with && with->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(with), with->cmsg_len - CMSG_LEN(0));
	word->scratch.parent_fd = fds[0];
	word->scratch.fd = fds[1];
	return 1;
}

static _Noreturn void leave(struct base_leftovers *left, int status)
{
	base_leftovers_remove(left);
	/* what a child that was killed has left */
	sb_check_end_all();
	_exit(status);
}

static _Noreturn void keep(pid_t child, int from_child, const sigset_t *set)
{
	struct pollfd fds[2] = {{.fd = from_child, .events = POLLIN}, {.events = POLLIN}};
	struct base_leftovers left = {0};
	struct word word = {0};

	fds[1].fd = signalfd(-1, set, SFD_CLOEXEC);
	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			leave(&left, status_of(child));
		if (fds[1].revents & POLLIN)
			pass_on(fds[1].fd, child);
		if (!(fds[0].revents & (POLLIN | POLLHUP | POLLERR)))
			continue;
		if (!hear(from_child, &word))
			leave(&left, status_of(child));
		if (word.kind == WORD_STATUS)
			leave(&left, word.status);
		if (word.kind == WORD_SCRATCH)
			base_leftovers_add(&left, &word.scratch);
		else
			base_leftovers_gone(&left, word.scratch.id);
	}
}

static void say(const struct word *word, const int *fds, size_t n)
{
	union rights rights = {0};
	struct iovec iov = {(void *)(uintptr_t)word, sizeof(*word)};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};

	if (to_keeper < 0)
		return;
	if (n > 0) {
		message.msg_control = &rights;
		message.msg_controllen = CMSG_SPACE(n * sizeof(int));
		rights.header.cmsg_level = SOL_SOCKET;
		rights.header.cmsg_type = SCM_RIGHTS;
		rights.header.cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(&rights.header), fds, n * sizeof(int));
	}
	while (sendmsg(to_keeper, &message, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

void base_tell_scratch(const struct sb_scratch *scratch)
{
	struct word word = {.kind = WORD_SCRATCH, .scratch = *scratch};
	int fds[2] = {scratch->parent_fd, scratch->fd};

	say(&word, fds, scratch->fd < 0 ? 1 : 2);
}

void base_tell_gone(const struct sb_scratch *scratch)
{
	struct word word = {.kind = WORD_GONE, .scratch = *scratch};

	say(&word, NULL, 0);
}

int sb_keeper_start(void)
{
	sigset_t set, old;
	int fds[2];
	pid_t parent = getpid(), child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0)
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
	to_keeper = fds[1];
	/* A killed keeper is a request to stop. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return 0;
}

void sb_keeper_release(int status)
{
	struct word word = {.kind = WORD_STATUS, .status = (unsigned char)status};
	int null_in, null_out;

	if (to_keeper < 0)
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
	say(&word, NULL, 0);
	close(to_keeper);
	to_keeper = -1;
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
