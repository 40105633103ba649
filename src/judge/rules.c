/* The classes of a limit, in the order in which they are asked. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static const struct judge_rule *const rules[] = {
	&rule_cpu,     &rule_link, &rule_controller, &rule_pcie,
	&rule_chipset, &rule_md,   &rule_disk,	     &rule_unknown,
};

const struct judge_rule *judge_rule_for(const struct judge_look *look, const struct limit_case *c)
{
	for (size_t i = 0; i < SB_COUNT(rules); i++)
		if (rules[i]->applies(look, c))
			return rules[i];
	return &rule_unknown;
}

const char *judge_rule_advice(int cls)
{
	for (size_t i = 0; i < SB_COUNT(rules); i++)
		if (rules[i]->cls == cls)
			return rules[i]->advice;
	return NULL;
}

bool judge_kind_is(const struct judge_look *look, const struct limit_case *c, const int *kinds,
		   size_t n)
{
	for (size_t i = 0; c->named >= 0 && i < n; i++)
		if ((int)look->result->topo.nodes[c->named].kind == kinds[i])
			return true;
	return false;
}
