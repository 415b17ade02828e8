/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas on CPU time, in each form in which a process may meet them. */
#include "../../src/os/topology.h"
#include "../fixtures/fake_root.h"
#include "../fixtures/test.h"

#include <string.h>

#define UNIFIED "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define SYSFS "23 28 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"

static unsigned quota(const char *root)
{
	struct filchi_topology p;
	unsigned n;

	TEST_CHECK(filchi_topology_read(&p, root) == 0 && p.cpu_count == 16);
	n = p.quota;
	TEST_CHECK(p.limit == (n && n < 16 ? n : 16));
	filchi_topology_free(&p);
	return n;
}

/* A new root, on 16 CPUs. */
static const char *new_root(const char *cgroup, const char *mountinfo)
{
	const char *root = fake_root();

	fake_root_cpus("0-15", 64);
	fake_root_put(cgroup, "/proc/self/cgroup");
	fake_root_put(mountinfo, "/proc/self/mountinfo");
	return root;
}

static void unified(void)
{
	static const struct {
		const char *text;
		unsigned cpus;
	} max[] = {
		{"max 100000\n", 0},
		{"50000 100000\n", 1},
		{"1 1000000\n", 1},
		{"100000 100000\n", 1},
		{"100001 100000\n", 2},
		{"150000 100000\n", 2},
		{"40000 10000", 4},
		{"1600000 100000 0\n", 16},
		{"9900000 100000\n", 99},
		{"", 0},
		{"\n", 0},
		{"garbage\n", 0},
		{"50000\n", 0},
		{"50000 max\n", 0},
		{"50000x 100000\n", 0},
		{"50000 100000x\n", 0},
		{"-1 100000\n", 0},
		{"0 100000\n", 0},
		{"50000 0\n", 0},
		{"18446744073709551615 1\n", 0},
		{"99999999999999999999 100000\n", 0},
	};
	const char *root = new_root("0::/a\n", SYSFS UNIFIED);

	TEST_CHECK(quota(root) == 0);
	for (unsigned i = 0; i < sizeof(max) / sizeof(max[0]); i++) {
		fake_root_put(max[i].text, "/sys/fs/cgroup/a/cpu.max");
		TEST_CHECK(quota(root) == max[i].cpus);
	}
}

/* The lowest quota of all enclosing groups counts, even if a group between them has no file. */
static void unified_nested(void)
{
	const char *root = new_root("0::/a/b/c/d\n", UNIFIED);

	fake_root_put("500000 100000\n", "/sys/fs/cgroup/a/cpu.max");
	TEST_CHECK(quota(root) == 5);
	fake_root_put("max 100000\n", "/sys/fs/cgroup/a/b/c/d/cpu.max");
	TEST_CHECK(quota(root) == 5);
	fake_root_put("700000 100000\n", "/sys/fs/cgroup/a/b/c/d/cpu.max");
	TEST_CHECK(quota(root) == 5);
	fake_root_put("30000 10000\n", "/sys/fs/cgroup/a/b/c/cpu.max");
	TEST_CHECK(quota(root) == 3);
	fake_root_put("0 100000\n", "/sys/fs/cgroup/a/b/cpu.max");
	TEST_CHECK(quota(root) == 3);
	fake_root_put("200000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 2);
	fake_root_put("100000 100000\n", "/sys/fs/cgroup/a/b/x/cpu.max");
	TEST_CHECK(quota(root) == 2);
}

/* A container sees its own group as the top, with and without a namespace of groups. */
static void container(void)
{
	const char *root = new_root("0::/\n", UNIFIED);

	fake_root_put("150000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 2);

	root = new_root("0::/docker/abc/init\n", "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	fake_root_put("300000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 3);
	fake_root_put("200000 100000\n", "/sys/fs/cgroup/init/cpu.max");
	TEST_CHECK(quota(root) == 2);

	root = new_root("0::/docker/abc\n", "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	fake_root_put("400000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 4);
}

/* A group limits the process only if the process is visibly in it. */
static void not_its_group(void)
{
	const char *root =
		new_root("0::/docker/abcd\n", "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");

	fake_root_put("100000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 0);

	root = new_root("0::/../other\n", UNIFIED);
	fake_root_put("100000 100000\n", "/sys/fs/cgroup/cpu.max");
	fake_root_put("100000 100000\n", "/sys/fs/other/cpu.max");
	TEST_CHECK(quota(root) == 0);

	root = new_root("0::/..b/..\n", UNIFIED);
	fake_root_put("100000 100000\n", "/sys/fs/cgroup/..b/cpu.max");
	TEST_CHECK(quota(root) == 0);

	root = new_root("0::/..b\n", UNIFIED);
	fake_root_put("100000 100000\n", "/sys/fs/cgroup/..b/cpu.max");
	TEST_CHECK(quota(root) == 1);
}

#define CPU_MOUNT "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define OTHER_MOUNTS                                                                                                   \
	"32 25 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"                                            \
	"34 25 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
#define CPU_FILE "/sys/fs/cgroup/cpu,cpuacct%s/cpu.cfs_%s_us"

static void controller(void)
{
	const char *root = new_root("9:cpuset:/x\n5:cpuacct,cpu:/a/b\n4:cpuacct:/x\n", OTHER_MOUNTS CPU_MOUNT);

	fake_root_put("100000\n", "/sys/fs/cgroup/cpuset/x/cpu.cfs_quota_us");
	fake_root_put("100000\n", "/sys/fs/cgroup/cpuset/x/cpu.cfs_period_us");
	TEST_CHECK(quota(root) == 0);
	fake_root_put("-1\n", CPU_FILE, "/a/b", "quota");
	fake_root_put("100000\n", CPU_FILE, "/a/b", "period");
	TEST_CHECK(quota(root) == 0);
	fake_root_put("350000\n", CPU_FILE, "/a/b", "quota");
	TEST_CHECK(quota(root) == 4);
	fake_root_put("150000\n", CPU_FILE, "/a", "quota");
	TEST_CHECK(quota(root) == 4);
	fake_root_put("100000\n", CPU_FILE, "/a", "period");
	TEST_CHECK(quota(root) == 2);
	fake_root_put("50000\n", CPU_FILE, "", "quota");
	fake_root_put("100000\n", CPU_FILE, "", "period");
	TEST_CHECK(quota(root) == 1);
	fake_root_put("0\n", CPU_FILE, "", "period");
	TEST_CHECK(quota(root) == 2);
	fake_root_put("ten\n", CPU_FILE, "/a", "quota");
	TEST_CHECK(quota(root) == 4);
}

/* Both versions of groups are mounted; the quotas may be in either. */
static void hybrid(void)
{
	const char *root = new_root(
		"5:cpu,cpuacct:/docker/x\n1:name=systemd:/s\n0::/s\n",
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" OTHER_MOUNTS
		"33 25 0:29 /docker/x /sys/fs/cgroup/cpu,cpuacct ro shared:1 master:2 - cgroup - rw,cpuacct,cpu\n");

	TEST_CHECK(quota(root) == 0);
	fake_root_put("600000\n", CPU_FILE, "", "quota");
	fake_root_put("100000\n", CPU_FILE, "", "period");
	TEST_CHECK(quota(root) == 6);
	fake_root_put("500000 100000\n", "/sys/fs/cgroup/unified/s/cpu.max");
	TEST_CHECK(quota(root) == 5);
}

/* Mounts with strange names, in odd places, hidden by other mounts, or no mount at all. */
static void mounts(void)
{
	const char *root = new_root("0::/a b\\c\n", "\n1\n1 2 3 4\n- - - - - -\n1 2 3 / /m rw - cgroup2\n"
						    "30 23 0:26 /a\\040b\\134c /my\\040groups rw - cgroup2 none rw\n");

	fake_root_put("200000 100000\n", "/my groups/cpu.max");
	TEST_CHECK(quota(root) == 2);

	/* The mount that shows most of the tree counts, at any position in the list. */
	root = new_root("0::/a/b\n", "30 23 0:26 /a/b /deep rw - cgroup2 none rw\n"
				     "31 23 0:26 /a /less rw - cgroup2 none rw\n"
				     "32 23 0:26 / /top rw - cgroup2 none rw\n"
				     "33 23 0:26 /a /later rw - cgroup2 none rw\n"
				     "34 23 0:26 /c /none rw - cgroup2 none rw\n");
	fake_root_put("300000 100000\n", "/top/a/cpu.max");
	fake_root_put("100000 100000\n", "/deep/cpu.max");
	fake_root_put("100000 100000\n", "/later/cpu.max");
	fake_root_put("100000 100000\n", "/none/cpu.max");
	TEST_CHECK(quota(root) == 3);

	root = new_root("0::/a\n", "30 23 0:26 / / rw - cgroup2 none rw\n");
	fake_root_put("300000 100000\n", "/a/cpu.max");
	TEST_CHECK(quota(root) == 3);

	root = new_root("0::/a\n", "30 23 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n");
	fake_root_put("300000 100000\n", "/sys/fs/cgroup/a/cpu.max");
	TEST_CHECK(quota(root) == 0);

	root = new_root("0:/a\n0::a\n0::\n::\n:\n0\n\n", UNIFIED);
	fake_root_put("300000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 0);
}

/* Files longer than one read, and lines longer than any buffer. */
static void long_files(void)
{
	enum { LINES = 3000 };
	static char text[LINES * 64 + 65536];
	const char *root;
	size_t used = 0;

	for (unsigned i = 0; i < LINES; i++)
		used += (size_t)sprintf(text + used, "%u 1 0:1 / /mnt/%u rw - ext4 /dev/sda rw\n", i, i);
	used += (size_t)sprintf(text + used, "9 1 0:1 / /m rw - overlay overlay lowerdir=");
	memset(text + used, 'x', 40000);
	used += 40000;
	strcpy(text + used, "\n" UNIFIED);
	root = new_root("0::/\n", text);
	fake_root_put("700000 100000\n", "/sys/fs/cgroup/cpu.max");
	TEST_CHECK(quota(root) == 7);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"unified", unified},	     {"unified_nested", unified_nested},
							 {"container", container},   {"not_its_group", not_its_group},
							 {"controller", controller}, {"hybrid", hybrid},
							 {"mounts", mounts},	     {"long_files", long_files}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
