/* SPDX-License-Identifier: Apache-2.0 */
#include "matmul.h"
#include "../common/matrix.h"

static void run(void *argument)
{
	struct filchi_matrices *x = argument;
	struct filchi_product all = {x->c, x->a, x->b, x->n, x->n, x->n, x->n, false};

	filchi_matmul(&all);
}

const struct filchi_workload filchi_workload_matmul = {
	.name = "matmul",
	.warm_up = "64",
	.least = 2,
	.most = FILCHI_MATRIX_MOST,
	.begin = filchi_matrices_begin,
	.end = filchi_matrices_end,
	.fill = filchi_matrices_fill,
	.run = run,
	.check = filchi_matrices_check,
};
