/* SPDX-License-Identifier: Apache-2.0 */
/* Resource usage of the calling thread and of the whole process. */
#ifndef FILCHI_BENCH_USAGE_H
#define FILCHI_BENCH_USAGE_H

/* How often the thread has given up its CPU to wait, and how often the system has taken the CPU away, so far. */
struct filchi_switches {
	long voluntary, involuntary;
};

struct filchi_switches filchi_switches(void);
struct filchi_switches filchi_switches_since(struct filchi_switches before);

/* CPU time. Unlike wall time, it stands still while another program has the CPU. */
double filchi_cpu_ns(void);

/* CPU time (user and system) and switches of all threads of the process together. */
struct filchi_usage {
	double cpu_ns;
	struct filchi_switches switches;
};

struct filchi_usage filchi_usage(void);
struct filchi_usage filchi_usage_since(struct filchi_usage before);

/*
 * Returns the shortest wall time between two readings of the clock. Callers subtract it from single timed
 * operations.
 */
double filchi_clock_cost_ns(void);

#endif
