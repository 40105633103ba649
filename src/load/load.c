/* The door of the room: workers for all devices, preparing them, running phases, leaving. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite_priv.h"
#include "satabench/cleanup.h"
#include "satabench/keeper.h"
#include "satabench/log.h"

#define DEFAULT_HANG_S 30.0
#define DEFAULT_MAX_ERRORS 16u
#define LEAVE_NS SB_NS_PER_SEC /* for all workers together to close their devices */

static int worker_init(struct sb_load *load, struct sb_worker *w, struct sb_device *device)
{
	struct sb_nullspec spec;
	char message[256];

	w->load = load;
	w->device = device;
	w->fd = w->stat_fd = -1;
	w->align = 1;
	w->random = (load->options->seed + 1) * 0x9e3779b97f4a7c15u ^
		    (uint64_t)(w - load->workers + 1) << 32;
	sb_hist_reset(&w->hist);
	w->live.latency = &w->hist;
	w->look = calloc(1, sizeof(*w->look));
	if (!w->look)
		return -ENOMEM;
	if (device->stat_path && w->first == w)
		w->stat_fd = sb_open_readonly(AT_FDCWD, device->stat_path, 0);
	w->chain = 1;
	if (device->kind == SB_DEVICE_DIRECTORY)
		return sb_tester_create(w);
	if (device->kind != SB_DEVICE_NULL)
		return 0;
	if (sb_nullspec_parse(device->target, &spec, message, sizeof(message)) != 0)
		return -EINVAL;
	if (load->options->seed)
		spec.seed += load->options->seed;
	w->null = sb_null_create(&spec);
	return w->null ? 0 : -ENOMEM;
}

/* Another reader of a device that `first` reads. Its counters are those of the device. */
static int stream_init(struct sb_load *load, struct sb_worker *w, struct sb_worker *first)
{
	w->is_stream = true;
	w->first = first;
	return worker_init(load, w, first->device);
}

size_t sb_load_streams(const struct sb_device *device)
{
	return device->streams > 1 && device->kind != SB_DEVICE_NULL ? device->streams : 0;
}

static size_t count_workers(const struct sb_result *result)
{
	size_t n = result->n_devices;

	for (size_t i = 0; i < result->n_devices; i++)
		n += sb_load_streams(&result->devices[i]);
	return n;
}

static int init_workers(struct sb_load *load)
{
	struct sb_result *result = load->result;
	int rc = 0;

	for (size_t i = 0; i < result->n_devices && rc == 0; i++, load->n_workers++) {
		load->workers[i].first = &load->workers[i];
		rc = worker_init(load, &load->workers[i], &result->devices[i]);
	}
	for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
		struct sb_worker *first = &load->workers[i];
		size_t n = sb_load_streams(first->device);

		first->streams = n ? &load->workers[load->n_workers] : NULL;
		for (size_t k = 0; k < n && rc == 0; k++, load->n_workers++)
			rc = stream_init(load, &load->workers[load->n_workers], first);
	}
	for (size_t i = 0; i < load->n_workers; i++)
		load->workers[i].one = load->pool + i * SB_SEGMENT_BYTES;
	return rc;
}

static int create_hops(struct sb_load *load)
{
	size_t n = load->result->n_devices;
	SB_AUTO_FREE int *nodes = calloc(n + 1, sizeof(*nodes));

	for (size_t i = 0; nodes && i < n; i++)
		nodes[i] = load->result->devices[i].node;
	return nodes ? sb_hops_create(&load->hops, &load->result->topo, nodes, n) : -ENOMEM;
}

/* Threads for what can still be tried. One that cannot be started costs its device only. */
static int start_workers(struct sb_load *load)
{
	for (size_t i = 0; i < load->n_workers; i++) {
		struct sb_worker *w = &load->workers[i];
		int rc;

		if (w->device->state != SB_DEVICE_NEW)
			continue;
		rc = sb_worker_start(w);
		if (rc < 0) {
			SB_AUTO_FREE char *text = sb_format("no thread for it: %s", strerror(-rc));

			w->device->state = SB_DEVICE_FAILED;
			sb_set_string(&w->device->message, text);
		}
	}
	return 0;
}

int sb_load_create(struct sb_load **out, const struct sb_options *options, struct sb_result *result,
		   const struct sb_load_watch *watch)
{
	struct sb_load *load = calloc(1, sizeof(*load));
	size_t n = count_workers(result), pool_bytes = 0;
	int rc = -ENOMEM;

	if (!load)
		return -ENOMEM;
	load->options = options;
	load->result = result;
	load->watch = *watch;
	load->hang_ns = sb_seconds_to_ns(options->hang_timeout_s > 0 ? options->hang_timeout_s
								     : DEFAULT_HANG_S);
	load->max_errors = options->max_errors ? options->max_errors : DEFAULT_MAX_ERRORS;
	load->virtual_ns = SB_NS_PER_SEC;
	/* Workers allocate only while they look at their device: an arena each would stay. */
	mallopt(M_ARENA_MAX, 2);
	load->workers = aligned_alloc(128, (n ? n : 1) * sizeof(struct sb_worker));
	load->pool = sb_pool_create(n ? n : 1, &pool_bytes);
	load->pool_bytes = pool_bytes;
	if (!load->workers || !load->pool)
		goto fail;
	memset(load->workers, 0, n * sizeof(struct sb_worker));
	rc = init_workers(load);
	if (rc < 0)
		goto fail;
	if (!options->virtual_time) {
		rc = sb_sampler_create(&load->sampler);
		if (rc == 0)
			rc = create_hops(load);
		if (rc == 0)
			rc = start_workers(load);
		if (rc < 0)
			goto fail;
	}
	*out = load;
	return 0;
fail:
	sb_error("cannot set up the load: %s", strerror(-rc));
	sb_load_destroy(load);
	return rc;
}

static void null_ready(struct sb_worker *w)
{
	struct sb_device *d = w->device;

	d->size_bytes = sb_null_spec(w->null)->size_bytes;
	d->sector_bytes = 512;
	d->rotational = sb_null_spec(w->null)->rotational;
	d->state = SB_DEVICE_READY;
	sb_set_string(&d->engine, "null");
	sb_set_string(&d->buffers, "one");
}

static void give_up(struct sb_worker *w, bool stopped)
{
	SB_AUTO_FREE char *text =
		stopped ? strdup("not open yet when the run was stopped")
			: sb_format("no answer within %.1f s to being opened and read",
				    (double)w->load->hang_ns / 1e9);

	w->lost = w->load->any_lost = true;
	if (w->is_stream && w->device->state != SB_DEVICE_READY)
		return; /* the device's own worker has told more */
	w->device->state = stopped ? SB_DEVICE_FAILED : SB_DEVICE_HUNG;
	sb_set_string(&w->device->message, text);
}

int sb_load_prepare(struct sb_load *load)
{
	const struct sb_engine *ring = sb_engine_find("io_uring");
	struct sb_run *run = aligned_alloc(128, sizeof(*run));
	uint64_t deadline = sb_now_ns() + load->hang_ns;
	int stops = sb_stop_count();

	if (!run)
		return -ENOMEM;
	memset(run, 0, sizeof(*run));
	load->ring_error = ring ? ring->probe() : -ENOENT;
	for (size_t i = 0; i < load->n_workers; i++) {
		if (load->workers[i].null && load->workers[i].device->state == SB_DEVICE_NEW)
			null_ready(&load->workers[i]);
		else
			run->n_jobs += load->workers[i].started;
	}
	for (size_t i = 0; i < load->n_workers; i++) {
		struct sb_worker *w = &load->workers[i];

		if (!w->started || w->null)
			continue;
		w->run = run;
		atomic_store(&w->live.state, SB_LIVE_PREPARING);
		sb_worker_order(w, SB_ORDER_PREPARE);
	}
	while (atomic_load(&run->n_ready) < run->n_jobs && sb_now_ns() < deadline &&
	       sb_stop_count() == stops) {
		uint32_t event = atomic_load(&load->event);

		if (atomic_load(&run->n_ready) < run->n_jobs)
			sb_futex_wait(&load->event, event, sb_now_ns() + SB_NS_PER_SEC / 10);
	}
	for (size_t i = 0; i < load->n_workers; i++) {
		struct sb_worker *w = &load->workers[i];

		if (!w->started || w->null)
			continue;
		if (atomic_load(&w->live.state) != SB_LIVE_READY)
			give_up(w, sb_stop_count() != stops);
		else if (w->tester)
			sb_tester_look_apply(w);
		else if (!w->is_stream || w->look->error)
			sb_look_apply(w, load->options);
	}
	if (!load->any_lost)
		free(run);
	return 0;
}

int sb_load_run(struct sb_load *load, size_t index, const struct sb_series **series)
{
	struct sb_phase *phase = &load->result->phases[index];
	struct sb_crew crew = {0};
	uint64_t start = load->options->virtual_time ? load->virtual_ns : sb_now_ns();
	int rc;

	sb_series_destroy(load->series);
	load->series = NULL;
	rc = sb_crew_init(load, &crew, phase);
	if (rc == 0)
		load->series = sb_series_create(crew.n);
	if (!load->series)
		rc = rc ? rc : -ENOMEM;
	if (load->first_gate_ns == 0 && load->options->virtual_time)
		load->first_gate_ns = load->virtual_ns;
	if (rc == 0)
		rc = sb_null_schedule(
			crew.worker, crew.n, sb_phase_by_amount(phase) ? 0 : phase->runtime_s,
			load->first_gate_ns ? (double)(start - load->first_gate_ns) / 1e9 : 0,
			index);
	if (rc == 0)
		rc = load->options->virtual_time ? sb_phase_run_virtual(load, &crew)
						 : sb_phase_run_clock(load, &crew);
	if (rc == 0 || rc == -EINTR) {
		bool lost = false;

		sb_phase_outcome(load, &crew, rc == -EINTR);
		for (size_t i = 0; i < crew.n; i++)
			lost |= crew.worker[i]->lost;
		if (!lost || load->options->virtual_time)
			free(crew.run);
		*series = load->series;
		load->watch.tick(load->watch.arg, phase, load->series, crew.shown);
	}
	if (rc != 0 && rc != -EINTR)
		free(crew.run);
	sb_crew_free(&crew);
	return rc;
}

/* Closing can hang, too: the last close of a block device waits for it. Only one that has left is
 * joined, so that this takes no longer than until the deadline. */
static bool join_worker(struct sb_worker *w, uint64_t deadline_ns)
{
	while (!atomic_load(&w->left)) {
		uint32_t event = atomic_load(&w->load->event);

		if (atomic_load(&w->left))
			break;
		if (sb_now_ns() >= deadline_ns)
			return false;
		sb_futex_wait(&w->load->event, event, deadline_ns);
	}
	return pthread_join(w->thread, NULL) == 0;
}

/* Directories have files to remove. A second signal asks to leave that to the keeper. */
static uint64_t leave_ns(const struct sb_load *load)
{
	bool removing = false;

	for (size_t i = 0; i < load->n_workers; i++)
		removing |= load->workers[i].tester && !load->workers[i].lost;
	return removing && sb_stop_count() < 2 && load->hang_ns > LEAVE_NS ? load->hang_ns
									   : LEAVE_NS;
}

bool sb_load_destroy(struct sb_load *load)
{
	uint64_t deadline;

	if (!load)
		return true;
	for (size_t i = 0; i < load->n_workers; i++)
		if (load->workers[i].started && !load->workers[i].lost)
			sb_worker_order(&load->workers[i], SB_ORDER_LEAVE);
	deadline = sb_now_ns() + leave_ns(load);
	for (size_t i = 0; i < load->n_workers; i++) {
		struct sb_worker *w = &load->workers[i];

		if (w->started && !w->lost && !join_worker(w, deadline))
			load->any_lost = true;
	}
	/* A worker that may still wake up needs all that it points at: the process is about to end.
	 */
	if (load->any_lost && !load->options->virtual_time)
		return false;
	for (size_t i = 0; i < load->n_workers; i++) {
		struct sb_worker *w = &load->workers[i];

		sb_worker_memory_free(w);
		sb_null_destroy(w->null);
		sb_scan_destroy(w->scan);
		sb_tester_destroy(w->tester);
		free(w->look);
		if (w->stat_fd >= 0)
			close(w->stat_fd);
	}
	sb_series_destroy(load->series);
	sb_sampler_destroy(load->sampler);
	sb_hops_destroy(load->hops);
	sb_pool_destroy(load->pool, load->pool_bytes);
	free(load->workers);
	free(load);
	return true;
}
