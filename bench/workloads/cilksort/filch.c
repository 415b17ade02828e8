/* SPDX-License-Identifier: Apache-2.0 */
#include "cilksort.h"

#include <filch.h>

FILCH_TASK(void, merge, const struct filchi_merge *, m)
{
	struct filchi_merge first, second;

	if (filchi_merge_small(m)) {
		filchi_merge_serial(m);
		return;
	}
	filchi_merge_halve(m, &first, &second);
	FILCH_SPAWN(merge, &first);
	FILCH_CALL(merge, &second);
	FILCH_SYNC(merge);
}

FILCH_TASK(void, sort, int64_t *, a, int64_t *, room, size_t, count)
{
	size_t quarter = count / 4, half = 2 * quarter;
	struct filchi_merge left, right, all;

	if (count <= FILCHI_CILKSORT_SMALL) {
		filchi_cilksort_small(a, count);
		return;
	}
	FILCH_SPAWN(sort, a, room, quarter);
	FILCH_SPAWN(sort, a + quarter, room + quarter, quarter);
	FILCH_SPAWN(sort, a + half, room + half, quarter);
	FILCH_CALL(sort, a + half + quarter, room + half + quarter, count - half - quarter);
	FILCH_SYNC(sort);
	FILCH_SYNC(sort);
	FILCH_SYNC(sort);
	left = filchi_merge_parts(a, quarter, half, room);
	right = filchi_merge_parts(a + half, quarter, count - half, room + half);
	FILCH_SPAWN(merge, &left);
	FILCH_CALL(merge, &right);
	FILCH_SYNC(merge);
	all = filchi_merge_parts(room, half, count, a);
	FILCH_CALL(merge, &all);
}

void filchi_cilksort(int64_t *a, int64_t *room, size_t count)
{
	FILCH_RUN(sort, a, room, count);
}
