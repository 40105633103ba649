/* The main verb: a run is a value. Options and topology make first phases; running phases adds to
 * the result; the result so far asks for more phases or is judged; reporting prints it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "beside.h"
#include "cmd_priv.h"
#include "cpu_view.h"
#include "describe.h"
#include "md_check.h"
#include "out.h"
#include "resume.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/file.h"
#include "satabench/judge.h"
#include "satabench/keeper.h"
#include "satabench/load.h"
#include "satabench/log.h"
#include "satabench/planner.h"
#include "satabench/probe.h"
#include "satabench/report.h"
#include "satabench/sample.h"
#include "satabench/units.h"
#include "verbs.h"

#define DEFAULT_PLAN "diagnose"
#define WORTH_SAYING_S 10

struct session {
	struct sb_result result;
	const struct sb_plan *plan;
	struct sb_load *load;
	struct sb_out out;
	struct sb_progress *progress;
	struct cpu_view cpu_view;
	uint64_t started_ns;
	struct beside beside;
	struct sb_result earlier; /* of --resume */
};

static void clear_progress(void *arg)
{
	sb_progress_clear(arg);
}

/* Directories, surfaces and checks have a plan of their own; of a surface the workload asks for the
 * plan, and the plan for the workload. */
static const char *plan_for(struct sb_options *o, bool suite)
{
	bool surface = o->workload && strcmp(o->workload, "surface") == 0;

	if (o->md_check)
		return sb_md_check_plan.name;
	return suite ? "suite" : surface ? "surface" : DEFAULT_PLAN;
}

static int choose_plan(struct session *s)
{
	struct sb_options *o = &s->result.options;
	bool suite = false, check;

	for (size_t i = 0; i < s->result.n_devices; i++)
		suite |= s->result.devices[i].kind == SB_DEVICE_DIRECTORY;
	if (!o->plan)
		sb_set_string(&o->plan, plan_for(o, suite));
	if (!o->plan)
		return -ENOMEM;
	check = strcmp(o->plan, sb_md_check_plan.name) == 0;
	s->plan = check ? &sb_md_check_plan : sb_plan_find(o->plan);
	if (!s->plan)
		return -ENOMEM;
	if (strcmp(o->plan, "surface") == 0 && !o->workload)
		sb_set_string(&o->workload, "surface");
	if (check || suite == (strcmp(o->plan, "suite") == 0))
		return suite && !check ? sb_bonnie_owner(o) : 0;
	sb_error(suite ? "--plan %s is for devices; directories are run by plan suite"
		       : "--plan %s is for directories, and there is none",
		 o->plan);
	return -EINVAL;
}

static int look_at_machine(struct session *s)
{
	int rc = sb_probe_targets(&s->result.options, &s->result);

	if (rc == 0)
		rc = choose_plan(s);
	if (rc == 0 && s->plan->arrays)
		rc = sb_probe_members(&s->result);
	if (rc == 0 && s->result.options.md_check)
		return sb_md_check_look(&s->result);
	return rc < 0 ? rc : sb_plan_check(&s->result, false);
}

static void on_tick(void *arg, struct sb_phase *phase, const struct sb_series *series,
		    const struct sb_live *const *lives)
{
	struct session *s = arg;

	sb_judge_intervals(phase, series, phase->done);
	if (phase->done)
		sb_judge_phase(phase);
	if (s->out.format->live) {
		sb_stream_update(&s->out.stream, s->out.report, &s->result, false);
		fflush(s->out.report);
	}
	cpu_view_update(&s->cpu_view);
	sb_progress_update(s->progress, &s->result, phase, series, lives);
}

static void tell_failures(const struct sb_result *result, bool *told)
{
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];

		if (told[i] || d->state == SB_DEVICE_NEW || d->state == SB_DEVICE_READY)
			continue;
		told[i] = true;
		SB_AUTO_FREE char *name = sb_escape(d->target);

		sb_warn("%s: %s", name, d->message ? d->message : sb_device_state_name(d->state));
	}
}

static double seconds_since(uint64_t start_ns)
{
	return (double)(sb_now_ns() - start_ns) / 1e9;
}

/* Runs what is planned until nothing more is asked for. */
static int run_phases(struct session *s, bool *told)
{
	int rc = 0;

	while (rc == 0 && !sb_stop_signal() && (rc = sb_plan_next(s->plan, &s->result)) > 0) {
		rc = 0;
		sb_progress_left(s->progress, sb_plan_longest(s->plan, &s->result) -
						      seconds_since(s->started_ns));
		for (size_t i = 0; i < s->result.n_phases && rc == 0; i++) {
			const struct sb_series *series = NULL;

			if (s->result.phases[i].done)
				continue;
			rc = sb_load_run(s->load, i, &series);
			if (rc == 0)
				rc = sb_probe_watch(&s->result);
			tell_failures(&s->result, told);
		}
		sb_judge_run(&s->result);
	}
	s->result.complete = rc == 0 && !sb_stop_signal();
	if (rc < 0 && rc != -EINTR)
		sb_error("cannot go on: %s", strerror(-rc));
	return rc == -EINTR ? 0 : rc;
}

/* Beforehand, also where no progress is shown, and not where nobody has to wait. */
static void say_longest(struct session *s)
{
	double longest = sb_plan_longest(s->plan, &s->result);
	char text[SB_UNIT_TEXT];

	if (longest >= WORTH_SAYING_S && !s->result.options.virtual_time)
		sb_info("reading takes %s at most; Ctrl-C ends it, with what was measured by then",
			sb_format_duration(text, longest));
	sb_progress_say(s->progress, "opening the devices");
}

static int read_devices(struct session *s, bool *told)
{
	struct sb_load_watch watch = {.tick = on_tick, .arg = s};
	int rc = sb_load_create(&s->load, &s->result.options, &s->result, &watch);

	if (rc < 0)
		return rc;
	say_longest(s);
	rc = sb_load_prepare(s->load);
	if (rc == 0)
		rc = sb_plan_check(&s->result, true);
	if (rc == 0)
		rc = sb_resume_apply(&s->result, &s->earlier);
	tell_failures(&s->result, told);
	return rc ? rc : run_phases(s, told);
}

static void on_check_tick(void *arg, struct sb_phase *phase, const struct sb_series *series,
			  const struct sb_live *const *lives)
{
	struct session *s = arg;
	SB_AUTO_FREE char *text = NULL;

	(void)series;
	(void)lives;
	sb_judge_checks(&s->result);
	if (phase->done)
		sb_judge_phase(phase);
	text = sb_md_check_progress(&s->result);
	if (text)
		sb_progress_say(s->progress, text);
}

static int check_arrays(struct session *s)
{
	struct sb_load_watch watch = {.tick = on_check_tick, .arg = s};
	int rc = sb_md_check_run(&s->result, &watch);

	s->result.complete = rc == 0;
	return rc == -EINTR ? 0 : rc;
}

static int measure(struct session *s)
{
	SB_AUTO_FREE bool *told = calloc(s->result.n_devices + 1, sizeof(*told));
	int rc;

	if (!told)
		return -ENOMEM;
	tell_failures(&s->result, told);
	beside_start(&s->beside);
	beside_look_at_cpu(&s->result);
	rc = s->result.options.md_check ? check_arrays(s) : read_devices(s, told);
	if (rc == 0)
		rc = beside_end(&s->beside, &s->result);
	s->result.elapsed_seconds =
		s->result.options.virtual_time ? NAN : (double)(sb_now_ns() - s->started_ns) / 1e9;
	return rc;
}

static void begin_display(struct session *s)
{
	const struct sb_options *o = &s->result.options;
	struct sb_progress_options shown = {.disabled = o->no_progress || o->quiet,
					    .plain = o->no_live,
					    .status_interval_s = o->status_interval_s};

	s->progress = sb_progress_create(&shown);
	sb_log_set_hook(clear_progress, s->progress);
	cpu_view_start(&s->cpu_view, s->progress);
}

static void end_display(struct session *s)
{
	cpu_view_end(&s->cpu_view);
	sb_progress_destroy(s->progress);
	s->progress = NULL;
	sb_log_set_hook(NULL, NULL);
}

/* The phases that would come first: those before anything depends on a figure, and one round. */
static int dry_run(struct session *s)
{
	int rc = sb_resume_apply(&s->result, &s->earlier);

	rc = rc < 0 ? rc : 1;
	while (rc > 0 && s->result.n_phases < 2 * s->result.n_devices + 2) {
		size_t n = s->result.n_phases;

		rc = sb_plan_next(s->plan, &s->result);
		if (rc > 0 && s->result.phases[n].round > 1)
			break;
	}
	if (rc < 0)
		return rc;
	while (s->result.n_phases && s->result.phases[s->result.n_phases - 1].round > 1)
		sb_phase_free(&s->result.phases[--s->result.n_phases]);
	sb_report_dry_run(stdout, &s->result, s->plan->rule, sb_plan_longest(s->plan, &s->result));
	return 0;
}

/* Without targets: what there is, what `-d all` would take, and how long. Reads nothing. */
static int show_machine(struct session *s)
{
	char text[SB_UNIT_TEXT];
	int rc = sb_probe_topology(&s->result.topo);

	if (rc < 0) {
		sb_error("cannot read the machine's devices from sysfs: %s", strerror(-rc));
		return rc;
	}
	sb_report_tree(stdout,
		       &(struct sb_list){.topo = &s->result.topo, .refuses = sb_probe_all_refuses});
	sb_log_set_level(SB_LOG_ERROR);
	s->result.options.targets = calloc(1, sizeof(char *));
	if (!s->result.options.targets || !(s->result.options.targets[0] = strdup("all")))
		return -ENOMEM;
	s->result.options.n_targets = 1;
	rc = sb_probe_targets(&s->result.options, &s->result);
	if (rc == 0)
		rc = choose_plan(s);
	if (rc == 0)
		printf("\nReading them would take %s at most. Nothing was read.\n",
		       sb_format_duration(text, sb_plan_longest(s->plan, &s->result)));
	return rc == -ENODEV ? 0 : rc;
}

static int exit_status(const struct sb_result *result, int rc)
{
	if (sb_stop_signal())
		return SB_EXIT_SIGNAL + sb_stop_signal();
	return rc < 0 ? SB_EXIT_USAGE : sb_judge_status(result);
}

static int run(struct session *s)
{
	const struct sb_options *o = &s->result.options;
	int rc = look_at_machine(s);

	if (rc < 0)
		return SB_EXIT_USAGE;
	if (o->dry_run)
		return dry_run(s) < 0 ? SB_EXIT_USAGE : sb_judge_status(&s->result);
	if (sb_out_open(&s->out, o, "text") < 0)
		return SB_EXIT_USAGE;
	begin_display(s);
	rc = measure(s);
	end_display(s);
	if (rc == 0) {
		sb_judge_run(&s->result);
		rc = sb_out_finish(&s->out, &s->result);
	}
	sb_out_discard(&s->out);
	return exit_status(&s->result, rc);
}

int sb_cmd_run(int argc, char **argv)
{
	struct session s = {0};
	int rc, status;

	sb_result_init(&s.result);
	rc = sb_options_parse(argc, argv, &s.result.options);
	if (rc != 0) {
		sb_result_free(&s.result);
		return rc < 0 ? SB_EXIT_USAGE : SB_EXIT_OK;
	}
	sb_log_set_level(s.result.options.quiet	    ? SB_LOG_ERROR
			 : s.result.options.verbose ? SB_LOG_DEBUG
						    : SB_LOG_INFO);
	sb_result_init(&s.earlier);
	if (sb_resume_read(&s.result, &s.earlier) < 0) {
		sb_result_free(&s.earlier);
		sb_result_free(&s.result);
		return SB_EXIT_USAGE;
	}
	sb_keeper_start();
	sb_stop_install();
	s.started_ns = sb_now_ns();
	if (describe_start(&s.result, "satabench", argc, argv) < 0)
		status = SB_EXIT_USAGE;
	else if (s.result.options.n_targets == 0 && s.result.options.fresh == 0 &&
		 !s.result.options.md_check)
		status = show_machine(&s) < 0 ? SB_EXIT_USAGE : SB_EXIT_OK;
	else
		status = run(&s);
	if (!sb_load_destroy(s.load)) {
		/* A thread is stuck in the kernel: leave without it, and without freeing its
		 * memory. */
		fflush(NULL);
		sb_keeper_release(status);
		_exit(status);
	}
	sb_result_free(&s.earlier);
	sb_result_free(&s.result);
	return status;
}
