/* SPDX-License-Identifier: Apache-2.0 */
/* One run of the solver for filch bench dd. */
#ifndef FILCHI_BENCH_DD_SOLVE_H
#define FILCHI_BENCH_DD_SOLVE_H

#include "../../dd/problems/problem.h"
#include "cases.h"

#include <filch/dd.h>

struct filchi_dd_request {
	const struct filchi_problem *problem;
	struct filch_dd_problem p;
	unsigned workers;
	size_t width;	/* 0: the default of the problem */
	double seconds; /* time limit; 0: none */
	double optimum; /* NaN: not known */
};

struct filchi_dd_sample {
	double ns, nodes, dd_nodes;
	double proved; /* 1: the best value is proved */
	double gap_ns[FILCHI_DD_GAPS];
};

/* The time since an arbitrary moment. */
double filchi_dd_now(void);

/* Adds one run to the sample. False: it failed, or the answer is wrong; then standard error says why. */
bool filchi_dd_solve(const struct filchi_dd_request *r, struct filchi_dd_sample *s);

#endif
