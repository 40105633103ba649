/* Memory of the workers. All of it is mapped and touched before a gate opens: a first touch costs
 * up to 10 us a page on a virtual machine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "load_priv.h"

#define HUGE_BYTES ((size_t)2 << 20)

static void *map_touched(size_t length)
{
	void *memory =
		mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	/* Pinning is per folio: with huge pages a read of 1 MiB pins one, not 256. */
	if (length >= HUGE_BYTES)
		madvise(memory, length, MADV_HUGEPAGE);
	memset(memory, 1, length);
	return memory;
}

/* One mapping aligned to huge pages holds every worker's segment. */
unsigned char *sb_pool_create(size_t n, size_t *length)
{
	size_t bytes = (n * SB_SEGMENT_BYTES + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1);
	unsigned char *memory, *aligned;
	size_t before;

	memory = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	aligned = (unsigned char *)(((uintptr_t)memory + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1));
	before = (size_t)(aligned - memory);
	if (before)
		munmap(memory, before);
	munmap(aligned + bytes, HUGE_BYTES - before);
	madvise(aligned, bytes, MADV_HUGEPAGE);
	memset(aligned, 1, n * SB_SEGMENT_BYTES);
	*length = bytes;
	return aligned;
}

void sb_pool_destroy(unsigned char *pool, size_t length)
{
	if (pool)
		munmap(pool, length);
}

/* Fills `iov` for `length` bytes: segments of the shared buffer, or one piece of own memory. */
static unsigned fill_vector(const struct sb_worker *w, struct iovec *iov, size_t slot,
			    uint64_t length)
{
	unsigned n = 0;

	if (!w->one_buffer) {
		iov[0] = (struct iovec){w->own + slot * w->job->block_bytes, length};
		return 1;
	}
	while (length > 0) {
		size_t part = length < SB_SEGMENT_BYTES ? length : SB_SEGMENT_BYTES;

		iov[n++] = (struct iovec){w->one, part};
		length -= part;
	}
	return n;
}

struct iovec *sb_slot_odd_vector(struct sb_worker *w, size_t slot, uint64_t length, unsigned *count)
{
	/* The end of a file need not be aligned, a direct read must be: it comes back short. */
	length = (length + w->align - 1) / w->align * w->align;
	*count = fill_vector(w, w->slots[slot].odd, slot, length);
	return w->slots[slot].odd;
}

/* Own memory for depth blocks; kept and grown from phase to phase. */
static int own_memory(struct sb_worker *w, size_t need)
{
	if (need <= w->own_bytes)
		return 0;
	if (w->own)
		munmap(w->own, w->own_bytes);
	w->own_bytes = 0;
	w->own = map_touched(need);
	if (!w->own)
		return -ENOMEM;
	w->own_bytes = need;
	return 0;
}

int sb_worker_memory(struct sb_worker *w)
{
	const struct sb_job *job = w->job;
	size_t depth = job->depth, full;

	w->one_buffer = strcmp(job->buffers, "one") == 0;
	w->n_vector =
		w->one_buffer
			? (unsigned)((job->block_bytes + SB_SEGMENT_BYTES - 1) / SB_SEGMENT_BYTES)
			: 1;
	/* A full block is the same for every slot where the buffer is. */
	full = w->one_buffer ? 1 : depth;
	free(w->vectors);
	free(w->slots);
	w->vectors = calloc(w->n_vector * (full + depth), sizeof(w->vectors[0]));
	w->slots = calloc(depth, sizeof(w->slots[0]));
	if (!w->vectors || !w->slots)
		return -ENOMEM;
	if (!w->one_buffer && own_memory(w, depth * job->block_bytes) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < full; i++)
		fill_vector(w, w->vectors + i * w->n_vector, i, job->block_bytes);
	for (size_t i = 0; i < depth; i++) {
		w->slots[i].full = w->vectors + (w->one_buffer ? 0 : i) * w->n_vector;
		w->slots[i].odd = w->vectors + (full + i) * w->n_vector;
	}
	return 0;
}

void sb_worker_memory_free(struct sb_worker *w)
{
	free(w->vectors);
	free(w->slots);
	if (w->own)
		munmap(w->own, w->own_bytes);
}
