#include "satabench/options.h"

#include <stdlib.h>
#include <string.h>

void sb_options_free(struct sb_options *options)
{
	char *const owned[] = {options->plan,	    options->workload, options->engine,
			       options->format,	    options->output,   options->save,
			       options->label,	    options->preset,   options->config,
			       options->output_dir, options->tests,    options->machine,
			       options->user,	    options->group,    options->resume};

	for (size_t i = 0; i < options->n_targets; i++)
		free(options->targets[i]);
	free(options->targets);
	for (size_t i = 0; i < sizeof(owned) / sizeof(owned[0]); i++)
		free(owned[i]);
	memset(options, 0, sizeof(*options));
}
