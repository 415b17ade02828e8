/* SPDX-License-Identifier: Apache-2.0 */
#include "cilksort.h"

static void merge(const struct filchi_merge *m)
{
	struct filchi_merge first, second;

	if (filchi_merge_small(m)) {
		filchi_merge_serial(m);
		return;
	}
	filchi_merge_halve(m, &first, &second);
#pragma omp task shared(first)
	merge(&first);
	merge(&second);
#pragma omp taskwait
}

static void sort(int64_t *a, int64_t *room, size_t count)
{
	size_t quarter = count / 4, half = 2 * quarter;
	struct filchi_merge left, right, all;

	if (count <= FILCHI_CILKSORT_SMALL) {
		filchi_cilksort_small(a, count);
		return;
	}
#pragma omp task
	sort(a, room, quarter);
#pragma omp task
	sort(a + quarter, room + quarter, quarter);
#pragma omp task
	sort(a + half, room + half, quarter);
	sort(a + half + quarter, room + half + quarter, count - half - quarter);
#pragma omp taskwait
	left = filchi_merge_parts(a, quarter, half, room);
	right = filchi_merge_parts(a + half, quarter, count - half, room + half);
#pragma omp task shared(left)
	merge(&left);
	merge(&right);
#pragma omp taskwait
	all = filchi_merge_parts(room, half, count, a);
	merge(&all);
}

void filchi_cilksort(int64_t *a, int64_t *room, size_t count)
{
#pragma omp parallel
#pragma omp single
	sort(a, room, count);
}
