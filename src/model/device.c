#include "satabench/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[SB_DEVICE_STATES] = {
	[SB_DEVICE_NEW] = "new",   [SB_DEVICE_READY] = "ready",	      [SB_DEVICE_FAILED] = "failed",
	[SB_DEVICE_HUNG] = "hung", [SB_DEVICE_VANISHED] = "vanished",
};

const char *sb_device_state_name(int state)
{
	return state >= 0 && state < SB_DEVICE_STATES ? state_names[state] : "unknown";
}

int sb_device_state_parse(const char *name)
{
	for (int i = 0; i < SB_DEVICE_STATES; i++)
		if (strcmp(state_names[i], name) == 0)
			return i;
	return -1;
}

int sb_set_string(char **member, const char *text)
{
	char *copy = NULL;

	if (text) {
		copy = strdup(text);
		if (!copy)
			return -ENOMEM;
	}
	free(*member);
	*member = copy;
	return 0;
}

void sb_device_free(struct sb_device *device)
{
	free(device->target);
	free(device->path);
	free(device->file_system);
	free(device->file_system_source);
	free(device->own_reason);
	free(device->stat_path);
	free(device->engine);
	free(device->engine_reason);
	free(device->buffers);
	free(device->contents);
	free(device->message);
}
