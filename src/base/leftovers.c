/* The keeper's side of scratch folders: removes what a child that was killed, or that hangs, has
 * left. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base_priv.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"

#define REMOVE_NS (20 * SB_NS_PER_SEC)

static struct sb_scratch *find(struct base_leftovers *list, uint32_t id)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->scratch[i].id == id)
			return &list->scratch[i];
	return NULL;
}

static void close_fds(const struct sb_scratch *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->parent_fd >= 0)
		close(s->parent_fd);
}

void base_leftovers_add(struct base_leftovers *list, const struct sb_scratch *scratch)
{
	struct sb_scratch *known = find(list, scratch->id), *more;

	if (known) {
		close_fds(known);
		*known = *scratch;
		return;
	}
	more = reallocarray(list->scratch, list->n + 1, sizeof(*more));
	if (!more) {
		close_fds(scratch);
		return;
	}
	list->scratch = more;
	list->scratch[list->n++] = *scratch;
}

void base_leftovers_gone(struct base_leftovers *list, uint32_t id)
{
	struct sb_scratch *known = find(list, id);

	if (!known)
		return;
	close_fds(known);
	*known = list->scratch[--list->n];
}

/* "/mnt/a/satabench.0123...", as the directory is called now. */
static char *path_of(const struct sb_scratch *s)
{
	SB_AUTO_FREE char *link = sb_format("/proc/self/fd/%d", s->parent_fd);
	SB_AUTO_FREE char *path = NULL;
	char parent[4096];
	ssize_t n = link ? readlink(link, parent, sizeof(parent) - 1) : -1;

	parent[n < 0 ? 0 : n] = '\0';
	path = sb_format("%s/%s", parent, s->name);
	return path ? sb_escape(path) : NULL;
}

static void say(const struct sb_scratch *s, const char *why)
{
	SB_AUTO_FREE char *path = path_of(s);

	dprintf(STDERR_FILENO, "satabench: warning: %s could not be removed: %s\n",
		path ? path : s->name, why);
}

/* What the process that removes tells of each folder. */
struct removed {
	size_t index;
	int rc;
};

static _Noreturn void remove_one(struct base_leftovers *list, size_t index, int to_keeper)
{
	struct sb_scratch *s = &list->scratch[index];
	int none = sb_open_readonly(AT_FDCWD, "/dev/null", 0);
	struct removed done = {.index = index};

	/* Should it hang, nobody may wait for its end of a pipe. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (none < 0 || dup2(none, fd) < 0)
			close(fd);
	done.rc = s->fd >= 0 ? 0 : base_scratch_find(s);
	if (done.rc == 0)
		done.rc = sb_scratch_remove(s);
	if (done.rc == -ENOENT) /* it had been told of, and never made */
		done.rc = 0;
	while (write(to_keeper, &done, sizeof(done)) < 0 && errno == EINTR)
		;
	_exit(0);
}

static bool hear(int from, uint64_t deadline_ns, struct removed *done)
{
	struct pollfd fd = {.fd = from, .events = POLLIN};
	uint64_t now = sb_now_ns();
	int rc = now < deadline_ns ? poll(&fd, 1, (int)((deadline_ns - now) / 1000000) + 1) : 0;

	return rc > 0 && read(from, done, sizeof(*done)) == (ssize_t)sizeof(*done);
}

/* By a process for each: a file system that hangs must hold neither the keeper nor the others. */
void base_leftovers_remove(struct base_leftovers *list)
{
	uint64_t deadline = sb_now_ns() + REMOVE_NS;
	struct removed done;
	int fds[2];

	if (list->n == 0 || pipe2(fds, O_CLOEXEC) != 0)
		return;
	for (size_t i = 0; i < list->n; i++)
		if (fork() == 0)
			remove_one(list, i, fds[1]);
	close(fds[1]);
	while (hear(fds[0], deadline, &done)) {
		if (done.rc < 0)
			say(&list->scratch[done.index], strerror(-done.rc));
		list->scratch[done.index].id = 0;
	}
	for (size_t i = 0; i < list->n; i++)
		if (list->scratch[i].id != 0)
			say(&list->scratch[i], "its file system hangs");
}
