#include "satabench/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "md_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/nullspec.h"

#define READS "satabench reads block devices and files, and loads directories"

/* What a name turned out to be. */
struct target {
	const char *name;
	struct stat st;
	int error; /* of stat */
	bool is_null;
	struct sb_nullspec null;
};

/* Who it is: two names of one thing have the same. */
struct key {
	enum { KEY_NAME, KEY_BLOCK, KEY_FILE, KEY_NULL } kind;
	uint64_t device, inode;
	char *name; /* owned */
};

struct targets {
	struct scan scan;
	struct sb_result *result;
	struct key *keys; /* by device of the result, from `first` on */
	size_t n_keys, first;
};

static int look_at(struct target *target, const char *name)
{
	char message[256];
	int rc;

	*target = (struct target){.name = name, .is_null = sb_is_nullspec(name)};
	if (!target->is_null) {
		target->error = stat(name, &target->st) == 0 ? 0 : errno;
		return 0;
	}
	rc = sb_nullspec_parse(name, &target->null, message, sizeof(message));
	if (rc != 0) {
		SB_AUTO_FREE char *escaped = sb_escape(name), *reason = sb_escape(message);

		sb_error("%s: %s", escaped, reason);
	}
	return rc;
}

static int make_key(struct key *key, const struct target *target)
{
	const char *name = target->is_null ? target->null.name : target->name;

	*key = (struct key){.kind = target->is_null ? KEY_NULL : KEY_NAME};
	if (!target->is_null && !target->error && S_ISBLK(target->st.st_mode)) {
		key->kind = KEY_BLOCK;
		key->device = target->st.st_rdev;
	} else if (!target->is_null && !target->error) {
		key->kind = KEY_FILE;
		key->device = target->st.st_dev;
		key->inode = target->st.st_ino;
	}
	key->name = strdup(name);
	return key->name ? 0 : -ENOMEM;
}

static bool is_same(const struct key *a, const struct key *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == KEY_NAME || a->kind == KEY_NULL)
		return strcmp(a->name, b->name) == 0;
	return a->device == b->device && a->inode == b->inode;
}

/* Index of the device that it is already, or -1. */
static int find_key(const struct targets *targets, const struct key *key)
{
	for (size_t i = 0; i < targets->n_keys; i++)
		if (is_same(&targets->keys[i], key))
			return (int)(targets->first + i);
	return -1;
}

/* Takes key->name over. */
static int keep_key(struct targets *targets, struct key *key)
{
	struct key *more = reallocarray(targets->keys, targets->n_keys + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	targets->keys = more;
	more[targets->n_keys++] = *key;
	key->name = NULL;
	return 0;
}

static void warn_double(const char *first, const char *second)
{
	SB_AUTO_FREE char *a = sb_escape(first), *b = sb_escape(second);

	if (!a || !b)
		return;
	if (strcmp(a, b) == 0)
		sb_warn("%s is given twice; it is measured once", a);
	else
		sb_warn("%s and %s are the same device; it is measured once", a, b);
}

static int fail_stat(struct sb_device *device, int error)
{
	struct stat st;

	if (!device->target[0])
		return probe_device_fail(device, "the name is empty: an unset variable?");
	if (error == EACCES)
		return probe_device_fail(device, "permission denied on the way to it: run as root");
	if (error == ENOENT && lstat(device->target, &st) == 0)
		return probe_device_fail(device, "is a link to something that does not exist");
	if (error == ENOENT)
		return probe_device_fail(device, "does not exist; `satabench` without targets "
						 "shows the disks there are");
	return probe_device_fail(device, "%s", strerror(error));
}

static int fill(struct targets *targets, struct sb_device *device, const struct target *target)
{
	struct scan *scan = &targets->scan;

	if (target->is_null)
		return probe_device_null(scan, device, &target->null);
	if (target->error)
		return fail_stat(device, target->error);
	if (sb_set_string(&device->path, target->name) != 0)
		return -ENOMEM;
	switch (target->st.st_mode & S_IFMT) {
	case S_IFBLK:
		return probe_device_block(scan, device, &target->st);
	case S_IFREG:
		return probe_device_file(scan, device, &target->st);
	case S_IFDIR:
		return probe_device_directory(scan, device, &target->st);
	case S_IFCHR:
		return probe_device_fail(device, "is a character device; " READS);
	case S_IFIFO:
		return probe_device_fail(device, "is a FIFO; " READS);
	case S_IFSOCK:
		return probe_device_fail(device, "is a socket; " READS);
	default:
		return probe_device_fail(device, "is of an unknown kind; " READS);
	}
}

static int add_target(struct targets *targets, const char *name, bool quietly)
{
	struct target target;
	struct sb_device *device;
	struct key key;
	int rc = look_at(&target, name), same;

	if (rc == 0)
		rc = make_key(&key, &target);
	if (rc != 0)
		return rc;
	same = find_key(targets, &key);
	if (same >= 0) {
		free(key.name);
		if (!quietly)
			warn_double(targets->result->devices[same].target, name);
		return 0;
	}
	rc = keep_key(targets, &key);
	free(key.name);
	device = rc == 0 ? sb_result_add_device(targets->result) : NULL;
	if (!device || sb_set_string(&device->target, name) != 0)
		return -ENOMEM;
	device->node = -1;
	return fill(targets, device, &target);
}

/* Folders that are made here when the run is prepared: so many targets with the same path. */
static int add_fresh(struct targets *targets, unsigned number)
{
	SB_AUTO_FREE char *name = sb_format("fresh-%u", number);
	struct key key = {.kind = KEY_NAME, .name = name ? strdup(name) : NULL};
	struct sb_device *device;
	struct stat st;
	int rc = key.name ? keep_key(targets, &key) : -ENOMEM;

	free(key.name);
	device = rc == 0 ? sb_result_add_device(targets->result) : NULL;
	if (!device || sb_set_string(&device->target, name) != 0 ||
	    sb_set_string(&device->path, ".") != 0)
		return -ENOMEM;
	if (stat(".", &st) != 0)
		return fail_stat(device, errno);
	return probe_device_directory(&targets->scan, device, &st);
}

/* Disks that were named as well are there already. */
static int add_all(struct targets *targets)
{
	char **paths = NULL;
	size_t n = 0;
	int rc = probe_all_paths(&targets->scan, &paths, &n);

	if (rc == 0 && n == 0) {
		sb_error("all: there is no disk here that can be read");
		rc = -ENODEV;
	}
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add_target(targets, paths[i], true);
	for (size_t i = 0; i < n; i++)
		free(paths[i]);
	free(paths);
	return rc;
}

static int add_targets(struct targets *targets, const struct sb_options *options)
{
	bool all = false;
	int rc = 0;

	for (size_t i = 0; i < options->n_targets; i++)
		all |= strcmp(options->targets[i], "all") == 0;
	if (all)
		rc = probe_all_blocks(&targets->scan);
	if (rc != 0 && rc != -ENOMEM)
		sb_error("all: the disks cannot be listed from sysfs: %s", strerror(-rc));
	for (size_t i = 0; i < options->n_targets && rc == 0; i++)
		if (strcmp(options->targets[i], "all") != 0)
			rc = add_target(targets, options->targets[i], false);
	for (unsigned i = 0; i < options->fresh && rc == 0; i++)
		rc = add_fresh(targets, i + 1);
	if (rc == 0)
		rc = probe_scan_finish(&targets->scan);
	return rc == 0 && all ? add_all(targets) : rc;
}

int sb_probe_targets(const struct sb_options *options, struct sb_result *result)
{
	struct targets targets = {.result = result, .first = result->n_devices};
	int rc = probe_scan_begin(&targets.scan, &result->topo);

	if (rc == 0)
		rc = add_targets(&targets, options);
	if (rc == 0)
		rc = probe_md(&targets.scan, result);
	for (size_t i = 0; i < targets.n_keys; i++)
		free(targets.keys[i].name);
	free(targets.keys);
	probe_scan_end(&targets.scan);
	if (rc == -ENOMEM)
		sb_error("out of memory");
	return rc;
}
