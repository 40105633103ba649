/* Read errors of a device that was not given up: its figures stand, but not as those of a sound
 * one. */
#include <math.h>

#include "judge_priv.h"

int mark_read_errors(struct sb_result *result, const struct judge_table *table)
{
	(void)table;
	for (size_t i = 0; i < result->n_devices; i++) {
		uint64_t errors = 0;
		int err;

		for (size_t p = 0; p < result->n_phases; p++)
			for (size_t j = 0; j < result->phases[p].n_jobs; j++)
				if (result->phases[p].kind != SB_PHASE_SURFACE &&
				    result->phases[p].jobs[j].device == (int)i)
					errors += result->phases[p].jobs[j].n_errors;
		/* one that was given up says so itself */
		if (errors == 0 || result->devices[i].state != SB_DEVICE_READY)
			continue;
		err = sb_result_add_mark(
			result, SB_MARK_TAINT, "read_errors", result->devices[i].target,
			(double)errors, 0,
			"%llu reads failed and were passed over; the time that the "
			"disk spent on them is in its figures",
			(unsigned long long)errors);
		if (err)
			return err;
	}
	return 0;
}
