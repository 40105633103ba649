/* The sentence where a CPU limits: which, full of what, and what can be done about that. */
#include <math.h>
#include <stdlib.h>

#include "verdict_priv.h"

static double share_of(const struct cpu_irqs *irqs)
{
	return 100 * (double)irqs->count / (double)irqs->total;
}

static void say_one(FILE *f, const struct judge_look *look, const struct sb_limit *l,
		    const struct cpu_scene *scene)
{
	const struct sb_cpu_figures *cpu = &scene->typical->cpu;
	const struct cpu_irqs *takes;

	if (cpu->busiest_cpu < 0)
		fputs("One CPU limits", f);
	else
		fprintf(f, "CPU %d limits", cpu->busiest_cpu);
	fputs(": with the devices of ", f);
	say_node(f, look, l->test_node);
	fprintf(f, " at once it is %.0f %% busy", cpu->busiest_busy);
	if (!isnan(cpu->busiest_softirq))
		fprintf(f, ", %.0f %% softirq", cpu->busiest_softirq);
	takes = cpu->busiest_cpu < 0 ? NULL : judge_cpu_takes(scene, cpu->busiest_cpu);
	if (!takes)
		return;
	fprintf(f, ", and takes %.0f %% of the interrupts of ", share_of(takes));
	say_node(f, look, takes->node);
}

static void say_all(FILE *f, const struct judge_look *look, const struct sb_limit *l,
		    const struct cpu_scene *scene)
{
	const struct sb_cpu_figures *cpu = &scene->typical->cpu;

	fputs("The CPU limits: with the devices of ", f);
	say_node(f, look, l->test_node);
	fprintf(f, " at once all CPUs are full (%.0f %% busy", cpu->busy_exact);
	if (!isnan(cpu->own_percent))
		fprintf(f, ", %.0f %% by satabench itself", cpu->own_percent);
	fputc(')', f);
}

void say_cpu(FILE *f, struct judge_look *look, const struct sb_limit *l)
{
	int test = sb_test_tree_find(look->tree, l->test_node);
	struct cpu_scene scene;

	if (judge_cpu_scene(look, test, &scene) < 0)
		return;
	if (scene.typical)
		(judge_cpu_full(look, test) == CPU_ALL_FULL ? say_all : say_one)(f, look, l,
										 &scene);
	fputs("; ", f);
	say_loss(f, look, l);
	fputs(l->cpu_confirmed == SB_ANSWER_YES ? "; larger blocks confirm it"
						: "; not confirmed with larger blocks",
	      f);
	free(scene.irqs);
}

void say_cpu_advice(FILE *f, struct judge_look *look, const struct sb_limit *l)
{
	int test = sb_test_tree_find(look->tree, l->test_node);
	const struct sb_cpu_figures *cpu;
	struct cpu_scene scene;

	if (judge_cpu_scene(look, test, &scene) < 0)
		return;
	cpu = scene.typical ? &scene.typical->cpu : NULL;
	if (!cpu || judge_cpu_full(look, test) == CPU_ALL_FULL)
		fputs(": stop other work, read in larger blocks (--bs), or use more or faster CPUs",
		      f);
	else if (cpu->busiest_cpu >= 0 && (judge_cpu_takes(&scene, cpu->busiest_cpu) ||
					   2 * cpu->busiest_softirq >= cpu->busiest_busy))
		fputs(": spread the controllers' interrupts over more CPUs (irqbalance, or "
		      "/proc/irq/N/smp_affinity)",
		      f);
	else
		fputs(": look what runs on it (top, perf top -C), and spread the controllers' "
		      "interrupts over more CPUs",
		      f);
	free(scene.irqs);
}
