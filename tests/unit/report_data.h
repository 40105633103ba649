/* A result with something in every place, odd values among it, for the report tests. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/report.h"
#include "satabench/units.h"

/* Every byte but NUL, then what JSON's private escapes look like, then a valid letter. */
static inline char *data_odd_name(void)
{
	char *name = calloc(1, 300);

	for (int i = 1; i < 256; i++)
		name[i - 1] = (char)i;
	strcat(name, "\xee\xbe\x80\xee\xbf\xbf\xc3\xa9");
	return name;
}

static inline void data_set(char **member, const char *text)
{
	if (sb_set_string(member, text) != 0)
		abort();
}

static inline void data_job(struct sb_result *r, struct sb_phase *phase, int device, double rate)
{
	struct sb_job *job = sb_phase_add_job(phase);

	job->device = device;
	data_set(&job->target, r->devices[device].target);
	data_set(&job->workload, "read");
	data_set(&job->engine, "io_uring");
	data_set(&job->buffers, "one");
	job->depth = 4;
	job->block_bytes = 1 << 20;
	job->span_bytes = 1ULL << 40;
	job->state = SB_JOB_DONE;
	job->seconds = 1.5;
	job->elapsed_seconds = 0.1 + 0.2 + 1.3;
	job->cpu_ns = 1234567890;
	job->bytes = (uint64_t)(rate * 1.5);
	job->outside_bytes = 4096;
	job->operations = job->bytes >> 20;
	job->first_done_ns = 1;
	job->last_done_ns = UINT64_MAX - 1;
	job->bytes_s = rate;
	job->iops = 1.0 / 3;
	job->latency_ns =
		(struct sb_latency){1, 2.5, 5e-324, 1.7976931348623157e308, 3e6, 4e6, 5e6};
	job->device_write_bytes = 0;
	job->n_errors = 20;
	job->errors = calloc(1, sizeof(*job->errors));
	job->n_errors_kept = 1;
	job->errors[0] = (struct sb_io_error){1ULL << 40, 5, 0.25, strdup("Input/output error")};
}

static inline void data_phase(struct sb_result *r, int kind, unsigned round)
{
	struct sb_phase *phase = sb_result_add_phase(r, kind, round, "because, \"so\"");

	phase->node = 1;
	phase->runtime_s = 1.5;
	phase->done = phase->complete = true;
	phase->started_s = 0.5;
	phase->seconds = 1.5;
	phase->bytes_s = 1e8;
	phase->cpu = (struct sb_cpu_figures){5, 0, 15, 10, 0, 70, 19.9, 1, 99, 80, 19, 0.25};
	phase->counters.valid = true;
	phase->counters.wall_ns = 1500000000;
	phase->counters.ticks_per_second = 100;
	phase->counters.total.field[SB_CPU_IDLE] = 11732815868058135187ULL; /* seen in lxcfs */
	phase->counters.cpus = calloc(2, sizeof(*phase->counters.cpus));
	phase->counters.n_cpus = 2;
	phase->counters.cpus[1].cpu = 7;
	phase->links = calloc(2, sizeof(*phase->links));
	phase->links[0] = (struct sb_link_reading){1, 8000000000ULL, 4};
	phase->links[1] = (struct sb_link_reading){2, SB_NONE_U64, SB_NONE_U64};
	phase->n_links = 2;
	phase->interrupts = calloc(1, sizeof(*phase->interrupts));
	phase->interrupts[0] = (struct sb_irq_count){1, 7, 12345};
	phase->n_interrupts = 1;
	for (int i = 0; i < (int)r->n_devices; i++)
		data_job(r, phase, i, 1e8 / (i + 1));
	for (int i = 0; i < 3; i++) {
		struct sb_interval *interval = sb_phase_add_interval(phase);

		interval->seconds = 0.5 * (i + 1);
		interval->bytes_s[0] = i == 1 ? NAN : 1e8 + i;
		sb_cpu_figures_none(&interval->cpu);
	}
}

static inline void data_devices(struct sb_result *r)
{
	char *odd = data_odd_name();
	struct sb_device *device;

	sb_topo_add(&r->topo, SB_NODE_MACHINE, "machine", "machine", -1);
	sb_topo_add(&r->topo, SB_NODE_CONTROLLER, "pci:0", "0000:00:1f.2", 0);
	sb_topo_add(&r->topo, SB_NODE_DISK, "block:sda", "sda", 1);
	sb_topo_add(&r->topo, SB_NODE_FILE, odd, odd, 0);
	sb_topo_add_below(&r->topo, 2, 3);
	sb_node_set(&r->topo.nodes[1], "driver", "ahci");
	sb_node_set(&r->topo.nodes[3], odd, odd);
	r->topo.nodes[1].line_bytes_s = 5e8;

	device = sb_result_add_device(r);
	data_set(&device->target, "/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_WD-WCC7K0000001");
	device->node = 2;
	device->state = SB_DEVICE_READY;
	device->rotational = true;
	device->depth = 4;
	data_set(&device->engine, "io_uring");
	device->loss_percent = 1.0 / 3;
	device->loss_low_percent = -0.0;
	device = sb_result_add_device(r);
	data_set(&device->target, odd);
	device->kind = SB_DEVICE_FILE;
	device->node = 3;
	device->state = SB_DEVICE_FAILED;
	data_set(&device->message, odd);
	free(odd);
}

/* Every list has something, and every figure an odd value somewhere. */
static inline void data_verdict(struct sb_result *r)
{
	struct sb_verdict *v = &r->verdict;
	char *odd = data_odd_name();

	v->cls = SB_CLASS_PCIE;
	v->node = 1;
	v->confidence = 1.0 / 3;
	v->capacity_bytes_s = 1e8;
	v->candidates = calloc(2, sizeof(int));
	v->n_candidates = 2;
	v->candidates[0] = 1;
	v->runner_up = 0;
	v->limits = calloc(2, sizeof(*v->limits));
	v->n_limits = 2;
	v->limits[0] =
		(struct sb_limit){SB_CLASS_PCIE, 1,   1,       false, 1e8, 9e7,		 1.1e8, NAN,
				  0.07,		 4e7, 2.0 / 3, 2,     0.9, SB_ANSWER_NO, NULL,	0};
	v->limits[0].candidates = calloc(2, sizeof(int));
	v->limits[0].n_candidates = 2;
	v->limits[0].candidates[0] = 1;
	v->limits[1] = (struct sb_limit){
		SB_CLASS_UNKNOWN, -1,	-1, true, NAN, NAN, NAN, 5e8, NAN, NAN, NAN, 0, NAN,
		SB_ANSWER_NONE,	  NULL, 0};
	v->losses = calloc(2, sizeof(*v->losses));
	v->n_losses = 2;
	v->losses[0] = (struct sb_node_loss){1,	  SB_LOSS_LIMIT, 3, true, 0.07, 0.0612345678901,
					     0.1, 0.999,	 0, true, 1.01, 0.5,
					     3,	  true};
	v->losses[1] = (struct sb_node_loss){0,	 SB_LOSS_UNSURE, 0,   false, NAN, NAN,	NAN, NAN,
					     -1, false,		 NAN, NAN,   0,	  false};
	v->local = calloc(1, sizeof(int));
	v->n_local = 1;
	v->local[0] = 1;
	v->slow = calloc(1, sizeof(*v->slow));
	v->n_slow = 1;
	v->slow[0].p = 0.75;
	v->undecided = calloc(1, sizeof(*v->undecided));
	v->n_undecided = 1;
	v->undecided[0] = (struct sb_undecided){0, 1};
	v->odd_runs = calloc(2, sizeof(*v->odd_runs));
	v->n_odd_runs = 2;
	v->odd_runs[0] = (struct sb_odd_run){SB_PHASE_GROUP, 1, -1, 3, false, -0.31};
	v->odd_runs[1] = (struct sb_odd_run){SB_PHASE_ALONE, -1, 1, 2, true, NAN};
	v->above_ceiling = calloc(1, sizeof(int));
	v->n_above_ceiling = 1;
	v->above_ceiling[0] = 1;
	v->local_home = 1;
	v->rounds = 3;
	v->noise = 0.00692174908103;
	v->smallest_excluded = 0.12345678901234567;
	data_set(&v->sentence, odd);
	v->evidence = calloc(2, sizeof(char *));
	v->n_evidence = 2;
	v->evidence[0] = strdup("one, \"two\"");
	v->evidence[1] = odd;
}

static inline void data_result(struct sb_result *r)
{
	sb_result_init(r);
	data_set(&r->version, "0.1.0");
	data_set(&r->started, "2026-11-30T17:20:11+01:00");
	data_set(&r->host.name, "storage1");
	r->host.cpus_online = 4;
	r->complete = true;
	r->elapsed_seconds = 12.5;
	r->options.targets = calloc(1, sizeof(char *));
	r->options.targets[0] = data_odd_name();
	r->options.n_targets = 1;
	r->options.baseline_s = NAN;
	data_devices(r);
	data_phase(r, SB_PHASE_ALONE, 1);
	data_phase(r, SB_PHASE_ALL, 1);
	sb_result_add_phase(r, SB_PHASE_ALL, 2, "never run");
	r->cpu = r->phases[0].cpu;
	r->all_bytes_s = 1e8;
	sb_result_add_mark(r, SB_MARK_TAINT, "page_cache", "/dev/sda", 1.5, NAN, "a, \"b\"\nc");
	data_phase(r, SB_PHASE_LEAVE_ONE_OUT, 101);
	r->phases[3].left_out = 2;
	data_phase(r, SB_PHASE_RAMP, 1);
	data_verdict(r);
}

/* The report of the whole result as a malloc'ed text. */
static __attribute__((noinline, unused)) char *data_write(const struct sb_result *r,
							  const char *format)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (!out || sb_format_find(format)->write(out, r) != 0)
		abort();
	fclose(out);
	return text;
}

#endif
