/* Several readers of one device in a phase: each reads its own part, and goes on there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "satabench/cleanup.h"
#include "satabench/load.h"

#define BLOCK 4096u
#define PART (16u * BLOCK)
#define STREAMS 3u

static void no_tick(void *arg, struct sb_phase *phase, const struct sb_series *series,
		    const struct sb_live *const *lives)
{
	(void)arg;
	(void)phase;
	(void)series;
	(void)lives;
}

static void add_job(struct sb_result *result, struct sb_phase *phase, uint32_t stream)
{
	struct sb_job *job = sb_phase_add_job(phase);
	const struct sb_device *d = &result->devices[0];

	assert_non_null(job);
	job->stream = stream;
	job->depth = 1;
	job->block_bytes = BLOCK;
	job->offset_bytes = (uint64_t)stream * PART;
	job->span_bytes = PART;
	job->limit_bytes = PART / 2;
	assert_int_equal(sb_set_string(&job->target, d->target), 0);
	assert_int_equal(sb_set_string(&job->workload, "read"), 0);
	assert_int_equal(sb_set_string(&job->engine, d->engine), 0);
	assert_int_equal(sb_set_string(&job->buffers, d->buffers), 0);
}

static void make_file(char *path, struct sb_result *result)
{
	struct sb_device *device = sb_result_add_device(result);
	int fd = mkstemp(path);

	assert_true(fd >= 0 && ftruncate(fd, (STREAMS + 1) * PART) == 0);
	close(fd);
	assert_non_null(device);
	assert_int_equal(sb_set_string(&device->target, path), 0);
	assert_int_equal(sb_set_string(&device->path, path), 0);
	device->kind = SB_DEVICE_FILE;
	device->streams = STREAMS;
	result->options.buffered = true;
}

/* Phases: the only reader, then several, twice; the second time they wrap at the end of their
 * parts.
 */
static void test_parts(void **state)
{
	char path[] = "/tmp/satabench-streams-XXXXXX";
	const struct sb_load_watch watch = {.tick = no_tick};
	const struct sb_series *series;
	struct sb_result result;
	struct sb_load *load;

	(void)state;
	sb_result_init(&result);
	make_file(path, &result);
	assert_int_equal(sb_load_create(&load, &result.options, &result, &watch), 0);
	assert_int_equal(sb_load_prepare(load), 0);
	assert_int_equal(result.devices[0].state, SB_DEVICE_READY);
	for (int p = 0; p < 4; p++) {
		struct sb_phase *phase = sb_result_add_phase(&result, SB_PHASE_ARRAY, 1, "a test");

		assert_non_null(phase);
		phase->runtime_s = 5;
		for (uint32_t k = p ? 1 : 0; k <= (p ? STREAMS : 0); k++)
			add_job(&result, phase, k);
		assert_int_equal(sb_load_run(load, (size_t)p, &series), 0);
		phase = &result.phases[p];
		for (size_t k = 0; k < phase->n_jobs; k++) {
			const struct sb_job *job = &phase->jobs[k];

			assert_int_equal(job->state, SB_JOB_DONE);
			assert_int_equal(job->bytes + job->outside_bytes, PART / 2);
			assert_int_equal(job->wrapped, p == 3);
		}
	}
	assert_true(sb_load_destroy(load));
	unlink(path);
	sb_result_free(&result);
}

/* More readers than were said beforehand are no phase. */
static void test_too_many(void **state)
{
	char path[] = "/tmp/satabench-streams-XXXXXX";
	const struct sb_load_watch watch = {.tick = no_tick};
	const struct sb_series *series;
	struct sb_result result;
	struct sb_phase *phase;
	struct sb_load *load;

	(void)state;
	sb_result_init(&result);
	make_file(path, &result);
	assert_int_equal(sb_load_create(&load, &result.options, &result, &watch), 0);
	assert_int_equal(sb_load_prepare(load), 0);
	phase = sb_result_add_phase(&result, SB_PHASE_ARRAY, 1, "a test");
	assert_non_null(phase);
	add_job(&result, phase, STREAMS + 1);
	assert_true(sb_load_run(load, 0, &series) < 0);
	assert_true(sb_load_destroy(load));
	unlink(path);
	sb_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts),
					   cmocka_unit_test(test_too_many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
