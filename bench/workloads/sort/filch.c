/* SPDX-License-Identifier: Apache-2.0 */
#include "sort.h"

#include <filch.h>

void filchi_library_sort(int64_t *a, size_t count)
{
	FILCH_SORT_NUMBERS(NULL, a, count);
}
