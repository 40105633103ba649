/* What arrays are made of becomes devices of the run. */
#include "satabench/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "md_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

static int device_of(const struct sb_result *result, int node)
{
	for (size_t i = 0; node >= 0 && i < result->n_devices; i++)
		if (result->devices[i].node == node)
			return (int)i;
	return -1;
}

void probe_md_find_devices(struct sb_result *result)
{
	for (size_t i = 0; i < result->n_md; i++) {
		struct sb_md_array *a = &result->md[i];

		a->device = device_of(result, a->node);
		for (size_t k = 0; k < a->n_members; k++)
			a->members[k].device = device_of(result, a->members[k].node);
	}
}

static int add_device(struct scan *scan, struct sb_result *result, int node)
{
	const char *said = sb_node_get(probe_node(scan, node), "path");
	SB_AUTO_FREE char *path =
		said ? strdup(said) : sb_format("/dev/%s", probe_node(scan, node)->name);
	struct sb_device *device;
	struct stat st;

	if (device_of(result, node) >= 0)
		return 0;
	device = path ? sb_result_add_device(result) : NULL;
	if (!device || sb_set_string(&device->target, path) != 0 ||
	    sb_set_string(&device->path, path) != 0)
		return -ENOMEM;
	device->added = true;
	device->node = node;
	if (stat(path, &st) != 0)
		return probe_device_fail(device, "cannot be found in /dev: %s", strerror(errno));
	if (!S_ISBLK(st.st_mode))
		return probe_device_fail(device, "is no block device");
	return probe_device_block(scan, device, &st);
}

static int add_all(struct scan *scan, struct sb_result *result)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_md && rc == 0; i++) {
		const struct sb_md_array *a = &result->md[i];

		for (size_t k = 0; k < a->n_members && rc == 0; k++)
			if (sb_md_is_readable(&a->members[k]) && a->members[k].node >= 0)
				rc = add_device(scan, result, a->members[k].node);
		if (rc == 0 && a->size_bytes != 0)
			rc = add_device(scan, result, a->node);
	}
	return rc;
}

int sb_probe_members(struct sb_result *result)
{
	struct scan scan;
	int rc = probe_scan_begin(&scan, &result->topo);

	if (rc == 0)
		rc = add_all(&scan, result);
	probe_scan_end(&scan);
	probe_md_find_devices(result);
	return rc;
}
