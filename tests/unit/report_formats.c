/* The shapes that other programs rely on: dd's lines, RFC 4180, the live stream; and the tree and
 * the dry run that people read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "report_data.h"

/* What dd (coreutils 9.1, LC_ALL=C; the part before "MiB") says of these amounts and times. */
static const struct {
	uint64_t bytes;
	double seconds;
	const char *line;
} dd_lines[] = {
	{13107200000, 173.099, "13107200000 bytes (13 GB) copied, 173.099 s, 75.7 MB/s"},
	{13107200000, 173, "13107200000 bytes (13 GB) copied, 173 s, 76 MB/s"},
	{0, 0, "0 bytes (0 B) copied, 0 s, 0.0 kB/s"},
	{1, 0.25, "1 byte (1 B) copied, 0.25 s, 4 B/s"},
	{512, 1.25, "512 bytes (512 B) copied, 1.25 s, 0.4 kB/s"},
	{999, 1.5, "999 bytes (999 B) copied, 1.5 s, 0.7 kB/s"},
	{1000, 1.25, "1000 bytes (1.0 kB) copied, 1.25 s, 0.8 kB/s"},
	{1050, 1, "1050 bytes (1.0 kB) copied, 1 s, 1.0 kB/s"}, /* halves to even */
	{1051, 1, "1051 bytes (1.1 kB) copied, 1 s, 1.1 kB/s"},
	{1150, 1, "1150 bytes (1.2 kB) copied, 1 s, 1.2 kB/s"},
	{9949, 1, "9949 bytes (9.9 kB) copied, 1 s, 9.9 kB/s"},
	{9950, 1, "9950 bytes (10 kB) copied, 1 s, 10 kB/s"},
	{10500, 1, "10500 bytes (10 kB) copied, 1 s, 10 kB/s"},
	{11500, 1, "11500 bytes (12 kB) copied, 1 s, 12 kB/s"},
	{999499, 1, "999499 bytes (999 kB) copied, 1 s, 999 kB/s"},
	{999500, 1, "999500 bytes (1.0 MB) copied, 1 s, 1.0 MB/s"},
	{1000000, 0.000001, "1000000 bytes (1.0 MB) copied, 1e-06 s, 1.0 TB/s"},
	{524288000, 3.14159265, "524288000 bytes (524 MB) copied, 3.14159 s, 167 MB/s"},
	{4000787030016, 12345.678, "4000787030016 bytes (4.0 TB) copied, 12345.7 s, 324 MB/s"},
	{99949999, 1.00000001, "99949999 bytes (100 MB) copied, 1 s, 99.9 MB/s"},
	{99950001, 0.99999999, "99950001 bytes (100 MB) copied, 1 s, 100 MB/s"},
};

static void test_classic_prints_what_dd_prints(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(dd_lines) / sizeof(dd_lines[0]); i++) {
		struct sb_result result;
		struct sb_job *job;
		char *text, *want;

		sb_result_init(&result);
		data_set(&sb_result_add_device(&result)->target, "/dev/sdd");
		job = sb_phase_add_job(sb_result_add_phase(&result, SB_PHASE_ALL, 0, ""));
		result.phases[0].done = true;
		data_set(&job->target, "/dev/sdd");
		job->bytes = dd_lines[i].bytes / 3;
		job->outside_bytes = dd_lines[i].bytes - job->bytes;
		job->elapsed_seconds = dd_lines[i].seconds;
		result.cpu = (struct sb_cpu_figures){0.17, 0,  29.55, 60.26, 0,	  10.02,
						     NAN,  -1, NAN,   NAN,   NAN, NAN};
		text = data_write(&result, "classic");
		assert_true(asprintf(&want,
				     "dd for /dev/sdd: %s\nios avg: user=0.17, nice=0.00, "
				     "sys=29.55, iowait=60.26, steal=0.00, idle=10.02\n",
				     dd_lines[i].line) > 0);
		assert_string_equal(text, want);
		free(text);
		free(want);
		sb_result_free(&result);
	}
}

/* Fields of one RFC 4180 record; NULL when the text is not of that shape. */
static const char *csv_record(const char *text, size_t *fields)
{
	*fields = 1;
	for (;;) {
		if (*text == '"') {
			for (text++; *text && !(text[0] == '"' && text[1] != '"'); text++)
				if (*text == '"')
					text++;
			if (*text++ != '"')
				return NULL;
		} else {
			while (*text && !strchr(",\"\r\n", *text))
				text++;
		}
		if (text[0] == '\r' && text[1] == '\n')
			return text + 2;
		if (*text++ != ',')
			return NULL;
		++*fields;
	}
}

static void test_csv_is_rfc_4180(void **state)
{
	struct sb_result result;
	const char *at;
	char *text;
	size_t fields, records = 0;

	(void)state;
	data_result(&result);
	text = data_write(&result, "csv");
	assert_int_equal(strncmp(text, "record,", 7), 0);
	assert_null(strstr(text + 7, "\r\nrecord,"));
	for (at = text; *at; records++) {
		at = csv_record(at, &fields);
		assert_non_null(at);
		assert_int_equal(fields, 9);
	}
	assert_in_range(records, 300, 1000);
	assert_non_null(strstr(text, "\r\nmark,,,,/dev/sda,,page_cache.message,"
				     "\"a, \"\"b\"\"\nc\",\r\n"));
	assert_non_null(strstr(text, "interval,1,alone,1,/dev/disk/by-id/ata-WDC_WD40EFRX-68N32N0_"
				     "WD-WCC7K0000001,0.5,bytes_per_second,100000000,B/s\r\n"));
	free(text);
	sb_result_free(&result);
}

static char *stream_text;
static size_t stream_length;

static size_t lines(FILE *out)
{
	size_t n = 0;

	fflush(out);
	for (size_t i = 0; i < stream_length; i++)
		n += stream_text[i] == '\n';
	return n;
}

static void test_stream_tells_only_what_has_happened(void **state)
{
	struct sb_result whole, part;
	struct sb_stream stream = {0};
	FILE *out = open_memstream(&stream_text, &stream_length);
	char *saved;

	(void)state;
	data_result(&whole);
	part = whole;
	part.phases = calloc(3, sizeof(*part.phases));
	memcpy(part.phases, whole.phases, 3 * sizeof(*part.phases));
	part.n_phases = 0;
	part.n_marks = 0;
	part.complete = false;
	sb_cpu_figures_none(&part.cpu);
	assert_int_equal(sb_stream_update(&stream, out, &part, false), 0);
	assert_int_equal(lines(out), 0);
	for (size_t p = 0; p < 2; p++) {
		/* appended, not begun */
		part.n_phases = 3;
		part.phases[p].done = false;
		part.phases[p].n_intervals = 0;
		part.phases[p].started_s = NAN;
		part.phases[p + 1].done = false;
		part.phases[p + 1].n_intervals = 0;
		part.phases[p + 1].started_s = NAN;
		sb_stream_update(&stream, out, &part, false);
		assert_int_equal(lines(out), 1 + 5 * p);
		part.phases[p].started_s = 0.5;
		sb_stream_update(&stream, out, &part, false);
		sb_stream_update(&stream, out, &part, false);
		assert_int_equal(lines(out), 2 + 5 * p);
		part.phases[p].n_intervals = 2;
		sb_stream_update(&stream, out, &part, false);
		assert_int_equal(lines(out), 4 + 5 * p);
		part.phases[p] = whole.phases[p];
		sb_stream_update(&stream, out, &part, false);
		assert_int_equal(lines(out), 6 + 5 * p);
	}
	/* the third phase never ran */
	sb_stream_update(&stream, out, &whole, true);
	sb_stream_update(&stream, out, &whole, true);
	fclose(out);
	saved = data_write(&whole, "ndjson");
	assert_string_equal(stream_text, saved);
	assert_non_null(strstr(saved, "\n{\"record\":\"end\","));
	free(saved);
	free(stream_text);
	free(part.phases);
	sb_result_free(&whole);
}

static const char *refuse(const struct sb_topo *topo, int node)
{
	return topo->nodes[node].kind == SB_NODE_MD	    ? "made of other disks"
	       : strcmp(topo->nodes[node].name, "sr0") == 0 ? "no medium"
							    : NULL;
}

static char *make_tree(const char *locale)
{
	struct sb_topo topo = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	int a, disk, part, md;

	sb_topo_add(&topo, SB_NODE_MACHINE, "machine", "machine", -1);
	a = sb_topo_add(&topo, SB_NODE_CONTROLLER, "pci:a", "0000:00:1f.2", 0);
	sb_topo_add(&topo, SB_NODE_CONTROLLER, "pci:b", "0000:02:00.0", 0);
	sb_node_set(&topo.nodes[a], "driver", "ahci");
	for (int i = 0; i < 2; i++) {
		char name[8] = "sda", id[16] = "block:sda";

		name[2] = (char)('a' + i);
		id[8] = name[2];
		disk = sb_topo_add(&topo, SB_NODE_DISK, id, name, a);
		sb_node_set(&topo.nodes[disk], "model", i ? "bad\033[31m" : "ST500LT012-1DG142");
		sb_node_set(&topo.nodes[disk], "serial", i ? NULL : "S0V0001");
		sb_node_set(&topo.nodes[disk], "size_bytes", "500107862016");
		sb_node_set(&topo.nodes[disk], "rotational", i ? "0" : "1");
		sb_node_set(&topo.nodes[disk], "transport", "sata");
		sb_node_set(&topo.nodes[disk], "marks", "md");
	}
	sb_topo_add(&topo, SB_NODE_DISK, "block:sr0", "sr0", a);
	part = sb_topo_add(&topo, SB_NODE_PARTITION, "block:sda1", "sda1", 3);
	sb_topo_add_below(&topo, part, 3);
	md = sb_topo_add(&topo, SB_NODE_MD, "block:md0", "md0", 0);
	sb_topo_add_below(&topo, md, part);
	sb_topo_add_below(&topo, md, 4);
	sb_topo_add(&topo, SB_NODE_ZRAM, "block:zram0", "zram0", 0);
	setenv("LC_ALL", locale, 1);
	sb_report_tree(out, &(struct sb_list){.topo = &topo, .refuses = refuse});
	fclose(out);
	sb_topo_free(&topo);
	return text;
}

static void test_tree_shows_what_stands_on_what(void **state)
{
	char *ascii = make_tree("C"), *utf8 = make_tree("C.UTF-8");

	(void)state;
	assert_string_equal(
		ascii,
		"device                size  type  link  model or contents  serial   in use  -d "
		"all\n"
		"0000:00:1f.2  ahci\n"
		"|- sda              500 GB  HDD   sata  ST500LT012-1DG142  S0V0001  md      yes\n"
		"|  `- sda1                  part\n"
		"|     `- md0                md                                              no: "
		"made of other disks\n"
		"|- sdb              500 GB  SSD   sata  bad\\x1b[31m                 md      yes\n"
		"|  `- md0                               (see above)\n"
		"`- sr0                      disk                                            no: "
		"no "
		"medium\n"
		"zram0                       zram                                            yes\n"
		"\n"
		"-d all takes 3 of 5: sda sdb zram0\n");
	assert_non_null(strstr(utf8, "\n└─ sr0 "));
	free(ascii);
	free(utf8);
}

static void test_dry_run_lists_the_phases(void **state)
{
	struct sb_result result;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	data_result(&result);
	result.n_phases = 3; /* with the others the column of kinds is wider */
	data_set(&result.devices[1].target, "/dev/sdb");
	data_set(&result.devices[1].message, "Permission denied");
	sb_report_dry_run(out, &result, "two more rounds", 110);
	sb_report_dry_run(out, &result, "two more rounds", NAN);
	result.n_phases = 5;
	sb_report_dry_run(out, &result, NULL, NAN);
	fclose(out);
	assert_non_null(strstr(text, "    1  alone         1       1.5 s  sda, /dev/sdb  because"));
	assert_non_null(strstr(text, "\n    2  together      1 "));
	assert_non_null(strstr(text, "left out: /dev/sdb: Permission denied\n"));
	assert_non_null(strstr(text, "then:    two more rounds\nlongest: 1 min 50 s\n"));
	assert_non_null(strstr(text, "longest: not known"));
	assert_non_null(strstr(text, "\n    4  leave one out 0000:00:1f.2 without sda    101 "));
	assert_non_null(strstr(text, "\n    5  ramp 0000:00:1f.2 "));
	free(text);
	sb_result_free(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classic_prints_what_dd_prints),
		cmocka_unit_test(test_csv_is_rfc_4180),
		cmocka_unit_test(test_stream_tells_only_what_has_happened),
		cmocka_unit_test(test_tree_shows_what_stands_on_what),
		cmocka_unit_test(test_dry_run_lists_the_phases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
