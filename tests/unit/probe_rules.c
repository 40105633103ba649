/* The rules of the probe that need no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "probe_priv.h"
#include "satabench/cleanup.h"
#include "satabench/probe.h"
#include "satabench/units.h"

static void test_mounts(void **state)
{
	char mounts[] = "25 1 8:2 / / rw shared:1 - ext4 /dev/sda2 rw\n"
			"26 25 0:5 / /proc rw - proc proc rw\n"
			"27 25 8:17 / /mnt/with\\040blank rw master:1 - xfs /dev/sdb1 rw\n"
			"broken line\n"
			"28 25 8:2 /home /home rw - ext4 /dev/sda2 rw";
	struct places places = {0};

	(void)state;
	assert_int_equal(probe_places_parse(&places, mounts, NULL), 0);
	assert_int_equal(probe_places_use(&places, makedev(8, 2)), PLACE_MOUNTED);
	assert_int_equal(probe_places_use(&places, makedev(8, 17)), PLACE_MOUNTED);
	assert_int_equal(probe_places_use(&places, makedev(8, 1)), 0);
	assert_int_equal(probe_places_use(&places, makedev(0, 5)), 0);
	assert_int_equal(places.n, 2);
	probe_places_free(&places);
}

static int keep_layer(void *arg, const char *path)
{
	char *text = arg;

	strcat(strcat(text, path), "|");
	return 0;
}

/* As Linux 6.1 and 6.8 write them; a colon in a path has a backslash, which is written \\134. */
static void test_layers(void **state)
{
	char mounts[] =
		"40 25 0:45 /sub /mnt\\040x rw shared:7 master:1 - overlay over\\040lay rw,"
		"lowerdir=/low\\134:1:/low\\0542,upperdir=/up,workdir=/work,xino=off\n"
		"41 25 0:46 / /n rw - overlay none rw,lowerdir+=/a:b,lowerdir+=/c,datadir+=/d\n"
		"42 25 0:47 / /t rw - tmpfs\n"
		"43 25 0:48 / /nas rw - nfs4 nas:/export rw,addr=::1\n";
	struct places places = {0};
	const struct mount *mount;
	char text[128] = "";

	(void)state;
	assert_int_equal(probe_places_parse(&places, mounts, NULL), 0);
	assert_int_equal(places.n_mounts, 4);
	mount = probe_places_mount(&places, 40);
	assert_string_equal(mount->root, "/sub");
	assert_string_equal(mount->point, "/mnt x");
	assert_string_equal(mount->type, "overlay");
	assert_string_equal(mount->source, "over lay");
	assert_int_equal(probe_mount_layers(mount, keep_layer, text), 0);
	assert_string_equal(text, "/up|/low:1|/low,2|");
	text[0] = '\0';
	assert_int_equal(probe_mount_layers(probe_places_mount(&places, 41), keep_layer, text), 0);
	assert_string_equal(text, "/a:b|/c|");
	assert_string_equal(probe_places_mount(&places, 42)->source, "");
	assert_string_equal(probe_places_mount(&places, 43)->source, "nas:/export");
	assert_null(probe_places_mount(&places, 44));
	probe_places_free(&places);
}

/* A swap file's disk is in use, too; its name may have blanks. */
static void test_swap_file(void **state)
{
	char name[] = "/tmp/probe swap.XXXXXX";
	char swaps[256];
	struct places places = {0};
	struct stat st;
	int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	snprintf(swaps, sizeof(swaps), "Filename\tType\tSize\n/tmp/probe\\040swap.%s file 1 0 -2\n",
		 strrchr(name, '.') + 1);
	assert_int_equal(probe_places_parse(&places, NULL, swaps), 0);
	assert_int_equal(probe_places_use(&places, st.st_dev), PLACE_SWAP);
	probe_places_free(&places);
	unlink(name);
}

static void test_identities(void **state)
{
	(void)state;
	assert_false(sb_is_identity("0x0000000000000000"));
	assert_false(sb_is_identity("naa.0000000000000000"));
	assert_false(sb_is_identity("eui.00000000000000000000000000000000"));
	assert_false(sb_is_identity("00000000-0000-0000"));
	assert_false(sb_is_identity("   "));
	assert_true(sb_is_identity("naa.5000c50015ea71aa"));
	assert_true(sb_is_identity("eui.0025385b71b0e1a4"));
	assert_true(sb_is_identity("WD-WCC4N0"));
	assert_true(sb_is_identity("0x5000c50015ea71aa"));
}

static void test_dm_targets(void **state)
{
	(void)state;
	assert_true(probe_dm_target_allowed("linear", "8:0 0"));
	assert_true(probe_dm_target_allowed("striped", "2 128 8:0 0 8:16 0"));
	assert_true(probe_dm_target_allowed("crypt", "aes-xts-plain64 :64:logon:x 0 8:0 0"));
	assert_false(probe_dm_target_allowed(
		"crypt",
		"capi:authenc(hmac(sha256),xts(aes))-random k 0 8:0 0 1 integrity:48:aead"));
	assert_false(probe_dm_target_allowed("integrity", "8:0 0 4 J 0"));
	assert_false(probe_dm_target_allowed("verity", ""));
	assert_false(probe_dm_target_allowed("lin", ""));
}

static void test_names(void **state)
{
	(void)state;
	assert_true(probe_is_nvme_path("nvme0c12n1"));
	assert_false(probe_is_nvme_path("nvme0n1"));
	assert_false(probe_is_nvme_path("nvme0c1n1p1"));
}

static void test_host(void **state)
{
	struct sb_host host = {.cpus_online = SB_NONE_U64, .memory_bytes = SB_NONE_U64};

	(void)state;
	sb_probe_host(&host);
	assert_non_null(host.name);
	assert_non_null(strstr(host.kernel, "Linux"));
	assert_true(host.cpus_online >= 1 && host.cpus_online < 100000);
	assert_true(host.memory_bytes > 16u << 20 && host.memory_bytes != SB_NONE_U64);
	free(host.name);
	free(host.kernel);
	free(host.cpu_brand);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mounts),	   cmocka_unit_test(test_layers),
		cmocka_unit_test(test_swap_file),  cmocka_unit_test(test_identities),
		cmocka_unit_test(test_dm_targets), cmocka_unit_test(test_names),
		cmocka_unit_test(test_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
