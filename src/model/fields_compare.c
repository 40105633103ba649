/* The field tables of a comparison. */
#include "fields_priv.h"
#include "satabench/comparison.h"

#define S(member, k, l, u, t) ROW(sb_session, member, k, l, u, NEITHER, t)
static const struct sb_field session_rows[] = {
	S(file, "file", "file", "", STRING),	 S(started, "started", "started", "", STRING),
	S(label, "label", "label", "", STRING),	 S(complete, "complete", "complete", "", BOOL),
	S(rounds, "rounds", "rounds", "", SIZE), S(taints, "taints", "taints", "", SIZE),
};
TABLE(session, session_rows);

#define C(member, k, l, t) ROW(sb_change, member, k, l, "", NEITHER, t)
static const struct sb_field change_rows[] = {
	C(what, "what", "what", STRING),       C(subject, "subject", "of", STRING),
	C(before, "before", "before", STRING), C(after, "after", "after", STRING),
	C(load, "load", "another load", BOOL),
};
TABLE(change, change_rows);

/* The unit of the two values is that of rates; of CPU time it is s/GiB. */
#define H(member, k, l, u, t) ROW(sb_shift, member, k, l, u, NEITHER, t)
static const struct sb_field shift_rows[] = {
	ROW_NAME(sb_shift, kind, "kind", "kind", sb_shift_kind_name, NULL),
	H(name, "name", "name", "", STRING),
	H(name_after, "name_after", "name after", "", STRING),
	H(n_devices, "devices", "devices", "", SIZE),
	H(before.value, "before.value", "before", "B/s", DOUBLE),
	H(before.sd, "before.sd_percent", "sd of a value", "%", FRACTION),
	H(before.n, "before.n", "values", "", SIZE),
	H(before.by_session, "before.by_session", "sessions are the values", "", BOOL),
	H(after.value, "after.value", "after", "B/s", DOUBLE),
	H(after.sd, "after.sd_percent", "sd of a value", "%", FRACTION),
	H(after.n, "after.n", "values", "", SIZE),
	H(after.by_session, "after.by_session", "sessions are the values", "", BOOL),
	H(shift, "shift_percent", "shift", "%", FRACTION),
	H(low, "interval.low_percent", "95 % interval", "%", FRACTION),
	H(high, "interval.high_percent", "95 % interval", "%", FRACTION),
	H(p, "p", "probability of so much by chance", "", DOUBLE),
	H(sure, "sure", "chance is rejected", "", BOOL),
	H(within, "within_percent", "the same within", "%", FRACTION),
};
TABLE(shift, shift_rows);
