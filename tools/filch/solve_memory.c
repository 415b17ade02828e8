/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that filch solve uses at most, if the user does not say how much. */
#include "solve.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads a file of one number. The file may have a word instead, or be missing: SIZE_MAX. */
static size_t read_number(const char *path)
{
	FILE *f = fopen(path, "re");
	unsigned long long number;
	bool found = f && fscanf(f, "%llu", &number) == 1;

	if (f)
		fclose(f);
	return found && number < SIZE_MAX ? (size_t)number : SIZE_MAX;
}

static size_t available(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kib = SIZE_MAX / 1024;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib < SIZE_MAX / 1024 ? (size_t)kib * 1024 : SIZE_MAX;
}

/* Of the group of a container: its own, or of the old kind. */
static size_t left_in_group(void)
{
	size_t most = read_number("/sys/fs/cgroup/memory.max"), used = read_number("/sys/fs/cgroup/memory.current");

	if (most == SIZE_MAX) {
		most = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
		used = read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes");
	}
	if (most == SIZE_MAX || used == SIZE_MAX)
		return most;
	return used < most ? most - used : 0;
}

/* Of the address space (ulimit -v). */
static size_t left_of_space(void)
{
	struct rlimit space;
	size_t used = read_number("/proc/self/statm"), page = (size_t)sysconf(_SC_PAGESIZE);

	if (getrlimit(RLIMIT_AS, &space) || space.rlim_cur == RLIM_INFINITY || used == SIZE_MAX)
		return SIZE_MAX;
	return used * page < space.rlim_cur ? (size_t)space.rlim_cur - used * page : 0;
}

size_t filchi_solve_memory(void)
{
	size_t most = available(), group = left_in_group(), space = left_of_space();

	most = group < most ? group : most;
	most = space < most ? space : most;
	if (most == SIZE_MAX)
		return 0;
	return most / 4 * 3 + 1; /* not 0: that is no limit */
}
