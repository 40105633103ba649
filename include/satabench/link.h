/* What a link can carry, by its speed and width; docs/ARCHITECTURE.md has the formulas. Pure; any
 * thread. Bytes/s; NaN = not known. */
#ifndef SATABENCH_LINK_H
#define SATABENCH_LINK_H

#define SB_PAYLOAD_ASSUMED 128 /* the least there is, and what most firmware leaves */

double sb_pcie_line(double gigatransfers, unsigned width);
/* Less 24 bytes a packet, and half of the 5 % that flow control may take. */
double sb_pcie_practical(double gigatransfers, unsigned width, unsigned payload_bytes);
double sb_sata_line(double gigabits);
double sb_sas_line(double gigabits, unsigned width);

#endif
