/* What a link cannot exceed (line), and what can be expected of it (practical). */
#include "satabench/link.h"

#include <math.h>

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

double sb_pcie_line(double gigatransfers, unsigned width)
{
	if (isnan(gigatransfers) || gigatransfers <= 0 || width == 0)
		return NAN;
	return gigatransfers * 1e9 / 8 * pcie_code(gigatransfers) * width;
}

double sb_pcie_practical(double gigatransfers, unsigned width, unsigned payload_bytes)
{
	return sb_pcie_line(gigatransfers, width) * payload_bytes / (payload_bytes + PACKET_BYTES) *
	       FLOW_CONTROL;
}

/* 8b/10b at all three speeds. */
double sb_sata_line(double gigabits)
{
	return gigabits > 0 ? gigabits * 1e9 / 8 * 0.8 : NAN;
}

/* SAS-1 to SAS-3: 8b/10b; SAS-4 (22.5 Gb/s): 128b/150b. */
double sb_sas_line(double gigabits, unsigned width)
{
	if (!(gigabits > 0) || width == 0)
		return NAN;
	return gigabits * 1e9 / 8 * (gigabits > 12 ? 128.0 / 150 : 0.8) * width;
}
