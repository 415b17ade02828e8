/* SPDX-License-Identifier: Apache-2.0 */
/* What the system says of the calling thread, and of the whole process. */
#ifndef FILCHI_BENCH_USAGE_H
#define FILCHI_BENCH_USAGE_H

/* How often it has given up its CPU, to wait for something, and how often the system has taken it away, so far. */
struct filchi_switches {
	long voluntary, involuntary;
};

struct filchi_switches filchi_switches(void);
struct filchi_switches filchi_switches_since(struct filchi_switches before);

/* CPU time: unlike wall time it stands still while another program has the CPU. */
double filchi_cpu_ns(void);

/* Of the process, all its threads together: CPU time, user and system, and switches. */
struct filchi_usage {
	double cpu_ns;
	struct filchi_switches switches;
};

struct filchi_usage filchi_usage(void);
struct filchi_usage filchi_usage_since(struct filchi_usage before);

/* What looking at the clock twice in a row takes at least, wall time: may be taken off what is timed one by one. */
double filchi_clock_cost_ns(void);

#endif
