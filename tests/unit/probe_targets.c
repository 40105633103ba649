/* From what a user typed to devices: errors, doubles, files, null targets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "satabench/probe.h"
#include "satabench/units.h"

static struct sb_result result;
static char folder[] = "/tmp/probe_targets.XXXXXX";

/* What was said on stderr while the targets were looked at. */
static char said[8192];

static int probe(const char *const *targets, size_t n)
{
	struct sb_options options = {.targets = calloc(n, sizeof(char *)), .n_targets = n};
	FILE *log = tmpfile();
	int saved = dup(STDERR_FILENO), rc;
	size_t length;

	assert_non_null(log);
	for (size_t i = 0; i < n; i++)
		options.targets[i] = strdup(targets[i]);
	sb_result_init(&result);
	fflush(stderr);
	dup2(fileno(log), STDERR_FILENO);
	rc = sb_probe_targets(&options, &result);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(log);
	length = fread(said, 1, sizeof(said) - 1, log);
	said[length] = '\0';
	fclose(log);
	sb_options_free(&options);
	return rc;
}

#define PROBE(...)                                                                                 \
	probe((const char *const[]){__VA_ARGS__},                                                  \
	      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static int setup(void **state)
{
	(void)state;
	memset(folder + strlen(folder) - 6, 'X', 6);
	return mkdtemp(folder) && chdir(folder) == 0 && chmod(folder, 0755) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	static const char *const names[] = {"file", "empty", "fifo", "dir",    "socket", "link",
					    "hard", "loop",  "sda",  "a\nb c", "secret", "nothing"};

	(void)state;
	sb_result_free(&result);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (unlink(names[i]) != 0)
			rmdir(names[i]);
	return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void make_file(const char *name, size_t bytes)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	close(fd);
}

static void assert_failed(size_t index, const char *words)
{
	const struct sb_device *device = &result.devices[index];

	assert_true(index < result.n_devices);
	assert_int_equal(device->state, SB_DEVICE_FAILED);
	assert_non_null(device->message);
	if (!strstr(device->message, words) || strchr(device->message, '\n'))
		fail_msg("\"%s\" is not a line with \"%s\"", device->message, words);
}

static void make_socket(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strncpy(address.sun_path, name, sizeof(address.sun_path) - 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

/* Each fails by itself, with its reason; the good one goes on. */
static void test_bad_targets(void **state)
{
	(void)state;
	make_file("empty", 0);
	make_file("file", 8192);
	assert_int_equal(mkfifo("fifo", 0644), 0);
	assert_int_equal(mkdir("dir", 0755), 0);
	make_socket("socket");
	assert_int_equal(symlink("nothing", "link"), 0);
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_int_equal(PROBE("gone", "dir", "/dev/null", "fifo", "socket", "empty", "link", "",
			       "loop", "file/x", "file"),
			 0);
	assert_int_equal(result.n_devices, 11);
	assert_failed(0, "does not exist");
	assert_int_equal(result.devices[1].kind, SB_DEVICE_DIRECTORY);
	assert_int_equal(result.devices[1].state, SB_DEVICE_NEW);
	assert_failed(2, "is a character device");
	assert_failed(3, "is a FIFO");
	assert_failed(4, "is a socket");
	assert_failed(5, "is empty");
	assert_failed(6, "is a link to something that does not exist");
	assert_failed(7, "the name is empty");
	assert_failed(8, "symbolic links");
	assert_failed(9, "Not a directory");
	assert_int_equal(result.devices[10].state, SB_DEVICE_NEW);
	assert_int_equal(result.devices[10].size_bytes, 8192);
}

static void test_file(void **state)
{
	struct sb_device *device;
	struct statfs st;

	(void)state;
	make_file("a\nb c", 4097);
	assert_int_equal(PROBE("a\nb c"), 0);
	device = &result.devices[0];
	assert_string_equal(device->target, "a\nb c");
	assert_string_equal(device->path, "a\nb c");
	assert_int_equal(device->kind, SB_DEVICE_FILE);
	assert_int_equal(device->size_bytes, 4097);
	assert_false(device->counts_all);
	assert_int_equal(result.topo.nodes[device->node].kind, SB_NODE_FILE);
	assert_string_equal(result.topo.nodes[device->node].name, "a\nb c");
	assert_int_equal(statfs(".", &st), 0);
	if (st.f_type == 0x794c7630 || st.f_type == 0x9123683e) /* overlayfs, btrfs */
		assert_false(device->one_buffer);
	assert_true(device->one_buffer == !device->own_reason);
}

static void test_doubles(void **state)
{
	(void)state;
	make_file("file", 8192);
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(link("file", "hard"), 0);
	assert_int_equal(PROBE("link", "file", "hard", "./file"), 0);
	assert_int_equal(result.n_devices, 1);
	assert_string_equal(result.devices[0].target, "link");
	assert_non_null(strstr(said, "link and file are the same device; it is measured once"));
	assert_non_null(strstr(said, "link and hard are the same device"));
}

static void test_double_is_escaped(void **state)
{
	(void)state;
	make_file("a\nb c", 8192);
	assert_int_equal(symlink("a\nb c", "link"), 0);
	assert_int_equal(PROBE("link", "a\nb c", "gone", "gone"), 0);
	assert_int_equal(result.n_devices, 2);
	assert_non_null(strstr(said, "link and a\\nb c are the same device"));
	assert_non_null(strstr(said, "gone is given twice"));
}

/* Files with one size but their own contents are not one. */
static void test_no_doubles(void **state)
{
	(void)state;
	make_file("file", 8192);
	make_file("hard", 8192);
	assert_int_equal(PROBE("file", "hard", "null:a", "null:b"), 0);
	assert_int_equal(result.n_devices, 4);
	assert_string_equal(said, "");
}

static const struct sb_node *parent_of(int node)
{
	return &result.topo.nodes[result.topo.nodes[node].parent];
}

static void test_null_targets(void **state)
{
	int a, b;

	(void)state;
	assert_int_equal(PROBE("null:a,under=A/B,size=1M,rotational=1,model=X1", "null:b,under=A",
			       "null:a,rate=5M"),
			 0);
	assert_int_equal(result.n_devices, 2);
	a = result.devices[0].node;
	b = result.devices[1].node;
	assert_string_equal(result.topo.nodes[a].id, "null:a");
	assert_string_equal(sb_node_get(&result.topo.nodes[a], "model"), "X1");
	assert_int_equal(result.devices[0].size_bytes, 1 << 20);
	assert_true(result.devices[0].rotational);
	assert_null(result.devices[0].path);
	assert_null(result.devices[0].stat_path);
	assert_string_equal(parent_of(a)->id, "null-node:A/B");
	assert_int_equal(parent_of(a)->kind, SB_NODE_CONTROLLER);
	assert_string_equal(parent_of(b)->id, "null-node:A");
	assert_ptr_equal(&result.topo.nodes[parent_of(a)->parent], parent_of(b));
	assert_string_equal(result.topo.nodes[parent_of(b)->parent].id, "machine");
	assert_non_null(strstr(said, "the same device"));
}

/* Of several the lowest, as of a node's own. */
static void test_null_limits(void **state)
{
	int a;

	(void)state;
	assert_int_equal(PROBE("null:a,under=A/B,line=150M,ceiling=140M", "null:b,under=A/B",
			       "null:c,under=A/B,line=120M"),
			 0);
	a = result.devices[0].node;
	assert_true(parent_of(a)->line_bytes_s == 120e6);
	assert_true(parent_of(a)->practical_bytes_s == 140e6);
	assert_non_null(parent_of(a)->limit_source);
	assert_true(isnan(result.topo.nodes[parent_of(a)->parent].line_bytes_s));
	assert_true(isnan(result.topo.nodes[a].line_bytes_s));
}

static void test_bad_null_target(void **state)
{
	(void)state;
	assert_int_equal(PROBE("null:a,colour=red"), -EINVAL);
	assert_non_null(strstr(said, "colour"));
}

static void test_null_limit_of_no_node(void **state)
{
	(void)state;
	assert_int_equal(PROBE("null:a,line=150M"), -EINVAL);
	assert_non_null(strstr(said, "under="));
}

/* Parents before children, edges within the array: what every reader relies on. */
static void assert_sound(const struct sb_topo *topo)
{
	for (size_t i = 0; i < topo->n_nodes; i++) {
		assert_true(topo->nodes[i].parent < (int)i);
		assert_true((topo->nodes[i].parent == -1) ==
			    (topo->nodes[i].kind == SB_NODE_MACHINE));
		for (size_t j = 0; j < topo->nodes[i].n_below; j++)
			assert_in_range(topo->nodes[i].below[j], 0, topo->n_nodes - 1);
	}
}

/* Targets go into a tree that is there already, and into an empty one. */
static void test_known_topology(void **state)
{
	char file[] = "file", *targets[] = {file};
	const struct sb_options options = {.targets = targets, .n_targets = 1};
	size_t before;

	(void)state;
	make_file("file", 8192);
	sb_result_init(&result);
	assert_int_equal(sb_probe_topology(&result.topo), 0);
	assert_sound(&result.topo);
	before = result.topo.n_nodes;
	assert_int_equal(sb_probe_targets(&options, &result), 0);
	assert_int_equal(result.topo.n_nodes, before + 1);
	assert_sound(&result.topo);
}

static int as_nobody(void)
{
	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 77;
	if (PROBE("secret", "file") != 0)
		return 1;
	if (result.devices[0].state != SB_DEVICE_FAILED ||
	    !strstr(result.devices[0].message, "permission denied: run as root"))
		return 2;
	return result.devices[1].state == SB_DEVICE_NEW ? 0 : 3;
}

static void test_no_permission(void **state)
{
	int status;
	pid_t child;

	(void)state;
	if (getuid() != 0)
		skip(); /* needs root to become somebody else */
	make_file("file", 8192);
	make_file("secret", 8192);
	assert_int_equal(chmod("secret", 0600), 0);
	child = fork();
	if (child == 0)
		_exit(as_nobody());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	sb_result_init(&result);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_bad_targets),	      TEST(test_file),
		TEST(test_doubles),	      TEST(test_no_doubles),
		TEST(test_double_is_escaped), TEST(test_null_targets),
		TEST(test_null_limits),	      TEST(test_null_limit_of_no_node),
		TEST(test_bad_null_target),   TEST(test_known_topology),
		TEST(test_no_permission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
