/* Figures of a command's copies, and of the disks that moved meanwhile. */
#include <math.h>

#include "satabench/units.h"
#include "judge_priv.h"

static void judge_copy(struct sb_copy *copy)
{
	bool has_wall = copy->start_ns != SB_NONE_U64 && copy->end_ns != SB_NONE_U64 &&
			copy->end_ns >= copy->start_ns;
	bool has_cpu = copy->user_ns != SB_NONE_U64 && copy->system_ns != SB_NONE_U64;

	copy->wall_s = has_wall ? (double)(copy->end_ns - copy->start_ns) * 1e-9 : NAN;
	copy->cpu_percent = has_wall && has_cpu && copy->wall_s > 0
				    ? 100 * ((double)copy->user_ns + (double)copy->system_ns) *
					      1e-9 / copy->wall_s
				    : NAN;
}

static void judge_disk(struct sb_disk_use *disk, double seconds)
{
	bool has_time = seconds > 0;

	disk->read_bytes_s = has_time ? (double)disk->read_bytes / seconds : NAN;
	disk->write_bytes_s = has_time ? (double)disk->write_bytes / seconds : NAN;
	disk->reads_s = has_time ? (double)disk->read_operations / seconds : NAN;
	disk->writes_s = has_time ? (double)disk->write_operations / seconds : NAN;
	disk->busy_percent = has_time ? 0.1 * (double)disk->busy_ms / seconds : NAN;
}

int mark_left_running(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_phases; i++) {
		const struct sb_exec *exec = result->phases[i].exec;
		uint64_t n = exec ? exec->left_running : SB_NONE_U64;

		if (n == SB_NONE_U64 || n == 0)
			continue;
		return sb_result_add_mark(result, SB_MARK_NOTE, "left_running", NULL, (double)n, 0,
					  "%llu process%s of the copies still ran when the last "
					  "copy had ended; what %s used is not counted",
					  (unsigned long long)n, n == 1 ? "" : "es",
					  n == 1 ? "it" : "they");
	}
	return 0;
}

void judge_exec(struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->exec->n_copies; i++)
		judge_copy(&phase->exec->copies[i]);
	for (size_t i = 0; i < phase->exec->n_disks; i++)
		judge_disk(&phase->exec->disks[i], phase->seconds);
}
