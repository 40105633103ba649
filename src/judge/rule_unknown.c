/* A part that no class is for (the machine, a NUMA node, a root complex), or none that is left when
 * each could carry more. The last rule: it applies always. */
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	(void)look;
	(void)c;
	return true;
}

const struct judge_rule rule_unknown = {
	.cls = SB_CLASS_UNKNOWN,
	.applies = applies,
	.advice = "measure parts of it by themselves to find out which part it is",
};
