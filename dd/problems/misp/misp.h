/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maximum independent set. File, DIMACS: comments "c ...", one line "p edge VERTICES EDGES" (or "p col"), lines
 * "e U V" with vertices from 1, and perhaps "n V WEIGHT" (1 without such a line). Refused: loops, edges that come
 * twice, another number of edges than announced.
 *
 * Solution: 1 or 0 for each vertex.
 */
#ifndef FILCHI_PROBLEMS_MISP_H
#define FILCHI_PROBLEMS_MISP_H

#include "../problem.h"

#define FILCHI_MISP_VERTICES_MAX 16384

struct filchi_misp {
	size_t vertices, words; /* words of 64 bits in a row */
	size_t edges;
	uint64_t *adjacent; /* bit v of row u: there is an edge. Symmetric */
	int64_t *weight;    /* not negative */
};

static inline const uint64_t *filchi_misp_row(const struct filchi_misp *m, size_t vertex)
{
	return m->adjacent + vertex * m->words;
}

FILCHI_PROBLEM_FUNCTIONS(misp);

#endif
