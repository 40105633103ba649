/* What a device is made of. */
#include "probe_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "satabench/cleanup.h"

struct made_of {
	struct scan *scan;
	int node;
};

static int add_slave(void *arg, const char *name)
{
	const struct made_of *made = arg;
	int below = probe_block(made->scan, name);

	if (below < 0)
		return below == -ENOMEM ? below : 0;
	return sb_topo_add_below(made->scan->topo, made->node, below);
}

/* The kernel says the path as the one saw it that set the loop up; another mount namespace, or a
 * deleted file, leaves it unknown. */
static int add_backing(struct scan *scan, int node)
{
	const char *file = sb_node_get(probe_node(scan, node), "backing_file");
	struct location location = {.node = -1};
	struct stat st;
	int rc = 0;

	if (!file || stat(file, &st) != 0)
		return 0;
	if (S_ISBLK(st.st_mode))
		location.node = probe_block_number(scan, major(st.st_rdev), minor(st.st_rdev));
	else
		rc = probe_locate(scan, file, &location);
	return rc != 0 || location.node < 0 ? rc
					    : sb_topo_add_below(scan->topo, node, location.node);
}

/* nvme0n1, whose paths are nvme0c0n1, nvme0c1n1 ...: the kernel's multipath_head. */
bool probe_is_nvme_head(const char *name, const char *path)
{
	return strncmp(name, "nvme", 4) == 0 && strstr(path, "/nvme-subsystem/") != NULL;
}

/* Of a path: subsystem, controller and namespace. */
static bool parse_path(const char *name, unsigned number[3])
{
	int end = 0;

	return sscanf(name, "nvme%uc%un%u%n", &number[0], &number[1], &number[2], &end) == 3 &&
	       !name[end];
}

bool probe_is_nvme_path(const char *name)
{
	unsigned number[3];

	return parse_path(name, number);
}

static bool is_path_of(const char *name, const char *head)
{
	unsigned subsystem, space, number[3];
	int end = 0;

	return sscanf(head, "nvme%un%u%n", &subsystem, &space, &end) == 2 && !head[end] &&
	       parse_path(name, number) && number[0] == subsystem && number[2] == space;
}

int probe_nvme_paths(struct scan *scan, const char *head, int *paths, size_t max)
{
	size_t n = 0;
	int rc = probe_scan_names(scan);

	for (size_t i = 0; i < scan->n_names && rc == 0 && n < max; i++) {
		int node;

		if (!is_path_of(scan->names[i], head))
			continue;
		node = probe_block(scan, scan->names[i]);
		if (node == -ENOMEM)
			return node;
		if (node >= 0)
			paths[n++] = node;
	}
	return rc ? rc : (int)n;
}

static int add_paths(struct scan *scan, int node, const char *head)
{
	int paths[16] = {0}, rc = 0, n = probe_nvme_paths(scan, head, paths, SB_COUNT(paths));

	for (int i = 0; i < n && rc == 0; i++)
		rc = sb_topo_add_below(scan->topo, node, paths[i]);
	return n < 0 ? n : rc;
}

int probe_stack(struct scan *scan, int node, const struct block *block)
{
	struct made_of made = {scan, node};
	int rc;

	switch (probe_node(scan, node)->kind) {
	case SB_NODE_PARTITION:
	case SB_NODE_ZRAM:
		return 0;
	case SB_NODE_LOOP:
		return add_backing(scan, node);
	default:
		break;
	}
	if (probe_is_nvme_head(block->name, block->path))
		return add_paths(scan, node, block->name);
	if (!strstr(block->path, "/virtual/"))
		return 0;
	rc = probe_each(block->dir, "slaves", add_slave, &made);
	return rc == -ENOMEM ? rc : 0;
}
