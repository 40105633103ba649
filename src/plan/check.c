/* What cannot work is said before anything is measured. */
#include <errno.h>

#include "plan_priv.h"
#include "satabench/cleanup.h"
#include "satabench/file.h"
#include "satabench/log.h"
#include "satabench/units.h"

/* It reads all there is, once. */
static int check_surface(const struct sb_options *o)
{
	const char *plan = o->plan && !sb_plan_is(o->plan, "surface") ? "--plan" : NULL;
	const char *other = o->runtime_s > 0 ? "--runtime"
			    : o->size_bytes  ? "--size"
			    : o->count	     ? "--count"
			    : o->rounds	     ? "--rounds"
					     : plan;

	if (sb_plan_is(o->plan, "surface") && !sb_plan_is(o->workload, "surface")) {
		sb_error("--plan surface goes with --workload=surface only");
		return -EINVAL;
	}
	if (!sb_plan_is(o->workload, "surface") || !other)
		return 0;
	sb_error("--workload=surface reads each device once over its whole length: %s does not go "
		 "with it",
		 other);
	return -EINVAL;
}

static int check_options(const struct sb_options *o, const struct sb_result *result)
{
	uint64_t block = o->block_bytes ? o->block_bytes : SB_DEFAULT_BLOCK, product;

	if (__builtin_mul_overflow(o->count, block, &product) ||
	    __builtin_mul_overflow(o->skip, block, &product)) {
		sb_error("--count or --skip times --bs does not fit 64 bits");
		return -EINVAL;
	}
	for (size_t i = 0; o->virtual_time && i < result->n_devices; i++) {
		SB_AUTO_FREE char *name = sb_escape(result->devices[i].target);

		if (!sb_plan_usable(&result->devices[i]) ||
		    result->devices[i].kind == SB_DEVICE_NULL)
			continue;
		sb_error("--virtual-time works with null targets only, not with %s",
			 name ? name : "?");
		return -EINVAL;
	}
	return check_surface(o);
}

static int check_alignment(const struct sb_result *result, const struct sb_device *d)
{
	SB_AUTO_FREE char *name = sb_escape(d->target);
	uint64_t offset = sb_plan_offset(result, d);

	if (!d->sector_bytes || result->options.buffered || offset % d->sector_bytes == 0)
		return 0;
	sb_error("--offset %llu is not a multiple of the %u-byte sectors of %s",
		 (unsigned long long)offset, d->sector_bytes, name ? name : "?");
	return -EINVAL;
}

static void check_device(const struct sb_result *result, struct sb_device *d)
{
	SB_AUTO_FREE char *name = sb_escape(d->target);
	uint64_t offset = sb_plan_offset(result, d), block = sb_plan_block(result, d);
	uint64_t wished = result->options.block_bytes;
	char text[SB_UNIT_TEXT], wish[SB_UNIT_TEXT];

	if (!name || d->size_bytes == SB_NONE_U64)
		return;
	if (offset >= d->size_bytes) {
		SB_AUTO_FREE char *message =
			sb_format("reading would begin at byte %llu, past its end at %llu",
				  (unsigned long long)offset, (unsigned long long)d->size_bytes);

		d->state = SB_DEVICE_FAILED;
		sb_set_string(&d->message, message);
		return;
	}
	if (wished && block != wished)
		sb_warn("%s: its sectors have %u bytes: reading %s at a time instead of %s", name,
			d->sector_bytes, sb_format_block(text, block),
			sb_format_block(wish, wished));
}

int sb_plan_check(struct sb_result *result, bool prepared)
{
	int rc = check_options(&result->options, result);

	if (!prepared)
		sb_plan_set_streams(result);
	if (rc == 0)
		rc = sb_plan_check_suite(result, prepared);

	for (size_t i = 0; i < result->n_devices && rc == 0; i++) {
		struct sb_device *d = &result->devices[i];

		if (!sb_plan_usable(d) || d->kind == SB_DEVICE_DIRECTORY)
			continue;
		rc = check_alignment(result, d);
		if (rc == 0 && prepared)
			check_device(result, d);
	}
	return rc;
}
