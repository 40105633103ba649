/* The field tables of arrays. */
#include "fields_priv.h"
#include "satabench/device.h"
#include "satabench/md.h"
#include "satabench/plan.h"

#define A(member, k, l, u, b, t) ROW(sb_md_array, member, k, l, u, b, t)
static const struct sb_field md_rows[] = {
	A(name, "name", "name", "", NEITHER, STRING),
	A(device, "device", "index of the device", "", NEITHER, INT),
	A(level, "level", "level", "", NEITHER, STRING),
	A(layout, "layout_number", "layout, md's number", "", NEITHER, U64),
	A(chunk_bytes, "chunk_bytes", "chunk", "B", NEITHER, U64),
	A(metadata, "metadata", "metadata", "", NEITHER, STRING),
	A(container, "container", "container", "", NEITHER, STRING),
	A(raid_disks, "raid_disks", "slots", "", NEITHER, U64),
	A(raid_disks_old, "raid_disks_before", "slots before the reshape", "", NEITHER, U64),
	A(degraded, "degraded", "slots without a good member", "", LOWER, U64),
	A(mismatch_sectors, "mismatch_sectors", "mismatches of the last check, sectors", "", LOWER,
	  U64),
	A(component_bytes, "component_bytes", "used of each member", "B", NEITHER, U64),
	A(size_bytes, "size_bytes", "size", "B", NEITHER, U64),
	A(array_state, "state", "state", "", NEITHER, STRING),
	A(sync_action, "sync_action", "sync action", "", NEITHER, STRING),
	A(sync_action_end, "sync_action_end", "sync action at the end", "", NEITHER, STRING),
	A(last_sync_action, "last_sync_action", "last sync action", "", NEITHER, STRING),
	A(sync_waits, "sync_waits", "sync waits", "", NEITHER, STRING),
	A(sync_done_sectors, "sync_done_sectors", "sync done, sectors", "", NEITHER, U64),
	A(sync_total_sectors, "sync_total_sectors", "sync of, sectors", "", NEITHER, U64),
	A(sync_bytes_s, "sync_bytes_per_second", "sync speed", "B/s", NEITHER, U64),
	A(sync_min_bytes_s, "sync_min_bytes_per_second", "sync speed, md's least", "B/s", NEITHER,
	  U64),
	A(sync_max_bytes_s, "sync_max_bytes_per_second", "sync speed, md's most", "B/s", NEITHER,
	  U64),
	A(stripe_cache, "stripe_cache_size", "stripe cache, pages a member", "", NEITHER, U64),
	A(read_ahead_bytes, "read_ahead_bytes", "read-ahead", "B", NEITHER, U64),
	A(bitmap, "bitmap", "bitmap", "", NEITHER, STRING),
	A(consistency, "consistency_policy", "consistency policy", "", NEITHER, STRING),
	A(mdstat_differs, "mdstat_differs", "what /proc/mdstat says otherwise", "", NEITHER,
	  STRING),
	A(stripe_bytes, "stripe_bytes", "data of a stripe", "B", NEITHER, U64_SET),
	A(block_bytes, "block_bytes", "block in which it was read", "B", NEITHER, U64_SET),
	A(alone_bytes_s, "members_alone_bytes_per_second", "members alone", "B/s", HIGHER, DOUBLE),
	A(together_bytes_s, "members_together_bytes_per_second", "members together", "B/s", HIGHER,
	  DOUBLE),
	A(one.bytes_s, "array_bytes_per_second", "array, one reader", "B/s", HIGHER, DOUBLE),
	A(one.beside_bytes_s, "array_beside_bytes_per_second", "the same, all arrays at once",
	  "B/s", HIGHER, DOUBLE),
	A(one.theory.low, "theory.low", "theory, least", "B/s", NEITHER, DOUBLE),
	A(one.theory.high, "theory.high", "theory, most", "B/s", NEITHER, DOUBLE),
	A(controller_loss, "loss_percent.controller", "lost in controllers", "%", LOWER, FRACTION),
	A(one.md_loss, "loss_percent.md", "lost in md", "%", LOWER, FRACTION),
	A(one.cpu_loss, "loss_percent.cpu", "lost to the CPU", "%", LOWER, FRACTION),
	A(one.p_below, "below_probability", "below its range by over 5 %", "", LOWER, DOUBLE),
	A(one.streams, "array_readers", "one reader", "", NEITHER, U32_SET),
	A(many.streams, "streams", "readers at once", "", NEITHER, U32_SET),
	A(many.bytes_s, "streams_bytes_per_second", "array, several readers", "B/s", HIGHER,
	  DOUBLE),
	A(many.beside_bytes_s, "streams_beside_bytes_per_second", "the same, all arrays at once",
	  "B/s", HIGHER, DOUBLE),
	A(many.theory.low, "streams_theory.low", "theory, least, several readers", "B/s", NEITHER,
	  DOUBLE),
	A(many.theory.high, "streams_theory.high", "theory, most, several readers", "B/s", NEITHER,
	  DOUBLE),
	A(many.md_loss, "streams_loss_percent.md", "lost in md, several readers", "%", LOWER,
	  FRACTION),
	A(many.cpu_loss, "streams_loss_percent.cpu", "lost to the CPU, several readers", "%", LOWER,
	  FRACTION),
	A(many.p_below, "streams_below_probability", "below its range, several readers", "", LOWER,
	  DOUBLE),
	A(slowest, "slowest", "index of the slowest member", "", NEITHER, INT),
	A(check_seconds, "check_seconds", "a check, estimate", "s", LOWER, DOUBLE),
	A(rebuild_seconds, "rebuild_seconds", "a rebuild, estimate", "s", LOWER, DOUBLE),
};
TABLE(md, md_rows);

#define M(member, k, l, u, b, t) ROW(sb_md_member, member, k, l, u, b, t)
static const struct sb_field md_member_rows[] = {
	M(name, "name", "name", "", NEITHER, STRING),
	M(device, "device", "index of the device", "", NEITHER, INT),
	ROW_NAME(sb_md_member, role, "role", "role", sb_md_role_name, sb_md_role_parse),
	M(slot, "slot", "slot", "", NEITHER, INT),
	M(state, "state", "state", "", NEITHER, STRING),
	M(in_sync, "in_sync", "in sync", "", NEITHER, BOOL),
	M(write_mostly, "write_mostly", "write-mostly", "", NEITHER, BOOL),
	M(want_replacement, "want_replacement", "wants a replacement", "", NEITHER, BOOL),
	M(size_bytes, "size_bytes", "used of it", "B", NEITHER, U64),
	M(offset_bytes, "offset_bytes", "where its data begins", "B", NEITHER, U64),
	M(errors, "errors", "corrected read errors", "", LOWER, U64),
	M(bad_ranges, "bad_ranges", "ranges in its list of bad blocks", "", LOWER, U64),
	M(alone_bytes_s, "alone_bytes_per_second", "alone", "B/s", HIGHER, DOUBLE),
	M(together_bytes_s, "together_bytes_per_second", "with the other members", "B/s", HIGHER,
	  DOUBLE),
};
TABLE(md_member, md_member_rows);

static const struct sb_field device_md_rows[] = {
	ROW(sb_device, added, "added", "belongs to an array that was named", "", NEITHER, BOOL),
	ROW(sb_device, streams, "streams", "readers at once", "", NEITHER, U32_SET),
};
TABLE(device_md, device_md_rows);

static const struct sb_field job_stream_rows[] = {
	ROW(sb_job, stream, "stream", "which of several readers", "", NEITHER, U32_SET),
};
TABLE(job_stream, job_stream_rows);
