/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures fibers. Subjects are the kinds of deques, in a pool of one worker. Measures:
 *
 *   switch    16 fibers that yield: one turn through the scheduler
 *   spawn     a fiber starts a fiber and joins it
 *   channel   two fibers that send an element back and forth over channels without a buffer: one round trip
 *   idle      memory of the process for each fiber that sleeps
 */
#ifndef FILCHI_BENCH_FIBER_H
#define FILCHI_BENCH_FIBER_H

#include "../../harness/suite.h"

#define FILCHI_FIBER_MAX_KINDS 16u
#define FILCHI_FIBER_MEASURES 4u

struct filchi_fiber_options {
	unsigned fibers;   /* that sleep; 0: 100,000, or 10,000 with --quick */
	size_t kind_count; /* 0: all */
	const char *kinds[FILCHI_FIBER_MAX_KINDS];
};

/* 0 or -ENOMEM. */
int filchi_fiber_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_fiber_options *fiber);

/* The context of a case. */
struct filchi_fiber_context {
	const char *kind;
	unsigned fibers;
	double seconds; /* of a sample */
};

/* The own data of a suite. */
struct filchi_fiber_bench {
	struct filchi_fiber_options options;
	struct filchi_fiber_context contexts[FILCHI_FIBER_MAX_KINDS];
};

/* The measures, from 0: their cases without subject and context. */
extern const struct filchi_bench_case filchi_fiber_bench_cases[FILCHI_FIBER_MEASURES];

/* Its reports. */
int filchi_fiber_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_fiber_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
