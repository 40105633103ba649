/* Field tables of checks of arrays. */
#include "fields_priv.h"
#include "satabench/mdcheck.h"

#define C(member, k, l, u, b, t) ROW(sb_mdcheck, member, k, l, u, b, t)
static const struct sb_field mdcheck_rows[] = {
	C(name, "name", "array", "", NEITHER, STRING),
	C(level, "level", "level", "", NEITHER, STRING),
	ROW_NAME(sb_mdcheck, state, "state", "state", sb_mdcheck_state_name,
		 sb_mdcheck_state_parse),
	C(message, "message", "message", "", NEITHER, STRING),
	C(elapsed_ns, "elapsed_ns", "took", "ns", LOWER, U64),
	C(first_sector, "first_sector", "began at", "sectors", NEITHER, U64),
	C(done_sectors, "done_sectors", "came to", "sectors", HIGHER, U64),
	C(total_sectors, "total_sectors", "of", "sectors", NEITHER, U64),
	C(mismatch_before_sectors, "mismatch_before_sectors", "known mismatches", "sectors", LOWER,
	  U64),
	C(mismatch_sectors, "mismatch_sectors", "mismatches", "sectors", LOWER, U64),
	C(bytes_s, "bytes_per_second", "rate", "B/s", HIGHER, DOUBLE),
	C(percent, "percent", "done", "%", HIGHER, DOUBLE),
	C(left_seconds, "left_seconds", "time for the rest", "s", LOWER, DOUBLE),
};
TABLE(mdcheck, mdcheck_rows);

static const struct sb_field mdcheck_member_rows[] = {
	ROW(sb_mdcheck_member, name, "name", "member", "", NEITHER, STRING),
	ROW(sb_mdcheck_member, read_bytes, "read_bytes", "read", "B", HIGHER, U64),
	ROW(sb_mdcheck_member, written_bytes, "written_bytes", "written", "B", NEITHER, U64),
	ROW(sb_mdcheck_member, bytes_s, "bytes_per_second", "rate", "B/s", HIGHER, DOUBLE),
};
TABLE(mdcheck_member, mdcheck_member_rows);
