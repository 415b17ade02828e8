/* SPDX-License-Identifier: Apache-2.0 */
#include "cilksort.h"

#include <oneapi/tbb/parallel_invoke.h>

static void merge(const struct filchi_merge *m)
{
	struct filchi_merge first, second;

	if (filchi_merge_small(m)) {
		filchi_merge_serial(m);
		return;
	}
	filchi_merge_halve(m, &first, &second);
	tbb::parallel_invoke([&] { merge(&first); }, [&] { merge(&second); });
}

void filchi_cilksort(int64_t *a, int64_t *room, size_t count)
{
	size_t quarter = count / 4, half = 2 * quarter, rest = half + quarter;
	struct filchi_merge left, right, all;

	if (count <= FILCHI_CILKSORT_SMALL) {
		filchi_cilksort_small(a, count);
		return;
	}
	tbb::parallel_invoke([=] { filchi_cilksort(a, room, quarter); },
			     [=] { filchi_cilksort(a + quarter, room + quarter, quarter); },
			     [=] { filchi_cilksort(a + half, room + half, quarter); },
			     [=] { filchi_cilksort(a + rest, room + rest, count - rest); });
	left = filchi_merge_parts(a, quarter, half, room);
	right = filchi_merge_parts(a + half, quarter, count - half, room + half);
	tbb::parallel_invoke([&] { merge(&left); }, [&] { merge(&right); });
	all = filchi_merge_parts(room, half, count, a);
	merge(&all);
}
