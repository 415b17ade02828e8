/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, maps, reductions and scans on pools of several sizes. */
#define _GNU_SOURCE

#include "../fixtures/algo.h"
#include "../../src/base/rng.h"
#include "../../src/pool/pool.h"
#include "../fixtures/pool/pools.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { SMALL = 1000, LARGE = TEST_SANITIZED ? 100000 : 1000000 };

static unsigned char seen[LARGE];
static long in[LARGE], out[LARGE];

/* ---- for ---- */

struct loop {
	size_t first, last, grain;
	atomic_size_t parts;
};

static void mark(size_t from, size_t to, void *arg)
{
	struct loop *l = arg;

	TEST_CHECK(from >= l->first && from < to && to <= l->last);
	if (l->grain)
		TEST_CHECK((from - l->first) % l->grain == 0 &&
			   (to - from == l->grain || (to == l->last && to - from < l->grain)));
	for (size_t i = from; i < to; i++)
		seen[i - l->first]++;
	l->parts++;
}

static void check_loop(size_t first, size_t count, size_t grain)
{
	struct loop l = {.first = first, .last = first + count, .grain = grain};

	memset(seen, 0, count);
	TEST_CHECK(filch_for(NULL, first, first + count, grain, mark, &l) == 0);
	for (size_t i = 0; i < count; i++)
		TEST_CHECK(seen[i] == 1);
	if (grain)
		TEST_CHECK(l.parts == (count ? (count - 1) / grain + 1 : 0));
}

static void test_for(void)
{
	static const size_t grains[] = {0, 1, 7, SMALL, SIZE_MAX};

	for (size_t g = 0; g < sizeof(grains) / sizeof(grains[0]); g++) {
		for (size_t n = 0; n <= SMALL; n += n < 100 ? 1 : 37)
			check_loop(n % 5, n, grains[g]);
		check_loop(SIZE_MAX - SMALL, SMALL, grains[g]); /* up to the last there is */
	}
	check_loop(0, LARGE, 0);
	check_loop(3, LARGE - 3, 1000);
	TEST_CHECK(filch_for(NULL, 0, 10, 0, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_for(NULL, 10, 3, 0, mark, NULL) == 0);
}

static void inner(size_t from, size_t to, void *arg)
{
	atomic_size_t *sum = arg;

	*sum += to - from;
}

static void outer(size_t from, size_t to, void *arg)
{
	for (size_t i = from; i < to; i++)
		TEST_CHECK(filch_for(NULL, 0, i, 0, inner, arg) == 0);
}

FILCH_TASK(int, loop_in_task, atomic_size_t *, sum)
{
	return filch_for(NULL, 0, 200, 0, outer, sum);
}

static void test_nested(void)
{
	atomic_size_t sum = 0;

	TEST_CHECK(filch_for(NULL, 0, 200, 0, outer, &sum) == 0);
	TEST_CHECK(sum == 199 * 200 / 2);
	TEST_CHECK(FILCH_RUN(loop_in_task, &sum) == 0);
	TEST_CHECK(sum == 199 * 200);
}

/* A job of another pool than the default pool keeps all work in its pool. */
static void look_for_pool(size_t from, size_t to, void *pool)
{
	for (size_t i = from; i < to; i++)
		TEST_CHECK(filchi_worker_self() && filchi_pool_of(filchi_worker_self()) == pool);
}

FILCH_TASK(int, loop_in_pool, struct filch_pool *, pool)
{
	look_for_pool(0, 1, pool);
	return filch_for(NULL, 0, 300, 1, look_for_pool, pool);
}

static int loop_in_job(void *pool, void **result)
{
	(void)result;
	TEST_CHECK(filch_for(NULL, 0, LARGE, 0, look_for_pool, pool) == 0);
	return FILCH_RUN(loop_in_pool, pool);
}

static void test_other_pool(void)
{
	struct filch_pool *pool = test_pool(2, 0, NULL);
	struct filch_future *f;
	int err;

	TEST_CHECK(filch_pool_submit(pool, loop_in_job, pool, &f) == 0);
	while ((err = filch_future_try_wait(f, NULL)) == -EAGAIN)
		sched_yield(); /* it is a worker that runs it */
	TEST_CHECK(err == 0);
	filch_future_destroy(f);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* Where the work is, all of it at the start, several workers take part: for that, time must pass. */
static void uneven(size_t from, size_t to, void *arg)
{
	atomic_uint *who = arg;
	struct timespec a_while = {.tv_nsec = 100000};

	for (size_t i = from; i < to; i++)
		if (i < 64) {
			*who |= 1u << filch_worker_id();
			nanosleep(&a_while, NULL);
		}
}

static void test_balance(void)
{
	atomic_uint who = 0;

	if (filch_pool_workers(NULL) < 2)
		return;
	/* A worker may come late, but not each time. */
	for (int i = 0; i < 1000 && !(who & (who - 1)); i++) {
		who = 0;
		TEST_CHECK(filch_for(NULL, 0, SMALL, 0, uneven, &who) == 0);
	}
	TEST_CHECK(who & (who - 1));
}

/* ---- map and invoke ---- */

static void square(const void *from, void *to, void *arg)
{
	int x;
	long y;

	memcpy(&x, from, sizeof(x));
	y = (long)x * x + *(const int *)arg;
	memcpy(to, &y, sizeof(y));
}

static void negate(const void *from, void *to, void *arg)
{
	(void)arg;
	*(long *)to = -*(const long *)from;
}

static void test_map(void)
{
	static int ints[LARGE];
	int more = 3;

	for (size_t n = 0; n <= LARGE; n = n < 20 ? n + 1 : n * 7) {
		for (size_t i = 0; i < n; i++)
			ints[i] = (int)i - 5;
		TEST_CHECK(filch_map(NULL, ints, out, n, sizeof(int), sizeof(long), square, &more) == 0);
		for (size_t i = 0; i < n; i++)
			TEST_CHECK(out[i] == (long)ints[i] * ints[i] + 3);
		TEST_CHECK(filch_map(NULL, out, out, n, sizeof(long), sizeof(long), negate, NULL) == 0);
		for (size_t i = 0; i < n; i++)
			TEST_CHECK(out[i] == -((long)ints[i] * ints[i] + 3));
	}
	TEST_CHECK(filch_map(NULL, ints, out, 1, 4, 8, NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_map(NULL, NULL, out, 1, 4, 8, square, NULL) == -EINVAL);
	TEST_CHECK(filch_map(NULL, ints, NULL, 1, 4, 8, square, NULL) == -EINVAL);
	TEST_CHECK(filch_map(NULL, out, out, 1, 4, 8, square, NULL) == -EINVAL);
	TEST_CHECK(filch_map(NULL, NULL, NULL, 0, 4, 8, square, NULL) == 0);
}

static void count_one(void *arg)
{
	++*(int *)arg;
}

static void test_invoke(void)
{
	static int counts[100];
	struct filch_invocation calls[100];

	for (size_t n = 0; n <= 100; n++) {
		memset(counts, 0, sizeof(counts));
		for (size_t i = 0; i < 100; i++)
			calls[i] = (struct filch_invocation){count_one, &counts[i]};
		TEST_CHECK(filch_invoke(NULL, calls, n) == 0);
		for (size_t i = 0; i < 100; i++)
			TEST_CHECK(counts[i] == (i < n));
	}
	TEST_CHECK(filch_invoke(NULL, NULL, 0) == 0);
	TEST_CHECK(filch_invoke(NULL, NULL, 1) == -EINVAL);
	calls[99].function = NULL;
	TEST_CHECK(filch_invoke(NULL, calls, 100) == -EINVAL && counts[0] == 1); /* none was called */
}

/* ---- reduce ---- */

/* Ranges that must meet in order: associative, not commutative. The second one is as large as is not on a stack. */
struct span {
	size_t from, to;
	char large[];
};
enum { LARGE_VALUE = 1000 };

static void fold_span(size_t from, size_t to, void *value, void *arg)
{
	struct span *s = value;

	(void)arg;
	TEST_CHECK(from < to);
	if (s->from == s->to)
		s->from = s->to = from;
	TEST_CHECK(s->to == from);
	s->to = to;
}

static void combine_span(void *value, const void *right, void *arg)
{
	struct span *s = value;
	const struct span *r = right;

	(void)arg;
	TEST_CHECK(s->to == r->from);
	s->to = r->to;
}

static void check_order(size_t n, size_t grain, int deterministic, size_t value_size)
{
	static union {
		struct span span;
		char bytes[LARGE_VALUE];
	} zero, result;
	struct filch_reduce_options how = {.struct_size = sizeof(how),
					   .value_size = value_size,
					   .identity = n % 2 ? &zero : NULL,
					   .fold = fold_span,
					   .combine = combine_span,
					   .grain = grain,
					   .deterministic = deterministic};

	memset(&result, 1, sizeof(result));
	TEST_CHECK(filch_reduce(NULL, 10, 10 + n, &how, &result) == 0);
	TEST_CHECK(n ? result.span.from == 10 && result.span.to == 10 + n : result.span.to == 0);
}

static void test_reduce(void)
{
	struct filch_reduce_options how = {
		.struct_size = sizeof(how), .value_size = 8, .fold = fold_span, .combine = combine_span};
	struct filch_reduce_options wrong;
	long result;

	for (size_t n = 0; n <= SMALL; n += n < 100 ? 1 : 13)
		for (int deterministic = 0; deterministic < 2; deterministic++) {
			check_order(n, 0, deterministic, sizeof(struct span));
			check_order(n, 1 + n % 10, deterministic, sizeof(struct span));
			check_order(n, 0, deterministic, LARGE_VALUE);
		}
	check_order(LARGE, 0, 0, sizeof(struct span));
	check_order(LARGE, 0, 1, LARGE_VALUE);
	TEST_CHECK(filch_reduce(NULL, 0, 1, NULL, &result) == -EINVAL &&
		   filch_reduce(NULL, 0, 1, &how, NULL) == -EINVAL);
	wrong = how, wrong.struct_size = 0;
	TEST_CHECK(filch_reduce(NULL, 0, 1, &wrong, &result) == -EINVAL);
	wrong = how, wrong.value_size = 0;
	TEST_CHECK(filch_reduce(NULL, 0, 1, &wrong, &result) == -EINVAL);
	wrong = how, wrong.fold = NULL;
	TEST_CHECK(filch_reduce(NULL, 0, 1, &wrong, &result) == -EINVAL);
	wrong = how, wrong.combine = NULL;
	TEST_CHECK(filch_reduce(NULL, 0, 1, &wrong, &result) == -EINVAL);
}

static void fold_floats(size_t from, size_t to, void *value, void *arg)
{
	float *sum = value;

	(void)arg;
	for (size_t i = from; i < to; i++) {
		struct filchi_rng rng = {i};
		uint64_t r = filchi_rng_next(&rng);

		*sum += (float)(r >> 40) / (float)(1 << (r & 15)); /* of all magnitudes */
	}
}

static void combine_floats(void *value, const void *right, void *arg)
{
	(void)arg;
	*(float *)value += *(const float *)right;
}

/* The first pool to come here sets what all others must get, to the bit. */
static void test_deterministic(void)
{
	struct filch_reduce_options how = {.struct_size = sizeof(how),
					   .value_size = sizeof(float),
					   .fold = fold_floats,
					   .combine = combine_floats,
					   .deterministic = 1};
	static float expected[3];
	float serial = 0;
	static bool known;

	for (int round = 0; round < 5; round++)
		for (int i = 0; i < 3; i++) {
			float sum = -1;

			how.grain = (size_t)i * 77;
			TEST_CHECK(filch_reduce(NULL, 0, LARGE - 1, &how, &sum) == 0);
			if (!known && round == 0)
				expected[i] = sum;
			TEST_CHECK(!memcmp(&sum, &expected[i], sizeof(sum)));
		}
	/* With these numbers it does matter what is added to what. */
	fold_floats(0, LARGE - 1, &serial, NULL);
	TEST_CHECK(memcmp(&expected[0], &serial, sizeof(float)));
	known = true;
}

/* ---- scan ---- */

/* x -> a x + b, one after the other: associative, not commutative; numbers wrap. */
struct line {
	unsigned a, b;
};

static void after(void *value, const void *right, void *arg)
{
	struct line *l = value;
	const struct line *r = right;

	(void)arg;
	*l = (struct line){l->a * r->a, l->b * r->a + r->b};
}

static bool slow; /* so that others come and ask while it goes on */

static void run_lines(void *carry, const void *from, void *to, size_t count, void *arg)
{
	struct line *l = carry, *o = to;
	const struct line *r = from;
	bool exclusive = *(bool *)arg;
	struct timespec a_while = {.tv_nsec = 20000};

	if (slow)
		nanosleep(&a_while, NULL);
	for (size_t i = 0; i < count; i++) {
		struct line before = *l;

		after(l, &r[i], NULL);
		if (o)
			o[i] = exclusive ? before : *l;
	}
}

static void check_scan(size_t n, bool exclusive, bool runs, bool in_place, size_t grain)
{
	static const struct line identity = {1, 0};
	struct line *from = (struct line *)in, *to = in_place ? from : (struct line *)out;
	struct line carry = identity;
	struct filch_scan_options how = {.struct_size = sizeof(how),
					 .value_size = sizeof(struct line),
					 .identity = &identity,
					 .combine = after,
					 .run = runs ? run_lines : NULL,
					 .arg = &exclusive,
					 .exclusive = exclusive,
					 .grain = grain};

	for (size_t i = 0; i < n; i++)
		from[i] = (struct line){(unsigned)(2 * i + 1), (unsigned)i * 7};
	TEST_CHECK(filch_scan(NULL, from, to, n, &how) == 0);
	for (size_t i = 0; i < n; i++) {
		struct line element = {(unsigned)(2 * i + 1), (unsigned)i * 7}, before = carry, expected;

		after(&carry, &element, NULL);
		expected = exclusive ? before : carry;
		TEST_CHECK(to[i].a == expected.a && to[i].b == expected.b);
	}
}

static void test_scan(void)
{
	struct filch_scan_options how = {.struct_size = sizeof(how), .value_size = 8, .combine = after};

	for (unsigned options = 0; options < 16; options++) {
		bool exclusive = options & 1, runs = options & 2, in_place = options & 4;

		for (size_t n = 0; n <= SMALL; n += n < 70 ? 1 : 41)
			check_scan(n, exclusive, runs, in_place, options & 8 ? 1 + n % 9 : 0);
		check_scan(LARGE, exclusive, runs, in_place, options & 8 ? 1000 : 0);
	}
	slow = true;
	for (int round = 0; round < 5; round++)
		check_scan(SMALL, round % 2, true, false, 4);
	slow = false;
	TEST_CHECK(filch_scan(NULL, in, out, 1, NULL) == -EINVAL);
	TEST_CHECK(filch_scan(NULL, NULL, out, 1, &how) == -EINVAL && filch_scan(NULL, in, NULL, 1, &how) == -EINVAL);
	TEST_CHECK(filch_scan(NULL, NULL, NULL, 0, &how) == 0);
	how.value_size = 0;
	TEST_CHECK(filch_scan(NULL, in, out, 1, &how) == -EINVAL);
	how.value_size = 8, how.struct_size = 1;
	TEST_CHECK(filch_scan(NULL, in, out, 1, &how) == -EINVAL);
	how.struct_size = sizeof(how), how.combine = NULL;
	TEST_CHECK(filch_scan(NULL, in, out, 1, &how) == -EINVAL);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"for", test_for},
		{"nested", test_nested},
		{"other_pool", test_other_pool},
		{"balance", test_balance},
		{"map", test_map},
		{"invoke", test_invoke},
		{"reduce", test_reduce},
		{"deterministic", test_deterministic},
		{"scan", test_scan},
	};

	algo_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
