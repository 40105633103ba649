/* The registries: explicit, one row a thing. */
#include <string.h>

#include "config.h"
#include "suite_priv.h"

static const struct sb_engine *const engines[] = {
#if SB_HAVE_URING
	&sb_engine_uring,
#endif
	&sb_engine_preadv,
	&sb_engine_null,
	&sb_engine_suite,
};

static const struct sb_workload *const workloads[] = {&sb_workload_read, &sb_workload_randread,
						      &sb_workload_surface};

static const struct sb_engine_info engine_infos[] = {
	{"auto", "the fastest that the device can do without help from kernel workers"},
#if SB_HAVE_URING
	{"io_uring", "asynchronous reads through a ring restricted to reading"},
#endif
	{"preadv", "one synchronous read at a time"},
	{NULL, NULL},
};

static const struct sb_engine_info workload_infos[] = {
	{"read", "sequential reads"},
	{"randread", "random reads of whole blocks"},
	{"surface", "the whole length once, by place"},
	{"bonnie", "the tests of bonnie++, in directories"},
	{"tiobench", "sequential and random writes and reads by several threads, in directories"},
	{"dd", "one timed write and one timed read, in directories"},
	{NULL, NULL},
};

const struct sb_engine_info *sb_load_engines(void)
{
	return engine_infos;
}

const struct sb_engine_info *sb_load_workloads(void)
{
	return workload_infos;
}

const struct sb_engine *sb_engine_find(const char *name)
{
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (strcmp(engines[i]->name, name) == 0)
			return engines[i];
	return NULL;
}

const struct sb_workload *sb_workload_find(const char *name)
{
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		if (strcmp(workloads[i]->name, name) == 0)
			return workloads[i];
	return NULL;
}
