/* SPDX-License-Identifier: Apache-2.0 */
#include "sort.h"

void filchi_library_sort(int64_t *a, size_t count)
{
	while (count > FILCHI_SORT_INSERTION) {
		size_t left = filchi_sort_part(a, count);

		filchi_library_sort(a, left);
		a += left;
		count -= left;
	}
	filchi_sort_insertion(a, count);
}
