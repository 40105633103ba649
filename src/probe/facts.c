/* What is known of chips that their links do not tell: configs/ceilings.conf, the machine's own in
 * /etc, and the user's own; what is read later wins. */
#include "hop_priv.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

#define FILE_NAME "ceilings.conf"

static const char *const kind_names[] = {[FACT_CONTROLLER] = "controller",
					 [FACT_UPLINK] = "uplink",
					 [FACT_MULTIPLIER] = "multiplier"};

struct reading {
	struct facts *facts;
	const char *path;
	char section[128]; /* of the newest fact */
	bool usable;	   /* the section could be understood */
	int rc;
};

static int complain(const struct reading *r, const char *where, const char *what)
{
	SB_AUTO_FREE char *shown = sb_escape(where);

	sb_warn("%s: [%s] %s: left out", r->path, shown ? shown : "?", what);
	return 0;
}

/* "controller 1000:0072", "uplink 8086:1c40-1c5f"; a multiplier's "*" is any. */
static bool parse_section(struct fact *fact, const char *section)
{
	char kind[16], rest[64];
	int end = 0;

	if (sscanf(section, "%15s %63s %n", kind, rest, &end) != 2 || section[end])
		return false;
	for (size_t i = 0; i < SB_COUNT(kind_names); i++) {
		if (strcmp(kind, kind_names[i]) != 0)
			continue;
		fact->kind = (enum fact_kind)i;
		if (fact->kind == FACT_MULTIPLIER && strcmp(rest, "*") == 0) {
			fact->vendor = 0;
			fact->last = 0xffff;
			return true;
		}
		if (sscanf(rest, "%4x:%4x%n", &fact->vendor, &fact->first, &end) != 2)
			return false;
		fact->last = fact->first;
		if (rest[end] == '-')
			return sscanf(rest + end + 1, "%4x%n", &fact->last, &end) == 1 &&
			       fact->last >= fact->first;
		return rest[end] == '\0';
	}
	return false;
}

static struct fact *add(struct facts *facts)
{
	size_t n = facts->n;

	if ((n & (n - 1)) == 0) {
		struct fact *more = reallocarray(facts->fact, n ? n * 2 : 1, sizeof(*more));

		if (!more)
			return NULL;
		facts->fact = more;
	}
	facts->fact[n] = (struct fact){.practical = NAN, .practical_one = NAN, .speed = NAN};
	facts->n++;
	return &facts->fact[n];
}

static bool parse_rate(double *rate, const char *text)
{
	uint64_t bytes;

	if (sb_parse_size(text, &bytes) != 0 || bytes == 0)
		return false;
	*rate = (double)bytes;
	return true;
}

static int set(struct fact *fact, const char *key, const char *value)
{
	uint64_t count;

	if (strcmp(key, "name") == 0)
		return sb_set_string(&fact->name, value);
	if (strcmp(key, "source") == 0)
		return sb_set_string(&fact->source, value);
	if (strcmp(key, "date") == 0)
		return sb_set_string(&fact->date, value);
	if (strcmp(key, "practical") == 0)
		return parse_rate(&fact->practical, value) ? 0 : -EINVAL;
	if (strcmp(key, "practical-by-commands") == 0)
		return parse_rate(&fact->practical_one, value) ? 0 : -EINVAL;
	if (strcmp(key, "width") == 0) {
		if (sb_parse_count(value, &count) != 0 || count < 1 || count > 32)
			return -EINVAL;
		fact->width = (unsigned)count;
		return 0;
	}
	if (strcmp(key, "speed") != 0)
		return -ENOENT;
	fact->speed = probe_speed(value);
	return isnan(fact->speed) ? -EINVAL : 0;
}

static int begin(struct reading *r, const char *section)
{
	struct fact probe = {0}, *fact;

	snprintf(r->section, sizeof(r->section), "%s", section);
	r->usable = parse_section(&probe, section);
	if (!r->usable)
		return complain(r, section,
				"is not KIND VENDOR:DEVICE[-DEVICE] with a kind of "
				"controller, uplink or multiplier");
	fact = add(r->facts);
	if (!fact)
		return -ENOMEM;
	fact->kind = probe.kind;
	fact->vendor = probe.vendor;
	fact->first = probe.first;
	fact->last = probe.last;
	return 0;
}

static int on_key(void *user, const char *section, const char *key, const char *value)
{
	struct reading *r = user;
	int rc = 0;

	if (strcmp(section, r->section) != 0 || !section[0])
		rc = begin(r, section);
	if (rc == 0 && r->usable) {
		rc = set(&r->facts->fact[r->facts->n - 1], key, value);
		if (rc == -ENOENT)
			rc = complain(r, key, "is no key of a ceiling");
		else if (rc == -EINVAL)
			rc = complain(r, value, "is no value of its key");
	}
	r->rc = rc;
	return rc == 0;
}

int probe_facts_read_file(struct facts *facts, const char *path)
{
	struct reading r = {.facts = facts, .path = path};
	size_t length;
	SB_AUTO_FREE char *text = sb_read_all(path, &length);
	int line;

	if (!text)
		return errno == ENOMEM ? -ENOMEM : -ENOENT;
	line = ini_parse_string(text, on_key, &r);
	if (r.rc < 0)
		return r.rc;
	if (line > 0)
		sb_warn("%s:%d: not a line of key = value: left out", path, line);
	return 0;
}

static int read_in(struct facts *facts, const char *folder, const char *below)
{
	SB_AUTO_FREE char *path = sb_format("%s%s/" FILE_NAME, folder, below);
	int rc = path ? probe_facts_read_file(facts, path) : -ENOMEM;

	return rc == -ENOENT ? 0 : rc;
}

int probe_facts_read(struct facts *facts)
{
	const char *own = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int rc = read_in(facts, sb_data_folder(), "");

	if (rc == 0)
		rc = read_in(facts, "/etc", "/satabench");
	if (rc == 0 && own && own[0] == '/')
		return read_in(facts, own, "/satabench");
	if (rc == 0 && home && home[0] == '/')
		return read_in(facts, home, "/.config/satabench");
	return rc;
}

void probe_facts_free(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++) {
		free(facts->fact[i].name);
		free(facts->fact[i].source);
		free(facts->fact[i].date);
	}
	free(facts->fact);
	*facts = (struct facts){0};
}

const struct fact *probe_fact(const struct facts *facts, enum fact_kind kind, unsigned vendor,
			      unsigned device)
{
	for (size_t i = facts->n; i-- > 0;) {
		const struct fact *fact = &facts->fact[i];
		bool any = kind == FACT_MULTIPLIER && fact->vendor == 0;

		if (fact->kind == kind && (any || (fact->vendor == vendor &&
						   device >= fact->first && device <= fact->last)))
			return fact;
	}
	return NULL;
}

char *probe_fact_source(const struct fact *fact)
{
	return sb_format("%s%s%s%s%s%s", fact->name ? fact->name : "", fact->name ? ": " : "",
			 fact->source ? fact->source : "no source given", fact->date ? " (" : "",
			 fact->date ? fact->date : "", fact->date ? ")" : "");
}

int probe_scan_facts(struct scan *scan)
{
	if (scan->facts)
		return 0;
	scan->facts = calloc(1, sizeof(*scan->facts));
	return scan->facts ? probe_facts_read(scan->facts) : -ENOMEM;
}
