/* A PCIe link: a slot, a root port, a port of a switch. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_PCIE, SB_NODE_SWITCH};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds));
}

const struct judge_rule rule_pcie = {
	.cls = SB_CLASS_PCIE,
	.applies = applies,
	.advice = "put what is behind it into a wider or faster slot, or move disks elsewhere",
};
