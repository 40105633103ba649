#include "satabench/exec.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/units.h"

static const char *const state_names[SB_COPY_STATES] = {[SB_COPY_PLANNED] = "planned",
							[SB_COPY_ENDED] = "ended",
							[SB_COPY_FAILED] = "failed",
							[SB_COPY_LEFT] = "left"};

const char *sb_copy_state_name(int state)
{
	return state >= 0 && state < SB_COPY_STATES ? state_names[state] : "unknown";
}

int sb_copy_state_parse(const char *name)
{
	for (int i = 0; i < SB_COPY_STATES; i++)
		if (strcmp(state_names[i], name) == 0)
			return i;
	return -1;
}

int sb_copy_status(const struct sb_copy *copy)
{
	if (copy->signal > 0)
		return 128 + copy->signal % 128;
	/* it does not answer even to this one */
	return copy->status >= 0 ? copy->status : 128 + SIGKILL;
}

static const struct sb_copy no_copy = {.status = -1,
				       .signal = -1,
				       .start_ns = SB_NONE_U64,
				       .end_ns = SB_NONE_U64,
				       .user_ns = SB_NONE_U64,
				       .system_ns = SB_NONE_U64,
				       .peak_bytes = SB_NONE_U64,
				       .read_bytes = SB_NONE_U64,
				       .write_bytes = SB_NONE_U64,
				       .cancelled_bytes = SB_NONE_U64,
				       .read_call_bytes = SB_NONE_U64,
				       .write_call_bytes = SB_NONE_U64,
				       .major_faults = SB_NONE_U64,
				       .minor_faults = SB_NONE_U64,
				       .voluntary_switches = SB_NONE_U64,
				       .involuntary_switches = SB_NONE_U64,
				       .processes = SB_NONE_U64,
				       .wall_s = NAN,
				       .cpu_percent = NAN};

struct sb_exec *sb_exec_create(size_t n_copies)
{
	struct sb_exec *exec = calloc(1, sizeof(*exec));

	if (!exec)
		return NULL;
	exec->copies = calloc(n_copies + 1, sizeof(*exec->copies));
	if (!exec->copies) {
		free(exec);
		return NULL;
	}
	exec->n_copies = n_copies;
	exec->left_running = SB_NONE_U64;
	for (size_t i = 0; i < n_copies; i++) {
		exec->copies[i] = no_copy;
		exec->copies[i].number = (int)i + 1;
	}
	return exec;
}

void sb_exec_free(struct sb_exec *exec)
{
	if (!exec)
		return;
	for (size_t i = 0; i < exec->n_argv; i++)
		free(exec->argv[i]);
	free(exec->argv);
	for (size_t i = 0; i < exec->n_copies; i++) {
		free(exec->copies[i].directory);
		free(exec->copies[i].message);
		free(exec->copies[i].io_source);
	}
	free(exec->copies);
	for (size_t i = 0; i < exec->n_disks; i++)
		free(exec->disks[i].name);
	free(exec->disks);
	free(exec);
}

struct sb_disk_use *sb_exec_add_disk(struct sb_exec *exec, const char *name)
{
	struct sb_disk_use *more =
		reallocarray(exec->disks, exec->n_disks + 1, sizeof(*exec->disks));
	char *copy = strdup(name);

	if (more)
		exec->disks = more;
	if (!more || !copy) {
		free(copy);
		return NULL;
	}
	more[exec->n_disks] = (struct sb_disk_use){.node = -1,
						   .name = copy,
						   .read_bytes_s = NAN,
						   .write_bytes_s = NAN,
						   .reads_s = NAN,
						   .writes_s = NAN,
						   .busy_percent = NAN};
	return &more[exec->n_disks++];
}

int sb_exec_add_word(struct sb_exec *exec, const char *word)
{
	/* the last is NULL */
	char **more = reallocarray(exec->argv, exec->n_argv + 2, sizeof(*more));

	if (!more)
		return -ENOMEM;
	exec->argv = more;
	more[exec->n_argv] = strdup(word);
	if (!more[exec->n_argv])
		return -ENOMEM;
	more[++exec->n_argv] = NULL;
	return 0;
}
