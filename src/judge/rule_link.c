/* The way between a controller and disks, also one that several disks share. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_LINK, SB_NODE_PORT_MULTIPLIER, SB_NODE_EXPANDER,
				    SB_NODE_ENCLOSURE};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds));
}

const struct judge_rule rule_link = {
	.cls = SB_CLASS_LINK,
	.applies = applies,
	.advice = "give the disks behind it links of their own, or a faster one",
};
