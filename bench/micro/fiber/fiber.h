/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures fibers in a pool of one worker. Subjects and their measures:
 *
 *   the kinds of deques    switch    16 fibers that yield: one turn through the scheduler
 *                          spawn     a fiber starts a fiber and joins it
 *                          channel   two fibers that send an element back and forth over channels without a buffer:
 *                                    one round trip
 *                          idle      memory of the process for each fiber that sleeps
 *   boost.fiber            the first three, by a program of its own, where it was built
 *   ring, fiber, call      nop, read, open: operations of 16 fibers at a time in the ring of the worker, with the
 *                          functions of filch/io.h, and by system calls
 *   epoll, fibers          echo_1, echo_64, echo_500: a server with one thread, and as many connections
 */
#ifndef FILCHI_BENCH_FIBER_H
#define FILCHI_BENCH_FIBER_H

#include "../../harness/suite.h"

#define FILCHI_FIBER_MAX_KINDS 16u
#define FILCHI_FIBER_BATCH 16u /* fibers whose operations go together */

struct filchi_fiber_options {
	unsigned fibers;   /* that sleep; 0: 100,000, or 10,000 with --quick */
	size_t kind_count; /* 0: all */
	const char *kinds[FILCHI_FIBER_MAX_KINDS];
	char folder[4096]; /* with the program for boost.fiber */
};

/* 0 or -ENOMEM. */
int filchi_fiber_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_fiber_options *fiber);

/* The context of a case. */
struct filchi_fiber_context {
	const char *kind; /* of deque; NULL: the default one */
	const struct filchi_fiber_options *options;
	double seconds; /* of a sample */
};

/* The own data of a suite. */
struct filchi_fiber_bench {
	struct filchi_fiber_options options;
	struct filchi_fiber_context contexts[FILCHI_FIBER_MAX_KINDS + 1]; /* the last: for all others */
};

/* A list of cases, without context. Those of kinds have no subject either. */
struct filchi_fiber_cases {
	const struct filchi_bench_case *cases;
	size_t count;
};
extern const struct filchi_fiber_cases filchi_fiber_kind_cases, filchi_fiber_boost_cases, filchi_fiber_io_cases,
	filchi_fiber_echo_cases;

/* True if the program for boost.fiber is there. */
bool filchi_fiber_has_boost(const struct filchi_fiber_options *o);

/* ---- for samples ---- */

/* Metrics of a timed sample: wall, cpu, operations. */
#define FILCHI_FIBER_TIMES 3
extern const struct filchi_bench_metric filchi_fiber_times[FILCHI_FIBER_TIMES];
int filchi_fiber_fail(struct filchi_bench_error *error, int err, const char *what);
/* Starts a pool of one worker. 0 or -errno, with its reason. */
int filchi_fiber_start_pool(const struct filchi_fiber_context *context, struct filchi_bench_error *error);
/* True if the time of the current sample is over. */
bool filchi_fiber_time_over(void);
/* Runs the loop in a fiber, and measures it. The loop adds its operations until the time is over. 0 or -errno. */
int filchi_fiber_time(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error,
		      int (*loop)(uint64_t *operations));

/* ---- reports ---- */

int filchi_fiber_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_fiber_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
