#include "satabench/result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/units.h"

void sb_cpu_figures_none(struct sb_cpu_figures *figures)
{
	*figures =
		(struct sb_cpu_figures){NAN, NAN, NAN, NAN, NAN, NAN, NAN, -1, NAN, NAN, NAN, NAN};
}

void sb_result_init(struct sb_result *result)
{
	*result = (struct sb_result){
		.options = {.uid = SB_NONE_U64, .gid = SB_NONE_U64},
		.host = {.cpus_online = SB_NONE_U64, .memory_bytes = SB_NONE_U64},
		.elapsed_seconds = NAN,
		.realtime_step_s = NAN,
		.throttle_events = SB_NONE_U64,
		.alone_bytes_s = NAN,
		.all_bytes_s = NAN,
		.loss_percent = NAN,
		.bytes_s_per_busy_cpu = NAN};
	sb_verdict_init(&result->verdict);
	sb_cpu_figures_none(&result->cpu);
	sb_cpu_figures_none(&result->baseline);
	result->baseline_counters.cgroup_ns = SB_NONE_U64;
}

static void marks_free(struct sb_result *result)
{
	for (size_t i = 0; i < result->n_marks; i++) {
		free(result->marks[i].id);
		free(result->marks[i].subject);
		free(result->marks[i].message);
	}
	free(result->marks);
}

void sb_agenda_free(struct sb_agenda *agenda)
{
	for (size_t i = 0; i < agenda->n_wishes; i++)
		free(agenda->wishes[i].reason);
	free(agenda->wishes);
	free(agenda->targets);
	free(agenda->rests);
	*agenda = (struct sb_agenda){0};
}

void sb_result_free(struct sb_result *result)
{
	marks_free(result);
	sb_verdict_free(&result->verdict);
	sb_agenda_free(&result->agenda);
	for (size_t i = 0; i < result->n_phases; i++)
		sb_phase_free(&result->phases[i]);
	free(result->phases);
	for (size_t i = 0; i < result->n_devices; i++)
		sb_device_free(&result->devices[i]);
	free(result->devices);
	for (size_t i = 0; i < result->n_checks; i++)
		sb_mdcheck_free(&result->checks[i]);
	free(result->checks);
	for (size_t i = 0; i < result->n_md; i++)
		sb_md_array_free(&result->md[i]);
	free(result->md);
	for (size_t i = 0; i < result->n_surfaces; i++)
		sb_surface_free(&result->surfaces[i]);
	free(result->surfaces);
	sb_topo_free(&result->topo);
	sb_options_free(&result->options);
	free(result->baseline_counters.cpus);
	free(result->host.name);
	free(result->host.kernel);
	free(result->host.cpu_brand);
	free(result->version);
	free(result->started);
	free(result->label);
	free(result->command);
	*result = (struct sb_result){0};
}

struct sb_device *sb_result_add_device(struct sb_result *result)
{
	struct sb_device *devices, *device;

	devices = reallocarray(result->devices, result->n_devices + 1, sizeof(*devices));
	if (!devices)
		return NULL;
	result->devices = devices;
	device = &devices[result->n_devices++];
	*device = (struct sb_device){.node = -1,
				     .size_bytes = SB_NONE_U64,
				     .wake_seconds = NAN,
				     .free_bytes = SB_NONE_U64,
				     .free_files = SB_NONE_U64,
				     .alone_bytes_s = NAN,
				     .all_bytes_s = NAN,
				     .loss_percent = NAN,
				     .loss_low_percent = NAN,
				     .loss_high_percent = NAN};
	return device;
}

struct sb_md_array *sb_result_add_md(struct sb_result *result)
{
	struct sb_md_array *more = reallocarray(result->md, result->n_md + 1, sizeof(*more));

	if (!more)
		return NULL;
	result->md = more;
	sb_md_array_init(&more[result->n_md]);
	return &more[result->n_md++];
}

struct sb_phase *sb_result_add_phase(struct sb_result *result, int kind, unsigned round,
				     const char *reason)
{
	struct sb_phase *phases, *phase;
	char *copy = strdup(reason);

	phases = reallocarray(result->phases, result->n_phases + 1, sizeof(*phases));
	if (phases)
		result->phases = phases;
	if (!phases || !copy) {
		free(copy);
		return NULL;
	}
	phase = &phases[result->n_phases++];
	*phase = (struct sb_phase){.kind = kind,
				   .reason = copy,
				   .round = round,
				   .node = -1,
				   .left_out = -1,
				   .started_s = NAN,
				   .window_start_ns = SB_NONE_U64,
				   .window_end_ns = SB_NONE_U64,
				   .first_done_ns = SB_NONE_U64,
				   .last_done_ns = SB_NONE_U64,
				   .seconds = NAN,
				   .bytes_s = NAN};
	phase->counters.cgroup_ns = SB_NONE_U64;
	sb_cpu_figures_none(&phase->cpu);
	return phase;
}

int sb_result_add_mark(struct sb_result *result, int level, const char *id, const char *subject,
		       double value, double threshold, const char *format, ...)
{
	struct sb_mark mark = {.level = level, .value = value, .threshold = threshold};
	struct sb_mark *marks;
	va_list args;

	marks = reallocarray(result->marks, result->n_marks + 1, sizeof(*marks));
	if (!marks)
		return -ENOMEM;
	result->marks = marks;
	va_start(args, format);
	if (vasprintf(&mark.message, format, args) < 0)
		mark.message = NULL;
	va_end(args);
	mark.id = strdup(id);
	mark.subject = subject ? strdup(subject) : NULL;
	if (!mark.message || !mark.id || (subject && !mark.subject)) {
		free(mark.message);
		free(mark.id);
		free(mark.subject);
		return -ENOMEM;
	}
	marks[result->n_marks++] = mark;
	return 0;
}
