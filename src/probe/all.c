/* What the target `all` means. */
#include "satabench/probe.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"

/* Capacity that the kernel's sr driver assumes when it has seen no medium: 0x1fffff sectors. */
#define SR_NO_MEDIUM_BYTES "1073741312"

#define MADE_OF_OTHERS "made of other disks, which are read themselves"

/* By the kernel's names, Documentation/admin-guide/devices.txt */
static const struct {
	const char *prefix, *reason;
} by_name[] = {{"ram", "a RAM disk"},
	       {"fd", "a floppy drive"},
	       {"zd", MADE_OF_OTHERS},
	       {"drbd", MADE_OF_OTHERS},
	       {"bcache", MADE_OF_OTHERS}};

static const char *refuse_name(const char *name)
{
	for (size_t i = 0; i < SB_COUNT(by_name); i++) {
		size_t n = strlen(by_name[i].prefix);

		if (strncmp(name, by_name[i].prefix, n) == 0 && isdigit((unsigned char)name[n]))
			return by_name[i].reason;
	}
	if (strncmp(name, "mmcblk", 6) == 0 && strpbrk(name + 6, "brg")) /* boot0, rpmb, gp0 */
		return "a special area of a memory card";
	return NULL;
}

static const char *refuse_size(const struct sb_node *node)
{
	const char *size = sb_node_get(node, "size_bytes");
	bool optical = strncmp(node->name, "sr", 2) == 0;

	if (node->kind == SB_NODE_LOOP && !sb_node_get(node, "backing_file"))
		return "no backing file";
	if (optical && size && strcmp(size, SR_NO_MEDIUM_BYTES) == 0 &&
	    !sb_node_get(node, "medium"))
		return "no medium";
	if (!size)
		return "size not known";
	if (strcmp(size, "0") != 0)
		return NULL;
	return optical || probe_is(node, "removable") ? "no medium" : "size 0";
}

static const char *refuse_disk(const struct sb_node *node)
{
	const char *reason = refuse_name(node->name);

	if (reason)
		return reason;
	if (probe_is(node, "hidden") || probe_is_nvme_path(node->name))
		return "a path of a multipath disk";
	if (node->n_below > 0 && strncmp(node->name, "nvme", 4) != 0)
		return MADE_OF_OTHERS;
	return NULL;
}

static const char *refuse_access(const struct sb_node *node)
{
	const char *access = sb_node_get(node, "access");

	if (!access)
		return NULL;
	return strcmp(access, "missing") == 0 ? "no node in /dev" : "permission denied";
}

const char *sb_probe_all_refuses(const struct sb_topo *topo, int index)
{
	const struct sb_node *node = &topo->nodes[index];
	const char *reason = NULL;

	switch (node->kind) {
	case SB_NODE_DISK:
		reason = refuse_disk(node);
		break;
	case SB_NODE_LOOP:
	case SB_NODE_ZRAM:
		break;
	case SB_NODE_MD:
	case SB_NODE_DM:
		return MADE_OF_OTHERS;
	case SB_NODE_PARTITION:
		return "a partition";
	default:
		return "not a disk";
	}
	reason = reason ? reason : refuse_size(node);
	if (!reason && sb_node_get(node, "same_as"))
		reason = "another path to a disk that is taken";
	return reason ? reason : refuse_access(node);
}

static bool is_candidate(const struct sb_node *node)
{
	return strncmp(node->id, "block:", 6) == 0 && node->kind != SB_NODE_PARTITION;
}

/* "sda, sdb (mounted, busy), sdc" of the nodes with this reason; NULL: taken. */
static void say(const struct sb_topo *topo, const char *const *reasons, const char *reason)
{
	SB_AUTO_FREE char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	const char *comma = "";

	if (!out)
		return;
	for (size_t i = 0; i < topo->n_nodes; i++) {
		const struct sb_node *node = &topo->nodes[i];
		const char *marks = sb_node_get(node, "marks");

		if (!is_candidate(node) || reasons[i] != reason)
			continue;
		fprintf(out, "%s%s", comma, node->name);
		if (marks && !reason)
			fprintf(out, " (%s)", marks);
		comma = ", ";
	}
	if (fclose(out) != 0 || length == 0)
		return;
	if (reason)
		sb_info("all: left %s: %s", text, reason);
	else
		sb_info("all: taking %s", text);
}

static void say_all(const struct sb_topo *topo, const char *const *reasons)
{
	const char *unused = sb_node_get(&topo->nodes[0], "unused_loops");

	say(topo, reasons, NULL);
	for (size_t i = 0; i < topo->n_nodes; i++) {
		bool said = !reasons[i] || !is_candidate(&topo->nodes[i]);

		for (size_t j = 0; j < i && !said; j++)
			said = is_candidate(&topo->nodes[j]) && reasons[j] == reasons[i];
		if (!said)
			say(topo, reasons, reasons[i]);
	}
	if (unused && strcmp(unused, "0") != 0)
		sb_info("all: left %s loop devices without a backing file", unused);
}

static char *path_of(const struct sb_node *node)
{
	const char *path = sb_node_get(node, "path");

	return path ? strdup(path) : sb_format("/dev/%s", node->name);
}

int probe_all_paths(struct scan *scan, char ***paths, size_t *n)
{
	const struct sb_topo *topo = scan->topo;
	SB_AUTO_FREE const char **reasons = calloc(topo->n_nodes + 1, sizeof(*reasons));

	*n = 0;
	*paths = calloc(topo->n_nodes + 1, sizeof(**paths));
	if (!reasons || !*paths)
		return -ENOMEM;
	for (size_t i = 0; i < topo->n_nodes; i++) {
		reasons[i] = sb_probe_all_refuses(topo, (int)i);
		if (reasons[i])
			continue;
		(*paths)[*n] = path_of(&topo->nodes[i]);
		if (!(*paths)[*n])
			return -ENOMEM;
		(*n)++;
	}
	say_all(topo, reasons);
	return 0;
}
