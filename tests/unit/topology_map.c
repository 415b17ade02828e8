/* SPDX-License-Identifier: Apache-2.0 */
/* Distances between CPUs, from /sys. */
#include "../../src/os/topology.h"
#include "../fixtures/fake_root.h"
#include "../fixtures/out_of_memory.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <string.h>

#define CPU_FILE "/sys/devices/system/cpu/cpu%d/%s"

/* The CPUs in their order, each as cpu:core.cache.node.package. */
static const char *written(const struct filchi_topology *p)
{
	static char text[4096];
	int used = 0;

	for (unsigned i = 0; i < p->cpu_count; i++) {
		const struct filchi_topology_cpu *c = &p->cpus[i];

		used += snprintf(text + used, sizeof(text) - (size_t)used, "%s%d:%d.%d.%d.%d", i ? " " : "", c->cpu,
				 c->in[FILCHI_TOPOLOGY_CORE], c->in[FILCHI_TOPOLOGY_CACHE], c->in[FILCHI_TOPOLOGY_NODE],
				 c->in[FILCHI_TOPOLOGY_PACKAGE]);
	}
	return text;
}

static struct filchi_topology mapped(const char *root)
{
	struct filchi_topology p;

	TEST_CHECK(filchi_topology_read(&p, root) == 0);
	TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_SYSFS) == 0 && p.source == FILCHI_TOPOLOGY_SYSFS);
	return p;
}

static void expect(const char *root, const char *what)
{
	struct filchi_topology p = mapped(root);

	if (strcmp(written(&p), what))
		fprintf(stderr, "\ngot      %s\nexpected %s\n", written(&p), what);
	TEST_CHECK(!strcmp(written(&p), what));
	filchi_topology_free(&p);
}

/* Two packages with two caches each, each with two cores of two threads: CPUs n and n + 8 are one core. */
static const struct fake_machine large = {2, 2, 2, 2};

static unsigned distance(const struct filchi_topology *p, int a, int b)
{
	unsigned i = 0, j = 0;

	while (p->cpus[i].cpu != a)
		i++;
	while (p->cpus[j].cpu != b)
		j++;
	TEST_CHECK(filchi_topology_distance(&p->cpus[i], &p->cpus[j]) ==
		   filchi_topology_distance(&p->cpus[j], &p->cpus[i]));
	return filchi_topology_distance(&p->cpus[i], &p->cpus[j]);
}

/* The order has all cores before any second thread, and neighbours side by side. */
static void order(void)
{
	const char *root = fake_root();
	struct filchi_topology p;

	fake_root_machine(&large);
	fake_root_cpus("0-15", 64);
	expect(root, "0:0.0.0.0 1:1.0.0.0 2:2.1.0.0 3:3.1.0.0 4:4.2.1.1 5:5.2.1.1 6:6.3.1.1 7:7.3.1.1 "
		     "8:0.0.0.0 9:1.0.0.0 10:2.1.0.0 11:3.1.0.0 12:4.2.1.1 13:5.2.1.1 14:6.3.1.1 15:7.3.1.1");
	p = mapped(root);
	for (unsigned i = 0; i < 16; i++)
		TEST_CHECK(p.cpus[i].sibling == (i >= 8));
	TEST_CHECK(distance(&p, 0, 0) == FILCHI_TOPOLOGY_CORE);
	TEST_CHECK(distance(&p, 0, 8) == FILCHI_TOPOLOGY_CORE);
	TEST_CHECK(distance(&p, 0, 1) == FILCHI_TOPOLOGY_CACHE);
	TEST_CHECK(distance(&p, 0, 9) == FILCHI_TOPOLOGY_CACHE);
	TEST_CHECK(distance(&p, 0, 2) == FILCHI_TOPOLOGY_NODE);
	TEST_CHECK(distance(&p, 0, 4) == FILCHI_TOPOLOGY_LEVELS);
	filchi_topology_free(&p);
}

/* Numbers count the usable CPUs, not the CPUs of the machine. */
static void some(void)
{
	const char *root = fake_root();

	fake_root_machine(&large);
	fake_root_cpus("3,6-7,11,14", 64);
	expect(root, "3:0.0.0.0 6:1.1.1.1 7:2.1.1.1 11:0.0.0.0 14:1.1.1.1");
	fake_root_cpus("15", 64);
	expect(root, "15:0.0.0.0");
}

/* A map may be made again, and be dropped. */
static void again(void)
{
	const char *root = fake_root();
	struct filchi_topology p;

	fake_root_machine(&large);
	fake_root_cpus("0-1,8-9", 64);
	TEST_CHECK(filchi_topology_read(&p, root) == 0 && p.source == FILCHI_TOPOLOGY_FLAT);
	TEST_CHECK(!strcmp(written(&p), "0:0.0.0.0 1:1.1.0.0 8:2.2.0.0 9:3.3.0.0"));
	TEST_CHECK(distance(&p, 0, 1) == FILCHI_TOPOLOGY_NODE && distance(&p, 0, 8) == FILCHI_TOPOLOGY_NODE);
	for (unsigned i = 0; i < 2; i++) {
		TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_BEST) == 0 &&
			   p.source == FILCHI_TOPOLOGY_SYSFS);
		TEST_CHECK(!strcmp(written(&p), "0:0.0.0.0 1:1.0.0.0 8:0.0.0.0 9:1.0.0.0"));
	}
	TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_FLAT) == 0 && p.source == FILCHI_TOPOLOGY_FLAT);
	TEST_CHECK(!strcmp(written(&p), "0:0.0.0.0 1:1.1.0.0 8:2.2.0.0 9:3.3.0.0"));
	filchi_topology_free(&p);

	/* Here the best order differs from the order of the numbers. */
	fake_root_put("0-1\n", CPU_FILE, 0, "topology/core_cpus_list");
	fake_root_cpus("0-2", 64);
	TEST_CHECK(filchi_topology_read(&p, root) == 0);
	for (unsigned i = 0; i < 2; i++) {
		TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_SYSFS) == 0);
		TEST_CHECK(!strcmp(written(&p), "0:0.0.0.0 2:1.1.0.0 1:0.0.0.0"));
	}
	TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_FLAT) == 0);
	TEST_CHECK(!strcmp(written(&p), "0:0.0.0.0 1:1.1.0.0 2:2.2.0.0"));
	filchi_topology_free(&p);
}

/* The names that the lists had before Linux 5.3. */
static void old_names(void)
{
	const char *root = fake_root();

	fake_root_cpus("0-3", 64);
	for (int cpu = 0; cpu < 4; cpu++) {
		fake_root_put(cpu % 2 ? "1,3\n" : "0,2\n", CPU_FILE, cpu, "topology/thread_siblings_list");
		fake_root_put("0-3\n", CPU_FILE, cpu, "topology/core_siblings_list");
	}
	expect(root, "0:0.0.0.0 1:1.1.0.0 2:0.0.0.0 3:1.1.0.0");
}

/* Nodes with gaps in their numbers, without CPUs, missing, or across packages. */
static void nodes(void)
{
	const char *root = fake_root();
	struct filchi_topology p;

	fake_root_cpus("0-5", 64);
	for (int cpu = 0; cpu < 6; cpu++)
		fake_root_put(cpu < 2 ? "0-1\n" : "2-5\n", CPU_FILE, cpu, "topology/package_cpus_list");
	fake_root_put("0-1,7,9\n", "/sys/devices/system/node/online");
	fake_root_put("\n", "/sys/devices/system/node/node0/cpulist");
	fake_root_put("4-5\n", "/sys/devices/system/node/node1/cpulist");
	fake_root_put("0-3\n", "/sys/devices/system/node/node9/cpulist");
	expect(root, "0:0.0.0.0 1:1.1.0.0 2:2.2.0.1 3:3.3.0.1 4:4.4.1.1 5:5.5.1.1");
	p = mapped(root);
	TEST_CHECK(distance(&p, 1, 2) == FILCHI_TOPOLOGY_LEVELS); /* one node, but in two packages */
	TEST_CHECK(distance(&p, 2, 3) == FILCHI_TOPOLOGY_NODE);
	TEST_CHECK(distance(&p, 3, 4) == FILCHI_TOPOLOGY_PACKAGE);
	filchi_topology_free(&p);
}

/*
 * Cores of two kinds: cores that share a second-level cache have no third level. Files for cores 4 and 5 are missing.
 */
static void caches(void)
{
	const char *root = fake_root();

	fake_root_cpus("0-5", 64);
	for (int cpu = 0; cpu < 4; cpu++) {
		fake_root_put("2\n", CPU_FILE, cpu, "cache/index0/level");
		fake_root_put("Unified\n", CPU_FILE, cpu, "cache/index0/type");
		fake_root_put(cpu < 2 ? "0-1\n" : "2-3\n", CPU_FILE, cpu, "cache/index0/shared_cpu_list");
		fake_root_put("1\n", CPU_FILE, cpu, "cache/index1/level");
		fake_root_put("Data\n", CPU_FILE, cpu, "cache/index1/type");
		fake_root_put("3\n", CPU_FILE, cpu, "cache/index2/level");
		fake_root_put("Instruction\n", CPU_FILE, cpu, "cache/index2/type");
		fake_root_put("0-3\n", CPU_FILE, cpu, "cache/index2/shared_cpu_list");
	}
	expect(root, "0:0.0.0.0 1:1.0.0.0 2:2.1.0.0 3:3.1.0.0 4:4.2.0.0 5:5.3.0.0");
	fake_root_put("4-5\n", CPU_FILE, 4, "topology/core_cpus_list");
	expect(root, "0:0.0.0.0 1:1.0.0.0 2:2.1.0.0 3:3.1.0.0 4:4.2.0.0 5:4.2.0.0");
}

/* A strange file affects only the CPU that it describes. */
static void strange(void)
{
	static const char *const lists[] = {"", "\n", "x\n", "-1\n", "7-\n", "99999999999999999999\n", "5-2\n", "9\n"};
	const char *root = fake_root();

	fake_root_machine(&large);
	fake_root_cpus("0-3", 64);
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fake_root_put(lists[i], CPU_FILE, 0, "topology/core_cpus_list");
		fake_root_put(lists[i], CPU_FILE, 1, "cache/index3/level");
		fake_root_put(lists[i], CPU_FILE, 2, "cache/index3/shared_cpu_list");
		fake_root_put(lists[i], CPU_FILE, 3, "topology/package_cpus_list");
		fake_root_put(lists[i], "/sys/devices/system/node/online");
		expect(root, "0:0.0.0.0 1:1.0.0.0 2:2.1.0.0 3:3.1.0.0");
	}
	/* If two lists contradict each other, the first one counts. */
	fake_root_put("0,2\n", CPU_FILE, 0, "topology/core_cpus_list");
	fake_root_put("0-3\n", CPU_FILE, 1, "topology/core_cpus_list");
	expect(root, "0:0.0.0.0 1:1.0.0.0 2:0.1.0.0 3:1.1.0.0");
}

static void nothing(void)
{
	const char *root = fake_root();
	struct filchi_topology p;

	fake_root_cpus("2-3", 64);
	TEST_CHECK(filchi_topology_read(&p, root) == 0);
	TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_SYSFS) == -ENOENT && p.source == FILCHI_TOPOLOGY_FLAT);
	TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_HWLOC) == -ENOENT && p.source == FILCHI_TOPOLOGY_FLAT);
	TEST_CHECK(!strcmp(written(&p), "2:0.0.0.0 3:1.1.0.0"));
	TEST_CHECK(filchi_topology_map(&p, root, FILCHI_TOPOLOGY_BEST) == 0 && p.source == FILCHI_TOPOLOGY_FLAT);
	TEST_CHECK(!strcmp(written(&p), "2:0.0.0.0 3:1.1.0.0"));
	filchi_topology_free(&p);
}

static void out_of_memory(void)
{
	const char *root = fake_root();
	struct filchi_topology p;
	unsigned n = 0;
	long before;

	fake_root_machine(&large);
	fake_root_cpus("0,4,8,12", 64);
	TEST_CHECK(filchi_topology_read(&p, root) == 0);
	before = out_of_memory_live();
	do {
		int error;

		out_of_memory_at(++n);
		error = filchi_topology_map(&p, root, FILCHI_TOPOLOGY_BEST);
		TEST_CHECK(error == (out_of_memory_happened() ? -ENOMEM : 0));
		TEST_CHECK(!strcmp(written(&p), error ? "0:0.0.0.0 4:1.1.0.0 8:2.2.0.0 12:3.3.0.0"
						      : "0:0.0.0.0 4:1.1.1.1 8:0.0.0.0 12:1.1.1.1"));
		TEST_CHECK(out_of_memory_live() == before);
	} while (out_of_memory_happened());
	out_of_memory_at(0);
	TEST_CHECK(n > 16);
	filchi_topology_free(&p);
}

/* On this machine each CPU is in the map once. */
static void here(void)
{
	struct filchi_topology p;

	fake_root_cpus(NULL, 0);
	TEST_CHECK(filchi_topology_read(&p, NULL) == 0);
	TEST_CHECK(filchi_topology_map(&p, NULL, FILCHI_TOPOLOGY_BEST) == 0);
	for (unsigned i = 0; i < p.cpu_count; i++) {
		TEST_CHECK(filchi_topology_distance(&p.cpus[i], &p.cpus[i]) == FILCHI_TOPOLOGY_CORE);
		for (unsigned level = 0; level < FILCHI_TOPOLOGY_LEVELS; level++)
			TEST_CHECK(p.cpus[i].in[level] >= 0 && p.cpus[i].in[level] < (int)p.cpu_count);
		for (unsigned j = 0; j < i; j++)
			TEST_CHECK(p.cpus[i].cpu != p.cpus[j].cpu && p.cpus[i].sibling >= p.cpus[j].sibling);
	}
	filchi_topology_free(&p);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"order", order},
							 {"some", some},
							 {"again", again},
							 {"old_names", old_names},
							 {"nodes", nodes},
							 {"caches", caches},
							 {"strange", strange},
							 {"nothing", nothing},
							 {"out_of_memory", out_of_memory},
							 {"here", here}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
