/* The copies of a command, in the text report: what time and iostat would show of them. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

const struct sb_phase *report_exec_phase(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].exec)
			return &result->phases[i];
	return NULL;
}

static double seconds_of(uint64_t ns)
{
	return ns == SB_NONE_U64 ? NAN : (double)ns * 1e-9;
}

static char *bytes_text(uint64_t bytes)
{
	char buf[SB_UNIT_TEXT];

	return strdup(sb_format_bytes(buf, bytes));
}

static char *end_text(const struct sb_copy *copy)
{
	const char *name;

	switch (copy->state) {
	case SB_COPY_FAILED:
		return strdup("not run");
	case SB_COPY_LEFT:
		return strdup("not ended");
	default:
		break;
	}
	if (copy->status >= 0)
		return sb_format("%d", copy->status);
	if (copy->signal <= 0)
		return strdup("-");
	name = sigabbrev_np(copy->signal);
	return name ? sb_format("SIG%s", name) : sb_format("signal %d", copy->signal);
}

static void add_copy(struct report_table *t, const char *name, const struct sb_copy *copy)
{
	report_cell(t, name);
	report_cell_take(t, end_text(copy));
	report_cell_number(t, copy->wall_s, 3);
	report_cell_number(t, seconds_of(copy->user_ns), 3);
	report_cell_number(t, seconds_of(copy->system_ns), 3);
	report_cell_number(t, copy->cpu_percent, 1);
	report_cell_take(t, bytes_text(copy->peak_bytes));
	report_cell_take(t, bytes_text(copy->read_bytes));
	report_cell_take(t, bytes_text(copy->write_bytes));
}

static void add_u64(uint64_t *sum, uint64_t value)
{
	if (value != SB_NONE_U64)
		*sum = *sum == SB_NONE_U64 ? value : *sum + value;
}

/* From the first start to the last end; CPU time and bytes added up, the largest peak. */
static struct sb_copy sum_of(const struct sb_exec *exec)
{
	struct sb_copy sum = exec->copies[0];
	double start = NAN, end = NAN;

	sum.state = SB_COPY_ENDED;
	sum.status = 0;
	sum.signal = -1;
	sum.user_ns = sum.system_ns = sum.peak_bytes = SB_NONE_U64;
	sum.read_bytes = sum.write_bytes = SB_NONE_U64;
	for (size_t i = 0; i < exec->n_copies; i++) {
		const struct sb_copy *c = &exec->copies[i];

		start = fmin(start, seconds_of(c->start_ns));
		end = fmax(end, seconds_of(c->end_ns));
		add_u64(&sum.user_ns, c->user_ns);
		add_u64(&sum.system_ns, c->system_ns);
		add_u64(&sum.read_bytes, c->read_bytes);
		add_u64(&sum.write_bytes, c->write_bytes);
		if (c->peak_bytes != SB_NONE_U64 &&
		    (sum.peak_bytes == SB_NONE_U64 || c->peak_bytes > sum.peak_bytes))
			sum.peak_bytes = c->peak_bytes;
		if (sb_copy_status(c) > sum.status)
			sum.status = sb_copy_status(c);
	}
	sum.wall_s = end - start;
	sum.cpu_percent = 100 * (seconds_of(sum.user_ns) + seconds_of(sum.system_ns)) / sum.wall_s;
	return sum;
}

static int print_copies(FILE *out, const struct sb_exec *exec)
{
	static const char *const heads[] = {"copy",  "status",	    "wall s", "user s", "system s",
					    "CPU %", "peak memory", "read",   "written"};
	struct report_table t = {.align = "lrrrrrrrr"};

	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < exec->n_copies; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%d", exec->copies[i].number);
		add_copy(&t, name, &exec->copies[i]);
	}
	if (exec->n_copies > 1) {
		struct sb_copy sum = sum_of(exec);

		add_copy(&t, "all", &sum);
	}
	return report_table_print(&t, out, "  ");
}

static int print_disks(FILE *out, const struct sb_exec *exec)
{
	static const char *const heads[] = {"",		"read MB/s", "written MB/s", "reads/s",
					    "writes/s", "busy %",    "read",	     "written"};
	struct report_table t = {.align = "lrrrrrrr"};

	if (exec->n_disks == 0) {
		fputs("\nNo disk's counters moved.\n", out);
		return 0;
	}
	fputs("\nDisks that moved meanwhile, whoever moved them\n", out);
	for (size_t i = 0; i < SB_COUNT(heads); i++)
		report_cell(&t, heads[i]);
	for (size_t i = 0; i < exec->n_disks; i++) {
		const struct sb_disk_use *d = &exec->disks[i];

		report_cell_take(&t, sb_escape(d->name ? d->name : ""));
		report_cell_number(&t, d->read_bytes_s / 1e6, 2);
		report_cell_number(&t, d->write_bytes_s / 1e6, 2);
		report_cell_number(&t, d->reads_s, 1);
		report_cell_number(&t, d->writes_s, 1);
		report_cell_number(&t, d->busy_percent, 1);
		report_cell_take(&t, bytes_text(d->read_bytes));
		report_cell_take(&t, bytes_text(d->write_bytes));
	}
	return report_table_print(&t, out, "  ");
}

static void print_command(FILE *out, const struct sb_exec *exec)
{
	if (exec->n_copies == 1)
		fputs("\nThe command", out);
	else
		fprintf(out, "\n%zu copies, all started at once", exec->n_copies);
	for (size_t i = 0; i < exec->n_argv; i++) {
		SB_AUTO_FREE char *word = sb_escape(exec->argv[i]);

		fprintf(out, "%s%s", i ? " " : ": ", word ? word : "");
	}
	fputc('\n', out);
}

static void print_messages(FILE *out, const struct sb_exec *exec)
{
	bool by_usage = false;

	for (size_t i = 0; i < exec->n_copies; i++) {
		const struct sb_copy *c = &exec->copies[i];
		SB_AUTO_FREE char *message = c->message ? sb_escape(c->message) : NULL;

		if (message)
			fprintf(out, "  ! copy %d: %s\n", c->number, message);
		by_usage |= c->io_source && strcmp(c->io_source, "rusage") == 0;
	}
	if (by_usage)
		report_paragraph(out, "  ",
				 "read and written: of the process's usage, in blocks of 512 "
				 "bytes, as /proc/PID/io could not be read");
}

int report_text_exec(FILE *out, const struct sb_result *result, const struct sb_exec *exec)
{
	int rc;

	print_command(out, exec);
	rc = print_copies(out, exec);
	print_messages(out, exec);
	if (rc == 0)
		rc = report_text_cpu(out, result);
	return rc ? rc : print_disks(out, exec);
}
