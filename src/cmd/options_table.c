#include "cmd_priv.h"

#include <string.h>

#include "satabench/load.h"
#include "satabench/planner.h"
#include "satabench/report.h"

static const char *plan_word(size_t index)
{
	return sb_plans[index].name;
}

static const char *format_word(size_t index)
{
	return sb_formats[index].name;
}

static const char *workload_word(size_t index)
{
	return sb_load_workloads()[index].name;
}

static const char *engine_word(size_t index)
{
	return sb_load_engines()[index].name;
}

static const char *buffers_word(size_t index)
{
	static const char *const words[] = {[SB_BUFFERS_AUTO] = "auto",
					    [SB_BUFFERS_ONE] = "one",
					    [SB_BUFFERS_OWN] = "own",
					    NULL};

	return words[index];
}

#define TARGETS "Targets and plan"
#define AMOUNT "How much"
#define READING "How it reads"
#define SUITE "In directories"
#define TROUBLE "Care and trouble"
#define COMMAND "Copies of the command"
#define OUTPUT "Output"
#define OTHER "Help"

#define AT(member) .offset = offsetof(struct sb_options, member)
#define RANGE(low, high, text) .least = (low), .most = (high), .limit = (text)
#define NO_LIMIT 1e300
#define YEAR_S (366 * 86400.0)

const struct sb_option sb_option_table[] = {
	{"devices", 'd', SB_OPTION_TARGETS, SB_FOR_RUN | SB_FOR_LIST, AT(targets), .group = TARGETS,
	 .metavar = "TARGET...",
	 .help = "block devices, files or null targets to read, and directories to load, all at "
		 "once: every word up to the next option; 'all' takes "
		 "every disk that can be read"},
	{"fresh", 'b', SB_OPTION_COUNT, SB_FOR_RUN, AT(fresh),
	 RANGE(1, 1000, "must be from 1 to 1000"), .group = TARGETS, .metavar = "N",
	 .help = "load N fresh folders in the current directory, which are removed afterwards"},
	{"plan", 0, SB_OPTION_CHOICE, SB_FOR_RUN, AT(plan), .choice = plan_word, .group = TARGETS,
	 .metavar = "PLAN", .help = "which phases are run", .standard = "diagnose"},
	{"preset", 0, SB_OPTION_PRESET, SB_FOR_RUN, AT(preset), .group = TARGETS, .metavar = "NAME",
	 .help = "options kept under a name: classic, quick, default, thorough"},
	{"md-check", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(md_check), .group = TARGETS,
	 .help = "read nothing, but have md check the arrays, and watch it"},
	{"resume", 0, SB_OPTION_STRING, SB_FOR_RUN, AT(resume), .group = TARGETS, .metavar = "FILE",
	 .help = "go on with the surface of a saved result; without -d, of all its devices"},
	{"config", 0, SB_OPTION_CONFIG, SB_FOR_RUN, AT(config), .group = TARGETS, .metavar = "FILE",
	 .help = "options from a file of key = value lines"},
	{"dry-run", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(dry_run), .group = TARGETS,
	 .help = "say what would be run and how long, and read nothing"},

	{"runtime", 0, SB_OPTION_SECONDS, SB_FOR_RUN, AT(runtime_s), .set = SB_SET_AMOUNT,
	 RANGE(0.001, YEAR_S, "must be from 1 ms to 366 d"), .group = AMOUNT, .metavar = "SECONDS",
	 .help = "length of each phase",
	 .standard = "1.5 alone, 2 together; 0.5 more with a rotating disk"},
	{"rounds", 'x', SB_OPTION_COUNT, SB_FOR_RUN, AT(rounds),
	 RANGE(1, 1000, "must be from 1 to 1000"), .group = AMOUNT, .metavar = "N",
	 .help = "how often the phases are repeated", .standard = "3"},
	{"size", 0, SB_OPTION_SIZE, SB_FOR_RUN, AT(size_bytes), .set = SB_SET_AMOUNT,
	 RANGE(1, NO_LIMIT, "must be at least 1 byte"), .group = AMOUNT, .metavar = "SIZE",
	 .help = "stop after so much of each device instead"},
	{"count", 0, SB_OPTION_COUNT, SB_FOR_RUN, AT(count), .set = SB_SET_AMOUNT,
	 RANGE(1, NO_LIMIT, "must be at least 1"), .group = AMOUNT, .metavar = "N",
	 .help = "the same in blocks, as dd's count="},
	{"bs", 0, SB_OPTION_SIZE, SB_FOR_RUN, AT(block_bytes),
	 RANGE(512, 1 << 30, "a block must be at least 512 bytes and at most 1 GiB"),
	 .group = AMOUNT, .metavar = "SIZE", .help = "block: bytes of one read",
	 .standard = "1M; 4k for randread"},
	{"offset", 0, SB_OPTION_SIZE, SB_FOR_RUN, AT(offset_bytes), .set = SB_SET_START,
	 .group = AMOUNT, .metavar = "SIZE", .help = "where reading begins", .standard = "0"},
	{"skip", 0, SB_OPTION_COUNT, SB_FOR_RUN, AT(skip), .set = SB_SET_START, .group = AMOUNT,
	 .metavar = "N", .help = "the same in blocks, as dd's skip="},
	{"stop-at-end", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(end_at_end), .group = AMOUNT,
	 .help = "end at the end of the device, as dd does, instead of "
		 "going on at its start"},

	{"workload", 0, SB_OPTION_WORKLOAD, SB_FOR_RUN, AT(workload), .choice = workload_word,
	 .group = READING, .metavar = "NAME",
	 .help = "the order of the reads; surface reads each device once over its whole length, "
		 "surface=N at N places; for directories bonnie, tiobench or dd",
	 .standard = "read; bonnie"},
	{"engine", 0, SB_OPTION_CHOICE, SB_FOR_RUN, AT(engine), .choice = engine_word,
	 .group = READING, .metavar = "NAME", .help = "how reads are handed to the kernel",
	 .standard = "auto"},
	{"iodepth", 0, SB_OPTION_COUNT, SB_FOR_RUN, AT(depth),
	 RANGE(1, 1024, "must be from 1 to 1024"), .group = READING, .metavar = "N",
	 .help = "reads in flight on each device", .standard = "calibrated; 4 in plan together"},
	{"streams", 0, SB_OPTION_COUNT, SB_FOR_RUN, AT(streams),
	 RANGE(1, 256, "must be from 1 to 256"), .group = READING, .metavar = "N",
	 .help = "readers of an md array at once, beside the phases with one; threads in "
		 "each directory, each with a file of its own",
	 .standard = "as many as it has members; 1"},
	{"direct", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(direct), .set = SB_SET_CACHE, .group = READING,
	 .help = "past the page cache (O_DIRECT); the default for devices"},
	{"buffered", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(buffered), .set = SB_SET_CACHE,
	 .group = READING,
	 .help = "through the page cache, as plain dd reads; in directories, and "
		 "leaving there what was written"},
	{"buffers", 0, SB_OPTION_BUFFERS, SB_FOR_RUN, AT(buffers), .choice = buffers_word,
	 .group = READING, .metavar = "KIND",
	 .help = "memory that is read into: one small buffer for all "
		 "of a device's reads, or own memory for each",
	 .standard = "auto"},
	{"seed", 0, SB_OPTION_COUNT, SB_FOR_RUN, AT(seed), RANGE(1, NO_LIMIT, "must be at least 1"),
	 .group = READING, .metavar = "N",
	 .help = "another order of randread, and other noise of null targets"},

	{"data", 's', SB_OPTION_DATA, SB_FOR_RUN, .set = SB_SET_AMOUNT, .group = SUITE,
	 .metavar = "MIB",
	 .help = "amount of each directory's data, as bonnie++'s: MIB[:CHUNK[:SEEKS[:SEEKERS]]]; "
		 "0: no tests of data",
	 .standard = "twice the memory, 8k, 8192, 5"},
	{"files", 'n', SB_OPTION_FILES, SB_FOR_RUN, .group = SUITE, .metavar = "N",
	 .help = "so many files, in 1024, are created, as bonnie++'s: "
		 "N[:MAX[:MIN[:FOLDERS[:CHUNK]]]]; 0: no tests of files",
	 .standard = "16:0:0:1"},
	{"fast", 'f', SB_OPTION_CHARS, SB_FOR_RUN, .group = SUITE,
	 .help = "without the per-character tests; -f5: with 5 MiB of them instead of 3"},
	{"tests", 0, SB_OPTION_STRING, SB_FOR_RUN, AT(tests), .group = SUITE, .metavar = "LIST",
	 .help = "only these tests, by name and with commas, and what they need",
	 .standard = "all of the workload"},
	{"unsynchronised", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(unsynchronised), .group = SUITE,
	 .help = "a directory does not wait for the others between the tests"},
	{"fsync-each", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(fsync_each), .group = SUITE,
	 .help = "fsync after each write and each file, as bonnie++'s -b"},
	{"sync", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(sync_writes), .group = SUITE,
	 .help = "synchronous writes (O_SYNC), as dd's oflag=sync"},
	{"drop-caches", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(drop_caches), .group = SUITE,
	 .help = "drop all caches of the machine before tests that read (root)"},
	{"ram", 'r', SB_OPTION_RAM, SB_FOR_RUN, .group = SUITE, .metavar = "MIB",
	 .help = "take this for the memory; 0: do not look whether the data is larger",
	 .standard = "the machine's"},
	{"machine", 'm', SB_OPTION_STRING, SB_FOR_RUN, AT(machine), .group = SUITE,
	 .metavar = "NAME", .help = "name in bonnie++'s lines", .standard = "the host's"},
	{"user", 'u', SB_OPTION_STRING, SB_FOR_RUN, AT(user), .group = SUITE, .metavar = "USER",
	 .help = "what works in directories becomes this user, or USER:GROUP"},
	{"group", 'g', SB_OPTION_STRING, SB_FOR_RUN, AT(group), .group = SUITE, .metavar = "GROUP",
	 .help = "... and of this group"},

	{"baseline", 0, SB_OPTION_SECONDS, SB_FOR_RUN | SB_FOR_EXEC, AT(baseline_s),
	 RANGE(0, YEAR_S, "must be from 0 to 366 d"), .group = TROUBLE, .metavar = "SECONDS",
	 .help = "how long the CPU is watched before the load", .standard = "0.25"},
	{"hang-timeout", 0, SB_OPTION_SECONDS, SB_FOR_RUN | SB_FOR_LIST, AT(hang_timeout_s),
	 RANGE(0.001, YEAR_S, "must be from 1 ms to 366 d"), .group = TROUBLE, .metavar = "SECONDS",
	 .help = "a device that answers nothing for so long is hung", .standard = "30"},
	{"max-errors", 0, SB_OPTION_COUNT, SB_FOR_RUN, AT(max_errors),
	 RANGE(1, NO_LIMIT, "must be at least 1"), .group = TROUBLE, .metavar = "N",
	 .help = "a device with more read errors is given up", .standard = "16"},
	{"virtual-time", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(virtual_time), .group = TROUBLE,
	 .help = "null targets only: nothing sleeps, time is computed"},

	{"copies", 0, SB_OPTION_COUNT, SB_FOR_EXEC, AT(copies),
	 RANGE(1, 4096, "must be from 1 to 4096"), .group = COMMAND, .metavar = "N",
	 .help = "run so many copies at once; {} in its words is the copy's number",
	 .standard = "one, and {} is left as it is"},
	{"output-dir", 0, SB_OPTION_STRING, SB_FOR_EXEC, AT(output_dir), .group = COMMAND,
	 .metavar = "DIR", .help = "what copy N prints goes to DIR/copy-N.out and DIR/copy-N.err"},

	{"threshold", 0, SB_OPTION_PERCENT, SB_FOR_COMPARE, AT(threshold_percent),
	 RANGE(0, 100, "must be from 0 to 100 percent"), .group = OUTPUT, .metavar = "PERCENT",
	 .help = "compare: a smaller shift is of no meaning", .standard = "3"},
	{"output-format", 0, SB_OPTION_CHOICE, SB_FOR_ALL, AT(format), .choice = format_word,
	 .group = OUTPUT, .metavar = "FORMAT", .help = "of the report", .standard = "text"},
	{"output", 0, SB_OPTION_STRING, SB_FOR_ALL, AT(output), .group = OUTPUT, .metavar = "FILE",
	 .help = "write the report there instead of stdout"},
	{"save", 0, SB_OPTION_STRING, SB_FOR_RUN | SB_FOR_EXEC, AT(save), .group = OUTPUT,
	 .metavar = "FILE", .help = "keep the result as JSON there, whatever the format"},
	{"label", 0, SB_OPTION_STRING, SB_FOR_RUN | SB_FOR_EXEC, AT(label), .group = OUTPUT,
	 .metavar = "TEXT", .help = "a name for this run, kept in the result"},
	{"status-interval", 0, SB_OPTION_SECONDS, SB_FOR_RUN, AT(status_interval_s),
	 RANGE(0.001, YEAR_S, "must be from 1 ms to 366 d"), .group = OUTPUT, .metavar = "SECONDS",
	 .help = "off a terminal: a progress line so often", .standard = "none"},
	{"no-progress", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(no_progress), .group = OUTPUT,
	 .help = "no display while it runs"},
	{"no-live", 0, SB_OPTION_FLAG, SB_FOR_RUN, AT(no_live), .group = OUTPUT,
	 .help = "a line a device while it runs, instead of the tree"},
	{"verbose", 'v', SB_OPTION_FLAG, SB_FOR_ALL, AT(verbose), .set = SB_SET_TALK,
	 .group = OUTPUT,
	 .help = "say more on stderr: what was chosen and why; and the verdict's evidence in text"},
	{"quiet", 'q', SB_OPTION_FLAG, SB_FOR_RUN | SB_FOR_EXEC | SB_FOR_LIST, AT(quiet),
	 .set = SB_SET_TALK, .group = OUTPUT, .help = "only errors on stderr"},

	{"help", 'h', SB_OPTION_HELP, SB_FOR_ALL, .group = OTHER, .help = "print this"},
	{"version", 'V', SB_OPTION_VERSION, SB_FOR_ALL, .group = OTHER,
	 .help = "print the version and what is built in"},
	{"list-options", 0, SB_OPTION_LIST, SB_FOR_RUN},
	{NULL},
};
_Static_assert(sizeof(sb_option_table) / sizeof(sb_option_table[0]) <= SB_OPTIONS_MOST,
	       "struct sb_origin has room for fewer options");

const struct sb_option *sb_option_find(const char *name)
{
	for (const struct sb_option *o = sb_option_table; o->name; o++)
		if (strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

const struct sb_option *sb_option_find_letter(char letter)
{
	for (const struct sb_option *o = sb_option_table; o->name; o++)
		if (o->letter && o->letter == letter)
			return o;
	return NULL;
}

bool sb_option_has_value(const struct sb_option *option)
{
	return option->metavar != NULL;
}

/* Edit distance (insert, delete, replace) of short names. */
static size_t distance(const char *a, const char *b)
{
	size_t row[32], length = strlen(b);

	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t best = corner + (a[i - 1] != b[j - 1]);

			corner = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[length];
}

const char *sb_option_near(const char *name, unsigned verb)
{
	const char *best = NULL;
	size_t least = 3; /* a word with three slips is another word */

	for (const struct sb_option *o = sb_option_table; o->name; o++) {
		size_t d;

		if (!o->group || !(o->verbs & verb) || strlen(o->name) >= 32)
			continue;
		d = distance(name, o->name);
		if (d < least && d < strlen(o->name)) {
			least = d;
			best = o->name;
		}
	}
	if (best || strlen(name) < 3)
		return best;
	for (const struct sb_option *o = sb_option_table; o->name; o++)
		if (o->group && (o->verbs & verb) && strstr(o->name, name))
			return o->name;
	return NULL;
}
