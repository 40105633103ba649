#include "satabench/surface.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/verdict.h"

/* Places begin at whole physical sectors, and at whole pages. */
#define PLACE_ALIGN 4096u
/* Completions come in bursts: a rate needs some of them. */
#define BUCKET_LEAST (16ULL << 20)

static const char *const kinds[SB_SURFACE_KINDS] = {
	[SB_SURFACE_UNREADABLE] = "unreadable",
	[SB_SURFACE_UNCLEAR] = "unclear",
	[SB_SURFACE_SKIPPED] = "skipped",
	[SB_SURFACE_RECOVERED] = "recovered",
};

const char *sb_surface_kind_name(int kind)
{
	return kind >= 0 && kind < SB_SURFACE_KINDS ? kinds[kind] : NULL;
}

int sb_surface_kind_parse(const char *name)
{
	for (int i = 0; i < SB_SURFACE_KINDS; i++)
		if (strcmp(kinds[i], name) == 0)
			return i;
	return -1;
}

int sb_surface_room(struct sb_surface *s, size_t n_buckets)
{
	s->buckets = calloc(n_buckets ? n_buckets : 1, sizeof(s->buckets[0]));
	s->ranges = calloc(SB_SURFACE_RANGES, sizeof(s->ranges[0]));
	s->slowest = calloc(SB_SURFACE_SLOWEST, sizeof(s->slowest[0]));
	return s->buckets && s->ranges && s->slowest ? 0 : -ENOMEM;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static void make_places(struct sb_surface *s, uint64_t places)
{
	uint64_t most = s->span_bytes / PLACE_ALIGN;

	s->places = places < most ? places : most;
	if (s->places < 2) {
		s->places = 1;
		s->run_bytes = s->span_bytes;
		return;
	}
	s->run_bytes = s->span_bytes / s->places / PLACE_ALIGN * PLACE_ALIGN;
	if (s->run_bytes > SB_SURFACE_RUN_BYTES)
		s->run_bytes = SB_SURFACE_RUN_BYTES;
}

int sb_surface_init(struct sb_surface *s, uint64_t offset_bytes, uint64_t span_bytes,
		    uint64_t places, uint32_t sector_bytes)
{
	size_t most = SB_SURFACE_BUCKETS;
	int device = s->device;

	*s = (struct sb_surface){.device = device,
				 .offset_bytes = offset_bytes,
				 .span_bytes = span_bytes,
				 .sector_bytes = sector_bytes ? sector_bytes : 512,
				 .bytes_s = NAN,
				 .start_bytes_s = NAN,
				 .end_bytes_s = NAN,
				 .slow_ns = NAN,
				 .flat_percent = NAN,
				 .flat_bytes_s = NAN};
	make_places(s, places);
	if (s->places > 1)
		most = s->places < SB_SURFACE_BUCKETS_MAX ? s->places : SB_SURFACE_BUCKETS_MAX;
	s->bucket_bytes = span_bytes ? (span_bytes + most - 1) / most : 1;
	if (s->places == 1) /* so that no block of 1 MiB lies in two of them */
		s->bucket_bytes = round_up(s->bucket_bytes, 1 << 20);
	if (s->places == 1 && s->bucket_bytes < BUCKET_LEAST)
		s->bucket_bytes = BUCKET_LEAST;
	s->n_buckets = (size_t)((span_bytes + s->bucket_bytes - 1) / s->bucket_bytes);
	if (sb_surface_room(s, s->n_buckets) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_buckets; i++)
		s->buckets[i] = (struct sb_surface_bucket){
			.offset_bytes = offset_bytes + i * s->bucket_bytes, .bytes_s = NAN};
	return 0;
}

/* Word by word: the worker may be storing one of them. */
static void copy_words(void *to, const void *from, size_t bytes)
{
	uint64_t *out = to;
	const uint64_t *in = from;

	for (size_t i = 0; i < bytes / sizeof(*out); i++)
		out[i] = __atomic_load_n(&in[i], __ATOMIC_RELAXED);
}

int sb_surface_copy(struct sb_surface *to, const struct sb_surface *from)
{
	_Static_assert(sizeof(struct sb_surface) % 8 == 0 &&
			       sizeof(struct sb_surface_range) % 8 == 0,
		       "whole words");
	size_t n_kept = __atomic_load_n(&from->n_kept, __ATOMIC_ACQUIRE);
	size_t n_slowest = __atomic_load_n(&from->n_slowest, __ATOMIC_ACQUIRE);

	copy_words(to, from, sizeof(*to));
	to->n_kept = n_kept;
	to->n_slowest = n_slowest;
	if (sb_surface_room(to, from->n_buckets) < 0)
		return -ENOMEM;
	copy_words(to->buckets, from->buckets, from->n_buckets * sizeof(to->buckets[0]));
	copy_words(to->ranges, from->ranges, n_kept * sizeof(to->ranges[0]));
	copy_words(to->slowest, from->slowest, n_slowest * sizeof(to->slowest[0]));
	return 0;
}

void sb_surface_free(struct sb_surface *s)
{
	free(s->buckets);
	free(s->ranges);
	free(s->slowest);
	s->buckets = NULL;
	s->ranges = NULL;
	s->slowest = NULL;
}

uint64_t sb_surface_total(const struct sb_surface *s)
{
	return s->places * s->run_bytes;
}

bool sb_surface_is_whole(const struct sb_surface *s)
{
	return s->places == 1;
}

/* The first place is at the start, the last one at the end. */
static uint64_t place_offset(const struct sb_surface *s, uint64_t place)
{
	uint64_t room = s->span_bytes - s->run_bytes, at;

	if (s->places < 2)
		return s->offset_bytes;
	at = (uint64_t)((unsigned __int128)room * place / (s->places - 1));
	return s->offset_bytes + at / PLACE_ALIGN * PLACE_ALIGN;
}

uint64_t sb_surface_offset(const struct sb_surface *s, uint64_t position)
{
	if (s->places < 2)
		return s->offset_bytes + position;
	return place_offset(s, position / s->run_bytes) + position % s->run_bytes;
}

uint64_t sb_surface_position(const struct sb_surface *s, uint64_t offset_bytes)
{
	uint64_t at = offset_bytes - s->offset_bytes, place;

	if (s->places < 2)
		return at;
	place = (uint64_t)((unsigned __int128)at * (s->places - 1) /
			   (s->span_bytes - s->run_bytes));
	if (place >= s->places)
		place = s->places - 1;
	/* places are rounded down, and a run ends behind where it begins */
	while (place + 1 < s->places && place_offset(s, place + 1) <= offset_bytes)
		place++;
	while (place > 0 && place_offset(s, place) > offset_bytes)
		place--;
	at = offset_bytes - place_offset(s, place);
	return place * s->run_bytes + (at < s->run_bytes ? at : s->run_bytes);
}

static void plus(uint64_t *word, uint64_t more)
{
	sb_surface_put(word, *word + more);
}

void sb_surface_add_read(struct sb_surface *s, uint64_t offset_bytes, uint64_t bytes,
			 uint64_t timed_bytes, uint64_t ns)
{
	size_t i = (size_t)((offset_bytes - s->offset_bytes) / s->bucket_bytes);
	struct sb_surface_bucket *bucket = &s->buckets[i < s->n_buckets ? i : s->n_buckets - 1];

	plus(&bucket->bytes, bytes);
	plus(&bucket->timed_bytes, timed_bytes);
	plus(&bucket->ns, ns);
	plus(&s->read_bytes, bytes);
}

/* A session that goes on where a disk hung reads a few blocks once more. */
static bool is_known(const struct sb_surface *s, int kind, uint64_t offset, uint64_t length)
{
	for (size_t i = 0; i < s->n_kept; i++) {
		const struct sb_surface_range *r = &s->ranges[i];

		if (r->kind == kind && offset >= r->offset_bytes &&
		    offset + length <= r->offset_bytes + r->length_bytes)
			return true;
	}
	return false;
}

void sb_surface_add_range(struct sb_surface *s, int kind, uint64_t offset_bytes,
			  uint64_t length_bytes, int error)
{
	struct sb_surface_range *last = s->n_kept ? &s->ranges[s->n_kept - 1] : NULL;

	if (length_bytes == 0 || is_known(s, kind, offset_bytes, length_bytes))
		return;
	plus(&s->range_bytes[kind], length_bytes);
	if (last && last->kind == kind && last->error == error &&
	    last->offset_bytes + last->length_bytes == offset_bytes) {
		plus(&last->length_bytes, length_bytes);
		return;
	}
	plus(&s->n_ranges, 1);
	if (s->n_kept == SB_SURFACE_RANGES)
		return;
	s->ranges[s->n_kept] = (struct sb_surface_range){offset_bytes, length_bytes, kind, error};
	__atomic_store_n(&s->n_kept, s->n_kept + 1, __ATOMIC_RELEASE);
}

void sb_surface_add_slow(struct sb_surface *s, uint64_t offset_bytes, uint64_t latency_ns)
{
	struct sb_surface_slow *least = s->slowest;

	if (s->n_slowest < SB_SURFACE_SLOWEST) {
		s->slowest[s->n_slowest] = (struct sb_surface_slow){offset_bytes, latency_ns};
		__atomic_store_n(&s->n_slowest, s->n_slowest + 1, __ATOMIC_RELEASE);
		return;
	}
	for (size_t i = 1; i < SB_SURFACE_SLOWEST; i++)
		if (s->slowest[i].latency_ns < least->latency_ns)
			least = &s->slowest[i];
	if (latency_ns <= least->latency_ns)
		return;
	sb_surface_put(&least->offset_bytes, offset_bytes);
	sb_surface_put(&least->latency_ns, latency_ns);
}

static int slower_first(const void *a, const void *b)
{
	const struct sb_surface_slow *x = a, *y = b;

	if (x->latency_ns != y->latency_ns)
		return x->latency_ns < y->latency_ns ? 1 : -1;
	return (x->offset_bytes > y->offset_bytes) - (x->offset_bytes < y->offset_bytes);
}

void sb_surface_sort_slowest(struct sb_surface *s)
{
	qsort(s->slowest, s->n_slowest, sizeof(s->slowest[0]), slower_first);
}
