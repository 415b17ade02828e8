/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPUs on which this process may run, how near they are to each other, and how many workers the process should
 * have. The rules are in docs/environment.md. topology_linux.c asks the system. topology_check.c makes up a small
 * machine.
 */
#ifndef FILCHI_OS_TOPOLOGY_H
#define FILCHI_OS_TOPOLOGY_H

/* Parts of a machine that CPUs share, the nearest first. */
enum filchi_topology_level {
	FILCHI_TOPOLOGY_CORE,
	FILCHI_TOPOLOGY_CACHE, /* the last level of cache */
	FILCHI_TOPOLOGY_NODE,  /* of memory */
	FILCHI_TOPOLOGY_PACKAGE,
	FILCHI_TOPOLOGY_LEVELS
};

/* Where the knowledge comes from, the best source last. */
enum filchi_topology_source {
	FILCHI_TOPOLOGY_FLAT, /* no source: all CPUs are equally far from each other */
	FILCHI_TOPOLOGY_SYSFS,
	FILCHI_TOPOLOGY_HWLOC,
	FILCHI_TOPOLOGY_BEST /* only as an argument: the best source that knows the machine */
};

struct filchi_topology_cpu {
	int cpu;			/* the system's number */
	int sibling;			/* CPUs of the same core that come before it */
	int in[FILCHI_TOPOLOGY_LEVELS]; /* which core, which cache, ...: numbered from 0, each in order of its lowest
					 * CPU
					 */
};

struct filchi_topology {
	unsigned limit;	 /* the workers this process should have, at most cpu_count; 0: the system has no threads */
	unsigned online; /* CPUs that the machine says it has; 0: it does not say */
	unsigned quota;	 /* CPUs' worth of time that the process may use, rounded up; 0: no limit */
	enum filchi_topology_source source;
	unsigned cpu_count;		  /* CPUs the calling thread may use: at least 1 */
	struct filchi_topology_cpu *cpus; /* in the order in which workers are best put on them */
};

/*
 * Finds all of this except the distances: p is flat, in the order of the CPUs' numbers. The function looks for files
 * below root; NULL: the true root. The system always says which CPUs the thread may use. 0; -ENOMEM: p is empty. free
 * may follow in both cases.
 */
int filchi_topology_read(struct filchi_topology *p, const char *root);
void filchi_topology_free(struct filchi_topology *p);

/*
 * Finds the distances, from the given source, and puts the CPUs in order: one CPU of each core before a second CPU of
 * any core, and near CPUs side by side. p->source names the source that was used. hwloc knows the true root only.
 * -ENOENT: the source is not BEST and knows nothing. After -ENOENT and -ENOMEM p is flat.
 */
int filchi_topology_map(struct filchi_topology *p, const char *root, enum filchi_topology_source source);

/* Lets the calling thread run only on the CPU with this number of the system. 0 or -errno. */
int filchi_topology_pin(int cpu);

/*
 * The nearest level that the two CPUs share; FILCHI_TOPOLOGY_LEVELS if they share no level. CPUs of different packages
 * share no nearer level: memory may be set up as one node over several packages, but that does not make the packages
 * nearer.
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
