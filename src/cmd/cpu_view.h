/* Hands the CPU figures of the last second to the display. Main thread. */
#ifndef SATABENCH_CMD_CPU_VIEW_H
#define SATABENCH_CMD_CPU_VIEW_H

#include <stdint.h>

#include "satabench/report.h"

struct cpu_view {
	struct sb_cpu_watch *watch; /* NULL: nothing is shown */
	struct sb_progress *progress;
	uint64_t last_ns;
};

void cpu_view_start(struct cpu_view *view, struct sb_progress *progress);
void cpu_view_update(struct cpu_view *view);
void cpu_view_end(struct cpu_view *view);

#endif
