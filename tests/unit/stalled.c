/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools in which all threads sleep inside of their jobs, in the ways that are easy to forget: during a stop, with
 * parked spares, with spares after the workers have ended, in waits with a time limit. And starts and stops at the same
 * time.
 */
#include "../fixtures/pool/pools.h"

#include <errno.h>
#include <filch/task.h>
#include <pthread.h>

static struct filch_pool *first, *second;
static atomic_int flags[8];

static void begin(int workers, int spares, const char *deque)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		atomic_store(&flags[i], 0);
	first = test_pool(workers, spares, deque);
	second = test_pool(1, -1, NULL);
}

static void await(int n)
{
	while (!atomic_load(&flags[n]))
		usleep(100);
}

static int set_flag(void *n, void **result)
{
	(void)result;
	atomic_store(&flags[(intptr_t)n], 1);
	return 0;
}

static int await_flag(void *n, void **result)
{
	(void)result;
	await((int)(intptr_t)n);
	return 0;
}

static int wait_for(void *future, void **result)
{
	(void)result;
	atomic_store(&flags[7], 1);
	return filch_future_wait(future, NULL);
}

/* Submits the job, waits for it, and returns its error. */
static int submit_and_wait(struct filch_pool *pool, filch_job_fn *fn, void *arg)
{
	struct filch_future *f;
	int err = filch_pool_submit(pool, fn, arg, &f);

	if (err)
		return err;
	err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	return err;
}

static void *destroy_first(void *unused)
{
	TEST_CHECK(filch_pool_destroy(first) == 0);
	return unused;
}

/*
 * The only worker waits for a job of another pool while its pool stops: the thread that waits for the queued job runs
 * it.
 */
static void while_stopping(void)
{
	struct filch_future *slow, *queued;
	pthread_t thread;

	begin(1, -1, NULL);
	TEST_CHECK(filch_pool_submit(second, await_flag, (void *)0, &slow) == 0);
	TEST_CHECK(filch_pool_submit(first, wait_for, slow, NULL) == 0);
	await(7);
	TEST_CHECK(filch_pool_submit(first, set_flag, (void *)1, &queued) == 0);
	TEST_CHECK(!pthread_create(&thread, NULL, destroy_first, NULL));
	usleep(20000); /* by now the pool may be stopping */
	TEST_CHECK(filch_future_wait(queued, NULL) == 0 && atomic_load(&flags[1]));
	atomic_store(&flags[0], 1);
	pthread_join(thread, NULL);
	TEST_CHECK(filch_future_wait(slow, NULL) == 0);
	filch_future_destroy(queued);
	filch_future_destroy(slow);
	TEST_CHECK(filch_pool_destroy(second) == 0);
}

/* The workers have ended, and a spare still runs. Its job waits for a job that waits for a queued job. */
static int in_spare(void *unused, void **result)
{
	struct filch_future *queued;
	int err;

	(void)unused;
	(void)result;
	atomic_store(&flags[0], 1);
	await(1);
	TEST_CHECK(filch_pool_submit(first, set_flag, (void *)2, &queued) == 0);
	err = submit_and_wait(second, wait_for, queued);
	filch_future_destroy(queued);
	return err;
}

static int block_until_spare(void *unused, void **result)
{
	(void)unused;
	(void)result;
	filch_blocking_begin();
	await(0);
	filch_blocking_end();
	return 0;
}

static void spares_alone(void)
{
	struct filch_future *f;
	pthread_t thread;

	begin(1, 1, NULL);
	TEST_CHECK(filch_pool_submit(first, block_until_spare, NULL, NULL) == 0);
	TEST_CHECK(filch_pool_submit(first, in_spare, NULL, &f) == 0);
	await(0);
	TEST_CHECK(!pthread_create(&thread, NULL, destroy_first, NULL));
	usleep(20000); /* by now the worker may have ended */
	atomic_store(&flags[1], 1);
	pthread_join(thread, NULL);
	TEST_CHECK(filch_future_wait(f, NULL) == 0 && atomic_load(&flags[2]));
	filch_future_destroy(f);
	TEST_CHECK(filch_pool_destroy(second) == 0);
}

/* The pool has two parked spares. Then all other threads sleep: in joins of each other's tasks, and in a wait. */
static int submit_back(void *unused, void **result)
{
	(void)unused;
	(void)result;
	return submit_and_wait(first, set_flag, (void *)6);
}

FILCH_TASK(int, innermost, int, n)
{
	atomic_store(&flags[2], 1);
	await(3);
	usleep(5000);
	return submit_and_wait(second, submit_back, NULL) + n - n;
}

FILCH_TASK(int, inner, int, n)
{
	FILCH_SPAWN(innermost, n);
	atomic_store(&flags[1], 1);
	await(2);
	return FILCH_SYNC(innermost);
}

FILCH_TASK(int, outer, int, n)
{
	FILCH_SPAWN(inner, n);
	atomic_store(&flags[0], 1);
	await(1);
	return FILCH_SYNC(inner);
}

FILCH_TASK(int, outermost, int, n)
{
	FILCH_SPAWN(outer, n);
	await(0);
	filch_blocking_begin();
	await(2);
	filch_blocking_end();
	atomic_store(&flags[3], 1);
	return FILCH_SYNC(outer);
}

static int run_outermost(void *unused, void **result)
{
	(void)unused;
	(void)result;
	return FILCH_RUN(outermost, 1);
}

static atomic_int blocked;

static int block_until_4(void *unused, void **result)
{
	(void)unused;
	(void)result;
	filch_blocking_begin();
	atomic_fetch_add(&blocked, 1);
	await(4);
	filch_blocking_end();
	return 0;
}

static void parked_spares(void)
{
	struct filch_future *f;

	begin(2, 2, "chase_lev");
	atomic_store(&blocked, 0);
	for (int i = 0; i < 2; i++)
		TEST_CHECK(filch_pool_submit(first, block_until_4, NULL, NULL) == 0);
	test_await(&blocked, 2);
	atomic_store(&flags[4], 1);
	for (int i = 0; i < 2000; i++)
		TEST_CHECK(filch_pool_submit(first, set_flag, (void *)5, NULL) == 0);
	usleep(100000); /* by now the spares may be parked */
	TEST_CHECK(filch_pool_submit(first, run_outermost, NULL, &f) == 0);
	TEST_CHECK(filch_future_wait(f, NULL) == 0 && atomic_load(&flags[6]));
	filch_future_destroy(f);
	TEST_CHECK(filch_pool_destroy(first) == 0);
	TEST_CHECK(filch_pool_destroy(second) == 0);
}

/* A wait with a time limit stalls the pool as any other wait does. */
static int wait_with_limit(void *unused, void **result)
{
	struct filch_future *f;
	int err;

	(void)unused;
	(void)result;
	TEST_CHECK(filch_pool_submit(second, submit_back, NULL, &f) == 0);
	err = filch_future_wait_for(f, UINT64_C(60000000000), NULL);
	filch_future_destroy(f);
	return err;
}

static void limited(void)
{
	begin(1, -1, NULL);
	TEST_CHECK(submit_and_wait(first, wait_with_limit, NULL) == 0 && atomic_load(&flags[6]));
	TEST_CHECK(filch_pool_destroy(first) == 0);
	TEST_CHECK(filch_pool_destroy(second) == 0);
}

/* A circle through a stolen task: the task waits for a job and runs it itself. This job waits for the task's job. */
static struct filch_future *job_of_tasks;
static pthread_t thread_of_job;

FILCH_TASK(int, waits_for_job, int, n)
{
	if (pthread_equal(thread_of_job, pthread_self()))
		return -EDEADLK; /* no thief came; other tests cover this case */
	atomic_store(&flags[0], n);
	return submit_and_wait(NULL, wait_for, job_of_tasks);
}

FILCH_TASK(int, has_it_stolen, int, n)
{
	FILCH_SPAWN(waits_for_job, n);
	await(0);
	return FILCH_SYNC(waits_for_job);
}

static int run_circle(void *unused, void **result)
{
	(void)unused;
	(void)result;
	thread_of_job = pthread_self();
	await(1);
	return FILCH_RUN(has_it_stolen, 1);
}

static void circle_through_task(void)
{
	begin(2, -1, "chase_lev");
	TEST_CHECK(filch_pool_submit(first, run_circle, NULL, &job_of_tasks) == 0);
	atomic_store(&flags[1], 1);
	TEST_CHECK(filch_future_wait(job_of_tasks, NULL) == -EDEADLK);
	filch_future_destroy(job_of_tasks);
	TEST_CHECK(filch_pool_destroy(first) == 0);
	TEST_CHECK(filch_pool_destroy(second) == 0);
}

/* ---- pools without workers ---- */

static void *wait_here(void *future)
{
	TEST_CHECK(filch_future_wait(future, NULL) == 0);
	return NULL;
}

static int look_around(void *unused, void **result)
{
	(void)unused;
	(void)result;
	atomic_store(&flags[0], 1);
	await(1);
	usleep(20000); /* by now the pool may be stopping */
	TEST_CHECK(filch_pool_submit(NULL, set_flag, (void *)2, NULL) == 0);
	return 0;
}

/* The pool ends when the job that another thread runs has ended, together with the jobs that it has submitted. */
static void serial_end(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	struct filch_future *f;
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		atomic_store(&flags[i], 0);
	TEST_CHECK(filch_pool_submit(pool, look_around, NULL, &f) == 0);
	TEST_CHECK(!pthread_create(&thread, NULL, wait_here, f));
	await(0);
	atomic_store(&flags[1], 1);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(atomic_load(&flags[2]));
	pthread_join(thread, NULL);
	filch_future_destroy(f);
}

/* ---- starts and stops during the last stop ---- */

static int start_and_stop(void *unused, void **result)
{
	int err;

	(void)unused;
	(void)result;
	usleep(20000); /* by now the pool may be stopping */
	err = filch_start(NULL);
	TEST_CHECK(err == 0 || err == -EALREADY);
	TEST_CHECK(filch_stop() == 0);
	return 0;
}

static int wait_for_start(void *unused, void **result)
{
	(void)unused;
	(void)result;
	atomic_store(&flags[0], 1);
	return submit_and_wait(second, start_and_stop, NULL);
}

static void start_in_last_stop(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};

	begin(1, -1, NULL);
	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(filch_pool_submit(NULL, wait_for_start, NULL, NULL) == 0);
	await(0);
	TEST_CHECK(filch_stop() == 0);
	(void)filch_stop();
	TEST_CHECK(filch_pool_destroy(first) == 0);
	TEST_CHECK(filch_pool_destroy(second) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"while_stopping", while_stopping},
							 {"spares_alone", spares_alone},
							 {"parked_spares", parked_spares},
							 {"limited", limited},
							 {"circle_through_task", circle_through_task},
							 {"serial_end", serial_end},
							 {"start_in_last_stop", start_in_last_stop}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
