/* What a hop cannot exceed (line), and what can be expected of it (practical). One hop at a time:
 * the speed of one and the width of another say nothing. */
#include "hop_priv.h"

#include <math.h>

#include "satabench/cleanup.h"

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
