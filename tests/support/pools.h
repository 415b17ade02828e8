/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of pools share: the numbers of workers to try, and pools of just so many. */
#ifndef TEST_SUPPORT_POOLS_H
#define TEST_SUPPORT_POOLS_H

#include "test.h"

#include <filch/deque.h>
#include <filch/pool.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int test_workers[] = {FILCH_NO_WORKERS, 1, 2, 8};
#define TEST_WORKERS (sizeof(test_workers) / sizeof(test_workers[0]))

/* spares: as the option. deque NULL: the default. */
static inline struct filch_pool *test_pool(int workers, int spares, const char *deque)
{
	struct filch_options options = {
		.size = sizeof(options), .workers = workers, .spares = spares, .deque = deque, .stack = 1 << 20};
	struct filch_pool *pool;

	TEST_CHECK(filch_pool_create(&pool, &options) == 0);
	return pool;
}

/* Runs it with a pool of each number of workers. */
static inline void test_with_pools(void (*run)(struct filch_pool *pool))
{
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_pool *pool = test_pool(test_workers[i], 0, NULL);

		run(pool);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

/* Until another thread has done its part. */
static inline void test_await(atomic_int *word, int value)
{
	while (atomic_load(word) != value)
		sched_yield();
}

/* How often its workers have fallen asleep. */
static inline uint64_t test_parks(struct filch_pool *pool)
{
	struct filch_stats stats = {.size = sizeof(stats)};

	TEST_CHECK(filch_stats_get(pool, -1, &stats) == 0);
	return stats.parks;
}

/* Until they have so often. 0: they have not, in far more time than that takes on any machine. */
static inline int test_await_parks(struct filch_pool *pool, uint64_t parks)
{
	const struct timespec a_while = {.tv_nsec = 1000000};

	for (int looks = 0; looks < 30000; looks++) {
		if (test_parks(pool) >= parks)
			return 1;
		nanosleep(&a_while, NULL);
	}
	return 0;
}

/* Runs it in a child; its exit status, or -1 if a signal ended it. */
static inline int test_in_child(void (*run)(void *arg), void *arg)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	TEST_CHECK(child >= 0);
	if (!child) {
		run(arg);
		_exit(0);
	}
	TEST_CHECK(waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
