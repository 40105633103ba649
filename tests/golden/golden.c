/* golden FORMAT RESULT.json: the report of a saved result in this format, on stdout. `stream` is
 * ndjson as a run writes it: piece by piece while phases and intervals come in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/report.h"

/* Lets the result grow as it does in a run; counts are put back at the end. */
static int stream(const struct sb_result *whole)
{
	struct sb_result part = *whole;
	struct sb_stream state = {0};
	int rc = 0;

	for (size_t p = 0; rc == 0 && p < whole->n_phases; p++) {
		struct sb_phase *phase = &part.phases[p];
		struct sb_phase kept = *phase;

		if (!kept.done)
			continue;
		part.n_phases = p + 1 < whole->n_phases ? p + 2 : p + 1;
		phase->done = false;
		for (size_t i = 0; rc == 0 && i <= kept.n_intervals; i++) {
			phase->n_intervals = i;
			rc = sb_stream_update(&state, stdout, &part, false);
		}
		*phase = kept;
		if (rc == 0)
			rc = sb_stream_update(&state, stdout, &part, false);
	}
	return rc ? rc : sb_stream_update(&state, stdout, whole, true);
}

int main(int argc, char **argv)
{
	struct sb_result result;
	const struct sb_format *format;
	int rc;

	if (argc != 3) {
		fprintf(stderr, "usage: golden FORMAT RESULT.json\n");
		return 1;
	}
	format = sb_format_find(argv[1]);
	if (sb_result_read(argv[2], &result) != 0)
		return 1;
	if (strcmp(argv[1], "stream") == 0)
		rc = stream(&result);
	else
		rc = format ? format->write(stdout, &result) : -1;
	sb_result_free(&result);
	return rc == 0 ? 0 : 1;
}
