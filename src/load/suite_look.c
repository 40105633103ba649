/* Looking at a directory: who may work there, how much room it has, and the folder of our own in
 * it. In the worker's own thread: any of it can hang on a network file system. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "suite_priv.h"

/* This thread only, and what it starts: the C library's calls would change all threads, those that
 * read devices included. */
static int become(uint64_t uid, uint64_t gid)
{
	gid_t group = (gid_t)gid;

	if (gid != getegid() && (syscall(SYS_setgroups, (size_t)1, &group) != 0 ||
				 syscall(SYS_setresgid, group, group, group) != 0))
		return -errno;
	if (uid != geteuid() && syscall(SYS_setresuid, (uid_t)uid, (uid_t)uid, (uid_t)uid) != 0)
		return -errno;
	return 0;
}

static int measure_room(int fd, struct sb_look *look)
{
	struct statvfs fs;

	if (fstatvfs(fd, &fs) != 0)
		return -errno;
	look->free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	/* btrfs and others have no limit, and say 0 */
	look->free_files = fs.f_files ? fs.f_favail : SB_NONE_U64;
	return 0;
}

/* A file that O_DIRECT is tried with. */
static int try_direct(struct sb_tester *t)
{
	int fd = sb_scratch_create(t->scratch.fd, "direct", O_DIRECT), rc = fd < 0 ? fd : 0;

	if (fd >= 0)
		close(fd);
	/* some say so only after the file is there */
	sb_scratch_unlink(t->scratch.fd, "direct");
	return rc;
}

static int enter(struct sb_worker *w, struct sb_look *look)
{
	const struct sb_device *d = w->device;
	struct stat st;
	int fd, rc;

	look->step = "become the user in";
	rc = become(w->load->options->uid, w->load->options->gid);
	if (rc < 0)
		return rc;
	look->step = "open";
	fd = sb_open_readonly(AT_FDCWD, d->path, O_DIRECTORY);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) != 0 || major(st.st_dev) != d->major || minor(st.st_dev) != d->minor) {
		close(fd);
		return -ESTALE;
	}
	look->step = "look at";
	rc = measure_room(fd, look);
	if (rc < 0) {
		close(fd);
		return rc;
	}
	look->step = "make a folder in";
	return sb_scratch_make(&w->tester->scratch, fd);
}

void sb_tester_look(struct sb_worker *w)
{
	struct sb_look *look = w->look;

	*look = (struct sb_look){
		.wake_seconds = NAN, .free_bytes = SB_NONE_U64, .free_files = SB_NONE_U64};
	look->error = enter(w, look);
	if (look->error == 0 && w->load->options->direct) {
		look->step = "open files past the page cache in";
		look->error = try_direct(w->tester);
		w->tester->direct_flag = O_DIRECT;
	}
}

void sb_tester_look_apply(struct sb_worker *w)
{
	struct sb_device *d = w->device;
	const struct sb_look *look = w->look;
	SB_AUTO_FREE char *message = NULL;

	d->free_bytes = look->free_bytes;
	d->free_files = look->free_files;
	if (look->error == 0) {
		d->state = SB_DEVICE_READY;
		sb_set_string(&d->engine, "suite");
		sb_set_string(&d->buffers, "own");
		return;
	}
	d->state = SB_DEVICE_FAILED;
	if (look->error == -ESTALE)
		message = strdup("another file system has taken its place; try again");
	else if (look->error == -EINVAL && w->load->options->direct)
		message = strdup("its file system has no O_DIRECT: leave --direct out");
	else if (look->error == -EACCES && w->load->options->user)
		message = sb_format("cannot %s it: permission denied to the user of --user",
				    look->step);
	else
		message = sb_format("cannot %s it: %s", look->step, strerror(-look->error));
	sb_set_string(&d->message, message);
}
