/* The controller's chip. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_CONTROLLER};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds));
}

const struct judge_rule rule_controller = {
	.cls = SB_CLASS_CONTROLLER,
	.applies = applies,
	.advice = "move disks to another controller",
};
