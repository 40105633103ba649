/* io_uring: vectored reads of a fixed file, `depth` in flight. The ring is created disabled and
 * restricted to READ and READV (and to letting go of its file) before it is enabled, so that no
 * other request can ever pass it. */
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "load_priv.h"

#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12) /* Linux 6.0 */
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13) /* Linux 6.1 */
#endif

/* Small requests are reaped in batches: a system call each would cost more than the read. */
#define BATCH_BLOCK_MAX 16384u
#define BATCH_DEPTH_MIN 32u

struct ring {
	struct io_uring ring;
	unsigned entries;
	int fd; /* the registered file */
};

static int make_ring(struct io_uring *ring, unsigned entries)
{
	static const unsigned flags[] = {
		IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_R_DISABLED, /* Linux 5.10 to 6.0 */
	};
	int rc = -EINVAL;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]) && rc == -EINVAL; i++) {
		struct io_uring_params params = {.flags = flags[i]};

		rc = io_uring_queue_init_params(entries, ring, &params);
	}
	return rc;
}

static int ring_register(struct io_uring *ring, unsigned op, void *arg, unsigned n)
{
	return syscall(SYS_io_uring_register, ring->ring_fd, op, arg, n) < 0 ? -errno : 0;
}

static int restrict_to_reads(struct io_uring *ring)
{
	struct io_uring_restriction allowed[] = {
		{.opcode = IORING_RESTRICTION_SQE_OP, .sqe_op = IORING_OP_READ},
		{.opcode = IORING_RESTRICTION_SQE_OP, .sqe_op = IORING_OP_READV},
		{.opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED, .sqe_flags = IOSQE_FIXED_FILE},
		{.opcode = IORING_RESTRICTION_REGISTER_OP, .register_op = IORING_UNREGISTER_FILES},
	};

	return ring_register(ring, IORING_REGISTER_RESTRICTIONS, allowed,
			     sizeof(allowed) / sizeof(allowed[0]));
}

/* A ring that reads `fd` and can do nothing else. */
static int ring_create(struct ring *r, unsigned entries, int fd)
{
	int rc = make_ring(&r->ring, entries);

	if (rc < 0)
		return rc;
	rc = ring_register(&r->ring, IORING_REGISTER_FILES, &fd, 1);
	if (rc == 0)
		rc = restrict_to_reads(&r->ring);
	if (rc == 0)
		rc = ring_register(&r->ring, IORING_REGISTER_ENABLE_RINGS, NULL, 0);
	if (rc < 0) {
		io_uring_queue_exit(&r->ring);
		return rc;
	}
	r->entries = entries;
	r->fd = fd;
	return 0;
}

static void close_uring(struct sb_worker *w)
{
	struct ring *r = w->engine_data;

	if (!r)
		return;
	/* The kernel takes a ring apart after the process has ended: a file that it still holds
	 * could not be unmounted then, nor its loop device be detached. */
	ring_register(&r->ring, IORING_UNREGISTER_FILES, NULL, 0);
	io_uring_queue_exit(&r->ring);
	free(r);
	w->engine_data = NULL;
}

static int open_uring(struct sb_worker *w)
{
	struct ring *r = w->engine_data;
	unsigned entries = (unsigned)w->job->depth;
	int rc;

	if (r && r->entries == entries && r->fd == w->fd)
		return 0;
	close_uring(w);
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	rc = ring_create(r, entries, w->fd);
	if (rc < 0)
		free(r);
	else
		w->engine_data = r;
	return rc;
}

static int probe(void)
{
	struct io_uring ring;
	int rc = make_ring(&ring, 1);

	if (rc < 0)
		return rc;
	rc = restrict_to_reads(&ring);
	io_uring_queue_exit(&ring);
	return rc;
}

static void prepare(struct sb_worker *w, struct io_uring *ring, size_t i)
{
	struct sb_slot *slot = &w->slots[i];
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	unsigned count;
	struct iovec *iov = sb_slot_vector(w, i, slot->length, &count);

	if (count == 1)
		io_uring_prep_read(sqe, 0, iov->iov_base, (unsigned)iov->iov_len,
				   slot->offset_bytes);
	else
		io_uring_prep_readv(sqe, 0, iov, count, slot->offset_bytes);
	sqe->flags |= IOSQE_FIXED_FILE;
	sqe->user_data = i;
}

/* Sends the slot's next request; false when there is none. */
static bool refill(struct sb_worker *w, struct io_uring *ring, size_t i, uint64_t now)
{
	struct sb_slot *slot = &w->slots[i];

	if (!sb_worker_next(w, &slot->offset_bytes, &slot->length))
		return false;
	slot->submit_ns = now;
	prepare(w, ring, i);
	return true;
}

/* One completion; true when the slot has a request again. */
static bool complete(struct sb_worker *w, struct io_uring *ring, size_t i, int res, uint64_t now,
		     bool *more)
{
	struct sb_slot *slot = &w->slots[i];

	if (res == -EINTR || res == -EAGAIN) {
		prepare(w, ring, i);
		return true;
	}
	if (res <= 0) {
		if (!sb_worker_failed(w, slot->offset_bytes, slot->length, -res, now))
			*more = false;
	} else {
		sb_worker_done(w, slot->offset_bytes, (uint64_t)res, slot->submit_ns, now);
		if ((uint64_t)res < slot->length) { /* the rest, or the error behind it */
			slot->offset_bytes += (uint64_t)res;
			slot->length -= (uint64_t)res;
			slot->submit_ns = now;
			prepare(w, ring, i);
			return true;
		}
	}
	return *more && (*more = refill(w, ring, i, now));
}

/* Keeps the ring full until there are no more requests, and all are back. */
static uint64_t run_until_empty(struct sb_worker *w, struct io_uring *ring, uint64_t now)
{
	unsigned depth = (unsigned)w->job->depth, in_flight = 0;
	unsigned batch =
		depth >= BATCH_DEPTH_MIN && w->job->block_bytes <= BATCH_BLOCK_MAX ? depth / 4 : 1;
	bool more = true;

	for (unsigned i = 0; i < depth && more; i++) {
		more = refill(w, ring, i, now);
		in_flight += more;
	}
	while (in_flight > 0) {
		struct io_uring_cqe *cqe;
		unsigned head, n = 0;
		int rc = io_uring_submit_and_wait(ring, batch < in_flight ? batch : in_flight);

		now = sb_now_ns();
		if (rc < 0 && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY) {
			/* the ring itself is broken: nothing more will come */
			sb_worker_failed(w, w->slots[0].offset_bytes, w->slots[0].length, -rc, now);
			w->outcome = SB_JOB_FAILED;
			break;
		}
		io_uring_for_each_cqe(ring, head, cqe)
		{
			n++;
			if (!complete(w, ring, cqe->user_data, cqe->res, now, &more))
				in_flight--;
		}
		io_uring_cq_advance(ring, n);
		if (w->newest.operations <= SB_YIELDS * depth)
			sched_yield();
	}
	return now;
}

static void run(struct sb_worker *w)
{
	struct io_uring *ring = &((struct ring *)w->engine_data)->ring;
	uint64_t now = sb_now_ns();

	do
		now = run_until_empty(w, ring, now);
	while (sb_worker_resume(w, &now));
	sb_worker_ended(w, now);
}

const struct sb_engine sb_engine_uring = {
	"io_uring",  "asynchronous reads through a ring restricted to reading",
	probe,	     open_uring,
	run,	     sb_read_once,
	close_uring,
};
