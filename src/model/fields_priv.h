/* How the rows of the field tables are written. Only fields*.c include it. */
#ifndef SATABENCH_FIELDS_PRIV_H
#define SATABENCH_FIELDS_PRIV_H

#include "satabench/cleanup.h"
#include "satabench/field.h"

#define ROW(s, member, k, l, u, b, t)                                                              \
	{                                                                                          \
		.key = (k), .label = (l), .unit = (u), .better = SB_BETTER_##b,                    \
		.type = SB_FIELD_##t, .offset = offsetof(struct s, member)                         \
	}
#define ROW_NAME(s, member, k, l, n, p)                                                            \
	{                                                                                          \
		.key = (k), .label = (l), .unit = "", .type = SB_FIELD_NAME,                       \
		.offset = offsetof(struct s, member), .name = (n), .parse = (p)                    \
	}
#define TABLE(name, rows) const struct sb_fields sb_fields_##name = {(rows), SB_COUNT(rows)}

#endif
