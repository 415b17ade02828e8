/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The product of two matrices, as in Cilk's distribution: halves the longest of the three sides until a block is
 * small. Halves of the result are computed at the same time, halves of a sum one after the other.
 */
#ifndef FILCHI_BENCH_MATMUL_H
#define FILCHI_BENCH_MATMUL_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_MATMUL_SMALL 64 /* sum of the sides of a block */

/* c (m by p) is a (m by n) times b (n by p). All are parts of matrices with rows of that length. */
struct filchi_product {
	double *c;
	const double *a, *b;
	uint32_t m, n, p, row;
	bool add; /* adds to c */
};

enum filchi_matmul_side { FILCHI_MATMUL_M, FILCHI_MATMUL_N, FILCHI_MATMUL_P };

static inline bool filchi_matmul_small(const struct filchi_product *x)
{
	return x->m + x->n + x->p <= FILCHI_MATMUL_SMALL;
}

static inline void filchi_matmul_block(const struct filchi_product *x)
{
	for (uint32_t i = 0; i < x->m; i++)
		for (uint32_t j = 0; j < x->p; j++) {
			double sum = x->add ? x->c[i * x->row + j] : 0;

			for (uint32_t k = 0; k < x->n; k++)
				sum += x->a[i * x->row + k] * x->b[k * x->row + j];
			x->c[i * x->row + j] = sum;
		}
}

/* Halves the longest side. If that is n, the second half is added to the first. */
static inline enum filchi_matmul_side filchi_matmul_halve(const struct filchi_product *x, struct filchi_product *first,
							  struct filchi_product *second)
{
	*first = *second = *x;
	if (x->m >= x->n && x->m >= x->p) {
		first->m = x->m / 2;
		second->m = x->m - first->m;
		second->a += (size_t)first->m * x->row;
		second->c += (size_t)first->m * x->row;
		return FILCHI_MATMUL_M;
	}
	if (x->n >= x->p) {
		first->n = x->n / 2;
		second->n = x->n - first->n;
		second->a += first->n;
		second->b += (size_t)first->n * x->row;
		second->add = true;
		return FILCHI_MATMUL_N;
	}
	first->p = x->p / 2;
	second->p = x->p - first->p;
	second->b += first->p;
	second->c += first->p;
	return FILCHI_MATMUL_P;
}

void filchi_matmul(const struct filchi_product *x);

FILCH_END_DECLS

#endif
