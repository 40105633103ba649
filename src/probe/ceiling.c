/* What a hop cannot exceed (line), and what can be expected of it (practical). One hop at a time:
 * the speed of one and the width of another say nothing. */
#include "hop_priv.h"

#include <math.h>

#include "satabench/cleanup.h"

/* PCIe: 8b/10b up to 5 GT/s, 128b/130b to 32 GT/s; at 64 GT/s flits of 256 bytes carry 242 (PCI
 * Express Base Specification 6.0). */
static double pcie_code(double gigatransfers)
{
	return gigatransfers <= 5 ? 0.8 : gigatransfers <= 32 ? 128.0 / 130 : 242.0 / 256;
}

/* A read completion of 64-bit addressing: start, sequence, header of 12 bytes, LCRC and end; with
 * what the receiver sends back it comes to 24 bytes a packet. */
#define PACKET_BYTES 24
/* Flow control takes up to 5 % more; the middle is expected. */
#define FLOW_CONTROL 0.975

double probe_pcie_line(double gigatransfers, unsigned width)
{
	if (isnan(gigatransfers) || gigatransfers <= 0 || width == 0)
		return NAN;
	return gigatransfers * 1e9 / 8 * pcie_code(gigatransfers) * width;
}

double probe_pcie_practical(double gigatransfers, unsigned width, unsigned payload_bytes)
{
	return probe_pcie_line(gigatransfers, width) * payload_bytes /
	       (payload_bytes + PACKET_BYTES) * FLOW_CONTROL;
}

double probe_sata_line(double gigabits)
{
	return gigabits > 0 ? gigabits * 1e9 / 8 * 0.8 : NAN;
}

/* SAS-1 to SAS-3: 8b/10b; SAS-4 (22.5 Gb/s): 128b/150b. */
double probe_sas_line(double gigabits, unsigned width)
{
	if (!(gigabits > 0) || width == 0)
		return NAN;
	return gigabits * 1e9 / 8 * (gigabits > 12 ? 128.0 / 150 : 0.8) * width;
}

/* USB 2 has no code that takes a share of its own; 5 Gb/s has 8b/10b, from 10 Gb/s on 128b/132b
 * (USB 3.2 specification, 6.3.1). */
double probe_usb_line(double megabits)
{
	if (!(megabits > 0))
		return NAN;
	return megabits * 1e6 / 8 * (megabits < 5000 ? 1 : megabits < 10000 ? 0.8 : 128.0 / 132);
}

static bool lower(double a, double b)
{
	return !isnan(a) && (isnan(b) || a < b);
}

int probe_limit(struct sb_node *node, double line, double practical, const char *source)
{
	bool says = lower(practical, node->practical_bytes_s) ||
		    (isnan(practical) && isnan(node->practical_bytes_s) &&
		     lower(line, node->line_bytes_s));

	if (lower(line, node->line_bytes_s))
		node->line_bytes_s = line;
	if (lower(practical, node->practical_bytes_s))
		node->practical_bytes_s = practical;
	return says ? sb_set_string(&node->limit_source, source) : 0;
}
