/* SPDX-License-Identifier: Apache-2.0 */
/* The serial parts of sorting. */
#ifndef FILCHI_BENCH_WORKLOAD_SORT_H
#define FILCHI_BENCH_WORKLOAD_SORT_H

#include <stddef.h>
#include <stdint.h>

static inline void filchi_sort_insertion(int64_t *a, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		int64_t x = a[i];
		size_t to = i;

		for (; to && a[to - 1] > x; to--)
			a[to] = a[to - 1];
		a[to] = x;
	}
}

static inline int64_t filchi_sort_middle(int64_t a, int64_t b, int64_t c)
{
	if (a > b) {
		int64_t x = a;

		a = b;
		b = x;
	}
	return c < a ? a : c > b ? b : c;
}

/*
 * Numbers before the returned index are not larger than numbers from there on. Neither part is empty; there are at
 * least 3 numbers.
 */
static inline size_t filchi_sort_part(int64_t *a, size_t count)
{
	int64_t pivot = filchi_sort_middle(a[0], a[count / 2], a[count - 1]);
	size_t left = 0, right = count - 1;

	for (;;) {
		int64_t x;

		while (a[left] < pivot)
			left++;
		while (a[right] > pivot)
			right--;
		if (left >= right)
			return left ? left : 1;
		x = a[left];
		a[left++] = a[right];
		a[right--] = x;
	}
}

#endif
