/* SPDX-License-Identifier: Apache-2.0 */
/* The number of workers that a process should have. topology_quota.c has the quotas, topology_map.c the distances. */
#define _GNU_SOURCE

#include "../../src/os/topology.h"
#include "../fixtures/fake_root.h"
#include "../fixtures/out_of_memory.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;

static struct filchi_topology read_topology(const char *root)
{
	struct filchi_topology p;

	TEST_CHECK(filchi_topology_read(&p, root) == 0);
	TEST_CHECK(p.limit >= 1 && p.limit <= p.cpu_count && p.cpus);
	return p;
}

static unsigned limit(const char *root)
{
	struct filchi_topology p = read_topology(root);
	unsigned n = p.limit;

	filchi_topology_free(&p);
	return n;
}

/* The CPUs of this machine, in order. */
static void here(void)
{
	struct filchi_topology p;
	cpu_set_t set;
	unsigned next = 0;

	fake_root_cpus(NULL, 0);
	p = read_topology(NULL);
	if (sched_getaffinity(0, sizeof(set), &set) == 0) {
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET((size_t)cpu, &set))
				TEST_CHECK(next < p.cpu_count && p.cpus[next++].cpu == cpu);
		TEST_CHECK(next == p.cpu_count);
	}
	TEST_CHECK(p.source == FILCHI_TOPOLOGY_FLAT);
	filchi_topology_free(&p);
	filchi_topology_free(&p);
}

static void nothing_to_read(void)
{
	const char *root = fake_root();
	struct filchi_topology p;

	fake_root_cpus("0-3", 64);
	p = read_topology(root);
	TEST_CHECK(p.limit == 4 && p.cpu_count == 4 && !p.online && !p.quota);
	filchi_topology_free(&p);
}

static void online(void)
{
	const char *root = fake_root();
	const char *file = "/sys/devices/system/cpu/online";

	fake_root_cpus("4-7", 64);
	fake_root_put("0-7\n", "%s", file);
	TEST_CHECK(limit(root) == 4);
	fake_root_put("0,2\n", "%s", file);
	TEST_CHECK(limit(root) == 2);
	fake_root_put("0", "%s", file);
	TEST_CHECK(limit(root) == 1);
	for (unsigned i = 0; i < 9; i++) {
		static const char *const strange[] = {"",      "\n",	"all\n",   "0-\n",	    "0,2-1\n",
						      "0 1\n", "0,x\n", "0-1-2\n", "0-4294967296\n"};

		fake_root_put(strange[i], "%s", file);
		TEST_CHECK(limit(root) == 4);
	}
}

/* The mask of a large kernel does not fit into a cpu_set_t. */
static void many_cpus(void)
{
	struct filchi_topology p;

	fake_root_cpus("0,1023-1025,8191", 8192);
	p = read_topology(fake_root());
	TEST_CHECK(p.limit == 5 && p.cpu_count == 5);
	TEST_CHECK(p.cpus[0].cpu == 0 && p.cpus[2].cpu == 1024 && p.cpus[4].cpu == 8191);
	filchi_topology_free(&p);
}

/* Without the kernel's mask, the list of online CPUs counts. Without both, there is one CPU. */
static void no_mask(void)
{
	const char *root = fake_root();
	struct filchi_topology p;

	fake_root_cpus("", 64);
	TEST_CHECK(limit(root) == 1);
	fake_root_put("0-70000\n", "/sys/devices/system/cpu/online"); /* more than any kernel has */
	TEST_CHECK(limit(root) == 1);
	fake_root_put("1,3-4\n", "/sys/devices/system/cpu/online");
	p = read_topology(root);
	TEST_CHECK(p.limit == 3 && p.cpus[0].cpu == 1 && p.cpus[1].cpu == 3 && p.cpus[2].cpu == 4);
	filchi_topology_free(&p);
	fake_root_cpus("0-15", 1u << 30);
	TEST_CHECK(limit(root) == 3);
}

static void out_of_memory(void)
{
	const char *root = fake_root();
	long before = out_of_memory_live();
	unsigned n = 0;

	fake_root_cpus("0-15", 2048);
	fake_root_put("0-15\n", "/sys/devices/system/cpu/online");
	fake_root_put("5:cpu:/a\n0::/a/b\n", "/proc/self/cgroup");
	fake_root_put("1 1 0:1 / /v2 rw - cgroup2 none rw\n2 1 0:2 / /v1 rw - cgroup none rw,cpu\n",
		      "/proc/self/mountinfo");
	fake_root_put("700000 100000\n", "/v2/a/cpu.max");
	fake_root_put("600000\n", "/v1/a/cpu.cfs_quota_us");
	fake_root_put("100000\n", "/v1/a/cpu.cfs_period_us");
	do {
		struct filchi_topology p;
		int error;

		out_of_memory_at(++n);
		error = filchi_topology_read(&p, root);
		TEST_CHECK(error == (out_of_memory_happened() ? -ENOMEM : 0));
		TEST_CHECK(error ? !p.cpus : p.limit == 6);
		filchi_topology_free(&p);
		TEST_CHECK(out_of_memory_live() == before);
	} while (out_of_memory_happened());
	out_of_memory_at(0);
	TEST_CHECK(n > 8);
}

static void *pin_and_look(void *cpu)
{
	int number = *(int *)cpu;
	struct filchi_topology p;

	TEST_CHECK(filchi_topology_pin(number) == 0);
	TEST_CHECK(sched_getcpu() == number);
	p = read_topology(NULL);
	TEST_CHECK(p.limit == 1 && p.cpu_count == 1 && p.cpus[0].cpu == number);
	filchi_topology_free(&p);
	TEST_CHECK(filchi_topology_pin(-1) == -EINVAL);
	TEST_CHECK(filchi_topology_pin(1 << 20) == -EINVAL);
	TEST_CHECK(filchi_topology_pin(65535) == -EINVAL); /* the kernel refuses it */
	return NULL;
}

/* A pinned thread stays on its CPU and counts as one CPU. It does not bind the other threads. */
static void pin(void)
{
	struct filchi_topology before, after;

	fake_root_cpus(NULL, 0);
	before = read_topology(NULL);
	for (unsigned i = 0; i < before.cpu_count; i++) {
		pthread_t thread;

		TEST_CHECK(!pthread_create(&thread, NULL, pin_and_look, &before.cpus[i].cpu));
		pthread_join(thread, NULL);
	}
	after = read_topology(NULL);
	TEST_CHECK(after.cpu_count == before.cpu_count);
	filchi_topology_free(&before);
	filchi_topology_free(&after);
}

/* As a user would do it. This program, with an argument, exits with its limit. */
static void taskset(void)
{
	struct filchi_topology p;
	char command[4096];
	int status;

	fake_root_cpus(NULL, 0);
	p = read_topology(NULL);
	for (unsigned i = 0; i < p.cpu_count && i < 4; i++) {
		snprintf(command, sizeof(command), "taskset -c %d true 2>/dev/null", p.cpus[i].cpu);
		if (system(command)) {
			printf(" (no taskset)");
			break;
		}
		snprintf(command, sizeof(command), "taskset -c %d '%s' limit", p.cpus[i].cpu, self);
		status = system(command);
		TEST_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	}
	snprintf(command, sizeof(command), "'%s' limit", self);
	status = system(command);
	TEST_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == (p.limit < 100 ? (int)p.limit : 100));
	filchi_topology_free(&p);
}

int main(int argc, char **argv)
{
	static const struct test_scenario scenarios[] = {{"here", here},       {"nothing_to_read", nothing_to_read},
							 {"online", online},   {"many_cpus", many_cpus},
							 {"no_mask", no_mask}, {"out_of_memory", out_of_memory},
							 {"pin", pin},	       {"taskset", taskset}};

	self = argv[0];
	if (argc > 1) {
		unsigned n = limit(NULL);

		return n < 100 ? (int)n : 100;
	}
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
