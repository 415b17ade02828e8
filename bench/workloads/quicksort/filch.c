/* SPDX-License-Identifier: Apache-2.0 */
#include "quicksort.h"

#include <filch.h>

FILCH_TASK(void, sort, int64_t *, a, size_t, count)
{
	size_t left;

	if (count <= FILCHI_QUICKSORT_SMALL) {
		filchi_sort_insertion(a, count);
		return;
	}
	left = filchi_sort_part(a, count);
	FILCH_SPAWN(sort, a, left);
	FILCH_CALL(sort, a + left, count - left);
	FILCH_SYNC(sort);
}

void filchi_quicksort(int64_t *a, size_t count)
{
	FILCH_RUN(sort, a, count);
}
