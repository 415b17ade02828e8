/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting in place. include/filch/detail/sort.h has the serial steps; here they are tasks.
 *
 * A cut of a large range is itself parallel if workers are idle. The range is divided into parts, and each part is cut
 * alone. The sum of the left sides is the place of the cut. Elements on the wrong side of this place are then swapped.
 */
#include "sort.h"
#include "array.h"
#include "splitter.h"
#include "start.h"

#include <errno.h>

/* Up to so many elements are sorted by one worker. */
#define SERIAL FILCHI_TUNE(512u, 4u)
/* Elements of a part at least, and parts at most. */
#define PART_MIN FILCHI_TUNE(4096u, 4u)
#define MAX_PARTS FILCHI_TUNE(64u, 4u)
/* Pairs of elements that are swapped by one task at least. */
#define SWAP_GRAIN 2048u

/* ---- a cut in parts ---- */

struct part {
	size_t from, left, to; /* indices; elements from..left belong to the left side */
};

struct parts {
	const struct filchi_sort *s;
	char *a;
	const char *pivot;
	enum filchi_side side;
	size_t count;
	size_t cut; /* the start of the right side */
	struct part part[MAX_PARTS];
	bool moved[MAX_PARTS];
};

static void cut_parts(size_t from, size_t to, void *part_, void *arg)
{
	struct parts *p = arg;

	(void)part_;
	for (size_t i = from; i < to; i++) {
		struct part *part = &p->part[i];

		part->left =
			part->from + p->s->kernel->partition(p->s, p->a + part->from * p->s->size,
							     part->to - part->from, p->pivot, p->side, &p->moved[i]);
	}
}

/*
 * The elements on the wrong side of the cut, on its left or on its right, in order: skips `skip` of them. Sets *at to
 * the index of the next, and returns how many follow each other there.
 */
static size_t wrong(const struct parts *p, bool left, size_t skip, size_t *at)
{
	*at = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct part *part = &p->part[i];
		/* Elements on the left of the cut that belong to the right, or the other way around. */
		size_t from = left ? part->left : part->from > p->cut ? part->from : p->cut;
		size_t to = !left ? part->left : part->to < p->cut ? part->to : p->cut;

		if (from >= to)
			continue;
		if (skip < to - from) {
			*at = from + skip;
			return to - from - skip;
		}
		skip -= to - from;
	}
	return 0;
}

static void swap_wrong(size_t from, size_t to, void *part, void *arg)
{
	struct parts *p = arg;

	(void)part;
	while (from < to) {
		size_t l, r;
		size_t left = wrong(p, true, from, &l);
		size_t right = wrong(p, false, from, &r);
		size_t count = left < right ? left : right;

		if (count > to - from)
			count = to - from;
		p->s->kernel->swap_many(p->s, p->a + l * p->s->size, p->a + r * p->s->size, count);
		from += count;
	}
}

/* As partition of the kernel. */
FILCH_TASK(size_t, partition, const struct filchi_sort *, s, char *, a, size_t, n, const char *, pivot,
	   enum filchi_side, side, bool *, moved)
{
	struct parts p = {.s = s, .a = a, .pivot = pivot, .side = side};
	struct filchi_loop cuts = {.body = cut_parts, .arg = &p, .grain = 1};
	struct filchi_loop swaps = {.body = swap_wrong, .arg = &p, .grain = SWAP_GRAIN};
	size_t size, pairs = 0;

	if (n < 2 * PART_MIN || !filchi_frame_demand(filch_only_inside_a_task_, true))
		return s->kernel->partition(s, a, n, pivot, side, moved);
	size = n / MAX_PARTS < PART_MIN ? PART_MIN : n / MAX_PARTS + 1;
	for (size_t from = 0; from < n; from += size)
		p.part[p.count++] = (struct part){.from = from, .to = n - from < size ? n : from + size};
	FILCH_CALL(filchi_range, &cuts, 0, p.count, 0, NULL);
	for (size_t i = 0; i < p.count; i++)
		p.cut += p.part[i].left - p.part[i].from;
	*moved = false;
	for (size_t i = 0; i < p.count; i++) {
		struct part *part = &p.part[i];
		size_t to = part->to < p.cut ? part->to : p.cut;

		*moved = *moved || p.moved[i];
		pairs += to > part->left ? to - part->left : 0;
	}
	*moved = *moved || pairs;
	FILCH_CALL(filchi_range, &swaps, 0, pairs, 0, NULL);
	return p.cut;
}

/* ---- quicksort ---- */

FILCH_TASK(void, quicksort, const struct filchi_sort *, s, char *, a, size_t, n, unsigned, limit, bool, first)
{
	size_t given = 0;

	while (n > SERIAL) {
		size_t left;
		bool moved, equal;

		s->kernel->pivot(s, a, n);
		equal = !first && !s->kernel->less(s, a - s->size, a);
		left = FILCH_CALL(partition, s, a + s->size, n - 1, a, equal ? FILCHI_NOT_AFTER : FILCHI_BEFORE,
				  &moved);
		if (equal) {
			a += (left + 1) * s->size;
			n -= left + 1;
			continue;
		}
		s->kernel->swap_many(s, a, a + left * s->size, left != 0);
		if (s->kernel->finished(s, a, n, left, moved, &limit)) {
			n = 0;
			break;
		}
		given++;
		if (left < n - 1 - left) {
			FILCH_SPAWN(quicksort, s, a, left, limit, first);
			a += (left + 1) * s->size;
			n -= left + 1;
			first = false;
		} else {
			FILCH_SPAWN(quicksort, s, a + (left + 1) * s->size, n - 1 - left, limit, false);
			n = left;
		}
	}
	s->kernel->sort(s, a, n, limit, first);
	for (; given; given--)
		FILCH_SYNC(quicksort);
}

/* ---- the way in ---- */

/* Sorts a range that is in order, or in the opposite order; false: it is neither. */
static bool ordered(const struct filchi_sort *s, char *a, size_t n)
{
	size_t i = 1;

	while (i < n && !s->kernel->less(s, a + i * s->size, a + (i - 1) * s->size))
		i++;
	if (i > 1 || n < 2)
		return i >= n;
	while (i < n && !s->kernel->less(s, a + (i - 1) * s->size, a + i * s->size))
		i++;
	if (i < n)
		return false;
	for (size_t l = 0, r = n - 1; l < r; l++, r--)
		s->kernel->swap_many(s, a + l * s->size, a + r * s->size, 1);
	return true;
}

int filchi_sort_begin(struct filchi_sort *s, const char *function, void *base, size_t count)
{
	int err = filchi_array_check(function, "base", base, count, "size", s->size);

	if (err)
		return err;
	if (!s->size)
		return filchi_fail(-EINVAL, "%s: size is 0; allowed are 1 to %zu", function, (size_t)PTRDIFF_MAX);
	if (!s->kernel && !s->compare)
		return filchi_fail(-EINVAL, "%s: compare is NULL", function);
	if (!s->kernel)
		s->kernel = filchi_sort_kernel(s->size);
	return 0;
}

struct sort {
	struct filchi_sort s;
	void *base;
	size_t count;
};

static void run(void *arg, struct filch_pool *pool, bool workers)
{
	struct sort *sort = arg;

	if (ordered(&sort->s, sort->base, sort->count))
		return;
	if (workers)
		FILCH_RUN_ON(pool, quicksort, &sort->s, sort->base, sort->count, filchi_sort_limit(sort->count), true);
	else
		sort->s.kernel->sort(&sort->s, sort->base, sort->count, filchi_sort_limit(sort->count), true);
}

static int start(struct filch_pool *pool, struct sort *sort)
{
	int err = filchi_sort_begin(&sort->s, "filch_sort", sort->base, sort->count);

	if (!err && sort->count > 1)
		filchi_start(pool, sort->count <= SERIAL, run, sort);
	return err;
}

int filch_sort(struct filch_pool *pool, void *base, size_t count, size_t size, filch_compare_fn *compare, void *arg)
{
	struct sort sort = {{.size = size, .compare = compare, .arg = arg}, base, count};

	return start(pool, &sort);
}

int filch_sort_with_(struct filch_pool *pool, void *base, size_t count, const struct filchi_sort *s)
{
	struct sort sort = {*s, base, count};

	return start(pool, &sort);
}
