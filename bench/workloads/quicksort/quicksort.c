/* SPDX-License-Identifier: Apache-2.0 */
#include "quicksort.h"

#include "../common/array.h"

static void run(void *argument)
{
	struct filchi_array *a = argument;

	filchi_quicksort(a->numbers, a->count);
}

const struct filchi_workload filchi_workload_quicksort = {
	.name = "quicksort",
	.warm_up = "1000",
	.least = 1,
	.most = FILCHI_ARRAY_MOST,
	.begin = filchi_array_begin,
	.end = filchi_arrays_end,
	.fill = filchi_array_fill,
	.run = run,
	.check = filchi_array_check,
};
