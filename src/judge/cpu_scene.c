/* What the CPUs did while the group of a test ran: which was busy, and whose interrupts it took. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "satabench/cleanup.h"
#include "verdict_priv.h"

#define NEARLY_ALL 0.90

static double busiest(const struct noise_cell *cell)
{
	return isnan(cell->phase->cpu.busiest_busy) ? 0 : cell->phase->cpu.busiest_busy;
}

/* The run in the middle when they are ranked by their busiest CPU. */
static const struct sb_phase *find_typical(const struct judge_look *look, size_t first, size_t n)
{
	const struct noise_cell *cells = &look->table->cells[first];

	for (size_t i = 0; i < n; i++) {
		size_t below = 0;

		for (size_t k = 0; k < n; k++)
			below += busiest(&cells[k]) < busiest(&cells[i]) ||
				 (k < i && busiest(&cells[k]) == busiest(&cells[i]));
		if (below == n / 2)
			return cells[i].phase;
	}
	return NULL;
}

static size_t cpus_of(const struct judge_look *look, size_t first, size_t n)
{
	int most = -1;

	for (size_t i = first; i < first + n; i++) {
		const struct sb_phase *phase = look->table->cells[i].phase;

		for (size_t k = 0; k < phase->n_interrupts; k++)
			most = phase->interrupts[k].cpu > most ? phase->interrupts[k].cpu : most;
	}
	return (size_t)(most + 1);
}

static void add_counts(const struct judge_look *look, const struct sb_phase *phase,
		       uint64_t *counts, size_t n_cpus)
{
	for (size_t k = 0; k < phase->n_interrupts; k++) {
		const struct sb_irq_count *irq = &phase->interrupts[k];

		if (irq->node >= 0 && (size_t)irq->node < look->result->topo.n_nodes &&
		    irq->cpu >= 0)
			counts[(size_t)irq->node * n_cpus + (size_t)irq->cpu] += irq->count;
	}
}

static struct cpu_irqs most_of(const uint64_t *counts, size_t n_cpus, int node)
{
	struct cpu_irqs irqs = {.node = node, .cpu = -1};

	for (size_t cpu = 0; cpu < n_cpus; cpu++) {
		irqs.total += counts[cpu];
		if (counts[cpu] <= irqs.count)
			continue;
		irqs.count = counts[cpu];
		irqs.cpu = (int)cpu;
	}
	return irqs;
}

int judge_cpu_scene(struct judge_look *look, int test, struct cpu_scene *scene)
{
	size_t first, n = judge_cells(look->table, judge_key_group(look->table, test), &first);
	size_t n_cpus = cpus_of(look, first, n), n_nodes = look->result->topo.n_nodes;
	SB_AUTO_FREE uint64_t *counts = calloc(n_nodes * n_cpus + 1, sizeof(*counts));

	*scene = (struct cpu_scene){.typical = find_typical(look, first, n)};
	scene->irqs = calloc(n_nodes + 1, sizeof(*scene->irqs));
	if (!counts || !scene->irqs) {
		free(scene->irqs);
		return -ENOMEM;
	}
	for (size_t i = first; i < first + n; i++)
		add_counts(look, look->table->cells[i].phase, counts, n_cpus);
	for (size_t node = 0; node < n_nodes; node++) {
		struct cpu_irqs irqs = most_of(&counts[node * n_cpus], n_cpus, (int)node);

		if (irqs.total)
			scene->irqs[scene->n_irqs++] = irqs;
	}
	return 0;
}

const struct cpu_irqs *judge_cpu_takes(const struct cpu_scene *scene, int cpu)
{
	const struct cpu_irqs *found = NULL;

	for (size_t i = 0; i < scene->n_irqs; i++) {
		const struct cpu_irqs *irqs = &scene->irqs[i];

		if (irqs->cpu == cpu && (double)irqs->count >= NEARLY_ALL * (double)irqs->total &&
		    (!found || irqs->count > found->count))
			found = irqs;
	}
	return found;
}
