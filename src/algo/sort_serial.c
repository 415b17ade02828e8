/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial sorting. Each function below takes the size of an element; KERNEL compiles them all with it as a constant.
 *
 * Unstable: quicksort that cuts without branches that depend on the data (Edelkamp and Weiss, "BlockQuicksort", 2016),
 * and looks for patterns as Peters' pattern-defeating quicksort does: a cut that moved nothing may mean that all is
 * sorted; elements equal to the one before the range are split off at once; after too many bad cuts it is heap sort.
 * Differently from both, no loop counts on the comparison to be consistent: all of them have bounds.
 *
 * Stable: merge sort between two arrays, without branches that depend on the data either.
 */
#include "sort_small.h"

/* Elements looked at before any is moved; fits the bytes that note where they are. */
#define BLOCK 64u
/* Moves after which a range is not nearly sorted. */
#define TOUCHES 8u

FILCHI_KERNEL void sift(const struct filchi_sort *s, char *a, size_t root, size_t n, size_t size)
{
	for (size_t child; (child = 2 * root + 1) < n; root = child) {
		if (child + 1 < n && filchi_sort_compare(s, a + child * size, a + (child + 1) * size) < 0)
			child++;
		if (filchi_sort_compare(s, a + root * size, a + child * size) >= 0)
			return;
		filchi_swap(a + root * size, a + child * size, size);
	}
}

FILCHI_KERNEL void heap_sort(const struct filchi_sort *s, char *a, size_t n, size_t size)
{
	for (size_t i = n / 2; i > 0; i--)
		sift(s, a, i - 1, n, size);
	for (; n > 1; n--) {
		filchi_swap(a, a + (n - 1) * size, size);
		sift(s, a, 0, n - 1, size);
	}
}

/* ---- quicksort ---- */

FILCHI_KERNEL bool goes_left(const struct filchi_sort *s, const char *p, const char *pivot, enum filchi_side side)
{
	return side == FILCHI_BEFORE ? filchi_sort_compare(s, p, pivot) < 0 : filchi_sort_compare(s, pivot, p) >= 0;
}

/* Of a block at one end, those that belong to the other: how far they are from that end. */
struct wrong {
	char *end;
	unsigned first, count;
	unsigned char at[BLOCK];
};

FILCHI_KERNEL void swap_wrong(struct wrong *l, struct wrong *r, size_t size)
{
	unsigned count = l->count < r->count ? l->count : r->count;

	for (unsigned i = 0; i < count; i++)
		filchi_swap(l->end + l->at[l->first + i] * size, r->end - r->at[r->first + i] * size, size);
	l->count -= count;
	r->count -= count;
	l->first += count;
	r->first += count;
}

/* Between from and to all are unknown. Returns where the right side starts. */
FILCHI_KERNEL char *partition_blocks(const struct filchi_sort *s, char *from, char *to, const char *pivot,
				     enum filchi_side side, size_t size)
{
	struct wrong l = {.count = 0}, r = {.count = 0};

	while (from < to) {
		size_t unknown = (size_t)(to - from) / size;
		size_t left = l.count ? 0 : r.count ? unknown : unknown - unknown / 2;
		size_t right = r.count ? 0 : unknown - left;

		if (!l.count) {
			l.end = from;
			l.first = 0;
			left = left < BLOCK ? left : BLOCK;
			for (size_t i = 0; i < left; i++, from += size) {
				l.at[l.count] = (unsigned char)i;
				l.count += !goes_left(s, from, pivot, side);
			}
		}
		if (!r.count) {
			r.end = to;
			r.first = 0;
			right = right < BLOCK ? right : BLOCK;
			for (size_t i = 1; i <= right; i++) {
				to -= size;
				r.at[r.count] = (unsigned char)i;
				r.count += goes_left(s, to, pivot, side);
			}
		}
		swap_wrong(&l, &r, size);
	}
	while (l.count) {
		to -= size;
		filchi_swap(l.end + l.at[l.first + --l.count] * size, to, size);
	}
	while (r.count) {
		filchi_swap(r.end - r.at[r.first + --r.count] * size, to, size);
		to += size;
	}
	return to;
}

FILCHI_KERNEL size_t partition(const struct filchi_sort *s, char *a, size_t n, const char *pivot, enum filchi_side side,
			       bool *moved, size_t size)
{
	char *from = a, *to = a + n * size;

	while (from < to && goes_left(s, from, pivot, side))
		from += size;
	while (from < to && !goes_left(s, to - size, pivot, side))
		to -= size;
	*moved = from < to;
	if (*moved)
		from = partition_blocks(s, from, to, pivot, side, size);
	return (size_t)(from - a) / size;
}

FILCHI_KERNEL void sort(const struct filchi_sort *s, char *a, size_t n, unsigned limit, bool first, size_t size)
{
	char few[FILCHI_SORT_SMALL * FILCHI_SORT_SMALL];

	while (n > FILCHI_SORT_SMALL) {
		size_t left, right;
		bool moved;

		filchi_sort_pivot(s, a, n);
		if (!first && filchi_sort_compare(s, a - size, a) >= 0) {
			left = partition(s, a + size, n - 1, a, FILCHI_NOT_AFTER, &moved, size) + 1;
			a += left * size;
			n -= left;
			continue;
		}
		left = partition(s, a + size, n - 1, a, FILCHI_BEFORE, &moved, size);
		right = n - 1 - left;
		filchi_swap(a, a + left * size, size);
		if (filchi_sort_finished(s, a, n, left, moved, &limit))
			return;
		/* The smaller one first, by a call: so the stack stays short. */
		if (left < right) {
			s->kernel->sort(s, a, left, limit, first);
			a += (left + 1) * size;
			n = right;
			first = false;
		} else {
			s->kernel->sort(s, a + (left + 1) * size, right, limit, false);
			n = left;
		}
	}
	if (size <= FILCHI_SORT_SMALL)
		filchi_sort_small(s, a, few, n, false, size);
	else
		filchi_insertion_sort(s, a, n, SIZE_MAX, size);
}

/* ---- merge sort ---- */

FILCHI_KERNEL void sort_stable(const struct filchi_sort *s, char *a, char *b, size_t n, bool there, size_t size)
{
	size_t half = n / 2;

	if (n <= FILCHI_SORT_SMALL) {
		filchi_sort_small(s, a, b, n, there, size);
		return;
	}
	s->kernel->sort_stable(s, a, b, half, !there);
	s->kernel->sort_stable(s, a + half * size, b + half * size, n - half, !there);
	if (there)
		filchi_merge(s, a, half, a + half * size, n - half, b, size);
	else
		filchi_merge(s, b, half, b + half * size, n - half, a, size);
}

/* ---- compiled for each size ---- */

#define KERNEL(name, bytes)                                                                                            \
	static void name##_sort(const struct filchi_sort *s, char *a, size_t n, unsigned limit, bool first)            \
	{                                                                                                              \
		sort(s, a, n, limit, first, bytes);                                                                    \
	}                                                                                                              \
	static size_t name##_partition(const struct filchi_sort *s, char *a, size_t n, const char *pivot,              \
				       enum filchi_side side, bool *moved)                                             \
	{                                                                                                              \
		return partition(s, a, n, pivot, side, moved, bytes);                                                  \
	}                                                                                                              \
	static void name##_heap_sort(const struct filchi_sort *s, char *a, size_t n)                                   \
	{                                                                                                              \
		heap_sort(s, a, n, bytes);                                                                             \
	}                                                                                                              \
	static bool name##_touch_up(const struct filchi_sort *s, char *a, size_t n)                                    \
	{                                                                                                              \
		return filchi_insertion_sort(s, a, n, TOUCHES, bytes);                                                 \
	}                                                                                                              \
	static void name##_swap_many(const struct filchi_sort *s, char *a, char *b, size_t n)                          \
	{                                                                                                              \
		(void)s;                                                                                               \
		for (size_t i = 0; i < n; i++)                                                                         \
			filchi_swap(a + i * (bytes), b + i * (bytes), bytes);                                          \
	}                                                                                                              \
	static void name##_sort_stable(const struct filchi_sort *s, char *a, char *b, size_t n, bool there)            \
	{                                                                                                              \
		sort_stable(s, a, b, n, there, bytes);                                                                 \
	}                                                                                                              \
	static void name##_merge(const struct filchi_sort *s, const char *a, size_t an, const char *b, size_t bn,      \
				 char *out)                                                                            \
	{                                                                                                              \
		filchi_merge(s, a, an, b, bn, out, bytes);                                                             \
	}                                                                                                              \
	static const struct filchi_kernel name = {.sort = name##_sort,                                                 \
						  .partition = name##_partition,                                       \
						  .heap_sort = name##_heap_sort,                                       \
						  .touch_up = name##_touch_up,                                         \
						  .swap_many = name##_swap_many,                                       \
						  .sort_stable = name##_sort_stable,                                   \
						  .merge = name##_merge}

KERNEL(bytes_4, 4);
KERNEL(bytes_8, 8);
KERNEL(bytes_16, 16);
KERNEL(bytes_24, 24);
KERNEL(bytes_32, 32);
KERNEL(bytes_any, s->size);

const struct filchi_kernel *filchi_sort_kernel(size_t size)
{
	switch (size) {
	case 4:
		return &bytes_4;
	case 8:
		return &bytes_8;
	case 16:
		return &bytes_16;
	case 24:
		return &bytes_24;
	case 32:
		return &bytes_32;
	default:
		return &bytes_any;
	}
}
