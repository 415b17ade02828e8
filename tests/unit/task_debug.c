/* SPDX-License-Identifier: Apache-2.0 */
/* FILCH_DEBUG: the library corrects spawns and syncs that do not match, and counts them. */
#define FILCH_DEBUG
#include "../fixtures/test.h"

#include <filch/pool.h>
#include <filch/task.h>
#include <string.h>
#include <time.h>

static uint64_t misuses(void)
{
	struct filch_stats stats = {.struct_size = sizeof(stats)};

	TEST_CHECK(filch_pool_stats(NULL, -1, &stats) == 0);
	return stats.misuses;
}

FILCH_TASK(int, same, int, n)
{
	return n;
}

FILCH_TASK(void, mark, int *, to)
{
	++*to;
}

FILCH_TASK(int, right, int, n)
{
	FILCH_SPAWN(same, n);
	FILCH_SPAWN(same, n + 1);
	return FILCH_SYNC(same) - FILCH_SYNC(same);
}

/* All spawns are synced, and nothing is left for the end of the body. */
FILCH_TASK(int, sync_all, int, n)
{
	for (int i = 0; i < n; i++)
		FILCH_SPAWN(same, i);
	FILCH_SYNC_ALL(same);
	FILCH_SYNC_ALL(same);
	FILCH_SPAWN(same, n);
	return FILCH_SYNC(same);
}

/* An additional sync returns zero. */
FILCH_TASK(int, sync_too_many, int, n)
{
	FILCH_SPAWN(same, n);
	TEST_CHECK(FILCH_SYNC(same) == n);
	return FILCH_SYNC(same);
}

/* Spawns without a sync have run when the body ends. */
FILCH_TASK(int, sync_too_few, int *, marks)
{
	for (int i = 0; i < 10; i++)
		FILCH_SPAWN(mark, &marks[i]);
	return 5;
}

/* The same for SPAWN_N: each number needs one sync. */
FILCH_TASK(void, mark_one, int, number, int *, marks)
{
	__atomic_fetch_add(&marks[number], 1, __ATOMIC_RELAXED);
}

FILCH_TASK(long, square, long, number)
{
	return number * number;
}

FILCH_TASK(int, spawn_n_right, int, count)
{
	FILCH_SPAWN_N(square, count);
	for (long i = count; i > 0; i--)
		TEST_CHECK(FILCH_SYNC(square) == (i - 1) * (i - 1));
	return count;
}

FILCH_TASK(int, spawn_n_sync_too_many, int, count)
{
	FILCH_SPAWN_N(square, 0);
	TEST_CHECK(FILCH_CALL(spawn_n_right, count) == count);
	FILCH_SPAWN_N(square, count);
	for (int i = 0; i < count; i++)
		TEST_CHECK(FILCH_SYNC(square) == (count - 1 - i) * (count - 1 - i));
	return (int)FILCH_SYNC(square);
}

/* The second half of the numbers is not synced, and there is one more spawn before and after them. */
FILCH_TASK(int, spawn_n_sync_too_few, int *, marks, int, count)
{
	FILCH_SPAWN(mark, &marks[count]);
	FILCH_SPAWN_N(mark_one, count, marks);
	FILCH_SPAWN(mark, &marks[count + 1]);
	FILCH_SYNC(mark);
	for (int i = 0; i < count / 2; i++)
		FILCH_SYNC(mark_one);
	FILCH_SPAWN(mark, &marks[count + 2]);
	return count;
}

/* All numbers are done when the body ends, also numbers that other workers have. */
static int spawn_n_owner, spawn_n_over;

FILCH_TASK(void, mark_in_time, int, number, int *, marks)
{
	static const struct timespec a_moment = {0, 100000};

	if (filch_worker_id() != spawn_n_owner)
		nanosleep(&a_moment, NULL);
	TEST_CHECK(!__atomic_load_n(&spawn_n_over, __ATOMIC_RELAXED));
	__atomic_fetch_add(&marks[number], 1, __ATOMIC_RELAXED);
}

FILCH_TASK(void, leave_all, int *, marks, int, count)
{
	FILCH_SPAWN_N(mark_in_time, count, marks);
}

FILCH_TASK(void, call_leave_all, int *, marks, int, count)
{
	spawn_n_owner = filch_worker_id();
	__atomic_store_n(&spawn_n_over, 0, __ATOMIC_RELAXED);
	FILCH_CALL(leave_all, marks, count);
	__atomic_store_n(&spawn_n_over, 1, __ATOMIC_RELAXED);
}

struct wide {
	char bytes[200];
};

FILCH_TASK(void, use_wide, struct wide, wide)
{
	(void)wide;
}

/* Needs more of the task stack than its own place. */
FILCH_TASK(void, spread, int, byte)
{
	struct wide wide;

	memset(&wide, byte, sizeof(wide));
	for (int i = 0; i < 4; i++)
		FILCH_SPAWN(use_wide, wide);
	for (int i = 0; i < 4; i++)
		FILCH_SYNC(use_wide);
}

FILCH_TASK(void, leave_spread, int, byte)
{
	for (int i = 0; i < 6; i++)
		FILCH_SPAWN(spread, byte);
}

FILCH_TASK(void, spread_one, int, number, int, byte)
{
	FILCH_CALL(spread, byte + number);
}

FILCH_TASK(void, leave_spawn_n, int, byte)
{
	FILCH_SPAWN(spread, byte);
	FILCH_SPAWN_N(spread_one, 30, byte);
}

FILCH_TASK_DECLARE_STATIC(void, nest, int, depth);
FILCH_TASK_DEFINE_STATIC(void, nest, int, depth)
{
	if (depth)
		FILCH_RUN(nest, depth - 1);
	else
		FILCH_SPAWN(same, 1);
}

/* The missing syncs run above the tasks that are still needed. A FILCH_RUN that is nested too deep has no counters. */
static void missing_syncs(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 2};

	TEST_CHECK(filch_start(&o) == 0);
	for (int i = 0; i < 200; i++) {
		FILCH_RUN(leave_spread, 0);
		FILCH_RUN(leave_spread, 0xff);
		FILCH_RUN(leave_spawn_n, 0);
		FILCH_RUN(leave_spawn_n, 0xff);
	}
	FILCH_RUN(nest, 10);
	FILCH_RUN(nest, 70);
	TEST_CHECK(filch_stop() == 0);
}

static void debug_with(int workers)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = workers};
	uint64_t counted = workers > 0;

	TEST_CHECK(filch_start(&o) == 0);
	for (uint64_t i = 0; i < 50; i++) {
		int marks[10] = {0};

		TEST_CHECK(misuses() == 2 * i * counted);
		TEST_CHECK(FILCH_RUN(right, 4) == 1);
		TEST_CHECK(FILCH_RUN(sync_all, (int)i) == (int)i);
		TEST_CHECK(misuses() == 2 * i * counted);
		TEST_CHECK(FILCH_RUN(sync_too_many, 3) == 0);
		TEST_CHECK(misuses() == (2 * i + 1) * counted);
		TEST_CHECK(FILCH_RUN(sync_too_few, marks) == 5);
		for (int j = 0; j < 10; j++)
			TEST_CHECK(marks[j] == 1);
		TEST_CHECK(misuses() == (2 * i + 2) * counted);
	}
	TEST_CHECK(filch_stop() == 0);
}

static void spawn_n_with(int workers)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = workers};
	uint64_t counted = workers > 0;

	TEST_CHECK(filch_start(&o) == 0);
	for (int i = 0; i < 100; i++) {
		int marks[203] = {0}, count = 2 * i;
		uint64_t before = misuses();

		TEST_CHECK(FILCH_RUN(spawn_n_right, count) == count);
		TEST_CHECK(misuses() == before);
		TEST_CHECK(FILCH_RUN(spawn_n_sync_too_many, count) == 0);
		TEST_CHECK(misuses() == before + counted);
		TEST_CHECK(FILCH_RUN(spawn_n_sync_too_few, marks, count) == count);
		for (int j = 0; j < count + 3; j++)
			TEST_CHECK(marks[j] == 1);
		TEST_CHECK(misuses() == before + 2 * counted);
	}
	for (int i = 0; i < 20; i++) {
		int marks[64] = {0};

		FILCH_RUN(call_leave_all, marks, 64);
		for (int j = 0; j < 64; j++)
			TEST_CHECK(marks[j] == 1);
	}
	TEST_CHECK(filch_stop() == 0);
}

static void pending(void)
{
	static const int workers[] = {FILCH_NONE, 1, 2, 4};

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++)
		spawn_n_with(workers[i]);
}

static void no_workers(void)
{
	debug_with(FILCH_NONE);
}

static void one_worker(void)
{
	debug_with(1);
}

static void workers(void)
{
	debug_with(4);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"no_workers", no_workers}, {"one_worker", one_worker},	      {"workers", workers},
		{"pending", pending},	    {"missing_syncs", missing_syncs},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
