/* What lies between devices and processor while they are read: links, and interrupts by CPU. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/sample.h"
#include "satabench/units.h"

#define IRQS_MOST 1024 /* of one controller; MSI-X has up to 2048 */

/* A node with files of its own. */
struct hop {
	int node;
	int speed_fd, width_fd; /* -1: none */
	uint64_t fixed_width;	/* where no file tells it: SAS phys; SB_NONE_U64 */
	unsigned *irqs;		/* owned */
	size_t n_irqs;
	uint64_t *before; /* owned: by CPU, at the start; NULL: not read */
};

struct sb_hops {
	const struct sb_topo *topo;
	struct hop *hops;
	size_t n;
	size_t n_cpus;	/* columns of per_cpu_count */
	bool *on_path;	/* by node, of the phase that is asked about */
	uint64_t *sums; /* by CPU */
	char *text;	/* of one per_cpu_count */
	size_t text_size;
};

/* All that the data of `node` may pass: its ancestors, and those of what it is made of. */
static void mark_path(const struct sb_topo *topo, int node, bool *on_path)
{
	for (int at = node; at >= 0 && !on_path[at]; at = topo->nodes[at].parent) {
		on_path[at] = true;
		for (size_t i = 0; i < topo->nodes[at].n_below; i++)
			mark_path(topo, topo->nodes[at].below[i], on_path);
	}
}

static void mark_paths(struct sb_hops *hops, const int *nodes, size_t n)
{
	memset(hops->on_path, 0, hops->topo->n_nodes * sizeof(hops->on_path[0]));
	for (size_t i = 0; i < n; i++)
		if (nodes[i] >= 0)
			mark_path(hops->topo, nodes[i], hops->on_path);
}

static int open_first(int dir, const char *const *names)
{
	int fd = -1;

	for (size_t i = 0; names[i] && fd < 0; i++)
		fd = sb_open_readonly(dir, names[i], 0);
	return fd < 0 ? -1 : fd;
}

static int add_irq(struct hop *hop, unsigned irq)
{
	size_t n = hop->n_irqs;

	if ((n & (n - 1)) == 0) {
		unsigned *more = reallocarray(hop->irqs, n ? n * 2 : 1, sizeof(*more));

		if (!more)
			return -ENOMEM;
		hop->irqs = more;
	}
	hop->irqs[hop->n_irqs++] = irq;
	return 0;
}

/* The line of a function without messages may be shared: then it says nothing about this one. */
static int add_line(struct hop *hop, int dir)
{
	char path[64], actions[256];
	uint64_t irq;

	if (sb_read_u64(dir, "irq", &irq) != 0 || irq == 0 || irq > INT32_MAX)
		return 0;
	snprintf(path, sizeof(path), "/sys/kernel/irq/%u/actions", (unsigned)irq);
	if (sb_read_text(AT_FDCWD, path, actions, sizeof(actions)) <= 0 || strchr(actions, ','))
		return 0;
	return add_irq(hop, (unsigned)irq);
}

static int add_irqs(struct hop *hop, int dir)
{
	int fd = sb_open_readonly(dir, "msi_irqs", O_DIRECTORY), rc = 0;
	SB_AUTO_DIR DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return add_line(hop, dir);
	}
	while (rc == 0 && hop->n_irqs < IRQS_MOST && (entry = readdir(d)) != NULL) {
		uint64_t irq;

		if (sb_parse_count(entry->d_name, &irq) == 0 && irq <= INT32_MAX)
			rc = add_irq(hop, (unsigned)irq);
	}
	return rc;
}

static int open_hop(struct hop *hop, const struct sb_node *node)
{
	static const char *const speeds[] = {"current_link_speed", "sata_spd",
					     "negotiated_linkrate", NULL};
	static const char *const widths[] = {"current_link_width", NULL};
	const char *width = sb_node_get(node, "link_width");
	SB_AUTO_FD int dir = sb_open_readonly(AT_FDCWD, sb_node_get(node, "sysfs"), O_DIRECTORY);

	if (dir < 0)
		return 0;
	if (sb_node_get(node, "link_speed"))
		hop->speed_fd = open_first(dir, speeds);
	if (hop->speed_fd >= 0)
		hop->width_fd = open_first(dir, widths);
	if (width && sb_parse_count(width, &hop->fixed_width) != 0)
		hop->fixed_width = SB_NONE_U64;
	return node->kind == SB_NODE_CONTROLLER ? add_irqs(hop, dir) : 0;
}

static int open_hops(struct sb_hops *hops)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < hops->topo->n_nodes; i++) {
		const struct sb_node *node = &hops->topo->nodes[i];
		struct hop *hop = &hops->hops[hops->n];

		if (!hops->on_path[i] || !sb_node_get(node, "sysfs"))
			continue;
		*hop = (struct hop){
			.node = (int)i, .speed_fd = -1, .width_fd = -1, .fixed_width = SB_NONE_U64};
		hops->n++;
		rc = open_hop(hop, node);
	}
	return rc;
}

int sb_hops_create(struct sb_hops **out, const struct sb_topo *topo, const int *nodes, size_t n)
{
	struct sb_hops *hops = calloc(1, sizeof(*hops));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int rc = -ENOMEM;

	*out = NULL;
	if (!hops)
		return rc;
	hops->topo = topo;
	hops->n_cpus = cpus > 0 ? (size_t)cpus : 1;
	hops->text_size = hops->n_cpus * 21 + 2;
	hops->hops = calloc(topo->n_nodes + 1, sizeof(hops->hops[0]));
	hops->on_path = calloc(topo->n_nodes + 1, sizeof(hops->on_path[0]));
	hops->sums = calloc(hops->n_cpus, sizeof(hops->sums[0]));
	hops->text = malloc(hops->text_size);
	if (hops->hops && hops->on_path && hops->sums && hops->text) {
		mark_paths(hops, nodes, n);
		rc = open_hops(hops);
	}
	if (rc != 0)
		sb_hops_destroy(hops);
	else
		*out = hops;
	return rc;
}

void sb_hops_destroy(struct sb_hops *hops)
{
	if (!hops)
		return;
	for (size_t i = 0; i < hops->n; i++) {
		if (hops->hops[i].speed_fd >= 0)
			close(hops->hops[i].speed_fd);
		if (hops->hops[i].width_fd >= 0)
			close(hops->hops[i].width_fd);
		free(hops->hops[i].irqs);
		free(hops->hops[i].before);
	}
	free(hops->hops);
	free(hops->on_path);
	free(hops->sums);
	free(hops->text);
	free(hops);
}

/* "8.0 GT/s PCIe", "6.0 Gbps", "12.0 Gbit": thousand millions of bits a second. */
static uint64_t read_speed(int fd)
{
	uint64_t tenths = 0;
	char text[64];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	const char *at = text;

	if (n <= 0 || text[0] < '0' || text[0] > '9')
		return SB_NONE_U64;
	text[n] = '\0';
	for (; *at >= '0' && *at <= '9' && tenths < 1000000; at++)
		tenths = tenths * 10 + (uint64_t)(*at - '0');
	tenths *= 10;
	if (at[0] == '.' && at[1] >= '0' && at[1] <= '9')
		tenths += (uint64_t)(at[1] - '0');
	return tenths ? tenths * 100000000 : SB_NONE_U64;
}

static uint64_t read_width(const struct hop *hop)
{
	char text[32];
	uint64_t width;
	ssize_t n;

	if (hop->width_fd < 0)
		return hop->fixed_width;
	n = pread(hop->width_fd, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return SB_NONE_U64;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return sb_parse_count(text, &width) == 0 && width > 0 && width < 255 ? width : SB_NONE_U64;
}

int sb_hops_read_links(struct sb_hops *hops, const int *nodes, size_t n, struct sb_phase *phase)
{
	mark_paths(hops, nodes, n);
	free(phase->links);
	phase->n_links = 0;
	phase->links = calloc(hops->n + 1, sizeof(phase->links[0]));
	if (!phase->links)
		return -ENOMEM;
	for (size_t i = 0; i < hops->n; i++) {
		const struct hop *hop = &hops->hops[i];

		if (!hops->on_path[hop->node] || hop->speed_fd < 0)
			continue;
		phase->links[phase->n_links++] =
			(struct sb_link_reading){.node = hop->node,
						 .bits_per_second = read_speed(hop->speed_fd),
						 .width = read_width(hop)};
	}
	return 0;
}

int sb_irq_parse(const char *text, uint64_t *sums, size_t n)
{
	for (size_t cpu = 0; cpu < n; cpu++) {
		uint64_t value = 0;

		if (*text < '0' || *text > '9')
			return -ENODATA;
		for (; *text >= '0' && *text <= '9'; text++)
			value = value * 10 + (uint64_t)(*text - '0');
		sums[cpu] += value;
		if (*text != ',')
			break;
		text++;
	}
	return 0;
}

/* False when one of them cannot be read: a sum without it would be wrong. */
static bool sum_irqs(struct sb_hops *hops, const struct hop *hop)
{
	memset(hops->sums, 0, hops->n_cpus * sizeof(hops->sums[0]));
	for (size_t i = 0; i < hop->n_irqs; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/sys/kernel/irq/%u/per_cpu_count", hop->irqs[i]);
		if (sb_read_text(AT_FDCWD, path, hops->text, hops->text_size) <= 0 ||
		    sb_irq_parse(hops->text, hops->sums, hops->n_cpus) != 0)
			return false;
	}
	return hop->n_irqs > 0;
}

void sb_hops_start_interrupts(struct sb_hops *hops, const int *nodes, size_t n)
{
	mark_paths(hops, nodes, n);
	for (size_t i = 0; i < hops->n; i++) {
		struct hop *hop = &hops->hops[i];

		free(hop->before);
		hop->before = NULL;
		if (!hops->on_path[hop->node] || !sum_irqs(hops, hop))
			continue;
		hop->before = malloc(hops->n_cpus * sizeof(hop->before[0]));
		if (hop->before)
			memcpy(hop->before, hops->sums, hops->n_cpus * sizeof(hop->before[0]));
	}
}

static int add_count(struct sb_phase *phase, int node, size_t cpu, uint64_t count)
{
	size_t n = phase->n_interrupts;

	if ((n & (n - 1)) == 0) {
		struct sb_irq_count *more =
			reallocarray(phase->interrupts, n ? n * 2 : 1, sizeof(*more));

		if (!more)
			return -ENOMEM;
		phase->interrupts = more;
	}
	phase->interrupts[phase->n_interrupts++] =
		(struct sb_irq_count){.node = node, .cpu = (int)cpu, .count = count};
	return 0;
}

int sb_hops_end_interrupts(struct sb_hops *hops, struct sb_phase *phase)
{
	int rc = 0;

	free(phase->interrupts);
	phase->interrupts = NULL;
	phase->n_interrupts = 0;
	for (size_t i = 0; i < hops->n; i++) {
		struct hop *hop = &hops->hops[i];

		if (!hop->before || !sum_irqs(hops, hop))
			continue;
		for (size_t cpu = 0; rc == 0 && cpu < hops->n_cpus; cpu++)
			if (hops->sums[cpu] > hop->before[cpu]) /* a step back is no value */
				rc = add_count(phase, hop->node, cpu,
					       hops->sums[cpu] - hop->before[cpu]);
		free(hop->before);
		hop->before = NULL;
	}
	return rc;
}
