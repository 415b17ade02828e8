/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "topology.h"

#include "../base/mem.h"
#include "topology_parts.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Linux is built for at most 8192 CPUs; a number beyond this one is a mistake. */
enum { MOST_CPUS = 1 << 16 };

static const char *below_root(const char *root)
{
	return root && strcmp(root, "/") ? root : "";
}

unsigned filchi_topology_find(const struct filchi_topology *p, int first)
{
	unsigned from = 0, to = p->cpu_count;

	while (from < to) {
		unsigned middle = from + (to - from) / 2;

		if (p->cpus[middle].cpu < first)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void flatten(struct filchi_topology *p)
{
	for (unsigned i = 0; i < p->cpu_count; i++)
		for (unsigned level = 0; level < FILCHI_TOPOLOGY_LEVELS; level++)
			p->cpus[i].in[level] = -1;
}

/*
 * Numbers a level from 0, in the order of the lowest CPUs, so that no number of the source remains. A CPU that the
 * source does not know gets its own core, with the cache of that core. All such CPUs are in one node and in one
 * package. The new numbers are below -1 until the end.
 */
static void number_level(struct filchi_topology *p, unsigned level)
{
	int next = -2;

	for (unsigned i = 0; i < p->cpu_count; i++) {
		struct filchi_topology_cpu *a = &p->cpus[i];
		int old = a->in[level];

		if (old < -1)
			continue;
		for (unsigned j = i; j < p->cpu_count; j++) {
			struct filchi_topology_cpu *b = &p->cpus[j];
			bool alone = old == -1 && (level == FILCHI_TOPOLOGY_CORE ||
						   (level == FILCHI_TOPOLOGY_CACHE && a->in[0] != b->in[0]));

			if (i == j || (b->in[level] == old && !alone))
				b->in[level] = next;
		}
		next--;
	}
	for (unsigned i = 0; i < p->cpu_count; i++)
		p->cpus[i].in[level] = -2 - p->cpus[i].in[level];
}

/* Sorts by core, with near cores side by side. */
static int compare_near(const void *x, const void *y)
{
	const struct filchi_topology_cpu *a = x, *b = y;

	for (unsigned level = FILCHI_TOPOLOGY_LEVELS; level-- > 0;)
		if (a->in[level] != b->in[level])
			return a->in[level] < b->in[level] ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static int compare_best(const void *x, const void *y)
{
	const struct filchi_topology_cpu *a = x, *b = y;

	if (a->sibling != b->sibling)
		return a->sibling < b->sibling ? -1 : 1;
	return compare_near(x, y);
}

static int compare_number(const void *x, const void *y)
{
	const struct filchi_topology_cpu *a = x, *b = y;

	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void sort(struct filchi_topology *p, int (*compare)(const void *, const void *))
{
	qsort(p->cpus, p->cpu_count, sizeof(*p->cpus), compare);
}

/* Uses the answer of a source. The CPUs are in the order of their numbers. */
static void settle(struct filchi_topology *p)
{
	for (unsigned level = 0; level < FILCHI_TOPOLOGY_LEVELS; level++)
		number_level(p, level);
	sort(p, compare_near);
	p->cpus[0].sibling = 0;
	for (unsigned i = 1; i < p->cpu_count; i++)
		p->cpus[i].sibling = p->cpus[i].in[FILCHI_TOPOLOGY_CORE] == p->cpus[i - 1].in[FILCHI_TOPOLOGY_CORE]
					     ? p->cpus[i - 1].sibling + 1
					     : 0;
	sort(p, compare_best);
}

int filchi_topology_map(struct filchi_topology *p, const char *root, enum filchi_topology_source source)
{
	bool best = source == FILCHI_TOPOLOGY_BEST;
	int error = source == FILCHI_TOPOLOGY_FLAT ? 0 : -ENOENT;

	root = below_root(root);
	sort(p, compare_number);
	flatten(p);
	p->source = FILCHI_TOPOLOGY_FLAT;
	if ((best || source == FILCHI_TOPOLOGY_HWLOC) && !*root) {
		error = filchi_topology_hwloc(p);
		if (!error)
			p->source = FILCHI_TOPOLOGY_HWLOC;
		else
			flatten(p);
	}
	if ((best && error) || source == FILCHI_TOPOLOGY_SYSFS) {
		error = filchi_topology_sysfs(p, root);
		if (!error)
			p->source = FILCHI_TOPOLOGY_SYSFS;
		else
			flatten(p);
	}
	settle(p);
	return best && error == -ENOENT ? 0 : error;
}

static int make_room(struct filchi_topology *p, unsigned count)
{
	p->cpus = filchi_alloc_array(0, count, sizeof(*p->cpus));
	return p->cpus ? 0 : -ENOMEM;
}

static int take_mask(struct filchi_topology *p, const cpu_set_t *set, size_t size)
{
	int count = CPU_COUNT_S(size, set);

	if (count <= 0)
		return -ENOENT;
	if (make_room(p, (unsigned)count))
		return -ENOMEM;
	for (size_t cpu = 0; p->cpu_count < (unsigned)count; cpu++)
		if (CPU_ISSET_S(cpu, size, set))
			p->cpus[p->cpu_count++].cpu = (int)cpu;
	return 0;
}

/* The kernel refuses a mask that is smaller than its own, and does not tell the size. */
static int read_affinity(struct filchi_topology *p)
{
	for (size_t cpus = CPU_SETSIZE; cpus <= MOST_CPUS; cpus *= 2) {
		size_t size = CPU_ALLOC_SIZE(cpus);
		cpu_set_t *set = filchi_alloc(size);
		int error;

		if (!set)
			return -ENOMEM;
		error = sched_getaffinity(0, size, set) ? -errno : take_mask(p, set, size);
		filchi_free(set);
		if (error != -EINVAL)
			return error;
	}
	return -ENOENT;
}

/* The number of CPUs in a list; 0 if the text is no list of CPUs. Also stores the CPUs if the caller asks for them. */
static unsigned count_list(const char *list, struct filchi_topology *p)
{
	unsigned count = 0;
	int first, last, got;

	while ((got = filchi_topology_range(&list, &first, &last)) > 0) {
		if (last >= MOST_CPUS || count >= MOST_CPUS)
			return 0;
		for (int cpu = first; p && cpu <= last; cpu++)
			p->cpus[p->cpu_count++].cpu = cpu;
		count += (unsigned)(last - first) + 1;
	}
	return got < 0 ? 0 : count;
}

/*
 * The kernel's mask has only CPUs that are online. The list is read as well, because a container may have its own list.
 * That list has the right count but other CPUs, so only its count is used. If the kernel refuses its mask, the list
 * takes the mask's place.
 */
static int read_online(struct filchi_topology *p, const char *root)
{
	char *list;
	int error = filchi_topology_text(&list, root, "/sys/devices/system/cpu/online");

	if (!error) {
		p->online = count_list(list, NULL);
		if (!p->cpus && p->online) {
			error = make_room(p, p->online);
			if (!error)
				count_list(list, p);
		}
		filchi_free(list);
	}
	if (error != -ENOMEM && !p->cpus) {
		error = make_room(p, 1);
		if (!error)
			p->cpus[p->cpu_count++].cpu = 0;
	}
	return error == -ENOMEM ? error : 0;
}

int filchi_topology_read(struct filchi_topology *p, const char *root)
{
	int error;

	root = below_root(root);
	memset(p, 0, sizeof(*p));
	error = read_affinity(p);
	if (error != -ENOMEM)
		error = read_online(p, root);
	if (!error)
		error = filchi_topology_quota(&p->quota, root);
	if (error) {
		filchi_topology_free(p);
		return error;
	}
	p->limit = p->cpu_count;
	if (p->online && p->online < p->limit)
		p->limit = p->online;
	if (p->quota && p->quota < p->limit)
		p->limit = p->quota;
	return filchi_topology_map(p, root, FILCHI_TOPOLOGY_FLAT);
}

void filchi_topology_free(struct filchi_topology *p)
{
	filchi_free(p->cpus);
	memset(p, 0, sizeof(*p));
}

int filchi_topology_pin(int cpu)
{
	/* On the stack: a worker allocates nothing (stack_linux.c). */
	cpu_set_t set[MOST_CPUS / CPU_SETSIZE];
	size_t size;

	if (cpu < 0 || cpu >= MOST_CPUS)
		return -EINVAL;
	size = CPU_ALLOC_SIZE((size_t)cpu + 1);
	CPU_ZERO_S(size, set);
	CPU_SET_S((size_t)cpu, size, set);
	return sched_setaffinity(0, size, set) ? -errno : 0;
}
