/* The field tables: the scalars of the model's structs, in the order in which they are written. */
#include "satabench/field.h"

#include <string.h>

#include "fields_priv.h"
#include "satabench/cleanup.h"
#include "satabench/result.h"

static int find_name(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

static const char *const buffers_names[] = {
	[SB_BUFFERS_AUTO] = "auto", [SB_BUFFERS_ONE] = "one", [SB_BUFFERS_OWN] = "own"};

static const char *buffers_name(int value)
{
	return value >= 0 && value < (int)SB_COUNT(buffers_names) ? buffers_names[value] : NULL;
}

static int buffers_parse(const char *name)
{
	return find_name(buffers_names, SB_COUNT(buffers_names), name);
}

static const char *const device_kind_names[] = {[SB_DEVICE_BLOCK] = "block",
						[SB_DEVICE_FILE] = "file",
						[SB_DEVICE_NULL] = "null",
						[SB_DEVICE_DIRECTORY] = "directory"};

static const char *device_kind_name(int value)
{
	return value >= 0 && value < (int)SB_COUNT(device_kind_names) ? device_kind_names[value]
								      : NULL;
}

static int device_kind_parse(const char *name)
{
	return find_name(device_kind_names, SB_COUNT(device_kind_names), name);
}

static const char *const mark_level_names[] = {[SB_MARK_NOTE] = "note", [SB_MARK_TAINT] = "taint"};

static const char *mark_level_name(int value)
{
	return value >= 0 && value < (int)SB_COUNT(mark_level_names) ? mark_level_names[value]
								     : NULL;
}

static int mark_level_parse(const char *name)
{
	return find_name(mark_level_names, SB_COUNT(mark_level_names), name);
}

static const char *node_kind_name(int value)
{
	return value >= 0 && value < SB_NODE_KINDS ? sb_node_kind_name((enum sb_node_kind)value)
						   : NULL;
}

#define O(member, k, l, u, t) ROW(sb_options, member, k, l, u, NEITHER, t)
static const struct sb_field options_rows[] = {
	O(targets_said, "targets_said", "targets were asked for", "", BOOL),
	O(plan, "plan", "plan", "", STRING),
	O(workload, "workload", "workload", "", STRING),
	O(md_check, "md_check", "md's own check", "", BOOL),
	O(surface_places, "surface_places", "places of a surface", "", U64_SET),
	O(resume, "resume", "result that is gone on with", "", STRING),
	O(engine, "engine", "engine", "", STRING),
	O(block_bytes, "block_bytes", "block size", "B", U64_SET),
	O(streams, "streams", "readers of an array at once", "", U64_SET),
	O(depth, "depth", "queue depth", "", U64_SET),
	O(buffered, "buffered", "through the page cache", "", BOOL),
	ROW_NAME(sb_options, buffers, "buffers", "buffers", buffers_name, buffers_parse),
	O(runtime_s, "runtime_seconds", "time of a phase", "s", DOUBLE),
	O(size_bytes, "size_bytes", "amount per device and phase", "B", U64_SET),
	O(count, "count", "amount in blocks", "", U64_SET),
	O(offset_bytes, "offset_bytes", "where reading begins", "B", U64),
	O(skip, "skip", "where reading begins, in blocks", "", U64),
	O(end_at_end, "end_at_end", "stops at the end of the device", "", BOOL),
	O(rounds, "rounds", "rounds", "", U64_SET),
	O(baseline_s, "baseline_seconds", "look at the CPU before the load", "s", DOUBLE),
	O(hang_timeout_s, "hang_timeout_seconds", "a device hangs after", "s", DOUBLE),
	O(max_errors, "max_errors", "read errors until a device has failed", "", U64),
	O(virtual_time, "virtual_time", "virtual time", "", BOOL),
	O(seed, "seed", "seed", "", U64),
	O(format, "format", "output format", "", STRING),
	O(output, "output", "file of the report", "", STRING),
	O(save, "save", "file of the result", "", STRING),
	O(label, "label", "label", "", STRING),
	O(status_interval_s, "status_interval_seconds", "time between status lines", "s", DOUBLE),
	O(no_progress, "no_progress", "no progress display", "", BOOL),
	O(dry_run, "dry_run", "dry run", "", BOOL),
	O(verbose, "verbose", "verbose", "", BOOL),
	O(quiet, "quiet", "quiet", "", BOOL),
	O(preset, "preset", "preset", "", STRING),
	O(config, "config", "config file", "", STRING),
};
TABLE(options, options_rows);

static const struct sb_field node_rows[] = {
	ROW(sb_node, id, "id", "id", "", NEITHER, STRING),
	ROW_NAME(sb_node, kind, "kind", "kind", node_kind_name, sb_node_kind_parse),
	ROW(sb_node, name, "name", "name", "", NEITHER, STRING),
	ROW(sb_node, stable_id, "stable_id", "stable id", "", NEITHER, STRING),
	ROW(sb_node, practical_bytes_s, "limit.bytes_per_second", "can be expected", "B/s", NEITHER,
	    DOUBLE),
	ROW(sb_node, line_bytes_s, "limit.line_bytes_per_second", "cannot be exceeded", "B/s",
	    NEITHER, DOUBLE),
	ROW(sb_node, limit_source, "limit.source", "source of the limits", "", NEITHER, STRING),
};
TABLE(node, node_rows);

#define D(member, k, l, u, b, t) ROW(sb_device, member, k, l, u, b, t)
static const struct sb_field device_rows[] = {
	D(target, "target", "target", "", NEITHER, STRING),
	D(path, "path", "path", "", NEITHER, STRING),
	ROW_NAME(sb_device, kind, "kind", "kind", device_kind_name, device_kind_parse),
	D(major, "major", "device number, major", "", NEITHER, U32),
	D(minor, "minor", "device number, minor", "", NEITHER, U32),
	D(file_system, "file_system", "file system", "", NEITHER, STRING),
	D(file_system_source, "file_system_source", "source of the file system", "", NEITHER,
	  STRING),
	D(size_bytes, "size_bytes", "size", "B", NEITHER, U64),
	D(sector_bytes, "sector_bytes", "sector", "B", NEITHER, U32_SET),
	D(rotational, "rotational", "turns", "", NEITHER, BOOL),
	D(one_buffer, "one_buffer", "one buffer can be taken", "", NEITHER, BOOL),
	D(own_reason, "own_reason", "why not one buffer", "", NEITHER, STRING),
	D(stat_path, "stat_path", "file of its counters", "", NEITHER, STRING),
	D(counts_all, "counts_all", "its counters count it alone", "", NEITHER, BOOL),
	ROW_NAME(sb_device, state, "state", "state", sb_device_state_name, sb_device_state_parse),
	D(engine, "engine", "engine", "", NEITHER, STRING),
	D(engine_reason, "engine_reason", "why not the first choice", "", NEITHER, STRING),
	D(buffers, "buffers", "buffers", "", NEITHER, STRING),
	D(depth, "depth", "queue depth", "", NEITHER, U64_SET),
	D(contents, "contents", "contents", "", NEITHER, STRING),
	D(looks_empty, "looks_empty", "looks empty", "", NEITHER, BOOL),
	D(wake_seconds, "wake_seconds", "first read", "s", LOWER, DOUBLE),
	D(message, "message", "message", "", NEITHER, STRING),
	D(alone_bytes_s, "alone_bytes_per_second", "alone", "B/s", HIGHER, DOUBLE),
	D(all_bytes_s, "all_bytes_per_second", "together", "B/s", HIGHER, DOUBLE),
	D(loss_percent, "loss_percent", "loss", "%", LOWER, DOUBLE),
};
TABLE(device, device_rows);

#define P(member, k, l, u, b, t) ROW(sb_phase, member, k, l, u, b, t)
static const struct sb_field phase_rows[] = {
	ROW_NAME(sb_phase, kind, "kind", "kind", sb_phase_kind_name, sb_phase_kind_parse),
	P(reason, "reason", "reason", "", NEITHER, STRING),
	P(round, "round", "round", "", NEITHER, U32_SET),
	P(runtime_s, "settings.runtime_seconds", "wished length", "s", NEITHER, DOUBLE),
	P(done, "done", "was run", "", NEITHER, BOOL),
	P(complete, "complete", "was run to its end", "", NEITHER, BOOL),
	P(started_s, "started_seconds", "gate, since the start", "s", NEITHER, DOUBLE),
	P(window_start_ns, "window_start_ns", "start of the common window", "ns", NEITHER, U64),
	P(window_end_ns, "window_end_ns", "end of the common window", "ns", NEITHER, U64),
	P(first_done_ns, "first_done_ns", "earliest first completion", "ns", LOWER, U64),
	P(last_done_ns, "last_done_ns", "last completion", "ns", LOWER, U64),
	P(seconds, "seconds", "common window", "s", NEITHER, DOUBLE),
	P(bytes_s, "bytes_per_second", "rate", "B/s", HIGHER, DOUBLE),
	P(dropped, "dropped", "stood apart, left out of means", "", NEITHER, BOOL),
};
TABLE(phase, phase_rows);

#define J(member, k, l, u, b, t) ROW(sb_job, member, k, l, u, b, t)
static const struct sb_field job_rows[] = {
	J(device, "device", "index of the device", "", NEITHER, INT),
	J(target, "target", "target", "", NEITHER, STRING),
	J(workload, "workload", "workload", "", NEITHER, STRING),
	J(test, "test", "test", "", NEITHER, STRING),
	J(engine, "engine", "engine", "", NEITHER, STRING),
	J(buffers, "buffers", "buffers", "", NEITHER, STRING),
	J(depth, "depth", "queue depth", "", NEITHER, U64),
	J(block_bytes, "block_bytes", "block size", "B", NEITHER, U64),
	J(offset_bytes, "offset_bytes", "first byte", "B", NEITHER, U64),
	J(span_bytes, "span_bytes", "span", "B", NEITHER, U64),
	J(limit_bytes, "limit_bytes", "stops after", "B", NEITHER, U64_SET),
	J(end_at_end, "end_at_end", "stops at the end of the device", "", NEITHER, BOOL),
	ROW_NAME(sb_job, state, "state", "state", sb_job_state_name, sb_job_state_parse),
	J(bytes, "bytes", "bytes", "B", HIGHER, U64),
	J(outside_bytes, "outside_bytes", "bytes outside the common window", "B", NEITHER, U64),
	J(operations, "operations", "operations", "", HIGHER, U64),
	J(seconds, "seconds", "common window", "s", NEITHER, DOUBLE),
	J(elapsed_seconds, "elapsed_seconds", "gate to last completion", "s", LOWER, DOUBLE),
	J(cpu_ns, "cpu_ns", "CPU time of its thread", "ns", LOWER, U64),
	J(system_ns, "system_ns", "of it, in the kernel", "ns", LOWER, U64),
	J(first_done_ns, "first_done_ns", "first completion", "ns", LOWER, U64),
	J(last_done_ns, "last_done_ns", "last completion", "ns", NEITHER, U64),
	J(bytes_s, "bytes_per_second", "rate", "B/s", HIGHER, DOUBLE),
	J(iops, "iops", "IOPS", "1/s", HIGHER, DOUBLE),
	J(n_errors, "error_count", "read errors", "", LOWER, U64),
	J(wrapped, "wrapped", "began again at its start", "", NEITHER, BOOL),
	J(device_bytes, "device_bytes", "read by the device's counter", "B", NEITHER, U64),
	J(device_operations, "device_operations", "reads by the device's counter", "", NEITHER,
	  U64),
	J(device_busy_ms, "device_busy_ms", "busy by the device's counter", "ms", NEITHER, U64),
	J(device_write_bytes, "device_write_bytes", "written by the device's counter", "B", NEITHER,
	  U64),
};
TABLE(job, job_rows);

#define L(member, l) ROW(sb_latency, member, #member, l, "ns", LOWER, DOUBLE)
static const struct sb_field latency_rows[] = {
	L(min, "minimum"), L(mean, "mean"),  L(p50, "p50"),	L(p90, "p90"),
	L(p99, "p99"),	   L(p999, "p99.9"), L(max, "maximum"),
};
TABLE(latency, latency_rows);

#define C(member, k, l, b) ROW(sb_cpu_figures, member, k, l, "%", b, DOUBLE)
static const struct sb_field cpu_rows[] = {
	C(user, "user", "%user", LOWER),
	C(nice, "nice", "%nice", LOWER),
	C(system, "system", "%system", LOWER),
	C(iowait, "iowait", "%iowait", NEITHER),
	C(steal, "steal", "%steal", LOWER),
	C(idle, "idle", "%idle", HIGHER),
	C(busy_exact, "busy_exact", "busy_exact", LOWER),
	ROW(sb_cpu_figures, busiest_cpu, "busiest.cpu", "busiest CPU", "", NEITHER, INT),
	C(busiest_busy, "busiest.busy", "busiest CPU, busy", LOWER),
	C(busiest_system, "busiest.system", "busiest CPU, system", LOWER),
	C(busiest_softirq, "busiest.softirq", "busiest CPU, softirq", LOWER),
	C(own_percent, "own_percent", "satabench itself", LOWER),
};
TABLE(cpu, cpu_rows);

static const struct sb_field counters_rows[] = {
	ROW(sb_cpu_counters, wall_ns, "wall_ns", "length", "ns", NEITHER, U64),
	ROW(sb_cpu_counters, own_ns, "own_ns", "CPU time of satabench", "ns", LOWER, U64),
	ROW(sb_cpu_counters, cgroup_ns, "cgroup_ns", "CPU time of all by the root cgroup", "ns",
	    NEITHER, U64),
	ROW(sb_cpu_counters, ticks_per_second, "ticks_per_second", "ticks a second", "1/s", NEITHER,
	    U32),
	ROW(sb_cpu_counters, cpus_changed, "cpus_changed", "CPUs that came or left", "", NEITHER,
	    U64),
};
TABLE(counters, counters_rows);

#define T(i, k) ROW(sb_cpu_ticks, field[i], k, k, "ticks", NEITHER, U64)
static const struct sb_field ticks_rows[] = {
	T(SB_CPU_USER, "user"),	      T(SB_CPU_NICE, "nice"),
	T(SB_CPU_SYSTEM, "system"),   T(SB_CPU_IDLE, "idle"),
	T(SB_CPU_IOWAIT, "iowait"),   T(SB_CPU_IRQ, "irq"),
	T(SB_CPU_SOFTIRQ, "softirq"), T(SB_CPU_STEAL, "steal"),
	T(SB_CPU_GUEST, "guest"),     T(SB_CPU_GUEST_NICE, "guest_nice"),
};
TABLE(ticks, ticks_rows);

static const struct sb_field link_rows[] = {
	ROW(sb_link_reading, bits_per_second, "bits_per_second", "speed of a lane", "bit/s", HIGHER,
	    U64),
	ROW(sb_link_reading, width, "width", "lanes", "", HIGHER, U64),
};
TABLE(link, link_rows);

static const struct sb_field irq_rows[] = {
	ROW(sb_irq_count, cpu, "cpu", "CPU", "", NEITHER, INT),
	ROW(sb_irq_count, count, "count", "interrupts", "", NEITHER, U64),
};
TABLE(irq, irq_rows);

static const struct sb_field error_rows[] = {
	ROW(sb_io_error, offset_bytes, "offset", "offset", "B", NEITHER, U64),
	ROW(sb_io_error, error, "errno", "errno", "", NEITHER, INT),
	ROW(sb_io_error, message, "message", "message", "", NEITHER, STRING),
	ROW(sb_io_error, at_seconds, "at_seconds", "since the gate", "s", NEITHER, DOUBLE),
};
TABLE(error, error_rows);

static const struct sb_field mark_rows[] = {
	ROW_NAME(sb_mark, level, "level", "level", mark_level_name, mark_level_parse),
	ROW(sb_mark, id, "id", "id", "", NEITHER, STRING),
	ROW(sb_mark, subject, "subject", "subject", "", NEITHER, STRING),
	ROW(sb_mark, message, "message", "message", "", NEITHER, STRING),
	ROW(sb_mark, value, "value", "value", "", NEITHER, DOUBLE),
	ROW(sb_mark, threshold, "threshold", "threshold", "", NEITHER, DOUBLE),
};
TABLE(mark, mark_rows);

static const struct sb_field host_rows[] = {
	ROW(sb_host, name, "name", "host", "", NEITHER, STRING),
	ROW(sb_host, kernel, "kernel", "kernel", "", NEITHER, STRING),
	ROW(sb_host, cpu_brand, "cpu.brand", "CPU", "", NEITHER, STRING),
	ROW(sb_host, cpus_online, "cpu.logical", "CPUs online", "", NEITHER, U64),
	ROW(sb_host, memory_bytes, "memory_bytes", "memory", "B", NEITHER, U64),
};
TABLE(host, host_rows);

#define R(member, k, l, u, b, t) ROW(sb_result, member, k, l, u, b, t)
static const struct sb_field result_rows[] = {
	R(version, "satabench.version", "version", "", NEITHER, STRING),
	R(complete, "complete", "complete", "", NEITHER, BOOL),
	R(started, "started", "started", "", NEITHER, STRING),
	R(label, "label", "label", "", NEITHER, STRING),
	R(command, "command", "command", "", NEITHER, STRING),
	R(elapsed_seconds, "elapsed_seconds", "took", "s", LOWER, DOUBLE),
	R(realtime_step_s, "realtime_step_seconds", "clock set by", "s", NEITHER, DOUBLE),
	R(throttle_events, "throttle_events", "slowed by heat", "", LOWER, U64),
	R(alone_bytes_s, "alone_bytes_per_second", "alone", "B/s", HIGHER, DOUBLE),
	R(all_bytes_s, "all_bytes_per_second", "together", "B/s", HIGHER, DOUBLE),
	R(loss_percent, "loss_percent", "loss", "%", LOWER, DOUBLE),
	R(bytes_s_per_busy_cpu, "bytes_per_second_per_busy_cpu", "per busy CPU", "B/s", HIGHER,
	  DOUBLE),
};
TABLE(result, result_rows);
