/* Which phase says what of an array. */
#include <math.h>

#include "md_priv.h"

/* Of how many jobs of the phase it is the device. */
static size_t count_jobs(const struct sb_phase *phase, int device)
{
	size_t n = 0;

	for (size_t i = 0; i < phase->n_jobs; i++)
		n += phase->jobs[i].device == device;
	return n;
}

static bool is_read(const struct sb_phase *phase, const struct sb_md_array *array, bool many)
{
	if (!phase->done || phase->kind != SB_PHASE_ARRAY || array->device < 0)
		return false;
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == array->device)
			return (phase->jobs[i].stream > 0) == many;
	return false;
}

bool judge_md_reads(const struct sb_phase *phase, const struct sb_md_array *array, bool many)
{
	return is_read(phase, array, many) && count_jobs(phase, array->device) == phase->n_jobs;
}

/* An array that has one reader at most is the same in both kinds of phases, and `many` where the
 * others have several. */
bool judge_md_reads_beside(const struct sb_phase *phase, const struct sb_md_array *array, bool many)
{
	bool any = false;

	for (size_t i = 0; i < phase->n_jobs; i++)
		any |= phase->jobs[i].stream > 0;
	return phase->done && phase->kind == SB_PHASE_ARRAY && array->device >= 0 && any == many &&
	       count_jobs(phase, array->device) > 0 &&
	       count_jobs(phase, array->device) < phase->n_jobs;
}

bool judge_md_reads_members(const struct sb_phase *phase, const struct sb_md_array *array)
{
	size_t n = 0;

	if (!phase->done || sb_phase_confirms(phase) ||
	    (phase->kind != SB_PHASE_ALL && phase->kind != SB_PHASE_GROUP))
		return false;
	for (size_t i = 0; i < array->n_members; i++) {
		const struct sb_md_member *m = &array->members[i];

		if (!sb_md_is_readable(m))
			continue;
		if (m->device < 0 || count_jobs(phase, m->device) != 1)
			return false;
		n++;
	}
	return n > 0 && n == phase->n_jobs;
}

double judge_md_rate(const struct sb_phase *phase, int device)
{
	double sum = 0;

	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			sum += judge_has_rate(&phase->jobs[i]) ? phase->jobs[i].bytes_s : NAN;
	return sum > 0 ? sum : NAN;
}
