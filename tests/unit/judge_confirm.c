/* The CPU as culprit: what a run in larger blocks makes of it, what is said about it, and a device
 * that its own thread limits. */
#include "satabench/units.h"
#include "machine_data.h"

static int part_node, full_cpu;

/* Two parts of four disks; the first passes 200 MB/s, with the CPUs so busy. */
static void make(struct machine *m, double busy, double busiest)
{
	part_node = two_parts(m, SB_NODE_CONTROLLER, 200 * MB);
	m->busy = busy;
	m->busiest = busiest;
	run_rounds(m, 3);
}

/* The first part once more, in larger blocks: at `cap`, with the CPUs so busy. */
static struct sb_phase *larger(struct machine *m, double cap, double busy, double busiest)
{
	bool runs[NODES_MOST] = {true, true, true, true};
	struct sb_phase *phase;

	m->cap[part_node] = cap;
	run(m, SB_PHASE_GROUP, part_node, 0, runs, -1);
	phase = &m->result.phases[m->result.n_phases - 1];
	phase->cpu.busy_exact = busy;
	phase->cpu.busiest_busy = busiest;
	for (size_t i = 0; i < phase->n_jobs; i++)
		phase->jobs[i].block_bytes = 4 << 20;
	return phase;
}

static bool has_evidence(const struct machine *m, const char *text)
{
	for (size_t i = 0; i < m->result.verdict.n_evidence; i++)
		if (strstr(m->result.verdict.evidence[i], text))
			return true;
	return false;
}

static void shows(const struct machine *m, const char *text)
{
	if (has_evidence(m, text))
		return;
	for (size_t i = 0; i < m->result.verdict.n_evidence; i++)
		print_message("%s\n", m->result.verdict.evidence[i]);
	fail_msg("no evidence says \"%s\"", text);
}

static int answer(const struct machine *m)
{
	assert_int_equal(m->result.verdict.n_limits, 1);
	return m->result.verdict.limits[0].cpu_confirmed;
}

static void test_answers(void **state)
{
	static const struct {
		double busy, busiest;	     /* in the rounds */
		double cap, larger, largest; /* in larger blocks; cap 0: not tried */
		int cls, answer;
	} rows[] = {
		/* all CPUs: full again, or a rate that rises, or neither */
		{99, 99, 0, 0, 0, SB_CLASS_CPU, SB_ANSWER_NONE},
		{99, 99, 200, 98, 99, SB_CLASS_CPU, SB_ANSWER_YES},
		{99, 99, 207, 50, 60, SB_CLASS_CPU, SB_ANSWER_YES},
		{99, 99, 204, 96, 96, SB_CLASS_CONTROLLER, SB_ANSWER_NO},
		{99, 99, 150, 50, 60, SB_CLASS_CONTROLLER, SB_ANSWER_NO},
		/* one CPU */
		{60, 98, 0, 0, 0, SB_CLASS_CPU, SB_ANSWER_NONE},
		{60, 98, 200, 40, 98, SB_CLASS_CPU, SB_ANSWER_YES},
		{60, 98, 300, 40, 50, SB_CLASS_CPU, SB_ANSWER_YES},
		{60, 98, 200, 40, 70, SB_CLASS_CONTROLLER, SB_ANSWER_NO},
		/* nobody knows how busy they were then */
		{99, 99, 200, NAN, NAN, SB_CLASS_CPU, SB_ANSWER_NONE},
		{99, 99, 300, NAN, NAN, SB_CLASS_CPU, SB_ANSWER_YES},
		/* no CPU was full: nothing was asked */
		{20, 30, 300, 99, 99, SB_CLASS_CONTROLLER, SB_ANSWER_NONE},
	};

	(void)state;
	for (size_t i = 0; i < SB_COUNT(rows); i++) {
		double confidence;
		struct machine m;

		make(&m, rows[i].busy, rows[i].busiest);
		confidence = judge(&m)->confidence;
		if (rows[i].cap > 0)
			larger(&m, rows[i].cap * MB, rows[i].larger, rows[i].largest);
		expect(&m, rows[i].cls, part_node);
		assert_int_equal(answer(&m), rows[i].answer);
		/* it is of the limit, and the run in larger blocks is no round of it */
		assert_true(m.result.verdict.confidence == confidence);
		assert_true(fabs(m.result.verdict.capacity_bytes_s - 200 * MB) < 1);
		sb_result_free(&m.result);
	}
}

/* A CPU that is as full when a disk runs alone explains nothing, then or in larger blocks. */
static void test_full_in_children(void **state)
{
	struct machine m;

	(void)state;
	make(&m, 99, 99);
	for (size_t i = 0; i < m.result.n_phases; i++)
		if (m.result.phases[i].kind == SB_PHASE_ALONE)
			m.result.phases[i].cpu.busiest_busy = 99;
	larger(&m, 200 * MB, 60, 99);
	expect(&m, SB_CLASS_CONTROLLER, part_node);
	assert_int_equal(answer(&m), SB_ANSWER_NO);
	sb_result_free(&m.result);

	make(&m, 60, 99);
	for (size_t i = 0; i < m.result.n_phases; i++)
		if (m.result.phases[i].kind == SB_PHASE_ALONE)
			m.result.phases[i].cpu.busiest_busy = 99;
	larger(&m, 300 * MB, 60, 99);
	expect(&m, SB_CLASS_CONTROLLER, part_node);
	assert_int_equal(answer(&m), SB_ANSWER_NONE);
	sb_result_free(&m.result);
}

/* A run in larger blocks that lacks a device, or was not run, tells nothing. */
static void test_run_that_cannot_tell(void **state)
{
	struct sb_phase *phase;
	struct machine m;

	(void)state;
	make(&m, 99, 99);
	phase = larger(&m, 200 * MB, 50, 60);
	phase->jobs[2].state = SB_JOB_FAILED;
	expect(&m, SB_CLASS_CPU, part_node);
	assert_int_equal(answer(&m), SB_ANSWER_NONE);
	phase->jobs[2].state = SB_JOB_DONE;
	phase->done = false;
	expect(&m, SB_CLASS_CPU, part_node);
	phase->done = true;
	phase->n_jobs = 3;
	expect(&m, SB_CLASS_CPU, part_node);
	phase->n_jobs = 4;
	expect(&m, SB_CLASS_CONTROLLER, part_node);
	/* a later one is right */
	larger(&m, 200 * MB, 99, 99);
	expect(&m, SB_CLASS_CPU, part_node);
	assert_int_equal(answer(&m), SB_ANSWER_YES);
	sb_result_free(&m.result);
}

/* All figures of the phases of the first part; its interrupts go to one CPU or to two. */
static void set_figures(struct machine *m, double softirq, uint64_t other)
{
	for (size_t i = 0; i < m->result.n_phases; i++) {
		struct sb_phase *phase = &m->result.phases[i];

		if (phase->kind != SB_PHASE_GROUP || phase->node != part_node)
			continue;
		phase->cpu.busiest_cpu = full_cpu;
		phase->cpu.busiest_system = softirq + 3;
		phase->cpu.busiest_softirq = softirq;
		phase->cpu.own_percent = 12.5;
		phase->interrupts = calloc(2, sizeof(*phase->interrupts));
		assert_non_null(phase->interrupts);
		phase->interrupts[0] = (struct sb_irq_count){part_node, full_cpu, 1000};
		phase->interrupts[1] = (struct sb_irq_count){part_node, 1, other};
		phase->n_interrupts = other ? 2 : 1;
		for (size_t k = 0; k < phase->n_jobs; k++) {
			phase->jobs[k].elapsed_seconds = 2;
			phase->jobs[k].cpu_ns = 200000000 * (k + 1);
		}
	}
}

static void test_words(void **state)
{
	struct machine m;

	(void)state;
	full_cpu = 3;
	make(&m, 40, 99);
	set_figures(&m, 92, 0);
	expect(&m, SB_CLASS_CPU, part_node);
	says(&m, "CPU 3 limits: with the devices of controller part at once it is 99 % busy, 92 % "
		 "softirq, and takes 100 % of the interrupts of controller part; its 4 disks give "
		 "400 MB/s alone and 200 MB/s together; not confirmed with larger blocks: spread");
	says(&m, "/proc/irq/N/smp_affinity");
	shows(&m, "40.0 % of all CPUs busy; busiest CPU 3, 99.0 % busy, 95.0 % system, 92.0 % "
		  "softirq; satabench itself 12.5 % of all, its busiest thread 40 % of one CPU, "
		  "for d3");
	shows(&m, "CPU 3 takes 100 % of the interrupts of controller part (3000 of 3000)");
	shows(&m, "not confirmed");
	larger(&m, 250 * MB, 20, 70);
	judge(&m);
	says(&m, "; larger blocks confirm it: spread");
	shows(&m, "in blocks of 4 MiB: 250 MB/s, against 200 MB/s, 20.0 % of all CPUs busy, 70.0 % "
		  "the busiest: that confirms the CPU");
	sb_result_free(&m.result);

	/* what fills it are no interrupts */
	make(&m, 40, 99);
	set_figures(&m, 2, 4000);
	expect(&m, SB_CLASS_CPU, part_node);
	says(&m, "look what runs on it");
	assert_null(strstr(m.result.verdict.sentence, "and takes"));
	shows(&m, "CPU 1 takes 80 % of the interrupts of controller part (12000 of 15000)");
	/* and it is not the CPU */
	larger(&m, 200 * MB, 20, 70);
	expect(&m, SB_CLASS_CONTROLLER, part_node);
	assert_null(strstr(m.result.verdict.sentence, "CPU"));
	shows(&m, "so that it is not the CPU");
	sb_result_free(&m.result);

	make(&m, 99, 99);
	set_figures(&m, 92, 0);
	expect(&m, SB_CLASS_CPU, part_node);
	says(&m, "all CPUs are full (99 % busy, 12 % by satabench itself)");
	says(&m, "--bs");
	sb_result_free(&m.result);
}

static size_t count_marks(const struct machine *m, const char *id, const char *subject)
{
	size_t n = 0;

	for (size_t i = 0; i < m->result.n_marks; i++)
		n += strcmp(m->result.marks[i].id, id) == 0 &&
		     strcmp(m->result.marks[i].subject, subject) == 0;
	return n;
}

/* CPU time of the thread of one device, in its runs alone and in the others. */
static void set_thread(struct machine *m, int device, uint64_t alone_ns, uint64_t other_ns)
{
	for (size_t i = 0; i < m->result.n_phases; i++)
		for (size_t k = 0; k < m->result.phases[i].n_jobs; k++) {
			struct sb_job *job = &m->result.phases[i].jobs[k];

			job->elapsed_seconds = 2;
			if (job->device == device)
				job->cpu_ns = m->result.phases[i].n_jobs == 1 ? alone_ns : other_ns;
		}
}

static void test_worker_full(void **state)
{
	struct machine m;

	(void)state;
	make(&m, 20, 30);
	set_thread(&m, 2, 1960000000, 1000000000);
	assert_int_equal(sb_judge_run(&m.result), 0);
	assert_int_equal(count_marks(&m, "worker_full", "d2"), 1);
	assert_int_equal(count_marks(&m, "worker_full", "d1"), 0);
	assert_int_equal(sb_judge_status(&m.result), SB_EXIT_OK); /* a note */
	set_thread(&m, 2, 1900000000, 2000000000);
	assert_int_equal(sb_judge_run(&m.result), 0);
	assert_int_equal(count_marks(&m, "worker_full", "d2"), 0);
	set_thread(&m, 2, SB_NONE_U64, 2000000000); /* never seen alone */
	assert_int_equal(sb_judge_run(&m.result), 0);
	assert_int_equal(count_marks(&m, "worker_full", "d2"), 1);
	sb_result_free(&m.result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_full_in_children),
		cmocka_unit_test(test_run_that_cannot_tell),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_worker_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
