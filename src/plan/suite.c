/* Directories: every test of the suite is a phase, in all directories at once; block devices are
 * read meanwhile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/suite.h"
#include "satabench/units.h"

#define USED_SHARE 0.9 /* of what is free: a file system that is full behaves in other ways */
#define LEAST_BYTES (UINT64_C(1) << 20)

bool sb_plan_has_directories(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if (result->devices[i].kind == SB_DEVICE_DIRECTORY)
			return true;
	return false;
}

static bool is_workload(const struct sb_options *o, const char *name)
{
	return strcmp(sb_suite_of(o)->workload, name) == 0;
}

static uint64_t block_of(const struct sb_options *o)
{
	if (o->chunk_bytes)
		return o->chunk_bytes;
	if (o->block_bytes)
		return o->block_bytes;
	return is_workload(o, "dd")	    ? SB_DD_BLOCK
	       : is_workload(o, "tiobench") ? SB_TIOBENCH_BLOCK
					    : SB_SUITE_CHUNK;
}

static uint64_t wished_bytes(const struct sb_options *o)
{
	return o->data_bytes   ? o->data_bytes
	       : o->size_bytes ? o->size_bytes
			       : o->count * block_of(o);
}

static uint64_t streams_of(const struct sb_options *o)
{
	return o->streams ? o->streams : 1;
}

static uint64_t memory_of(const struct sb_result *result)
{
	if (result->options.ram_bytes)
		return result->options.ram_bytes;
	return result->host.memory_bytes == SB_NONE_U64 ? 0 : result->host.memory_bytes;
}

static uint64_t default_bytes(const struct sb_result *result)
{
	uint64_t wished = wished_bytes(&result->options);

	return wished ? wished : 2 * memory_of(result);
}

static int fail(struct sb_device *d, char *message)
{
	int rc = message ? sb_set_string(&d->message, message) : -ENOMEM;

	d->state = SB_DEVICE_FAILED;
	free(message);
	return rc;
}

/* Directories of one file system share what is free on it. */
static uint64_t room_for(const struct sb_result *result, const struct sb_device *d)
{
	uint64_t sharing = 0;

	for (size_t i = 0; i < result->n_devices; i++) {
		const struct sb_device *other = &result->devices[i];

		sharing += other->kind == SB_DEVICE_DIRECTORY && sb_plan_usable(other) &&
			   other->major == d->major && other->minor == d->minor;
	}
	return (uint64_t)((double)d->free_bytes * USED_SHARE / (double)(sharing ? sharing : 1));
}

static uint64_t files_of(const struct sb_options *o)
{
	return 1024 * (o->files ? o->files : SB_SUITE_FILES);
}

static int check_files(const struct sb_result *result, struct sb_device *d)
{
	const struct sb_options *o = &result->options;
	uint64_t files = files_of(o), bytes = files * o->file_max_bytes;
	char need[SB_UNIT_TEXT], have[SB_UNIT_TEXT];

	if (o->file_links == SB_LINKS_NONE && d->free_files != SB_NONE_U64 && files > d->free_files)
		return fail(d, sb_format("%llu files are to be made, it has room for %llu (-n)",
					 (unsigned long long)files,
					 (unsigned long long)d->free_files));
	if (d->free_bytes != SB_NONE_U64 && bytes > room_for(result, d))
		return fail(d, sb_format("the files need up to %s, %s can be used there (-n)",
					 sb_format_bytes(need, bytes),
					 sb_format_bytes(have, room_for(result, d))));
	return 0;
}

/* What was said and does not fit is refused; the default is reduced to what fits. */
static int check_data(const struct sb_result *result, struct sb_device *d)
{
	const struct sb_options *o = &result->options;
	uint64_t wished = wished_bytes(o), block = block_of(o), most = UINT64_MAX;
	uint64_t least = block * streams_of(o);
	char need[SB_UNIT_TEXT], have[SB_UNIT_TEXT];

	d->data_bytes = default_bytes(result);
	if (d->free_bytes != SB_NONE_U64)
		most = room_for(result, d);
	if (d->data_bytes > most) {
		if (wished || most < LEAST_BYTES || most < least)
			return fail(d, sb_format("%s of data do not fit: %s can be used there",
						 sb_format_bytes(need, d->data_bytes),
						 sb_format_bytes(have, most)));
		d->data_bytes = most / LEAST_BYTES * LEAST_BYTES;
	}
	if (least == 0 || d->data_bytes < least)
		return fail(d, sb_format("%s of data are less than a block for each thread",
					 sb_format_bytes(need, d->data_bytes)));
	d->data_bytes = d->data_bytes / least * least;
	return 0;
}

static int selected(const struct sb_options *o, const char *names[SB_SUITE_TESTS])
{
	const char *unknown = NULL;
	size_t length = 0;
	int n = sb_suite_select(o, names, &unknown, &length);
	SB_AUTO_FREE char *word = n < 0 ? strndup(unknown, length) : NULL;
	SB_AUTO_FREE char *shown = word ? sb_escape(word) : NULL;

	if (n < 0)
		sb_error("--tests: %s is no test of workload %s", shown ? shown : "?",
			 sb_suite_of(o)->workload);
	if (n == 0)
		sb_error("there is no test left to be run in a directory");
	return n > 0 ? n : -EINVAL;
}

int sb_plan_check_suite(struct sb_result *result, bool prepared)
{
	const char *names[SB_SUITE_TESTS];
	bool data = false, files = false;
	int n, rc = 0;

	if (!sb_plan_has_directories(result))
		return 0;
	if (result->options.workload && !sb_suite_find(result->options.workload)) {
		sb_error("--workload %s is for devices; directories take bonnie, tiobench or dd",
			 result->options.workload);
		return -EINVAL;
	}
	if (result->options.unsynchronised && result->options.drop_caches) {
		sb_error("--drop-caches drops those of all directories at once, which must not be "
			 "--unsynchronised");
		return -EINVAL;
	}
	n = selected(&result->options, names);
	for (int i = 0; i < n; i++) {
		bool is_files = sb_suite_test(names[i])->group == SB_TEST_FILES;

		files |= is_files;
		data |= !is_files;
	}
	for (size_t i = 0; prepared && i < result->n_devices && rc == 0; i++) {
		struct sb_device *d = &result->devices[i];

		if (d->kind != SB_DEVICE_DIRECTORY || !sb_plan_usable(d))
			continue;
		rc = data ? check_data(result, d) : 0;
		if (rc == 0 && files && sb_plan_usable(d))
			rc = check_files(result, d);
	}
	return n < 0 ? n : rc;
}

static int fill_data(const struct sb_result *result, struct sb_job *job, int group)
{
	const struct sb_options *o = &result->options;
	uint64_t known = result->devices[job->device].data_bytes; /* not in a dry run */
	uint64_t data = known ? known : default_bytes(result);
	bool tio = is_workload(o, "tiobench");

	job->block_bytes = group == SB_TEST_CHAR ? 1 : block_of(o);
	job->depth = group == SB_TEST_CHAR ? 1 : streams_of(o);
	job->span_bytes = data;
	if (group == SB_TEST_SEEKS) {
		job->limit_operations = o->seeks ? o->seeks
					: tio	 ? SB_TIOBENCH_OPERATIONS
						 : SB_SUITE_SEEKS;
		if (!tio)
			job->depth = o->seekers ? o->seekers : SB_SUITE_SEEKERS;
		return 0;
	}
	job->limit_bytes = data;
	if (group == SB_TEST_CHAR) {
		job->limit_bytes = o->char_bytes ? o->char_bytes : SB_SUITE_CHAR_BYTES;
		if (job->limit_bytes > data)
			job->limit_bytes = data;
	}
	return 0;
}

static int add_test(struct sb_result *result, struct sb_phase *phase, int device, const char *name)
{
	const struct sb_options *o = &result->options;
	const struct sb_suite_test *test = sb_suite_test(name);
	struct sb_job *job = sb_phase_add_job(phase);
	int rc = job ? 0 : -ENOMEM;

	if (rc < 0)
		return rc;
	job->device = device;
	if (test->group == SB_TEST_FILES) {
		job->block_bytes = o->file_chunk_bytes ? o->file_chunk_bytes : SB_SUITE_CHUNK;
		job->depth = 1;
		job->limit_operations = files_of(o);
	} else {
		rc = fill_data(result, job, test->group);
	}
	rc |= sb_set_string(&job->target, result->devices[device].target);
	rc |= sb_set_string(&job->workload, sb_suite_of(o)->workload);
	rc |= sb_set_string(&job->test, name);
	rc |= sb_set_string(&job->engine, "suite");
	rc |= sb_set_string(&job->buffers, "own");
	return rc ? -ENOMEM : 0;
}

/* Devices are read for as long as directories are loaded. */
static int add_reader(struct sb_result *result, struct sb_phase *phase, int device)
{
	struct sb_job *job = sb_phase_add_job(phase);
	int rc = job ? sb_plan_fill_job(result, job, device) : -ENOMEM;

	if (rc == 0) {
		job->limit_bytes = 0;
		job->end_at_end = false;
		rc = sb_set_string(&job->workload, "read");
	}
	return rc;
}

static int add_phase(struct sb_result *result, unsigned round, const char *const *names, int n,
		     const char *reason)
{
	struct sb_phase *phase = sb_result_add_phase(result, SB_PHASE_SUITE, round, reason);
	int rc = phase ? 0 : -ENOMEM;

	for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
		if (!sb_plan_usable(&result->devices[i]))
			continue;
		if (result->devices[i].kind != SB_DEVICE_DIRECTORY)
			rc = add_reader(result, phase, (int)i);
		for (int k = 0; k < n && rc == 0 && result->devices[i].kind == SB_DEVICE_DIRECTORY;
		     k++)
			rc = add_test(result, phase, (int)i, names[k]);
	}
	return rc == 0 ? 1 : rc;
}

static bool has_test(const struct sb_result *result, unsigned round, const char *name)
{
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_phase *p = &result->phases[i];

		for (size_t k = 0; p->round == round && k < p->n_jobs; k++)
			if (p->jobs[k].test && strcmp(p->jobs[k].test, name) == 0)
				return true;
	}
	return false;
}

static bool any_directory(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if (result->devices[i].kind == SB_DEVICE_DIRECTORY &&
		    sb_plan_usable(&result->devices[i]))
			return true;
	return false;
}

int sb_plan_next_suite(const struct sb_plan *plan, struct sb_result *result)
{
	unsigned rounds = result->options.rounds ? (unsigned)result->options.rounds : 1;
	const char *names[SB_SUITE_TESTS];
	int n = any_directory(result) ? selected(&result->options, names) : 0;

	(void)plan;
	for (unsigned round = 1; round <= rounds && n > 0; round++) {
		if (result->options.unsynchronised) {
			if (!has_test(result, round, names[0]))
				return add_phase(
					result, round, names, n,
					"all tests, one after the other in each directory");
			continue;
		}
		for (int k = 0; k < n; k++) {
			SB_AUTO_FREE char *reason = NULL;

			if (has_test(result, round, names[k]))
				continue;
			reason = sb_format("%s, in all directories at once",
					   sb_suite_test(names[k])->label);
			return reason ? add_phase(result, round, &names[k], 1, reason) : -ENOMEM;
		}
	}
	return n < 0 ? n : 0;
}
