#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "load_priv.h"

int sb_futex_wait(_Atomic uint32_t *word, uint32_t value, uint64_t deadline_ns)
{
	struct timespec t = {.tv_sec = (time_t)(deadline_ns / SB_NS_PER_SEC),
			     .tv_nsec = (long)(deadline_ns % SB_NS_PER_SEC)};

	/* WAIT_BITSET takes an absolute CLOCK_MONOTONIC time */
	if (syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
		    deadline_ns ? &t : NULL, NULL, FUTEX_BITSET_MATCH_ANY) != 0 &&
	    errno == ETIMEDOUT)
		return -ETIMEDOUT;
	return 0;
}

void sb_futex_wake(_Atomic uint32_t *word, int n)
{
	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, NULL, NULL, 0);
}
