/* The workers of a phase and what goes with them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite_priv.h"

void sb_crew_free(struct sb_crew *crew)
{
	sb_snapshot_free(&crew->at_open);
	sb_snapshot_free(&crew->at_close);
	free(crew->worker);
	free(crew->first);
	free(crew->live);
	free(crew->shown);
	free(crew->stat_fd);
	free(crew->before);
	free(crew->counted);
	free(crew->nodes);
}

static int allocate(struct sb_crew *crew, size_t n)
{
	crew->run = aligned_alloc(128, sizeof(*crew->run));
	crew->worker = calloc(n, sizeof(crew->worker[0]));
	crew->first = calloc(n, sizeof(crew->first[0]));
	crew->live = calloc(n, sizeof(crew->live[0]));
	crew->shown = calloc(n, sizeof(crew->shown[0]));
	crew->stat_fd = calloc(n, sizeof(crew->stat_fd[0]));
	crew->before = calloc(n, sizeof(crew->before[0]));
	crew->counted = calloc(n, sizeof(crew->counted[0]));
	crew->nodes = calloc(n, sizeof(crew->nodes[0]));
	if (!crew->run || !crew->worker || !crew->first || !crew->live || !crew->shown ||
	    !crew->stat_fd || !crew->before || !crew->counted || !crew->nodes)
		return -ENOMEM;
	memset(crew->run, 0, sizeof(*crew->run));
	return 0;
}

static struct sb_worker *worker_of(struct sb_load *load, const struct sb_job *job)
{
	struct sb_worker *first = &load->workers[job->device];

	if (job->stream == 0)
		return first;
	return first->streams && job->stream <= sb_load_streams(first->device)
		       ? &first->streams[job->stream - 1]
		       : NULL;
}

static int add_worker(struct sb_crew *crew, struct sb_worker *w, size_t job)
{
	size_t i = crew->n++;
	int rc;

	w->job = &crew->phase->jobs[job];
	w->run = crew->run;
	w->chain = 1;
	w->engine = sb_engine_find(w->job->engine);
	w->workload = w->tester ? NULL : sb_workload_find(w->job->workload);
	if (!w->engine || (!w->workload && !w->tester))
		return -EINVAL;
	rc = w->tester ? 0 : sb_scan_attach(w, crew->phase);
	if (rc < 0)
		return rc;
	sb_worker_reset(w);
	crew->worker[i] = w;
	crew->first[i] = job;
	crew->live[i] = &w->live;
	crew->stat_fd[i] = w->first->stat_fd;
	crew->nodes[i] = w->device->node;
	/* 0.3 s until spinning disks have found their track and their read-ahead */
	if (w->device->rotational)
		crew->run->settle_ns = 3 * SB_NS_PER_SEC / 10;
	return 0;
}

int sb_crew_init(struct sb_load *load, struct sb_crew *crew, struct sb_phase *phase)
{
	int rc;

	*crew = (struct sb_crew){.phase = phase};
	rc = allocate(crew, phase->n_jobs);
	for (size_t i = 0; i < phase->n_jobs && rc == 0; i++) {
		struct sb_worker *w = worker_of(load, &phase->jobs[i]);

		if (!w)
			return -EINVAL;
		/* jobs of the same directory stand together: they are run one after the other */
		if (crew->n && w->tester && crew->worker[crew->n - 1] == w)
			w->chain++;
		else
			rc = add_worker(crew, w, i);
		crew->shown[i] = &w->live;
	}
	for (size_t i = 0; i < crew->n && rc == 0; i++) {
		struct sb_worker *w = crew->worker[i];

		if (w && w->tester)
			rc = sb_tester_chain(w->tester, w->chain);
	}
	if (rc < 0)
		return rc;
	crew->run->no_window = phase->kind == SB_PHASE_SUITE || phase->kind == SB_PHASE_SURFACE;
	crew->run->n_jobs = (uint32_t)crew->n;
	return 0;
}
