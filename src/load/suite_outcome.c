/* From a tester's records to jobs. Main thread; of a worker that hangs only what it had published
 * and its atomics are read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "satabench/file.h"
#include "suite_priv.h"

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

static void add_error(struct sb_job *job, const struct sb_test_record *r)
{
	job->errors = calloc(1, sizeof(*job->errors));
	job->n_errors = 1;
	if (!job->errors)
		return;
	job->n_errors_kept = 1;
	job->errors[0] = (struct sb_io_error){.offset_bytes = r->bytes,
					      .error = -r->error,
					      .at_seconds = seconds(r->began_ns, r->last_ns),
					      .message = strdup(strerror(-r->error))};
}

static void fill_job(struct sb_job *job, const struct sb_test_record *r, uint64_t gate_ns)
{
	job->state = r->outcome;
	job->bytes = r->bytes;
	job->operations = r->operations;
	job->seconds = job->elapsed_seconds = seconds(r->began_ns, r->last_ns);
	job->cpu_ns = r->cpu_ns;
	job->latency_ns = r->latency;
	job->sync_seconds = (double)r->sync_ns / 1e9;
	job->cached_percent = r->cached_percent;
	job->over_2s = r->over_2s;
	job->over_10s = r->over_10s;
	if (r->first_ns && gate_ns) {
		job->first_done_ns = r->first_ns - gate_ns;
		job->last_done_ns = r->last_ns - gate_ns;
	}
	if (r->error)
		add_error(job, r);
}

static void fill_hung(struct sb_worker *w, struct sb_job *job)
{
	uint64_t gate = w->run->gate_ns;

	job->state = SB_JOB_HUNG;
	job->bytes = SB_RELAXED_LOAD(w->live.bytes);
	job->operations = SB_RELAXED_LOAD(w->live.operations);
	job->seconds = job->elapsed_seconds =
		gate ? seconds(gate, SB_RELAXED_LOAD(w->live.last_done_ns)) : 0;
}

void sb_tester_outcome(struct sb_worker *w, struct sb_job *jobs, size_t n, bool interrupted)
{
	struct sb_tester *t = w->tester;
	size_t done = atomic_load_explicit(&t->n_done, memory_order_acquire);

	for (size_t i = 0; i < n && i < done; i++)
		fill_job(&jobs[i], &t->records[i], w->run->gate_ns);
	if (w->lost && done < n)
		fill_hung(w, &jobs[done]);
	else if (interrupted && done < n)
		jobs[done].state = SB_JOB_STOPPED;
}

char *sb_tester_message(const struct sb_worker *w, const struct sb_job *job)
{
	const struct sb_suite_test *test = sb_suite_test(job->test);
	char text[SB_UNIT_TEXT];

	(void)w;
	if (job->n_errors_kept == 0 || !test)
		return strdup("its tests could not be run");
	if (job->bytes == 0)
		return sb_format("%s: %s, after %llu operations", test->label,
				 job->errors[0].message, (unsigned long long)job->operations);
	return sb_format("%s: %s, after %s", test->label, job->errors[0].message,
			 sb_format_bytes(text, job->bytes));
}
