/* SPDX-License-Identifier: Apache-2.0 */
#include "matmul.h"

#include <oneapi/tbb/parallel_invoke.h>

void filchi_matmul(const struct filchi_product *x)
{
	struct filchi_product first, second;

	if (filchi_matmul_small(x)) {
		filchi_matmul_block(x);
		return;
	}
	if (filchi_matmul_halve(x, &first, &second) == FILCHI_MATMUL_N) {
		filchi_matmul(&first);
		filchi_matmul(&second);
	} else
		tbb::parallel_invoke([&] { filchi_matmul(&first); }, [&] { filchi_matmul(&second); });
}
