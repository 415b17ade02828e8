/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system without threads (src/os/os_single.c): a pool has no workers, whatever the options ask for, and the thread
 * that waits runs the jobs. Waits that could not end, and overwritten memory, end the program.
 */
#include "../../src/os/os.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <filch.h>
#include <filch/search.h>
#include <string.h>

#define FEW 100
#define MANY 100000

static int runs;

static int count(void *arg, void **result)
{
	runs++;
	*result = arg;
	return 0;
}

static void no_workers(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 4, .spares = 3, .pin = 1, .victim = "nearest"};
	struct filch_pool *pool;

	TEST_CHECK(filch_pool_create(&pool, &o) == 0);
	TEST_CHECK(filch_pool_workers(pool) == 0 && filch_pool_worker_ids(pool) == 1 && filch_worker_id() == -1);
	filch_pool_destroy(pool);
	o.workers = -2;
	TEST_CHECK(filch_pool_create(&pool, &o) == -EINVAL);
}

static void jobs_wait(void)
{
	struct filch_future *one = NULL, *other = NULL;
	struct filch_group *group;
	void *result;

	runs = 0;
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(filch_pool_submit(NULL, count, &one, &one) == 0 &&
		   filch_pool_submit(NULL, count, NULL, &other) == 0);
	TEST_CHECK(runs == 0);
	TEST_CHECK(filch_future_wait(other, NULL) == 0 && runs >= 1);
	TEST_CHECK(filch_future_wait_for(one, 1000, &result) == 0 && result == &one && runs == 2);
	filch_future_destroy(one);
	filch_future_destroy(other);
	TEST_CHECK(filch_group_create(&group, NULL) == 0);
	for (int i = 0; i < FEW; i++)
		TEST_CHECK(filch_group_submit(group, count, NULL) == 0);
	TEST_CHECK(filch_group_wait(group) == 0 && runs == 2 + FEW);
	TEST_CHECK(filch_group_submit(group, count, NULL) == 0);
	TEST_CHECK(filch_group_destroy(group) == 0 && runs == 3 + FEW);
	/* A job that nobody waits for runs at the end. */
	TEST_CHECK(filch_pool_submit(NULL, count, NULL, NULL) == 0 && runs == 3 + FEW);
	TEST_CHECK(filch_stop() == 0 && runs == 4 + FEW);
}

static struct filch_future *own;

static int wait_for_itself(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return filch_future_wait(own, NULL);
}

static void circle(void)
{
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(filch_pool_submit(NULL, wait_for_itself, NULL, &own) == 0);
	TEST_CHECK(filch_future_wait(own, NULL) == -EDEADLK);
	filch_future_destroy(own);
	filch_stop();
}

FILCH_TASK(int, fib, int, n)
{
	int a, b;

	if (n < 2)
		return n;
	FILCH_SPAWN(fib, n - 1);
	b = FILCH_CALL(fib, n - 2);
	a = FILCH_SYNC(fib);
	return a + b;
}

/* All spawns come before the first sync. */
FILCH_TASK(long, row, int, n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		FILCH_SPAWN(fib, i % 3);
	for (int i = 0; i < n; i++)
		sum += FILCH_SYNC(fib);
	return sum;
}

/* Results of all sizes, also of those that a frame holds in one or two words, some of them before another spawn. */
struct pair {
	double a, b;
};

FILCH_TASK(uint64_t, wide, unsigned, n)
{
	return (uint64_t)n << 40 | n;
}

FILCH_TASK(double, third, int, n)
{
	return n / 3.0;
}

FILCH_TASK(short, small, int, n)
{
	return (short)n;
}

FILCH_TASK(struct pair, both, double, a, double, b)
{
	return (struct pair){a, b};
}

FILCH_TASK(int, results, int, n)
{
	struct pair p;
	uint64_t w, x;
	double t;
	short s;

	FILCH_SPAWN(wide, (unsigned)n);
	FILCH_SPAWN(third, n);
	FILCH_SPAWN(small, -n);
	FILCH_SPAWN(both, n * 0.5, n * 0.25);
	FILCH_SPAWN(wide, 1u);
	x = FILCH_SYNC(wide);
	p = FILCH_SYNC(both);
	s = FILCH_SYNC(small);
	t = FILCH_SYNC(third);
	w = FILCH_SYNC(wide);
	return x == (UINT64_C(1) << 40 | 1) && p.a == n * 0.5 && p.b == n * 0.25 && s == -n && t == n / 3.0 &&
	       w == ((uint64_t)n << 40 | (unsigned)n);
}

static void tasks(void)
{
	for (int n = 1; n < FEW; n++)
		TEST_CHECK(FILCH_RUN(results, n));
	TEST_CHECK(FILCH_RUN(fib, 20) == 6765);
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(FILCH_RUN(fib, 20) == 6765);
	TEST_CHECK(FILCH_RUN(row, MANY) == MANY / 3 * 2);
	filch_stop();
}

static int visit(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children, void *arg)
{
	(void)w;
	(void)node;
	(void)children;
	(void)arg;
	runs++;
	return 0;
}

/* A search that asks for more workers than there can be ends as well. */
static void search(void)
{
	struct filch_search_problem problem = {.struct_size = sizeof(problem), .explore = visit};
	struct filch_search_options o = {.struct_size = sizeof(o), .workers = 4};
	struct filch_node nodes[FEW];
	struct filch_search_result r = {.struct_size = sizeof(r)};
	struct filch_search *s;

	runs = 0;
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(filch_search_create(&s, &problem, &o) == 0);
	for (int i = 0; i < FEW; i++)
		TEST_CHECK(filch_search_add_node(s, &nodes[i]) == 0);
	TEST_CHECK(filch_search_run(s, &r) == 0 && r.end == FILCH_SEARCH_DONE && runs == FEW);
	filch_search_destroy(s);
	filch_stop();
}

static void time_passes(void)
{
	FILCHI_ATOMIC(uint32_t) word = 1;

	TEST_CHECK(filchi_futex_wait_for(&word, 1, 1000000) == -ETIMEDOUT);
	TEST_CHECK(filchi_futex_wait_for(&word, 2, 1000000) == 0);
	filchi_futex_wait(&word, 2);
}

#ifndef __wasm__ /* which has no fork() */
#include "../fixtures/child.h"

static void wait_for_ever(void *arg)
{
	FILCHI_ATOMIC(uint32_t) word = 1;

	(void)arg;
	filchi_futex_wait(&word, 1);
}

static void lock_twice(void *arg)
{
	struct filchi_mutex m;

	(void)arg;
	filchi_mutex_init(&m);
	filchi_mutex_lock(&m);
	filchi_mutex_lock(&m);
}

static void write_behind(void *arg)
{
	char *stack = filchi_vm_map_briefly(1 << 16);

	(void)arg;
	stack[1 << 16] = 1;
	filchi_vm_unmap(stack, 1 << 16);
}

static void ends(void)
{
	TEST_CHECK(test_in_child(wait_for_ever, NULL) == -1);
	TEST_CHECK(test_in_child(lock_twice, NULL) == -1);
	TEST_CHECK(test_in_child(write_behind, NULL) == -1);
}
#endif

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"no_workers", no_workers},
		{"jobs_wait", jobs_wait},
		{"circle", circle},
		{"tasks", tasks},
		{"search", search},
		{"time_passes", time_passes},
#ifndef __wasm__
		{"ends", ends},
#endif
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
