/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of what a worker gives of its fans: a pool of two workers, of which one neither steals nor asks until it is
 * told to, and what that one has begun first.
 */
#ifndef TEST_SUPPORT_FAN_ASKED_H
#define TEST_SUPPORT_FAN_ASKED_H

#include "test.h"

#include <filch.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* Looks of a millisecond each before something that should happen has not: it is a number of looks, not a time. */
enum { PATIENCE = 20000 };

static inline void start(int workers)
{
	struct filch_options o = {.size = sizeof(o), .workers = workers};

	TEST_CHECK(filch_start(&o) == 0);
}

static inline uint64_t tasks_made(void)
{
	struct filch_stats stats;

	stats.size = sizeof(stats);
	TEST_CHECK(filch_stats_get(NULL, -1, &stats) == 0);
	return stats.tasks;
}

static inline void nap(void)
{
	static const struct timespec a_moment = {0, 1000000};

	nanosleep(&a_moment, NULL);
}

enum { OUTER = 8 };
enum { BY_NOBODY, OF_OUTER, OF_MIDDLE, OF_INNER };

static int first_worker;
static atomic_int begun, ended; /* what the other worker has begun first; that it may go on */

/* If that is what it should be the other one stays there until this one has seen it. */
static inline void by_other(int what)
{
	int nobody = BY_NOBODY;

	if (filch_worker() != first_worker && atomic_compare_exchange_strong(&begun, &nobody, what))
		while (what == OF_OUTER && !atomic_load(&ended))
			nap();
}

/* ---- a worker that neither steals nor asks, until it is told to go on ---- */

static atomic_int held;
static struct filch_future *holder;

static inline int hold(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_store(&held, 1);
	while (atomic_load(&held) == 1)
		sched_yield();
	return 0;
}

static inline void start_with_one_held(void)
{
	start(2);
	atomic_store(&begun, BY_NOBODY);
	atomic_store(&ended, 0);
	atomic_store(&held, 0);
	TEST_CHECK(filch_submit(NULL, hold, NULL, &holder) == 0);
	while (!atomic_load(&held))
		sched_yield();
}

static inline void release(void)
{
	atomic_store(&held, 2);
}

static inline void stop_with_one_held(void)
{
	release();
	TEST_CHECK(filch_future_wait(holder, NULL) == 0);
	filch_future_free(holder);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- an uneven tree ---- */

FILCH_TASK(long, tree, unsigned, number, int, depth)
{
	long sum = 1;

	if (!depth)
		return 1;
	FILCH_SPAWN_N(tree, number % 4 + 2, depth - 1);
	for (unsigned i = 0; i < number % 4 + 2; i++)
		sum += FILCH_SYNC(tree);
	return sum;
}

static inline long nodes(unsigned number, int depth)
{
	long sum = 1;

	for (unsigned i = 0; depth && i < number % 4 + 2; i++)
		sum += nodes(i, depth - 1);
	return sum;
}

#endif
