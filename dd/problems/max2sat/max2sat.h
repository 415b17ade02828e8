/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MAX-2-SAT with weights. File, DIMACS wcnf: comments "c ...", a line "p wcnf VARIABLES CLAUSES", then lines
 * "WEIGHT LITERAL [LITERAL] 0". Weights may be negative. A clause with x and -x is always true. A clause with the same
 * literal twice is a clause of one literal. Refused: hard clauses, clauses that come twice, another number of clauses
 * than announced.
 *
 * Solution: for each variable 1 (true) or 0 (false).
 */
#ifndef FILCHI_PROBLEMS_MAX2SAT_H
#define FILCHI_PROBLEMS_MAX2SAT_H

#include "../problem.h"

#define FILCHI_MAX2SAT_VARIABLES_MAX 1024

/* Literals have numbers from 0: 2v is "variable v is false", 2v+1 is "variable v is true". */
struct filchi_max2sat {
	size_t variables, clauses;
	int64_t *weight; /* row and column: literals. Symmetric; the diagonal has the clauses of one literal */
	int64_t always;	 /* the weight of the clauses that are always true */
	int64_t sum;	 /* of all absolute weights */
};

static inline int64_t filchi_max2sat_weight(const struct filchi_max2sat *m, size_t a, size_t b)
{
	return m->weight[a * 2 * m->variables + b];
}

FILCHI_PROBLEM_FUNCTIONS(max2sat);

#endif
