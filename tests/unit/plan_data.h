/* Results made by hand, for the tests of the plans. */
#ifndef TEST_PLAN_DATA_H
#define TEST_PLAN_DATA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/planner.h"
#include "satabench/units.h"

#define GB 1000000000ULL

/* n devices a, b, c ... that are ready, of 100 GB, with an engine. */
static inline void plan_devices(struct sb_result *result, size_t n, const char *engine)
{
	sb_result_init(result);
	for (size_t i = 0; i < n; i++) {
		struct sb_device *device = sb_result_add_device(result);
		char name[2] = {(char)('a' + i), '\0'};

		assert_non_null(device);
		assert_int_equal(sb_set_string(&device->target, name), 0);
		assert_int_equal(sb_set_string(&device->engine, engine), 0);
		assert_int_equal(sb_set_string(&device->buffers, "one"), 0);
		device->node = -1;
		device->kind = SB_DEVICE_BLOCK;
		device->state = SB_DEVICE_READY;
		device->size_bytes = 100 * GB;
		device->sector_bytes = 512;
	}
}

/* The next phase of the plan, marked as run; NULL at its end. */
static inline struct sb_phase *plan_step(const char *plan, struct sb_result *result)
{
	size_t before = result->n_phases;
	int rc = sb_plan_next(sb_plan_find(plan), result);

	assert_in_range(rc, 0, 1);
	assert_int_equal(result->n_phases, before + (size_t)rc);
	if (rc == 0)
		return NULL;
	result->phases[before].done = result->phases[before].complete = true;
	return &result->phases[before];
}

#endif
