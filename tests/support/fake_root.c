/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "fake_root.h"

#include "test.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);

static char root[64];
static pid_t maker;
static const char *cpus;
static unsigned mask_bits;

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

static void clear(void)
{
	if (*root && maker == getpid())
		nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	*root = 0;
}

const char *fake_root(void)
{
	if (!maker) {
		maker = getpid();
		atexit(clear);
	}
	clear();
	strcpy(root, "fake-root-XXXXXX");
	TEST_CHECK(mkdtemp(root));
	return root;
}

void fake_root_put(const char *text, const char *format, ...)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s", root);
	va_list args;
	FILE *f;

	va_start(args, format);
	vsnprintf(path + length, sizeof(path) - (size_t)length, format, args);
	va_end(args);
	for (char *at = path + length + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		TEST_CHECK(!mkdir(path, 0777) || errno == EEXIST);
		*at = '/';
	}
	f = fopen(path, "w");
	TEST_CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

void fake_root_cpus(const char *list, unsigned bits)
{
	cpus = list;
	mask_bits = bits;
}

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	const char *at = cpus;

	if (!cpus)
		return __real_sched_getaffinity(pid, size, set);
	if (!*cpus || size * 8 < mask_bits) {
		errno = *cpus ? EINVAL : EPERM;
		return -1;
	}
	memset(set, 0, size);
	while (*at) {
		char *end;
		unsigned long first = strtoul(at, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		for (; first <= last; first++)
			CPU_SET_S(first, size, set);
		at = end + (*end == ',');
	}
	return 0;
}

/* Where the CPUs of the cores from first on are in a list; beyond the first thread they are further up. */
static void list_cores(char *list, size_t size, const struct fake_machine *m, int first, int count)
{
	int all = m->packages * m->caches * m->cores, used = 0;

	for (int thread = 0; thread < m->threads; thread++)
		used += snprintf(list + used, size - (size_t)used, "%s%d-%d", thread ? "," : "", first + thread * all,
				 first + thread * all + count - 1);
	snprintf(list + used, size - (size_t)used, "\n");
}

static void put_cpu(const struct fake_machine *m, int cpu, int core)
{
	static const char *const cache[4][2] = {
		{"1\n", "Data\n"}, {"1\n", "Instruction\n"}, {"2\n", "Unified\n"}, {"3\n", "Unified\n"}};
	int in_package = m->caches * m->cores;
	char own[128], shared[128], package[128];

	list_cores(own, sizeof(own), m, core, 1);
	list_cores(shared, sizeof(shared), m, core / m->cores * m->cores, m->cores);
	list_cores(package, sizeof(package), m, core / in_package * in_package, in_package);
	fake_root_put(own, "/sys/devices/system/cpu/cpu%d/topology/core_cpus_list", cpu);
	fake_root_put(package, "/sys/devices/system/cpu/cpu%d/topology/package_cpus_list", cpu);
	for (int i = 0; i < 4; i++) {
		fake_root_put(cache[i][0], "/sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, i);
		fake_root_put(cache[i][1], "/sys/devices/system/cpu/cpu%d/cache/index%d/type", cpu, i);
		fake_root_put(i == 3 ? shared : own, "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list", cpu,
			      i);
	}
}

void fake_root_machine(const struct fake_machine *m)
{
	int in_package = m->caches * m->cores, all = m->packages * in_package;
	char list[128];

	for (int cpu = 0; cpu < all * m->threads; cpu++)
		put_cpu(m, cpu, cpu % all);
	for (int node = 0; node < m->packages; node++) {
		list_cores(list, sizeof(list), m, node * in_package, in_package);
		fake_root_put(list, "/sys/devices/system/node/node%d/cpulist", node);
	}
	snprintf(list, sizeof(list), "0-%d\n", m->packages - 1);
	fake_root_put(list, "/sys/devices/system/node/online");
	snprintf(list, sizeof(list), "0-%d\n", all * m->threads - 1);
	fake_root_put(list, "/sys/devices/system/cpu/online");
}
