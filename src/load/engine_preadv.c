/* One synchronous vectored read at a time. For devices whose ring reads would be handed to kernel
 * workers, for reading through the page cache, and where io_uring is refused. */
#include <errno.h>
#include <unistd.h>

#include "load_priv.h"

static int probe(void)
{
	return 0;
}

static int open_preadv(struct sb_worker *w)
{
	(void)w;
	return 0;
}

/* One piece goes by pread: copying the vector in costs as much as a tenth of a 4 KiB read. */
static ssize_t read_vector(int fd, const struct iovec *iov, unsigned count, uint64_t offset)
{
	if (count == 1)
		return pread(fd, iov->iov_base, iov->iov_len, (off_t)offset);
	return preadv(fd, iov, (int)count, (off_t)offset);
}

int sb_read_once(struct sb_worker *w, uint64_t offset_bytes, uint64_t length, uint64_t *now_ns)
{
	int error = 0;

	while (length > 0 && !error) {
		unsigned count;
		struct iovec *iov = sb_slot_odd_vector(w, 0, length, &count);
		ssize_t n = read_vector(w->fd, iov, count, offset_bytes);

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			error = n < 0 ? errno : EIO; /* within the known length */
		else
			length -= (uint64_t)n < length ? (uint64_t)n : length;
		offset_bytes += n > 0 ? (uint64_t)n : 0;
	}
	*now_ns = sb_now_ns();
	return error;
}

static void run(struct sb_worker *w)
{
	uint64_t offset, length, before = sb_now_ns(), now = before;

	while (sb_worker_next(w, &offset, &length)) {
		while (length > 0) {
			unsigned count;
			struct iovec *iov = sb_slot_vector(w, 0, length, &count);
			ssize_t n = read_vector(w->fd, iov, count, offset);

			now = sb_now_ns();
			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0) {
				if (!sb_worker_failed(w, offset, length, n < 0 ? errno : 0, now) &&
				    !sb_worker_resume(w, &now))
					goto out;
				before = now;
				break;
			}
			/* the end of one read is the begin of the next: one look at the clock each
			 */
			sb_worker_done(w, offset, (uint64_t)n, before, now);
			before = now;
			if (w->newest.operations <= SB_YIELDS)
				sched_yield();
			offset += (uint64_t)n;
			length -= (uint64_t)n < length ? (uint64_t)n : length;
		}
	}
out:
	sb_worker_ended(w, now);
}

static void close_preadv(struct sb_worker *w)
{
	(void)w;
}

const struct sb_engine sb_engine_preadv = {
	"preadv",     "one synchronous read at a time", probe, open_preadv, run, sb_read_once,
	close_preadv,
};
