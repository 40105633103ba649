#include <errno.h>
#include <unistd.h>

#include "satabench/sample.h"

/* Documentation/block/stat.rst: eleven columns since 2.6, more since 4.18 and 5.5. A partition of
 * before 2.6.25 had four of other meaning. Its sectors are always of 512 bytes. */
#define COLUMNS 11
#define SECTOR_BYTES 512ULL

enum {
	READ_OPERATIONS = 0,
	READ_SECTORS = 2,
	WRITE_OPERATIONS = 4,
	WRITE_SECTORS = 6,
	BUSY_MS = 9
};

static const char *parse_column(const char *at, uint64_t *value)
{
	uint64_t v = 0;

	while (*at == ' ' || *at == '\t')
		at++;
	if (*at < '0' || *at > '9')
		return NULL;
	for (; *at >= '0' && *at <= '9'; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return NULL;
		v = v * 10 + digit;
	}
	*value = v;
	return at;
}

int sb_disk_read(int fd, struct sb_disk_reading *reading)
{
	char text[512];
	uint64_t column[COLUMNS];
	const char *at = text;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	for (int i = 0; i < COLUMNS; i++) {
		at = parse_column(at, &column[i]);
		if (!at)
			return -ENODATA;
	}
	if (column[READ_SECTORS] > UINT64_MAX / SECTOR_BYTES ||
	    column[WRITE_SECTORS] > UINT64_MAX / SECTOR_BYTES)
		return -ENODATA;
	reading->read_operations = column[READ_OPERATIONS];
	reading->read_bytes = column[READ_SECTORS] * SECTOR_BYTES;
	reading->write_operations = column[WRITE_OPERATIONS];
	reading->write_bytes = column[WRITE_SECTORS] * SECTOR_BYTES;
	reading->busy_ms = column[BUSY_MS];
	return 0;
}
