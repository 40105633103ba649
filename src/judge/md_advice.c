/* Settings that hold an array back: said only where it is surely below what its members let it
 * give, no CPU was full, and what was in flight is more than the setting has room for. */
#include <inttypes.h>
#include <math.h>

#include "md_findings.h"
#include "satabench/units.h"

#define PAGE_BYTES 4096 /* of a stripe in the cache, a member (drivers/md/raid5.h: STRIPE_SIZE) */

/* The reading that md, and not the CPU, holds back; NULL. */
static const struct sb_md_reading *held_back(const struct md_case *c)
{
	const struct sb_md_reading *r = judge_md_below(c->array);

	return r && r->md_loss > 0 ? r : NULL;
}

static const struct sb_phase *phase_of(const struct md_case *c, const struct sb_md_reading *r)
{
	for (size_t i = 0; i < c->result->n_phases; i++)
		if (judge_md_reads(&c->result->phases[i], c->array, r == &c->array->many))
			return &c->result->phases[i];
	return NULL;
}

/* Bytes that were asked for at any time, at most. */
static uint64_t in_flight(const struct md_case *c, const struct sb_md_reading *r)
{
	const struct sb_phase *phase = phase_of(c, r);
	uint64_t sum = 0;

	for (size_t i = 0; phase && i < phase->n_jobs; i++)
		sum += phase->jobs[i].depth * phase->jobs[i].block_bytes;
	return sum;
}

static void say_rates(FILE *f, const struct sb_md_reading *r)
{
	char rate[SB_UNIT_TEXT], low[SB_UNIT_TEXT];

	fprintf(f, " (%s of at least %s with %u reader%s)", sb_format_rate(rate, r->bytes_s),
		sb_format_rate(low, r->theory.low), r->streams, r->streams == 1 ? "" : "s");
}

void md_advise_chunk(FILE *f, const struct md_case *c)
{
	const struct sb_md_reading *r = held_back(c);
	uint64_t stripe = c->array->stripe_bytes, asked = r ? in_flight(c, r) : 0;
	char is[SB_UNIT_TEXT], needs[SB_UNIT_TEXT];

	if (!stripe || !asked || asked >= stripe)
		return;
	fprintf(f, "%s in flight are less than one stripe of %s, so some members rest",
		sb_format_block(is, asked), sb_format_block(needs, stripe));
	say_rates(f, r);
	fputs(": larger blocks, more of them at once, or a smaller chunk", f);
}

/* A whole raid4, 5 or 6 is read past the stripe cache; a degraded one through it. */
void md_advise_stripe_cache(FILE *f, const struct md_case *c)
{
	const struct sb_md_array *a = c->array;
	const struct sb_md_reading *r = held_back(c);
	uint64_t parity = sb_md_parity(a->kind), asked = r ? in_flight(c, r) : 0, row, pages = 256;
	char is[SB_UNIT_TEXT], needs[SB_UNIT_TEXT];

	if (!parity || !asked || a->stripe_cache == SB_NONE_U64 || a->degraded == SB_NONE_U64 ||
	    a->degraded == 0 || a->raid_disks == SB_NONE_U64 || a->raid_disks <= parity)
		return;
	row = (a->raid_disks - parity) * PAGE_BYTES;
	if (a->stripe_cache * row >= asked)
		return;
	while (pages < (UINT64_C(1) << 15) && pages * row < 2 * asked)
		pages *= 2;
	fprintf(f,
		"degraded, it is read through the stripe cache, which has room for %s of the %s in "
		"flight",
		sb_format_block(is, a->stripe_cache * row), sb_format_block(needs, asked));
	say_rates(f, r);
	fprintf(f, ": stripe_cache_size %" PRIu64 " instead of %" PRIu64 " takes %s of memory",
		pages, a->stripe_cache, sb_format_block(is, pages * PAGE_BYTES * a->raid_disks));
}

/* Only what goes through the page cache is read ahead. */
void md_advise_read_ahead(FILE *f, const struct md_case *c)
{
	const struct sb_md_array *a = c->array;
	const struct sb_md_reading *r = held_back(c);
	char is[SB_UNIT_TEXT], needs[SB_UNIT_TEXT];

	if (!r || !c->result->options.buffered || a->read_ahead_bytes == SB_NONE_U64 ||
	    !a->stripe_bytes || a->read_ahead_bytes >= 2 * a->stripe_bytes)
		return;
	fprintf(f,
		"through the page cache it is read ahead by %s, and two stripes, which keep all "
		"members busy, have %s",
		sb_format_block(is, a->read_ahead_bytes),
		sb_format_block(needs, 2 * a->stripe_bytes));
	say_rates(f, r);
	fputs(": blockdev --setra, or queue/read_ahead_kb", f);
}
