/* The page cache under the tests that read: dropping a file's own pages needs no privilege, and
 * mincore tells whether it worked. */
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "suite_priv.h"

#define STEP_BYTES (UINT64_C(64) << 20) /* looked at at once */

void sb_cache_drop(int fd)
{
	/* dirty pages stay: whoever wrote them has synced them */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* Pages of one step that are in the cache; false: cannot be told. */
static bool count_pages(int fd, uint64_t offset, size_t length, size_t page, uint64_t *cached)
{
	unsigned char resident[STEP_BYTES / 4096];
	void *memory = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)offset);
	bool ok = memory != MAP_FAILED && mincore(memory, length, resident) == 0;

	for (size_t i = 0; ok && i < (length + page - 1) / page; i++)
		*cached += resident[i] & 1;
	if (memory != MAP_FAILED)
		munmap(memory, length);
	return ok;
}

double sb_cache_percent(int fd, uint64_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t cached = 0, pages = (bytes + page - 1) / page;

	for (uint64_t at = 0; at < bytes; at += STEP_BYTES) {
		size_t length = bytes - at < STEP_BYTES ? bytes - at : STEP_BYTES;

		if (page < 4096 || !count_pages(fd, at, length, page, &cached))
			return NAN;
	}
	return pages ? 100.0 * (double)cached / (double)pages : NAN;
}
