/* A disk that is read in several places at once: its partitions, files on it. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_DISK, SB_NODE_PARTITION};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds));
}

const struct judge_rule rule_disk = {
	.cls = SB_CLASS_DISK,
	.applies = applies,
	.advice = "read one place of it at a time, or use several disks",
};
