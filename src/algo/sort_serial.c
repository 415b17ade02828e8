/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial sorting with comparisons that are calls, for the usual sizes of elements and for any other.
 *
 * The stable sort is a merge sort between two arrays. It has no branches on the data either.
 */
#include "sort.h"

FILCHI_SORT_INLINE bool less(const struct filchi_sort *s, const char *a, const char *b)
{
	return s->compare(a, b, s->arg) < 0;
}

FILCHI_SORT_INLINE void sort_stable(const struct filchi_sort *s, const struct filchi_stable_kernel *k, char *a, char *b,
				    size_t n, bool there, size_t size)
{
	size_t half = n / 2;

	if (n <= FILCHI_SORT_SMALL) {
		filchi_sort_small(s, a, b, n, there, size, less);
		return;
	}
	k->sort(s, k, a, b, half, !there);
	k->sort(s, k, a + half * size, b + half * size, n - half, !there);
	if (there)
		filchi_merge(s, a, half, a + half * size, n - half, b, size, less);
	else
		filchi_merge(s, b, half, b + half * size, n - half, a, size, less);
}

#define KERNEL(name, bytes)                                                                                            \
	FILCHI_SORT_KERNEL(name, bytes, less);                                                                         \
	static void name##_sort_stable(const struct filchi_sort *s, const struct filchi_stable_kernel *k, char *a,     \
				       char *b, size_t n, bool there)                                                  \
	{                                                                                                              \
		sort_stable(s, k, a, b, n, there, bytes);                                                              \
	}                                                                                                              \
	static void name##_merge(const struct filchi_sort *s, const char *a, size_t an, const char *b, size_t bn,      \
				 char *out)                                                                            \
	{                                                                                                              \
		filchi_merge(s, a, an, b, bn, out, bytes, less);                                                       \
	}                                                                                                              \
	static const struct filchi_stable_kernel name##_stable = {name##_sort_stable, name##_merge}

KERNEL(bytes_4, 4);
KERNEL(bytes_8, 8);
KERNEL(bytes_16, 16);
KERNEL(bytes_24, 24);
KERNEL(bytes_32, 32);
KERNEL(bytes_any, s->size);

#define CHOOSE(size, suffix)                                                                                           \
	((size) == 4	? &bytes_4##suffix                                                                             \
	 : (size) == 8	? &bytes_8##suffix                                                                             \
	 : (size) == 16 ? &bytes_16##suffix                                                                            \
	 : (size) == 24 ? &bytes_24##suffix                                                                            \
	 : (size) == 32 ? &bytes_32##suffix                                                                            \
			: &bytes_any##suffix)

const struct filchi_sort_kernel *filchi_sort_kernel(size_t size)
{
	return CHOOSE(size, );
}

const struct filchi_stable_kernel *filchi_stable_kernel(size_t size)
{
	return CHOOSE(size, _stable);
}
