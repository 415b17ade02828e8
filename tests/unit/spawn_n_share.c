/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_SPAWN_N with several workers: which numbers a request gets first, no tasks without a request, no number that
 * runs twice, and deep nesting.
 */
#include "../fixtures/sanitizer.h"
#include "../fixtures/task/spawn_n_asked.h"

#include <string.h>

/* ---- a request gets numbers of the outermost SPAWN_N first, and of the others as well ---- */

enum { MIDDLE = 3 };

FILCH_TASK(void, inner, int, number)
{
	by_other(OF_INNER);
	if (filch_worker_id() != first_worker || atomic_load(&ended))
		return;
	if (!number) {
		TEST_CHECK(tasks_made() == 0);
		release();
	} else if (atomic_load(&begun)) {
		/* Half of the inner numbers are tasks as well, and the inner SPAWN_N has the most numbers. */
		TEST_CHECK(tasks_made() > OUTER + MIDDLE);
		atomic_store(&ended, 1);
	}
	timed_sleep();
}

FILCH_TASK(void, middle, int, number)
{
	by_other(OF_MIDDLE);
	if (number)
		return;
	FILCH_SPAWN_N(inner, LOOKS_MAX);
	for (int i = 0; i < LOOKS_MAX; i++)
		FILCH_SYNC(inner);
	TEST_CHECK(atomic_load(&begun));
}

FILCH_TASK(void, outer, int, number)
{
	by_other(OF_OUTER);
	if (number)
		return;
	FILCH_SPAWN_N(middle, MIDDLE);
	for (int i = 0; i < MIDDLE; i++)
		FILCH_SYNC(middle);
}

FILCH_TASK(void, root)
{
	first_worker = filch_worker_id();
	FILCH_SPAWN_N(outer, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(outer);
}

static void outermost_first(void)
{
	start_with_one_held();
	FILCH_RUN(root);
	TEST_CHECK(atomic_load(&begun) == OF_OUTER);
	stop_with_one_held();
}

/* ---- a spawn answers a request with numbers of the enclosing SPAWN_Ns ---- */

FILCH_TASK(void, spawned, int, number)
{
	(void)number;
	by_other(OF_INNER);
	timed_sleep();
}

FILCH_TASK(void, spawner, int, number)
{
	by_other(OF_OUTER);
	if (number)
		return;
	TEST_CHECK(tasks_made() == 0);
	release();
	for (int i = 0; i < LOOKS_MAX && !atomic_load(&begun); i++) {
		FILCH_SPAWN(spawned, i);
		FILCH_SYNC(spawned);
	}
	atomic_store(&ended, 1);
}

FILCH_TASK(void, spawner_root)
{
	first_worker = filch_worker_id();
	FILCH_SPAWN_N(spawner, OUTER);
	for (int i = 0; i < OUTER; i++)
		FILCH_SYNC(spawner);
}

static void spawn_shares(void)
{
	start_with_one_held();
	FILCH_RUN(spawner_root);
	TEST_CHECK(atomic_load(&begun) == OF_OUTER);
	stop_with_one_held();
}

/* ---- no needless tasks, and no number twice ---- */

/* With one worker, and with a second worker that makes no requests. */
static void nothing_is_made(void)
{
	start(1);
	TEST_CHECK(FILCH_RUN(tree, 0, 8) == nodes(0, 8));
	TEST_CHECK(tasks_made() == 0);
	TEST_CHECK(filch_stop() == 0);
	start_with_one_held();
	TEST_CHECK(FILCH_RUN(tree, 0, 8) == nodes(0, 8));
	TEST_CHECK(tasks_made() == 0);
	stop_with_one_held();
}

/* A number that has begun is not given away as well. A second run could come late, so the test counts at the end. */
enum { FEW = 5, ROUNDS = 2000 };

static atomic_int times[FEW];

FILCH_TASK(void, count_one, int, number)
{
	atomic_fetch_add(&times[number], 1);
}

FILCH_TASK(void, count_few, int, rounds)
{
	for (int i = 0; i < rounds; i++) {
		FILCH_SPAWN_N(count_one, FEW);
		for (int j = 0; j < FEW; j++)
			FILCH_SYNC(count_one);
	}
}

static void exactly_once(void)
{
	for (int workers = 2; workers <= 4; workers++) {
		memset(times, 0, sizeof(times));
		start(workers);
		FILCH_RUN(count_few, ROUNDS);
		TEST_CHECK(filch_stop() == 0);
		for (int i = 0; i < FEW; i++)
			TEST_CHECK(atomic_load(&times[i]) == ROUNDS);
	}
}

/* ---- depth ---- */

/* ThreadSanitizer has room for 65,536 nested calls. */
enum { DEPTH = TEST_SANITIZED ? 20000 : 100000 };

/* Two numbers: one is a leaf, and the other goes one level deeper. */
FILCH_TASK(long, chain, unsigned, number, unsigned, leaf, int, depth)
{
	if (number == leaf || !depth)
		return 1;
	FILCH_SPAWN_N(chain, 2, leaf, depth - 1);
	return FILCH_SYNC(chain) + FILCH_SYNC(chain);
}

static void deep(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .stack = (size_t)1 << 30};

	for (int workers = 1; workers <= 3; workers++) {
		o.workers = workers;
		TEST_CHECK(filch_start(&o) == 0);
		TEST_CHECK(FILCH_RUN(chain, 0, 1, DEPTH) == DEPTH + 1);
		TEST_CHECK(FILCH_RUN(chain, 1, 0, DEPTH) == DEPTH + 1);
		TEST_CHECK(filch_stop() == 0);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"outermost_first", outermost_first},
		{"spawn_shares", spawn_shares},
		{"nothing_is_made", nothing_is_made},
		{"exactly_once", exactly_once},
		{"deep", deep},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
