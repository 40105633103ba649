/* A disk that is read in several places at once: its partitions, files on it; and what stands for
 * one: a volume, a loop, a file system on several disks. One without any is the network or memory,
 * and of no class. */
#include "satabench/cleanup.h"
#include "verdict_priv.h"

static bool applies(const struct judge_look *look, const struct limit_case *c)
{
	static const int kinds[] = {SB_NODE_DISK, SB_NODE_PARTITION, SB_NODE_DM, SB_NODE_LOOP,
				    SB_NODE_ZRAM};
	static const int stacked[] = {SB_NODE_FILESYSTEM};

	return judge_kind_is(look, c, kinds, SB_COUNT(kinds)) ||
	       (judge_kind_is(look, c, stacked, SB_COUNT(stacked)) &&
		look->result->topo.nodes[c->named].n_below > 0);
}

const struct judge_rule rule_disk = {
	.cls = SB_CLASS_DISK,
	.applies = applies,
	.advice = "read one place of it at a time, or use several disks",
};
