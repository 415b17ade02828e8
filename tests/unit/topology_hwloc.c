/* SPDX-License-Identifier: Apache-2.0 */
/* hwloc and /sys give the same answers: on this machine, and on an invented one. */
#define _GNU_SOURCE

#include "../../src/os/topology.h"
#include "../fixtures/fake_root.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

static void agree(const char *root)
{
	struct filchi_topology hwloc, sysfs;

	TEST_CHECK(filchi_topology_read(&hwloc, NULL) == 0);
	TEST_CHECK(filchi_topology_map(&hwloc, NULL, FILCHI_TOPOLOGY_HWLOC) == 0 &&
		   hwloc.source == FILCHI_TOPOLOGY_HWLOC);
	TEST_CHECK(filchi_topology_read(&sysfs, root) == 0);
	TEST_CHECK(!root || filchi_topology_map(&sysfs, root, FILCHI_TOPOLOGY_HWLOC) ==
				    -ENOENT); /* hwloc knows only the real root */
	TEST_CHECK(filchi_topology_map(&sysfs, root, FILCHI_TOPOLOGY_BEST) == 0);
	TEST_CHECK(sysfs.source == (root ? FILCHI_TOPOLOGY_SYSFS : FILCHI_TOPOLOGY_HWLOC));
	TEST_CHECK(filchi_topology_map(&sysfs, root, FILCHI_TOPOLOGY_SYSFS) == 0 &&
		   sysfs.source == FILCHI_TOPOLOGY_SYSFS);
	TEST_CHECK(hwloc.cpu_count == sysfs.cpu_count);
	for (unsigned i = 0; i < hwloc.cpu_count; i++) {
		const struct filchi_topology_cpu *a = &hwloc.cpus[i], *b = &sysfs.cpus[i];

		if (memcmp(a, b, sizeof(*a)))
			fprintf(stderr, "\n%u: hwloc has CPU %d in %d.%d.%d.%d, /sys has CPU %d in %d.%d.%d.%d\n", i,
				a->cpu, a->in[0], a->in[1], a->in[2], a->in[3], b->cpu, b->in[0], b->in[1], b->in[2],
				b->in[3]);
		TEST_CHECK(!memcmp(a, b, sizeof(*a)));
	}
	filchi_topology_free(&hwloc);
	filchi_topology_free(&sysfs);
}

/* A call of hwloc must not move the calling thread, and must not leave it bound. */
static void here(void)
{
	struct filchi_topology p;
	cpu_set_t before, after;

	fake_root_cpus(NULL, 0);
	TEST_CHECK(filchi_topology_read(&p, NULL) == 0);
	TEST_CHECK(filchi_topology_map(&p, NULL, FILCHI_TOPOLOGY_BEST) == 0 && p.source == FILCHI_TOPOLOGY_HWLOC);
	filchi_topology_free(&p);
	if (sched_getaffinity(0, sizeof(before), &before))
		return;
	agree(NULL);
	TEST_CHECK(sched_getaffinity(0, sizeof(after), &after) == 0 && CPU_EQUAL(&before, &after));
}

static void made_up(void)
{
	static const struct {
		struct fake_machine machine;
		const char *hwloc, *cpus;
	} pairs[] = {
		{{2, 2, 2, 2},
		 "package:2 [numa] l3:2 l2:2 core:1 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)",
		 "0-15"},
		{{2, 2, 2, 2},
		 "package:2 [numa] l3:2 l2:2 core:1 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)",
		 "3,6-7,11,14"},
		{{1, 3, 4, 1}, "package:1 [numa] l3:3 l2:4 core:1 pu:1", "0-11"},
		{{3, 1, 1, 1}, "package:3 [numa] l3:1 core:1 pu:1", "0-2"},
		{{1, 1, 1, 4}, "package:1 [numa] l3:1 core:1 pu:4", "0-3"},
	};

	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const char *root = fake_root();

		fake_root_machine(&pairs[i].machine);
		fake_root_cpus(pairs[i].cpus, 64);
		setenv("HWLOC_SYNTHETIC", pairs[i].hwloc, 1);
		agree(root);
	}
	unsetenv("HWLOC_SYNTHETIC");
}

/* Memory of two kinds, one for a package and one for a cache: the nearest one is the node. */
static void two_memories(void)
{
	struct filchi_topology p;

	fake_root_cpus("0-7", 64);
	setenv("HWLOC_SYNTHETIC", "package:2 [numa] l3:2 [numa] core:2 pu:1", 1);
	TEST_CHECK(filchi_topology_read(&p, NULL) == 0);
	TEST_CHECK(filchi_topology_map(&p, NULL, FILCHI_TOPOLOGY_HWLOC) == 0);
	for (int i = 0; i < 8; i++)
		TEST_CHECK(p.cpus[i].cpu == i && p.cpus[i].in[FILCHI_TOPOLOGY_NODE] == i / 2);
	filchi_topology_free(&p);
	unsetenv("HWLOC_SYNTHETIC");
}

/* An answer of hwloc about another machine is refused. */
static void other_machine(void)
{
	struct filchi_topology p;

	fake_root_cpus("0-4", 64);
	setenv("HWLOC_SYNTHETIC", "package:1 core:4 pu:1", 1);
	TEST_CHECK(filchi_topology_read(&p, NULL) == 0);
	TEST_CHECK(filchi_topology_map(&p, NULL, FILCHI_TOPOLOGY_HWLOC) == -ENOENT && p.source == FILCHI_TOPOLOGY_FLAT);
	for (unsigned i = 0; i < 5; i++)
		TEST_CHECK(p.cpus[i].cpu == (int)i && p.cpus[i].in[FILCHI_TOPOLOGY_CORE] == (int)i);
	filchi_topology_free(&p);
	unsetenv("HWLOC_SYNTHETIC");
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"here", here}, {"made_up", made_up}, {"two_memories", two_memories}, {"other_machine", other_machine}};
	struct filchi_topology p;
	int error;

	TEST_CHECK(filchi_topology_read(&p, NULL) == 0);
	error = filchi_topology_map(&p, NULL, FILCHI_TOPOLOGY_HWLOC);
	filchi_topology_free(&p);
	if (error == -ENOENT) {
		printf("skipped: built without hwloc, or hwloc is missing\n");
		return TEST_SKIP;
	}
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
