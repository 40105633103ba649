/* The field tables of the verdict. */
#include "fields_priv.h"
#include "satabench/plan.h"
#include "satabench/verdict.h"

#define V(member, k, l, u, t) ROW(sb_verdict, member, k, l, u, NEITHER, t)
static const struct sb_field verdict_rows[] = {
	ROW_NAME(sb_verdict, cls, "class", "class", sb_class_name, sb_class_parse),
	V(cannot_tell, "cannot_tell", "cannot tell", "", BOOL),
	V(confidence, "confidence", "confidence", "", DOUBLE),
	V(capacity_bytes_s, "capacity_bytes_per_second", "capacity", "B/s", DOUBLE),
	V(noise, "noise_percent", "noise of one run", "%", FRACTION),
	V(smallest_excluded, "smallest_excluded_percent", "smallest loss that is excluded", "%",
	  FRACTION),
	V(rounds, "rounds", "most rounds of a loss", "", SIZE),
	V(local_certain, "local_certain", "nothing comes back beside the local losses", "", BOOL),
	V(sentence, "sentence", "sentence", "", STRING),
};
TABLE(verdict, verdict_rows);

#define M(member, k, l, u, t) ROW(sb_limit, member, k, l, u, NEITHER, t)
static const struct sb_field limit_rows[] = {
	ROW_NAME(sb_limit, cls, "class", "class", sb_class_name, sb_class_parse),
	M(confidence, "confidence", "confidence", "", DOUBLE),
	M(capacity_bytes_s, "capacity_bytes_per_second", "capacity", "B/s", DOUBLE),
	M(ceiling_bytes_s, "ceiling_bytes_per_second", "ceiling", "B/s", DOUBLE),
	M(loss, "loss_percent", "loss", "%", FRACTION),
	M(cost_bytes_s, "cost_bytes_per_second", "costs", "B/s", DOUBLE),
	M(knee, "knee", "children that fill it", "", DOUBLE),
	M(ramp_knee, "ramp_knee", "disks that fill it, measured", "", SIZE_SET),
	M(cpu_confirmed, "cpu_confirmed", "larger blocks confirm the CPU", "", ANSWER),
	M(refuted, "refuted", "nothing comes back when some rest", "", BOOL),
};
TABLE(limit, limit_rows);

#define N(member, k, l, u, t) ROW(sb_node_loss, member, k, l, u, NEITHER, t)
static const struct sb_field loss_rows[] = {
	ROW_NAME(sb_node_loss, state, "state", "state", sb_loss_state_name, sb_loss_state_parse),
	N(by_group, "by_group", "measured by its group", "", BOOL),
	N(n, "n", "rounds", "", SIZE),
	N(loss, "loss_percent", "loss", "%", FRACTION),
	N(p, "p", "probability of over 3 %", "", DOUBLE),
};
TABLE(loss, loss_rows);

static const struct sb_field odd_run_rows[] = {
	ROW_NAME(sb_odd_run, kind, "kind", "kind", sb_phase_kind_name, sb_phase_kind_parse),
	ROW(sb_odd_run, round, "round", "round", "", NEITHER, U32_SET),
	ROW(sb_odd_run, foreign, "foreign", "others used a device", "", NEITHER, BOOL),
	ROW(sb_odd_run, off, "off_percent", "off the other rounds", "%", NEITHER, FRACTION),
};
TABLE(odd_run, odd_run_rows);

static const struct sb_field left_out_rows[] = {
	N(recovered, "recovered_percent", "came back of what could", "%", FRACTION),
	N(q, "q", "probability of over one half", "", DOUBLE),
	N(n_left_out, "n", "clean pairs", "", SIZE),
	N(n_resting, "resting", "parts at rest", "", SIZE_SET),
	N(clean, "clean", "enough to decide", "", BOOL),
};
TABLE(left_out, left_out_rows);
