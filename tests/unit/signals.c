/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals keep interrupting workers, waiting threads and sleepers, with handlers that lack SA_RESTART. All jobs run as
 * without signals, and no wait ends early.
 */
#define _GNU_SOURCE

#include "../fixtures/pool/pools.h"
#include "../fixtures/pool/tasks.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <filch/algo.h>
#include <filch/task.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { WORKERS = 3, SPARES = 2, ROUNDS = TEST_SANITIZED ? 20 : 60 };

static pthread_t threads[WORKERS + SPARES];
static atomic_int begun[WORKERS + SPARES];
static atomic_int over;
static atomic_long handled;

static void handle(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
}

static void worker_begin(int worker, void *context)
{
	(void)context;
	threads[worker] = pthread_self();
	atomic_store(&begun[worker], 1);
}

static void worker_end(int worker, void *context)
{
	(void)context;
	atomic_store(&begun[worker], 0);
}

/* Sends signals to the main thread, which waits, and to all workers. The pool must outlive this thread. */
static void *bombard(void *waiter)
{
	while (!atomic_load(&over)) {
		pthread_kill(*(pthread_t *)waiter, SIGUSR1);
		for (int i = 0; i < WORKERS + SPARES; i++)
			if (atomic_load(&begun[i]))
				pthread_kill(threads[i], SIGUSR1);
		nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
	}
	return NULL;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sleeps in a way that the pool cannot see. */
static int block(void *gate, void **result)
{
	(void)result;
	filch_blocking_begin();
	test_await(&((struct test_gate *)gate)->open, 1);
	filch_blocking_end();
	return 7;
}

static int wait_for_other(void *future, void **result)
{
	return filch_future_wait(future, result);
}

static void wait_for_jobs(struct filch_pool *other)
{
	struct filch_future *held, *waits;
	struct test_gate gate = {0};
	double from;

	TEST_CHECK(filch_pool_submit(NULL, block, &gate, &held) == 0);
	TEST_CHECK(filch_pool_submit(other, wait_for_other, held, &waits) == 0);
	from = seconds();
	TEST_CHECK(filch_future_wait_for(waits, 3000000, NULL) == -ETIMEDOUT);
	TEST_CHECK(seconds() - from >= 0.003);
	TEST_CHECK(filch_pool_submit(NULL, test_open_gate, &gate, NULL) == 0);
	TEST_CHECK(filch_future_wait(waits, NULL) == 7);
	TEST_CHECK(filch_future_wait(held, NULL) == 7);
	filch_future_destroy(held);
	filch_future_destroy(waits);
}

static int timed_sleep(void *arg, void **result)
{
	(void)arg;
	(void)result;
	filch_blocking_begin();
	nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	filch_blocking_end();
	return 0;
}

static void wait_for_group(void)
{
	struct filch_group *g;

	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	for (int i = 0; i < 20; i++)
		TEST_CHECK(filch_group_submit(g, timed_sleep, NULL) == 0);
	TEST_CHECK(filch_group_wait(g) == 0);
	TEST_CHECK(filch_group_destroy(g) == 0);
}

static void count(size_t from, size_t to, void *sum)
{
	atomic_fetch_add((atomic_long *)sum, (long)(to - from));
}

static void interrupted(void)
{
	struct filch_options options = {.struct_size = sizeof(options),
					.workers = WORKERS,
					.spares = SPARES,
					.stack = 1 << 20,
					.worker_begin = worker_begin,
					.worker_end = worker_end};
	struct itimerval alarms = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = handle};
	struct filch_pool *other = test_pool(1, 1, NULL);
	pthread_t thread, self = pthread_self();

	TEST_CHECK(!sigaction(SIGUSR1, &action, NULL) && !sigaction(SIGALRM, &action, NULL));
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(!pthread_create(&thread, NULL, bombard, &self));
	TEST_CHECK(!setitimer(ITIMER_REAL, &alarms, NULL));
	for (int i = 0; i < ROUNDS; i++) {
		atomic_long sum = 0;

		TEST_CHECK(FILCH_RUN(test_fib, 20) == 6765);
		wait_for_jobs(other);
		wait_for_group();
		TEST_CHECK(filch_for(NULL, 0, 10000, 10, count, &sum) == 0 && atomic_load(&sum) == 10000);
		/* Until workers sleep. */
		nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
	}
	atomic_store(&over, 1);
	TEST_CHECK(!pthread_join(thread, NULL));
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(filch_pool_destroy(other) == 0);
	TEST_CHECK(!setitimer(ITIMER_REAL, &none, NULL));
	TEST_CHECK(atomic_load(&handled) > 10 * ROUNDS);
}

/* Pools start and stop while the signals arrive. */
static void start_stop(void)
{
	struct itimerval alarms = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};

	TEST_CHECK(!setitimer(ITIMER_REAL, &alarms, NULL));
	for (int i = 0; i < ROUNDS; i++) {
		struct filch_pool *pool = test_pool(2, 1, NULL);

		TEST_CHECK(filch_pool_submit(pool, timed_sleep, NULL, NULL) == 0);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
	TEST_CHECK(!setitimer(ITIMER_REAL, &none, NULL));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"interrupted", interrupted}, {"start_stop", start_stop}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
