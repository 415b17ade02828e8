/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting by a number in each element: radix sort (radix.h), where the cuts of large ranges are loops over chunks, and
 * the buckets are tasks.
 *
 * A cut in parallel: each chunk counts its elements for each bucket. The sums tell where the elements of each chunk go
 * in each bucket, and so all chunks move their elements at the same time.
 */
#include "array.h"
#include "radix.h"
#include "splitter.h"
#include "start.h"

#include "../base/mem.h"
#include "../base/sized.h"

#include <errno.h>
#include <string.h>

/* Up to so many elements are sorted by one worker. */
#define SERIAL FILCHI_TUNE(8192u, 64u)
/* Elements of a chunk at least, and chunks at most. */
#define MIN_CHUNK FILCHI_TUNE(8192u, 16u)
#define MAX_CHUNKS 64u
/* Up to so many bytes the scratch array is on the stack. */
#define SMALL 4096u

struct chunk {
	struct filchi_radix_view view;
	size_t place[FILCHI_RADIX_BUCKETS];
};

/* A cut of a range of n elements from a to b. */
struct cut {
	const struct filchi_radix *r;
	char *a, *b;
	size_t n, size; /* of the range, and of a chunk, in elements */
	uint64_t min;
	unsigned shift;
	struct chunk *chunk;
};

static size_t chunk_count(const struct cut *c, size_t i)
{
	size_t left = c->n - i * c->size;

	return left < c->size ? left : c->size;
}

static char *chunk_start(const struct cut *c, size_t i)
{
	return c->a + i * c->size * c->r->size;
}

static void look_chunks(size_t from, size_t to, void *part, void *arg)
{
	struct cut *c = arg;

	(void)part;
	for (size_t i = from; i < to; i++)
		c->r->kernel->look(c->r, chunk_start(c, i), chunk_count(c, i), &c->chunk[i].view);
}

static void count_chunks(size_t from, size_t to, void *part, void *arg)
{
	struct cut *c = arg;

	(void)part;
	for (size_t i = from; i < to; i++) {
		memset(c->chunk[i].place, 0, sizeof(c->chunk[i].place));
		c->r->kernel->count(c->r, chunk_start(c, i), chunk_count(c, i), c->min, c->shift, c->chunk[i].place);
	}
}

static void move_chunks(size_t from, size_t to, void *part, void *arg)
{
	struct cut *c = arg;

	(void)part;
	for (size_t i = from; i < to; i++)
		c->r->kernel->move(c->r, chunk_start(c, i), chunk_count(c, i), c->min, c->shift, c->chunk[i].place,
				   c->b);
}

static void reverse_pairs(size_t from, size_t to, void *part, void *arg)
{
	struct cut *c = arg;

	(void)part;
	c->r->kernel->reverse(c->r, c->a, c->n, from, to);
}

static void copy_elements(size_t from, size_t to, void *part, void *arg)
{
	struct cut *c = arg;

	(void)part;
	memcpy(c->b + from * c->r->size, c->a + from * c->r->size, (to - from) * c->r->size);
}

/* Turns counts into places. ends: of each bucket. */
static void place_chunks(struct cut *c, size_t chunks, size_t ends[FILCHI_RADIX_BUCKETS])
{
	size_t next = 0;

	for (size_t b = 0; b < FILCHI_RADIX_BUCKETS; b++) {
		for (size_t i = 0; i < chunks; i++) {
			size_t count = c->chunk[i].place[b];

			c->chunk[i].place[b] = next;
			next += count;
		}
		ends[b] = next;
	}
}

/* Sorts a range that is in order, or in the opposite order, and copies it to b if it belongs there. */
FILCH_TASK(void, sort_ordered, struct cut *, c, bool, falling, bool, there)
{
	struct filchi_loop reverse = {.body = reverse_pairs, .arg = c}, copy = {.body = copy_elements, .arg = c};

	if (falling)
		FILCH_CALL(filchi_range, &reverse, 0, c->n / 2, 0, NULL);
	if (there)
		FILCH_CALL(filchi_range, &copy, 0, c->n, 0, NULL);
}

/* Cuts a range into buckets, from a to b, and sets their ends. False: it is not cut, because it is sorted now. */
FILCH_TASK(bool, cut, struct cut *, c, size_t, chunks, bool, there, size_t *, ends)
{
	struct filchi_loop look = {.body = look_chunks, .arg = c, .grain = 1};
	struct filchi_loop count = {.body = count_chunks, .arg = c, .grain = 1};
	struct filchi_loop move = {.body = move_chunks, .arg = c, .grain = 1};
	struct filchi_radix_view view;

	FILCH_CALL(filchi_range, &look, 0, chunks, 0, NULL);
	view = c->chunk[0].view;
	for (size_t i = 1; i < chunks; i++)
		view = filchi_radix_join(view, c->chunk[i].view);
	if (view.rising || view.falling) {
		FILCH_CALL(sort_ordered, c, view.falling, there);
		return false;
	}
	c->min = view.min;
	c->shift = filchi_radix_shift(view.min, view.max);
	FILCH_CALL(filchi_range, &count, 0, chunks, 0, NULL);
	place_chunks(c, chunks, ends);
	FILCH_CALL(filchi_range, &move, 0, chunks, 0, NULL);
	return true;
}

/* As sort of the kernel. */
FILCH_TASK(void, sort, const struct filchi_radix *, r, char *, a, char *, b, size_t, n, bool, there)
{
	struct cut c = {.r = r, .a = a, .b = b, .n = n};
	size_t ends[FILCHI_RADIX_BUCKETS], chunks, from = 0, spawned = 0;
	bool cut;

	c.size = n / MAX_CHUNKS < MIN_CHUNK ? MIN_CHUNK : n / MAX_CHUNKS + 1;
	chunks = (n - 1) / c.size + 1;
	/* One worker sorts a range that fits into the cache, unless there is demand, as at the start of the sort. */
	if (n <= SERIAL || filchi_frame_serial(filch_only_inside_a_task_) ||
	    (n <= FILCHI_RADIX_CACHE / r->size && !filchi_frame_demand(filch_only_inside_a_task_, true)) ||
	    !(c.chunk = filchi_alloc_array(0, chunks, sizeof(*c.chunk)))) {
		r->kernel->sort(r, a, b, n, there);
		return;
	}
	cut = FILCH_CALL(cut, &c, chunks, there, ends);
	filchi_free(c.chunk);
	if (!cut)
		return;
	for (size_t i = 0; i < FILCHI_RADIX_BUCKETS; from = ends[i++])
		if (ends[i] > from) {
			FILCH_SPAWN(sort, r, b + from * r->size, a + from * r->size, ends[i] - from, !there);
			spawned++;
		}
	for (; spawned; spawned--)
		FILCH_SYNC(sort);
}

/* ---- the way in ---- */

struct sort {
	struct filchi_radix r;
	char *base, *scratch;
	size_t count;
};

static void run(void *arg, struct filch_pool *pool, bool workers)
{
	struct sort *s = arg;

	if (workers)
		FILCH_RUN_ON(pool, sort, &s->r, s->base, s->scratch, s->count, false);
	else
		s->r.kernel->sort(&s->r, s->base, s->scratch, s->count, false);
}

static int compare_keys(const void *a, const void *b, void *arg)
{
	const struct filchi_radix *r = arg;
	uint64_t x = r->kernel->key(r, a), y = r->kernel->key(r, b);

	return (x > y) - (x < y);
}

static int read_key(struct filchi_radix *r, struct filch_sort_key *mine, const struct filch_sort_key *key)
{
	uint64_t all, sign;

	if (!key)
		return filchi_fail(-EINVAL, "filch_sort_keys: key is NULL");
	if (filchi_sized_copy(mine, sizeof(*mine), key))
		return filchi_fail_sized("struct filch_sort_key", key);
	if (mine->type < FILCH_KEY_I32 || mine->type > FILCH_KEY_F64)
		return filchi_fail(-EINVAL, "filch_sort_keys: type is %d; allowed are FILCH_KEY_I32 to FILCH_KEY_F64",
				   (int)mine->type);
	r->wide = mine->type >= FILCH_KEY_I64;
	r->floating = mine->type == FILCH_KEY_F32 || mine->type == FILCH_KEY_F64;
	r->offset = mine->offset;
	if (r->size < (r->wide ? 8 : 4) || mine->offset > r->size - (r->wide ? 8 : 4))
		return filchi_fail(-EINVAL,
				   "filch_sort_keys: offset is %zu, but an element of %zu bytes has no key of %d there",
				   mine->offset, r->size, r->wide ? 8 : 4);
	all = r->wide ? UINT64_MAX : UINT32_MAX;
	sign = mine->type == FILCH_KEY_U32 || mine->type == FILCH_KEY_U64 ? 0 : all - all / 2;
	r->flip = mine->descending ? sign ^ all : sign;
	r->nan = mine->descending ? 0 : all;
	r->kernel = filchi_radix_kernel(r);
	return 0;
}

int filch_sort_keys(struct filch_pool *pool, void *base, size_t count, size_t size, const struct filch_sort_key *key)
{
	FILCHI_OWN_LINE char small[SMALL];
	struct sort s = {.r = {.size = size}, .base = base, .count = count};
	struct filch_sort_key mine;
	int err = filchi_array_check("filch_sort_keys", "base", base, count, "size", size);

	if (!err)
		err = read_key(&s.r, &mine, key);
	if (err || count < 2)
		return err;
	s.scratch = count * size <= SMALL ? small : filchi_alloc_array(0, count, size);
	if (!s.scratch && mine.stable)
		return filchi_fail(-ENOMEM, "filch_sort_keys: no memory for %zu elements of %zu bytes", count, size);
	if (!s.scratch)
		return filch_sort(pool, base, count, size, compare_keys, &s.r);
	filchi_start(pool, count <= SERIAL, run, &s);
	if (s.scratch != small)
		filchi_free(s.scratch);
	return 0;
}
