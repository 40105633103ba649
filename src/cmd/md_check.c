#include "md_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

static int next(const struct sb_plan *plan, struct sb_result *result)
{
	(void)plan;
	(void)result;
	return 0;
}

const struct sb_plan sb_md_check_plan = {
	.name = "md-check",
	.summary = "md's own check",
	.next = next,
	.rule = "md checks the arrays, all at once",
};

static const struct sb_md_array *array_of(const struct sb_result *result, size_t device)
{
	for (size_t i = 0; i < result->n_md; i++)
		if (result->md[i].device == (int)device)
			return &result->md[i];
	return NULL;
}

int sb_md_check_look(const struct sb_result *result)
{
	const struct sb_options *o = &result->options;
	int rc = 0;

	if (o->workload || o->resume || o->streams || strcmp(o->plan, sb_md_check_plan.name) != 0) {
		sb_error("--md-check reads nothing itself: --plan, --workload, --resume and "
			 "--streams do not go with it");
		return -EINVAL;
	}
	if (result->n_devices == 0) {
		sb_error("--md-check needs an array: -d /dev/md0");
		return -EINVAL;
	}
	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_md_array *array = array_of(result, i);
		SB_AUTO_FREE char *name = sb_escape(result->devices[i].target);
		const char *why = "is no md array";

		if (array && sb_load_md_refuses(array, &why) == 0)
			continue;
		sb_error("--md-check: %s %s", name ? name : "?", why);
		rc = -EINVAL;
	}
	return rc;
}

int sb_md_check_run(struct sb_result *result, const struct sb_load_watch *watch)
{
	sb_warn("the kernel may rewrite sectors that a member cannot read, and updates "
		"superblocks, as in any check; Ctrl-C ends it");
	return sb_load_md_check(result, watch);
}

char *sb_md_check_progress(const struct sb_result *result)
{
	char *text = NULL;

	for (size_t i = 0; i < result->n_checks; i++) {
		const struct sb_mdcheck *c = &result->checks[i];
		char rate[SB_UNIT_TEXT], left[SB_UNIT_TEXT], *longer;

		if (c->state != SB_MDCHECK_RUNNING)
			continue;
		longer = isnan(c->bytes_s)
				 ? sb_format("%s%scheck of %s: waiting", text ? text : "",
					     text ? "; " : "", c->name)
				 : sb_format("%s%scheck of %s: %.1f %%, %s, about %s left",
					     text ? text : "", text ? "; " : "", c->name,
					     c->percent, sb_format_rate(rate, c->bytes_s),
					     sb_format_duration(left, c->left_seconds));
		free(text);
		text = longer;
	}
	return text;
}
