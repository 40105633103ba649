/* Whether CPUs were slowed by heat: x86 counts it by core and by package. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/sample.h"
#include "satabench/units.h"

static const char *const counts[] = {"core_throttle_count", "package_throttle_count"};

static void add(const char *folder, unsigned cpu, uint64_t *sum)
{
	for (size_t i = 0; i < SB_COUNT(counts); i++) {
		char path[512];
		uint64_t value;

		snprintf(path, sizeof(path), "%s/cpu%u/thermal_throttle/%s", folder, cpu,
			 counts[i]);
		if (sb_read_u64(AT_FDCWD, path, &value) == 0)
			*sum = (*sum == SB_NONE_U64 ? 0 : *sum) + value;
	}
}

uint64_t sb_throttle_read(const char *folder)
{
	int fd = sb_open_readonly(AT_FDCWD, folder, O_DIRECTORY);
	SB_AUTO_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	uint64_t sum = SB_NONE_U64;
	struct dirent *entry;

	if (fd >= 0 && !dir)
		close(fd);
	while (dir && (entry = readdir(dir)) != NULL) {
		unsigned cpu;
		int end = 0;

		if (sscanf(entry->d_name, "cpu%u%n", &cpu, &end) == 1 && !entry->d_name[end])
			add(folder, cpu, &sum);
	}
	return sum;
}
