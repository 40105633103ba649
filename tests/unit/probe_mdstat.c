/* /proc/mdstat against the values that stand beside each sample. */
#include <glob.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mdstat.h"
#include "md_priv.h"
#include "satabench/cleanup.h"
#include "satabench/device.h"
#include "satabench/file.h"
#include "satabench/units.h"

static size_t compared;
static const char *sample;

static void check_string(const json_t *want, const char *got, const char *what)
{
	const char *text = json_is_string(want) ? json_string_value(want) : NULL;

	if ((text == NULL) != (got == NULL) || (text && strcmp(text, got) != 0))
		fail_msg("%s: %s is %s, not %s", sample, what, got ? got : "none",
			 text ? text : "none");
	compared++;
}

static void check_number(const json_t *want, uint64_t got, const char *what)
{
	uint64_t number = json_is_integer(want) ? (uint64_t)json_integer_value(want) : SB_NONE_U64;

	if (number != got)
		fail_msg("%s: %s is %llu, not %llu", sample, what, (unsigned long long)got,
			 (unsigned long long)number);
	compared++;
}

static void check_list(const json_t *want, char *const *got, size_t n, const char *what)
{
	if (json_array_size(want) != n)
		fail_msg("%s: %zu %s, not %zu", sample, n, what, json_array_size(want));
	for (size_t i = 0; i < n; i++)
		check_string(json_array_get(want, i), got[i], what);
}

/* Names with a flag, in the order of the line. */
static void check_flagged(const json_t *want, const struct mdstat_array *a, char flag)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_members; i++)
		if (probe_mdstat_has_flag(&a->members[i], flag))
			check_string(json_array_get(want, n++), a->members[i].name, "flagged");
	assert_int_equal(n, json_array_size(want));
}

static void check_members(const json_t *want, const struct mdstat_array *a)
{
	const json_t *members = json_object_get(want, "members");
	uint64_t in_use = 0;

	if (json_array_size(members) != a->n_members)
		fail_msg("%s: %s has %zu members", sample, a->name, a->n_members);
	for (size_t i = 0; i < a->n_members; i++) {
		const json_t *member = json_array_get(members, i);

		check_string(json_object_get(member, "dev"), a->members[i].name, "dev");
		check_number(json_object_get(member, "slot"), a->members[i].slot, "slot");
		check_string(json_object_get(member, "flags"), a->members[i].flags, "flags");
		in_use += !probe_mdstat_has_flag(&a->members[i], 'F') &&
			  !probe_mdstat_has_flag(&a->members[i], 'S');
	}
	check_number(json_object_get(want, "members_in_use"), in_use, "members_in_use");
	check_flagged(json_object_get(want, "failed"), a, 'F');
	check_flagged(json_object_get(want, "spares"), a, 'S');
}

static void check_sync(const json_t *want, const struct mdstat_sync *sync)
{
	const json_t *percent = json_object_get(want, "percent");

	check_string(json_object_get(want, "action"), sync->action, "action");
	check_string(json_object_get(want, "state"), sync->state, "sync state");
	check_number(json_object_get(want, "done"), sync->done, "done");
	check_number(json_object_get(want, "total"), sync->total, "total");
	check_number(json_object_get(want, "speed_kib_s"), sync->kib_s, "speed");
	if (!percent)
		return;
	assert_true(json_number_value(percent) == sync->percent);
	assert_true(json_number_value(json_object_get(want, "finish_min")) == sync->minutes);
}

static void check_array(const json_t *want, const struct mdstat_array *a)
{
	const json_t *bitmap = json_object_get(want, "bitmap");
	SB_AUTO_FREE char *container = NULL;
	uint64_t by =
		a->disks_total == SB_NONE_U64 ? SB_NONE_U64 : a->disks_total - a->disks_active;

	check_string(json_object_get(want, "state"), a->state, "state");
	check_string(json_object_get(want, "ro"), a->ro, "ro");
	check_string(json_object_get(want, "level"), a->level, "level");
	check_string(json_object_get(want, "metadata"), a->metadata, "metadata");
	check_string(json_object_get(want, "layout"), a->layout, "layout");
	check_string(json_object_get(want, "status_string"), a->status, "status");
	check_number(json_object_get(want, "blocks_kib"), a->blocks_kib, "blocks");
	check_number(json_object_get(want, "chunk_kib"), a->chunk_kib, "chunk");
	check_number(json_object_get(want, "rounding_kib"), a->rounding_kib, "rounding");
	check_number(json_object_get(want, "algorithm"), a->algorithm, "algorithm");
	check_number(json_object_get(want, "disks_total"), a->disks_total, "disks_total");
	check_number(json_object_get(want, "disks_active"), a->disks_active, "disks_active");
	check_number(json_object_get(want, "degraded_by"), by, "degraded_by");
	assert_int_equal(json_is_true(json_object_get(want, "container")),
			 probe_mdstat_is_container(a));
	assert_int_equal(probe_md_container(a->metadata, &container), 0);
	check_string(json_object_get(want, "member_of"), container, "member_of");
	assert_int_equal(json_is_object(bitmap), a->bitmap.there);
	check_number(json_object_get(bitmap, "pages"), a->bitmap.pages, "pages");
	check_number(json_object_get(bitmap, "of"), a->bitmap.of, "pages of");
	check_number(json_object_get(bitmap, "chunk_kib"), a->bitmap.chunk_kib, "bitmap chunk");
	check_string(json_object_get(bitmap, "file"), a->bitmap.file, "bitmap file");
	check_sync(json_object_get(want, "sync"), &a->sync);
	check_members(want, a);
}

static void check_file(const char *path)
{
	SB_AUTO_FREE char *text = sb_read_all(path, NULL);
	SB_AUTO_FREE char *name =
		sb_format("%.*s.expect.json", (int)(strlen(path) - strlen(".mdstat")), path);
	json_t *want = json_load_file(name, 0, NULL);
	const json_t *arrays = json_object_get(want, "arrays");
	struct mdstat m;

	sample = path;
	assert_non_null(text);
	assert_non_null(want);
	assert_int_equal(probe_mdstat_parse(&m, text), 0);
	assert_int_equal(m.there, !json_is_null(json_object_get(want, "personalities")) ||
					  json_object_size(arrays) > 0);
	check_list(json_object_get(want, "personalities"), m.personalities, m.n_personalities,
		   "personalities");
	check_string(json_object_get(want, "read_ahead"), m.read_ahead, "read_ahead");
	assert_int_equal(json_is_true(json_object_get(want, "unused_line")), m.unused_line);
	check_list(json_object_get(want, "unused"), m.unused, m.n_unused, "unused");
	if (json_object_size(arrays) != m.n_arrays)
		fail_msg("%s: %zu arrays", path, m.n_arrays);
	for (size_t i = 0; i < m.n_arrays; i++)
		check_array(json_object_get(arrays, m.arrays[i].name), &m.arrays[i]);
	probe_mdstat_free(&m);
	json_decref(want);
}

static size_t check_folder(const char *folder)
{
	const char *root = getenv("SB_SOURCE_ROOT");
	SB_AUTO_FREE char *pattern = sb_format("%s/%s/*.mdstat", root ? root : ".", folder);
	size_t n = 0;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0)
		n = found.gl_pathc;
	for (size_t i = 0; i < n; i++)
		check_file(found.gl_pathv[i]);
	globfree(&found);
	return n;
}

static void test_own_samples(void **state)
{
	(void)state;
	assert_true(check_folder("tests/data/mdstat") >= 5);
	assert_true(compared > 500);
}

static void test_corpus(void **state)
{
	(void)state;
	if (check_folder("../shared/corpus/mdstat") == 0)
		skip();
}

/* Text that is cut anywhere must not lead astray. */
static void test_cut(void **state)
{
	const char *root = getenv("SB_SOURCE_ROOT");
	SB_AUTO_FREE char *path = sb_format("%s/tests/data/mdstat/made-odd-lines.mdstat", root);
	SB_AUTO_FREE char *text = sb_read_all(path, NULL);

	(void)state;
	assert_non_null(text);
	for (size_t n = strlen(text); n > 0; n--) {
		struct mdstat m;

		text[n - 1] = '\0';
		assert_int_equal(probe_mdstat_parse(&m, text), 0);
		assert_true(m.n_arrays <= 3);
		probe_mdstat_free(&m);
	}
}

/* An array as sysfs has it, and a line of mdstat: what differs. */
static void check_difference(const char *line, const char *want)
{
	struct sb_md_array a;
	struct sb_md_member *m;
	struct mdstat mdstat;
	SB_AUTO_FREE char *text = NULL;

	sb_md_array_init(&a);
	a.raid_disks = 2;
	a.degraded = 1;
	a.chunk_bytes = 65536;
	assert_int_equal(sb_set_string(&a.level, "raid5"), 0);
	assert_int_equal(sb_set_string(&a.array_state, "clean"), 0);
	assert_int_equal(sb_set_string(&a.sync_action, "idle"), 0);
	m = sb_md_add_member(&a);
	assert_non_null(m);
	assert_int_equal(sb_set_string(&m->name, "cciss!c0d0"), 0);
	m = sb_md_add_member(&a);
	assert_non_null(m);
	assert_int_equal(sb_set_string(&m->name, "sdb"), 0);
	m->role = SB_MD_FAULTY;
	assert_int_equal(probe_mdstat_parse(&mdstat, line), 0);
	text = probe_md_difference(&a, &mdstat.arrays[0]);
	assert_string_equal(text, want);
	probe_mdstat_free(&mdstat);
	sb_md_array_free(&a);
}

static void test_difference(void **state)
{
	(void)state;
	check_difference("md0 : active raid5 cciss/c0d0[0] sdb[1](F)\n"
			 " 8 blocks 64k chunk [2/1] [U_]\n",
			 "");
	check_difference("md0 : active raid5 cciss/c0d0[0] sdb[1]\n"
			 " 8 blocks 128k chunk [2/2] [UU]\n",
			 "slots without a good member 0, sysfs 1; chunk 131072, sysfs 65536; "
			 "sdb has not failed in it");
	check_difference("md0 : inactive raid6 sda[0](F) sdb[1](F) sdc[2]\n"
			 " [==>]  check = 1.0% (1/2) finish=1.0min speed=1K/sec\n",
			 "it is inactive, sysfs clean; level raid6, sysfs raid5; it has check, "
			 "sysfs idle; it has no member cciss!c0d0; it has 3 members, sysfs 2");
	check_difference("md0 : active raid5 cciss/c0d0[0](F) sdb[1](F)\n"
			 "\tresync=PENDING\n",
			 "cciss!c0d0 has failed in it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_samples), cmocka_unit_test(test_corpus),
		cmocka_unit_test(test_cut), cmocka_unit_test(test_difference)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
