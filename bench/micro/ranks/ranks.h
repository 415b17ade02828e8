/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures filch solve on several ranks, and simulates such jobs. Subjects are ways: "real" starts the job; "model"
 * simulates it with the time and the bytes of a node that were measured before; "one" and "tree" simulate many
 * ranks with published costs of a network, with one coordinator and with a tree. Measures are numbers of ranks.
 */
#ifndef FILCHI_BENCH_MICRO_RANKS_H
#define FILCHI_BENCH_MICRO_RANKS_H

#include "../../harness/suite.h"

#define FILCHI_RANKS_BENCH_MARKS 16 /* characters of a number of marks */

struct filchi_ranks_bench_options {
	char program[4096];		      /* filch */
	char marks[FILCHI_RANKS_BENCH_MARKS]; /* of the Golomb ruler of the real jobs */
	int most;			      /* ranks that are simulated */
	double work;			      /* seconds of the simulated search with one rank */
};

/* The launcher of an MPI that can be started; NULL: none. */
const char *filchi_ranks_bench_launcher(void);

/* 0 or -errno. */
int filchi_ranks_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_ranks_bench_options *ranks);

#endif
