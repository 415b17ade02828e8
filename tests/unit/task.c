/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The macros of task.h: parameters, results, declarations, nesting; with workers, with one, with none, and without a
 * pool. The source is C and C++.
 */
#include "../fixtures/task/parameters.h"
#include "../fixtures/task/tasks.h"
#include "../fixtures/test.h"

#include <filch/pool.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* ---- parameters ---- */

static int none_ran; /* runs of void_0 */

FILCH_TASK(int, with_0)
{
	return 7;
}
FILCH_TASK(void, void_0)
{
	none_ran++;
}

FILCH_TASK(int, all_parameters, int, six)
{
	struct pair g = {3, 4};
	int ran = none_ran;

	FILCH_SPAWN(with_0);
	FILCH_SPAWN(with_1, 1);
	FILCH_SPAWN(with_2, 1, 2);
	FILCH_SPAWN(with_3, 1, 2, 3);
	FILCH_SPAWN(with_4, 1, 2, 3, 4);
	FILCH_SPAWN(with_5, 1, 2, 3, 4, 5);
	FILCH_SPAWN(with_6, 1, 2, 3, 4, 5, &six);
	FILCH_SPAWN(with_7, 1, 2, 3, 4, 5, &six, g);
	FILCH_SPAWN(with_8, 1, 2, 3, 4, 5, &six, g, 8);
	FILCH_SPAWN(void_0);
	FILCH_SYNC(void_0);
	TEST_CHECK(none_ran == ran + 1);
	TEST_CHECK(FILCH_SYNC(with_8) == 87654321);
	TEST_CHECK(FILCH_SYNC(with_7) == 7654321);
	TEST_CHECK(FILCH_SYNC(with_6) == 654321);
	TEST_CHECK(FILCH_SYNC(with_5) == 54321);
	TEST_CHECK(FILCH_SYNC(with_4) == 4321);
	TEST_CHECK(FILCH_SYNC(with_3) == 321);
	TEST_CHECK(FILCH_SYNC(with_2) == 21);
	TEST_CHECK(FILCH_SYNC(with_1) == 1);
	TEST_CHECK(FILCH_SYNC(with_0) == 7);
	FILCH_CALL(void_0);
	TEST_CHECK(none_ran == ran + 2);
	return FILCH_CALL(with_0);
}

/* ---- results ---- */

struct large {
	int at[100];
};

FILCH_TASK(struct large, make_large, int, first)
{
	struct large l;

	for (int i = 0; i < 100; i++)
		l.at[i] = first + i;
	return l;
}
FILCH_TASK(struct pair, make_pair, long, first, long, second)
{
	struct pair p;

	p.first = first;
	p.second = second;
	return p;
}
FILCH_TASK(void *, pass_pointer, void *, p)
{
	return p;
}
FILCH_TASK(char, pass_char, char, c)
{
	return c;
}

/* Small and large results: some stay in a register until the sync, some on the task stack. */
FILCH_TASK(int, all_results, int, first)
{
	struct large one, other;
	struct pair p;
	void *here = &p;

	FILCH_SPAWN(make_large, first);
	FILCH_SPAWN(make_pair, first, -first);
	FILCH_SPAWN(pass_pointer, here);
	FILCH_SPAWN(make_large, first + 1);
	FILCH_SPAWN(pass_char, 'x');
	TEST_CHECK(FILCH_SYNC(pass_char) == 'x');
	other = FILCH_SYNC(make_large);
	TEST_CHECK(FILCH_SYNC(pass_pointer) == here);
	p = FILCH_SYNC(make_pair);
	TEST_CHECK(p.first == first && p.second == -first);
	one = FILCH_SYNC(make_large);
	for (int i = 0; i < 100; i++)
		TEST_CHECK(one.at[i] == first + i && other.at[i] == first + i + 1);
	return first;
}

/* ---- tasks that call each other ---- */

FILCH_TASK_DECLARE_STATIC(int, is_odd, int, n);
FILCH_TASK(int, is_even, int, n)
{
	if (n == 0)
		return 1;
	FILCH_SPAWN(is_odd, n - 1);
	return FILCH_SYNC(is_odd);
}
FILCH_TASK_DEFINE_STATIC(int, is_odd, int, n)
{
	if (n == 0)
		return 0;
	FILCH_SPAWN(is_even, n - 1);
	return FILCH_SYNC(is_even);
}

FILCH_TASK(int, loop_of, int, n)
{
	int sum = 0, filled[64];

	for (int i = 0; i < n; i++)
		FILCH_SPAWN(declared_fill, &filled[i % 64], i);
	for (int i = 0; i < n; i++)
		FILCH_SYNC(declared_fill);
	for (int i = 0; i < n; i++)
		FILCH_SPAWN(with_1, i);
	for (int i = 0; i < n; i++)
		sum += FILCH_SYNC(with_1);
	return sum;
}

FILCH_TASK(long, nested, int, depth)
{
	long rest;

	if (!depth)
		return 0;
	FILCH_SPAWN(nested, depth - 1);
	rest = FILCH_RUN(nested, depth - 1);
	return FILCH_SYNC(nested) + rest + 1;
}

/* A task that has just begun has made no tasks yet. */
FILCH_TASK(int, is_wanted)
{
	return FILCH_WORK_REQUESTED();
}

/* A large parameter is the body's own copy, whether its task is a call, a task or stolen. */
struct wide {
	long at[5];
};

FILCH_TASK(long, wide_sum, struct wide, w, int, depth)
{
	long sum = 0, called;

	w.at[depth % 5]++;
	if (!depth) {
		for (int i = 0; i < 5; i++)
			sum += w.at[i];
		return sum;
	}
	FILCH_SPAWN(wide_sum, w, depth - 1);
	w.at[0] += 100;
	called = FILCH_CALL(wide_sum, w, depth - 1);
	TEST_CHECK(called == FILCH_CALL(wide_sum, w, depth - 1));
	w.at[0] -= 100;
	FILCH_SPAWN(wide_sum, w, depth - 1);
	sum = FILCH_SYNC(wide_sum);
	TEST_CHECK(FILCH_SYNC(wide_sum) == sum);
	return sum + called;
}

static long wide_right(long first, int depth)
{
	if (!depth)
		return first + 1;
	return wide_right(first + 1, depth - 1) + wide_right(first + 101, depth - 1);
}

/* A spawn that was promised to make a task runs nothing. */
static __thread int promised;

FILCH_TASK(int, in_order, int, depth)
{
	int left, wanted;

	TEST_CHECK(!promised);
	if (!depth)
		return 1;
	wanted = FILCH_WORK_REQUESTED();
	if (!wanted)
		return FILCH_CALL(in_order, depth - 1) + FILCH_CALL(in_order, depth - 1);
	promised = 1;
	FILCH_SPAWN(in_order, depth - 1);
	promised = 0;
	left = FILCH_CALL(in_order, depth - 1);
	return FILCH_SYNC(in_order) + left;
}

/* ---- all of these, with different pools ---- */

static void run_all(void)
{
	int filled = 0;
	struct wide wide = {{1, 2, 3, 4, 0}};

	TEST_CHECK(FILCH_RUN(all_parameters, 6) == 7);
	TEST_CHECK(FILCH_RUN(all_results, 1000) == 1000);
	TEST_CHECK(FILCH_RUN(is_even, 1000) == 1);
	TEST_CHECK(FILCH_RUN(is_even, 1001) == 0);
	TEST_CHECK(FILCH_RUN(loop_of, 64) == 64 * 63 / 2);
	TEST_CHECK(FILCH_RUN(nested, 8) == 255);
	TEST_CHECK(FILCH_RUN(declared_fib, 20) == 6765);
	for (int i = 0; i < 5; i++)
		TEST_CHECK(FILCH_RUN(in_order, 12) == 4096);
	TEST_CHECK(FILCH_RUN(wide_sum, wide, 5) == wide_right(10, 5));
	FILCH_RUN(declared_fill, &filled, 5);
	TEST_CHECK(filled == 5);
	none_ran = 0;
	FILCH_RUN(void_0);
	TEST_CHECK(none_ran == 1);
}

static void run_with(int workers, const char *deque, const char *join)
{
	struct filch_options o;

	memset(&o, 0, sizeof(o));
	o.struct_size = sizeof(o);
	o.workers = workers;
	o.deque = deque;
	o.join = join;
	TEST_CHECK(filch_start(&o) == 0);
	TEST_CHECK(filch_pool_workers(NULL) == (workers > 0 ? (unsigned)workers : 0));
	for (int i = 0; i < 20; i++)
		run_all();
	/* Spawns can make tasks only if there are other workers and the deque is LIFO. */
	TEST_CHECK(FILCH_RUN(is_wanted) == (workers > 1 && (!deque || strcmp(deque, "global") != 0)));
	TEST_CHECK(filch_stop() == 0);
}

static void without_start(void)
{
	run_all();
	TEST_CHECK(!FILCH_RUN(is_wanted));
}

static void no_workers(void)
{
	run_with(FILCH_NONE, NULL, NULL);
}

static void one_worker(void)
{
	run_with(1, NULL, NULL);
}

static void workers(void)
{
	run_with(2, NULL, NULL);
	run_with(5, "chase_lev", "leapfrog");
	run_with(3, "locked", "random");
	run_with(3, "global", NULL); /* not LIFO for its owner: all spawns are calls */
}

static void after_stop(void)
{
	run_with(2, NULL, NULL);
	run_all();
	run_with(2, NULL, NULL);
}

/* A recursion that needs more than the default stack of a thread. */
FILCH_TASK(long, deep, int, n)
{
	long below;

	if (!n)
		return 0;
	FILCH_SPAWN(with_1, n);
	below = FILCH_CALL(deep, n - 1);
	return below + FILCH_SYNC(with_1);
}

static void deep_recursion(void)
{
	enum { DEPTH = 20000 };

	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(FILCH_RUN(deep, DEPTH) == (long)DEPTH * (DEPTH + 1) / 2);
	TEST_CHECK(filch_stop() == 0);
}

/* A held worker: it does not steal and makes no requests until it is released. */
static int held;

static int hold(void *arg, void **result)
{
	(void)arg;
	(void)result;
	__atomic_store_n(&held, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&held, __ATOMIC_ACQUIRE) == 1)
		sched_yield();
	return 0;
}

static void release(void)
{
	__atomic_store_n(&held, 2, __ATOMIC_RELEASE);
}

static struct filch_future *start_with_one_held(size_t capacity)
{
	struct filch_options o;
	struct filch_future *future;

	memset(&o, 0, sizeof(o));
	o.struct_size = sizeof(o);
	o.workers = 2;
	o.capacity = capacity;
	TEST_CHECK(filch_start(&o) == 0);
	held = 0;
	TEST_CHECK(filch_pool_submit(NULL, hold, NULL, &future) == 0);
	while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
		sched_yield();
	return future;
}

static void spin_us(long us)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000 < us);
}

FILCH_TASK(long, halve, int, n)
{
	long b;

	if (!n) {
		spin_us(3);
		return 1;
	}
	FILCH_SPAWN(halve, n - 1);
	b = FILCH_CALL(halve, n - 1);
	return b + FILCH_SYNC(halve);
}

/*
 * No worker steals, so the budget is soon used up. From then on there is one task at each moment. Without this rule
 * there would be the 4 tasks of the budget only.
 */
static void one_is_left(void)
{
	enum { DEPTH = 9 };
	struct filch_stats stats;
	struct filch_future *future = start_with_one_held(0);

	stats.struct_size = sizeof(stats);
	TEST_CHECK(FILCH_RUN(halve, DEPTH) == 1 << DEPTH);
	TEST_CHECK(filch_pool_stats(NULL, -1, &stats) == 0);
	release();
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
	TEST_CHECK(stats.tasks > 4 + DEPTH / 2);
	TEST_CHECK(filch_stop() == 0);
}

FILCH_TASK(long, spawn_eight, int, asks)
{
	long spawned = 0, sum = 0;

	for (int i = 0; i < 8; i++)
		if (!asks || FILCH_WORK_REQUESTED()) {
			FILCH_SPAWN(with_0);
			spawned++;
		}
	for (long i = spawned; i; i--)
		sum += FILCH_SYNC(with_0);
	TEST_CHECK(sum == 7 * spawned);
	return spawned;
}

/* The tasks that spawns make with no thief in sight are the same if the body asks first: a kept promise ends. */
static void asks_for_no_more(void)
{
	struct filch_stats before, after;
	struct filch_future *future = start_with_one_held(0);
	long spawned;

	before.struct_size = after.struct_size = sizeof(before);
	FILCH_RUN(spawn_eight, 0);
	TEST_CHECK(filch_pool_stats(NULL, -1, &before) == 0);
	TEST_CHECK(before.tasks == 4);
	spawned = FILCH_RUN(spawn_eight, 1);
	TEST_CHECK(filch_pool_stats(NULL, -1, &after) == 0);
	TEST_CHECK(spawned == 4 && after.tasks == 8);
	release();
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
	TEST_CHECK(filch_stop() == 0);
}

/* A full deque whose tasks were not requested: a later request gets some of them. */
enum { CAPACITY = 8 };

static int spawner, other_ran;

FILCH_TASK(long, look, long, n)
{
	static const struct timespec a_moment = {0, 50000};

	if (filch_worker_id() != spawner)
		__atomic_store_n(&other_ran, 1, __ATOMIC_RELAXED);
	else if (n >= CAPACITY)
		nanosleep(&a_moment, NULL);
	return n;
}

FILCH_TASK(long, fill)
{
	long spawned, sum = 0;
	int was_shared;

	spawner = filch_worker_id();
	for (spawned = 0; spawned < CAPACITY; spawned++)
		FILCH_SPAWN(look, spawned);
	release();
	for (; spawned < 20000 && !__atomic_load_n(&other_ran, __ATOMIC_RELAXED); spawned++)
		FILCH_SPAWN(look, spawned);
	was_shared = __atomic_load_n(&other_ran, __ATOMIC_RELAXED);
	for (long n = spawned; n; n--)
		sum += FILCH_SYNC(look);
	TEST_CHECK(sum == spawned * (spawned - 1) / 2);
	return was_shared;
}

static void full_is_shared(void)
{
	struct filch_future *future = start_with_one_held(CAPACITY);

	other_ran = 0;
	TEST_CHECK(FILCH_RUN(fill));
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	filch_future_destroy(future);
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"without_start", without_start},   {"no_workers", no_workers},
		{"one_worker", one_worker},	    {"workers", workers},
		{"after_stop", after_stop},	    {"deep_recursion", deep_recursion},
		{"one_is_left", one_is_left},	    {"asks_for_no_more", asks_for_no_more},
		{"full_is_shared", full_is_shared},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
