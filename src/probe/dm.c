/* A device-mapper table, as the kernel has it (root only), to see whether one of its targets looks
 * at the data. */
#include "probe_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"

#define TABLE_BYTES_FIRST 16384
#define TABLE_BYTES_MOST (4u << 20)

static const char *const passing[] = {"linear", "striped", "multipath", "raid", "crypt"};

bool probe_dm_target_allowed(const char *type, const char *parameters)
{
	bool passes = false;

	for (size_t i = 0; i < SB_COUNT(passing); i++)
		passes |= strcmp(type, passing[i]) == 0;
	/* crypt's optional argument "integrity:BYTES:TYPE" makes it authenticate what it reads */
	if (strcmp(type, "crypt") == 0 && strstr(parameters, " integrity:"))
		return false;
	return passes;
}

/* The table into a buffer of the caller's; NULL + errno. The version asked for is the oldest that
 * has what is used, so that the kernel takes it. */
static struct dm_ioctl *read_table(int control, unsigned major, unsigned minor, uint32_t bytes)
{
	struct dm_ioctl *table = calloc(1, bytes);

	if (!table)
		return NULL;
	table->version[0] = 4;
	table->data_size = bytes;
	table->data_start = sizeof(*table);
	table->flags = DM_STATUS_TABLE_FLAG | DM_NOFLUSH_FLAG;
	table->dev = makedev(major, minor);
	if (ioctl(control, DM_TABLE_STATUS, table) != 0) {
		int error = errno;

		free(table);
		errno = error;
		return NULL;
	}
	return table;
}

static struct dm_ioctl *read_whole_table(unsigned major, unsigned minor)
{
	SB_AUTO_FD int control = sb_open_readonly(AT_FDCWD, "/dev/mapper/control", 0);
	struct dm_ioctl *table = NULL;

	if (control < 0) {
		errno = -control;
		return NULL;
	}
	for (uint32_t bytes = TABLE_BYTES_FIRST; bytes <= TABLE_BYTES_MOST; bytes *= 4) {
		table = read_table(control, major, minor, bytes);
		if (!table || !(table->flags & DM_BUFFER_FULL_FLAG))
			return table;
		free(table);
	}
	errno = EFBIG;
	return NULL;
}

/* Of the reply: targets one behind the other, each a dm_target_spec and its parameters; `next`
 * counts from the beginning of the data. */
static bool check_table(const struct dm_ioctl *table, const char *name, char *reason, size_t size)
{
	const char *data = (const char *)table + table->data_start;
	size_t room = table->data_size - table->data_start, at = 0;

	for (uint32_t i = 0; i < table->target_count; i++) {
		struct dm_target_spec spec;

		if (at > room || room - at <= sizeof(spec))
			break;
		memcpy(&spec, data + at, sizeof(spec));
		spec.target_type[sizeof(spec.target_type) - 1] = '\0';
		if (!memchr(data + at + sizeof(spec), '\0', room - at - sizeof(spec)))
			break;
		if (!probe_dm_target_allowed(spec.target_type, data + at + sizeof(spec))) {
			snprintf(reason, size, "%s has a dm-%s target, which may look at the data",
				 name, spec.target_type);
			return false;
		}
		at = spec.next;
	}
	return true;
}

bool probe_dm_one_buffer(unsigned major, unsigned minor, const char *name, char *reason,
			 size_t size)
{
	SB_AUTO_FREE struct dm_ioctl *table = read_whole_table(major, minor);

	if (!table) {
		snprintf(reason, size, "the device-mapper table of %s cannot be read: %s", name,
			 strerror(errno));
		return false;
	}
	if (table->data_start > table->data_size || table->target_count == 0) {
		snprintf(reason, size, "%s has no device-mapper table", name);
		return false;
	}
	return check_table(table, name, reason, size);
}
