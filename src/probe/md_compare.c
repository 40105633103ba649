/* Whether sysfs and /proc/mdstat say the same of an array: two witnesses of the kernel's, whose
 * difference no figure should rest on. */
#include "md_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mdstat.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#define KIB 1024

/* sysfs has '!' where /dev has '/'. */
static bool same_name(const char *sysfs, const char *mdstat)
{
	for (; *sysfs && *mdstat; sysfs++, mdstat++)
		if (*sysfs != *mdstat && !(*sysfs == '!' && *mdstat == '/'))
			return false;
	return *sysfs == *mdstat;
}

static const struct mdstat_member *find_member(const struct mdstat_array *m, const char *name)
{
	for (size_t i = 0; i < m->n_members; i++)
		if (same_name(name, m->members[i].name))
			return &m->members[i];
	return NULL;
}

static void compare_members(FILE *out, const struct sb_md_array *a, const struct mdstat_array *m)
{
	for (size_t i = 0; i < a->n_members; i++) {
		const struct sb_md_member *member = &a->members[i];
		const struct mdstat_member *other = find_member(m, member->name);

		if (!other)
			fprintf(out, "; it has no member %s", member->name);
		else if (probe_mdstat_has_flag(other, 'F') != (member->role == SB_MD_FAULTY))
			fprintf(out, "; %s has %sfailed in it", member->name,
				member->role == SB_MD_FAULTY ? "not " : "");
	}
	if (m->n_members > a->n_members)
		fprintf(out, "; it has %zu members, sysfs %zu", m->n_members, a->n_members);
}

static void compare_number(FILE *out, const char *what, uint64_t sysfs, uint64_t mdstat)
{
	if (sysfs != SB_NONE_U64 && mdstat != SB_NONE_U64 && sysfs != mdstat)
		fprintf(out, "; %s %" PRIu64 ", sysfs %" PRIu64, what, mdstat, sysfs);
}

static bool is_at_work(const char *sysfs_action)
{
	return sysfs_action && strcmp(sysfs_action, "idle") != 0 &&
	       strcmp(sysfs_action, "frozen") != 0;
}

static void compare_state(FILE *out, const struct sb_md_array *a, const struct mdstat_array *m)
{
	bool inactive = a->array_state && (strcmp(a->array_state, "inactive") == 0 ||
					   strcmp(a->array_state, "clear") == 0);
	bool runs = m->sync.action && !m->sync.state;

	if (a->array_state && m->state && inactive != (strcmp(m->state, "inactive") == 0))
		fprintf(out, "; it is %s, sysfs %s", m->state, a->array_state);
	if (m->level && a->level && strcmp(m->level, a->level) != 0)
		fprintf(out, "; level %s, sysfs %s", m->level, a->level);
	if (a->sync_action && runs != is_at_work(a->sync_action) && !a->sync_waits &&
	    !m->sync.state)
		fprintf(out, "; it has %s, sysfs %s", runs ? m->sync.action : "no resync",
			a->sync_action);
}

char *probe_md_difference(const struct sb_md_array *a, const struct mdstat_array *m)
{
	SB_AUTO_FREE char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool reshapes = a->raid_disks_old != SB_NONE_U64;

	if (!out)
		return NULL;
	compare_state(out, a, m);
	if (!reshapes)
		compare_number(out, "slots", a->raid_disks, m->disks_total);
	if (!reshapes && m->disks_total != SB_NONE_U64 && m->disks_active <= m->disks_total)
		compare_number(out, "slots without a good member", a->degraded,
			       m->disks_total - m->disks_active);
	if (m->chunk_kib != SB_NONE_U64)
		compare_number(out, "chunk", a->chunk_bytes, m->chunk_kib * KIB);
	compare_members(out, a, m);
	if (fclose(out) != 0)
		return NULL;
	return strdup(length > 2 ? text + 2 : "");
}

static int read_difference(const struct sb_md_array *a, char **difference)
{
	SB_AUTO_FREE char *text = sb_read_all("/proc/mdstat", NULL);
	const struct mdstat_array *found;
	struct mdstat mdstat;
	int rc;

	*difference = NULL;
	if (!text)
		return 0; /* masked: there is no second witness */
	rc = probe_mdstat_parse(&mdstat, text);
	found = rc == 0 ? probe_mdstat_find(&mdstat, a->name) : NULL;
	if (rc == 0) {
		*difference = found ? probe_md_difference(a, found)
				    : strdup("it does not have this array");
		rc = *difference ? 0 : -ENOMEM;
	}
	probe_mdstat_free(&mdstat);
	return rc;
}

/* What differs may have changed between the two looks: then both are taken again. */
int probe_md_compare(struct sb_md_array *array)
{
	SB_AUTO_FREE char *first = NULL, *second = NULL;
	struct sb_md_array again;
	int rc = read_difference(array, &first);

	if (rc != 0 || !first || !*first)
		return rc;
	sb_md_array_init(&again);
	rc = probe_md_read(&again, array->name);
	if (rc == 0)
		rc = read_difference(&again, &second);
	sb_md_array_free(&again);
	if (rc != 0 || !second || strcmp(first, second) != 0)
		return rc;
	return sb_set_string(&array->mdstat_differs, second);
}
