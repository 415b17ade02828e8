/* SPDX-License-Identifier: Apache-2.0 */
#include "cilksort.h"

static inline void merge(const struct filchi_merge *m)
{
	struct filchi_merge first, second;

	if (filchi_merge_small(m)) {
		filchi_merge_serial(m);
		return;
	}
	filchi_merge_halve(m, &first, &second);
	merge(&first);
	merge(&second);
}

static inline void sort(int64_t *a, int64_t *room, size_t count)
{
	size_t quarter = count / 4, half = 2 * quarter;
	struct filchi_merge left, right, all;

	if (count <= FILCHI_CILKSORT_SMALL) {
		filchi_cilksort_small(a, count);
		return;
	}
	sort(a, room, quarter);
	sort(a + quarter, room + quarter, quarter);
	sort(a + half, room + half, quarter);
	sort(a + half + quarter, room + half + quarter, count - half - quarter);
	left = filchi_merge_parts(a, quarter, half, room);
	right = filchi_merge_parts(a + half, quarter, count - half, room + half);
	merge(&left);
	merge(&right);
	all = filchi_merge_parts(room, half, count, a);
	merge(&all);
}

void filchi_cilksort(int64_t *a, int64_t *room, size_t count)
{
	sort(a, room, count);
}
