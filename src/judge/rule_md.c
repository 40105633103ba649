/* An array that is read in several places at once: its partitions, volumes and files on it. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_MD};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds));
}

const struct judge_rule rule_md = {
	.cls = SB_CLASS_MD,
	.applies = applies,
	.advice = "read one place of it at a time, and see what its members give together",
};
