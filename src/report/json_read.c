/* The pieces of reading: every fault gives one line that says where in the file it is. A key that
 * is missing is no value, one that is not known is skipped. */
#include "json_read_priv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"
#include "satabench/cleanup.h"
#include "satabench/device.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

int reader_fail(struct reader *r, const char *key, const char *format, ...)
{
	char what[200];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	sb_error("%s: %s%s%s: %s", r->file, r->where, *r->where && *key ? "." : "", key, what);
	return -EINVAL;
}

size_t reader_enter(struct reader *r, const char *key, size_t index)
{
	size_t length = strlen(r->where);

	snprintf(r->where + length, sizeof(r->where) - length, "%s%s[%zu]", length ? "." : "", key,
		 index);
	return length;
}

void reader_leave(struct reader *r, size_t mark)
{
	r->where[mark] = '\0';
}

int reader_object(struct reader *r, const json_t *in, const char *key, const json_t **out)
{
	*out = json_object_get(in, key);
	if (!*out || json_is_null(*out)) {
		*out = NULL;
		return 0;
	}
	return json_is_object(*out) ? 0 : reader_fail(r, key, "must be an object");
}

int reader_each(struct reader *r, const json_t *in, const char *key,
		int (*element)(struct reader *r, const json_t *json, void *arg), void *arg)
{
	const json_t *array = json_object_get(in, key);
	json_t *json;
	size_t i;

	if (!array || json_is_null(array))
		return 0;
	if (!json_is_array(array))
		return reader_fail(r, key, "must be an array");
	json_array_foreach(array, i, json)
	{
		size_t mark = reader_enter(r, key, i);
		int rc = json_is_object(json) ? element(r, json, arg)
					      : reader_fail(r, "", "must be an object");

		if (rc != 0)
			return rc;
		reader_leave(r, mark);
	}
	return 0;
}

static int read_u64(struct reader *r, const char *key, const json_t *json, uint64_t most,
		    uint64_t *value)
{
	if (json_is_string(json)) { /* above 2^63 - 1, see json_write.c */
		if (sb_parse_count(json_string_value(json), value) != 0 || *value > most)
			return reader_fail(r, key, "must be a count");
		return 0;
	}
	if (!json_is_integer(json) || json_integer_value(json) < 0)
		return reader_fail(r, key, "must be a whole number, 0 or more");
	*value = (uint64_t)json_integer_value(json);
	return *value <= most ? 0 : reader_fail(r, key, "is too large");
}

static int read_string(const json_t *json, char **member)
{
	SB_AUTO_FREE char *raw = report_json_decode(json_string_value(json));

	return raw ? sb_set_string(member, raw) : -ENOMEM;
}

static int read_name(struct reader *r, const struct sb_field *field, const json_t *json, int *value)
{
	SB_AUTO_FREE char *shown = NULL;
	int number;

	if (!json_is_string(json))
		return reader_fail(r, field->key, "must be a string");
	number = field->parse(json_string_value(json));
	if (number >= 0) {
		*value = number;
		return 0;
	}
	shown = sb_escape(json_string_value(json));
	return reader_fail(r, field->key, "\"%.60s\" is not known", shown ? shown : "");
}

static int read_value(struct reader *r, const struct sb_field *field, const json_t *json, char *at)
{
	uint64_t number = 0;
	int rc;

	switch (field->type) {
	case SB_FIELD_U64:
	case SB_FIELD_U64_SET:
		return read_u64(r, field->key, json, UINT64_MAX, (uint64_t *)(void *)at);
	case SB_FIELD_U32:
	case SB_FIELD_U32_SET:
		rc = read_u64(r, field->key, json, UINT32_MAX, &number);
		*(uint32_t *)(void *)at = (uint32_t)number;
		return rc;
	case SB_FIELD_INT:
		rc = read_u64(r, field->key, json, INT_MAX, &number);
		*(int *)(void *)at = (int)number;
		return rc;
	case SB_FIELD_BOOL:
		if (!json_is_boolean(json))
			return reader_fail(r, field->key, "must be true or false");
		*(bool *)at = json_is_true(json);
		return 0;
	case SB_FIELD_ANSWER:
		if (!json_is_boolean(json))
			return reader_fail(r, field->key, "must be true or false");
		*(int *)(void *)at = json_is_true(json) ? SB_ANSWER_YES : SB_ANSWER_NO;
		return 0;
	case SB_FIELD_DOUBLE:
		if (!json_is_number(json))
			return reader_fail(r, field->key, "must be a number");
		*(double *)(void *)at = json_number_value(json);
		return 0;
	case SB_FIELD_SIZE:
	case SB_FIELD_SIZE_SET:
		rc = read_u64(r, field->key, json, SIZE_MAX - 1, &number);
		*(size_t *)(void *)at = (size_t)number;
		return rc;
	case SB_FIELD_FRACTION:
		if (!json_is_number(json))
			return reader_fail(r, field->key, "must be a number");
		*(double *)(void *)at = json_number_value(json) / 100;
		return 0;
	case SB_FIELD_STRING:
		if (!json_is_string(json))
			return reader_fail(r, field->key, "must be a string");
		return read_string(json, (char **)(void *)at);
	case SB_FIELD_NAME:
		return read_name(r, field, json, (int *)(void *)at);
	}
	return -EINVAL;
}

static void set_none(const struct sb_field *field, char *at)
{
	if (field->type == SB_FIELD_U64)
		*(uint64_t *)(void *)at = SB_NONE_U64;
	else if (field->type == SB_FIELD_U64_SET)
		*(uint64_t *)(void *)at = 0;
	else if (field->type == SB_FIELD_U32 || field->type == SB_FIELD_U32_SET)
		*(uint32_t *)(void *)at = 0;
	else if (field->type == SB_FIELD_SIZE || field->type == SB_FIELD_SIZE_SET)
		*(size_t *)(void *)at = 0;
	else if (field->type == SB_FIELD_INT)
		*(int *)(void *)at = -1;
	else if (field->type == SB_FIELD_DOUBLE || field->type == SB_FIELD_FRACTION)
		*(double *)(void *)at = NAN;
}

int reader_fields(struct reader *r, const json_t *object, const struct sb_fields *fields,
		  void *base)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct sb_field *field = &fields->field[i];
		const char *key = field->key, *point = strchr(key, '.');
		char *at = (char *)base + field->offset;
		const json_t *in = object, *json;
		char outer[32];
		int rc = 0;

		if (point) {
			snprintf(outer, sizeof(outer), "%.*s", (int)(point - key), key);
			rc = reader_object(r, object, outer, &in);
			key = point + 1;
		}
		json = in ? json_object_get(in, key) : NULL;
		if (rc == 0 && json && !json_is_null(json))
			rc = read_value(r, field, json, at);
		else if (rc == 0)
			set_none(field, at);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int reader_need_string(struct reader *r, const json_t *object, const char *key, char **out)
{
	const json_t *json = json_object_get(object, key);

	if (!json_is_string(json))
		return reader_fail(r, key, "must be a string");
	*out = report_json_decode(json_string_value(json));
	return *out ? 0 : -ENOMEM;
}

int reader_pair(struct reader *r, const json_t *object, const char *key, double *low, double *high)
{
	const json_t *pair = json_object_get(object, key);
	const json_t *first = json_array_get(pair, 0), *second = json_array_get(pair, 1);

	*low = *high = NAN;
	if (!pair || json_is_null(pair))
		return 0;
	if (json_array_size(pair) != 2 || !(json_is_number(first) || json_is_null(first)) ||
	    !(json_is_number(second) || json_is_null(second)))
		return reader_fail(r, key, "must be two numbers");
	if (json_is_number(first))
		*low = json_number_value(first);
	if (json_is_number(second))
		*high = json_number_value(second);
	return 0;
}

int reader_node(struct reader *r, const json_t *object, const char *key, const struct sb_topo *topo,
		int *node)
{
	const json_t *json = json_object_get(object, key);
	SB_AUTO_FREE char *id = NULL;
	int rc;

	*node = -1;
	if (!json || json_is_null(json))
		return 0;
	rc = reader_need_string(r, object, key, &id);
	if (rc != 0)
		return rc;
	*node = sb_topo_find(topo, id);
	return *node >= 0 ? 0 : reader_fail(r, key, "names no node of the topology");
}
