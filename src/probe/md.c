/* Arrays below the targets, by their attributes in sysfs (Documentation/admin-guide/md.rst). */
#include "md_priv.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/probe.h"
#include "satabench/units.h"

#define KIB 1024

/* "11 (10)": now, and before a reshape; "1000 (system)": a value and where it comes from. False
 * for what does not begin with a number. */
static bool parse_first(const char *text, uint64_t *first, uint64_t *second)
{
	char *end;
	const char *bracket = strchr(text, '(');

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	*first = strtoull(text, &end, 10);
	if (errno)
		return false;
	if (second && bracket && isdigit((unsigned char)bracket[1]))
		*second = strtoull(bracket + 1, NULL, 10);
	return true;
}

bool probe_md_text(const char *name, const char *attribute, char *buf, size_t size)
{
	char path[SYS_PATH];

	if ((size_t)snprintf(path, sizeof(path), SYS_BLOCK "/%s/%s", name, attribute) >=
	    sizeof(path))
		return false;
	return probe_text(AT_FDCWD, path, buf, size);
}

/* NaN-like members stay as they are when the attribute is missing or no number. */
static void take_number(const char *name, const char *attribute, uint64_t unit, uint64_t *value,
			uint64_t *before)
{
	uint64_t number = 0, product;
	char text[128];

	if (probe_md_text(name, attribute, text, sizeof(text)) &&
	    parse_first(text, &number, before) && !__builtin_mul_overflow(number, unit, &product))
		*value = product;
}

static int take_text(const char *name, const char *attribute, char **member)
{
	char text[256];

	return sb_set_string(member,
			     probe_md_text(name, attribute, text, sizeof(text)) ? text : NULL);
}

void probe_md_take_completed(struct sb_md_array *a, const char *text)
{
	unsigned long long done, total;

	a->sync_done_sectors = a->sync_total_sectors = SB_NONE_U64;
	if (sscanf(text, "%llu / %llu", &done, &total) != 2)
		return;
	a->sync_done_sectors = done;
	a->sync_total_sectors = total;
}

/* "pending": md starts it at the first write to an array that was assembled read-only. */
static int take_waiting(struct sb_md_array *a, const char *completed)
{
	char start[64];
	bool is_at_rest = a->array_state && (strcmp(a->array_state, "read-auto") == 0 ||
					     strcmp(a->array_state, "readonly") == 0);
	bool is_due = probe_md_text(a->name, "md/resync_start", start, sizeof(start)) &&
		      isdigit((unsigned char)start[0]);

	if (strcmp(completed, "delayed") == 0)
		return sb_set_string(&a->sync_waits, "delayed");
	return sb_set_string(&a->sync_waits, is_at_rest && is_due ? "pending" : NULL);
}

static int read_sync(struct sb_md_array *a)
{
	char completed[128] = "";
	int rc = take_text(a->name, "md/sync_action", &a->sync_action);

	if (rc == 0)
		rc = take_text(a->name, "md/last_sync_action", &a->last_sync_action);
	(void)probe_md_text(a->name, "md/sync_completed", completed, sizeof(completed));
	probe_md_take_completed(a, completed);
	take_number(a->name, "md/sync_speed", KIB, &a->sync_bytes_s, NULL);
	take_number(a->name, "md/sync_speed_min", KIB, &a->sync_min_bytes_s, NULL);
	take_number(a->name, "md/sync_speed_max", KIB, &a->sync_max_bytes_s, NULL);
	take_number(a->name, "md/mismatch_cnt", 1, &a->mismatch_sectors, NULL);
	return rc == 0 ? take_waiting(a, completed) : rc;
}

static int read_bitmap(struct sb_md_array *a)
{
	char location[256];

	if (!probe_md_text(a->name, "md/bitmap/location", location, sizeof(location)) ||
	    strcmp(location, "none") == 0)
		return 0;
	return sb_set_string(&a->bitmap, strncmp(location, "file", 4) == 0 ? "file" : "internal");
}

/* "external:/md127/0"; '-' for '/' while it is held read-only. */
int probe_md_container(const char *metadata, char **container)
{
	static const char prefix[] = "external:";
	size_t skip = sizeof(prefix) - 1;
	char name[64];

	if (!metadata || strncmp(metadata, prefix, skip) != 0 ||
	    (metadata[skip] != '/' && metadata[skip] != '-'))
		return sb_set_string(container, NULL);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(metadata + skip + 1, "/"),
		 metadata + skip + 1);
	return sb_set_string(container, name);
}

static int read_shape(struct sb_md_array *a)
{
	int rc = take_text(a->name, "md/level", &a->level);

	if (rc == 0)
		rc = take_text(a->name, "md/metadata_version", &a->metadata);
	a->kind = sb_md_kind(a->level, a->metadata);
	if (rc == 0)
		rc = probe_md_container(a->metadata, &a->container);
	if (rc == 0)
		rc = take_text(a->name, "md/array_state", &a->array_state);
	if (rc == 0)
		rc = take_text(a->name, "md/consistency_policy", &a->consistency);
	take_number(a->name, "md/layout", 1, &a->layout, NULL);
	take_number(a->name, "md/chunk_size", 1, &a->chunk_bytes, NULL);
	take_number(a->name, "md/raid_disks", 1, &a->raid_disks, &a->raid_disks_old);
	take_number(a->name, "md/degraded", 1, &a->degraded, NULL);
	take_number(a->name, "md/component_size", KIB, &a->component_bytes, NULL);
	take_number(a->name, "md/stripe_cache_size", 1, &a->stripe_cache, NULL);
	take_number(a->name, "size", SYS_SECTOR, &a->size_bytes, NULL);
	take_number(a->name, "queue/read_ahead_kb", KIB, &a->read_ahead_bytes, NULL);
	return rc == 0 ? read_bitmap(a) : rc;
}

int probe_md_read(struct sb_md_array *array, const char *name)
{
	int rc = sb_set_string(&array->name, name);

	if (rc == 0)
		rc = read_shape(array);
	if (rc == 0)
		rc = read_sync(array);
	return rc == 0 ? probe_md_members(array) : rc;
}

static bool has_array(const struct sb_result *result, int node)
{
	for (size_t i = 0; i < result->n_md; i++)
		if (result->md[i].node == node)
			return true;
	return false;
}

static int add_array(struct scan *scan, struct sb_result *result, int node)
{
	struct sb_md_array *array = sb_result_add_md(result);
	int rc = array ? probe_md_read(array, probe_node(scan, node)->name) : -ENOMEM;

	if (rc < 0)
		return rc;
	array->node = node;
	for (size_t i = 0; i < array->n_members; i++) {
		int below = probe_block(scan, array->members[i].name);

		if (below == -ENOMEM)
			return below;
		array->members[i].node = below < 0 ? -1 : below;
	}
	return probe_md_compare(array);
}

/* What lies below comes first. */
static int walk(struct scan *scan, struct sb_result *result, int node, int depth)
{
	int rc = 0;

	if (depth > PROBE_DEPTH_MOST || has_array(result, node))
		return 0;
	for (size_t i = 0; i < probe_node(scan, node)->n_below && rc == 0; i++)
		rc = walk(scan, result, probe_node(scan, node)->below[i], depth + 1);
	if (rc == 0 && probe_node(scan, node)->kind == SB_NODE_MD)
		rc = add_array(scan, result, node);
	return rc;
}

static bool is_at_work(const char *action)
{
	return action && strcmp(action, "idle") != 0 && strcmp(action, "frozen") != 0;
}

/* One that was at work in between was not at rest: that is kept. */
static int read_again(struct sb_result *result, struct sb_md_array *array)
{
	int rc;

	if (is_at_work(array->sync_action_end))
		return 0;
	rc = take_text(array->name, "md/sync_action", &array->sync_action_end);
	return rc == 0 ? sb_node_set(&result->topo.nodes[array->node], "md_sync_action_end",
				     array->sync_action_end)
		       : rc;
}

int sb_probe_watch(struct sb_result *result)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_md && rc == 0; i++)
		rc = read_again(result, &result->md[i]);
	return rc;
}

/* Of all arrays: one above a disk that was read counts, too. */
int sb_probe_end(struct sb_result *result)
{
	struct sb_topo *topo = &result->topo;
	int rc = sb_probe_watch(result);

	for (size_t i = 0; i < topo->n_nodes && rc == 0; i++) {
		struct sb_node *node = &topo->nodes[i];
		char action[64];

		if (node->kind == SB_NODE_MD &&
		    !is_at_work(sb_node_get(node, "md_sync_action_end")) &&
		    probe_md_text(node->name, "md/sync_action", action, sizeof(action)))
			rc = sb_node_set(node, "md_sync_action_end", action);
	}
	return rc;
}

int probe_md(struct scan *scan, struct sb_result *result)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_devices && rc == 0; i++)
		if (result->devices[i].kind == SB_DEVICE_BLOCK && result->devices[i].node >= 0)
			rc = walk(scan, result, result->devices[i].node, 0);
	probe_md_find_devices(result);
	return rc;
}
