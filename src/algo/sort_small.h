/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving elements, sorting few of them, and merging, for sort_serial.c: each function takes the size of an element, and
 * is inlined where that is a constant.
 *
 * What depends on a comparison is chosen by arithmetic: with random elements a branch would be wrong every other time,
 * and that costs more than the comparison.
 */
#ifndef FILCHI_ALGO_SORT_SMALL_H
#define FILCHI_ALGO_SORT_SMALL_H

#include "sort.h"

#include <string.h>

#define FILCHI_KERNEL static inline __attribute__((always_inline, unused))

/* Elements larger than this are moved slice by slice. */
#define FILCHI_SORT_SLICE 256u
/* Few elements, none larger than this, are sorted by way of a second place. */
#define FILCHI_SORT_SMALL 32u

/* ---- moving elements ---- */

FILCHI_KERNEL void filchi_copy(char *to, const char *from, size_t size)
{
	memcpy(to, from, size);
}

FILCHI_KERNEL void filchi_swap(char *a, char *b, size_t size)
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

/* The element at `to` goes to `from`, which is before it, and those between move up. */
FILCHI_KERNEL void filchi_insert(char *from, char *to, size_t size)
{
	char element[FILCHI_SORT_SLICE];

	if (size <= FILCHI_SORT_SLICE) {
		filchi_copy(element, to, size);
		if (__builtin_constant_p(size))
			for (char *p = to; p > from; p -= size)
				filchi_copy(p, p - size, size);
		else
			memmove(from + size, from, (size_t)(to - from));
		filchi_copy(from, element, size);
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

/* All ones if a is before b, or 0. */
FILCHI_KERNEL size_t filchi_before(const struct filchi_sort *s, const char *a, const char *b)
{
	return 0 - (size_t)(filchi_sort_compare(s, a, b) < 0);
}

/* b if mask is all ones, a if it is 0; by arithmetic, since a branch would be wrong every other time. */
FILCHI_KERNEL const char *filchi_choose(size_t mask, const char *b, const char *a)
{
	return a + ((b - a) & (ptrdiff_t)mask);
}

/* ---- sorting few ---- */

/* With up to `touches` elements out of place. Stable. */
FILCHI_KERNEL bool filchi_insertion_sort(const struct filchi_sort *s, char *a, size_t n, size_t touches, size_t size)
{
	for (size_t i = 1; i < n; i++) {
		char *element = a + i * size;
		char *place = element;

		while (place > a && filchi_sort_compare(s, element, place - size) < 0)
			place -= size;
		if (place == element)
			continue;
		filchi_insert(place, element, size);
		if (!touches--)
			return false;
	}
	return true;
}

FILCHI_KERNEL void filchi_merge(const struct filchi_sort *s, const char *a, size_t an, const char *b, size_t bn,
				char *out, size_t size)
{
	const char *a_end = a + an * size, *b_end = b + bn * size;

	if (an && bn && filchi_sort_compare(s, b, a_end - size) < 0) {
		if (filchi_sort_compare(s, b_end - size, a) < 0) {
			/* The other way around: all of b is before a. */
			memcpy(out, b, bn * size);
			memcpy(out + bn * size, a, an * size);
			return;
		}
		while (a < a_end && b < b_end) {
			size_t second = filchi_before(s, b, a);

			filchi_copy(out, filchi_choose(second, b, a), size);
			a += size & ~second;
			b += size & second;
			out += size;
		}
	}
	memcpy(out, a, (size_t)(a_end - a));
	memcpy(out + (a_end - a), b, (size_t)(b_end - b));
}

/* Four, stable, with five comparisons and no branch that depends on them. */
FILCHI_KERNEL void filchi_sort_four(const struct filchi_sort *s, const char *a, char *out, size_t size)
{
	const char *b = a + size, *c = b + size, *d = c + size;
	size_t ba = filchi_before(s, b, a), dc = filchi_before(s, d, c);
	const char *low = filchi_choose(ba, b, a), *high = filchi_choose(ba, a, b);
	const char *low2 = filchi_choose(dc, d, c), *high2 = filchi_choose(dc, c, d);
	size_t lows = filchi_before(s, low2, low), highs = filchi_before(s, high2, high);
	const char *left = filchi_choose(lows, low, filchi_choose(highs, low2, high));
	const char *right = filchi_choose(highs, high2, filchi_choose(lows, high, low2));
	size_t between = filchi_before(s, right, left);

	filchi_copy(out, filchi_choose(lows, low2, low), size);
	filchi_copy(out + size, filchi_choose(between, right, left), size);
	filchi_copy(out + 2 * size, filchi_choose(between, left, right), size);
	filchi_copy(out + 3 * size, filchi_choose(highs, high, high2), size);
}

/* Few, stable, from a to b or, if !there, back to a. */
FILCHI_KERNEL void filchi_sort_small(const struct filchi_sort *s, char *a, char *b, size_t n, bool there, size_t size)
{
	char *from = b, *to = a, *swapped;
	size_t i = 0;

	for (; n - i >= 4; i += 4)
		filchi_sort_four(s, a + i * size, b + i * size, size);
	memcpy(b + i * size, a + i * size, (n - i) * size);
	filchi_insertion_sort(s, b + i * size, n - i, SIZE_MAX, size);
	for (size_t run = 4; run < n; run *= 2) {
		for (i = 0; i < n; i += 2 * run) {
			size_t an = n - i < run ? n - i : run;
			size_t bn = n - i - an < run ? n - i - an : run;

			filchi_merge(s, from + i * size, an, from + (i + an) * size, bn, to + i * size, size);
		}
		swapped = from;
		from = to;
		to = swapped;
	}
	if (from != (there ? b : a))
		memcpy(to, from, n * size);
}

#endif
