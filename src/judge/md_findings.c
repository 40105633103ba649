/* What there is to say of an array's state: a row a finding. One that applies writes its message;
 * one that writes nothing does not apply. */
#include "md_findings.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

static bool is(const char *text, const char *word)
{
	return text && strcmp(text, word) == 0;
}

static void say_name(FILE *f, const char *name)
{
	SB_AUTO_FREE char *escaped = sb_escape(name);

	fputs(escaped ? escaped : "?", f);
}

void md_say_members(FILE *f, const struct sb_md_array *a, const bool *chosen)
{
	bool any = false;

	for (size_t i = 0; i < a->n_members; i++) {
		if (!chosen[i])
			continue;
		fputs(any ? ", " : "", f);
		say_name(f, a->members[i].name);
		any = true;
	}
}

/* "sda, sdb: " and what stands behind it, for the members that have something; nothing for none. */
static void say_of(FILE *f, const struct md_case *c, bool (*has)(const struct sb_md_member *),
		   const char *what)
{
	SB_AUTO_FREE bool *chosen = calloc(c->array->n_members + 1, sizeof(*chosen));
	bool any = false;

	for (size_t i = 0; chosen && i < c->array->n_members; i++)
		any |= chosen[i] = has(&c->array->members[i]);
	if (!any)
		return;
	md_say_members(f, c->array, chosen);
	fprintf(f, ": %s", what);
}

static void degraded(FILE *f, const struct md_case *c)
{
	uint64_t n = c->array->degraded;

	if (n == SB_NONE_U64 || n == 0)
		return;
	fprintf(f,
		"the array is degraded: %" PRIu64 " of its %" PRIu64
		" slots %s no good member, so it is read otherwise than a whole one; put a new "
		"member in and measure again",
		n, c->array->raid_disks, n == 1 ? "has" : "have");
}

static void broken(FILE *f, const struct md_case *c)
{
	if (is(c->array->array_state, "broken"))
		fputs("the array is broken: it has lost a member that it cannot do without", f);
}

static void inactive(FILE *f, const struct md_case *c)
{
	const char *state = c->array->array_state;

	if (c->array->kind != SB_MD_CONTAINER && (is(state, "inactive") || is(state, "clear")))
		fputs("the array is not running, so there is nothing to read: mdadm --run starts "
		      "it if enough of its members are there",
		      f);
}

static bool is_failed(const struct sb_md_member *m)
{
	return m->role == SB_MD_FAULTY;
}

static void failed(FILE *f, const struct md_case *c)
{
	say_of(f, c, is_failed,
	       "failed, and still listed; look at its error log, then mdadm "
	       "--remove it");
}

static bool is_spare(const struct sb_md_member *m)
{
	return m->role == SB_MD_SPARE && m->slot < 0;
}

/* All of a container's members are. */
static void spare(FILE *f, const struct md_case *c)
{
	if (c->array->kind != SB_MD_CONTAINER)
		say_of(f, c, is_spare, "spare: it is not read");
}

static bool is_rebuilt(const struct sb_md_member *m)
{
	return m->role == SB_MD_SPARE && m->slot >= 0;
}

static void rebuilt(FILE *f, const struct md_case *c)
{
	say_of(f, c, is_rebuilt, "holds a slot and is not in sync yet: it is not read");
}

static bool is_write_mostly(const struct sb_md_member *m)
{
	return m->write_mostly;
}

static void write_mostly(FILE *f, const struct md_case *c)
{
	say_of(f, c, is_write_mostly,
	       "write-mostly: md reads from it only where no other member has the data");
}

static bool is_journal(const struct sb_md_member *m)
{
	return m->role == SB_MD_JOURNAL;
}

static void journal(FILE *f, const struct md_case *c)
{
	say_of(f, c, is_journal, "journal: it takes writes first and is not read here");
}

static bool is_replacement(const struct sb_md_member *m)
{
	return m->role == SB_MD_REPLACEMENT || m->want_replacement;
}

static void replacement(FILE *f, const struct md_case *c)
{
	say_of(f, c, is_replacement, "a replacement, or to be replaced (mdadm --replace)");
}

static bool has_bad_ranges(const struct sb_md_member *m)
{
	return m->bad_ranges != SB_NONE_U64 && m->bad_ranges > 0;
}

static void bad_blocks(FILE *f, const struct md_case *c)
{
	say_of(f, c, has_bad_ranges,
	       "md has bad blocks listed for it, which it reads from other members");
}

static bool has_errors(const struct sb_md_member *m)
{
	return m->errors != SB_NONE_U64 && m->errors > 0;
}

static void errors(FILE *f, const struct md_case *c)
{
	say_of(f, c, has_errors, "md has corrected read errors of it; look at its error log");
}

static void pending(FILE *f, const struct md_case *c)
{
	if (c->array->sync_waits)
		fprintf(f, "a resync is %s: it will take its share of the members when it begins",
			is(c->array->sync_waits, "pending") ? "pending until the first write"
							    : "waiting for another array's");
}

static void read_only(FILE *f, const struct md_case *c)
{
	if (is(c->array->array_state, "read-auto"))
		fputs("auto-read-only: md writes nothing to it, no resync either, until the first "
		      "write",
		      f);
	else if (is(c->array->array_state, "readonly"))
		fputs("read-only", f);
}

static void mismatch(FILE *f, const struct md_case *c)
{
	uint64_t n = c->array->mismatch_sectors;

	if (n != SB_NONE_U64 && n > 0)
		fprintf(f,
			"the last %s found %" PRIu64
			" sectors whose copies or parity do not agree (raid1 and raid10 may count "
			"swap and short-lived files); see which, before a repair chooses for you",
			c->array->last_sync_action ? c->array->last_sync_action : "check", n);
}

static bool has_redundancy(const struct sb_md_array *a)
{
	return a->kind == SB_MD_RAID1 || a->kind == SB_MD_RAID10 || sb_md_parity(a->kind) > 0;
}

static void bitmap(FILE *f, const struct md_case *c)
{
	char time[SB_UNIT_TEXT];

	if (!has_redundancy(c->array) || c->array->bitmap || !is(c->array->consistency, "resync"))
		return;
	fputs("no bitmap: a crash while it is written costs a resync of the whole array", f);
	if (!isnan(c->array->check_seconds))
		fprintf(f, ", about %s", sb_format_duration(time, c->array->check_seconds));
}

static void layout(FILE *f, const struct md_case *c)
{
	SB_AUTO_FREE char *name = sb_md_layout_text(c->array->kind, c->array->layout);

	if ((c->array->kind != SB_MD_RAID5 && c->array->kind != SB_MD_RAID6) ||
	    c->array->layout == SB_NONE_U64 || c->array->layout == MD_LEFT_SYMMETRIC)
		return;
	fprintf(f,
		"layout %s: only with left-symmetric, the usual one, do as many chunks in a row as "
		"there are members lie on a member each",
		name ? name : "?");
}

static void mdstat(FILE *f, const struct md_case *c)
{
	SB_AUTO_FREE char *text =
		c->array->mdstat_differs ? sb_escape(c->array->mdstat_differs) : NULL;

	if (text)
		fprintf(f, "/proc/mdstat and sysfs do not agree on the array: %s", text);
}

static void below(FILE *f, const struct md_case *c)
{
	const struct sb_md_reading *r = judge_md_below(c->array);
	char rate[SB_UNIT_TEXT], low[SB_UNIT_TEXT];

	if (r)
		fprintf(f, "%s with %u reader%s, and its members let it give at least %s: %s",
			sb_format_rate(rate, r->bytes_s), r->streams, r->streams == 1 ? "" : "s",
			sb_format_rate(low, r->theory.low),
			r->cpu_loss > 0 ? "a CPU was full" : "md loses it");
}

static const struct md_finding findings[] = {
	{"md_degraded", SB_MARK_TAINT, degraded},
	{"md_broken", SB_MARK_TAINT, broken},
	{"md_inactive", SB_MARK_NOTE, inactive},
	{"md_failed", SB_MARK_NOTE, failed},
	{"md_spare", SB_MARK_NOTE, spare},
	{"md_rebuilt", SB_MARK_NOTE, rebuilt},
	{"md_write_mostly", SB_MARK_NOTE, write_mostly},
	{"md_journal", SB_MARK_NOTE, journal},
	{"md_replacement", SB_MARK_NOTE, replacement},
	{"md_bad_blocks", SB_MARK_NOTE, bad_blocks},
	{"md_errors", SB_MARK_NOTE, errors},
	{"md_pending", SB_MARK_NOTE, pending},
	{"md_read_only", SB_MARK_NOTE, read_only},
	{"md_mismatch", SB_MARK_NOTE, mismatch},
	{"md_bitmap", SB_MARK_NOTE, bitmap},
	{"md_layout", SB_MARK_NOTE, layout},
	{"md_mdstat", SB_MARK_NOTE, mdstat},
	{"md_sizes", SB_MARK_NOTE, md_find_sizes},
	{"md_speeds", SB_MARK_NOTE, md_find_speeds},
	{"md_links", SB_MARK_NOTE, md_find_links},
	{"md_controller", SB_MARK_NOTE, md_find_controller},
	{"md_shared_disk", SB_MARK_NOTE, md_find_shared_disk},
	{"md_below", SB_MARK_NOTE, below},
	{"md_chunk", SB_MARK_NOTE, md_advise_chunk},
	{"md_stripe_cache", SB_MARK_NOTE, md_advise_stripe_cache},
	{"md_read_ahead", SB_MARK_NOTE, md_advise_read_ahead},
};

static int add_finding(struct sb_result *result, const struct md_case *c,
		       const struct md_finding *finding)
{
	SB_AUTO_FREE char *text = NULL;
	const char *subject = c->array->device >= 0 ? result->devices[c->array->device].target
			      : c->array->node >= 0 ? result->topo.nodes[c->array->node].id
						    : c->array->name;
	size_t length = 0;
	FILE *f = open_memstream(&text, &length);

	if (!f)
		return -ENOMEM;
	finding->say(f, c);
	if (fclose(f) != 0)
		return -ENOMEM;
	return length ? sb_result_add_mark(result, finding->level, finding->id, subject, NAN, NAN,
					   "%s", text)
		      : 0;
}

int mark_md(struct sb_result *result, const struct judge_table *table)
{
	int rc = 0;

	(void)table;
	for (size_t i = 0; i < result->n_md && rc == 0; i++) {
		const struct md_case c = {result, &result->md[i]};

		for (size_t k = 0; k < SB_COUNT(findings) && rc == 0; k++)
			rc = add_finding(result, &c, &findings[k]);
	}
	return rc;
}
