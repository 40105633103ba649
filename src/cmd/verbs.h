/* The verbs, as main calls them: argv[0] is the program or the verb, the exit status comes back. */
#ifndef SATABENCH_VERBS_H
#define SATABENCH_VERBS_H

int sb_cmd_run(int argc, char **argv);
int sb_cmd_list(int argc, char **argv);
int sb_cmd_exec(int argc, char **argv);
int sb_cmd_report(int argc, char **argv);
int sb_cmd_compare(int argc, char **argv);
int sb_cmd_help(int argc, char **argv);

#endif
