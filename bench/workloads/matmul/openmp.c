/* SPDX-License-Identifier: Apache-2.0 */
#include "matmul.h"

static void product(const struct filchi_product *x)
{
	struct filchi_product first, second;

	if (filchi_matmul_small(x)) {
		filchi_matmul_block(x);
		return;
	}
	if (filchi_matmul_halve(x, &first, &second) == FILCHI_MATMUL_N) {
		product(&first);
		product(&second);
	} else {
#pragma omp task shared(first)
		product(&first);
		product(&second);
#pragma omp taskwait
	}
}

void filchi_matmul(const struct filchi_product *x)
{
#pragma omp parallel
#pragma omp single
	product(x);
}
