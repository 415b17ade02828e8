/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MAX-CUT. File: comments "c ...", a line "VERTICES EDGES", then lines "U V WEIGHT" with vertices from 1. Weights may be
 * negative. Refused: loops, edges that come twice, another number of edges than announced.
 *
 * Solution: for each vertex 0 or 1, its side.
 */
#ifndef FILCHI_PROBLEMS_MAXCUT_H
#define FILCHI_PROBLEMS_MAXCUT_H

#include "../problem.h"

#define FILCHI_MAXCUT_VERTICES_MAX 2048

struct filchi_maxcut {
	size_t vertices, edges;
	int64_t *weight; /* row u, column v: symmetric; 0: no edge */
	int64_t sum;	 /* of all absolute weights: each edge once */
};

static inline int64_t filchi_maxcut_weight(const struct filchi_maxcut *m, size_t u, size_t v)
{
	return m->weight[u * m->vertices + v];
}

FILCHI_PROBLEM_FUNCTIONS(maxcut);

#endif
