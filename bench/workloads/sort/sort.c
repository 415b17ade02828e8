/* SPDX-License-Identifier: Apache-2.0 */
#include "sort.h"

#include "../common/array.h"

static void run(void *argument)
{
	struct filchi_array *a = argument;

	filchi_library_sort(a->numbers, a->count);
}

const struct filchi_workload filchi_workload_sort = {
	.name = "sort",
	.warm_up = "100000",
	.least = 1,
	.most = FILCHI_ARRAY_MOST,
	.begin = filchi_array_begin,
	.end = filchi_arrays_end,
	.fill = filchi_array_fill,
	.run = run,
	.check = filchi_array_check,
};
