#include "out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "satabench/cleanup.h"
#include "satabench/log.h"

static int open_file(struct sb_outfile *file, const char *option, const char *path)
{
	int rc = sb_outfile_open(file, path);
	SB_AUTO_FREE char *name = sb_escape(path);

	if (rc == -EINVAL)
		sb_error("%s %s: is no file; a result is never written to a device", option, name);
	else if (rc < 0)
		sb_error("%s %s: cannot be written: %s", option, name, strerror(-rc));
	return rc;
}

/* Root's in /var/lib, else XDG_STATE_HOME or ~/.local/state (XDG Base Directory Specification). */
static char *last_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	SB_AUTO_FREE char *folder = NULL;

	if (state && state[0] == '/')
		folder = sb_format("%s/satabench", state);
	else if (geteuid() == 0)
		folder = strdup("/var/lib/satabench");
	else if (home && home[0] == '/')
		folder = sb_format("%s/.local/state/satabench", home);
	if (!folder || sb_make_directories(folder) != 0)
		return NULL;
	return sb_format("%s/last.json", folder);
}

int sb_out_open(struct sb_out *out, const struct sb_options *options, const char *default_format)
{
	int rc = 0;

	*out = (struct sb_out){.report = stdout};
	out->format = sb_format_find(options->format ? options->format : default_format);
	if (!out->format)
		return -EINVAL;
	if (options->output) {
		rc = open_file(&out->report_file, "--output", options->output);
		out->report = out->report_file.file;
	}
	if (rc == 0 && options->save)
		rc = open_file(&out->save_file, "--save", options->save);
	if (rc < 0)
		sb_out_discard(out);
	return rc;
}

/* The last result is kept as a courtesy: that it cannot be is told, and no failure. */
static void keep_last(struct sb_out *out, const struct sb_result *result)
{
	SB_AUTO_FREE char *path = last_path();
	int rc = path ? sb_outfile_open(&out->last_file, path) : -ENOENT;

	if (rc == 0)
		rc = sb_result_write(out->last_file.file, result);
	if (rc == 0)
		rc = sb_outfile_commit(&out->last_file);
	else
		sb_outfile_discard(&out->last_file);
	if (rc == 0)
		sb_info("result kept in %s", path);
	else
		sb_info("the result is not kept (%s); --save FILE keeps it", strerror(-rc));
}

static int save(struct sb_out *out, const struct sb_result *result)
{
	SB_AUTO_FREE char *name = sb_escape(result->options.save);
	int rc = sb_result_write(out->save_file.file, result);

	if (rc == 0)
		rc = sb_outfile_commit(&out->save_file);
	if (rc < 0)
		sb_error("--save %s: cannot be written: %s", name, strerror(-rc));
	return rc;
}

int sb_out_report(struct sb_out *out, const struct sb_result *result)
{
	int rc = out->format->live ? sb_stream_update(&out->stream, out->report, result, true)
				   : out->format->write(out->report, result);

	if (rc == 0 && fflush(out->report) != 0)
		rc = -errno;
	if (out->report_file.file && rc == 0)
		rc = sb_outfile_commit(&out->report_file);
	if (rc == -EPIPE)
		rc = 0; /* whoever read it has seen enough */
	if (rc < 0)
		sb_error("cannot write the report: %s", strerror(-rc));
	return rc;
}

int sb_out_finish(struct sb_out *out, const struct sb_result *result)
{
	int saved = out->save_file.file ? save(out, result) : 0;
	int rc = sb_out_report(out, result);

	if (!result->options.virtual_time)
		keep_last(out, result);
	return rc < 0 ? rc : saved;
}

void sb_out_discard(struct sb_out *out)
{
	sb_outfile_discard(&out->report_file);
	sb_outfile_discard(&out->save_file);
	sb_outfile_discard(&out->last_file);
}
