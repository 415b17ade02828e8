/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Square matrices of small whole numbers, for workloads that multiply two of them. All sums are exact, so the
 * product is the same in any order of additions. The check is by Freivalds: a * (b * v) = c * v for a vector v of
 * random whole numbers.
 */
#ifndef FILCHI_BENCH_WORKLOAD_MATRIX_H
#define FILCHI_BENCH_WORKLOAD_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILCHI_MATRIX_MOST 16384 /* rows */

struct filchi_matrices {
	uint32_t n;
	double *a, *b, *c;
	double *vectors; /* three vectors, for the check */
};

void *filchi_matrices_begin(const char *size);
void filchi_matrices_end(void *matrices);
/* Fills c with wrong numbers. */
void filchi_matrices_fill(void *matrices);
/* Items are multiplications of numbers. */
bool filchi_matrices_check(void *matrices, char *answer, size_t size, double *items);

#endif
