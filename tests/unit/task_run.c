/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_SYNC_ALL, which syncs any number of spawns, and FILCH_RUN_ON, which runs a task on any pool. The source is C
 * and C++, with and without FILCH_DEBUG.
 */
#include "../fixtures/task/tasks.h"
#include "../fixtures/test.h"

#include <filch/pool.h>
#include <string.h>

static struct filch_pool *make_pool(int workers)
{
	struct filch_pool *pool = NULL;
	struct filch_options o;

	memset(&o, 0, sizeof(o));
	o.struct_size = sizeof(o);
	o.workers = workers;
	TEST_CHECK(filch_pool_create(&pool, &o) == 0);
	return pool;
}

/* ---- sync all ---- */

struct large {
	long n[5];
};

FILCH_TASK(void, count_up, int *, counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

FILCH_TASK(struct large, count_large, int *, counter)
{
	struct large l = {{__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)}};

	return l;
}

FILCH_TASK(int, count_number, int, number, int *, counter)
{
	return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED) + number;
}

/* Syncs no spawn, one, many; after some syncs; and again. The spawns of the calling body stay. */
FILCH_TASK(int, sync_all, int, spawns)
{
	int ran = 0, large = 0, numbers = 0;

	for (int round = 1; round <= 2; round++) {
		FILCH_SYNC_ALL(count_up);
		for (int i = 0; i < spawns; i++)
			FILCH_SPAWN(count_up, &ran);
		if (spawns > 2)
			FILCH_SYNC(count_up);
		FILCH_SYNC_ALL(count_up);
		TEST_CHECK(ran == round * spawns);
		for (int i = 0; i < spawns; i++)
			FILCH_SPAWN(count_large, &large);
		FILCH_SYNC_ALL(count_large);
		TEST_CHECK(large == round * spawns);
		FILCH_SPAWN_N(count_number, spawns, &numbers);
		FILCH_SPAWN(count_number, 1, &numbers);
		FILCH_SYNC_ALL(count_number);
		TEST_CHECK(numbers == round * (spawns + 1));
	}
	return ran;
}

FILCH_TASK(int, sync_all_above, int, spawns)
{
	int sum = 0;

	for (int i = 0; i < 4; i++)
		FILCH_SPAWN(sync_all, spawns + i);
	sum = FILCH_CALL(sync_all, spawns);
	for (int i = 3; i >= 0; i--)
		TEST_CHECK(FILCH_SYNC(sync_all) == 2 * (spawns + i));
	return sum;
}

static void sync_all_with(int workers)
{
	struct filch_pool *pool = make_pool(workers);

	for (int i = 0; i < 20; i++)
		TEST_CHECK(FILCH_RUN_ON(pool, sync_all_above, i) == 2 * i);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static void all_synced(void)
{
	sync_all_with(FILCH_NONE);
	sync_all_with(1);
	sync_all_with(4);
}

/* ---- run on ---- */

static struct filch_pool *one, *three;

/* The number of workers of the pool on which the task runs; -1 outside of a worker. */
FILCH_TASK(int, here)
{
	return filch_worker_id() < 0 ? -1 : (int)filch_pool_workers(NULL);
}

FILCH_TASK(int, on_one, int, depth)
{
	int sum;

	TEST_CHECK(filch_pool_workers(NULL) == 1);
	TEST_CHECK(FILCH_RUN(here) == 1 && FILCH_RUN_ON(NULL, here) == 1);
	TEST_CHECK(FILCH_RUN_ON(one, here) == 1 && FILCH_RUN_ON(three, here) == 3);
	FILCH_SPAWN(here);
	sum = depth ? FILCH_RUN_ON(one, on_one, depth - 1) : 0;
	return FILCH_SYNC(here) + sum;
}

static void run_on(void)
{
	struct filch_pool *none = make_pool(FILCH_NONE);

	one = make_pool(1);
	three = make_pool(3);
	TEST_CHECK(FILCH_RUN_ON(one, here) == 1 && FILCH_RUN_ON(three, here) == 3);
	TEST_CHECK(FILCH_RUN_ON(none, here) == -1 && FILCH_RUN_ON(NULL, here) == -1);
	TEST_CHECK(FILCH_RUN_ON(one, on_one, 4) == 5);
	TEST_CHECK(FILCH_RUN_ON(three, declared_fib, 15) == 610);
	TEST_CHECK(filch_pool_destroy(one) == 0 && filch_pool_destroy(three) == 0 && filch_pool_destroy(none) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"all_synced", all_synced},
		{"run_on", run_on},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
