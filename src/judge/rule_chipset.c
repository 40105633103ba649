/* The chipset's uplink. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_CHIPSET};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds));
}

const struct judge_rule rule_chipset = {
	.cls = SB_CLASS_CHIPSET,
	.applies = applies,
	.advice = "move disks to a controller on the CPU's own PCIe lanes",
};
