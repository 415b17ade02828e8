/* SPDX-License-Identifier: Apache-2.0 */
#include "quicksort.h"

#include <oneapi/tbb/parallel_invoke.h>

void filchi_quicksort(int64_t *a, size_t count)
{
	if (count <= FILCHI_QUICKSORT_SMALL) {
		filchi_sort_insertion(a, count);
		return;
	}
	size_t left = filchi_sort_part(a, count);
	tbb::parallel_invoke([=] { filchi_quicksort(a, left); }, [=] { filchi_quicksort(a + left, count - left); });
}
