/* What the display says, from the rows of the sampler and the workers' live blocks. */
#include "progress_priv.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/clock.h"
#include "satabench/suite.h"
#include "satabench/units.h"

#define RATE_OVER_NS SB_NS_PER_SEC
#define SILENT_S 2.0

/* The newest row at least a second older than `last`, else the first. */
static const struct sb_row *row_before(const struct sb_series *series, size_t n,
				       const struct sb_row *last)
{
	for (size_t i = n - 1; i-- > 0;) {
		const struct sb_row *row = sb_series_row(series, i);

		if (last->time_ns - row->time_ns >= RATE_OVER_NS)
			return row;
	}
	return sb_series_row(series, 0);
}

static void update_rates(struct view *view, const struct sb_series *series)
{
	size_t n = series ? sb_series_count(series) : 0;
	const struct sb_row *first, *last;
	double seconds;

	view->bytes_s = NAN;
	if (n < 2 || sb_series_jobs(series) < view->n_jobs)
		return;
	last = sb_series_row(series, n - 1);
	first = row_before(series, n, last);
	seconds = (double)(last->time_ns - first->time_ns) / 1e9;
	if (!(seconds > 0))
		return;
	view->bytes_s = 0;
	for (size_t i = 0; i < view->n_jobs; i++) {
		struct view_job *job = &view->jobs[i];

		if (last->job_bytes[i] >= first->job_bytes[i])
			job->bytes_s = (double)(last->job_bytes[i] - first->job_bytes[i]) / seconds;
		if (job->bytes_s > 0)
			view->bytes_s += job->bytes_s;
		if (job->bytes_s > view->fastest_bytes_s)
			view->fastest_bytes_s = job->bytes_s;
	}
}

/* Times of rows and of completions are of one clock, the virtual one included. */
static double silence(const struct sb_series *series, const struct sb_live *live)
{
	size_t n = series ? sb_series_count(series) : 0;
	uint64_t done = SB_RELAXED_LOAD(live->last_done_ns);
	double seconds;

	if (n == 0 || done == 0 || SB_RELAXED_LOAD(live->state) != SB_LIVE_RUNNING)
		return 0;
	if (sb_series_row(series, n - 1)->time_ns <= done)
		return 0;
	seconds = (double)(sb_series_row(series, n - 1)->time_ns - done) / 1e9;
	return seconds >= SILENT_S ? seconds : 0;
}

static bool make_room(struct view *view, size_t n)
{
	struct view_job *jobs;

	if (n <= view->capacity)
		return true;
	jobs = reallocarray(view->jobs, n, sizeof(*jobs));
	if (!jobs)
		return false;
	view->jobs = jobs;
	view->capacity = n;
	return true;
}

static void update_place(struct view *view, const struct sb_result *result,
			 const struct sb_phase *phase, char *const *labels)
{
	SB_AUTO_FREE char *place = report_place_text(result, labels, phase);

	snprintf(view->place, sizeof(view->place), "%s", place ? place : "");
	view->reason = *view->place && phase->reason && *phase->reason ? phase->reason : NULL;
}

/* How far a surface is; its slowest device takes the longest. */
static void update_share(struct view *view, const struct sb_phase *phase,
			 const struct sb_live *const *lives)
{
	uint64_t done = 0, all = 0;

	view->done_percent = view->about_left_s = NAN;
	for (size_t i = 0; phase->kind == SB_PHASE_SURFACE && lives && i < phase->n_jobs; i++) {
		uint64_t limit = phase->jobs[i].limit_bytes;
		uint64_t bytes = lives[i] ? SB_RELAXED_LOAD(lives[i]->bytes) : 0;

		bytes = bytes < limit ? bytes : limit;
		done += bytes;
		all += limit;
		if (bytes > 0)
			view->about_left_s =
				fmax(view->about_left_s,
				     view->elapsed_s * (double)(limit - bytes) / (double)bytes);
	}
	if (all > 0)
		view->done_percent = 100 * (double)done / (double)all;
}

static void update_job(struct view *view, const struct sb_phase *phase, size_t index,
		       const struct sb_series *series, const struct sb_live *live,
		       const char *label)
{
	const struct sb_suite_test *test = sb_suite_test(phase->jobs[index].test);
	struct view_job *job = &view->jobs[view->n_jobs++];

	*job = (struct view_job){.label = label,
				 .job = index,
				 .bytes_s = NAN,
				 .is_test = test != NULL,
				 .files = SB_NONE_U64};
	if (live) {
		job->errors = SB_RELAXED_LOAD(live->errors);
		job->silent_s = silence(series, live);
		if (test && test->group == SB_TEST_FILES)
			job->files = SB_RELAXED_LOAD(live->operations);
	}
	view->errors += job->errors;
	view->silent += job->silent_s > 0 && !job->is_test;
}

bool view_update(struct view *view, const struct sb_result *result, const struct sb_phase *phase,
		 const struct sb_series *series, const struct sb_live *const *lives,
		 char *const *labels)
{
	size_t number = (size_t)(phase - result->phases) + 1;

	if (!make_room(view, phase->n_jobs))
		return false;
	if (view->phase != number) {
		view->phase = number;
		view->phase_start_ns = sb_now_ns();
	}
	view->phase_number = number;
	/* this plan decides phase by phase: how many it will be is not known */
	view->n_phases =
		phase->kind == SB_PHASE_SUITE || (result->options.plan &&
						  strcmp(result->options.plan, "diagnose") == 0)
			? 0
			: result->n_phases;
	view->kind = report_kind_text(phase->kind);
	update_place(view, result, phase, labels);
	view->round = phase->round;
	view->elapsed_s = (double)(sb_now_ns() - view->phase_start_ns) / 1e9;
	view->runtime_s = phase->runtime_s > 0 ? phase->runtime_s : 0;
	view->n_jobs = 0;
	view->errors = 0;
	view->silent = 0;
	/* jobs that a directory runs one after the other are one line */
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (i == 0 || !phase->jobs[i].test ||
		    phase->jobs[i].device != phase->jobs[i - 1].device)
			update_job(view, phase, i, series, lives ? lives[i] : NULL,
				   labels[phase->jobs[i].device]);
	update_rates(view, series);
	update_share(view, phase, lives);
	return true;
}

static const char *rate_text(char buf[SB_UNIT_TEXT], double bytes_s)
{
	if (isnan(bytes_s))
		return "-";
	snprintf(buf, SB_UNIT_TEXT, bytes_s < 9.995e6 ? "%.2f MB/s" : "%.1f MB/s", bytes_s / 1e6);
	return buf;
}

static void add(struct view_text *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct view_text *line, const char *format, ...)
{
	size_t room = sizeof(line->text) - line->length;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->length, room, format, args);
	va_end(args);
	if (n > 0)
		line->length += (size_t)n < room ? (size_t)n : room - 1;
}

void view_where(struct view_text *line, const struct view *view)
{
	line->length = 0;
	add(line, "phase %zu", view->phase_number);
	if (view->n_phases > 0)
		add(line, "/%zu", view->n_phases);
	add(line, " %s%s", view->kind, view->place);
	if (view->round > SB_ROUND_PAIRS)
		add(line, " pair %u", view->round % SB_ROUND_PAIRS);
	else if (view->round > 0)
		add(line, " round %u", view->round);
}

void view_head(struct view_text *line, const struct view *view)
{
	char rate[SB_UNIT_TEXT], left[SB_UNIT_TEXT];

	view_where(line, view);
	add(line, "  %s  %.1f s", rate_text(rate, view->bytes_s), view->elapsed_s);
	if (view->runtime_s > 0)
		add(line, " of %.1f s", view->runtime_s);
	if (!isnan(view->done_percent))
		add(line, "  %.1f %%", view->done_percent);
	if (view->about_left_s > 0)
		add(line, ", about %s left", sb_format_duration(left, view->about_left_s));
	if (view->left_s > 0)
		add(line, "  at most %s left", sb_format_duration(left, view->left_s));
	if (view->errors > 0)
		add(line, "  %llu error%s", (unsigned long long)view->errors,
		    view->errors == 1 ? "" : "s");
	if (view->silent > 0)
		add(line, "  %zu without answer", view->silent);
}

static void add_bar(struct view_text *line, double share, size_t columns, bool utf8)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	size_t steps, used;

	if (!(share > 0))
		share = 0;
	if (share > 1)
		share = 1;
	steps = (size_t)(share * (double)columns * 8 + 0.5);
	for (used = 0; used < steps / 8; used++)
		add(line, "%s", utf8 ? "█" : "#");
	if (utf8 && steps % 8 > 0) {
		add(line, "%s", eighths[steps % 8]);
		used++;
	}
	add(line, "%*s", (int)(columns - used), "");
}

void view_line(struct view_text *line, const struct view_job *job, const struct view *view,
	       size_t name, size_t bar, bool utf8)
{
	size_t fit = report_fit(job->label, name);
	size_t width = report_columns(job->label);
	char rate[SB_UNIT_TEXT];

	line->length = 0;
	add(line, "%.*s%*s ", (int)fit, job->label, width < name ? (int)(name - width) : 0, "");
	if (bar > 0) {
		add_bar(line, job->bytes_s / view->fastest_bytes_s, bar, utf8);
		add(line, " ");
	}
	if (job->files != SB_NONE_U64)
		add(line, "%12llu files", (unsigned long long)job->files);
	else
		add(line, "%12s", rate_text(rate, job->bytes_s));
	if (job->silent_s > 0 && job->is_test)
		add(line, "  waiting for the disk, %.0f s", job->silent_s);
	else if (job->silent_s > 0)
		add(line, "  no answer for %.0f s", job->silent_s);
	if (job->errors > 0)
		add(line, "  %llu error%s", (unsigned long long)job->errors,
		    job->errors == 1 ? "" : "s");
}
