/* One value of a field table as text. */
#include "report_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/file.h"
#include "satabench/units.h"

char *report_double_text(double value)
{
	char text[40];

	if (!isfinite(value))
		return strdup("");
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return strdup(text);
}

/* The percent that is written divided by 100 need not be the same fraction, so that of either is
 * taken to twelve digits: what a saved result says again is the same in every format. */
double report_percent(double fraction)
{
	char text[40];

	if (!isfinite(fraction))
		return NAN;
	snprintf(text, sizeof(text), "%.11e", fraction * 100);
	return strtod(text, NULL);
}

static char *u64_text(uint64_t value, uint64_t none)
{
	return value == none ? strdup("") : sb_format("%llu", (unsigned long long)value);
}

char *report_field_text(const struct sb_field *field, const void *base)
{
	const char *at = (const char *)base + field->offset;
	const char *text = NULL;
	int number;

	switch (field->type) {
	case SB_FIELD_U64:
		return u64_text(*(const uint64_t *)(const void *)at, SB_NONE_U64);
	case SB_FIELD_U64_SET:
		return u64_text(*(const uint64_t *)(const void *)at, 0);
	case SB_FIELD_U32:
		return u64_text(*(const uint32_t *)(const void *)at, SB_NONE_U64);
	case SB_FIELD_U32_SET:
		return u64_text(*(const uint32_t *)(const void *)at, 0);
	case SB_FIELD_INT:
		number = *(const int *)(const void *)at;
		return number == -1 ? strdup("") : sb_format("%d", number);
	case SB_FIELD_BOOL:
		return strdup(*(const bool *)at ? "true" : "false");
	case SB_FIELD_ANSWER:
		number = *(const int *)(const void *)at;
		return strdup(number == SB_ANSWER_NONE	? ""
			      : number == SB_ANSWER_YES ? "true"
							: "false");
	case SB_FIELD_DOUBLE:
		return report_double_text(*(const double *)(const void *)at);
	case SB_FIELD_SIZE:
		return u64_text(*(const size_t *)(const void *)at, SB_NONE_U64);
	case SB_FIELD_SIZE_SET:
		return u64_text(*(const size_t *)(const void *)at, 0);
	case SB_FIELD_FRACTION:
		return report_double_text(report_percent(*(const double *)(const void *)at));
	case SB_FIELD_STRING:
		text = *(char *const *)(const void *)at;
		break;
	case SB_FIELD_NAME:
		text = field->name(*(const int *)(const void *)at);
		break;
	}
	return strdup(text ? text : "");
}
