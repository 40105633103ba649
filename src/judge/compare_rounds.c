/* What a result says of a row, round by round, and the two sides against each other. */
#include <math.h>

#include "judge_priv.h"
#include "compare_priv.h"

#define ERROR_SESSIONS 0.05 /* sessions of one side are believed to differ from here */
#define GIB 1073741824.0

unsigned compare_rounds(const struct sb_result *result)
{
	unsigned last = 0;

	for (size_t i = 0; i < result->n_phases; i++)
		if (result->phases[i].round > last)
			last = result->phases[i].round;
	return last;
}

static bool has_device(const struct sb_phase *phase, int device)
{
	for (size_t i = 0; i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			return true;
	return false;
}

/* The later run of a round replaces the earlier; one that stood apart is in no mean. */
static const struct sb_phase *find_phase(const struct sb_result *result, int kind, unsigned round,
					 int device)
{
	for (size_t i = result->n_phases; i-- > 0;) {
		const struct sb_phase *p = &result->phases[i];

		/* an array by itself, and by one reader */
		if (kind == SB_PHASE_ARRAY && p->n_jobs != 1)
			continue;
		if (p->done && p->kind == kind && p->round == round && has_device(p, device))
			return p->dropped ? NULL : p;
	}
	return NULL;
}

static const struct sb_phase *phase_of(const struct compare *c, const struct sb_result *result,
				       unsigned round, int device)
{
	const struct sb_phase *phase = find_phase(result, c->kind, round, device);
	int node = result->devices[device].node;

	/* all at once is the same as alone for one device */
	if (!phase && result->n_devices == 1)
		phase = find_phase(result, SB_PHASE_ALONE, round, device);
	/* an array beside its members has phases of its own */
	if (!phase && node >= 0 && result->topo.nodes[node].kind == SB_NODE_MD)
		phase = find_phase(result, SB_PHASE_ARRAY, round, device);
	return phase;
}

static double rate_of(const struct compare *c, const struct sb_result *result, unsigned round,
		      int device)
{
	const struct sb_phase *phase = phase_of(c, result, round, device);
	double sum = 0;

	/* it may have several readers */
	for (size_t i = 0; phase && i < phase->n_jobs; i++)
		if (phase->jobs[i].device == device)
			sum += judge_has_rate(&phase->jobs[i]) ? phase->jobs[i].bytes_s : NAN;
	return sum > 0 ? sum : NAN;
}

double compare_rate(const struct compare *c, size_t result, const bool *member, unsigned round)
{
	double sum = NAN;

	for (size_t i = 0; i < c->n_entities; i++) {
		int device = c->entities[i].device_of[result];
		double rate;

		if (!member[i] || (device < 0 && c->apart))
			continue;
		rate = device < 0 ? NAN : rate_of(c, compare_result(c, result), round, device);
		if (isnan(rate))
			return NAN;
		sum = isnan(sum) ? rate : sum + rate;
	}
	return sum;
}

bool compare_has_rate(const struct compare *c, size_t result, size_t entity)
{
	const struct sb_result *r = compare_result(c, result);
	int device = c->entities[entity].device_of[result];

	for (unsigned round = 1; device >= 0 && round <= compare_rounds(r); round++)
		if (!isnan(rate_of(c, r, round, device)))
			return true;
	return false;
}

double compare_cpu(const struct compare *c, size_t result, unsigned round)
{
	const struct sb_result *r = compare_result(c, result);
	double cpu_s = 0, bytes = 0;

	for (size_t i = 0; i < r->n_phases; i++) {
		const struct sb_phase *p = &r->phases[i];

		if (!p->done || p->dropped || p->round != round ||
		    (p->kind != c->kind && !(p->kind == SB_PHASE_ALONE && r->n_devices == 1)))
			continue;
		cpu_s += p->cpu.busy_exact / 100 * (double)p->counters.n_cpus *
			 (double)p->counters.wall_ns / 1e9;
		for (size_t k = 0; k < p->n_jobs; k++)
			bytes += (double)p->jobs[k].bytes;
	}
	return cpu_s > 0 && bytes > 0 ? cpu_s / (bytes / GIB) : NAN;
}

/* Logs of the rounds of one side. */
struct sample {
	struct sb_stats rounds, sessions; /* the latter of the sessions' means */
	double within;			  /* squares about the sessions' means ... */
	size_t freedom;			  /* ... and how many of them are free */
};

static void add_session(struct sample *sample, const struct compare *c, const bool *member,
			size_t result)
{
	struct sb_stats s;

	sb_stats_start(&s);
	for (unsigned round = 1; round <= compare_rounds(compare_result(c, result)); round++) {
		double value = member ? compare_rate(c, result, member, round)
				      : compare_cpu(c, result, round);

		if (!isnan(value))
			sb_stats_add(&s, log(value));
	}
	if (!s.n)
		return;
	sb_stats_merge(&sample->rounds, &s);
	sb_stats_add(&sample->sessions, s.mean);
	sample->within += s.m2;
	sample->freedom += s.n - 1;
}

/* Rounds of several sessions are pooled, unless the sessions differ by more than their rounds do
 * (analysis of variance): then a session is one value, for its rounds repeat what is its own. */
static bool sessions_differ(const struct sample *s)
{
	double between = fmax(0, s->rounds.m2 - s->within), within;

	if (s->sessions.n < 2 || s->freedom == 0)
		return false;
	within = fmax(s->within / (double)s->freedom, SB_NOISE_FLOOR * SB_NOISE_FLOOR);
	return sb_f_above(between / (double)(s->sessions.n - 1) / within,
			  (double)(s->sessions.n - 1), (double)s->freedom) < ERROR_SESSIONS;
}

static struct sb_stats take_side(const struct compare *c, const bool *member, int side,
				 struct sb_shift_side *out)
{
	struct sample sample = {.within = 0};
	struct sb_stats s;

	sb_stats_start(&sample.rounds);
	sb_stats_start(&sample.sessions);
	for (size_t i = side ? c->wish->n_before : 0; i < (side ? c->wish->n : c->wish->n_before);
	     i++)
		add_session(&sample, c, member, i);
	out->by_session = sessions_differ(&sample);
	s = out->by_session ? sample.sessions : sample.rounds;
	out->n = s.n;
	out->value = s.n ? exp(s.mean) : NAN;
	out->sd = sb_stats_sd(&s);
	return s;
}

void compare_shift(const struct compare *c, const bool *member, struct sb_shift *shift)
{
	struct sb_stats before = take_side(c, member, 0, &shift->before);
	struct sb_stats after = take_side(c, member, 1, &shift->after);
	struct sb_welch w = sb_welch(&before, &after, SB_NOISE_FLOOR);

	shift->shift = expm1(w.difference);
	shift->low = expm1(w.low);
	shift->high = expm1(w.high);
	shift->p = w.p;
}
