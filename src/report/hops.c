/* What one hop of the way to a disk can carry, in words. */
#include "report_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/units.h"

/* "8.0 GT/s x4", with what it could be where it is less: both ends, which is a fault, or one of
 * them, which is not. NULL when nothing is known. */
static char *link_text(const struct sb_node *node)
{
	const char *speed = sb_node_get(node, "link_speed");
	const char *width = sb_node_get(node, "link_width");
	const char *speed_max = sb_node_get(node, "link_speed_max");
	const char *width_max = sb_node_get(node, "link_width_max");
	bool slower = speed && speed_max && strcmp(speed, speed_max) != 0;
	bool narrower = width && width_max && strcmp(width, width_max) != 0;
	SB_AUTO_FREE char *could = NULL;

	if (!speed)
		return NULL;
	if (slower || narrower)
		could = sb_format(" (%s %s%s%s%s)",
				  sb_node_get(node, "downgraded") ? "could be" : "one end can do",
				  slower ? speed_max : "", slower && narrower ? " " : "",
				  narrower ? "x" : "", narrower ? width_max : "");
	return sb_format("%s%s%s%s", speed, width ? " x" : "", width ? width : "",
			 could ? could : "");
}

char *report_hop_text(const struct sb_node *node)
{
	SB_AUTO_FREE char *raw = link_text(node);
	SB_AUTO_FREE char *link = raw ? sb_escape(raw) : NULL;
	char practical[SB_UNIT_TEXT], line[SB_UNIT_TEXT];
	bool carries = !isnan(node->practical_bytes_s), cannot = !isnan(node->line_bytes_s);

	if (!link && !carries && !cannot)
		return NULL;
	sb_format_rate(practical, node->practical_bytes_s);
	sb_format_rate(line, node->line_bytes_s);
	return sb_format("%s%s%s%s%s%s%s", link ? link : "",
			 link && (carries || cannot) ? ": " : "", carries ? "practical " : "",
			 carries ? practical : "", carries && cannot ? ", " : "",
			 cannot ? "line " : "", cannot ? line : "");
}
