#include "satabench/mdcheck.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/result.h"
#include "satabench/units.h"

static const char *const states[SB_MDCHECK_STATES] = {
	[SB_MDCHECK_RUNNING] = "running", [SB_MDCHECK_DONE] = "done",
	[SB_MDCHECK_STOPPED] = "stopped", [SB_MDCHECK_ENDED] = "ended",
	[SB_MDCHECK_FAILED] = "failed",
};

const char *sb_mdcheck_state_name(int state)
{
	return state >= 0 && state < SB_MDCHECK_STATES ? states[state] : NULL;
}

int sb_mdcheck_state_parse(const char *name)
{
	for (int i = 0; i < SB_MDCHECK_STATES; i++)
		if (strcmp(states[i], name) == 0)
			return i;
	return -1;
}

static bool is_one_of(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

/* States as in the kernel's Documentation/admin-guide/md.rst. */
const char *sb_mdcheck_refusal(const struct sb_mdcheck_look *look)
{
	static const char *const readable[] = {"clean", "active", "active-idle", "write-pending"};
	static const char *const read_only[] = {"readonly", "read-auto"};

	if (!look->array_state[0])
		return "is no md array that runs";
	if (is_one_of(look->array_state, read_only, SB_COUNT(read_only)))
		return "is read-only: md checks only what it may write";
	if (!is_one_of(look->array_state, readable, SB_COUNT(readable)))
		return "is not running as it should";
	if (!look->sync_action[0])
		return "has nothing to be checked: its level keeps no second copy and no parity";
	if (strcmp(look->sync_action, "idle") != 0)
		return "is at work on itself already";
	if (look->degraded == SB_NONE_U64 || look->degraded > 0)
		return "is degraded: it has to be rebuilt first";
	if (look->resync_start[0] && strcmp(look->resync_start, "none") != 0)
		return "is not in sync: it has to be resynced first";
	return NULL;
}

int sb_mdcheck_progress(const char *text, uint64_t *done, uint64_t *total)
{
	uint64_t a, b;
	int end = 0;

	if (sscanf(text, "%" SCNu64 " / %" SCNu64 "%n", &a, &b, &end) != 2 || text[end] ||
	    text[0] == '-' || b == 0 || a > b)
		return -ENODATA;
	*done = a;
	*total = b;
	return 0;
}

void sb_mdcheck_free(struct sb_mdcheck *check)
{
	for (size_t i = 0; i < check->n_members; i++)
		free(check->members[i].name);
	free(check->members);
	free(check->name);
	free(check->level);
	free(check->message);
}

struct sb_mdcheck *sb_result_add_check(struct sb_result *result)
{
	struct sb_mdcheck *more = reallocarray(result->checks, result->n_checks + 1, sizeof(*more));

	if (!more)
		return NULL;
	result->checks = more;
	more += result->n_checks++;
	*more = (struct sb_mdcheck){.node = -1,
				    .first_sector = SB_NONE_U64,
				    .done_sectors = SB_NONE_U64,
				    .total_sectors = SB_NONE_U64,
				    .mismatch_before_sectors = SB_NONE_U64,
				    .mismatch_sectors = SB_NONE_U64,
				    .bytes_s = NAN,
				    .percent = NAN,
				    .left_seconds = NAN};
	return more;
}

struct sb_mdcheck_member *sb_mdcheck_add_member(struct sb_mdcheck *check)
{
	struct sb_mdcheck_member *more =
		reallocarray(check->members, check->n_members + 1, sizeof(*more));

	if (!more)
		return NULL;
	check->members = more;
	more += check->n_members++;
	*more = (struct sb_mdcheck_member){.node = -1,
					   .before_read_bytes = SB_NONE_U64,
					   .read_bytes = SB_NONE_U64,
					   .written_bytes = SB_NONE_U64,
					   .bytes_s = NAN};
	return more;
}
