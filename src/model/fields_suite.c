/* The field tables of what only directories have: written for them alone. */
#include "fields_priv.h"
#include "satabench/result.h"
#include "satabench/suite.h"

#include <string.h>

static const char *const links_names[] = {
	[SB_LINKS_NONE] = "none", [SB_LINKS_HARD] = "hard", [SB_LINKS_SOFT] = "soft"};

static const char *links_name(int value)
{
	return value >= 0 && value < (int)SB_COUNT(links_names) ? links_names[value] : NULL;
}

static int links_parse(const char *name)
{
	for (size_t i = 0; i < SB_COUNT(links_names); i++)
		if (strcmp(links_names[i], name) == 0)
			return (int)i;
	return -1;
}

#define O(member, k, l, u, t) ROW(sb_options, member, k, l, u, NEITHER, t)
static const struct sb_field suite_options_rows[] = {
	O(direct, "suite.direct", "past the page cache was asked for", "", BOOL),
	O(fresh, "suite.fresh_folders", "fresh folders under the current directory", "", U64_SET),
	O(tests, "suite.tests", "tests", "", STRING),
	O(data_bytes, "suite.data_bytes", "data of each directory", "B", U64_SET),
	O(no_data, "suite.no_data", "no tests of data", "", BOOL),
	O(chunk_bytes, "suite.chunk_bytes", "block of the tests of data", "B", U64_SET),
	O(seeks, "suite.seeks", "random seeks", "", U64_SET),
	O(seekers, "suite.seekers", "threads that seek", "", U64_SET),
	O(files, "suite.files", "files to be created, in 1024", "", U64_SET),
	O(no_files, "suite.no_files", "no tests of files", "", BOOL),
	O(file_max_bytes, "suite.file_max_bytes", "largest of them", "B", U64_SET),
	O(file_min_bytes, "suite.file_min_bytes", "smallest of them", "B", U64_SET),
	O(file_chunk_bytes, "suite.file_chunk_bytes", "block of their data", "B", U64_SET),
	O(file_folders, "suite.file_folders", "folders they are spread over", "", U64_SET),
	ROW_NAME(sb_options, file_links, "suite.file_links", "links instead of files", links_name,
		 links_parse),
	O(ram_bytes, "suite.ram_bytes", "taken for the memory", "B", U64_SET),
	O(no_ram_check, "suite.no_ram_check", "memory is not looked at", "", BOOL),
	O(no_char, "suite.no_char", "no per-character tests", "", BOOL),
	O(char_bytes, "suite.char_bytes", "amount of the per-character tests", "B", U64_SET),
	O(fsync_each, "suite.fsync_each", "fsync after each write", "", BOOL),
	O(sync_writes, "suite.sync_writes", "writes are synchronous", "", BOOL),
	O(drop_caches, "suite.drop_caches", "all caches are dropped before reads", "", BOOL),
	O(unsynchronised, "suite.unsynchronised", "directories do not wait for each other", "",
	  BOOL),
	O(machine, "suite.machine", "name of the machine", "", STRING),
	O(uid, "suite.uid", "user's number", "", U64),
	O(gid, "suite.gid", "group's number", "", U64),
	O(user, "suite.user", "user", "", STRING),
	O(group, "suite.group", "group", "", STRING),
};
TABLE(suite_options, suite_options_rows);

#define D(member, k, l, u, b, t) ROW(sb_device, member, k, l, u, b, t)
static const struct sb_field directory_rows[] = {
	D(free_bytes, "free_bytes", "free when it was looked at", "B", NEITHER, U64),
	D(free_files, "free_files", "files that can still be made", "", NEITHER, U64),
	D(data_bytes, "data_bytes", "amount of its data", "B", NEITHER, U64_SET),
};
TABLE(directory, directory_rows);

#define J(member, k, l, u, b, t) ROW(sb_job, member, k, l, u, b, t)
static const struct sb_field suite_job_rows[] = {
	J(limit_operations, "limit_operations", "stops after so many", "", NEITHER, U64_SET),
	J(cpu_percent, "cpu_percent", "CPU of its threads", "%", LOWER, DOUBLE),
	J(sync_seconds, "sync_seconds", "of it until all was on the disk", "s", LOWER, DOUBLE),
	J(cached_percent, "cached_percent", "in the page cache at its start", "%", NEITHER, DOUBLE),
	J(over_2s, "over_2s", "operations longer than 2 s", "", LOWER, U64),
	J(over_10s, "over_10s", "operations longer than 10 s", "", LOWER, U64),
};
TABLE(suite_job, suite_job_rows);
