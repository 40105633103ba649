#include "satabench/comparison.h"

#include <stdlib.h>

#include "satabench/cleanup.h"

static const char *const kind_names[] = {
	[SB_SHIFT_TOTAL] = "total",	[SB_SHIFT_CONTROLLER] = "controller",
	[SB_SHIFT_ARRAY] = "array",	[SB_SHIFT_DEVICE] = "device",
	[SB_SHIFT_CPU] = "cpu_per_gib",
};

const char *sb_shift_kind_name(int kind)
{
	return kind >= 0 && kind < (int)SB_COUNT(kind_names) ? kind_names[kind] : NULL;
}

const char *sb_shift_word_name(const struct sb_shift *shift)
{
	bool cost = shift->kind == SB_SHIFT_CPU;

	switch (shift->word) {
	case SB_SHIFT_SAME:
		return "same";
	case SB_SHIFT_BETTER:
		return cost ? "less" : "faster";
	case SB_SHIFT_WORSE:
		return cost ? "more" : "slower";
	default:
		return "cannot tell";
	}
}

void sb_comparison_free(struct sb_comparison *c)
{
	free(c->version);
	for (size_t i = 0; i < c->n_sessions; i++) {
		free(c->sessions[i].file);
		free(c->sessions[i].started);
		free(c->sessions[i].label);
	}
	free(c->sessions);
	for (size_t i = 0; i < c->n_changes; i++) {
		free(c->changes[i].what);
		free(c->changes[i].subject);
		free(c->changes[i].before);
		free(c->changes[i].after);
	}
	free(c->changes);
	for (size_t i = 0; i < c->n_shifts; i++) {
		free(c->shifts[i].name);
		free(c->shifts[i].name_after);
	}
	free(c->shifts);
	for (size_t i = 0; i < c->n_notes; i++)
		free(c->notes[i]);
	free(c->notes);
	free(c->advice);
	*c = (struct sb_comparison){0};
}
