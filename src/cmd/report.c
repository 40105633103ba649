/* `report RESULT.json`: each format again from a saved result, byte for byte as the run printed it.
 */
#include <errno.h>
#include <string.h>

#include "cmd_priv.h"
#include "out.h"
#include "satabench/judge.h"
#include "satabench/keeper.h"
#include "satabench/log.h"
#include "satabench/report.h"
#include "verbs.h"

int sb_cmd_report(int argc, char **argv)
{
	struct sb_options options = {0};
	struct sb_result result;
	struct sb_out out;
	const char *path = NULL;
	int rc = sb_options_parse_report(argc, argv, &options, &path);

	sb_result_init(&result);
	sb_stop_install();
	if (rc == 0)
		rc = sb_result_read(path, &result);
	/* what the evidence is shown by; a file in another format keeps what was in force */
	if (rc == 0 && options.verbose && (!options.format || strcmp(options.format, "text") == 0))
		result.options.verbose = true;
	if (rc == 0)
		rc = sb_out_open(&out, &options, "text");
	if (rc == 0) {
		rc = sb_out_report(&out, &result);
		sb_out_discard(&out);
	}
	sb_result_free(&result);
	sb_options_free(&options);
	return rc < 0 ? SB_EXIT_USAGE : SB_EXIT_OK;
}

int sb_cmd_help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	sb_help_print(stdout);
	return SB_EXIT_OK;
}
