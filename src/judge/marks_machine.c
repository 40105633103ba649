/* What the machine did beside the load: arrays at work, the clock, heat. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/units.h"
#include "judge_priv.h"

#define CLOCK_STEP_S 0.5
#define DEPTH_MOST 32

/* The nodes that reading one keeps busy: what it is made of, and the disks of partitions. */
static void spread(const struct sb_topo *topo, int node, bool *busy)
{
	const struct sb_node *n;

	if (node < 0 || busy[node])
		return;
	busy[node] = true;
	n = &topo->nodes[node];
	if (n->kind == SB_NODE_PARTITION)
		spread(topo, n->parent, busy);
	for (size_t i = 0; i < n->n_below; i++)
		spread(topo, n->below[i], busy);
}

static bool is_on(const struct sb_topo *topo, int node, const bool *busy, int depth)
{
	const struct sb_node *n;

	if (node < 0 || depth > DEPTH_MOST)
		return false;
	if (busy[node])
		return true;
	n = &topo->nodes[node];
	if (n->kind == SB_NODE_PARTITION && is_on(topo, n->parent, busy, depth + 1))
		return true;
	for (size_t i = 0; i < n->n_below; i++)
		if (is_on(topo, n->below[i], busy, depth + 1))
			return true;
	return false;
}

/* What an array does that is not rest; NULL. */
static const char *action_of(const struct sb_node *node)
{
	static const char *const keys[] = {"md_sync_action", "md_sync_action_end"};

	for (size_t i = 0; i < SB_COUNT(keys); i++) {
		const char *action = sb_node_get(node, keys[i]);

		if (action && strcmp(action, "idle") != 0 && strcmp(action, "frozen") != 0)
			return action;
	}
	return NULL;
}

static int mark_array(struct sb_result *result, const struct sb_node *node, const bool *busy)
{
	const char *action = action_of(node);

	for (size_t i = 0; i < result->n_devices; i++) {
		if (!is_on(&result->topo, result->devices[i].node, busy, 0))
			continue;
		return sb_result_add_mark(result, SB_MARK_TAINT, "resync", node->id, NAN, NAN,
					  "the array was at work on its members (%s) while they "
					  "were read; wait until "
					  "its sync_action is idle and measure again",
					  action);
	}
	return 0;
}

int mark_resync(struct sb_result *result, const struct judge_table *table)
{
	SB_AUTO_FREE bool *busy = calloc(result->topo.n_nodes + 1, sizeof(*busy));
	int err = 0;

	(void)table;
	if (!busy)
		return -ENOMEM;
	for (size_t i = 0; i < result->topo.n_nodes && !err; i++) {
		if (result->topo.nodes[i].kind != SB_NODE_MD || !action_of(&result->topo.nodes[i]))
			continue;
		memset(busy, 0, result->topo.n_nodes * sizeof(*busy));
		spread(&result->topo, (int)i, busy);
		err = mark_array(result, &result->topo.nodes[i], busy);
	}
	return err;
}

int mark_clock_step(struct sb_result *result, const struct judge_table *table)
{
	double step = result->realtime_step_s;

	(void)table;
	if (!(fabs(step) > CLOCK_STEP_S))
		return 0;
	return sb_result_add_mark(
		result, SB_MARK_TAINT, "clock_step", NULL, step, CLOCK_STEP_S,
		"the time of day went %.1f s %s than the time that passed: the clock was set, or "
		"the "
		"machine slept; its rates do not use that clock, but measure again if it slept",
		fabs(step), step > 0 ? "further" : "less far");
}

int mark_throttled(struct sb_result *result, const struct judge_table *table)
{
	uint64_t events = result->throttle_events;

	(void)table;
	if (events == SB_NONE_U64 || events == 0)
		return 0;
	return sb_result_add_mark(result, SB_MARK_TAINT, "throttled", NULL, (double)events, 0,
				  "the kernel counted %llu times that CPUs were slowed by heat "
				  "while it was measured; "
				  "see to the cooling and measure again",
				  (unsigned long long)events);
}
