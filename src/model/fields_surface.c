/* Field tables of the surfaces. */
#include "fields_priv.h"
#include "satabench/surface.h"
#include "satabench/verdict.h"

#define S(member, k, l, u, b, t) ROW(sb_surface, member, k, l, u, b, t)
static const struct sb_field surface_rows[] = {
	S(device, "device", "index of the device", "", NEITHER, INT),
	S(sector_bytes, "sector_bytes", "sector", "B", NEITHER, U32),
	S(offset_bytes, "offset_bytes", "first byte", "B", NEITHER, U64),
	S(span_bytes, "span_bytes", "span", "B", NEITHER, U64),
	S(places, "places", "places that are read", "", NEITHER, U64),
	S(run_bytes, "run_bytes", "length of a place", "B", NEITHER, U64),
	S(bucket_bytes, "bucket_bytes", "length of a bucket", "B", NEITHER, U64),
	S(sessions, "sessions", "runs that it took", "", NEITHER, U64),
	S(elapsed_ns, "elapsed_ns", "time that it took", "ns", LOWER, U64),
	S(position_bytes, "position_bytes", "all before it is done", "B", HIGHER, U64),
	S(read_bytes, "read_bytes", "read", "B", HIGHER, U64),
	S(range_bytes[SB_SURFACE_UNREADABLE], "unreadable_bytes", "unreadable", "B", LOWER, U64),
	S(range_bytes[SB_SURFACE_UNCLEAR], "unclear_bytes", "unreadable in part", "B", LOWER, U64),
	S(range_bytes[SB_SURFACE_SKIPPED], "skipped_bytes", "skipped", "B", LOWER, U64),
	S(range_bytes[SB_SURFACE_RECOVERED], "recovered_bytes", "read at the second try", "B",
	  LOWER, U64),
	S(n_ranges, "range_count", "ranges", "", LOWER, U64),
	S(bytes_s, "bytes_per_second", "rate", "B/s", HIGHER, DOUBLE),
	S(start_bytes_s, "start_bytes_per_second", "rate at the start", "B/s", HIGHER, DOUBLE),
	S(end_bytes_s, "end_bytes_per_second", "rate at the end", "B/s", HIGHER, DOUBLE),
	S(slow_ns, "slow_ns", "a read this slow stands out", "ns", NEITHER, DOUBLE),
	S(n_outliers, "outlier_count", "slow reads", "", LOWER, SIZE),
	S(flat_start, "flat_start.found", "the start of the curve is flat", "", NEITHER, ANSWER),
	S(flat_percent, "flat_start.percent", "length of the flat start", "%", NEITHER, DOUBLE),
	S(flat_bytes_s, "flat_start.bytes_per_second", "rate of the flat start", "B/s", NEITHER,
	  DOUBLE),
};
TABLE(surface, surface_rows);

#define B(member, k, l, u, b, t) ROW(sb_surface_bucket, member, k, l, u, b, t)
static const struct sb_field surface_bucket_rows[] = {
	B(offset_bytes, "offset_bytes", "first byte", "B", NEITHER, U64),
	B(bytes, "bytes", "read", "B", HIGHER, U64),
	B(timed_bytes, "timed_bytes", "of it in the time", "B", NEITHER, U64),
	B(ns, "ns", "time", "ns", LOWER, U64),
	B(bytes_s, "bytes_per_second", "rate", "B/s", HIGHER, DOUBLE),
};
TABLE(surface_bucket, surface_bucket_rows);

static const struct sb_field surface_range_rows[] = {
	ROW(sb_surface_range, offset_bytes, "offset_bytes", "first byte", "B", NEITHER, U64),
	ROW(sb_surface_range, length_bytes, "length_bytes", "length", "B", LOWER, U64),
	ROW_NAME(sb_surface_range, kind, "kind", "kind", sb_surface_kind_name,
		 sb_surface_kind_parse),
	ROW(sb_surface_range, error, "errno", "errno", "", NEITHER, INT),
};
TABLE(surface_range, surface_range_rows);

static const struct sb_field surface_slow_rows[] = {
	ROW(sb_surface_slow, offset_bytes, "offset_bytes", "first byte", "B", NEITHER, U64),
	ROW(sb_surface_slow, latency_ns, "latency_ns", "took", "ns", LOWER, U64),
};
TABLE(surface_slow, surface_slow_rows);
