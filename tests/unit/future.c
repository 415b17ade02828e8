/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs and futures: a job that a thread waits for runs once, here or elsewhere. The waiting thread runs no other job.
 */
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <filch/task.h>
#include <pthread.h>
#include <string.h>

static struct filch_pool *current_pool;

static int add_one(void *arg, void **result)
{
	int *number = arg;

	++*number;
	*result = number;
	return 0;
}

static int fail(void *arg, void **result)
{
	(void)result;
	return *(int *)arg;
}

static void results(struct filch_pool *pool)
{
	struct filch_future *f;
	void *result = NULL;
	int number = 1, err = -EIO;

	TEST_CHECK(filch_pool_submit(pool, add_one, &number, &f) == 0);
	TEST_CHECK(filch_future_wait(f, &result) == 0);
	TEST_CHECK(result == &number && number == 2);
	/* Each way of waiting works again and again. */
	TEST_CHECK(filch_future_wait(f, NULL) == 0);
	TEST_CHECK(filch_future_try_wait(f, &result) == 0 && result == &number);
	TEST_CHECK(filch_future_wait_for(f, 0, &result) == 0);
	TEST_CHECK(filch_future_cancel(f) == -EALREADY && !strcmp(filch_error_message(), "the job is done already"));
	filch_future_destroy(f);

	TEST_CHECK(filch_pool_submit(pool, fail, &err, &f) == 0);
	TEST_CHECK(filch_pool_submit(pool, NULL, NULL, NULL) == -EINVAL &&
		   !strcmp(filch_error_message(), "fn is NULL"));
	TEST_CHECK(filch_future_wait(f, &result) == -EIO && !result);
	TEST_CHECK(strstr(filch_error_message(), "the job returned -")); /* the message is new, not the one before */
	filch_future_destroy(f);
}

static int misuse_in_job(void *arg, void **result)
{
	(void)result;
	TEST_CHECK(filch_pool_destroy(arg) == -EDEADLK);
	return 0;
}

static void misuse(void)
{
	struct filch_future *f;
	struct filch_pool *pool = test_pool(2, 0, NULL);
	int number = 0;

	TEST_CHECK(filch_pool_submit(pool, NULL, NULL, &f) == -EINVAL);
	TEST_CHECK(filch_pool_submit(NULL, add_one, &number, &f) == -ESHUTDOWN);
	TEST_CHECK(filch_future_wait(NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_future_wait_for(NULL, 1, NULL) == -EINVAL);
	TEST_CHECK(filch_future_try_wait(NULL, NULL) == -EINVAL);
	TEST_CHECK(filch_future_cancel(NULL) == -EINVAL);
	filch_future_destroy(NULL);
	TEST_CHECK(test_job(pool, misuse_in_job, pool) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(number == 0);
}

/* fib by futures, each of them waited for in a job. One worker must be enough. */
static int fib(void *arg, void **result)
{
	intptr_t n = (intptr_t)arg;
	struct filch_future *f;
	void *a = arg, *b;

	if (n >= 2) {
		TEST_CHECK(filch_pool_submit(current_pool, fib, (void *)(n - 1), &f) == 0);
		TEST_CHECK(fib((void *)(n - 2), &b) == 0);
		TEST_CHECK(filch_future_wait(f, &a) == 0);
		filch_future_destroy(f);
		a = (void *)((intptr_t)a + (intptr_t)b);
	}
	*result = a;
	return 0;
}

static void nested(struct filch_pool *pool)
{
	struct filch_future *f;
	void *result;

	current_pool = pool;
	TEST_CHECK(filch_pool_submit(pool, fib, (void *)16, &f) == 0);
	TEST_CHECK(filch_future_wait(f, &result) == 0 && result == (void *)987);
	filch_future_destroy(f);
}

/* ---- jobs that begin or end only when the test says so ---- */

static struct test_gate gate;

static void timeouts(void)
{
	struct filch_pool *pool = test_pool(1, -1, NULL);
	struct filch_future *f;

	atomic_store(&gate.begun, 0);
	atomic_store(&gate.open, 0);
	TEST_CHECK(filch_pool_submit(pool, test_wait_at_gate, &gate, &f) == 0);
	TEST_CHECK(filch_future_try_wait(f, NULL) == -EAGAIN);
	TEST_CHECK(filch_future_wait_for(f, 1000000, NULL) == -ETIMEDOUT);
	test_await(&gate.begun, 1);
	TEST_CHECK(filch_future_wait_for(f, 0, NULL) == -ETIMEDOUT);
	atomic_store(&gate.open, 1);
	TEST_CHECK(filch_future_wait_for(f, UINT64_MAX, NULL) == 0);
	filch_future_destroy(f);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* All threads that wait for the same future wake. */
static void *wait_for_it(void *f)
{
	void *result;

	TEST_CHECK(filch_future_wait(f, &result) == 0 && !result);
	return NULL;
}

static void many_wait(void)
{
	struct filch_pool *pool = test_pool(1, -1, NULL);

	for (int i = 0; i < 20; i++) {
		pthread_t thread[4];
		struct filch_future *f;

		atomic_store(&gate.open, 0);
		TEST_CHECK(filch_pool_submit(pool, test_wait_at_gate, &gate, &f) == 0);
		for (int k = 0; k < 4; k++)
			TEST_CHECK(!pthread_create(&thread[k], NULL, wait_for_it, f));
		/* By now the threads may sleep. */
		TEST_CHECK(filch_future_wait_for(f, 1000000, NULL) == -ETIMEDOUT);
		atomic_store(&gate.open, 1);
		for (int k = 0; k < 4; k++)
			pthread_join(thread[k], NULL);
		filch_future_destroy(f);
	}
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

static int until_cancelled(void *arg, void **result)
{
	(void)arg;
	(void)result;
	atomic_fetch_add(&gate.begun, 1);
	while (!filch_job_cancelled())
		sched_yield();
	return -EINTR;
}

/*
 * A running job sees that it is cancelled. A queued job behind it never runs, although a worker finds its entry later.
 */
static void cancel(void)
{
	struct filch_pool *pool = test_pool(1, -1, NULL);
	struct filch_future *running, *queued;
	int number = 0;

	atomic_store(&gate.begun, 0);
	TEST_CHECK(!filch_job_cancelled());
	TEST_CHECK(filch_pool_submit(pool, until_cancelled, NULL, &running) == 0);
	TEST_CHECK(filch_pool_submit(pool, add_one, &number, &queued) == 0);
	test_await(&gate.begun, 1);
	TEST_CHECK(filch_future_cancel(queued) == 0);
	TEST_CHECK(filch_future_wait(queued, NULL) == -ECANCELED &&
		   !strcmp(filch_error_message(), "the job was cancelled"));
	TEST_CHECK(filch_future_cancel(queued) == -EALREADY);
	TEST_CHECK(filch_future_cancel(running) == 0);
	TEST_CHECK(filch_future_wait(running, NULL) == -EINTR);
	filch_future_destroy(running);
	filch_future_destroy(queued);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(number == 0);
}

/* ---- tasks of a job ---- */

static atomic_int elsewhere, deadlocks;

/* Each leaf runs until the job is cancelled, in any worker. With so many leaves, thieves steal some. */
FILCH_TASK(void, leaves, int, count, int, worker, struct filch_future *, own)
{
	if (count == 1) {
		if (filch_worker_id() != worker)
			atomic_fetch_add(&elsewhere, 1);
		if (own && filch_future_wait(own, NULL) == -EDEADLK)
			atomic_fetch_add(&deadlocks, 1);
		while (!filch_job_cancelled())
			sched_yield();
		return;
	}
	FILCH_SPAWN(leaves, count / 2, worker, own);
	FILCH_CALL(leaves, count - count / 2, worker, own);
	FILCH_SYNC(leaves);
}

static struct filch_future *own_future;

static int job_with_tasks(void *go, void **result)
{
	(void)result;
	test_await(go, 1); /* until its future is known */
	FILCH_RUN(leaves, 8, filch_worker_id(), own_future);
	return 0;
}

/*
 * All leaves end, including the stolen ones. At least one is stolen, because the first leaf that runs here does not
 * end. The deque must not be one that shares only on request: this worker is too busy to answer requests.
 */
static void cancel_tasks(void)
{
	atomic_int go = 0;

	current_pool = test_pool(4, 0, "chase_lev");
	TEST_CHECK(filch_pool_submit(current_pool, job_with_tasks, &go, &own_future) == 0);
	atomic_store(&go, 1);
	while (!atomic_load(&elsewhere))
		sched_yield();
	TEST_CHECK(filch_future_cancel(own_future) == 0);
	TEST_CHECK(filch_future_wait(own_future, NULL) == 0);
	TEST_CHECK(atomic_load(&deadlocks) == 8);
	filch_future_destroy(own_future);
	TEST_CHECK(filch_pool_destroy(current_pool) == 0);
}

/*
 * A cancelled job waits for another job. That job learns of the cancellation, and so does the job it waits for in turn.
 */
static int waits_for_cancelled(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_future *f;
	int err;

	if (!depth)
		return until_cancelled(NULL, result);
	TEST_CHECK(filch_pool_submit(current_pool, waits_for_cancelled, (void *)(depth - 1), &f) == 0);
	err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	TEST_CHECK(filch_job_cancelled());
	return err;
}

static void cancel_enclosing(void)
{
	for (int workers = 1; workers <= 3; workers++) {
		struct filch_future *f;

		current_pool = test_pool(workers, 0, NULL);
		atomic_store(&gate.begun, 0);
		TEST_CHECK(filch_pool_submit(current_pool, waits_for_cancelled, (void *)2, &f) == 0);
		test_await(&gate.begun, 1);
		TEST_CHECK(filch_future_cancel(f) == 0);
		TEST_CHECK(filch_future_wait(f, NULL) == -EINTR);
		filch_future_destroy(f);
		TEST_CHECK(filch_pool_destroy(current_pool) == 0);
	}
}

/* ---- locks and waits ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int locked;

static int lock_and_leave(void *arg, void **result)
{
	(void)arg;
	(void)result;
	pthread_mutex_lock(&mutex);
	atomic_fetch_add(&locked, 1);
	pthread_mutex_unlock(&mutex);
	return 0;
}

/* Holds the lock while it waits. Behind it in the queue are jobs that want the lock: this worker must not run them. */
static int lock_and_wait(void *arg, void **result)
{
	struct filch_future *f;
	int number = 0;

	(void)arg;
	(void)result;
	pthread_mutex_lock(&mutex);
	TEST_CHECK(filch_pool_submit(current_pool, lock_and_leave, NULL, NULL) == 0);
	TEST_CHECK(filch_pool_submit(current_pool, add_one, &number, &f) == 0);
	TEST_CHECK(filch_pool_submit(current_pool, lock_and_leave, NULL, NULL) == 0);
	TEST_CHECK(filch_future_wait(f, NULL) == 0 && number == 1);
	filch_future_destroy(f);
	pthread_mutex_unlock(&mutex);
	return 0;
}

static void lock_across_wait(void)
{
	for (int workers = 1; workers <= 4; workers++) {
		current_pool = test_pool(workers, 0, NULL);
		atomic_store(&locked, 0);
		for (int i = 0; i < 50; i++)
			TEST_CHECK(filch_pool_submit(current_pool, lock_and_wait, NULL, NULL) == 0);
		TEST_CHECK(filch_pool_destroy(current_pool) == 0);
		TEST_CHECK(atomic_load(&locked) == 100);
	}
}

static struct filch_future *own;

static int wait_for_itself(void *arg, void **result)
{
	(void)arg;
	(void)result;
	test_await(&gate.open, 1);
	return filch_future_wait(own, NULL);
}

static void deadlock(void)
{
	struct filch_pool *pool = test_pool(1, -1, NULL);

	atomic_store(&gate.open, 0);
	TEST_CHECK(filch_pool_submit(pool, wait_for_itself, NULL, &own) == 0);
	atomic_store(&gate.open, 1);
	TEST_CHECK(filch_future_wait(own, NULL) == -EDEADLK);
	filch_future_destroy(own);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* ---- futures and the end of pools ---- */

static void outlives_pool(struct filch_pool *unused)
{
	struct filch_pool *pool = test_pool(2, 0, NULL);
	struct filch_future *f[100];
	int number[100] = {0};

	(void)unused;
	for (int i = 0; i < 100; i++)
		TEST_CHECK(filch_pool_submit(pool, add_one, &number[i], &f[i]) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	for (int i = 0; i < 100; i++) {
		TEST_CHECK(filch_future_wait(f[i], NULL) == 0 && number[i] == 1);
		filch_future_destroy(f[i]);
	}
}

/* A job of one pool waits for a job of another, in both directions. */
static struct filch_pool *pools[2];

static int across(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_future *f;

	*result = arg;
	if (!depth)
		return 0;
	TEST_CHECK(filch_pool_submit(pools[depth & 1], across, (void *)(depth - 1), &f) == 0);
	TEST_CHECK(filch_future_wait(f, result) == 0 && *result == (void *)0);
	filch_future_destroy(f);
	return 0;
}

static void several_pools(void)
{
	pools[0] = test_pool(1, 8, NULL);
	pools[1] = test_pool(2, 8, NULL);
	for (int i = 0; i < 20; i++) {
		TEST_CHECK(test_job(pools[0], across, (void *)4) == 0);
	}
	TEST_CHECK(filch_pool_destroy(pools[0]) == 0);
	TEST_CHECK(filch_pool_destroy(pools[1]) == 0);
}

static void all_results(void)
{
	test_with_pools(results);
}

static void all_nested(void)
{
	test_with_pools(nested);
}

static void all_outlive(void)
{
	outlives_pool(NULL);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"results", all_results},
							 {"misuse", misuse},
							 {"nested", all_nested},
							 {"timeouts", timeouts},
							 {"many_wait", many_wait},
							 {"cancel", cancel},
							 {"cancel_tasks", cancel_tasks},
							 {"cancel_enclosing", cancel_enclosing},
							 {"lock_across_wait", lock_across_wait},
							 {"deadlock", deadlock},
							 {"outlives_pool", all_outlive},
							 {"several_pools", several_pools}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
