/* How the JSON file is laid out: what is nested three deep or less stands on one line (a node, a
 * job, a row of figures), the rest a line a member; of arrays those of numbers only. */
#include "report_priv.h"

#include <errno.h>
#include <stdlib.h>

#define INLINE_HEIGHT 3

/* 0 for a scalar; counting stops above INLINE_HEIGHT. */
static int height(const json_t *json, int limit)
{
	int most = -1;
	const char *key;
	json_t *value;
	size_t i;

	if (limit < 0 || (!json_is_object(json) && !json_is_array(json)))
		return 0;
	json_object_foreach((json_t *)(uintptr_t)json, key, value)
	{
		int h = height(value, limit - 1);

		most = h > most ? h : most;
	}
	json_array_foreach(json, i, value)
	{
		int h = height(value, limit - 1);

		most = h > most ? h : most;
	}
	return most + 1 > 0 ? most + 1 : 1;
}

static bool is_inline(const json_t *json)
{
	return height(json, INLINE_HEIGHT) <= (json_is_array(json) ? 1 : INLINE_HEIGHT);
}

static int print_value(FILE *out, const json_t *json, int depth);

static int print_object(FILE *out, const json_t *json, int depth)
{
	const char *key, *between = "";
	json_t *value;
	int rc = 0;

	fputs("{", out);
	json_object_foreach((json_t *)(uintptr_t)json, key, value)
	{
		json_t *name = json_string(key);

		fprintf(out, "%s\n%*s", between, (depth + 1) * 2, "");
		if (!name || json_dumpf(name, out, REPORT_JSON_FLAGS) != 0)
			rc = -EIO;
		json_decref(name);
		fputs(": ", out);
		if (rc == 0)
			rc = print_value(out, value, depth + 1);
		if (rc != 0)
			return rc;
		between = ",";
	}
	fprintf(out, "\n%*s}", depth * 2, "");
	return rc;
}

static int print_array(FILE *out, const json_t *json, int depth)
{
	const char *between = "";
	json_t *value;
	size_t i;

	fputs("[", out);
	json_array_foreach(json, i, value)
	{
		int rc;

		fprintf(out, "%s\n%*s", between, (depth + 1) * 2, "");
		rc = print_value(out, value, depth + 1);
		if (rc != 0)
			return rc;
		between = ",";
	}
	fprintf(out, "\n%*s]", depth * 2, "");
	return 0;
}

static int print_value(FILE *out, const json_t *json, int depth)
{
	if (is_inline(json))
		return json_dumpf(json, out, REPORT_JSON_FLAGS) == 0 ? 0 : -EIO;
	return json_is_object(json) ? print_object(out, json, depth)
				    : print_array(out, json, depth);
}

int report_json_print(FILE *out, const json_t *json)
{
	int rc = print_object(out, json, 0);

	fputc('\n', out);
	return rc;
}
