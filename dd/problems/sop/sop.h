/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sequential ordering. File, TSPLIB: lines "KEY: VALUE" in any order, then EDGE_WEIGHT_SECTION, the number n of jobs, and
 * n rows of n costs. -1 in row i, column j: job j must come before job i. 1000000: job j may not follow job i. The first
 * job is the first of the order, the last job the last one. The diagonal has no meaning.
 *
 * Solution: the jobs 1 .. n-1 (from 0) in their order.
 */
#ifndef FILCHI_PROBLEMS_SOP_H
#define FILCHI_PROBLEMS_SOP_H

#include "../problem.h"

#define FILCHI_SOP_JOBS_MAX 1024
#define FILCHI_SOP_COST_MAX ((int64_t)1 << 42)
#define FILCHI_SOP_BEFORE (-1)
#define FILCHI_SOP_NEVER 1000000

struct filchi_sop {
	size_t jobs;
	int64_t *cost; /* row: from, column: to. BEFORE: the job of the column precedes; NEVER: there is no such arc */
};

static inline int64_t filchi_sop_cost(const struct filchi_sop *m, size_t from, size_t to)
{
	return m->cost[from * m->jobs + to];
}

FILCHI_PROBLEM_FUNCTIONS(sop);

#endif
