#include "satabench/judge.h"

static bool is_lost_device(int state)
{
	return state == SB_DEVICE_FAILED || state == SB_DEVICE_HUNG || state == SB_DEVICE_VANISHED;
}

static bool is_lost_job(int state)
{
	return state == SB_JOB_FAILED || state == SB_JOB_HUNG || state == SB_JOB_VANISHED;
}

static bool has_lost_job(const struct sb_phase *phase)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (is_lost_job(phase->jobs[i].state))
			return true;
	return false;
}

int sb_judge_status(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_devices; i++)
		if (is_lost_device(result->devices[i].state))
			return SB_EXIT_DEVICE;
	for (size_t i = 0; i < result->n_phases; i++)
		if (has_lost_job(&result->phases[i]))
			return SB_EXIT_DEVICE;
	for (size_t i = 0; i < result->n_marks; i++)
		if (result->marks[i].level == SB_MARK_TAINT)
			return SB_EXIT_TAINT;
	return SB_EXIT_OK;
}
