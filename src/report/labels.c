/* Short names of devices. Targets may be as long as /dev/disk/by-id names or the descriptions of
 * null targets; a table wants a word. */
#include "report_priv.h"

#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

static bool is_taken(char *const *labels, size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (labels[i] && strcmp(labels[i], label) == 0)
			return true;
	return false;
}

/* The text escaped, if it is short and not taken yet; else NULL. */
static char *try_label(char *const *labels, size_t n, const char *text)
{
	char *label = text && *text ? sb_escape(text) : NULL;

	if (label && (report_columns(label) > REPORT_LABEL_COLUMNS || is_taken(labels, n, label))) {
		free(label);
		return NULL;
	}
	return label;
}

/* Names of one kind of disk differ at their end, in the serial number. */
static char *try_tail(char *const *labels, size_t n, const char *text)
{
	SB_AUTO_FREE char *escaped = sb_escape(text);
	SB_AUTO_FREE char *tail = NULL;
	size_t at = 0;

	if (!escaped)
		return NULL;
	while (report_columns(escaped + at) > REPORT_LABEL_COLUMNS - 2)
		at += report_fit(escaped + at, 2) ? report_fit(escaped + at, 2) : 1;
	tail = sb_format("..%s", escaped + at);
	if (!tail || is_taken(labels, n, tail))
		return NULL;
	return strdup(tail);
}

static char *make_label(const struct sb_result *result, const struct sb_device *device,
			char *const *labels, size_t index)
{
	const char *slash = strrchr(device->target, '/');
	SB_AUTO_FREE char *head = strndup(device->target, strcspn(device->target, ","));
	char *label = NULL;

	if (device->kind == SB_DEVICE_NULL)
		label = try_label(labels, result->n_devices, head);
	if (!label)
		label = try_label(labels, result->n_devices, device->target);
	if (!label && device->kind == SB_DEVICE_BLOCK && device->node >= 0)
		label = try_label(labels, result->n_devices, result->topo.nodes[device->node].name);
	if (!label && slash)
		label = try_label(labels, result->n_devices, slash + 1);
	if (!label)
		label = try_tail(labels, result->n_devices, device->target);
	return label ? label : sb_format("device %zu", index + 1);
}

char **report_labels(const struct sb_result *result)
{
	char **labels = calloc(result->n_devices + 1, sizeof(*labels));

	if (!labels)
		return NULL;
	/* Whole targets first: they must not find their name taken by a shortened one. */
	for (size_t i = 0; i < result->n_devices; i++)
		if (result->devices[i].kind != SB_DEVICE_NULL)
			labels[i] = try_label(labels, i, result->devices[i].target);
	for (size_t i = 0; i < result->n_devices; i++) {
		if (!labels[i])
			labels[i] = make_label(result, &result->devices[i], labels, i);
		if (!labels[i]) {
			report_labels_free(labels, result->n_devices);
			return NULL;
		}
	}
	return labels;
}

void report_labels_free(char **labels, size_t n)
{
	for (size_t i = 0; labels && i < n; i++)
		free(labels[i]);
	free(labels);
}
