#include "cmd_priv.h"

#include <string.h>

#include "config.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"

#if SB_HAVE_URING
#define WITH_URING "+"
#else
#define WITH_URING "-"
#endif
#if SB_HAVE_CPUID
#define WITH_CPUID "+"
#else
#define WITH_CPUID "-"
#endif

#define WIDTH 79
#define TEXT_COLUMN 32 /* behind "      --status-interval SECONDS" */

/* Words of `text` from `column` on, wrapped to lines that begin at TEXT_COLUMN; the column behind
 * the last. */
static size_t print_wrapped(FILE *out, size_t column, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > TEXT_COLUMN && column + 1 + length > WIDTH) {
			fprintf(out, "\n%*s", TEXT_COLUMN, "");
			column = TEXT_COLUMN;
		} else if (column > TEXT_COLUMN) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", (int)length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	return column;
}

static size_t print_choices(FILE *out, size_t column, const struct sb_option *option)
{
	for (size_t i = 0; option->choice(i); i++) {
		SB_AUTO_FREE char *word =
			sb_format("%s%s", option->choice(i), option->choice(i + 1) ? "," : "");

		column = print_wrapped(out, column, word ? word : "");
	}
	return column;
}

static void print_option(FILE *out, const struct sb_option *option)
{
	char letter[8] = "    ";
	size_t column;
	int width;

	if (option->letter)
		snprintf(letter, sizeof(letter), "-%c, ", option->letter);
	width = fprintf(out, "  %s--%s%s%s", letter, option->name, option->metavar ? " " : "",
			option->metavar ? option->metavar : "");
	if (width >= TEXT_COLUMN)
		fprintf(out, "\n%*s", TEXT_COLUMN, "");
	else
		fprintf(out, "%*s", TEXT_COLUMN - width, "");
	column = print_wrapped(out, TEXT_COLUMN, option->help);
	if (option->choice) {
		fputc(':', out);
		column = print_choices(out, column + 1, option);
	}
	if (option->standard) {
		SB_AUTO_FREE char *standard = sb_format("[%s]", option->standard);

		print_wrapped(out, column, standard ? standard : "");
	}
	fputc('\n', out);
}

static void print_options(FILE *out, unsigned verb)
{
	const char *group = NULL;

	for (const struct sb_option *o = sb_option_table; o->name; o++) {
		if (!o->group || !(o->verbs & verb))
			continue;
		if (!group || strcmp(group, o->group) != 0)
			fprintf(out, "\n%s:\n", o->group);
		group = o->group;
		print_option(out, o);
	}
}

void sb_help_print(FILE *out)
{
	fputs("Usage: satabench -d TARGET... [OPTION...]\n"
	      "       satabench                      the disks, and what -d all would take\n"
	      "       satabench list [TARGET...]     controllers, links, disks, ceilings\n"
	      "       satabench exec -- COMMAND...   any command under the same clock\n"
	      "       satabench report RESULT.json   a saved result in any format\n"
	      "       satabench compare BEFORE.json... -- AFTER.json...\n"
	      "                                      what became faster, and what slower\n"
	      "       satabench help                 this text\n"
	      "\n"
	      "Reads many disks at once, watches the CPU, and shows what each disk loses when\n"
	      "the others are read beside it. Devices are opened for reading only.\n",
	      out);
	print_options(out, SB_FOR_RUN | SB_FOR_COMPARE);
	fputs("\n"
	      "Defaults stand in [brackets]. Sizes: k, M, G, T = powers of 1024; kB, MB, GB,\n"
	      "TB = powers of 1000. Times: seconds, or with ms, s, m, h, d. --opt VALUE and\n"
	      "--opt=VALUE are the same; of a repeated option the last counts; -- ends the\n"
	      "options. An option takes precedence over --config, that over --preset.\n"
	      "\n"
	      "Examples:\n"
	      "  satabench -d /dev/sd[bcde]               four disks, alone and together\n"
	      "  satabench -d all --dry-run               what would be read, and how long\n"
	      "  satabench -d /dev/md0 --plan together --runtime 30\n"
	      "  satabench -d /dev/sd? --preset classic   as the dd and iostat script of 2009\n"
	      "  satabench -d null:a,rate=100M,share=X:150M null:b,rate=100M,share=X:150M\n"
	      "\n"
	      "Exit status: 0 sound; 1 usage; 2 a device failed, hung or vanished; 3 a figure\n"
	      "is doubtful (the report says which); 4 worse than before (compare); 128 + n\n"
	      "ended by signal n.\n"
	      "\n"
	      "man satabench explains the report.\n",
	      out);
}

void sb_help_print_report(FILE *out)
{
	fputs("Usage: satabench report [OPTION...] RESULT.json\n"
	      "\n"
	      "Prints a saved result again, in any format.\n",
	      out);
	print_options(out, SB_FOR_REPORT);
}

void sb_help_print_exec(FILE *out)
{
	fputs("Usage: satabench exec [OPTION...] -- COMMAND...\n"
	      "\n"
	      "Runs a command, or several copies of it at once, and shows what time and iostat\n"
	      "together would: wall, user and system time, peak memory, block I/O and exit status\n"
	      "of each copy, the machine's CPU and the disks that moved. In the command's words\n"
	      "{dir} is a fresh directory under the current one, removed afterwards, and, with\n"
	      "--copies, {} the number of the copy.\n",
	      out);
	print_options(out, SB_FOR_EXEC);
	fputs("\n"
	      "One command has the terminal and prints as it would by itself; what several print "
	      "is\n"
	      "shown one after the other when all have ended. The exit status is that of the copy\n"
	      "with the highest one; 125 satabench failed, 126 not executable, 127 not found.\n",
	      out);
}

void sb_help_print_compare(FILE *out)
{
	fputs("Usage: satabench compare [OPTION...] BEFORE.json... -- AFTER.json...\n"
	      "       satabench compare [OPTION...] BEFORE.json AFTER.json\n"
	      "\n"
	      "Says what became faster and what slower, from the rounds of saved results, and "
	      "what\n"
	      "changed in the machine. Several files of a side are pooled. Formats are text, json\n"
	      "and csv. Exit status 4: something got worse; 3: the comparison is doubtful.\n",
	      out);
	print_options(out, SB_FOR_COMPARE);
}

void sb_help_print_list(FILE *out)
{
	fputs("Usage: satabench list [OPTION...] [TARGET...]\n"
	      "\n"
	      "Prints the tree of controllers, links and disks, with what each link can carry and\n"
	      "what the disks below it could give; of the TARGETs alone, where some are named.\n"
	      "Formats are text, json and csv. No device is opened without --verbose, which opens\n"
	      "each, says what is on it, and draws every hop.\n",
	      out);
	print_options(out, SB_FOR_LIST);
}

void sb_help_print_version(FILE *out)
{
	fprintf(out, "satabench %s\nfeatures: " WITH_URING "io_uring " WITH_CPUID "libcpuid\n",
		SB_VERSION);
}

/* Long name, short, metavar and choices between tabs, "-" for none. */
void sb_help_print_table(FILE *out)
{
	for (const struct sb_option *o = sb_option_table; o->name; o++) {
		if (!o->group)
			continue;
		fprintf(out, "--%s\t", o->name);
		if (o->letter)
			fprintf(out, "-%c\t", o->letter);
		else
			fputs("-\t", out);
		fprintf(out, "%s\t%s", o->metavar ? o->metavar : "-", o->choice ? "" : "-");
		for (size_t i = 0; o->choice && o->choice(i); i++)
			fprintf(out, "%s%s", i ? " " : "", o->choice(i));
		fputc('\n', out);
	}
}
