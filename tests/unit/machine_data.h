/* A machine without noise, for tests of the verdict. */
#ifndef MACHINE_DATA_H
#define MACHINE_DATA_H

#include "method_data.h"

#define MB 1e6
#define NODES_MOST 64

/* A machine without noise: a node passes on what is below it, up to its cap. */
struct machine {
	struct sb_result result;
	double cap[NODES_MOST];	    /* of nodes; INFINITY */
	double free_[NODES_MOST];   /* of disks alone */
	double beside[NODES_MOST];  /* factor of a disk's rate when another one runs */
	double rested[NODES_MOST];  /* ... and one is left out; 0: as beside */
	double foreign[NODES_MOST]; /* share of the device's bytes by others, in all runs */
	double all_factor[4];	    /* by round: of all rates while all run; 0: 1 */
	double busy, busiest;	    /* CPU in groups and all, percent; NaN */
	double busiest_alone;
};

static inline void machine_init(struct machine *m)
{
	*m = (struct machine){.busy = 20, .busiest = 30, .busiest_alone = 20};
	sb_result_init(&m->result);
	m->result.baseline.busiest_busy = 3;
}

static inline int add_node(struct machine *m, int kind, const char *id, int parent, double cap)
{
	int node = sb_topo_add(&m->result.topo, (enum sb_node_kind)kind, id, id, parent);

	assert_in_range(node, 0, NODES_MOST - 1);
	m->cap[node] = cap;
	return node;
}

static inline int add_disk(struct machine *m, int kind, int parent, double rate)
{
	SB_AUTO_FREE char *id = sb_format("d%zu", m->result.n_devices);
	int node = add_node(m, kind, id, parent, INFINITY);
	struct sb_device *device = sb_result_add_device(&m->result);

	assert_non_null(device);
	sb_set_string(&device->target, id);
	device->node = node;
	device->state = SB_DEVICE_READY;
	device->counts_all = true;
	m->free_[m->result.n_devices - 1] = rate;
	m->beside[m->result.n_devices - 1] = 1;
	return (int)m->result.n_devices - 1;
}

static inline void add_disks(struct machine *m, int parent, size_t n, double rate)
{
	for (size_t i = 0; i < n; i++)
		add_disk(m, SB_NODE_DISK, parent, rate);
}

/* What is on the node: a file on a disk. Its index as a device. */
static inline int add_on(struct machine *m, int kind, int below, double rate)
{
	int device = add_disk(m, kind, kind == SB_NODE_PARTITION ? below : 0, rate);

	assert_int_equal(sb_topo_add_below(&m->result.topo, m->result.devices[device].node, below),
			 0);
	return device;
}

static inline double factor(const struct machine *m, size_t d, size_t n, bool left)
{
	if (n < 2)
		return 1;
	return left && m->rested[d] > 0 ? m->rested[d] : m->beside[d];
}

/* Rates of the devices that run, by the caps from the leaves to the root. */
static inline void flow(const struct machine *m, const bool *runs, size_t n, bool left,
			double *rate)
{
	const struct sb_topo *topo = &m->result.topo;
	int above[NODES_MOST], order[NODES_MOST];

	assert_int_equal(sb_topo_hang(topo, above, order), 0);
	for (size_t d = 0; d < m->result.n_devices; d++)
		rate[d] = runs[d] ? m->free_[d] * factor(m, d, n, left) : 0;
	for (size_t i = topo->n_nodes; i-- > 0;) {
		int node = order[i];
		double sum = 0;

		for (int pass = 0; pass < 2; pass++)
			for (size_t d = 0; d < m->result.n_devices; d++) {
				int at = m->result.devices[d].node;

				while (at >= 0 && at != node)
					at = above[at];
				if (at < 0)
					continue;
				if (pass == 0)
					sum += rate[d];
				else if (sum > m->cap[node])
					rate[d] *= m->cap[node] / sum;
			}
	}
}

static inline void run(struct machine *m, int kind, int node, unsigned round, const bool *runs,
		       int left)
{
	struct sb_phase *phase = sb_result_add_phase(&m->result, kind, round, "test");
	double rate[NODES_MOST];
	size_t n = 0;

	assert_non_null(phase);
	for (size_t d = 0; d < m->result.n_devices; d++)
		n += runs[d];
	flow(m, runs, n, left >= 0, rate);
	for (size_t d = 0; d < m->result.n_devices; d++)
		if (kind == SB_PHASE_ALL && round < 4 && m->all_factor[round] > 0)
			rate[d] *= m->all_factor[round];
	for (size_t d = 0; d < m->result.n_devices; d++)
		if (runs[d])
			method_job(phase, (int)d, rate[d], m->foreign[d]);
	phase->done = true;
	phase->node = node;
	phase->left_out = left;
	phase->cpu.busy_exact = n > 1 ? m->busy : 5;
	phase->cpu.busiest_busy = n > 1 ? m->busiest : m->busiest_alone;
}

/* So many rounds of alone, each group, and all. */
static inline void run_rounds(struct machine *m, unsigned rounds)
{
	struct sb_test_tree tree;

	assert_int_equal(sb_test_tree_make(&tree, &m->result), 0);
	for (unsigned r = 1; r <= rounds; r++) {
		for (size_t d = 0; d < m->result.n_devices; d++) {
			bool runs[NODES_MOST] = {false};

			runs[d] = true;
			run(m, SB_PHASE_ALONE, m->result.devices[d].node, r, runs, -1);
		}
		for (size_t t = 0; t < tree.n_tests; t++) {
			bool runs[NODES_MOST] = {false};

			for (size_t i = 0; i < tree.tests[t].n; i++)
				runs[tree.devices[tree.tests[t].first + i]] = true;
			run(m, t + 1 < tree.n_tests ? SB_PHASE_GROUP : SB_PHASE_ALL,
			    tree.tests[t].node, r, runs, -1);
		}
	}
	sb_test_tree_free(&tree);
}

/* Pairs of a group whole and without its first `resting` devices. */
static inline void run_pairs_without(struct machine *m, int node, int first, size_t n,
				     size_t resting, unsigned pairs)
{
	for (unsigned r = 101; r < 101 + pairs; r++) {
		bool runs[NODES_MOST] = {false};

		for (size_t i = 0; i < n; i++)
			runs[first + (int)i] = true;
		run(m, SB_PHASE_GROUP, node, r, runs, -1);
		for (size_t i = 0; i < resting; i++)
			runs[first + (int)i] = false;
		run(m, SB_PHASE_LEAVE_ONE_OUT, node, r, runs, m->result.devices[first].node);
	}
}

static inline void run_pairs(struct machine *m, int node, int first, size_t n, unsigned pairs)
{
	run_pairs_without(m, node, first, n, 1, pairs);
}

static inline const struct sb_verdict *judge(struct machine *m)
{
	assert_int_equal(sb_judge_verdict(&m->result), 0);
	return &m->result.verdict;
}

static inline void expect(struct machine *m, int cls, int node)
{
	const struct sb_verdict *v = judge(m);

	if (v->cls != cls || v->node != node)
		fail_msg("%s %s, not %s %s: %s", sb_class_name(v->cls),
			 node_id(&m->result, v->node), sb_class_name(cls),
			 node_id(&m->result, node), v->sentence);
	assert_false(v->cannot_tell);
}

static inline void expect_cannot_tell(struct machine *m)
{
	const struct sb_verdict *v = judge(m);

	assert_int_equal(v->cls, SB_CLASS_UNKNOWN);
	assert_int_equal(v->node, -1);
	assert_true(v->cannot_tell);
}

static inline void says(const struct machine *m, const char *text)
{
	if (!strstr(m->result.verdict.sentence, text))
		fail_msg("\"%s\" does not say \"%s\"", m->result.verdict.sentence, text);
}

/* Two parts of four disks; the first is of that kind and passes `cap`. Node of the first. */
static inline int two_parts(struct machine *m, int kind, double cap)
{
	int root, part, other;

	machine_init(m);
	root = add_node(m, SB_NODE_MACHINE, "machine", -1, INFINITY);
	part = add_node(m, kind, "part", root, cap);
	add_disks(m, part, 4, 100 * MB);
	other = add_node(m, SB_NODE_CONTROLLER, "other", root, INFINITY);
	add_disks(m, other, 4, 100 * MB);
	return part;
}

#endif
