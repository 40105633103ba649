/* The formats there are. */
#include "satabench/report.h"

#include <errno.h>
#include <string.h>

#include "report_priv.h"

const struct sb_format sb_formats[] = {
	{"text", "a report for people (default)", report_text_write, false},
	{"json", "the whole result, schema " SB_SCHEMA, sb_result_write, false},
	{"csv", "one fact a row (RFC 4180)", report_csv_write, false},
	{"ndjson", "one JSON object a line, while it runs", report_ndjson_write, true},
	{"bonnie", "bonnie++'s text and lines of CSV 1.98, of directories", report_bonnie_write,
	 false},
	{"classic", "a line of dd's a device and the CPU average", report_classic_write, false},
	{"fio-json", "in the shape of fio 3.33's JSON, a job a device", report_fio_json_write,
	 false},
	{"html", "a page with charts, for a browser", report_html_write, false},
	{NULL, NULL, NULL, false},
};

const struct sb_format *sb_format_find(const char *name)
{
	for (const struct sb_format *f = sb_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

int report_stream_status(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}
