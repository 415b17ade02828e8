/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker sleeps or blocks inside of a SPAWN_N. It gives the remaining numbers to other workers before that, because
 * it could not answer a request.
 */
#include "../fixtures/task/spawn_n_asked.h"

static int wait_for_more(uint64_t tasks)
{
	int looks = 0;

	for (; tasks_made() <= tasks && looks < LOOKS_MAX; looks++)
		timed_sleep();
	return looks < LOOKS_MAX;
}

/* ---- a call that blocks ---- */

FILCH_TASK(void, blocks, int, number)
{
	by_other(OF_OUTER);
	if (number)
		return;
	TEST_CHECK(tasks_made() == 0);
	filch_blocking_begin();
	release();
	for (int looks = 0; atomic_load(&begun) == BY_NOBODY; looks++) {
		TEST_CHECK(looks < LOOKS_MAX);
		timed_sleep();
	}
	atomic_store(&ended, 1);
	filch_blocking_end();
}

FILCH_TASK(void, nothing, int, number)
{
	(void)number;
}

/* Number 0 goes on when the other worker has begun another number. Its own SPAWN_Ns answer requests. */
FILCH_TASK(void, after_that, int, number)
{
	if (filch_worker_id() != first_worker)
		atomic_store(&ended, 2);
	for (int looks = 0; !number && atomic_load(&ended) != 2; looks++) {
		TEST_CHECK(looks < LOOKS_MAX);
		FILCH_SPAWN_N(nothing, 1);
		FILCH_SYNC(nothing);
		timed_sleep();
	}
}

/* After the blocking call the worker answers requests again. */
FILCH_TASK(void, some_block)
{
	first_worker = filch_worker_id();
	FILCH_SPAWN_N(blocks, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(blocks);
	FILCH_SPAWN_N(after_that, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(after_that);
}

static void in_a_call(void)
{
	start_with_one_held();
	FILCH_RUN(some_block);
	stop_with_one_held();
}

/* The worker also gives numbers of the SPAWN_N around a FILCH_RUN, although the inner one has numbers, too. */
FILCH_TASK(void, blocks_inside, int, number)
{
	if (number)
		return;
	filch_blocking_begin();
	release();
	for (int looks = 0; atomic_load(&begun) != OF_OUTER; looks++) {
		TEST_CHECK(looks < LOOKS_MAX);
		timed_sleep();
	}
	filch_blocking_end();
}

FILCH_TASK(void, two_inside)
{
	FILCH_SPAWN_N(blocks_inside, 2);
	FILCH_SYNC(blocks_inside);
	FILCH_SYNC(blocks_inside);
}

FILCH_TASK(void, around, int, number)
{
	if (number)
		atomic_store(&begun, OF_OUTER);
	else
		FILCH_RUN(two_inside);
}

FILCH_TASK(void, some_around)
{
	FILCH_SPAWN_N(around, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(around);
}

static void in_a_call_inside(void)
{
	start_with_one_held();
	FILCH_RUN(some_around);
	stop_with_one_held();
}

/* ---- a future, and a group ---- */

static int until_given(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_store(&held, 1);
	return wait_for_more(0) ? 0 : -1;
}

FILCH_TASK(void, waits, int, number, struct filch_future *, future, struct filch_group *, group)
{
	if (number)
		return;
	TEST_CHECK(tasks_made() == 0);
	if (future)
		TEST_CHECK(filch_future_wait(future, NULL) == 0);
	else
		TEST_CHECK(filch_group_wait(group) == 0);
}

FILCH_TASK(void, some_wait, struct filch_future *, future, struct filch_group *, group)
{
	FILCH_SPAWN_N(waits, OUTER, future, group);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(waits);
}

static void in_a_future(void)
{
	struct filch_future *future;

	start(2);
	atomic_store(&held, 0);
	TEST_CHECK(filch_pool_submit(NULL, until_given, NULL, &future) == 0);
	while (!atomic_load(&held))
		sched_yield();
	FILCH_RUN(some_wait, future, NULL);
	filch_future_destroy(future);
	TEST_CHECK(filch_stop() == 0);
}

static void in_a_group(void)
{
	struct filch_group *group;

	start(2);
	atomic_store(&held, 0);
	TEST_CHECK(filch_group_create(&group, NULL) == 0);
	TEST_CHECK(filch_group_submit(group, until_given, NULL) == 0);
	while (!atomic_load(&held))
		sched_yield();
	FILCH_RUN(some_wait, NULL, group);
	TEST_CHECK(filch_group_destroy(group) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- a sync ---- */

/* The other worker gets number 1. It goes on when this worker has made a third task: that is number 1, one outer number
 * and one more. */
FILCH_TASK(void, inner, int, number)
{
	if (number) {
		atomic_store(&begun, OF_INNER);
		TEST_CHECK(filch_worker_id() != first_worker && wait_for_more(2));
		return;
	}
	release();
	for (int looks = 0; atomic_load(&begun) != OF_INNER; looks++) {
		TEST_CHECK(looks < LOOKS_MAX);
		FILCH_SPAWN_N(nothing, 1); /* answers requests */
		FILCH_SYNC(nothing);
		timed_sleep();
	}
}

FILCH_TASK(void, outer, int, number)
{
	if (number)
		return;
	FILCH_SPAWN_N(inner, 2);
	FILCH_SYNC(inner);
	FILCH_SYNC(inner);
}

FILCH_TASK(void, root)
{
	first_worker = filch_worker_id();
	FILCH_SPAWN_N(outer, 3);
	for (int i = 0; i < 3; i++)
		FILCH_SYNC(outer);
}

static void in_a_sync(void)
{
	start_with_one_held();
	FILCH_RUN(root);
	stop_with_one_held();
}

/* ---- nested waits ---- */

enum { LEVELS = 60, WIDTH = 400 };

static atomic_int last_begun[LEVELS], deeper_begun[LEVELS];

static void look_until(struct filch_frame *filch_only_inside_a_task_, atomic_int *begun_there)
{
	for (int looks = 0; !atomic_load(begun_there); looks++) {
		TEST_CHECK(looks < LOOKS_MAX);
		FILCH_SPAWN_N(nothing, 1);
		FILCH_SYNC(nothing);
		if (looks > 1000)
			timed_sleep();
	}
}

FILCH_TASK_DECLARE_STATIC(void, level, int, k);

/* One worker stays in number 0 until the other worker has begun number 1, which goes one level deeper. */
FILCH_TASK(void, deeper, int, number, int, k)
{
	if (!number) {
		look_until(filch_only_inside_a_task_, &deeper_begun[k]);
		return;
	}
	atomic_store(&deeper_begun[k], 1);
	FILCH_CALL(level, k + 1);
}

/* Number 0 waits for the last number. The numbers in between take a while, so that some of them stay in a stash. */
FILCH_TASK(void, item, int, number, int, k)
{
	if (number == WIDTH - 1) {
		atomic_store(&last_begun[k], 1);
		FILCH_SPAWN_N(deeper, 2, k);
		FILCH_SYNC(deeper);
		FILCH_SYNC(deeper);
	} else if (number) {
		for (volatile int i = 0; i < 2000; i++)
			;
	} else {
		look_until(filch_only_inside_a_task_, &last_begun[k]);
	}
}

FILCH_TASK_DEFINE_STATIC(void, level, int, k)
{
	if (k == LEVELS)
		return;
	FILCH_SPAWN_N(item, WIDTH, k);
	for (int i = 0; i < WIDTH; i++)
		FILCH_SYNC(item);
}

static void nested(void)
{
	for (int workers = 2; workers <= 3; workers++) {
		for (int i = 0; i < LEVELS; i++) {
			atomic_store(&last_begun[i], 0);
			atomic_store(&deeper_begun[i], 0);
		}
		start(workers);
		FILCH_RUN(level, 0);
		TEST_CHECK(filch_stop() == 0);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"in_a_call", in_a_call},     {"in_a_call_inside", in_a_call_inside},
		{"in_a_future", in_a_future}, {"in_a_group", in_a_group},
		{"in_a_sync", in_a_sync},     {"nested", nested},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
