/* Taking what the kernel knows of a process that has ended: its own usage, and that of all that it
 * has waited for. What it left behind came to us, and is told by its session whose it was. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command_priv.h"
#include "satabench/cleanup.h"
#include "satabench/device.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define USAGE_BLOCK 512 /* of ru_inblock and ru_oublock, on Linux */

/* /proc/PID/io, also of a process that has ended and was not waited for yet. */
struct proc_io {
	uint64_t read_bytes, write_bytes, cancelled_bytes, read_call_bytes, write_call_bytes;
};

static bool read_io(pid_t pid, struct proc_io *io)
{
	const struct {
		const char *key;
		uint64_t *value;
	} rows[] = {{"rchar: ", &io->read_call_bytes},
		    {"wchar: ", &io->write_call_bytes},
		    {"\nread_bytes: ", &io->read_bytes},
		    {"\nwrite_bytes: ", &io->write_bytes},
		    {"cancelled_write_bytes: ", &io->cancelled_bytes}};
	SB_AUTO_FREE char *path = sb_format("/proc/%d/io", (int)pid);
	char text[512];

	if (!path || sb_read_text(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;
	for (size_t i = 0; i < SB_COUNT(rows); i++) {
		const char *at = strstr(text, rows[i].key);
		unsigned long long value;

		if (!at || sscanf(at + strlen(rows[i].key), "%llu", &value) != 1)
			return false;
		*rows[i].value = value;
	}
	return true;
}

/* The sixth field of /proc/PID/stat; 0: not known. */
static pid_t session_of(pid_t pid)
{
	SB_AUTO_FREE char *path = sb_format("/proc/%d/stat", (int)pid);
	char text[1024];
	const char *behind;
	int session;

	if (!path || sb_read_text(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return 0;
	behind = strrchr(text, ')'); /* of its name, which may have anything in it */
	return behind && sscanf(behind + 1, " %*c %*d %*d %d", &session) == 1 ? session : 0;
}

static uint64_t of_timeval(struct timeval t)
{
	return (uint64_t)t.tv_sec * SB_NS_PER_SEC + (uint64_t)t.tv_usec * 1000;
}

static void add(uint64_t *sum, uint64_t value)
{
	*sum = *sum == SB_NONE_U64 ? value : *sum + value;
}

static void add_io(struct sb_copy *copy, const struct rusage *usage, const struct proc_io *io)
{
	if (io) {
		add(&copy->read_bytes, io->read_bytes);
		add(&copy->write_bytes, io->write_bytes);
		add(&copy->cancelled_bytes, io->cancelled_bytes);
		add(&copy->read_call_bytes, io->read_call_bytes);
		add(&copy->write_call_bytes, io->write_call_bytes);
	} else {
		add(&copy->read_bytes, (uint64_t)usage->ru_inblock * USAGE_BLOCK);
		add(&copy->write_bytes, (uint64_t)usage->ru_oublock * USAGE_BLOCK);
	}
	if (!copy->io_source || !io)
		(void)sb_set_string(&copy->io_source, io ? "/proc/PID/io" : "rusage");
}

static void add_usage(struct sb_copy *copy, const struct rusage *usage, const struct proc_io *io)
{
	uint64_t peak = (uint64_t)usage->ru_maxrss * 1024;

	add(&copy->user_ns, of_timeval(usage->ru_utime));
	add(&copy->system_ns, of_timeval(usage->ru_stime));
	if (copy->peak_bytes == SB_NONE_U64 || peak > copy->peak_bytes)
		copy->peak_bytes = peak;
	add(&copy->major_faults, (uint64_t)usage->ru_majflt);
	add(&copy->minor_faults, (uint64_t)usage->ru_minflt);
	add(&copy->voluntary_switches, (uint64_t)usage->ru_nvcsw);
	add(&copy->involuntary_switches, (uint64_t)usage->ru_nivcsw);
	add(&copy->processes, 1);
	add_io(copy, usage, io);
}

static void end_copy(struct sb_command *c, size_t i, int status, uint64_t since_gate_ns)
{
	struct sb_copy *copy = &c->exec->copies[i];
	const struct command_slot *slot = &c->slots[i];

	c->pids[i] = 0;
	c->n_alive--;
	copy->end_ns = since_gate_ns;
	copy->state = slot->error ? SB_COPY_FAILED : SB_COPY_ENDED;
	if (slot->error)
		(void)sb_set_string(&copy->message, strerror(slot->error));
	if (WIFEXITED(status))
		copy->status = WEXITSTATUS(status);
	else
		copy->signal = WTERMSIG(status);
}

/* Index of the copy whose the process is; n_copies: of none. */
static size_t copy_of(const struct sb_command *c, pid_t pid, pid_t session)
{
	size_t i = 0;

	while (i < c->exec->n_copies && c->pids[i] != pid)
		i++;
	if (i < c->exec->n_copies)
		return i;
	if (!c->apart)
		return 0;
	for (i = 0; i < c->exec->n_copies && c->sessions[i] != session; i++)
		;
	return i;
}

static void reap_one(struct sb_command *c, pid_t pid, uint64_t since_gate_ns)
{
	size_t i = copy_of(c, pid, session_of(pid));
	struct proc_io io;
	bool has_io = read_io(pid, &io);
	struct rusage usage;
	int status;

	if (wait4(pid, &status, WNOHANG, &usage) != pid || i == c->exec->n_copies)
		return;
	add_usage(&c->exec->copies[i], &usage, has_io ? &io : NULL);
	if (c->pids[i] == pid)
		end_copy(c, i, status, since_gate_ns);
}

void command_reap(struct sb_command *c, uint64_t gate_ns)
{
	for (;;) {
		siginfo_t info = {0};

		/* not waited for yet: /proc still has it */
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
			return;
		reap_one(c, info.si_pid, sb_now_ns() - gate_ns);
	}
}
