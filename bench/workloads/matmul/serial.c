/* SPDX-License-Identifier: Apache-2.0 */
#include "matmul.h"

static inline void product(const struct filchi_product *x)
{
	struct filchi_product first, second;

	if (filchi_matmul_small(x)) {
		filchi_matmul_block(x);
		return;
	}
	filchi_matmul_halve(x, &first, &second);
	product(&first);
	product(&second);
}

void filchi_matmul(const struct filchi_product *x)
{
	product(x);
}
