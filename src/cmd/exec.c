/* `exec [--copies N] -- COMMAND...`: any command under the sampler, as a run of devices is. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "beside.h"
#include "cmd_priv.h"
#include "describe.h"
#include "exec_output.h"
#include "out.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/command.h"
#include "satabench/fresh_dir.h"
#include "satabench/judge.h"
#include "satabench/keeper.h"
#include "satabench/log.h"
#include "satabench/probe.h"
#include "satabench/report.h"
#include "satabench/units.h"
#include "verbs.h"

#define EXIT_CANNOT 125 /* as env and nice have it; 126 and 127 are the copies' */

struct session {
	struct sb_result result;
	struct sb_phase *phase;
	char **argv; /* the command, within main's */
	size_t n;    /* copies */
	struct sb_command *command;
	struct sb_fresh_dir *dirs; /* by copy; NULL: none are wanted */
	size_t n_dirs;
	struct exec_output output;
	struct sb_out out;
	uint64_t started_ns;
};

static int describe(struct session *s, int argc, char **argv)
{
	int rc = describe_start(&s->result, "satabench exec", argc, argv);

	s->phase = rc == 0 ? sb_result_add_phase(&s->result, SB_PHASE_EXEC, 0,
						 s->n == 1 ? "a command"
							   : "copies of a command, all at once")
			   : NULL;
	if (!s->phase)
		return -ENOMEM;
	s->phase->runtime_s = NAN; /* until it ends */
	s->phase->exec = sb_exec_create(s->n);
	if (!s->phase->exec)
		return -ENOMEM;
	for (size_t i = 0; s->argv[i] && rc == 0; i++)
		rc = sb_exec_add_word(s->phase->exec, s->argv[i]);
	/* disks are named by it; without it they have their names alone */
	(void)sb_probe_topology(&s->result.topo);
	return rc;
}

static bool wants_dirs(const struct session *s)
{
	for (size_t i = 0; s->argv[i]; i++)
		if (strstr(s->argv[i], "{dir}"))
			return true;
	return false;
}

static int make_dirs(struct session *s)
{
	if (!wants_dirs(s))
		return 0;
	s->dirs = calloc(s->n, sizeof(*s->dirs));
	if (!s->dirs)
		return -ENOMEM;
	for (; s->n_dirs < s->n; s->n_dirs++) {
		struct sb_fresh_dir *dir = &s->dirs[s->n_dirs];
		SB_AUTO_FREE char *prefix = sb_format("satabench-%zu", s->n_dirs + 1);
		int rc = prefix ? sb_fresh_dir_make(dir, prefix) : -ENOMEM;

		if (rc < 0) {
			sb_error("cannot make a directory under the current one: %s",
				 strerror(-rc));
			return rc;
		}
		rc = sb_set_string(&s->phase->exec->copies[s->n_dirs].directory, dir->path);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static _Noreturn void remove_dirs_child(const struct session *s)
{
	int failed = 0;

	for (size_t i = 0; i < s->n_dirs; i++) {
		int rc = sb_fresh_dir_remove(&s->dirs[i]);
		SB_AUTO_FREE char *path = rc < 0 ? sb_escape(s->dirs[i].path) : NULL;

		if (rc == -ESTALE)
			sb_warn("%s: has another name now; it was emptied and left", path);
		else if (rc < 0)
			sb_warn("%s: not all of it could be removed: %s", path, strerror(-rc));
		failed |= rc < 0;
	}
	_exit(failed);
}

/* By a process of its own, which can be left: a file system may hang. 0 or negative errno. */
static int remove_dirs(struct session *s)
{
	pid_t child;
	int rc;

	if (s->n_dirs == 0)
		return 0;
	fflush(NULL);
	child = fork();
	if (child == 0)
		remove_dirs_child(s);
	rc = child < 0 ? -errno : sb_command_wait(s->command, child);
	if (rc < 0)
		sb_warn("directories satabench-* of the copies are left behind");
	for (size_t i = 0; i < s->n_dirs; i++)
		sb_fresh_dir_free(&s->dirs[i]);
	s->n_dirs = 0;
	return rc > 0 ? -EIO : rc;
}

static void on_tick(void *arg, struct sb_phase *phase, const struct sb_series *series)
{
	struct session *s = arg;

	exec_output_trim(&s->output);
	sb_judge_intervals(phase, series, phase->done);
	if (phase->done)
		sb_judge_phase(phase);
	if (s->out.format->live) {
		sb_stream_update(&s->out.stream, s->out.report, &s->result, false);
		fflush(s->out.report);
	}
}

static int measure(struct session *s)
{
	const struct sb_command_watch watch = {.tick = on_tick, .arg = s};
	const struct sb_command_wish wish = {.argv = s->argv,
					     .numbered = s->result.options.copies > 0,
					     .out_fd = s->output.out_fd,
					     .err_fd = s->output.err_fd,
					     .apart = s->n > 1};
	struct beside beside;
	int rc = sb_command_fork(s->command, s->phase->exec, &wish);

	if (rc < 0)
		return rc;
	if (s->output.is_kept && isatty(STDERR_FILENO))
		sb_info("%zu copies; what they print is shown when all have ended", s->n);
	beside_start(&beside);
	beside_look_at_cpu(&s->result);
	rc = sb_command_run(s->command, &s->result, s->phase, &watch);
	if (rc < 0)
		sb_error("cannot run the command: %s", strerror(-rc));
	else
		rc = beside_end(&beside, &s->result);
	s->result.elapsed_seconds = (double)(sb_now_ns() - s->started_ns) / 1e9;
	s->result.complete = s->phase->complete;
	return rc;
}

/* The highest of the copies'. */
static int worst_status(const struct sb_exec *exec)
{
	int worst = 0;

	for (size_t i = 0; i < exec->n_copies; i++)
		if (sb_copy_status(&exec->copies[i]) > worst)
			worst = sb_copy_status(&exec->copies[i]);
	return worst;
}

/* None of them could be executed: said once. */
static bool none_ran(const struct session *s)
{
	const struct sb_exec *exec = s->phase->exec;
	SB_AUTO_FREE char *name = sb_escape(s->argv[0]);

	for (size_t i = 0; i < exec->n_copies; i++)
		if (exec->copies[i].state != SB_COPY_FAILED)
			return false;
	sb_error("%s: %s", name, exec->copies[0].message ? exec->copies[0].message : "cannot run");
	return true;
}

static int report(struct session *s)
{
	int rc = exec_output_print(&s->output), reported;

	reported = sb_judge_run(&s->result);
	if (reported == 0)
		reported = sb_out_finish(&s->out, &s->result);
	return rc < 0 && rc != -EPIPE ? rc : reported;
}

static int run(struct session *s, int argc, char **argv)
{
	int rc = describe(s, argc, argv), signal, removed, status;

	if (rc == 0)
		rc = make_dirs(s);
	if (rc == 0)
		rc = exec_output_open(&s->output, &s->result.options, s->n);
	if (rc == 0)
		rc = sb_out_open(&s->out, &s->result.options, "text");
	if (rc == 0)
		rc = measure(s);
	removed = remove_dirs(s);
	signal = sb_command_signal(s->command);
	sb_command_destroy(s->command);
	sb_stop_install();
	if (rc < 0)
		return EXIT_CANNOT;
	status = worst_status(s->phase->exec);
	if (!none_ran(s) && report(s) < 0)
		removed = -EIO;
	if (signal)
		return SB_EXIT_SIGNAL + signal;
	return status == 0 && removed < 0 ? EXIT_CANNOT : status;
}

int sb_cmd_exec(int argc, char **argv)
{
	struct session s = {.started_ns = sb_now_ns()};
	int rc, status = EXIT_CANNOT;

	sb_result_init(&s.result);
	rc = sb_options_parse_exec(argc, argv, &s.result.options, &s.argv);
	if (rc == 0) {
		s.n = s.result.options.copies ? s.result.options.copies : 1;
		if (s.result.options.quiet || s.result.options.verbose)
			sb_log_set_level(s.result.options.quiet ? SB_LOG_ERROR : SB_LOG_DEBUG);
		rc = sb_command_create(&s.command);
		if (rc == 0)
			status = run(&s, argc, argv);
		else
			sb_error("cannot take over signals: %s", strerror(-rc));
	}
	sb_out_discard(&s.out);
	exec_output_close(&s.output);
	free(s.dirs);
	sb_result_free(&s.result);
	return rc > 0 ? SB_EXIT_OK : status;
}
