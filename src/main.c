/* The verbs. What a verb does is a list of steps in src/cmd. */
#include <stdio.h>
#include <string.h>

#include "cmd/verbs.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"list", sb_cmd_list},	     {"exec", sb_cmd_exec}, {"report", sb_cmd_report},
	{"compare", sb_cmd_compare}, {"help", sb_cmd_help},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	return sb_cmd_run(argc, argv);
}
