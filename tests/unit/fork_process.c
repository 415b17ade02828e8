/* SPDX-License-Identifier: Apache-2.0 */
/* fork(): the child uses the default pool like a new program, and never waits for threads that only the parent has. */
#include "../../src/pool/pool.h"
#include "../fixtures/pool/pools.h"
#include "../fixtures/pool/tasks.h"

#include <errno.h>
#include <filch/algo.h>
#include <filch/task.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static int answer(void *arg, void **result)
{
	*result = arg;
	return filch_worker_id();
}

/* Uses the default pool in each way that there is. */
static void use(unsigned workers)
{
	struct filch_future *f;
	struct filch_group *g;
	void *result;

	CHILD_CHECK(FILCH_RUN(test_fib, 18) == 2584);
	CHILD_CHECK(filch_pool_workers(NULL) == workers);
	CHILD_CHECK(filch_pool_submit(NULL, answer, &f, &f) == 0);
	CHILD_CHECK(filch_future_wait(f, &result) >= (workers ? 0 : -1) && result == &f);
	filch_future_destroy(f);
	CHILD_CHECK(filch_group_create(&g, NULL) == 0);
	for (int i = 0; i < 100; i++)
		CHILD_CHECK(filch_group_submit(g, answer, NULL) == 0);
	filch_group_destroy(g);
}

static void use_and_stop(void *workers)
{
	use(*(unsigned *)workers);
	CHILD_CHECK(filch_stop() == 0);
	CHILD_CHECK(filch_pool_workers(NULL) == 0);
}

static void only_stop(void *unused)
{
	(void)unused;
	CHILD_CHECK(filch_stop() == 0);
	CHILD_CHECK(filch_pool_workers(NULL) == 0);
	CHILD_CHECK(FILCH_RUN(test_fib, 10) == 55);
}

static void start_another(void *unused)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 3};

	(void)unused;
	CHILD_CHECK(filch_start(&options) == 0);
	use(3);
	CHILD_CHECK(filch_stop() == 0);
}

static void use_and_fork(void *workers)
{
	use(*(unsigned *)workers);
	CHILD_CHECK(test_in_child(use_and_stop, workers) == 0);
	use_and_stop(workers);
}

static void default_pool(void)
{
	for (unsigned workers = 0; workers <= 4; workers += 2) {
		struct filch_options options = {.struct_size = sizeof(options),
						.workers = workers ? (int)workers : FILCH_NONE};

		TEST_CHECK(filch_start(&options) == 0);
		use(workers);
		TEST_CHECK(test_in_child(use_and_stop, &workers) == 0);
		TEST_CHECK(test_in_child(only_stop, NULL) == 0);
		TEST_CHECK(test_in_child(start_another, NULL) == 0);
		TEST_CHECK(test_in_child(use_and_fork, &workers) == 0);
		use(workers);
		TEST_CHECK(filch_stop() == 0);
		workers = 0;
		TEST_CHECK(test_in_child(only_stop, NULL) == 0);
		workers = options.workers > 0 ? (unsigned)options.workers : 0;
	}
}

/* ---- keep awake ---- */

/*
 * No begin of keep-awake holds in the child's pool: its worker sleeps, both before and after the end that the parent's
 * begin needs.
 */
static void end_keep_awake(void *unused)
{
	struct filch_future *f;

	(void)unused;
	CHILD_CHECK(test_await_parks(NULL, 1));
	filch_pool_keep_awake_end(NULL);
	CHILD_CHECK(filch_pool_submit(NULL, answer, NULL, &f) == 0);
	CHILD_CHECK(filch_future_wait(f, NULL) == 0);
	filch_future_destroy(f);
	CHILD_CHECK(test_await_parks(NULL, 2));
	CHILD_CHECK(filch_stop() == 0);
}

static void keep_awake(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 1};

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_await_parks(NULL, 1));
	filch_pool_keep_awake_begin(NULL);
	TEST_CHECK(test_in_child(end_keep_awake, NULL) == 0);
	filch_pool_keep_awake_end(NULL);
	TEST_CHECK(test_await_parks(NULL, 2));
	TEST_CHECK(filch_stop() == 0);
}

/* ---- things that the parent had ---- */

static struct test_gate gate;

struct legacy {
	struct filch_pool *pool;
	struct filch_future *running, *queued, *done;
	struct filch_group *group;
};

static void inherit(void *arg)
{
	struct legacy *l = arg;

	CHILD_CHECK(filch_future_wait(l->running, NULL) == -ESHUTDOWN);
	CHILD_CHECK(filch_future_wait(l->queued, NULL) == -ESHUTDOWN);
	CHILD_CHECK(filch_future_wait_for(l->queued, 1000000, NULL) == -ESHUTDOWN);
	CHILD_CHECK(filch_future_try_wait(l->queued, NULL) == -EAGAIN);
	CHILD_CHECK(filch_future_wait(l->done, NULL) >= 0);
	CHILD_CHECK(filch_pool_submit(l->pool, answer, NULL, NULL) == -ESHUTDOWN);
	CHILD_CHECK(filch_pool_workers(l->pool) == 0);
	CHILD_CHECK(filch_group_submit(l->group, answer, NULL) == -ESHUTDOWN);
	CHILD_CHECK(filch_group_wait(l->group) == -ESHUTDOWN);
	CHILD_CHECK(filch_group_cancel(l->group) == 0);
	CHILD_CHECK(filch_group_destroy(l->group) == -ESHUTDOWN);
	filch_future_destroy(l->running);
	filch_future_destroy(l->queued);
	filch_future_destroy(l->done);
	CHILD_CHECK(filch_pool_destroy(l->pool) == 0);
	use_and_stop(&(unsigned){2});
}

static void legacy(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};
	struct legacy l = {.pool = test_pool(1, -1, NULL)};

	TEST_CHECK(filch_start(&options) == 0);
	atomic_store(&gate.open, 0);
	atomic_store(&gate.begun, 0);
	TEST_CHECK(filch_pool_submit(l.pool, answer, NULL, &l.done) == 0);
	TEST_CHECK(filch_future_wait(l.done, NULL) == 0);
	TEST_CHECK(filch_pool_submit(l.pool, test_wait_at_gate, &gate, &l.running) == 0);
	test_await(&gate.begun, 1);
	TEST_CHECK(filch_pool_submit(l.pool, answer, NULL, &l.queued) == 0);
	TEST_CHECK(filch_group_create(&l.group, l.pool) == 0);
	TEST_CHECK(filch_group_submit(l.group, answer, NULL) == 0);
	TEST_CHECK(test_in_child(inherit, &l) == 0);
	atomic_store(&gate.open, 1);
	TEST_CHECK(filch_group_destroy(l.group) == 0);
	filch_future_destroy(l.running);
	filch_future_destroy(l.queued);
	filch_future_destroy(l.done);
	TEST_CHECK(filch_pool_destroy(l.pool) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- at any moment ---- */

static atomic_bool over;

static void *keep_busy(void *arg)
{
	while (!atomic_load(&over))
		use(2);
	return arg;
}

/* Forks while other threads submit, wait, and hold every kind of lock. */
static void busy(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .stack = 1 << 20};
	pthread_t thread[2];

	TEST_CHECK(filch_start(&options) == 0);
	for (int i = 0; i < 2; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, keep_busy, NULL));
	for (int i = 0; i < 30; i++)
		TEST_CHECK(test_in_child(use_and_stop, &(unsigned){2}) == 0);
	atomic_store(&over, true);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	TEST_CHECK(filch_stop() == 0);
}

static int fork_in_job(void *arg, void **result)
{
	*result = arg;
	return test_in_child(use_and_stop, arg);
}

/* The child stops the pool, and its thread is no worker any more. */
static void stop_and_start(void *arg)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};

	(void)arg;
	CHILD_CHECK(filch_stop() == 0);
	for (size_t size = 16; size < 8192; size += 16) {
		void *block = malloc(size);

		CHILD_CHECK(block);
		memset(block, 0xa5, size); /* a leak on purpose: overwrites freed memory */
	}
	CHILD_CHECK(filch_start(&options) == 0);
	CHILD_CHECK(filch_worker_id() == -1);
	CHILD_CHECK(filch_stop() == 0);
}

static int restart_in_job(void *arg, void **result)
{
	*result = arg;
	return test_in_child(stop_and_start, arg);
}

static void restart(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_job(NULL, restart_in_job, &options) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* The thread that forks is a worker. */
static void in_job(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};
	unsigned workers = 2;

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(test_job(NULL, fork_in_job, &workers) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* Only this thread forks. The child goes on with the loop, and so does the parent. */
static pthread_t caller;

static void fork_in_loop(size_t from, size_t to, void *child)
{
	(void)to;
	if (from == 0 && pthread_equal(pthread_self(), caller))
		*(pid_t *)child = fork();
}

/* Runs loops until the worker sleeps and the caller borrows it. */
static pid_t fork_with_borrowed(void (*body)(size_t from, size_t to, void *child))
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 1};
	pid_t child = -1;

	TEST_CHECK(filch_start(&options) == 0);
	fflush(stdout);
	caller = pthread_self();
	while (child == -1)
		TEST_CHECK(filch_for(NULL, 0, 10, 1, body, &child) == 0);
	return child;
}

static void end_of_child(pid_t child)
{
	int status;

	TEST_CHECK(waitpid(child, &status, 0) == child);
	TEST_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* The child's thread had borrowed a worker. It returns from the loop, and the pool is as new. */
static void in_loop(void)
{
	unsigned workers = 1;
	pid_t child = fork_with_borrowed(fork_in_loop);

	if (!child) {
		CHILD_CHECK(filch_worker_id() == -1);
		use_and_stop(&workers);
		_exit(0);
	}
	end_of_child(child);
}

static void stop_in_loop(size_t from, size_t to, void *child)
{
	fork_in_loop(from, to, child);
	if (from == 0 && !*(pid_t *)child)
		only_stop(NULL);
}

/* The child stops the pool during a loop on it. */
static void stopped_in_loop(void)
{
	pid_t child = fork_with_borrowed(stop_in_loop);

	if (!child)
		_exit(filch_worker_id() == -1 ? 0 : 1);
	end_of_child(child);
}

/* The lock of the spares is locked at the fork, as if by another thread: in the child no thread will unlock it. */
static void blocking_in_loop(size_t from, size_t to, void *child)
{
	struct filchi_worker *w = filchi_worker_self();

	if (from != 0 || !pthread_equal(pthread_self(), caller))
		return;
	filch_blocking_begin();
	filchi_mutex_lock(&w->sched->spares.lock);
	fork_in_loop(from, to, child);
	if (*(pid_t *)child)
		filchi_mutex_unlock(&w->sched->spares.lock);
	else
		alarm(20);
	filch_blocking_end();
}

/* The child's thread had told the pool that it blocks. The child's pool knows nothing of that. */
static void blocked_in_loop(void)
{
	unsigned workers = 1;
	pid_t child = fork_with_borrowed(blocking_in_loop);

	if (!child) {
		use_and_stop(&workers);
		_exit(0);
	}
	end_of_child(child);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"default_pool", default_pool},
							 {"keep_awake", keep_awake},
							 {"legacy", legacy},
							 {"busy", busy},
							 {"in_job", in_job},
							 {"restart", restart},
							 {"in_loop", in_loop},
							 {"stopped_in_loop", stopped_in_loop},
							 {"blocked_in_loop", blocked_in_loop}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
