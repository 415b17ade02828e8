/* SPDX-License-Identifier: Apache-2.0 */
/* The first argument of the algorithms: which pool does the work. */
#include "../../src/pool/pool.h"
#include "../fixtures/pool/pools.h"
#include "../fixtures/test.h"

#include <filch.h>

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { N = 5000 };

static int in[N], out[N];
/* The pool whose workers must do the work; NULL: the calling thread, which is no worker. */
static struct filch_pool *expected;

static void look(void)
{
	struct filchi_worker *w = filchi_worker_self();

	TEST_CHECK(expected ? w && filchi_pool_of(w) == expected : !w);
}

static void body(size_t from, size_t to, void *arg)
{
	look();
	*(atomic_size_t *)arg += to - from;
}

static void twice(const void *from, void *to, void *arg)
{
	(void)arg;
	look();
	*(int *)to = 2 * *(const int *)from;
}

static void call(void *arg)
{
	look();
	++*(atomic_size_t *)arg;
}

static void fold(size_t from, size_t to, void *value, void *arg)
{
	(void)arg;
	look();
	for (size_t i = from; i < to; i++)
		*(long *)value += (long)i;
}

static void add_long(void *value, const void *right, void *arg)
{
	(void)arg;
	look();
	*(long *)value += *(const long *)right;
}

static void add_int(void *value, const void *right, void *arg)
{
	(void)arg;
	look();
	*(int *)value += *(const int *)right;
}

static int by_number(const void *a, const void *b, void *arg)
{
	int x = *(const int *)a, y = *(const int *)b;

	(void)arg;
	look();
	return (x > y) - (x < y);
}

static void fill(void)
{
	for (int i = 0; i < N; i++)
		in[i] = (i * 7919) % N;
}

static void check_sorted(void)
{
	for (int i = 0; i < N; i++)
		TEST_CHECK(in[i] == i);
	fill();
}

/* Each algorithm once on the pool. */
static void use_all(struct filch_pool *pool)
{
	struct filch_reduce_options reduce = {
		.struct_size = sizeof(reduce), .value_size = sizeof(long), .fold = fold, .combine = add_long};
	struct filch_scan_options scan = {.struct_size = sizeof(scan), .value_size = sizeof(int), .combine = add_int};
	atomic_size_t count = 0;
	struct filch_invocation calls[3] = {{call, &count}, {call, &count}, {call, &count}};
	long sum;

	fill();
	TEST_CHECK(filch_for(pool, 0, N, 0, body, &count) == 0 && count == N);
	TEST_CHECK(filch_for(pool, 0, N, 100, body, &count) == 0 && count == 2 * N);
	TEST_CHECK(filch_invoke(pool, calls, 3) == 0 && count == 2 * N + 3);
	TEST_CHECK(filch_map(pool, in, out, N, sizeof(int), sizeof(int), twice, NULL) == 0);
	TEST_CHECK(out[1] == 2 * in[1] && out[N - 1] == 2 * in[N - 1]);
	for (reduce.deterministic = 0; reduce.deterministic < 2; reduce.deterministic++)
		TEST_CHECK(filch_reduce(pool, 0, N, &reduce, &sum) == 0 && sum == (long)N * (N - 1) / 2);
	TEST_CHECK(filch_scan(pool, in, out, N, &scan) == 0 && out[N - 1] == sum);
	TEST_CHECK(filch_sort(pool, in, N, sizeof(int), by_number, NULL) == 0);
	check_sorted();
	TEST_CHECK(filch_sort_stable(pool, in, N, sizeof(int), by_number, NULL) == 0);
	check_sorted();
}

/* NULL and no default pool: the caller does all. */
static void test_no_pool(void)
{
	expected = NULL;
	use_all(NULL);
}

/* A pool without workers: the caller does all, also if there is a default pool with workers. */
static void test_no_workers(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);

	expected = NULL;
	use_all(pool);
	TEST_CHECK(filch_start(&options) == 0);
	use_all(pool);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* A pool of the caller's own, from a thread that is no worker; a default pool exists, and must not be used. */
static void test_own_pool(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};

	for (int workers = 1; workers <= 3; workers++) {
		struct filch_pool *pool = test_pool(workers, 0, NULL);

		TEST_CHECK(filch_start(&options) == 0);
		expected = pool;
		use_all(pool);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
		TEST_CHECK(filch_stop() == 0);
	}
}

static int use_pool(void *pool, void **result)
{
	(void)result;
	use_all(pool);
	return 0;
}

/* Runs use_all(used) in a job of a pool with workers. The caller must not run that job itself. */
static void in_job(struct filch_pool *pool, struct filch_pool *used)
{
	struct filch_future *f;
	int err;

	TEST_CHECK(filch_pool_submit(pool, use_pool, used, &f) == 0);
	while ((err = filch_future_try_wait(f, NULL)) == -EAGAIN)
		sched_yield();
	TEST_CHECK(err == 0);
	filch_future_destroy(f);
}

/* In a job of one pool: NULL and its own pool are the same, and another pool does its work with its own workers. */
static void test_in_job(void)
{
	struct filch_pool *first = test_pool(2, 0, NULL), *second = test_pool(2, 0, NULL);

	expected = first;
	in_job(first, NULL);
	in_job(first, first);
	expected = second;
	in_job(first, second);
	TEST_CHECK(filch_pool_destroy(first) == 0 && filch_pool_destroy(second) == 0);
}

/* Few elements do not leave the calling thread, whichever pool it names. */
static void test_few(void)
{
	struct filch_pool *pool = test_pool(2, 0, NULL);
	int few[] = {3, 1, 2};

	expected = NULL;
	TEST_CHECK(filch_sort(pool, few, 3, sizeof(int), by_number, NULL) == 0 && few[0] == 1 && few[2] == 3);
	TEST_CHECK(filch_for(pool, 5, 5, 0, body, NULL) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"no_pool", test_no_pool},
							 {"no_workers", test_no_workers},
							 {"own_pool", test_own_pool},
							 {"in_job", test_in_job},
							 {"few", test_few}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
