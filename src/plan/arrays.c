/* Arrays: their members together, the array with one reader and with several, and all arrays and
 * volumes of the run at once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"
#include "satabench/log.h"
#include "satabench/units.h"

#define BLOCK_MOST (32ULL << 20) /* one vectored read: 1024 segments (IOV_MAX) of 32 KiB */
/* From one reader to the next: far enough that none comes to where another has been, near enough
 * that all are in the same zone of spinning disks. */
#define APART_BYTES (64ULL << 30)

const struct sb_md_array *sb_plan_array_of(const struct sb_result *result,
					   const struct sb_device *device)
{
	for (size_t i = 0; i < result->n_md; i++)
		if (result->md[i].device == (int)(device - result->devices))
			return &result->md[i];
	return NULL;
}

uint64_t sb_plan_stripes(const struct sb_md_array *array)
{
	uint64_t stripe = sb_md_stripe_bytes(array);

	if (stripe == 0 || stripe > BLOCK_MOST)
		return 0;
	return (SB_DEFAULT_BLOCK + stripe - 1) / stripe * stripe;
}

uint64_t sb_plan_member_offset(const struct sb_result *result, const struct sb_device *device,
			       uint64_t offset)
{
	uint64_t sector = device->sector_bytes ? device->sector_bytes : 4096;

	for (size_t i = 0; i < result->n_md; i++) {
		const struct sb_md_array *a = &result->md[i];
		uint64_t stripe = sb_md_stripe_bytes(a);

		for (size_t k = 0; k < a->n_members; k++)
			if (a->members[k].device == (int)(device - result->devices) && stripe)
				offset = offset / stripe * a->chunk_bytes;
	}
	if (device->size_bytes != SB_NONE_U64 && offset >= device->size_bytes)
		return 0; /* linear: it lies on another one */
	return offset / sector * sector;
}

static size_t count_readable(const struct sb_md_array *array)
{
	size_t n = 0;

	for (size_t i = 0; i < array->n_members; i++)
		n += sb_md_is_readable(&array->members[i]);
	return n;
}

void sb_plan_set_streams(struct sb_result *result)
{
	uint64_t wished = result->options.streams;
	bool any = false;

	for (size_t i = 0; i < result->n_md; i++) {
		const struct sb_md_array *array = &result->md[i];

		if (array->device < 0)
			continue;
		any = true;
		result->devices[array->device].streams =
			(uint32_t)(wished ? wished : count_readable(array));
	}
	if (wished && !any && !sb_plan_has_directories(result))
		sb_warn("--streams: there is neither an array nor a directory among the targets");
}

/* Arrays that are made of other devices of the run: at once with those they would only read the
 * same disks. */
static bool is_read_apart(const struct sb_result *result, const struct sb_test_tree *tree,
			  const struct sb_md_array *array)
{
	return array->device >= 0 && sb_plan_usable(&result->devices[array->device]) &&
	       (size_t)array->device < tree->n_places && tree->place[array->device] < 0;
}

static bool has_device(const struct sb_md_array *array, int device)
{
	for (size_t i = 0; i < array->n_members; i++)
		if (sb_md_is_readable(&array->members[i]) && array->members[i].device == device)
			return true;
	return false;
}

static bool is_of(const struct sb_result *result, const struct sb_wish *wish, int device)
{
	if (wish->array != SB_WISH_ALL_ARRAYS)
		return has_device(&result->md[wish->array - 1], device);
	for (size_t i = 0; i < result->n_md; i++)
		if (has_device(&result->md[i], device))
			return true;
	return false;
}

/* Members; those that are arrays themselves only where nothing of them is read as well. */
static size_t list_members(const struct sb_result *result, const struct sb_wish *wish, int *list)
{
	size_t n = 0;

	for (int i = 0; i < (int)result->n_devices; i++) {
		bool is_array = sb_plan_array_of(result, &result->devices[i]) != NULL;

		if (sb_plan_usable(&result->devices[i]) && is_of(result, wish, i) &&
		    !(is_array && wish->array == SB_WISH_ALL_ARRAYS))
			list[n++] = i;
	}
	return n;
}

/* It is made of other devices of the run, and none is made of it: an array that is no member, a
 * volume. */
static bool is_top(const struct sb_result *result, size_t device)
{
	const struct sb_topo *topo = &result->topo;
	int node = result->devices[device].node;
	bool made = false;

	for (size_t i = 0; i < result->n_devices; i++) {
		int other = result->devices[i].node;

		if (i == device || other < 0 || other == node ||
		    !sb_plan_usable(&result->devices[i]))
			continue;
		if (sb_topo_reaches(topo, other, node))
			return false;
		made = made || sb_topo_reaches(topo, node, other);
	}
	return made;
}

/* An array, or all tops, once for each reader. */
static size_t list_arrays(const struct sb_result *result, const struct sb_wish *wish, int *list)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *device = &result->devices[i];
		bool all = wish->array == SB_WISH_ALL_ARRAYS;
		size_t readers = wish->streams > 1 && device->streams ? device->streams : 1;

		if (!sb_plan_usable(device) ||
		    !(all ? is_top(result, i) : result->md[wish->array - 1].device == (int)i))
			continue;
		for (size_t k = 0; k < readers; k++)
			list[n++] = (int)i;
	}
	return n;
}

int sb_plan_array_devices(const struct sb_result *result, const struct sb_wish *wish, int **list)
{
	size_t most = result->n_devices + 1, n;

	for (size_t i = 0; i < result->n_devices; i++)
		most += result->devices[i].streams;
	*list = calloc(most, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	n = wish->kind == SB_PHASE_ARRAY ? list_arrays(result, wish, *list)
					 : list_members(result, wish, *list);
	return (int)n;
}

/* The k-th of n readers begins k parts into the device, since the only one begins at its start. */
void sb_plan_part(const struct sb_result *result, struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->n_jobs; i++) {
		struct sb_job *job = &phase->jobs[i];
		uint64_t block = job->block_bytes, part;
		uint32_t n = result->devices[job->device].streams, k = 1;

		for (size_t j = 0; j < i; j++)
			k += phase->jobs[j].device == job->device;
		if (n < 2)
			continue;
		part = job->span_bytes / (n + 1);
		part = part > APART_BYTES ? APART_BYTES : part;
		part = part > block ? part / block * block : part;
		job->stream = k;
		job->offset_bytes += k * part;
		job->span_bytes = part;
		if (job->limit_bytes > part && job->end_at_end)
			job->limit_bytes = part;
	}
}

bool sb_plan_is_array_phase(const struct sb_result *result, const struct sb_phase *phase)
{
	return phase->kind == SB_PHASE_ARRAY ||
	       (phase->kind == SB_PHASE_GROUP &&
		(phase->node < 0 || result->topo.nodes[phase->node].kind == SB_NODE_MD));
}

static struct sb_wish new_wish(int kind, unsigned round, int node, size_t array)
{
	return (struct sb_wish){.kind = kind,
				.round = round,
				.device = -1,
				.node = node,
				.left_out = -1,
				.array = array};
}

/* `all` has just them already. */
static bool is_all(const struct sb_result *result, const struct sb_test_tree *tree,
		   const struct sb_wish *wish)
{
	SB_AUTO_FREE int *list = NULL;
	int n = sb_plan_array_devices(result, wish, &list);

	for (int i = 0; i < n; i++)
		if (tree->place[list[i]] < 0)
			return false;
	return n == (int)tree->n_devices;
}

static int wish_members(struct sb_result *result, const struct sb_test_tree *tree,
			struct sb_wish wish, const char *whose)
{
	SB_AUTO_FREE int *list = NULL;
	int n = sb_plan_array_devices(result, &wish, &list);

	if (n < 0)
		return n;
	if (n < 2 || is_all(result, tree, &wish))
		return 0;
	return sb_plan_wish(result, wish, "the members of %s together, nothing else", whose);
}

static int wish_readers(struct sb_result *result, struct sb_wish wish, uint32_t streams,
			const char *what)
{
	int rc = sb_plan_wish(result, wish, "%s, one reader%s", what,
			      wish.array == SB_WISH_ALL_ARRAYS ? " each" : "");

	if (rc != 0 || streams < 2)
		return rc;
	wish.streams = streams;
	if (wish.array == SB_WISH_ALL_ARRAYS)
		return sb_plan_wish(result, wish, "%s, several readers each", what);
	return sb_plan_wish(result, wish, "%s, %u readers at once", what, streams);
}

static int wish_array(struct sb_result *result, const struct sb_test_tree *tree, unsigned round,
		      size_t index)
{
	const struct sb_md_array *array = &result->md[index];
	SB_AUTO_FREE char *label = sb_node_label(&result->topo, array->node);
	int rc;

	if (!label)
		return -ENOMEM;
	rc = wish_members(result, tree, new_wish(SB_PHASE_GROUP, round, array->node, index + 1),
			  label);
	return rc ? rc
		  : wish_readers(result, new_wish(SB_PHASE_ARRAY, round, array->node, index + 1),
				 result->devices[array->device].streams, label);
}

static uint32_t most_streams(const struct sb_result *result)
{
	uint32_t most = 0;

	for (size_t i = 0; i < result->n_devices; i++)
		if (result->devices[i].streams > most)
			most = result->devices[i].streams;
	return most;
}

static size_t count_tops(const struct sb_result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_devices; i++)
		n += result->n_md && sb_plan_usable(&result->devices[i]) && is_top(result, i);
	return n;
}

int sb_plan_wish_arrays(struct sb_result *result, const struct sb_test_tree *tree, unsigned round)
{
	int rc = 0;

	for (size_t i = 0; i < result->n_md && rc == 0; i++) {
		if (!is_read_apart(result, tree, &result->md[i]))
			continue;
		rc = wish_array(result, tree, round, i);
	}
	if (rc != 0 || count_tops(result) < 2)
		return rc;
	rc = result->n_md < 2
		     ? 0
		     : wish_members(result, tree,
				    new_wish(SB_PHASE_GROUP, round, -1, SB_WISH_ALL_ARRAYS),
				    "all arrays");
	return rc ? rc
		  : wish_readers(result, new_wish(SB_PHASE_ARRAY, round, -1, SB_WISH_ALL_ARRAYS),
				 most_streams(result), "all arrays and volumes at once");
}

double sb_plan_arrays_cost(const struct sb_result *result, const struct sb_test_tree *tree)
{
	struct sb_wish all = new_wish(SB_PHASE_ARRAY, 1, -1, SB_WISH_ALL_ARRAYS);
	double seconds = 0;

	/* members, one reader, several */
	for (size_t i = 0; i < result->n_md; i++) {
		struct sb_wish wish = new_wish(SB_PHASE_ARRAY, 1, result->md[i].node, i + 1);

		if (is_read_apart(result, tree, &result->md[i]))
			seconds += 3 * sb_plan_wish_cost(result, tree, &wish);
	}
	return count_tops(result) < 2 ? seconds
				      : seconds + 3 * sb_plan_wish_cost(result, tree, &all);
}
