#include "satabench/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[SB_CLASSES] = {
	[SB_CLASS_NONE] = "none",	[SB_CLASS_DISK] = "disk",
	[SB_CLASS_LINK] = "link",	[SB_CLASS_CONTROLLER] = "controller",
	[SB_CLASS_PCIE] = "pcie",	[SB_CLASS_CHIPSET] = "chipset",
	[SB_CLASS_CPU] = "cpu",		[SB_CLASS_MD] = "md",
	[SB_CLASS_UNKNOWN] = "unknown",
};

static const char *const state_names[SB_LOSS_STATES] = {
	[SB_LOSS_FREE] = "free",
	[SB_LOSS_LIMIT] = "limit",
	[SB_LOSS_UNSURE] = "unsure",
};

const char *sb_class_name(int cls)
{
	return cls >= 0 && cls < SB_CLASSES ? class_names[cls] : "unknown";
}

int sb_class_parse(const char *name)
{
	for (int i = 0; i < SB_CLASSES; i++)
		if (strcmp(class_names[i], name) == 0)
			return i;
	return -1;
}

const char *sb_loss_state_name(int state)
{
	return state >= 0 && state < SB_LOSS_STATES ? state_names[state] : "unknown";
}

int sb_loss_state_parse(const char *name)
{
	for (int i = 0; i < SB_LOSS_STATES; i++)
		if (strcmp(state_names[i], name) == 0)
			return i;
	return -1;
}

void sb_verdict_init(struct sb_verdict *verdict)
{
	*verdict = (struct sb_verdict){.cls = SB_CLASS_UNKNOWN,
				       .node = -1,
				       .cannot_tell = true,
				       .confidence = NAN,
				       .capacity_bytes_s = NAN,
				       .runner_up = -1,
				       .local_home = -1,
				       .small_shared = -1,
				       .noise = NAN,
				       .smallest_excluded = NAN};
}

void sb_verdict_free(struct sb_verdict *verdict)
{
	for (size_t i = 0; i < verdict->n_limits; i++)
		free(verdict->limits[i].candidates);
	for (size_t i = 0; i < verdict->n_evidence; i++)
		free(verdict->evidence[i]);
	free(verdict->limits);
	free(verdict->losses);
	free(verdict->undecided);
	free(verdict->odd_runs);
	free(verdict->local);
	free(verdict->slow);
	free(verdict->above_ceiling);
	free(verdict->candidates);
	free(verdict->evidence);
	free(verdict->sentence);
	sb_verdict_init(verdict);
}
