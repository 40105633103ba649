#include "cpu_view.h"

#include <math.h>
#include <stdlib.h>

#include "satabench/clock.h"
#include "satabench/judge.h"
#include "satabench/sample.h"

#define EVERY_NS SB_NS_PER_SEC /* ticks are 10 ms: a shorter look is too coarse */

void cpu_view_start(struct cpu_view *view, struct sb_progress *progress)
{
	*view = (struct cpu_view){.progress = progress};
	if (sb_progress_wants_cpu(progress) && sb_cpu_watch_create(&view->watch) == 0)
		view->last_ns = sb_now_ns();
}

static double busy_of(const struct sb_cpu_line *line)
{
	uint64_t idle = line->ticks.field[SB_CPU_IDLE] + line->ticks.field[SB_CPU_IOWAIT], sum = 0;

	for (int i = 0; i <= SB_CPU_STEAL; i++)
		sum += line->ticks.field[i];
	return sum ? 1 - (double)idle / (double)sum : 0;
}

void cpu_view_update(struct cpu_view *view)
{
	struct sb_cpu_counters counters = {0};
	struct sb_progress_cpu cpu = {0};
	uint64_t now = sb_now_ns();
	double *busy;

	if (!view->watch || now - view->last_ns < EVERY_NS)
		return;
	view->last_ns = now;
	if (sb_cpu_watch_read(view->watch, &counters) < 0)
		return;
	busy = calloc(counters.n_cpus + 1, sizeof(*busy));
	for (size_t i = 0; busy && i < counters.n_cpus; i++)
		busy[i] = busy_of(&counters.cpus[i]);
	sb_judge_cpu(&counters, &cpu.six);
	cpu.busy = busy;
	cpu.n = busy ? counters.n_cpus : 0;
	sb_progress_cpu(view->progress, &cpu);
	free(busy);
	free(counters.cpus);
}

void cpu_view_end(struct cpu_view *view)
{
	sb_cpu_watch_destroy(view->watch);
	view->watch = NULL;
}
