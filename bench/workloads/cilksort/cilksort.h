/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cilk's sort: sorts four quarters, then merges them two by two, then all. The merge is parallel, too: it finds the
 * middle of the longer part in the other part, and merges the numbers before and after it at the same time.
 */
#ifndef FILCHI_BENCH_CILKSORT_H
#define FILCHI_BENCH_CILKSORT_H

#include "../common/sort.h"
#include "../common/workload.h"

#include <string.h>

FILCH_BEGIN_DECLS

/* Below these sizes one worker sorts or merges, or sorts by insertion. */
#define FILCHI_CILKSORT_SMALL 2048
#define FILCHI_CILKSORT_INSERTION 20

struct filchi_merge {
	const int64_t *a, *b;
	size_t a_count, b_count;
	int64_t *to;
};

static inline void filchi_cilksort_small(int64_t *a, size_t count)
{
	while (count > FILCHI_CILKSORT_INSERTION) {
		size_t left = filchi_sort_part(a, count);

		filchi_cilksort_small(a, left);
		a += left;
		count -= left;
	}
	filchi_sort_insertion(a, count);
}

static inline bool filchi_merge_small(const struct filchi_merge *m)
{
	return m->a_count + m->b_count <= FILCHI_CILKSORT_SMALL;
}

static inline void filchi_merge_serial(const struct filchi_merge *m)
{
	size_t i = 0, j = 0;
	int64_t *to = m->to;

	while (i < m->a_count && j < m->b_count)
		*to++ = m->b[j] < m->a[i] ? m->b[j++] : m->a[i++];
	memcpy(to, m->a + i, (m->a_count - i) * sizeof(*to));
	to += m->a_count - i;
	memcpy(to, m->b + j, (m->b_count - j) * sizeof(*to));
}

/* Returns how many numbers are less than x. */
static inline size_t filchi_merge_below(const int64_t *a, size_t count, int64_t x)
{
	size_t first = 0;

	while (first < count) {
		size_t middle = first + (count - first) / 2;

		if (a[middle] < x)
			first = middle + 1;
		else
			count = middle;
	}
	return first;
}

static inline void filchi_merge_halve(const struct filchi_merge *m, struct filchi_merge *first,
				      struct filchi_merge *second)
{
	bool swap = m->a_count < m->b_count;
	const int64_t *a = swap ? m->b : m->a, *b = swap ? m->a : m->b;
	size_t a_count = swap ? m->b_count : m->a_count, b_count = swap ? m->a_count : m->b_count;
	size_t middle = a_count / 2, below = filchi_merge_below(b, b_count, a[middle]);

	first->a = a;
	first->b = b;
	first->a_count = middle;
	first->b_count = below;
	first->to = m->to;
	second->a = a + middle;
	second->b = b + below;
	second->a_count = a_count - middle;
	second->b_count = b_count - below;
	second->to = m->to + middle + below;
}

/* Merges two adjacent sorted parts. */
static inline struct filchi_merge filchi_merge_parts(const int64_t *from, size_t first, size_t all, int64_t *to)
{
	struct filchi_merge m = {from, from + first, first, all - first, to};

	return m;
}

void filchi_cilksort(int64_t *a, int64_t *room, size_t count);

FILCH_END_DECLS

#endif
