/* meas - runs one command and accounts for it from outside; one line of JSON on stdout.
 *
 *   meas [-o FILE] [-d DEVICE]... -- COMMAND [ARGUMENT...]
 *
 * -o FILE    the command's stdout and stderr
 * -d DEVICE  its read counter in /sys/class/block counts
 *
 * wall_s     start to the end of the command
 * user_s, system_s   of the command and all its descendants, also of those that it does not wait
 *            for: this process is their subreaper and waits until the last has gone
 * kernel_s   of all kernel threads (loop's workers, kblockd): what the kernel spends on the
 *            command's behalf. Threads that end before the second reading are lost.
 * bytes      read from the devices, by their own counters
 * peak_kib   the largest single process */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_DEVICES 1024
#define MAX_KERNEL_THREADS 8192
#define PF_KTHREAD 0x200000u /* include/linux/sched.h */

struct kernel_thread {
	int pid;
	uint64_t run_ns;
};

struct scan {
	int n;
	struct kernel_thread thread[MAX_KERNEL_THREADS];
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return -1;
	length = read(fd, buf, size - 1);
	close(fd);
	if (length <= 0)
		return -1;
	buf[length] = '\0';
	return 0;
}

/* Field 3 of stat: sectors of 512 bytes read. */
static uint64_t bytes_read(const char *device)
{
	const char *slash = strrchr(device, '/');
	unsigned long long sectors = 0;
	char path[256], text[512];

	snprintf(path, sizeof(path), "/sys/class/block/%.200s/stat", slash ? slash + 1 : device);
	if (read_file(path, text, sizeof(text)) == 0)
		sscanf(text, "%*u %*u %llu", &sectors);
	return sectors * 512;
}

static int is_kernel_thread(int pid)
{
	char path[64], text[1024];
	const char *after_name;
	unsigned flags = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_file(path, text, sizeof(text)) < 0)
		return 0;
	after_name = strrchr(text, ')');
	return after_name && sscanf(after_name + 2, "%*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
	       (flags & PF_KTHREAD);
}

static void scan_kernel_threads(struct scan *scan)
{
	char path[64], text[128];
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	scan->n = 0;
	while (proc && (entry = readdir(proc)) && scan->n < MAX_KERNEL_THREADS) {
		int pid = atoi(entry->d_name);

		if (pid <= 0 || !is_kernel_thread(pid))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
		if (read_file(path, text, sizeof(text)) < 0)
			continue;
		scan->thread[scan->n].pid = pid;
		scan->thread[scan->n++].run_ns = strtoull(text, NULL, 10);
	}
	if (proc)
		closedir(proc);
}

static double kernel_seconds(const struct scan *before, const struct scan *after)
{
	double sum_ns = 0;
	int i, j;

	for (i = 0; i < after->n; i++) {
		uint64_t start_ns = 0;

		for (j = 0; j < before->n; j++)
			if (before->thread[j].pid == after->thread[i].pid)
				start_ns = before->thread[j].run_ns;
		sum_ns += (double)(after->thread[i].run_ns - start_ns);
	}
	return sum_ns / 1e9;
}

static pid_t start(const char *output, char **argv)
{
	pid_t pid = fork();
	int fd;

	if (pid != 0)
		return pid;
	if (output) {
		fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
			_exit(126);
	}
	execvp(argv[0], argv);
	_exit(127);
}

/* Status of `child` as a shell gives it; returns when no descendant is left. */
static int wait_for_all(pid_t child, double *ended_s)
{
	int status, result = -1;
	pid_t pid;

	while ((pid = wait(&status)) > 0 || errno == EINTR) {
		if (pid != child)
			continue;
		*ended_s = now_s();
		result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	return result;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	static struct scan before, after;
	const char *output = NULL, *device[MAX_DEVICES];
	uint64_t bytes_before = 0, bytes_after = 0;
	int n_devices = 0, option, status, i;
	double started_s, ended_s = 0;
	struct rusage usage;

	while ((option = getopt(argc, argv, "+o:d:")) != -1) {
		if (option == 'o')
			output = optarg;
		else if (option == 'd' && n_devices < MAX_DEVICES)
			device[n_devices++] = optarg;
		else
			return 2;
	}
	if (optind >= argc || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 2;
	for (i = 0; i < n_devices; i++)
		bytes_before += bytes_read(device[i]);
	scan_kernel_threads(&before);
	started_s = now_s();
	status = wait_for_all(start(output, argv + optind), &ended_s);
	scan_kernel_threads(&after);
	for (i = 0; i < n_devices; i++)
		bytes_after += bytes_read(device[i]);
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("{\"wall_s\": %.6f, \"user_s\": %.6f, \"system_s\": %.6f, \"kernel_s\": %.6f, "
	       "\"bytes\": %llu, \"peak_kib\": %ld, \"switches\": %ld, \"status\": %d}\n",
	       ended_s - started_s, seconds(usage.ru_utime), seconds(usage.ru_stime),
	       kernel_seconds(&before, &after), (unsigned long long)(bytes_after - bytes_before),
	       usage.ru_maxrss, usage.ru_nvcsw + usage.ru_nivcsw, status);
	return 0;
}
