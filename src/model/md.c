#include "satabench/md.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

static const char *const level_names[SB_MD_LEVELS] = {
	[SB_MD_UNKNOWN] = "unknown",	 [SB_MD_LINEAR] = "linear", [SB_MD_RAID0] = "raid0",
	[SB_MD_RAID1] = "raid1",	 [SB_MD_RAID4] = "raid4",   [SB_MD_RAID5] = "raid5",
	[SB_MD_RAID6] = "raid6",	 [SB_MD_RAID10] = "raid10", [SB_MD_MULTIPATH] = "multipath",
	[SB_MD_CONTAINER] = "container",
};

static const char *const role_names[SB_MD_ROLES] = {
	[SB_MD_DATA] = "data",
	[SB_MD_SPARE] = "spare",
	[SB_MD_FAULTY] = "faulty",
	[SB_MD_JOURNAL] = "journal",
	[SB_MD_REPLACEMENT] = "replacement",
};

const char *sb_md_level_name(int level)
{
	return level >= 0 && level < SB_MD_LEVELS ? level_names[level] : "unknown";
}

int sb_md_level_parse(const char *name)
{
	for (int i = 0; name && i < SB_MD_LEVELS; i++)
		if (strcmp(level_names[i], name) == 0)
			return i;
	return SB_MD_UNKNOWN;
}

int sb_md_kind(const char *level, const char *metadata)
{
	static const char prefix[] = "external:";
	size_t length = sizeof(prefix) - 1;

	/* "external:/md127/0" and, read-only, "external:-md127/0" lie in one */
	if (!level && metadata && strncmp(metadata, prefix, length) == 0 && metadata[length] &&
	    metadata[length] != '/' && metadata[length] != '-')
		return SB_MD_CONTAINER;
	return sb_md_level_parse(level);
}

const char *sb_md_role_name(int role)
{
	return role >= 0 && role < SB_MD_ROLES ? role_names[role] : NULL;
}

int sb_md_role_parse(const char *name)
{
	for (int i = 0; i < SB_MD_ROLES; i++)
		if (strcmp(role_names[i], name) == 0)
			return i;
	return -1;
}

/* mdadm's names, maps.c there; the numbers are drivers/md/raid5.h's. */
static const struct {
	uint64_t number;
	const char *name;
} parity_layouts[] = {
	{0, "left-asymmetric"},	   {1, "right-asymmetric"},    {2, "left-symmetric"},
	{3, "right-symmetric"},	   {4, "parity-first"},	       {5, "parity-last"},
	{8, "ddf-zero-restart"},   {9, "ddf-N-restart"},       {10, "ddf-N-continue"},
	{16, "left-asymmetric-6"}, {17, "right-asymmetric-6"}, {18, "left-symmetric-6"},
	{19, "right-symmetric-6"}, {20, "parity-first-6"},
};

/* raid10: near copies in the low byte, far copies in the next, bit 16: far copies are "offset",
 * bits 17 and 18: how far copies are grouped. */
static char *raid10_text(uint64_t layout)
{
	unsigned near = layout & 255, far = (layout >> 8) & 255;

	if (far <= 1)
		return sb_format("near=%u", near);
	if (near <= 1)
		return sb_format("%s=%u", layout & (1u << 16) ? "offset" : "far", far);
	return sb_format("near=%u, %s=%u", near, layout & (1u << 16) ? "offset" : "far", far);
}

char *sb_md_layout_text(int level, uint64_t layout)
{
	if (layout == SB_NONE_U64)
		return strdup("");
	if (level == SB_MD_RAID10)
		return raid10_text(layout);
	if (level != SB_MD_RAID5 && level != SB_MD_RAID6)
		return strdup("");
	for (size_t i = 0; i < SB_COUNT(parity_layouts); i++)
		if (parity_layouts[i].number == layout)
			return strdup(parity_layouts[i].name);
	return sb_format("layout %llu", (unsigned long long)layout);
}

unsigned sb_md_parity(int level)
{
	switch (level) {
	case SB_MD_RAID4:
	case SB_MD_RAID5:
		return 1;
	case SB_MD_RAID6:
		return 2;
	default:
		return 0;
	}
}

/* raid10 with near copies alone: the least run of chunks after which the first disk is the first
 * again, over all its disks; else a row over all disks, since the other copies lie elsewhere. */
static uint64_t raid10_chunks(uint64_t layout, uint64_t disks)
{
	uint64_t near = layout == SB_NONE_U64 ? 2 : layout & 255;

	if (near <= 1)
		return disks;
	return disks % near == 0 ? disks / near : disks;
}

uint64_t sb_md_stripe_bytes(const struct sb_md_array *array)
{
	uint64_t disks = array->raid_disks, parity = sb_md_parity(array->kind), chunks = 0, bytes;

	if (disks == SB_NONE_U64 || array->chunk_bytes == SB_NONE_U64)
		return 0;
	switch (array->kind) {
	case SB_MD_RAID0:
		chunks = disks;
		break;
	case SB_MD_RAID4:
	case SB_MD_RAID5:
	case SB_MD_RAID6:
		chunks = disks > parity ? disks - parity : 0;
		break;
	case SB_MD_RAID10:
		chunks = raid10_chunks(array->layout, disks);
		break;
	default:
		break;
	}
	return __builtin_mul_overflow(chunks, array->chunk_bytes, &bytes) ? 0 : bytes;
}

bool sb_md_is_readable(const struct sb_md_member *member)
{
	return member->role == SB_MD_DATA && member->in_sync;
}

static const struct sb_md_reading no_reading = {0, NAN, NAN, {NAN, NAN}, NAN, NAN, NAN};

void sb_md_array_init(struct sb_md_array *array)
{
	*array = (struct sb_md_array){
		.node = -1,
		.device = -1,
		.layout = SB_NONE_U64,
		.chunk_bytes = SB_NONE_U64,
		.raid_disks = SB_NONE_U64,
		.raid_disks_old = SB_NONE_U64,
		.degraded = SB_NONE_U64,
		.mismatch_sectors = SB_NONE_U64,
		.component_bytes = SB_NONE_U64,
		.size_bytes = SB_NONE_U64,
		.sync_done_sectors = SB_NONE_U64,
		.sync_total_sectors = SB_NONE_U64,
		.sync_bytes_s = SB_NONE_U64,
		.sync_min_bytes_s = SB_NONE_U64,
		.sync_max_bytes_s = SB_NONE_U64,
		.stripe_cache = SB_NONE_U64,
		.read_ahead_bytes = SB_NONE_U64,
		.alone_bytes_s = NAN,
		.together_bytes_s = NAN,
		.one = no_reading,
		.many = no_reading,
		.controller_loss = NAN,
		.slowest = -1,
		.check_seconds = NAN,
		.rebuild_seconds = NAN,
	};
}

void sb_md_array_free(struct sb_md_array *array)
{
	for (size_t i = 0; i < array->n_members; i++) {
		free(array->members[i].name);
		free(array->members[i].state);
	}
	free(array->members);
	free(array->name);
	free(array->level);
	free(array->metadata);
	free(array->container);
	free(array->array_state);
	free(array->sync_action);
	free(array->sync_action_end);
	free(array->last_sync_action);
	free(array->sync_waits);
	free(array->bitmap);
	free(array->consistency);
	free(array->mdstat_differs);
	sb_md_array_init(array);
}

struct sb_md_member *sb_md_add_member(struct sb_md_array *array)
{
	struct sb_md_member *more, *member;

	more = reallocarray(array->members, array->n_members + 1, sizeof(*more));
	if (!more)
		return NULL;
	array->members = more;
	member = &more[array->n_members++];
	*member = (struct sb_md_member){.node = -1,
					.device = -1,
					.slot = -1,
					.size_bytes = SB_NONE_U64,
					.offset_bytes = SB_NONE_U64,
					.errors = SB_NONE_U64,
					.bad_ranges = SB_NONE_U64,
					.alone_bytes_s = NAN,
					.together_bytes_s = NAN};
	return member;
}
