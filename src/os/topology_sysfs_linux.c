/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances of CPUs, from /sys/devices/system.
 *
 * For each level the kernel has, in the folder of each CPU, the list of the CPUs that share it. The list of one CPU is
 * right for all CPUs in the list, so there are about as many files to read as cores. Other files have numbers (core_id,
 * physical_package_id), which are not used: they are not always unique, and may be -1.
 */
#include "topology_parts.h"

#include "../base/mem.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%d"
#define NODE_FOLDER "/sys/devices/system/node"

enum { CACHES = 16, NODES = 4096 }; /* more than any machine has */

/* Gives this number to the CPUs of the list that have no number yet. True if there was such a CPU. */
static bool join(struct filchi_topology *p, unsigned level, const char *list, int number)
{
	bool any = false;
	int first, last;

	while (filchi_topology_range(&list, &first, &last) > 0)
		for (unsigned i = filchi_topology_find(p, first); i < p->cpu_count && p->cpus[i].cpu <= last; i++)
			if (p->cpus[i].in[level] < 0) {
				p->cpus[i].in[level] = number;
				any = true;
			}
	return any;
}

/* Finds the last level of cache of a CPU, as the number of its folder. 0 or -errno. */
static int last_cache(int *index, const char *root, int cpu)
{
	uint64_t best = 0;

	for (int i = 0; i < CACHES; i++) {
		uint64_t level;
		const char *at;
		char *text;
		int error = filchi_topology_text(&text, root, CPU_FOLDER "/cache/index%d/level", cpu, i);

		if (error == -ENOMEM)
			return error;
		if (error)
			break;
		at = text;
		if (!filchi_topology_number(&at, &level))
			level = 0;
		filchi_free(text);
		if (level <= best)
			continue;
		error = filchi_topology_text(&text, root, CPU_FOLDER "/cache/index%d/type", cpu, i);
		if (error == -ENOMEM)
			return error;
		if (error)
			continue;
		if (strncmp(text, "Instruction", 11)) {
			best = level;
			*index = i;
		}
		filchi_free(text);
	}
	return best ? 0 : -ENOENT;
}

/* The list of the CPUs that share the level with this one. Newer kernels have other names for two of them. */
static int read_list(char **list, const char *root, int cpu, unsigned level)
{
	int error, index;

	if (level == FILCHI_TOPOLOGY_CACHE) {
		error = last_cache(&index, root, cpu);
		if (error)
			return error;
		return filchi_topology_text(list, root, CPU_FOLDER "/cache/index%d/shared_cpu_list", cpu, index);
	}
	error = filchi_topology_text(list, root, CPU_FOLDER "/topology/%s_cpus_list", cpu,
				     level == FILCHI_TOPOLOGY_CORE ? "core" : "package");
	if (!error || error == -ENOMEM)
		return error;
	return filchi_topology_text(list, root, CPU_FOLDER "/topology/%s_siblings_list", cpu,
				    level == FILCHI_TOPOLOGY_CORE ? "thread" : "core");
}

static int read_level(struct filchi_topology *p, const char *root, unsigned level, bool *any)
{
	for (unsigned i = 0; i < p->cpu_count; i++) {
		char *list;
		int error;

		if (p->cpus[i].in[level] >= 0)
			continue;
		error = read_list(&list, root, p->cpus[i].cpu, level);
		if (error == -ENOMEM)
			return error;
		if (error)
			continue;
		*any |= join(p, level, list, (int)i);
		filchi_free(list);
	}
	return 0;
}

/* Nodes are the other way around: each node has a folder, with a list of its CPUs. */
static int read_nodes(struct filchi_topology *p, const char *root, bool *any)
{
	int first, last, error;
	const char *at;
	char *nodes;

	error = filchi_topology_text(&nodes, root, NODE_FOLDER "/online");
	if (error)
		return error;
	at = nodes;
	while (error != -ENOMEM && filchi_topology_range(&at, &first, &last) > 0) {
		for (int node = first; node <= last && node < NODES; node++) {
			char *list;

			error = filchi_topology_text(&list, root, NODE_FOLDER "/node%d/cpulist", node);
			if (error == -ENOMEM)
				break;
			if (error)
				continue;
			*any |= join(p, FILCHI_TOPOLOGY_NODE, list, node);
			filchi_free(list);
		}
	}
	filchi_free(nodes);
	return error;
}

int filchi_topology_sysfs(struct filchi_topology *p, const char *root)
{
	bool any = false;

	for (unsigned level = 0; level < FILCHI_TOPOLOGY_LEVELS; level++) {
		int error =
			level == FILCHI_TOPOLOGY_NODE ? read_nodes(p, root, &any) : read_level(p, root, level, &any);

		if (error == -ENOMEM)
			return error;
	}
	return any ? 0 : -ENOENT;
}
