/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stable sorting: merge sort between the array and a second array of its size. Halves are tasks, and so are the halves
 * of each merge. The middle element of the longer run cuts that run, and its place in the other run cuts the other run.
 * The two lower parts are merged by one task, and the two upper parts by another.
 */
#include "sort.h"
#include "splitter.h"
#include "start.h"

#include "../base/mem.h"

#include <errno.h>

/* Up to so many elements are sorted, or merged, by one worker. */
#define SERIAL FILCHI_TUNE(512u, 4u)
#define SERIAL_MERGE FILCHI_TUNE(8192u, 4u)

/* The number of elements at a that come before key, or, if `equal`, do not come after it. */
static size_t count_before(const struct filchi_sort *s, const char *a, size_t n, const char *key, bool equal)
{
	size_t from = 0;

	while (n) {
		size_t half = n / 2;
		const char *element = a + (from + half) * s->size;

		if (equal ? !s->kernel->less(s, key, element) : s->kernel->less(s, element, key)) {
			from += half + 1;
			n -= half + 1;
		} else
			n = half;
	}
	return from;
}

FILCH_TASK(void, merge, const struct filchi_sort *, s, const char *, a, size_t, an, const char *, b, size_t, bn, char *,
	   out)
{
	size_t ah, bh;

	if (an + bn <= SERIAL_MERGE || filchi_frame_serial(filch_only_inside_a_task_)) {
		filchi_stable_kernel(s->size)->merge(s, a, an, b, bn, out);
		return;
	}
	/* Equal elements of a come before elements of b. */
	if (an >= bn) {
		ah = an / 2;
		bh = count_before(s, b, bn, a + ah * s->size, false);
	} else {
		bh = bn / 2;
		ah = count_before(s, a, an, b + bh * s->size, true);
	}
	FILCH_SPAWN(merge, s, a + ah * s->size, an - ah, b + bh * s->size, bn - bh, out + (ah + bh) * s->size);
	FILCH_CALL(merge, s, a, ah, b, bh, out);
	FILCH_SYNC(merge);
}

static void sort_serial(const struct filchi_sort *s, char *a, char *b, size_t n, bool there)
{
	const struct filchi_stable_kernel *k = filchi_stable_kernel(s->size);

	k->sort(s, k, a, b, n, there);
}

FILCH_TASK(void, merge_sort, const struct filchi_sort *, s, char *, a, char *, b, size_t, n, bool, there)
{
	size_t half = n / 2, at = half * s->size;
	char *from = there ? a : b, *to = there ? b : a;

	if (n <= SERIAL) {
		sort_serial(s, a, b, n, there);
		return;
	}
	FILCH_SPAWN(merge_sort, s, a + at, b + at, n - half, !there);
	FILCH_CALL(merge_sort, s, a, b, half, !there);
	FILCH_SYNC(merge_sort);
	FILCH_CALL(merge, s, from, half, from + at, n - half, to);
}

struct sort {
	struct filchi_sort s;
	char *base, *scratch;
	size_t count;
};

static void run(void *arg, struct filch_pool *pool, bool workers)
{
	struct sort *sort = arg;

	if (workers)
		FILCH_RUN_ON(pool, merge_sort, &sort->s, sort->base, sort->scratch, sort->count, false);
	else
		sort_serial(&sort->s, sort->base, sort->scratch, sort->count, false);
}

int filch_sort_stable(struct filch_pool *pool, void *base, size_t count, size_t size, filch_compare_fn *compare,
		      void *arg)
{
	struct sort sort = {.s = {.size = size, .compare = compare, .arg = arg}, .base = base, .count = count};
	int err = filchi_sort_begin(&sort.s, "filch_sort_stable", base, count);

	if (err || count < 2)
		return err;
	sort.scratch = filchi_alloc_array(0, count, size);
	if (!sort.scratch)
		return filchi_fail(-ENOMEM, "filch_sort_stable: no memory for %zu elements of %zu bytes", count, size);
	filchi_start(pool, count <= SERIAL, run, &sort);
	filchi_free(sort.scratch);
	return 0;
}
