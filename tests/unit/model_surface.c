/* Surfaces as data: where places are, what is kept and what is merged, going on with one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "satabench/result.h"
#include "satabench/units.h"

#define MIB (1ULL << 20)
#define GIB (1ULL << 30)

static struct sb_surface make(uint64_t offset, uint64_t span, uint64_t places)
{
	struct sb_surface s = {0};

	assert_int_equal(sb_surface_init(&s, offset, span, places, 512), 0);
	return s;
}

static void test_whole(void **state)
{
	struct sb_surface s = make(MIB, 4 * GIB + 512, 0);

	(void)state;
	assert_true(sb_surface_is_whole(&s));
	assert_int_equal(sb_surface_total(&s), 4 * GIB + 512);
	assert_int_equal(sb_surface_offset(&s, 12345), MIB + 12345);
	assert_int_equal(sb_surface_position(&s, MIB + 12345), 12345);
	/* a sector more than 128 x 32 MiB: buckets of 33 MiB, so that no block lies in two */
	assert_int_equal(s.bucket_bytes, 33 * MIB);
	assert_int_equal(s.n_buckets, 125);
	assert_int_equal(s.buckets[124].offset_bytes, MIB + 124 * 33 * MIB);
	sb_surface_add_read(&s, MIB + 4 * GIB, 512, 0, 0);
	assert_int_equal(s.buckets[124].bytes, 512);
	sb_surface_free(&s);
}

/* From the first byte to the last, evenly, none touching its neighbour. */
static void check_places(uint64_t offset, uint64_t span, uint64_t places)
{
	struct sb_surface s = make(offset, span, places);
	uint64_t before = 0;

	for (uint64_t i = 0; i < s.places; i++) {
		uint64_t position = i * s.run_bytes, at = sb_surface_offset(&s, position);

		assert_true(i == 0 ? at == offset : at >= before + s.run_bytes);
		assert_true(at + s.run_bytes <= offset + span);
		assert_int_equal(sb_surface_position(&s, at), position);
		assert_int_equal(sb_surface_position(&s, at + s.run_bytes - 512),
				 position + s.run_bytes - 512);
		assert_int_equal((at - offset) / s.bucket_bytes * s.places / s.n_buckets, i);
		before = at;
	}
	assert_true(offset + span - before - s.run_bytes < 4096);
	sb_surface_free(&s);
}

static void test_places(void **state)
{
	struct sb_surface s;

	(void)state;
	check_places(0, 4000000000000ULL, 100);
	check_places(0, 4000000000000ULL, 256);
	check_places(GIB, 10 * GIB, 7);
	check_places(0, 32 * MIB, 2);
	/* more than fit: each is shorter */
	s = make(0, 100 * MIB, 50);
	assert_int_equal(s.run_bytes, 2 * MIB);
	sb_surface_free(&s);
	s = make(0, 8192, 1000);
	assert_int_equal(s.places, 2);
	sb_surface_free(&s);
	s = make(0, 512, 3);
	assert_true(sb_surface_is_whole(&s));
	sb_surface_free(&s);
	s = make(0, GIB, 100000);
	assert_int_equal(s.n_buckets, SB_SURFACE_BUCKETS_MAX);
	sb_surface_free(&s);
	s = make(0, 0, 0);
	assert_int_equal(sb_surface_total(&s), 0);
	sb_surface_free(&s);
}

static void test_ranges_merge(void **state)
{
	struct sb_surface s = make(0, GIB, 0);

	(void)state;
	sb_surface_add_range(&s, SB_SURFACE_UNREADABLE, 1024, 512, 5);
	sb_surface_add_range(&s, SB_SURFACE_UNREADABLE, 1536, 512, 5);
	assert_int_equal(s.n_kept, 1);
	assert_int_equal(s.ranges[0].length_bytes, 1024);
	sb_surface_add_range(&s, SB_SURFACE_UNREADABLE, 1024, 512, 5); /* known */
	assert_int_equal(s.range_bytes[SB_SURFACE_UNREADABLE], 1024);
	sb_surface_add_range(&s, SB_SURFACE_UNREADABLE, 2048, 512, 61); /* another error */
	sb_surface_add_range(&s, SB_SURFACE_UNCLEAR, 2560, 512, 61);
	sb_surface_add_range(&s, SB_SURFACE_UNCLEAR, 4096, 512, 61); /* not a neighbour */
	assert_int_equal(s.n_kept, 4);
	assert_int_equal(s.range_bytes[SB_SURFACE_UNCLEAR], 1024);
	sb_surface_free(&s);
}

static void test_lists_are_bounded(void **state)
{
	struct sb_surface s = make(0, GIB, 0), copy;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		sb_surface_add_range(&s, SB_SURFACE_UNREADABLE, i * 4096, 512, 5);
		sb_surface_add_slow(&s, i * 4096, (i * 7919) % 1000);
	}
	assert_int_equal(s.n_kept, SB_SURFACE_RANGES);
	assert_int_equal(s.n_ranges, 1000);
	assert_int_equal(s.range_bytes[SB_SURFACE_UNREADABLE], 512000);
	sb_surface_sort_slowest(&s);
	assert_int_equal(s.n_slowest, SB_SURFACE_SLOWEST);
	for (size_t i = 0; i < s.n_slowest; i++)
		assert_int_equal(s.slowest[i].latency_ns, 999 - i);
	assert_int_equal(sb_surface_copy(&copy, &s), 0);
	assert_int_equal(copy.n_kept, s.n_kept);
	assert_memory_equal(copy.ranges, s.ranges, s.n_kept * sizeof(s.ranges[0]));
	assert_memory_equal(copy.slowest, s.slowest, s.n_slowest * sizeof(s.slowest[0]));
	assert_memory_equal(copy.buckets, s.buckets, s.n_buckets * sizeof(s.buckets[0]));
	sb_surface_free(&copy);
	sb_surface_free(&s);
}

static void add_disk(struct sb_result *r, const char *name, const char *stable, uint64_t size)
{
	char id[32];
	struct sb_device *d;

	snprintf(id, sizeof(id), "block:%s", name);
	d = sb_result_add_device(r);
	d->node = sb_topo_add(&r->topo, SB_NODE_DISK, id, name, -1);
	if (stable)
		sb_node_set_stable_id(&r->topo.nodes[d->node], stable);
	sb_set_string(&d->target, name);
	d->state = SB_DEVICE_READY;
	d->size_bytes = size;
}

static void add_surface(struct sb_result *r, int device, uint64_t position)
{
	struct sb_surface *s = sb_result_add_surface(r, device);

	assert_int_equal(sb_surface_init(s, 0, r->devices[device].size_bytes, 0, 512), 0);
	s->position_bytes = position;
}

/* Names change places from boot to boot; disks are known by their stable id. */
static void test_resume(void **state)
{
	struct sb_result before, now;
	bool changed[5];

	(void)state;
	sb_result_init(&before);
	add_disk(&before, "sda", "wwn-1", GIB);
	add_disk(&before, "sdb", "wwn-2", 2 * GIB);
	add_disk(&before, "loop0", NULL, GIB);
	add_disk(&before, "sdc", "wwn-3", GIB);
	for (int i = 0; i < 4; i++)
		add_surface(&before, i, (uint64_t)(i + 1) * MIB);
	sb_result_init(&now);
	add_disk(&now, "sda", "wwn-2", 2 * GIB);
	add_disk(&now, "sdb", "wwn-1", GIB);
	add_disk(&now, "loop0", NULL, GIB);
	add_disk(&now, "sdd", "wwn-3", GIB + 512);
	add_disk(&now, "sdc", NULL, GIB); /* the name alone does not do */
	assert_int_equal(sb_surface_resume(&now, &before, changed), 4);
	assert_int_equal(sb_result_surface(&now, 0)->position_bytes, 2 * MIB);
	assert_int_equal(sb_result_surface(&now, 1)->position_bytes, MIB);
	assert_int_equal(sb_result_surface(&now, 2)->position_bytes, 3 * MIB);
	assert_null(sb_result_surface(&now, 3));
	assert_true(changed[3]);
	assert_null(sb_result_surface(&now, 4));
	assert_false(changed[4] || changed[0]);
	sb_result_free(&before);
	sb_result_free(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	     cmocka_unit_test(test_places),
		cmocka_unit_test(test_ranges_merge), cmocka_unit_test(test_lists_are_bounded),
		cmocka_unit_test(test_resume),
	};

	return cmocka_run_group_tests_name("model: surface", tests, NULL, NULL);
}
