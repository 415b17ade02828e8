/* SPDX-License-Identifier: Apache-2.0 */
/* Moving elements, merging, and sorting few of them: the parts that all sorts share. detail/sort.h has the idea. */
#ifndef FILCH_DETAIL_SORT_SMALL_H
#define FILCH_DETAIL_SORT_SMALL_H

#include "../algo.h"
#include "cast.h"

#include <stdbool.h>
#include <string.h>

FILCH_BEGIN_DECLS

#define FILCHI_SORT_INLINE static inline __attribute__((always_inline, unused))

/* Elements larger than this are moved slice by slice. */
#define FILCHI_SORT_SLICE 256u
/* So few elements, of at most FILCHI_SORT_SMALL_SIZE bytes each, are sorted by way of a second array. */
#define FILCHI_SORT_SMALL 32u
#define FILCHI_SORT_SMALL_SIZE 32u

struct filchi_sort_kernel;

struct filchi_sort {
	size_t size; /* of an element */
	const struct filchi_sort_kernel *kernel;
	filch_compare_fn *compare; /* of filch_sort; NULL if the kernel has a comparison of its own */
	void *arg;
};

/* True: a comes before b. */
typedef bool filchi_less_fn(const struct filchi_sort *s, const char *a, const char *b);

/* ---- moving elements ---- */

FILCHI_SORT_INLINE void filchi_swap(char *a, char *b, size_t size)
{
	char x[64], y[64];

	while (size > sizeof(x)) {
		memcpy(x, a, sizeof(x));
		memcpy(y, b, sizeof(y));
		memcpy(a, y, sizeof(x));
		memcpy(b, x, sizeof(y));
		a += sizeof(x);
		b += sizeof(x);
		size -= sizeof(x);
	}
	memcpy(x, a, size);
	memcpy(y, b, size);
	memcpy(a, y, size);
	memcpy(b, x, size);
}

FILCHI_SORT_INLINE void filchi_swap_many(char *a, char *b, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++)
		filchi_swap(a + i * size, b + i * size, size);
}

/* Moves the element at `to` down to `from`, and the elements between them up. */
FILCHI_SORT_INLINE void filchi_insert(char *from, char *to, size_t size)
{
	char element[FILCHI_SORT_SLICE];

	if (size <= FILCHI_SORT_SLICE) {
		memcpy(element, to, size);
		if (__builtin_constant_p(size))
			for (char *p = to; p > from; p -= size)
				memcpy(p, p - size, size);
		else
			memmove(from + size, from, FILCHI_CAST(size_t, to - from));
		memcpy(from, element, size);
		return;
	}
	for (size_t done = 0; done < size; done += FILCHI_SORT_SLICE) {
		size_t slice = size - done < FILCHI_SORT_SLICE ? size - done : FILCHI_SORT_SLICE;

		memcpy(element, to + done, slice);
		for (char *p = to; p > from; p -= size)
			memcpy(p + done, p + done - size, slice);
		memcpy(from + done, element, slice);
	}
}

/* All bits are 1 if a comes before b, otherwise 0. */
FILCHI_SORT_INLINE size_t filchi_before(const struct filchi_sort *s, const char *a, const char *b, filchi_less_fn *less)
{
	return 0 - FILCHI_CAST(size_t, less(s, a, b));
}

/* b if all bits of mask are 1, a if mask is 0. */
FILCHI_SORT_INLINE const char *filchi_choose(size_t mask, const char *b, const char *a)
{
	return a + ((b - a) & FILCHI_CAST(ptrdiff_t, mask));
}

/* ---- few elements ---- */

/* Sorts, unless more than `touches` elements are out of place. Stable. */
FILCHI_SORT_INLINE bool filchi_insertion_sort(const struct filchi_sort *s, char *a, size_t n, size_t touches,
					      size_t size, filchi_less_fn *less)
{
	for (size_t i = 1; i < n; i++) {
		char *element = a + i * size;
		char *place = element;

		while (place > a && less(s, element, place - size))
			place -= size;
		if (place == element)
			continue;
		filchi_insert(place, element, size);
		if (!touches--)
			return false;
	}
	return true;
}

FILCHI_SORT_INLINE void filchi_merge(const struct filchi_sort *s, const char *a, size_t an, const char *b, size_t bn,
				     char *out, size_t size, filchi_less_fn *less)
{
	const char *a_end = a + an * size, *b_end = b + bn * size;

	if (an && bn && less(s, b, a_end - size)) {
		if (less(s, b_end - size, a)) {
			/* The other way around: all of b comes before a. */
			memcpy(out, b, bn * size);
			memcpy(out + bn * size, a, an * size);
			return;
		}
		while (a < a_end && b < b_end) {
			size_t second = filchi_before(s, b, a, less);

			memcpy(out, filchi_choose(second, b, a), size);
			a += size & ~second;
			b += size & second;
			out += size;
		}
	}
	memcpy(out, a, FILCHI_CAST(size_t, a_end - a));
	memcpy(out + (a_end - a), b, FILCHI_CAST(size_t, b_end - b));
}

/* Sorts four elements from a to out: stable, with five comparisons and no branch on their results. */
FILCHI_SORT_INLINE void filchi_sort_four(const struct filchi_sort *s, const char *a, char *out, size_t size,
					 filchi_less_fn *less)
{
	const char *b = a + size, *c = b + size, *d = c + size;
	size_t ba = filchi_before(s, b, a, less), dc = filchi_before(s, d, c, less);
	const char *low = filchi_choose(ba, b, a), *high = filchi_choose(ba, a, b);
	const char *low2 = filchi_choose(dc, d, c), *high2 = filchi_choose(dc, c, d);
	size_t lows = filchi_before(s, low2, low, less), highs = filchi_before(s, high2, high, less);
	const char *left = filchi_choose(lows, low, filchi_choose(highs, low2, high));
	const char *right = filchi_choose(highs, high2, filchi_choose(lows, high, low2));
	size_t between = filchi_before(s, right, left, less);

	memcpy(out, filchi_choose(lows, low2, low), size);
	memcpy(out + size, filchi_choose(between, right, left), size);
	memcpy(out + 2 * size, filchi_choose(between, left, right), size);
	memcpy(out + 3 * size, filchi_choose(highs, high, high2), size);
}

/* Sorts few elements, stable: from a to b or, if !there, back to a. */
FILCHI_SORT_INLINE void filchi_sort_small(const struct filchi_sort *s, char *a, char *b, size_t n, bool there,
					  size_t size, filchi_less_fn *less)
{
	char *from = b, *to = a, *swapped;
	size_t i = 0;

	for (; n - i >= 4; i += 4)
		filchi_sort_four(s, a + i * size, b + i * size, size, less);
	memcpy(b + i * size, a + i * size, (n - i) * size);
	filchi_insertion_sort(s, b + i * size, n - i, SIZE_MAX, size, less);
	for (size_t run = 4; run < n; run *= 2) {
		for (i = 0; i < n; i += 2 * run) {
			size_t an = n - i < run ? n - i : run;
			size_t bn = n - i - an < run ? n - i - an : run;

			filchi_merge(s, from + i * size, an, from + (i + an) * size, bn, to + i * size, size, less);
		}
		swapped = from;
		from = to;
		to = swapped;
	}
	if (from != (there ? b : a))
		memcpy(to, from, n * size);
}

FILCHI_SORT_INLINE void filchi_heap_sift(const struct filchi_sort *s, char *a, size_t root, size_t n, size_t size,
					 filchi_less_fn *less)
{
	for (size_t child; (child = 2 * root + 1) < n; root = child) {
		if (child + 1 < n && less(s, a + child * size, a + (child + 1) * size))
			child++;
		if (!less(s, a + root * size, a + child * size))
			return;
		filchi_swap(a + root * size, a + child * size, size);
	}
}

FILCHI_SORT_INLINE void filchi_heap_sort(const struct filchi_sort *s, char *a, size_t n, size_t size,
					 filchi_less_fn *less)
{
	for (size_t i = n / 2; i > 0; i--)
		filchi_heap_sift(s, a, i - 1, n, size, less);
	for (; n > 1; n--) {
		filchi_swap(a, a + (n - 1) * size, size);
		filchi_heap_sift(s, a, 0, n - 1, size, less);
	}
}

FILCH_END_DECLS

#endif
