/* SPDX-License-Identifier: Apache-2.0 */
#include "quicksort.h"

static inline void sort(int64_t *a, size_t count)
{
	size_t left;

	if (count <= FILCHI_QUICKSORT_SMALL) {
		filchi_sort_insertion(a, count);
		return;
	}
	left = filchi_sort_part(a, count);
	sort(a, left);
	sort(a + left, count - left);
}

void filchi_quicksort(int64_t *a, size_t count)
{
	sort(a, count);
}
