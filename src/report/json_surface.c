/* The surfaces in JSON: written and read back. */
#include <errno.h>
#include <stdlib.h>

#include "json_read_priv.h"
#include "report_priv.h"

json_t *report_json_surface(const struct sb_result *result, const struct sb_surface *s)
{
	json_t *object = report_json_object(&sb_fields_surface, s);
	json_t *buckets = json_array(), *ranges = json_array(), *slowest = json_array();
	int rc = report_json_put(object, "node",
				 report_json_node(result, result->devices[s->device].node));

	for (size_t i = 0; i < s->n_buckets; i++)
		rc |= json_array_append_new(
			buckets, report_json_object(&sb_fields_surface_bucket, &s->buckets[i]));
	for (size_t i = 0; i < s->n_kept; i++)
		rc |= json_array_append_new(
			ranges, report_json_object(&sb_fields_surface_range, &s->ranges[i]));
	for (size_t i = 0; i < s->n_slowest; i++)
		rc |= json_array_append_new(
			slowest, report_json_object(&sb_fields_surface_slow, &s->slowest[i]));
	rc |= report_json_put(object, "ranges", ranges);
	rc |= report_json_put(object, "slowest", slowest);
	return report_json_finish(object, rc | report_json_put(object, "buckets", buckets));
}

int report_json_put_surfaces(json_t *root, const struct sb_result *result)
{
	json_t *surfaces;
	int rc = 0;

	if (result->n_surfaces == 0)
		return 0;
	surfaces = json_array();
	for (size_t i = 0; i < result->n_surfaces; i++)
		rc |= json_array_append_new(surfaces,
					    report_json_surface(result, &result->surfaces[i]));
	return rc | report_json_put(root, "surface", surfaces);
}

static int read_bucket(struct reader *r, const json_t *json, void *arg)
{
	struct sb_surface *s = arg;

	return reader_fields(r, json, &sb_fields_surface_bucket, &s->buckets[s->n_buckets++]);
}

static int read_range(struct reader *r, const json_t *json, void *arg)
{
	struct sb_surface *s = arg;
	int rc;

	if (s->n_kept == SB_SURFACE_RANGES)
		return reader_fail(r, "offset_bytes", "one range more than a result can have");
	rc = reader_fields(r, json, &sb_fields_surface_range, &s->ranges[s->n_kept]);
	if (rc == 0 && !sb_surface_kind_name(s->ranges[s->n_kept].kind))
		return reader_fail(r, "kind", "must be the name of a kind");
	if (rc == 0 && s->ranges[s->n_kept].offset_bytes > s->offset_bytes + s->span_bytes)
		return reader_fail(r, "offset_bytes", "lies behind the end");
	if (rc == 0 && s->ranges[s->n_kept].length_bytes > s->span_bytes)
		return reader_fail(r, "length_bytes", "is longer than the device");
	s->n_kept++;
	return rc;
}

static int read_slow(struct reader *r, const json_t *json, void *arg)
{
	struct sb_surface *s = arg;

	if (s->n_slowest == SB_SURFACE_SLOWEST)
		return reader_fail(r, "offset_bytes", "one slow read more than a result can have");
	return reader_fields(r, json, &sb_fields_surface_slow, &s->slowest[s->n_slowest++]);
}

/* What divides, and what is counted on when the surface is gone on with. */
static int check(struct reader *r, const struct sb_surface *s, const struct sb_result *result)
{
	uint64_t total, end;

	if (s->device < 0 || (size_t)s->device >= result->n_devices)
		return reader_fail(r, "device", "is no index of the devices");
	if (s->sector_bytes == 0 || s->bucket_bytes == 0 || s->places == 0 ||
	    s->bucket_bytes > s->span_bytes + ((uint64_t)1 << 20))
		return reader_fail(r, "bucket_bytes", "and its like must be positive");
	if (__builtin_mul_overflow(s->places, s->run_bytes, &total) || total > s->span_bytes ||
	    __builtin_add_overflow(s->offset_bytes, s->span_bytes, &end) ||
	    s->position_bytes > total || (total > 0 && s->run_bytes == 0))
		return reader_fail(r, "position_bytes", "and the places do not fit the span");
	return 0;
}

static int read_surface(struct reader *r, const json_t *json, void *arg)
{
	struct sb_result *result = arg;
	struct sb_surface *s = sb_result_add_surface(result, -1);
	size_t n = json_array_size(json_object_get(json, "buckets")), outliers;
	int rc;

	if (!s || sb_surface_room(s, n) < 0)
		return -ENOMEM;
	rc = reader_fields(r, json, &sb_fields_surface, s);
	if (rc == 0)
		rc = check(r, s, result);
	outliers = s->n_outliers;
	if (rc == 0 && n != (s->span_bytes + s->bucket_bytes - 1) / s->bucket_bytes)
		return reader_fail(r, "buckets", "must cover the span");
	if (rc == 0)
		rc = reader_each(r, json, "buckets", read_bucket, s);
	if (rc == 0)
		rc = reader_each(r, json, "ranges", read_range, s);
	if (rc == 0)
		rc = reader_each(r, json, "slowest", read_slow, s);
	if (rc == 0 && outliers > s->n_slowest)
		return reader_fail(r, "outlier_count", "is more than there are slow reads");
	return rc;
}

int reader_surfaces(struct reader *r, const json_t *root, struct sb_result *result)
{
	return reader_each(r, root, "surface", read_surface, result);
}
