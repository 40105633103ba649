/* Where a disk sits: enclosure and slot, by SCSI enclosure services (a link "enclosure_device:NAME"
 * at the disk), else as the SAS controller tells it. */
#include "hop_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "satabench/file.h"

#define SERVICE "enclosure_device:"

static int take_service(void *arg, const char *name)
{
	struct sb_node *node = arg;

	if (strncmp(name, SERVICE, strlen(SERVICE)) != 0)
		return 0;
	return sb_node_set(node, "slot", name + strlen(SERVICE));
}

static int take(struct sb_node *node, const char *key, const char *path, const char *end,
		const char *attribute)
{
	char file[SYS_PATH + 160], text[128];

	snprintf(file, sizeof(file), "%s/sas_device/%.60s/%s", path, end, attribute);
	if (!probe_text(AT_FDCWD, file, text, sizeof(text)) || !sb_is_identity(text))
		return 0;
	return sb_node_get(node, key) ? 0 : sb_node_set(node, key, text);
}

int probe_slot(struct sb_node *node, const char *device)
{
	const char *block = strstr(device, "/block/"), *end = strstr(device, "/end_device-");
	char path[SYS_PATH], name[64];
	int rc;

	if (!block)
		return 0;
	snprintf(path, sizeof(path), "%.*s", (int)(block - device), device);
	rc = probe_each(AT_FDCWD, path, take_service, node);
	if (!end || rc == -ENOMEM)
		return rc == -ENOMEM ? rc : 0;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(end + 1, "/"), end + 1);
	snprintf(path, sizeof(path), "%.*s", (int)(end + 1 + strlen(name) - device), device);
	rc = take(node, "enclosure", path, name, "enclosure_identifier");
	return rc == 0 ? take(node, "slot", path, name, "bay_identifier") : rc;
}
