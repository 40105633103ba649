/* The CPU in the text report: iostat's six figures, and what they do not tell. */
#include "report_priv.h"

#include <math.h>
#include <string.h>

#include "satabench/file.h"
#include "satabench/units.h"

static int print_six(FILE *out, const struct sb_cpu_figures *cpu)
{
	struct report_table t = {.align = "rrrrrr"};
	/* the first six rows of the table are iostat's */
	for (size_t i = 0; i < 6; i++)
		report_cell(&t, sb_fields_cpu.field[i].label);
	report_cell_number(&t, cpu->user, 2);
	report_cell_number(&t, cpu->nice, 2);
	report_cell_number(&t, cpu->system, 2);
	report_cell_number(&t, cpu->iowait, 2);
	report_cell_number(&t, cpu->steal, 2);
	report_cell_number(&t, cpu->idle, 2);
	return report_table_print(&t, out, "  ");
}

static void add_line(struct report_table *t, const char *label, char *value)
{
	report_cell(t, label);
	report_cell_take(t, value);
}

static void add_busiest(struct report_table *t, const struct sb_cpu_figures *cpu)
{
	if (cpu->busiest_cpu < 0)
		return;
	add_line(t, "busiest CPU",
		 sb_format("%.1f %% busy (cpu%d: %.1f %% system, %.1f %% softirq)",
			   cpu->busiest_busy, cpu->busiest_cpu, cpu->busiest_system,
			   cpu->busiest_softirq));
}

int report_text_cpu(FILE *out, const struct sb_result *result)
{
	struct report_table t = {.align = "ll"};
	const struct sb_cpu_figures *cpu = &result->cpu;
	char buf[SB_UNIT_TEXT];
	int rc;

	if (isnan(cpu->idle) && isnan(cpu->busy_exact)) {
		fprintf(out, "\nCPU: no figures%s\n",
			result->options.virtual_time ? " (virtual time)" : "");
		return 0;
	}
	fprintf(out, "\nCPU while the %s, percent of all CPUs\n",
		report_exec_phase(result)		    ? "command ran"
		: report_has_phases(result, SB_PHASE_SUITE) ? "tests ran"
							    : "devices were read");
	rc = print_six(out, cpu);
	if (rc != 0)
		return rc;
	fputc('\n', out);
	if (!isnan(cpu->busy_exact))
		add_line(&t, "busy_exact", sb_format("%.1f %%", cpu->busy_exact));
	add_busiest(&t, cpu);
	if (!isnan(result->baseline.busy_exact))
		add_line(&t, "before the load",
			 sb_format("%.1f %% busy", result->baseline.busy_exact));
	if (!isnan(cpu->own_percent))
		add_line(&t, "satabench itself",
			 sb_format("%.2f %% of all CPUs", cpu->own_percent));
	if (!isnan(result->bytes_s_per_busy_cpu))
		add_line(&t, "per busy CPU",
			 strdup(sb_format_rate(buf, result->bytes_s_per_busy_cpu)));
	return report_table_print(&t, out, "  ");
}
