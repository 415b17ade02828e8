/* SPDX-License-Identifier: Apache-2.0 */
#include "matmul.h"

#include <filch.h>

FILCH_TASK(void, product, const struct filchi_product *, x)
{
	struct filchi_product first, second;

	if (filchi_matmul_small(x)) {
		filchi_matmul_block(x);
		return;
	}
	if (filchi_matmul_halve(x, &first, &second) == FILCHI_MATMUL_N) {
		FILCH_CALL(product, &first);
		FILCH_CALL(product, &second);
	} else {
		FILCH_SPAWN(product, &first);
		FILCH_CALL(product, &second);
		FILCH_SYNC(product);
	}
}

void filchi_matmul(const struct filchi_product *x)
{
	FILCH_RUN(product, x);
}
