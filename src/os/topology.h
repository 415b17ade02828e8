/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where this process may run: how many workers it should have, on which CPUs, and how near these are to each other.
 * The rules are in docs/environment.md. topology_linux.c asks the system, topology_check.c makes up a small one.
 */
#ifndef FILCHI_OS_TOPOLOGY_H
#define FILCHI_OS_TOPOLOGY_H

/* What CPUs share, nearest first. */
enum filchi_topology_level {
	FILCHI_TOPOLOGY_CORE,
	FILCHI_TOPOLOGY_CACHE, /* the last level of it */
	FILCHI_TOPOLOGY_NODE,  /* of memory */
	FILCHI_TOPOLOGY_PACKAGE,
	FILCHI_TOPOLOGY_LEVELS
};

/* Who says so, the best last. */
enum filchi_topology_source {
	FILCHI_TOPOLOGY_FLAT, /* nobody: all CPUs are equally far from each other */
	FILCHI_TOPOLOGY_SYSFS,
	FILCHI_TOPOLOGY_HWLOC,
	FILCHI_TOPOLOGY_BEST /* only to ask for: the best there is */
};

struct filchi_topology_cpu {
	int cpu;			/* the system's number */
	int sibling;			/* how many CPUs of the same core come before it */
	int in[FILCHI_TOPOLOGY_LEVELS]; /* which core, which cache, ...: numbered from 0, each in order of its lowest
					 * CPU
					 */
};

struct filchi_topology {
	unsigned limit;	 /* the workers this process should have: at least 1, at most cpu_count */
	unsigned online; /* CPUs that the machine says it has; 0: it does not say */
	unsigned quota;	 /* CPUs' worth of time that the process may use, rounded up; 0: no limit */
	enum filchi_topology_source source;
	unsigned cpu_count;		  /* CPUs the calling thread may use: at least 1 */
	struct filchi_topology_cpu *cpus; /* in the order in which workers are best put on them */
};

/*
 * All of this but who is near whom: p is flat, and in the order of the CPUs' numbers. Files are looked for below root,
 * NULL for the true one; which CPUs the thread may use is always the system's answer. 0 or -ENOMEM, and then p is
 * empty. Either way, free may follow.
 */
int filchi_topology_read(struct filchi_topology *p, const char *root);
void filchi_topology_free(struct filchi_topology *p);

/*
 * Finds out who is near whom, from the source asked for, and puts the CPUs in order: one of each core before a second
 * of any, and near ones side by side. p->source tells who knew. hwloc knows the true root only. -ENOENT when the
 * source, other than BEST, knows nothing, or -ENOMEM; p is flat then.
 */
int filchi_topology_map(struct filchi_topology *p, const char *root, enum filchi_topology_source source);

/* Lets the calling thread run on this CPU only, given by the system's number. 0 or -errno. */
int filchi_topology_pin(int cpu);

/*
 * The nearest level the two share, FILCHI_TOPOLOGY_LEVELS if none. A package counts before what is in it: memory may be
 * set up as one node over several packages, and that does not bring these together.
 */
static inline unsigned filchi_topology_distance(const struct filchi_topology_cpu *a,
						const struct filchi_topology_cpu *b)
{
	unsigned level = FILCHI_TOPOLOGY_CORE;

	if (a->in[FILCHI_TOPOLOGY_PACKAGE] != b->in[FILCHI_TOPOLOGY_PACKAGE])
		return FILCHI_TOPOLOGY_LEVELS;
	while (a->in[level] != b->in[level])
		level++;
	return level;
}

#endif
