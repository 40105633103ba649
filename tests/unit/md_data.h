/* Arrays made by hand, for the tests of judging and planning. */
#ifndef TEST_MD_DATA_H
#define TEST_MD_DATA_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/result.h"
#include "satabench/units.h"

#define MB 1e6

/* A disk dN on the controller cN (a node each), read by a device. Returns the device. */
static inline int md_add_disk(struct sb_result *result, const char *name, const char *controller)
{
	SB_AUTO_FREE char *id = sb_format("block:%s", name);
	SB_AUTO_FREE char *path = sb_format("/dev/%s", name);
	struct sb_device *device;
	int up, node;

	if (result->topo.n_nodes == 0)
		assert_int_equal(
			sb_topo_add(&result->topo, SB_NODE_MACHINE, "machine", "machine", -1), 0);
	up = sb_topo_find(&result->topo, controller);
	if (up < 0)
		up = sb_topo_add(&result->topo, SB_NODE_CONTROLLER, controller, controller, 0);
	node = sb_topo_add(&result->topo, SB_NODE_DISK, id, name, up);
	assert_true(up >= 0 && node >= 0);
	device = sb_result_add_device(result);
	assert_non_null(device);
	assert_int_equal(sb_set_string(&device->target, path), 0);
	assert_int_equal(sb_set_string(&device->engine, "io_uring"), 0);
	assert_int_equal(sb_set_string(&device->buffers, "one"), 0);
	device->node = node;
	device->kind = SB_DEVICE_BLOCK;
	device->state = SB_DEVICE_READY;
	device->size_bytes = 100000000000;
	device->sector_bytes = 512;
	return (int)result->n_devices - 1;
}

/* An array over the devices first .. first + n - 1, with a device of its own. */
static inline struct sb_md_array *md_add_array(struct sb_result *result, const char *level,
					       int first, size_t n)
{
	SB_AUTO_FREE char *name = sb_format("md%zu", result->n_md);
	int device = md_add_disk(result, name, "machine"), node = result->devices[device].node;
	struct sb_md_array *a = sb_result_add_md(result);

	assert_non_null(a);
	result->topo.nodes[node].kind = SB_NODE_MD;
	a->node = node;
	a->device = device;
	a->kind = sb_md_level_parse(level);
	a->raid_disks = n;
	a->degraded = 0;
	a->chunk_bytes = 65536;
	a->layout = a->kind == SB_MD_RAID10 ? 0x102 : 2;
	assert_int_equal(sb_set_string(&a->name, name), 0);
	assert_int_equal(sb_set_string(&a->level, level), 0);
	for (size_t i = 0; i < n; i++) {
		struct sb_md_member *m = sb_md_add_member(a);
		const struct sb_device *d = &result->devices[first + (int)i];

		assert_non_null(m);
		m->device = first + (int)i;
		m->node = d->node;
		m->slot = (int)i;
		m->in_sync = true;
		m->size_bytes = d->size_bytes;
		assert_int_equal(sb_set_string(&m->name, result->topo.nodes[d->node].name), 0);
		assert_int_equal(sb_topo_add_below(&result->topo, node, d->node), 0);
	}
	return a;
}

/* Four disks on one controller, and an array over them. */
static inline struct sb_md_array *md_make(struct sb_result *result, const char *level)
{
	sb_result_init(result);
	md_add_disk(result, "sda", "c0");
	md_add_disk(result, "sdb", "c0");
	md_add_disk(result, "sdc", "c0");
	md_add_disk(result, "sdd", "c0");
	return md_add_array(result, level, 0, 4);
}

/* The member in this slot leaves. */
static inline void md_lose(struct sb_md_array *a, size_t slot)
{
	a->members[slot].role = SB_MD_FAULTY;
	a->members[slot].in_sync = false;
	a->members[slot].slot = -1;
	a->degraded++;
}

/* A phase that was run: a job for each device, with its rate in MB/s. */
static inline struct sb_phase *md_run(struct sb_result *result, int kind, unsigned round, int node,
				      const int *devices, const double *rates, size_t n)
{
	struct sb_phase *phase = sb_result_add_phase(result, kind, round, "a test");

	assert_non_null(phase);
	for (size_t i = 0; i < n; i++) {
		struct sb_job *job = sb_phase_add_job(phase);

		assert_non_null(job);
		job->device = devices[i];
		job->state = SB_JOB_DONE;
		job->bytes_s = rates[i] * MB;
		job->bytes = (uint64_t)job->bytes_s;
		job->depth = 4;
		job->block_bytes = 1 << 20;
		job->span_bytes = result->devices[devices[i]].size_bytes;
		assert_int_equal(sb_set_string(&job->target, result->devices[devices[i]].target),
				 0);
	}
	phase->done = phase->complete = true;
	phase->node = node;
	return phase;
}

/* Three rounds of a machine: four disks alone and together, the array with one reader and, unless
 * it is 0, with four. MB/s. */
static inline void md_measure(struct sb_result *result, const double alone[4],
			      const double together[4], double one, double many)
{
	static const int devices[] = {0, 1, 2, 3};
	const struct sb_md_array *a = &result->md[0];

	for (unsigned round = 1; round <= 3; round++) {
		const double part[4] = {many / 4, many / 4, many / 4, many / 4};
		const int same[4] = {a->device, a->device, a->device, a->device};

		for (int i = 0; i < 4; i++)
			md_run(result, SB_PHASE_ALONE, round, result->devices[i].node, &i,
			       &alone[i], 1);
		md_run(result, SB_PHASE_ALL, round, 1, devices, together, 4);
		md_run(result, SB_PHASE_ARRAY, round, a->node, &a->device, &one, 1);
		if (many > 0) {
			struct sb_phase *p =
				md_run(result, SB_PHASE_ARRAY, round, a->node, same, part, 4);

			for (uint32_t k = 0; k < 4; k++)
				p->jobs[k].stream = k + 1;
		}
	}
}

#endif
