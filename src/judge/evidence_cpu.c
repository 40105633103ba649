/* The rows of a limit where a CPU was full: how full, of what, whose interrupts it took, and what
 * larger blocks showed. */
#include <math.h>
#include <stdlib.h>

#include "satabench/units.h"
#include "verdict_priv.h"

static void tell_percent(FILE *f, double percent, const char *what)
{
	if (!isnan(percent))
		fprintf(f, ", %.1f %% %s", percent, what);
}

/* The thread that took most CPU time: a device by index, share of one CPU in percent. */
static int busiest_worker(const struct sb_phase *phase, double *percent)
{
	int device = -1;

	*percent = 0;
	for (size_t i = 0; i < phase->n_jobs; i++) {
		double share = judge_worker_percent(&phase->jobs[i]);

		if (isnan(share) || share < *percent)
			continue;
		*percent = share;
		device = phase->jobs[i].device;
	}
	return device;
}

static int add_figures(struct judge_look *look, const struct sb_limit *l,
		       const struct sb_phase *phase)
{
	const struct sb_cpu_figures *cpu = &phase->cpu;
	struct evidence_row row;
	double percent;
	int device, rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	fputs("CPUs while the devices of ", row.f);
	say_node(row.f, look, l->test_node);
	fputs(" run", row.f);
	tell_percent(row.f, cpu->busy_exact, "of all CPUs busy");
	if (cpu->busiest_cpu >= 0)
		fprintf(row.f, "; busiest CPU %d", cpu->busiest_cpu);
	else
		fputs("; busiest one", row.f);
	tell_percent(row.f, cpu->busiest_busy, "busy");
	tell_percent(row.f, cpu->busiest_system, "system");
	tell_percent(row.f, cpu->busiest_softirq, "softirq");
	if (!isnan(cpu->own_percent))
		fprintf(row.f, "; satabench itself %.1f %% of all", cpu->own_percent);
	device = busiest_worker(phase, &percent);
	if (device >= 0) {
		fprintf(row.f, ", its busiest thread %.0f %% of one CPU, for ", percent);
		say_device(row.f, look, device);
	}
	return evidence_end(look, &row);
}

static int add_irqs(struct judge_look *look, const struct cpu_irqs *irqs)
{
	struct evidence_row row;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	fprintf(row.f, "CPU %d takes %.0f %% of the interrupts of ", irqs->cpu,
		100 * (double)irqs->count / (double)irqs->total);
	say_node(row.f, look, irqs->node);
	fprintf(row.f, " (%llu of %llu)", (unsigned long long)irqs->count,
		(unsigned long long)irqs->total);
	return evidence_end(look, &row);
}

static int add_larger(struct judge_look *look, const struct sb_limit *l,
		      const struct sb_phase *larger)
{
	char block[SB_UNIT_TEXT];
	struct evidence_row row;
	double sum = 0;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < larger->n_jobs; i++)
		sum += larger->jobs[i].bytes_s;
	fprintf(row.f, "in blocks of %s: ", sb_format_block(block, larger->jobs[0].block_bytes));
	say_rate(row.f, sum);
	fputs(", against ", row.f);
	say_rate(row.f, l->capacity_bytes_s);
	tell_percent(row.f, larger->cpu.busy_exact, "of all CPUs busy");
	tell_percent(row.f, larger->cpu.busiest_busy, "the busiest");
	fputs(l->cpu_confirmed == SB_ANSWER_YES
		      ? ": that confirms the CPU"
		      : ": no CPU is full and the rate stays, so that it is not the CPU",
	      row.f);
	return evidence_end(look, &row);
}

static int add_not_tried(struct judge_look *look)
{
	struct evidence_row row;
	int rc = evidence_begin(&row);

	if (rc < 0)
		return rc;
	fputs("the CPU is not confirmed: there is no run in larger blocks that tells", row.f);
	return evidence_end(look, &row);
}

int evidence_cpu(struct judge_look *look, const struct sb_limit *l)
{
	int test = sb_test_tree_find(look->tree, l->test_node), rc;
	struct cpu_scene scene;

	if (l->cls != SB_CLASS_CPU && l->cpu_confirmed == SB_ANSWER_NONE)
		return 0;
	rc = judge_cpu_scene(look, test, &scene);
	if (rc < 0)
		return rc;
	if (scene.typical)
		rc = add_figures(look, l, scene.typical);
	for (size_t i = 0; i < scene.n_irqs && rc == 0; i++)
		rc = add_irqs(look, &scene.irqs[i]);
	free(scene.irqs);
	if (rc < 0)
		return rc;
	return l->cpu_confirmed == SB_ANSWER_NONE
		       ? add_not_tried(look)
		       : add_larger(look, l, judge_cpu_larger(look, test));
}
