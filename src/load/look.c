/* Opening a device and looking at it: the only things done to it outside of a gate. In the worker's
 * own thread, since each of them can hang. */
#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "load_priv.h"
#include "satabench/cleanup.h"

#define PLACES 16u /* looked at for emptiness */
#define FILE_ALIGN 4096u
#define TWO_SEGMENTS ((size_t)2 * SB_SEGMENT_BYTES)
#define IDENTIFY_AT_ONCE 8u
#define IDENTIFY_WAIT_NS (5 * SB_NS_PER_SEC)

/* All ioctls that a device ever gets from us: questions without side effects. */
enum question { ASK_SIZE, ASK_SECTOR };
static const unsigned long questions[] = {[ASK_SIZE] = BLKGETSIZE64, [ASK_SECTOR] = BLKSSZGET};

static int ask(int fd, enum question question, void *answer)
{
	return ioctl(fd, questions[question], answer) != 0 ? -errno : 0;
}

/* Size and alignment of what was opened, which must be what probe saw. */
static int measure(struct sb_worker *w, struct sb_look *look)
{
	const struct sb_device *d = w->device;
	struct stat st;
	int sector = 512;

	if (fstat(w->fd, &st) != 0)
		return -errno;
	if (d->kind == SB_DEVICE_FILE) {
		struct statx sx = {0};

		if (!S_ISREG(st.st_mode))
			return -ESTALE;
		look->size_bytes = (uint64_t)st.st_size;
		look->sector_bytes = FILE_ALIGN;
#ifdef STATX_DIOALIGN
		if (statx(w->fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &sx) == 0 &&
		    (sx.stx_mask & STATX_DIOALIGN) && sx.stx_dio_offset_align)
			look->sector_bytes = sx.stx_dio_offset_align;
#endif
		(void)sx;
		return 0;
	}
	if (!S_ISBLK(st.st_mode) || major(st.st_rdev) != d->major || minor(st.st_rdev) != d->minor)
		return -ESTALE;
	if (ask(w->fd, ASK_SIZE, &look->size_bytes) != 0 || ask(w->fd, ASK_SECTOR, &sector) != 0)
		return -errno;
	look->sector_bytes = (uint32_t)sector;
	return 0;
}

static int open_device(struct sb_worker *w, struct sb_look *look, bool buffered)
{
	int fd = sb_open_readonly(AT_FDCWD, w->device->path, buffered ? 0 : O_DIRECT);

	/* Some file systems have no O_DIRECT; a block device always has. */
	if (fd == -EINVAL && !buffered && w->device->kind == SB_DEVICE_FILE) {
		look->direct_refused = true;
		fd = sb_open_readonly(AT_FDCWD, w->device->path, 0);
	}
	w->fd = fd;
	return fd < 0 ? fd : 0;
}

/* The first read wakes a sleeping disk; by RWF_NOWAIT it also shows whether ring reads can be
 * made without kernel workers (EAGAIN is a yes, EOPNOTSUPP a no). */
static int first_read(struct sb_worker *w, struct sb_look *look, size_t length)
{
	struct iovec iov = {w->one, length};
	uint64_t begin = sb_now_ns();

	if (preadv(w->fd, &iov, 1, 0) < 0)
		return -errno;
	look->wake_seconds = (double)(sb_now_ns() - begin) / 1e9;
	look->nowait = preadv2(w->fd, &iov, 1, 0, RWF_NOWAIT) >= 0 || errno == EAGAIN;
	return 0;
}

/* Does a vectored read whose segments all point at one buffer pass? T10 protection information
 * checks each segment and says EILSEQ, others say EIO or EINVAL. Two segments are enough to tell.
 */
static bool one_buffer_fails(struct sb_worker *w, uint64_t size)
{
	struct iovec iov[2] = {{w->one, SB_SEGMENT_BYTES}, {w->one, SB_SEGMENT_BYTES}};
	SB_AUTO_FREE void *own = NULL;

	if (size < TWO_SEGMENTS || preadv(w->fd, iov, 2, 0) >= 0)
		return false;
	if (posix_memalign(&own, SB_PAGE_BYTES, TWO_SEGMENTS) != 0)
		return false;
	return pread(w->fd, own, TWO_SEGMENTS, 0) >= 0;
}

static bool all_zero(const unsigned char *memory, size_t length)
{
	return length == 0 || (memory[0] == 0 && memcmp(memory, memory + 1, length - 1) == 0);
}

/* Flash and thin media answer reads of what was never written without reading anything. The first
 * and the last place are where file systems and RAID members have their superblocks. */
static bool looks_empty(struct sb_worker *w, uint64_t size, size_t least)
{
	uint64_t length = SB_SEGMENT_BYTES, step;

	if (length > size)
		length = least;
	step = (size - length) / (PLACES - 1) / w->align * w->align;
	for (unsigned i = 0; i < PLACES; i++) {
		bool at_end = i == 0 || i == PLACES - 1;
		uint64_t offset =
			i == PLACES - 1 ? (size - length) / w->align * w->align : i * step;
		ssize_t n = pread(w->fd, w->one, at_end ? length : least, (off_t)offset);

		if (n <= 0 || !all_zero(w->one, (size_t)n))
			return false;
	}
	return true;
}

/* libblkid holds half a megabyte a device: a few at a time. One that hangs must not keep the others
 * waiting for good; to them, what lies on their device stays unknown. */
static bool enter_identifying(struct sb_load *load)
{
	uint64_t deadline = sb_now_ns() + IDENTIFY_WAIT_NS;
	uint32_t n = atomic_load(&load->n_identifying);

	for (;;) {
		if (n >= IDENTIFY_AT_ONCE) {
			if (sb_futex_wait(&load->n_identifying, n, deadline) == -ETIMEDOUT)
				return false;
			n = atomic_load(&load->n_identifying);
		} else if (atomic_compare_exchange_weak(&load->n_identifying, &n, n + 1)) {
			return true;
		}
	}
}

static void leave_identifying(struct sb_load *load)
{
	atomic_fetch_sub(&load->n_identifying, 1);
	sb_futex_wake(&load->n_identifying, 1);
}

/* What lies on it, by libblkid, which reads with plain reads: on a descriptor of its own. */
static void look_at_contents(struct sb_worker *w, struct sb_look *look)
{
	SB_AUTO_FD int fd = sb_open_readonly(AT_FDCWD, w->device->path, 0);
	blkid_probe probe = fd < 0 ? NULL : blkid_new_probe();
	const char *value = NULL;

	if (!probe)
		return;
	if (blkid_probe_set_device(probe, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE);
		blkid_probe_enable_partitions(probe, 1);
		if (blkid_do_safeprobe(probe) == 0 &&
		    (blkid_probe_lookup_value(probe, "TYPE", &value, NULL) == 0 ||
		     blkid_probe_lookup_value(probe, "PTTYPE", &value, NULL) == 0))
			snprintf(look->contents, sizeof(look->contents), "%s", value);
	}
	blkid_free_probe(probe);
}

void sb_look(struct sb_worker *w, bool buffered)
{
	struct sb_look *look = w->look;
	size_t length;

	*look = (struct sb_look){.wake_seconds = NAN, .step = "open"};
	look->error = open_device(w, look, buffered);
	if (look->error)
		return;
	look->step = "look at";
	look->error = measure(w, look);
	if (look->error || look->size_bytes == 0)
		return;
	w->align = buffered || look->direct_refused ? 1 : look->sector_bytes;
	length = w->align > SB_PAGE_BYTES ? w->align : SB_PAGE_BYTES;
	if (length > look->size_bytes && w->device->kind == SB_DEVICE_BLOCK)
		length = look->size_bytes;
	look->step = "read";
	look->error = first_read(w, look, length);
	/* Looking further would leave pages in the cache that is to be measured. */
	if (look->error || buffered || look->direct_refused)
		return;
	look->one_refused = w->device->one_buffer && one_buffer_fails(w, look->size_bytes);
	look->empty = w->device->kind == SB_DEVICE_BLOCK && !w->device->rotational &&
		      looks_empty(w, look->size_bytes, length);
	if (w->device->kind == SB_DEVICE_BLOCK && !look->empty && !w->device->contents &&
	    enter_identifying(w->load)) {
		look_at_contents(w, look);
		leave_identifying(w->load);
	}
}

void sb_look_again(struct sb_worker *w, bool buffered)
{
	struct sb_look *look = w->look;

	*look = (struct sb_look){.wake_seconds = NAN, .step = "open"};
	look->error = open_device(w, look, buffered);
	if (look->error == 0)
		look->error = measure(w, look);
	w->align = buffered || look->direct_refused ? 1 : look->sector_bytes;
}

static void fail(struct sb_device *d, const struct sb_look *look)
{
	SB_AUTO_FREE char *message = NULL;

	if (look->error == 0)
		message = strdup("size 0: no medium, or nothing behind it");
	else if (look->error == -ESTALE)
		message = strdup("another device has taken its place; try again");
	else if (look->error == -ENOMEDIUM)
		message = strdup("no medium in the drive");
	else if (look->error == -EACCES)
		message = strdup("permission denied: run as root, or join the group `disk`");
	else if (look->error == -EPERM)
		message =
			sb_format("cannot %s it: refused by the system, even to root", look->step);
	else
		message = sb_format("cannot %s it: %s", look->step, strerror(-look->error));
	d->state = SB_DEVICE_FAILED;
	sb_set_string(&d->message, message);
}

/* Why not through the ring; NULL: through it. malloc'ed. */
static char *ring_refusal(const struct sb_worker *w, bool buffered)
{
	const struct sb_look *look = w->look;
	int rc = w->load->ring_error;

	if (look->direct_refused)
		return strdup("no O_DIRECT here: read through the page cache");
	if (buffered)
		return strdup("reads through the page cache, as dd's");
	if (rc == -ENOENT)
		return strdup("built without liburing");
	if (rc < 0)
		return sb_format("io_uring is refused (%s)", strerror(-rc));
	if (!look->nowait)
		return strdup("the device cannot do RWF_NOWAIT: ring reads would go to kernel "
			      "workers");
	return NULL;
}

static void choose_engine(struct sb_worker *w, const struct sb_options *options)
{
	struct sb_device *d = w->device;
	SB_AUTO_FREE char *refusal = ring_refusal(w, options->buffered);
	int rc = w->load->ring_error;

	if (!options->engine || strcmp(options->engine, "auto") == 0) {
		sb_set_string(&d->engine, refusal ? "preadv" : "io_uring");
		/* that was wished by --buffered is no news */
		sb_set_string(&d->engine_reason, options->buffered ? NULL : refusal);
		return;
	}
	sb_set_string(&d->engine, options->engine);
	if (strcmp(options->engine, "io_uring") == 0 && rc < 0) {
		SB_AUTO_FREE char *text = sb_format("io_uring is refused here (%s); use --engine "
						    "preadv",
						    strerror(-rc));

		d->state = SB_DEVICE_FAILED;
		sb_set_string(&d->message, text);
	}
}

static void choose_buffers(struct sb_worker *w, const struct sb_options *options)
{
	struct sb_device *d = w->device;
	const char *reason = d->own_reason;
	bool own = !d->one_buffer;

	if (w->look->one_refused) {
		own = true;
		reason = "a first read into one buffer failed, one into own memory did not";
	} else if (options->buffered || w->look->direct_refused) {
		/* dd copies into memory of its own, too: that is part of what is compared */
		own = true;
		reason = NULL;
	}
	if (options->buffers != SB_BUFFERS_AUTO) {
		own = options->buffers == SB_BUFFERS_OWN;
		reason = NULL;
	}
	if (reason != d->own_reason)
		sb_set_string(&d->own_reason, reason);
	sb_set_string(&d->buffers, own ? "own" : "one");
}

void sb_look_apply(struct sb_worker *w, const struct sb_options *options)
{
	struct sb_device *d = w->device;
	const struct sb_look *look = w->look;

	if (look->error || look->size_bytes == 0) {
		fail(d, look);
		return;
	}
	d->size_bytes = look->size_bytes;
	d->sector_bytes = look->sector_bytes;
	d->wake_seconds = look->wake_seconds;
	d->looks_empty = look->empty;
	if (look->contents[0])
		sb_set_string(&d->contents, look->contents);
	d->state = SB_DEVICE_READY;
	choose_engine(w, options);
	choose_buffers(w, options);
}
