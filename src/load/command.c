/* Copies of a command under the sampler: fork, gate, run, and always come back. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_priv.h"
#include "satabench/cleanup.h"
#include "satabench/device.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

#define TICK_NS (SB_NS_PER_SEC / 10)
#define READY_NS (5 * SB_NS_PER_SEC)
#define LEAVE_NS (2 * SB_NS_PER_SEC) /* after the copies were killed */

int sb_command_create(struct sb_command **out)
{
	struct sb_command *c = calloc(1, sizeof(*c));
	int rc = c ? command_signals_take(c) : -ENOMEM;

	if (rc < 0) {
		free(c);
		return rc;
	}
	c->gate[0] = c->gate[1] = -1;
	c->slots = MAP_FAILED;
	*out = c;
	return 0;
}

static size_t slots_bytes(const struct sb_command *c)
{
	return c->exec->n_copies * sizeof(*c->slots);
}

void sb_command_destroy(struct sb_command *c)
{
	if (!c)
		return;
	sb_cleanup_fd(&c->gate[0]);
	sb_cleanup_fd(&c->gate[1]);
	if (c->slots != MAP_FAILED)
		munmap(c->slots, slots_bytes(c));
	command_signals_back(c);
	free(c->pids);
	free(c->sessions);
	free(c);
}

int sb_command_signal(const struct sb_command *c)
{
	return c->first_signal;
}

static void free_words(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}

static char **words_of(const struct sb_copy *copy, const struct sb_command_wish *wish)
{
	size_t n = 0;
	char **words;

	while (wish->argv[n])
		n++;
	words = calloc(n + 1, sizeof(*words));
	for (size_t i = 0; words && i < n; i++) {
		words[i] = sb_command_word(wish->argv[i], copy, wish->numbered);
		if (!words[i]) {
			free_words(words);
			return NULL;
		}
	}
	return words;
}

static int fork_one(struct sb_command *c, size_t i, const struct sb_command_wish *wish, int null_fd)
{
	char **words = words_of(&c->exec->copies[i], wish);
	pid_t pid = words ? fork() : -1;
	int rc = words ? -errno : -ENOMEM;

	if (pid == 0)
		command_child(c, i, words, null_fd, wish->out_fd[i], wish->err_fd[i]);
	free_words(words);
	if (pid < 0)
		return rc;
	c->pids[i] = pid;
	c->sessions[i] = pid;
	c->n_alive++;
	return 0;
}

/* So that all start when the gate opens, and not when they are first let run. */
static void wait_ready(const struct sb_command *c)
{
	uint64_t deadline = sb_now_ns() + READY_NS;

	for (size_t i = 0; i < c->exec->n_copies; i++)
		while (!atomic_load(&c->slots[i].ready) && sb_now_ns() < deadline)
			sb_sleep_until(sb_now_ns() + SB_NS_PER_SEC / 10000);
}

static int prepare(struct sb_command *c, struct sb_exec *exec, const struct sb_command_wish *wish)
{
	c->exec = exec;
	c->apart = wish->apart;
	c->pids = calloc(exec->n_copies, sizeof(*c->pids));
	c->sessions = calloc(exec->n_copies, sizeof(*c->sessions));
	if (!c->pids || !c->sessions)
		return -ENOMEM;
	c->slots = mmap(NULL, slots_bytes(c), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (c->slots == MAP_FAILED || pipe2(c->gate, O_CLOEXEC) != 0)
		return -errno;
	return 0;
}

int sb_command_fork(struct sb_command *c, struct sb_exec *exec, const struct sb_command_wish *wish)
{
	SB_AUTO_FD int null_fd = wish->apart ? sb_open_readonly(AT_FDCWD, "/dev/null", 0) : -1;
	int rc = prepare(c, exec, wish);

	if (wish->apart && null_fd < 0)
		rc = null_fd;
	for (size_t i = 0; i < exec->n_copies && rc == 0; i++)
		rc = fork_one(c, i, wish, null_fd);
	/* those that there are see the gate close, and end */
	if (rc < 0)
		sb_error("cannot start the copies: %s", strerror(-rc));
	else
		wait_ready(c);
	return rc;
}

static int open_gate(const struct sb_command *c)
{
	SB_AUTO_FREE char *bytes = calloc(c->exec->n_copies, 1);
	ssize_t n = bytes ? write(c->gate[1], bytes, c->exec->n_copies) : -1;

	return n == (ssize_t)c->exec->n_copies ? 0 : bytes ? -EIO : -ENOMEM;
}

struct running {
	struct sb_sampler *sampler;
	struct sb_series *series;
	struct sb_disks *disks;
	struct sb_snapshot at_gate, at_end;
	uint64_t gate_ns;
};

static int prepare_watch(struct running *r)
{
	int rc = sb_sampler_create(&r->sampler);

	r->series = sb_series_create(0);
	if (rc == 0)
		rc = sb_disks_open(&r->disks, SB_DISKS_FOLDER);
	return rc < 0 ? rc : r->series ? 0 : -ENOMEM;
}

static void free_watch(struct running *r)
{
	sb_snapshot_free(&r->at_gate);
	sb_snapshot_free(&r->at_end);
	sb_disks_close(r->disks);
	sb_sampler_destroy(r->sampler);
	sb_series_destroy(r->series);
}

/* Until all copies have ended, or have been left. */
static void watch_copies(struct sb_command *c, const struct running *r, struct sb_phase *phase,
			 const struct sb_command_watch *watch)
{
	uint64_t tick = r->gate_ns + TICK_NS, killed = 0;

	while (c->n_alive > 0) {
		uint64_t now;

		if (command_signals_wait(c, tick))
			command_reap(c, r->gate_ns);
		now = sb_now_ns();
		if (now < tick)
			continue;
		tick = now + TICK_NS;
		if (c->n_alive > 0)
			watch->tick(watch->arg, phase, r->series);
		if (c->n_signals < 2)
			continue;
		/* also what was forked meanwhile */
		command_signal_all(SIGKILL);
		killed = killed ? killed : now;
		if (now > killed + LEAVE_NS)
			return;
	}
}

static void fill_starts(const struct sb_command *c, uint64_t gate_ns)
{
	for (size_t i = 0; i < c->exec->n_copies; i++) {
		struct sb_copy *copy = &c->exec->copies[i];
		uint64_t start = c->slots[i].start_ns;

		if (start >= gate_ns)
			copy->start_ns = start - gate_ns;
		if (c->pids[i] > 0)
			copy->state = SB_COPY_LEFT;
	}
}

int sb_command_run(struct sb_command *c, struct sb_result *result, struct sb_phase *phase,
		   const struct sb_command_watch *watch)
{
	struct running r = {0};
	int rc = prepare_watch(&r);

	if (rc == 0) {
		sb_disks_start(r.disks);
		sb_sampler_start(r.sampler, r.series, NULL, NULL, 0);
		sb_sampler_snapshot(r.sampler, &r.at_gate);
		r.gate_ns = sb_now_ns();
		rc = open_gate(c);
	}
	if (rc == 0) {
		phase->window_start_ns = 0;
		phase->started_s = 0;
		watch_copies(c, &r, phase, watch);
		phase->window_end_ns = sb_now_ns() - r.gate_ns;
		sb_sampler_snapshot(r.sampler, &r.at_end);
		rc = sb_disks_end(r.disks, &result->topo, c->exec);
		sb_sampler_stop(r.sampler);
		fill_starts(c, r.gate_ns);
		command_reap(c, r.gate_ns);
		c->exec->left_running = command_signal_all(0);
		sb_snapshot_delta(&r.at_gate, &r.at_end, &phase->counters);
		phase->done = true;
		phase->complete = c->first_signal == 0;
		watch->tick(watch->arg, phase, r.series);
	}
	free_watch(&r);
	return rc;
}

int sb_command_wait(struct sb_command *c, pid_t child)
{
	unsigned before = c->n_signals;
	int status;

	for (;;) {
		pid_t ended = waitpid(child, &status, WNOHANG);

		if (ended == child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
		if (ended < 0)
			return -errno;
		command_signals_wait(c, sb_now_ns() + TICK_NS);
		if (c->n_signals > before) {
			kill(child, SIGKILL);
			return -EINTR;
		}
	}
}
