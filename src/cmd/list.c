/* `list [TARGET...]`: the tree of controllers, links, disks, ceilings. Opens no device, but
 * with --verbose each one, to say what is on it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_priv.h"
#include "config.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/judge.h"
#include "satabench/keeper.h"
#include "satabench/load.h"
#include "satabench/log.h"
#include "satabench/probe.h"
#include "satabench/report.h"
#include "verbs.h"

static void no_tick(void *arg, struct sb_phase *phase, const struct sb_series *series,
		    const struct sb_live *const *lives)
{
	(void)arg;
	(void)phase;
	(void)series;
	(void)lives;
}

/* Without targets the whole machine, else these alone with what they hang on. */
static int look(struct sb_result *result)
{
	int rc = result->options.n_targets ? 0 : sb_probe_topology(&result->topo);

	if (rc < 0) {
		sb_error("cannot read the machine's devices from sysfs: %s", strerror(-rc));
		return rc;
	}
	return result->options.n_targets ? sb_probe_targets(&result->options, result) : 0;
}

static int take_all(struct sb_result *result)
{
	struct sb_options *options = &result->options;
	int rc;

	options->targets = calloc(1, sizeof(char *));
	if (!options->targets || !(options->targets[0] = strdup("all")))
		return -ENOMEM;
	options->n_targets = 1;
	rc = sb_probe_targets(options, result);
	return rc;
}

/* What each device says when it is opened; one that cannot be is told. */
static int open_devices(struct sb_result *result, struct sb_load **load)
{
	const struct sb_load_watch watch = {.tick = no_tick};
	int rc = result->options.n_targets ? 0 : take_all(result);

	if (rc == 0 && result->n_devices)
		rc = sb_load_create(load, &result->options, result, &watch);
	if (rc == 0 && *load)
		rc = sb_load_prepare(*load);
	if (rc == -ENODEV) /* none of them could be opened: each one is told */
		rc = 0;
	for (size_t i = 0; rc == 0 && i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];

		if (device->contents && device->node >= 0)
			rc = sb_node_set(&result->topo.nodes[device->node], "contents",
					 device->contents);
	}
	return rc;
}

static void tell(const struct sb_device *device)
{
	SB_AUTO_FREE char *name = sb_escape(device->target);

	sb_warn("%s: %s", name ? name : "?",
		device->message ? device->message : sb_device_state_name(device->state));
}

static void tell_failures(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *d = &result->devices[i];

		if (d->state != SB_DEVICE_NEW && d->state != SB_DEVICE_READY)
			tell(d);
	}
}

static int print(const struct sb_result *result, const struct sb_list_format *format)
{
	const struct sb_list list = {.topo = &result->topo,
				     .version = SB_VERSION,
				     .refuses = result->options.targets_said ? NULL
									     : sb_probe_all_refuses,
				     .every_hop = result->options.verbose};
	struct sb_outfile file = {0};
	int rc = 0;

	if (result->options.output)
		rc = sb_outfile_open(&file, result->options.output);
	if (rc == 0)
		rc = format->write(file.file ? file.file : stdout, &list);
	if (rc == 0 && file.file)
		rc = sb_outfile_commit(&file);
	else if (rc == 0 && fflush(stdout) != 0)
		rc = -errno;
	if (file.file && rc < 0)
		sb_outfile_discard(&file);
	if (rc < 0 && rc != -EPIPE)
		sb_error("cannot write the list: %s", strerror(-rc));
	return rc == -EPIPE ? 0 : rc;
}

static int list(struct sb_result *result, struct sb_load **load)
{
	const char *name = result->options.format ? result->options.format : "text";
	const struct sb_list_format *format = sb_list_format_find(name);
	int rc;

	if (!format) {
		sb_error("--output-format: %s: list has text, json and csv", name);
		return SB_EXIT_USAGE;
	}
	rc = look(result);
	result->options.targets_said = result->options.n_targets > 0;
	if (rc == 0 && result->options.verbose)
		rc = open_devices(result, load);
	if (rc == 0)
		tell_failures(result);
	if (rc == 0)
		rc = print(result, format);
	return rc < 0 ? SB_EXIT_USAGE : sb_judge_status(result);
}

int sb_cmd_list(int argc, char **argv)
{
	struct sb_result result;
	struct sb_load *load = NULL;
	int rc, status;

	sb_result_init(&result);
	rc = sb_options_parse_list(argc, argv, &result.options);
	if (rc != 0) {
		sb_result_free(&result);
		return rc < 0 ? SB_EXIT_USAGE : SB_EXIT_OK;
	}
	sb_log_set_level(result.options.quiet ? SB_LOG_ERROR : SB_LOG_WARN);
	sb_keeper_start();
	sb_stop_install();
	status = list(&result, &load);
	if (!sb_load_destroy(load)) {
		fflush(NULL);
		sb_keeper_release(status);
		_exit(status);
	}
	sb_result_free(&result);
	return status;
}
