/* Watching md check arrays: md makes the I/O, this reads its progress and the members' counters.
 * Main thread. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load_priv.h"
#include "satabench/action.h"
#include "satabench/cleanup.h"
#include "satabench/keeper.h"
#include "satabench/log.h"

#define LOOK_NS (SB_NS_PER_SEC / 5)
#define END_WITHIN_NS (30 * SB_NS_PER_SEC) /* of "idle", until md is at rest */

struct watched {
	struct sb_mdcheck *check;
	uint64_t started_ns;
};

static int read_attribute(const char *array, const char *name, char *text, size_t size)
{
	SB_AUTO_FREE char *path = sb_format("/sys/class/block/%s/md/%s", array, name);
	int rc = path ? sb_read_text(AT_FDCWD, path, text, size) : -ENOMEM;

	if (rc < 0)
		text[0] = '\0';
	return rc;
}

static uint64_t read_number(const char *array, const char *name)
{
	char text[32];
	uint64_t value;

	if (read_attribute(array, name, text, sizeof(text)) <= 0 ||
	    sb_parse_count(text, &value) != 0)
		return SB_NONE_U64;
	return value;
}

static void look_at(const char *array, struct sb_mdcheck_look *look)
{
	read_attribute(array, "sync_action", look->sync_action, sizeof(look->sync_action));
	read_attribute(array, "array_state", look->array_state, sizeof(look->array_state));
	read_attribute(array, "resync_start", look->resync_start, sizeof(look->resync_start));
	read_attribute(array, "sync_completed", look->sync_completed, sizeof(look->sync_completed));
	look->degraded = read_number(array, "degraded");
}

int sb_load_md_refuses(const struct sb_md_array *array, const char **why)
{
	struct sb_mdcheck_look look = {0};

	look_at(array->name, &look);
	*why = sb_mdcheck_refusal(&look);
	return *why ? -EINVAL : 0;
}

static int read_member(const struct sb_mdcheck_member *member, struct sb_disk_reading *reading)
{
	SB_AUTO_FREE char *path = sb_format("/sys/class/block/%s/stat", member->name);
	SB_AUTO_FD int fd = path ? sb_open_readonly(AT_FDCWD, path, 0) : -ENOMEM;

	return fd < 0 ? fd : sb_disk_read(fd, reading);
}

static int add_check(struct sb_result *result, struct sb_md_array *array)
{
	struct sb_mdcheck *check = sb_result_add_check(result);
	int rc = check ? 0 : -ENOMEM;

	if (rc < 0)
		return rc;
	check->node = array->node;
	rc = sb_set_string(&check->name, array->name) | sb_set_string(&check->level, array->level);
	for (size_t i = 0; i < array->n_members && rc == 0; i++) {
		struct sb_mdcheck_member *m = sb_mdcheck_add_member(check);

		if (!m || sb_set_string(&m->name, array->members[i].name) != 0)
			return -ENOMEM;
		m->node = array->members[i].node;
	}
	/* what an earlier check has counted is told as such, and no finding about the array */
	array->mismatch_sectors = SB_NONE_U64;
	return rc ? -ENOMEM : 0;
}

static void count_before(struct sb_mdcheck_member *m)
{
	struct sb_disk_reading now;

	if (read_member(m, &now) != 0)
		return;
	m->before_read_bytes = now.read_bytes;
	m->before_written_bytes = now.write_bytes;
}

static void count_after(struct sb_mdcheck_member *m)
{
	struct sb_disk_reading now;

	if (m->before_read_bytes == SB_NONE_U64 || read_member(m, &now) != 0)
		return;
	m->read_bytes = now.read_bytes - m->before_read_bytes;
	m->written_bytes = now.write_bytes - m->before_written_bytes;
}

static void start(struct watched *w)
{
	struct sb_mdcheck *c = w->check;
	int rc;

	c->mismatch_before_sectors = read_number(c->name, "mismatch_cnt");
	c->first_sector = read_number(c->name, "sync_min");
	for (size_t i = 0; i < c->n_members; i++)
		count_before(&c->members[i]);
	w->started_ns = sb_now_ns();
	rc = sb_check_start(c->name);
	if (rc == 0)
		return;
	c->state = SB_MDCHECK_FAILED;
	c->message = sb_format("md does not begin a check: %s", strerror(-rc));
	sb_error("%s: %s", c->name, c->message ? c->message : "");
}

/* At its end, however that came: counters and what md has found. */
static void finish(struct watched *w)
{
	struct sb_mdcheck *c = w->check;

	c->elapsed_ns = sb_now_ns() - w->started_ns;
	c->mismatch_sectors = read_number(c->name, "mismatch_cnt");
	for (size_t i = 0; i < c->n_members; i++)
		count_after(&c->members[i]);
}

/* md is at rest, or at something else. Where a check came to its end it forgets where it began:
 * sync_min is 0 then, and else the sector that it came to (md_do_sync in drivers/md/md.c). */
static void judge_end(struct watched *w, const struct sb_mdcheck_look *look)
{
	struct sb_mdcheck *c = w->check;
	uint64_t came_to = read_number(c->name, "sync_min");

	finish(w);
	(void)sb_check_end(c->name);
	if (strcmp(look->sync_action, "idle") == 0 && came_to == 0 && look->degraded == 0) {
		c->state = SB_MDCHECK_DONE;
		if (c->total_sectors != SB_NONE_U64)
			c->done_sectors = c->total_sectors;
		return;
	}
	c->state = SB_MDCHECK_ENDED;
	if (came_to != SB_NONE_U64 && came_to > 0)
		c->done_sectors = came_to;
	c->message = look->degraded > 0 ? strdup("the array lost a member while it was checked")
		     : strcmp(look->sync_action, "idle") == 0
			     ? strdup("somebody else ended it")
			     : sb_format("md went on to: %s",
					 look->sync_action[0] ? look->sync_action : "nothing");
}

static void update(struct watched *w)
{
	struct sb_mdcheck *c = w->check;
	struct sb_mdcheck_look look = {0};

	if (c->state != SB_MDCHECK_RUNNING)
		return;
	look_at(c->name, &look);
	if (sb_mdcheck_progress(look.sync_completed, &c->done_sectors, &c->total_sectors) == 0)
		c->elapsed_ns = sb_now_ns() - w->started_ns;
	if (strcmp(look.sync_action, "check") != 0)
		judge_end(w, &look);
}

static bool is_idle(const char *array)
{
	char action[32];

	return read_attribute(array, "sync_action", action, sizeof(action)) <= 0 ||
	       strcmp(action, "check") != 0;
}

static void stop(struct watched *w)
{
	struct sb_mdcheck *c = w->check;
	uint64_t until = sb_now_ns() + END_WITHIN_NS, came_to;
	int rc;

	if (c->state != SB_MDCHECK_RUNNING)
		return;
	rc = sb_check_end(c->name);
	while (rc == 0 && !is_idle(c->name) && sb_now_ns() < until)
		sb_sleep_until(sb_now_ns() + LOOK_NS / 10);
	finish(w);
	came_to = read_number(c->name, "sync_min");
	if (came_to != SB_NONE_U64 && came_to > 0)
		c->done_sectors = came_to;
	c->state = SB_MDCHECK_STOPPED;
	if (rc < 0 || !is_idle(c->name)) {
		c->message = sb_format("it could not be ended: %s",
				       rc < 0 ? strerror(-rc) : "md goes on with it");
		sb_error("%s: %s; as root: echo idle >/sys/block/%s/md/sync_action", c->name,
			 c->message ? c->message : "", c->name);
	}
}

static size_t n_running(const struct sb_result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_checks; i++)
		n += result->checks[i].state == SB_MDCHECK_RUNNING;
	return n;
}

static void watch(struct sb_result *result, struct watched *watched, struct sb_phase *phase,
		  const struct sb_load_watch *tick)
{
	while (!sb_stop_signal()) {
		for (size_t i = 0; i < result->n_checks; i++)
			update(&watched[i]);
		tick->tick(tick->arg, phase, NULL, NULL);
		if (n_running(result) == 0)
			break;
		sb_sleep_until(sb_now_ns() + LOOK_NS);
	}
	for (size_t i = 0; i < result->n_checks; i++)
		stop(&watched[i]);
}

static int prepare(struct sb_result *result, struct watched *watched)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_md && rc == 0; i++)
		if (result->md[i].device >= 0 && !result->devices[result->md[i].device].added)
			rc = add_check(result, &result->md[i]);
	for (size_t i = 0; i < result->n_checks; i++) /* it does not grow any more */
		watched[i].check = &result->checks[i];
	return rc;
}

static int run(struct sb_result *result, struct watched *watched, struct sb_phase *phase,
	       const struct sb_load_watch *tick)
{
	struct sb_snapshot at_start = {0}, at_end = {0};
	struct sb_sampler *sampler;
	uint64_t begin;
	int rc = sb_sampler_create(&sampler);

	if (rc < 0)
		return rc;
	sb_sampler_snapshot(sampler, &at_start);
	begin = sb_now_ns();
	for (size_t i = 0; i < result->n_checks && !sb_stop_signal(); i++)
		start(&watched[i]);
	watch(result, watched, phase, tick);
	sb_sampler_snapshot(sampler, &at_end);
	phase->started_s = 0;
	phase->window_start_ns = 0;
	phase->window_end_ns = sb_now_ns() - begin;
	sb_snapshot_delta(&at_start, &at_end, &phase->counters);
	phase->done = true;
	phase->complete = !sb_stop_signal();
	sb_snapshot_free(&at_start);
	sb_snapshot_free(&at_end);
	sb_sampler_destroy(sampler);
	return phase->complete ? 0 : -EINTR;
}

int sb_load_md_check(struct sb_result *result, const struct sb_load_watch *tick)
{
	struct watched *watched = calloc(result->n_md + 1, sizeof(*watched));
	struct sb_phase *phase = sb_result_add_phase(result, SB_PHASE_MD_CHECK, 0,
						     "md's own check, all arrays at once");
	int rc = watched && phase ? prepare(result, watched) : -ENOMEM;

	if (rc == 0)
		rc = run(result, watched, phase, tick);
	free(watched);
	sb_check_end_all();
	if (phase && phase->done)
		tick->tick(tick->arg, phase, NULL, NULL);
	return rc;
}
