/* The field tables of what exec has run. */
#include "satabench/exec.h"

#include "fields_priv.h"

#define C(member, k, l, u, b, t) ROW(sb_copy, member, k, l, u, b, t)
static const struct sb_field copy_rows[] = {
	C(number, "copy", "copy", "", NEITHER, INT),
	ROW_NAME(sb_copy, state, "state", "state", sb_copy_state_name, sb_copy_state_parse),
	C(directory, "directory", "directory", "", NEITHER, STRING),
	C(message, "message", "message", "", NEITHER, STRING),
	C(status, "status", "exit status", "", NEITHER, INT),
	C(signal, "signal", "signal that ended it", "", NEITHER, INT),
	C(start_ns, "start_ns", "execve, since the gate", "ns", NEITHER, U64),
	C(end_ns, "end_ns", "end, since the gate", "ns", LOWER, U64),
	C(wall_s, "seconds", "wall", "s", LOWER, DOUBLE),
	C(user_ns, "user_ns", "CPU time, user", "ns", LOWER, U64),
	C(system_ns, "system_ns", "CPU time, system", "ns", LOWER, U64),
	C(cpu_percent, "cpu_percent", "CPU", "%", NEITHER, DOUBLE),
	C(peak_bytes, "peak_memory_bytes", "peak memory of its largest process", "B", LOWER, U64),
	C(read_bytes, "read_bytes", "read from block devices", "B", NEITHER, U64),
	C(write_bytes, "write_bytes", "written to block devices", "B", NEITHER, U64),
	C(cancelled_bytes, "cancelled_write_bytes", "of these, never written", "B", NEITHER, U64),
	C(read_call_bytes, "read_call_bytes", "read by system calls", "B", NEITHER, U64),
	C(write_call_bytes, "write_call_bytes", "written by system calls", "B", NEITHER, U64),
	C(io_source, "io_source", "source of the block I/O", "", NEITHER, STRING),
	C(major_faults, "major_faults", "page faults with a read", "", LOWER, U64),
	C(minor_faults, "minor_faults", "page faults without", "", LOWER, U64),
	C(voluntary_switches, "voluntary_switches", "waits", "", NEITHER, U64),
	C(involuntary_switches, "involuntary_switches", "CPU taken away", "", LOWER, U64),
	C(processes, "processes", "processes waited for here", "", NEITHER, U64),
};
TABLE(copy, copy_rows);

#define D(member, k, l, u, b, t) ROW(sb_disk_use, member, k, l, u, b, t)
static const struct sb_field disk_use_rows[] = {
	D(name, "name", "device", "", NEITHER, STRING),
	D(read_bytes, "read_bytes", "read", "B", NEITHER, U64),
	D(read_operations, "read_operations", "reads", "", NEITHER, U64),
	D(write_bytes, "write_bytes", "written", "B", NEITHER, U64),
	D(write_operations, "write_operations", "writes", "", NEITHER, U64),
	D(busy_ms, "busy_ms", "busy", "ms", NEITHER, U64),
	D(read_bytes_s, "read_bytes_per_second", "read", "B/s", HIGHER, DOUBLE),
	D(write_bytes_s, "write_bytes_per_second", "written", "B/s", HIGHER, DOUBLE),
	D(reads_s, "reads_per_second", "reads", "1/s", HIGHER, DOUBLE),
	D(writes_s, "writes_per_second", "writes", "1/s", HIGHER, DOUBLE),
	D(busy_percent, "busy_percent", "busy", "%", NEITHER, DOUBLE),
};
TABLE(disk_use, disk_use_rows);
