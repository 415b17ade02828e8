/* SPDX-License-Identifier: Apache-2.0 */
/* The product of two matrices by Strassen: seven products of half the side instead of eight. */
#ifndef FILCHI_BENCH_STRASSEN_H
#define FILCHI_BENCH_STRASSEN_H

#include "../common/workload.h"

#include <stdlib.h>
#include <string.h>

FILCH_BEGIN_DECLS

#define FILCHI_STRASSEN_SMALL 64
#define FILCHI_STRASSEN_PRODUCTS 7

/* A square, part of a matrix with rows of that length. */
struct filchi_square {
	double *at;
	size_t row;
};

/* c = a * b, of that side. */
struct filchi_strassen {
	struct filchi_square c, a, b;
	size_t side;
};

/* Returns the numbers that a step needs beside its result: seven products, and two sums for each of them. */
static inline size_t filchi_strassen_room(size_t side)
{
	return 3 * FILCHI_STRASSEN_PRODUCTS * (side / 2) * (side / 2);
}

void filchi_strassen_block(const struct filchi_strassen *s);
/* Makes the seven products, whose factors and results are in room. */
void filchi_strassen_split(const struct filchi_strassen *s, double *room,
			   struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS]);
/* Computes the result from the seven products. */
void filchi_strassen_join(const struct filchi_strassen *s,
			  const struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS]);

/* Never returns NULL: without memory, the program ends. */
double *filchi_strassen_alloc(size_t side);

/*
 * Begins a step: makes the seven products in parts. Returns their memory, or NULL if the product was small and is
 * complete.
 */
static inline double *filchi_strassen_begin(const struct filchi_strassen *s,
					    struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS])
{
	double *room;

	if (s->side <= FILCHI_STRASSEN_SMALL) {
		filchi_strassen_block(s);
		return NULL;
	}
	room = filchi_strassen_alloc(s->side);
	filchi_strassen_split(s, room, parts);
	return room;
}

/* Ends a step when its products are complete. */
static inline void filchi_strassen_end(const struct filchi_strassen *s,
				       const struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS], double *room)
{
	filchi_strassen_join(s, parts);
	free(room);
}

void filchi_strassen(const struct filchi_strassen *s);

FILCH_END_DECLS

#endif
