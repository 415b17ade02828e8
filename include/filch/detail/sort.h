/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The serial part of sorting in place, for filch/sort.h and for filch_sort. It is no interface: names may change.
 *
 * Each function takes the size of an element and the comparison, and is always inlined. FILCHI_SORT_KERNEL compiles all
 * of them with both as constants: moving an element is then a move of registers, and the comparison may be inlined.
 *
 * The sort is a quicksort that cuts without branches on the data (Edelkamp and Weiss, "BlockQuicksort", 2016). It looks
 * for patterns as Peters' pattern-defeating quicksort does. A cut that moved nothing may mean that the range is sorted.
 * Elements equal to the element before the range are split off at once. After too many bad cuts the rest is sorted by
 * heap sort. Unlike both models, no loop relies on a consistent comparison: all loops have bounds.
 *
 * Results of comparisons select by arithmetic. With random elements, a branch would be wrong every other time, and that
 * costs more than the comparison.
 */
#ifndef FILCH_DETAIL_SORT_H
#define FILCH_DETAIL_SORT_H

#include "sort_small.h"

FILCH_BEGIN_DECLS

/* A cut is bad if one side has less than this part of the elements. */
#define FILCHI_SORT_BAD 8u
/* Elements that are looked at before any is moved: as many as the bytes for their places can tell apart. */
#define FILCHI_SORT_BLOCK 64u
/* Moves after which a range is not nearly sorted. */
#define FILCHI_SORT_TOUCHES 8u

/* The elements that go to the left of a cut: elements before the pivot, or elements not after it. */
enum filchi_side { FILCHI_BEFORE, FILCHI_NOT_AFTER };

struct filchi_sort_kernel {
	filchi_less_fn *less;
	/* Sorts. limit: heap sort after so many bad cuts. first: there is no element before a. */
	void (*sort)(const struct filchi_sort *s, char *a, size_t n, unsigned limit, bool first);
	/* Moves the elements of the side to the front, and returns their number. */
	size_t (*partition)(const struct filchi_sort *s, char *a, size_t n, const char *pivot, enum filchi_side side,
			    bool *moved);
	/* Moves a good pivot to the front. */
	void (*pivot)(const struct filchi_sort *s, char *a, size_t n);
	/*
	 * After a cut, with `left` elements before the pivot. True: all is sorted. Otherwise there is more to do, and
	 * *limit may be lower.
	 */
	bool (*finished)(const struct filchi_sort *s, char *a, size_t n, size_t left, bool moved, unsigned *limit);
	void (*swap_many)(const struct filchi_sort *s, char *a, char *b, size_t n);
};

/* Sorts with the kernel of s. */
FILCH_API int filch_sort_with_(struct filch_pool *pool, void *base, size_t count, const struct filchi_sort *s);

/* ---- cuts ---- */

FILCHI_SORT_INLINE bool filchi_goes_left(const struct filchi_sort *s, const char *p, const char *pivot,
					 enum filchi_side side, filchi_less_fn *less)
{
	return side == FILCHI_BEFORE ? less(s, p, pivot) : !less(s, pivot, p);
}

/* A block at one end of a range: the elements that belong to the other end, by their distance from this end. */
struct filchi_sort_block {
	char *end;
	unsigned first, count;
	unsigned char at[FILCHI_SORT_BLOCK];
};

FILCHI_SORT_INLINE void filchi_swap_blocks(struct filchi_sort_block *l, struct filchi_sort_block *r, size_t size)
{
	unsigned count = l->count < r->count ? l->count : r->count;

	for (unsigned i = 0; i < count; i++)
		filchi_swap(l->end + l->at[l->first + i] * size, r->end - r->at[r->first + i] * size, size);
	l->count -= count;
	r->count -= count;
	l->first += count;
	r->first += count;
}

/* Cuts from..to, and returns the start of the right side. */
FILCHI_SORT_INLINE char *filchi_partition_blocks(const struct filchi_sort *s, char *from, char *to, const char *pivot,
						 enum filchi_side side, size_t size, filchi_less_fn *less)
{
	struct filchi_sort_block l, r;

	l.count = r.count = 0;
	l.first = r.first = 0;
	l.end = from;
	r.end = to;
	while (from < to) {
		size_t unknown = FILCHI_CAST(size_t, to - from) / size;
		size_t left = l.count ? 0 : r.count ? unknown : unknown - unknown / 2;
		size_t right = r.count ? 0 : unknown - left;

		if (!l.count) {
			l.end = from;
			l.first = 0;
			left = left < FILCHI_SORT_BLOCK ? left : FILCHI_SORT_BLOCK;
			for (size_t i = 0; i < left; i++, from += size) {
				l.at[l.count] = FILCHI_CAST(unsigned char, i);
				l.count += !filchi_goes_left(s, from, pivot, side, less);
			}
		}
		if (!r.count) {
			r.end = to;
			r.first = 0;
			right = right < FILCHI_SORT_BLOCK ? right : FILCHI_SORT_BLOCK;
			for (size_t i = 1; i <= right; i++) {
				to -= size;
				r.at[r.count] = FILCHI_CAST(unsigned char, i);
				r.count += filchi_goes_left(s, to, pivot, side, less);
			}
		}
		filchi_swap_blocks(&l, &r, size);
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

FILCHI_SORT_INLINE size_t filchi_partition(const struct filchi_sort *s, char *a, size_t n, const char *pivot,
					   enum filchi_side side, bool *moved, size_t size, filchi_less_fn *less)
{
	char *from = a, *to = a + n * size;

	while (from < to && filchi_goes_left(s, from, pivot, side, less))
		from += size;
	while (from < to && !filchi_goes_left(s, to - size, pivot, side, less))
		to -= size;
	*moved = from < to;
	if (*moved)
		from = filchi_partition_blocks(s, from, to, pivot, side, size, less);
	return FILCHI_CAST(size_t, from - a) / size;
}

/* ---- pivots and patterns ---- */

FILCHI_SORT_INLINE char *filchi_median(const struct filchi_sort *s, char *a, char *b, char *c, filchi_less_fn *less)
{
	bool ab = less(s, a, b), bc = less(s, b, c);

	if (ab == bc)
		return b;
	return less(s, a, c) == ab ? c : a;
}

FILCHI_SORT_INLINE void filchi_pivot(const struct filchi_sort *s, char *a, size_t n, size_t size, filchi_less_fn *less)
{
	char *middle = a + n / 2 * size, *last = a + (n - 1) * size, *pivot;

	if (n < 128)
		pivot = filchi_median(s, a, middle, last, less);
	else {
		size_t step = n / 8 * size, half = n / 16 * size;
		char *low = filchi_median(s, a, a + step, a + 2 * step, less);
		char *mid = filchi_median(s, middle - half, middle, middle + half, less);
		char *high = filchi_median(s, last - 2 * step, last - step, last, less);

		pivot = filchi_median(s, low, mid, high, less);
	}
	if (pivot != a)
		filchi_swap(a, pivot, size);
}

/* Breaks patterns that make bad cuts: moves the elements that a pivot is chosen from. */
FILCHI_SORT_INLINE void filchi_sort_shuffle(char *a, size_t n, size_t size)
{
	size_t quarter = n / 4;

	if (n < FILCHI_SORT_SMALL)
		return;
	filchi_swap_many(a, a + quarter * size, n < 128 ? 1 : 3, size);
	filchi_swap(a + n / 2 * size, a + (n / 2 + quarter / 2) * size, size);
	filchi_swap(a + (n - 1) * size, a + (n - 1 - quarter) * size, size);
}

FILCHI_SORT_INLINE bool filchi_sort_finished(const struct filchi_sort *s, char *a, size_t n, size_t left, bool moved,
					     unsigned *limit, size_t size, filchi_less_fn *less)
{
	char *upper = a + (left + 1) * size;
	size_t right = n - 1 - left;

	if (left >= n / FILCHI_SORT_BAD && right >= n / FILCHI_SORT_BAD)
		return !moved && filchi_insertion_sort(s, a, left, FILCHI_SORT_TOUCHES, size, less) &&
		       filchi_insertion_sort(s, upper, right, FILCHI_SORT_TOUCHES, size, less);
	if (!*limit) {
		filchi_heap_sort(s, a, n, size, less);
		return true;
	}
	--*limit;
	filchi_sort_shuffle(a, left, size);
	filchi_sort_shuffle(upper, right, size);
	return false;
}

FILCHI_SORT_INLINE void filchi_sort_serial(const struct filchi_sort *s, char *a, size_t n, unsigned limit, bool first,
					   size_t size, filchi_less_fn *less)
{
	char few[FILCHI_SORT_SMALL * FILCHI_SORT_SMALL_SIZE];

	while (n > FILCHI_SORT_SMALL) {
		size_t left, right;
		bool moved;

		filchi_pivot(s, a, n, size, less);
		if (!first && !less(s, a - size, a)) {
			left = filchi_partition(s, a + size, n - 1, a, FILCHI_NOT_AFTER, &moved, size, less) + 1;
			a += left * size;
			n -= left;
			continue;
		}
		left = filchi_partition(s, a + size, n - 1, a, FILCHI_BEFORE, &moved, size, less);
		right = n - 1 - left;
		filchi_swap(a, a + left * size, size);
		if ((!moved || left < n / FILCHI_SORT_BAD || right < n / FILCHI_SORT_BAD) &&
		    s->kernel->finished(s, a, n, left, moved, &limit))
			return;
		/* The smaller side is sorted by a call, so that the stack stays short. */
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
	if (size <= FILCHI_SORT_SMALL_SIZE)
		filchi_sort_small(s, a, few, n, false, size, less);
	else
		filchi_insertion_sort(s, a, n, SIZE_MAX, size, less);
}

/* ---- compiled for a size and a comparison ---- */

#define FILCHI_SORT_KERNEL(name, bytes, compares)                                                                      \
	static void name##_sort(const struct filchi_sort *s, char *a, size_t n, unsigned limit, bool first)            \
	{                                                                                                              \
		filchi_sort_serial(s, a, n, limit, first, bytes, compares);                                            \
	}                                                                                                              \
	static size_t name##_partition(const struct filchi_sort *s, char *a, size_t n, const char *pivot,              \
				       enum filchi_side side, bool *moved)                                             \
	{                                                                                                              \
		return side == FILCHI_BEFORE                                                                           \
			       ? filchi_partition(s, a, n, pivot, FILCHI_BEFORE, moved, bytes, compares)               \
			       : filchi_partition(s, a, n, pivot, FILCHI_NOT_AFTER, moved, bytes, compares);           \
	}                                                                                                              \
	static void name##_pivot(const struct filchi_sort *s, char *a, size_t n)                                       \
	{                                                                                                              \
		filchi_pivot(s, a, n, bytes, compares);                                                                \
	}                                                                                                              \
	static bool name##_finished(const struct filchi_sort *s, char *a, size_t n, size_t left, bool moved,           \
				    unsigned *limit)                                                                   \
	{                                                                                                              \
		return filchi_sort_finished(s, a, n, left, moved, limit, bytes, compares);                             \
	}                                                                                                              \
	static void name##_swap_many(const struct filchi_sort *s, char *a, char *b, size_t n)                          \
	{                                                                                                              \
		(void)s;                                                                                               \
		filchi_swap_many(a, b, n, bytes);                                                                      \
	}                                                                                                              \
	static const struct filchi_sort_kernel name __attribute__((unused)) = {                                        \
		compares, name##_sort, name##_partition, name##_pivot, name##_finished, name##_swap_many}

FILCH_END_DECLS

#endif
