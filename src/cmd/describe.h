/* What a result says of how it came about. */
#ifndef SATABENCH_CMD_DESCRIBE_H
#define SATABENCH_CMD_DESCRIBE_H

#include "satabench/result.h"

/* Version, time, host, label and the command line: `program` stands for argv[0]. 0 or -ENOMEM. */
int describe_start(struct sb_result *result, const char *program, int argc, char **argv);

#endif
