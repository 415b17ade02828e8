/* SPDX-License-Identifier: Apache-2.0 */
#include "sort.h"

static void sort(int64_t *a, size_t count)
{
	while (count > FILCHI_SORT_INSERTION) {
		size_t left = filchi_sort_part(a, count);

#pragma omp task if (left >= FILCHI_SORT_TASK)
		sort(a, left);
		a += left;
		count -= left;
	}
	filchi_sort_insertion(a, count);
#pragma omp taskwait
}

void filchi_library_sort(int64_t *a, size_t count)
{
#pragma omp parallel
#pragma omp single
	sort(a, count);
}
