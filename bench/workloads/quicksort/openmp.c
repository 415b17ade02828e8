/* SPDX-License-Identifier: Apache-2.0 */
#include "quicksort.h"

static void sort(int64_t *a, size_t count)
{
	size_t left;

	if (count <= FILCHI_QUICKSORT_SMALL) {
		filchi_sort_insertion(a, count);
		return;
	}
	left = filchi_sort_part(a, count);
#pragma omp task
	sort(a, left);
	sort(a + left, count - left);
#pragma omp taskwait
}

void filchi_quicksort(int64_t *a, size_t count)
{
#pragma omp parallel
#pragma omp single
	sort(a, count);
}
