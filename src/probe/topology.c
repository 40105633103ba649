#include "satabench/probe.h"

#include "probe_priv.h"

int sb_probe_topology(struct sb_topo *topo)
{
	struct scan scan;
	int rc = probe_scan_begin(&scan, topo);

	if (rc == 0)
		rc = probe_all_blocks(&scan);
	if (rc == 0)
		rc = probe_scan_finish(&scan);
	probe_scan_end(&scan);
	return rc;
}
