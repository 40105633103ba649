/* How the rates of null devices differ from phase to phase: by numbers that depend on the seed, the
 * name and the phase only. */
#include <math.h>

#include "load_priv.h"

#define DRIFT_STAYS 0.97   /* share of the drift that is the same in the next phase */
#define OUTLIER_LEAVES 0.7 /* of the rate */

/* splitmix64 (Steele, Lea, Flood 2014): turns a counter into well mixed bits */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint64_t bits(uint64_t seed, const char *name, size_t phase)
{
	uint64_t h = mix(seed);

	for (const char *p = name; *p; p++)
		h = mix(h ^ (unsigned char)*p);
	return mix(h ^ phase);
}

static double uniform(uint64_t h) /* (0, 1) */
{
	return ((double)(h >> 11) + 0.5) / 9007199254740992.0;
}

/* A standard normal number (Box-Muller). */
static double normal(uint64_t seed, const char *name, size_t phase)
{
	uint64_t h = bits(seed, name, phase);

	return sqrt(-2 * log(uniform(h))) * cos(2 * M_PI * uniform(mix(h)));
}

/* Names of what all null devices have in common; no target's name has a slash at its end. */
static double common(struct sb_null_noise *noise, const struct sb_nullspec *spec, size_t phase)
{
	double f = exp(spec->common * normal(spec->seed, "all/", phase));

	if (spec->drift > 0) {
		for (; noise->drifted <= phase; noise->drifted++)
			noise->drift = DRIFT_STAYS * noise->drift +
				       sqrt(1 - DRIFT_STAYS * DRIFT_STAYS) *
					       normal(spec->seed, "drift/", noise->drifted);
		f *= exp(spec->drift * noise->drift);
	}
	if (spec->outlier > 0 && uniform(bits(spec->seed, "outlier/", phase)) < spec->outlier)
		f *= OUTLIER_LEAVES;
	return f;
}

void sb_null_noise_next(struct sb_null_noise *noise, const struct sb_nullspec *spec, size_t phase)
{
	double f = common(noise, spec, phase);

	noise->own = f * exp(spec->noise * normal(spec->seed, spec->name, phase));
	for (unsigned s = 0; s < spec->n_shares; s++) {
		char name[SB_NULL_TEXT + 8];

		snprintf(name, sizeof(name), "share/%s", spec->share[s].name);
		noise->share[s] = f * exp(spec->common * normal(spec->seed, name, phase));
	}
}
