/* Signals while copies run. They are blocked and read from a descriptor, so nothing is interrupted
 * and none is lost. Copies apart are sessions of their own, which the terminal does not reach: all
 * is passed on to them, stopping and going on, too. A copy that is not apart gets what the terminal
 * sends by itself. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "command_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#define DEPTH_MOST 64

#define TWICE_NS (5 * SB_NS_PER_SEC)

static const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

int command_signals_take(struct sb_command *c)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN},
			       standard = {.sa_handler = SIG_DFL};
	struct sigaction was;

	sigemptyset(&c->taken);
	sigaddset(&c->taken, SIGCHLD);
	for (size_t i = 0; i < SB_COUNT(wanted); i++)
		/* nohup, and background jobs of simple shells, start with some ignored */
		if (sigaction(wanted[i], NULL, &was) != 0 || was.sa_handler != SIG_IGN)
			sigaddset(&c->taken, wanted[i]);
	if (sigprocmask(SIG_BLOCK, &c->taken, &c->mask_before) != 0)
		return -errno;
	sigaction(SIGPIPE, &ignored, &c->pipe_before);
	/* ignored, as some programs leave it, it would keep children from being waited for */
	sigaction(SIGCHLD, &standard, &c->child_before);
	c->signal_fd = signalfd(-1, &c->taken, SFD_CLOEXEC | SFD_NONBLOCK);
	if (c->signal_fd < 0) {
		int rc = -errno;

		command_signals_child(c);
		return rc;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return 0;
}

void command_signals_child(const struct sb_command *c)
{
	sigaction(SIGPIPE, &c->pipe_before, NULL);
	sigaction(SIGCHLD, &c->child_before, NULL);
	sigprocmask(SIG_SETMASK, &c->mask_before, NULL);
}

void command_signals_back(struct sb_command *c)
{
	close(c->signal_fd);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	command_signals_child(c);
}

/* Its children are listed before it gets the signal, which may end it: they would then be ours. */
static size_t signal_tree(pid_t pid, int number, int depth);

static size_t signal_list(const char *list, int number, int depth)
{
	size_t n = 0;
	char *end;

	for (long pid = strtol(list, &end, 10); end != list; pid = strtol(list, &end, 10)) {
		list = end;
		if (pid > 1)
			n += signal_tree((pid_t)pid, number, depth);
	}
	return n;
}

/* The children of all threads of a process, as decimal numbers; NULL */
static char *children_of(pid_t pid)
{
	SB_AUTO_FREE char *folder = sb_format("/proc/%d/task", (int)pid);
	int fd = folder ? sb_open_readonly(AT_FDCWD, folder, O_DIRECTORY) : -1;
	SB_AUTO_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	char *all = NULL;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && (entry = readdir(dir))) {
		SB_AUTO_FREE char *path = sb_format("%s/%s/children", folder, entry->d_name);
		SB_AUTO_FREE char *list =
			path && entry->d_name[0] != '.' ? sb_read_all(path, NULL) : NULL;
		char *longer = list ? sb_format("%s %s", all ? all : "", list) : NULL;

		if (!longer)
			continue;
		free(all);
		all = longer;
	}
	return all;
}

static size_t signal_tree(pid_t pid, int number, int depth)
{
	SB_AUTO_FREE char *children = depth < DEPTH_MOST ? children_of(pid) : NULL;
	size_t n = kill(pid, number) == 0;

	return n + (children ? signal_list(children, number, depth + 1) : 0);
}

size_t command_signal_all(int number)
{
	SB_AUTO_FREE char *children = children_of(getpid());

	return children ? signal_list(children, number, 0) : 0;
}

/* Where the kernel has no lists of children: the copies, and the sessions that they lead. */
static void pass_on(const struct sb_command *c, int number)
{
	if (command_signal_all(number) > 0)
		return;
	for (size_t i = 0; c->exec && i < c->exec->n_copies; i++)
		if (c->pids[i] > 0)
			kill(c->apart ? -c->pids[i] : c->pids[i], number);
}

/* Ctrl-Z: the copies stop, and we with them until the shell lets us go on. */
static void pause_all(const struct sb_command *c)
{
	if (c->apart)
		pass_on(c, SIGSTOP);
	raise(SIGSTOP);
	if (c->apart)
		pass_on(c, SIGCONT);
}

/* What the terminal sends is meant for the copy in its foreground, which may well live on: it ends
 * nothing here, unless it comes twice in a short time. */
static void take_stop(struct sb_command *c, const struct signalfd_siginfo *info)
{
	bool is_theirs = !c->apart && info->ssi_code == SI_KERNEL;
	int number = (int)info->ssi_signo;
	uint64_t now = sb_now_ns();

	if (is_theirs && c->first_signal == 0 && now > c->last_signal_ns + TWICE_NS)
		c->n_signals = 0;
	c->last_signal_ns = now;
	c->n_signals++;
	if (c->first_signal == 0 && (!is_theirs || c->n_signals > 1))
		c->first_signal = number;
	if (c->n_signals > 1)
		pass_on(c, SIGKILL);
	else if (!is_theirs)
		pass_on(c, number);
}

bool command_signals_wait(struct sb_command *c, uint64_t deadline_ns)
{
	uint64_t now = sb_now_ns(), left = deadline_ns > now ? deadline_ns - now : 0;
	struct timespec timeout = {.tv_sec = (time_t)(left / SB_NS_PER_SEC),
				   .tv_nsec = (long)(left % SB_NS_PER_SEC)};
	struct pollfd fd = {.fd = c->signal_fd, .events = POLLIN};
	struct signalfd_siginfo info;
	bool ended = false;

	if (ppoll(&fd, 1, &timeout, NULL) <= 0)
		return false;
	while (read(c->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			ended = true;
		else if (info.ssi_signo == SIGTSTP)
			pause_all(c);
		else
			take_stop(c, &info);
	}
	return ended;
}
