/* --resume RESULT.json: a surface that was stopped is gone on with. */
#include "resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/report.h"

static int refuse(const struct sb_result *result, const char *why)
{
	SB_AUTO_FREE char *name = sb_escape(result->options.resume);

	sb_error("--resume %s: %s", name ? name : "?", why);
	return -EINVAL;
}

/* What is not said is as it was. */
static int take_options(struct sb_options *o, const struct sb_options *earlier)
{
	int rc = o->workload ? 0 : sb_set_string(&o->workload, "surface");

	if (!o->surface_places)
		o->surface_places = earlier->surface_places;
	if (!o->offset_bytes && !o->skip) {
		o->offset_bytes = earlier->offset_bytes;
		o->skip = earlier->skip;
	}
	if (!o->block_bytes)
		o->block_bytes = earlier->block_bytes;
	if (rc || o->n_targets)
		return rc;
	o->targets = calloc(earlier->n_targets + 1, sizeof(*o->targets));
	for (size_t i = 0; o->targets && i < earlier->n_targets; i++, o->n_targets++)
		if (!(o->targets[i] = strdup(earlier->targets[i])))
			return -ENOMEM;
	return o->targets ? 0 : -ENOMEM;
}

int sb_resume_read(struct sb_result *result, struct sb_result *earlier)
{
	struct sb_options *o = &result->options;
	int rc;

	if (!o->resume)
		return 0;
	rc = sb_result_read(o->resume, earlier);
	if (rc < 0)
		return rc;
	if (earlier->n_surfaces == 0)
		return refuse(result, "is no result of --workload=surface");
	if (o->workload && strcmp(o->workload, "surface") != 0)
		return refuse(result, "goes on with a surface, not with another --workload");
	rc = take_options(o, &earlier->options);
	if (rc == 0 &&
	    (o->surface_places != earlier->options.surface_places ||
	     o->offset_bytes != earlier->options.offset_bytes || o->skip != earlier->options.skip))
		return refuse(result, "was read at other places: --workload and --offset must be "
				      "as they were");
	return rc;
}

static bool is_through(const struct sb_result *result)
{
	for (size_t i = 0; i < result->n_surfaces; i++)
		if (result->surfaces[i].position_bytes < sb_surface_total(&result->surfaces[i]))
			return false;
	return true;
}

/* What does not go on, and why. */
static void tell(const struct sb_result *result, const struct sb_result *earlier,
		 const bool *changed, size_t found)
{
	for (size_t i = 0; i < result->n_devices; i++) {
		SB_AUTO_FREE char *name = sb_escape(result->devices[i].target);

		if (changed[i])
			sb_warn("%s: has another size now: read from its start", name);
		else if (!sb_result_surface(result, (int)i))
			sb_info("%s: not in that result, or not to be read: nothing to go on with",
				name);
	}
	if (found < earlier->n_surfaces)
		sb_warn("%zu of the %zu devices of that result are not among the targets: their "
			"surfaces are not in this one",
			earlier->n_surfaces - found, earlier->n_surfaces);
	if (result->n_surfaces == result->n_devices && is_through(result))
		sb_info("nothing is left to be read of it");
}

static int apply(struct sb_result *result, const struct sb_result *earlier)
{
	SB_AUTO_FREE bool *changed = calloc(result->n_devices + 1, sizeof(*changed));
	int found = changed ? sb_surface_resume(result, earlier, changed) : -ENOMEM;

	if (found > 0)
		tell(result, earlier, changed, (size_t)found);
	if (found == 0)
		found = refuse(result, "none of its devices is among those that can be read");
	return found < 0 ? found : 0;
}

int sb_resume_apply(struct sb_result *result, const struct sb_result *earlier)
{
	return result->options.resume ? apply(result, earlier) : 0;
}
