/* Reading a result. Nothing in the file is believed: every index and length is checked. */
#include "satabench/report.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "json_read_priv.h"
#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"

static int read_device(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_device *device = sb_result_add_device(result);
	int rc;

	if (!device)
		return -ENOMEM;
	rc = reader_fields(r, json, &sb_fields_device, device);
	if (rc == 0)
		rc = reader_fields(r, json, &sb_fields_device_md, device);
	if (rc == 0)
		rc = reader_fields(r, json, &sb_fields_directory, device);
	if (rc == 0)
		rc = reader_node(r, json, "node", &result->topo, &device->node);
	if (rc != 0)
		return rc;
	if (!device->target)
		return reader_fail(r, "target", "must be a string");
	return reader_pair(r, json, "loss_percent_interval", &device->loss_low_percent,
			   &device->loss_high_percent);
}

static int read_mark(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;

	if (sb_result_add_mark(result, SB_MARK_NOTE, "", NULL, NAN, NAN, "%s", "") != 0)
		return -ENOMEM;
	return reader_fields(r, json, &sb_fields_mark, &result->marks[result->n_marks - 1]);
}

static int read_options(struct reader *r, const json_t *root, struct sb_options *options)
{
	const json_t *json, *targets;
	size_t n;
	int rc = reader_object(r, root, "options", &json);

	if (rc != 0 || !json)
		return rc;
	rc = reader_fields(r, json, &sb_fields_options, options);
	if (rc == 0)
		rc = reader_fields(r, json, &sb_fields_suite_options, options);
	targets = json_object_get(json, "targets");
	if (rc != 0 || !targets || json_is_null(targets))
		return rc;
	if (!json_is_array(targets))
		return reader_fail(r, "options.targets", "must be an array");
	n = json_array_size(targets);
	options->targets = calloc(n + 1, sizeof(*options->targets));
	for (size_t i = 0; options->targets && i < n; i++) {
		const char *text = json_string_value(json_array_get(targets, i));

		if (!text)
			return reader_fail(r, "options.targets", "must have strings only");
		options->targets[i] = report_json_decode(text);
		if (!options->targets[i])
			return -ENOMEM;
		options->n_targets = i + 1;
	}
	return options->targets ? 0 : -ENOMEM;
}

static int read_root(struct reader *r, const json_t *root, struct sb_result *result)
{
	const json_t *json;
	const char *schema = json_string_value(json_object_get(root, "schema"));
	int rc;

	if (!schema || strcmp(schema, SB_SCHEMA) != 0)
		return reader_fail(r, "schema",
				   "is not \"%s\": no result of satabench, or of a "
				   "version this one cannot read",
				   SB_SCHEMA);
	rc = reader_fields(r, root, &sb_fields_result, result);
	if (rc == 0)
		rc = reader_object(r, root, "host", &json);
	if (rc == 0 && json)
		rc = reader_fields(r, json, &sb_fields_host, &result->host);
	if (rc == 0)
		rc = read_options(r, root, &result->options);
	if (rc == 0)
		rc = reader_topology(r, root, &result->topo);
	if (rc == 0)
		rc = reader_figures(r, root, "cpu", &result->cpu);
	if (rc == 0)
		rc = reader_figures(r, root, "baseline", &result->baseline);
	if (rc == 0)
		rc = reader_object(r, root, "baseline", &json);
	if (rc == 0 && json)
		rc = reader_counters(r, json, &result->baseline_counters);
	if (rc == 0)
		rc = reader_each(r, root, "devices", read_device, result);
	if (rc == 0)
		rc = reader_md(r, root, result);
	if (rc == 0)
		rc = reader_each(r, root, "phases", reader_phase, result);
	if (rc == 0)
		rc = reader_surfaces(r, root, result);
	if (rc == 0)
		rc = reader_checks(r, root, result);
	if (rc == 0)
		rc = reader_each(r, root, "marks", read_mark, result);
	return rc ? rc : reader_verdict(r, root, result);
}

/* A block device or an endless file must not be read whole for the sake of a typing error. */
static int check_kind(const char *path, const char *shown)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		int rc = -errno;

		sb_error("%s: %s", shown, strerror(-rc));
		return rc;
	}
	if (S_ISDIR(st.st_mode)) {
		sb_error("%s: is a directory, not a saved result", shown);
		return -EISDIR;
	}
	if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))
		return 0;
	sb_error("%s: is a device, not a saved result", shown);
	return -EINVAL;
}

static json_t *load_json(const char *path, const char *shown, int *rc)
{
	SB_AUTO_FREE char *text = NULL;
	SB_AUTO_FREE char *why = NULL;
	json_error_t error;
	json_t *root;
	size_t length = 0;

	*rc = check_kind(path, shown);
	if (*rc != 0)
		return NULL;
	text = sb_read_all(path, &length);
	if (!text) {
		*rc = errno ? -errno : -EIO;
		sb_error("%s: %s", shown, strerror(-*rc));
		return NULL;
	}
	*rc = -EINVAL;
	if (length == 0) {
		sb_error("%s: is empty, no saved result", shown);
		return NULL;
	}
	root = json_loadb(text, length, 0, &error);
	if (!root) {
		why = sb_escape(error.text);
		sb_error("%s:%d: is no whole JSON file: %s", shown, error.line, why ? why : "");
	} else if (!json_is_object(root)) {
		sb_error("%s: is no saved result: its JSON is no object", shown);
		json_decref(root);
		root = NULL;
	}
	return root;
}

int sb_result_read(const char *path, struct sb_result *result)
{
	SB_AUTO_FREE char *shown = sb_escape(path);
	struct reader r = {.file = shown ? shown : "?"};
	json_t *root;
	int rc;

	sb_result_init(result);
	root = load_json(path, r.file, &rc);
	if (!root)
		return rc;
	rc = read_root(&r, root, result);
	json_decref(root);
	if (rc == -ENOMEM)
		sb_error("%s: out of memory", r.file);
	if (rc != 0) {
		sb_result_free(result);
		sb_result_init(result);
	}
	return rc;
}
