/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Square matrices of small whole numbers, for workloads that multiply two of them: all sums are exact, so there is one
 * right product in whichever order it is made. It is checked as Freivalds does: a * (b * v) = c * v, for a vector v of
 * whole numbers nobody could have expected.
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
	double *vectors; /* three, for the check */
};

void *filchi_matrices_begin(const char *size);
void filchi_matrices_end(void *matrices);
/* Leaves c full of what is wrong. */
void filchi_matrices_fill(void *matrices);
/* Items are multiplications of numbers. */
bool filchi_matrices_check(void *matrices, char *answer, size_t size, double *items);

#endif
