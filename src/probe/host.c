#include "satabench/probe.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "config.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

#if SB_HAVE_CPUID
#include <libcpuid/libcpuid.h>
#endif

/* Names of the line with the CPU's name: x86, s390 and arm, power, loongarch. */
static const char *const brand_keys[] = {"model name", "cpu", "Model Name", "vendor_id"};

static bool brand_from_line(const char *line, const char *key, char *brand, size_t size)
{
	size_t n = strlen(key), length;
	const char *value;

	if (strncmp(line, key, n) != 0 || !strchr(" \t:", line[n]))
		return false;
	value = line + n + strspn(line + n, " \t");
	if (*value != ':')
		return false;
	value += 1 + strspn(value + 1, " \t");
	length = strcspn(value, "\n");
	if (length == 0 || length >= size)
		return false;
	memcpy(brand, value, length);
	brand[length] = '\0';
	return true;
}

/* Only the beginning: the kernel makes the text as it is read, which takes long with many CPUs. */
static bool brand_from_cpuinfo(char *brand, size_t size)
{
	SB_AUTO_FD int fd = sb_open_readonly(AT_FDCWD, "/proc/cpuinfo", 0);
	char text[4096];
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	for (size_t k = 0; k < SB_COUNT(brand_keys); k++)
		for (const char *line = text; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (brand_from_line(line, brand_keys[k], brand, size))
				return true;
		}
	return false;
}

#if SB_HAVE_CPUID
/* A millisecond in a virtual machine, where each CPUID instruction traps; hence second choice. */
static bool brand_from_cpuid(char *brand, size_t size)
{
	struct cpu_raw_data_t raw;
	struct cpu_id_t id;

	if (cpuid_get_raw_data(&raw) != 0 || cpu_identify(&raw, &id) != 0 || !id.brand_str[0])
		return false;
	snprintf(brand, size, "%s", id.brand_str);
	return true;
}
#else
static bool brand_from_cpuid(char *brand, size_t size)
{
	(void)brand;
	(void)size;
	return false;
}
#endif

void sb_probe_host(struct sb_host *host)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	struct utsname name;
	char brand[256];

	host->cpus_online = cpus > 0 ? (uint64_t)cpus : SB_NONE_U64;
	host->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : SB_NONE_U64;
	if (uname(&name) == 0) {
		SB_AUTO_FREE char *kernel =
			sb_format("%s %s %s", name.sysname, name.release, name.machine);

		sb_set_string(&host->name, name.nodename);
		sb_set_string(&host->kernel, kernel);
	}
	if (brand_from_cpuinfo(brand, sizeof(brand)) || brand_from_cpuid(brand, sizeof(brand)))
		sb_set_string(&host->cpu_brand, brand);
}
