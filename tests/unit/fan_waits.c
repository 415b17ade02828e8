/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker that sleeps or blocks in the midst of a fan: what it has yet to spawn is given to others before, as it would
 * not notice that it is asked.
 */
#include "../support/fan_asked.h"

static int wait_for_more(uint64_t tasks)
{
	int looks = 0;

	for (; tasks_made() <= tasks && looks < PATIENCE; looks++)
		nap();
	return looks < PATIENCE;
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
		TEST_CHECK(looks < PATIENCE);
		nap();
	}
	atomic_store(&ended, 1);
	filch_blocking_end();
}

FILCH_TASK(void, some_block)
{
	first_worker = filch_worker();
	FILCH_SPAWN_N(blocks, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(blocks);
}

static void in_a_call(void)
{
	start_with_one_held();
	FILCH_RUN(some_block);
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
	TEST_CHECK(filch_submit(NULL, until_given, NULL, &future) == 0);
	while (!atomic_load(&held))
		sched_yield();
	FILCH_RUN(some_wait, future, NULL);
	filch_future_free(future);
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

FILCH_TASK(void, nothing, int, number)
{
	(void)number;
}

/* Number 1 is given to the other worker, which goes on when the first one has made more than that and one of outer. */
FILCH_TASK(void, inner, int, number)
{
	if (number) {
		atomic_store(&begun, OF_INNER);
		TEST_CHECK(filch_worker() != first_worker && wait_for_more(2));
		return;
	}
	release();
	for (int looks = 0; atomic_load(&begun) != OF_INNER; looks++) {
		TEST_CHECK(looks < PATIENCE);
		FILCH_SPAWN_N(nothing, 1); /* a look at who asks */
		FILCH_SYNC(nothing);
		nap();
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
	first_worker = filch_worker();
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

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"in_a_call", in_a_call},
		{"in_a_future", in_a_future},
		{"in_a_group", in_a_group},
		{"in_a_sync", in_a_sync},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
