/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fork() at any moment and in any place. The child has none of the workers of its parent. It makes the default pool
 * again, and can only destroy other pools. It never waits for a thread that it does not have.
 */
#include "../fixtures/hostile.h"

#include <spawn.h>

extern char **environ;

static void use_and_stop(void *unused)
{
	(void)unused;
	hostile_use(NULL);
	while (filch_pool_workers(NULL)) /* the child inherits the count of the starts */
		HOSTILE_CHECK(filch_stop() == 0);
	hostile_compute();
}

static void child_passes(void (*run)(void *arg), void *arg)
{
	int status = hostile_child(run, arg);

	HOSTILE_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == TEST_PASS);
}

/* ---- in jobs, tasks and loops ---- */

static int fork_in_job(void *unused, void **result)
{
	*result = unused;
	child_passes(use_and_stop, NULL);
	return 0;
}

static void in_job(void)
{
	hostile_start(2);
	for (int i = 0; i < 3; i++)
		HOSTILE_CHECK(hostile_job(NULL, fork_in_job, NULL) == 0);
	hostile_use_and_stop();
}

static int wait_for_fork(void *pool, void **result)
{
	(void)result;
	return hostile_job(pool, fork_in_job, NULL);
}

/* The thread that forks runs a job of another pool, inside of a waiting job. */
static void in_job_of_other_pool(void)
{
	struct filch_pool *pool = hostile_pool(1, -1);

	hostile_start(1);
	HOSTILE_CHECK(hostile_job(NULL, wait_for_fork, pool) == 0);
	HOSTILE_CHECK(hostile_job(pool, wait_for_fork, pool) == 0);
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	hostile_use_and_stop();
}

FILCH_TASK(long, fork_in_task, int, n)
{
	long rest;

	if (n == 0) {
		child_passes(use_and_stop, NULL);
		return 1;
	}
	FILCH_SPAWN(fork_in_task, n - 1);
	FILCH_SPAWN(test_fib, 8);
	rest = FILCH_SYNC(test_fib);
	return FILCH_SYNC(fork_in_task) + (rest == 21);
}

static void in_task(void)
{
	hostile_start(2);
	HOSTILE_CHECK(FILCH_RUN(fork_in_task, 20) == 21);
	HOSTILE_CHECK(FILCH_RUN(fork_in_task, 0) == 1);
	hostile_use_and_stop();
}

static void fork_in_body(size_t from, size_t to, void *sum)
{
	if (from == 0)
		child_passes(use_and_stop, NULL);
	hostile_add(from, to, sum);
}

static void in_loop(void)
{
	atomic_long sum = 0;

	hostile_start(2);
	for (int i = 0; i < 3; i++)
		HOSTILE_CHECK(filch_for(NULL, 0, 100, 10, fork_in_body, &sum) == 0);
	HOSTILE_CHECK(sum == 3 * 4950);
	hostile_use_and_stop();
}

static void fork_in_drop(void *count)
{
	child_passes(use_and_stop, NULL);
	hostile_drop(count);
}

/* A job is cancelled before it begins: the thread that cancels calls drop. */
static void in_drop(void)
{
	atomic_int count = 0;
	struct filch_group *g;

	hostile_start(FILCH_NONE);
	HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
	HOSTILE_CHECK(filch_group_submit_or_drop(g, hostile_count, fork_in_drop, &count) == 0);
	HOSTILE_CHECK(filch_group_cancel(g) == 0 && count == 1);
	HOSTILE_CHECK(filch_group_destroy(g) == -ECANCELED);
	hostile_use_and_stop();
}

/* ---- in functions that workers call when they begin and end ---- */

static atomic_int forked;

static void start_another(void *unused)
{
	(void)unused;
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use_and_stop();
}

static void fork_once(int worker, void *context)
{
	(void)worker;
	(void)context;
	if (!atomic_exchange(&forked, 1))
		child_passes(start_another, NULL);
}

static void in_worker_begin(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .worker_begin = fork_once};

	HOSTILE_CHECK(filch_start(&options) == 0);
	hostile_use_and_stop();
	HOSTILE_CHECK(forked);
}

static void in_worker_end(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .worker_end = fork_once};

	HOSTILE_CHECK(filch_start(&options) == 0);
	hostile_use_and_stop();
	HOSTILE_CHECK(forked);
}

/* ---- while other threads use the pool ---- */

static atomic_int over;

static void *start_and_stop(void *unused)
{
	while (!atomic_load(&over)) {
		HOSTILE_CHECK(filch_start(NULL) == 0);
		hostile_compute();
		HOSTILE_CHECK(filch_stop() == 0);
	}
	return unused;
}

static void start_use_stop(void *unused)
{
	(void)unused;
	HOSTILE_CHECK(filch_start(NULL) == 0);
	hostile_use(NULL);
	while (filch_pool_workers(NULL))
		HOSTILE_CHECK(filch_stop() == 0);
}

static void fork_against(void *(*other)(void *), void (*run)(void *), int times)
{
	pthread_t threads[2] = {hostile_thread(other, NULL), hostile_thread(other, NULL)};

	for (int i = 0; i < times; i++) {
		child_passes(run, NULL);
		hostile_sleep(300);
	}
	atomic_store(&over, 1);
	for (int i = 0; i < 2; i++)
		HOSTILE_CHECK(!pthread_join(threads[i], NULL));
}

static void against_start_and_stop(void)
{
	setenv("FILCH_STACK", "1m", 1);
	setenv("FILCH_WORKERS", "2", 1);
	fork_against(start_and_stop, start_use_stop, 20);
}

static void *keep_using(void *unused)
{
	while (!atomic_load(&over))
		hostile_use(NULL);
	return unused;
}

static void against_use(void)
{
	hostile_start(2);
	fork_against(keep_using, use_and_stop, 8);
	hostile_use_and_stop();
}

static void *create_and_destroy(void *unused)
{
	while (!atomic_load(&over)) {
		struct filch_pool *pool = hostile_pool(2, 1);

		HOSTILE_CHECK(filch_pool_submit(pool, hostile_echo, NULL, NULL) == 0);
		HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	}
	return unused;
}

static void use_own_pool(void *unused)
{
	struct filch_pool *pool = hostile_pool(2, 0);

	(void)unused;
	hostile_use(pool);
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
}

static void against_create_and_destroy(void)
{
	fork_against(create_and_destroy, use_own_pool, 20);
}

static void *keep_blocking(void *unused)
{
	while (!atomic_load(&over)) {
		struct filch_pool *pool = hostile_pool(1, 1);

		filch_pool_keep_awake_begin(NULL);
		HOSTILE_CHECK(hostile_job(pool, wait_for_fork, pool) == 0);
		filch_pool_keep_awake_end(NULL);
		HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	}
	return unused;
}

/* Several threads fork at once, in waiting jobs, while spares start. */
static void against_each_other(void)
{
	hostile_start(2);
	fork_against(keep_blocking, use_and_stop, 10);
	hostile_use_and_stop();
}

/* ---- things of the parent in the child ---- */

struct legacy {
	atomic_int gate, begun, dropped;
	struct filch_pool *pool;
	struct filch_future *running, *queued;
	struct filch_group *group;
};

static int hold(void *arg, void **result)
{
	struct legacy *l = arg;

	(void)result;
	atomic_store(&l->begun, 1);
	hostile_await(&l->gate, 1);
	return 0;
}

static void inherit(void *arg)
{
	struct legacy *l = arg;

	HOSTILE_CHECK(filch_pool_submit(l->pool, hostile_echo, NULL, NULL) == -ESHUTDOWN);
	HOSTILE_CHECK(filch_future_cancel(l->queued) == 0);
	HOSTILE_CHECK(filch_future_cancel(l->running) == 0);
	HOSTILE_CHECK(filch_future_wait(l->running, NULL) == -ESHUTDOWN);
	HOSTILE_CHECK(filch_future_wait_for(l->running, UINT64_MAX, NULL) == -ESHUTDOWN);
	HOSTILE_CHECK(filch_group_cancel(l->group) == 0);
	HOSTILE_CHECK(filch_group_submit(l->group, hostile_echo, NULL) == -ESHUTDOWN);
	HOSTILE_CHECK(filch_group_wait(l->group) == -ESHUTDOWN);
	HOSTILE_CHECK(filch_group_destroy(l->group) == -ESHUTDOWN);
	filch_future_destroy(l->running);
	filch_future_destroy(l->queued);
	filch_pool_keep_awake_begin(l->pool);
	filch_pool_keep_awake_end(l->pool);
	HOSTILE_CHECK(filch_pool_workers(l->pool) == 0 && filch_pool_worker_ids(l->pool) == 1);
	HOSTILE_CHECK(filch_pool_destroy(l->pool) == 0);
	use_and_stop(NULL);
}

/* The child may cancel, free and destroy everything that it inherits. The parent does not notice. */
static void legacy(void)
{
	static struct legacy l;
	atomic_int count = 0;

	hostile_start(2);
	l.pool = hostile_pool(1, -1);
	HOSTILE_CHECK(filch_pool_submit(l.pool, hold, &l, &l.running) == 0);
	hostile_await(&l.begun, 1);
	HOSTILE_CHECK(filch_pool_submit_or_drop(l.pool, hostile_count, hostile_drop, &count, &l.queued) == 0);
	HOSTILE_CHECK(filch_group_create(&l.group, l.pool) == 0);
	HOSTILE_CHECK(filch_group_submit_or_drop(l.group, hostile_count, hostile_drop, &count) == 0);
	child_passes(inherit, &l);
	HOSTILE_CHECK(count == 0);
	atomic_store(&l.gate, 1);
	HOSTILE_CHECK(filch_group_destroy(l.group) == 0 && filch_future_wait(l.queued, NULL) == 0 && count == 2);
	filch_future_destroy(l.running);
	filch_future_destroy(l.queued);
	HOSTILE_CHECK(filch_pool_destroy(l.pool) == 0);
	hostile_use_and_stop();
}

static struct filch_local *local;

static int value(void *expected, void **result)
{
	int *storage = filch_local_get(local);

	*result = NULL;
	HOSTILE_CHECK(storage && *storage == *(int *)expected);
	return ++*storage;
}

static void storage_goes_on(void *unused)
{
	int expected = 8;

	(void)unused;
	HOSTILE_CHECK(hostile_job(NULL, value, &expected) == 9);
	use_and_stop(NULL);
	filch_local_destroy(local);
}

static int fork_with_storage(void *unused, void **result)
{
	*result = unused;
	child_passes(storage_goes_on, NULL);
	return 0;
}

static void set_seven(void *storage, void *unused)
{
	(void)unused;
	*(int *)storage = 7;
}

/* The child has the storage of the default pool, with its values. It changes only its own copy. */
static void storage(void)
{
	int expected = 7;

	setenv("FILCH_SPARES", "0", 1);
	hostile_start(1);
	HOSTILE_CHECK(filch_local_create(&local, NULL, sizeof(int), set_seven, NULL, NULL) == 0);
	HOSTILE_CHECK(hostile_job(NULL, value, &expected) == 8);
	child_passes(storage_goes_on, NULL);
	HOSTILE_CHECK(hostile_job(NULL, fork_with_storage, NULL) == 0);
	expected = 8;
	HOSTILE_CHECK(hostile_job(NULL, value, &expected) == 9);
	hostile_use_and_stop();
	filch_local_destroy(local);
}

static int ask(void *unused, void **result)
{
	*result = unused;
	return *(int *)filch_local_get(local);
}

static void init_again(void *count)
{
	HOSTILE_CHECK(hostile_job(NULL, ask, NULL) == 7 && *(atomic_int *)count == 2);
	use_and_stop(NULL);
}

static void init_and_fork(void *storage, void *count)
{
	if (!atomic_fetch_add((atomic_int *)count, 1))
		child_passes(init_again, count);
	set_seven(storage, NULL);
}

/* fork() in init: the child calls init again. */
static void storage_in_init(void)
{
	atomic_int count = 0;

	hostile_start(1);
	HOSTILE_CHECK(filch_local_create(&local, NULL, sizeof(int), init_and_fork, NULL, &count) == 0);
	HOSTILE_CHECK(hostile_job(NULL, ask, NULL) == 7 && count == 1);
	hostile_use_and_stop();
	filch_local_destroy(local);
}

static void fork_again(void *depth)
{
	hostile_use(NULL);
	if (depth)
		child_passes(fork_again, (char *)depth - 1);
	use_and_stop(NULL);
}

static void grandchildren(void)
{
	hostile_start(2);
	fork_again((void *)6);
}

/* The first parent ends at once, like the parent of a daemon. Its child reports success through a pipe. */
static void daemon_style(void)
{
	int ends[2];
	char byte = 0;
	pid_t child;

	HOSTILE_CHECK(!pipe(ends));
	hostile_start(2);
	hostile_use(NULL);
	child = fork();
	HOSTILE_CHECK(child >= 0);
	if (!child) {
		if (fork())
			_exit(0);
		use_and_stop(NULL);
		_exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
	}
	close(ends[1]);
	HOSTILE_CHECK(waitpid(child, NULL, 0) == child);
	HOSTILE_CHECK(read(ends[0], &byte, 1) == 1 && byte == 'x');
	hostile_use_and_stop();
}

static void leave_by_exit(void *unused)
{
	(void)unused;
	hostile_use(NULL);
	exit(TEST_PASS);
}

static int fork_and_exit(void *unused, void **result)
{
	*result = unused;
	child_passes(leave_by_exit, NULL);
	return 0;
}

/* exit() with its handlers, while the pool runs: in a child of a job, and in a child of the main thread. */
static void exits(void)
{
	hostile_start(2);
	HOSTILE_CHECK(hostile_job(NULL, fork_and_exit, NULL) == 0);
	child_passes(leave_by_exit, NULL);
	hostile_use_and_stop();
}

static int spawn_program(void *count, void **result)
{
	char *argv[] = {"true", NULL};
	int status = -1;
	pid_t pid;

	HOSTILE_CHECK(!posix_spawnp(&pid, "true", NULL, NULL, argv, environ));
	HOSTILE_CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	return hostile_count(count, result);
}

static void programs(void)
{
	atomic_int count = 0;

	hostile_start(4);
	for (int i = 0; i < 20; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, spawn_program, &count, NULL) == 0);
	hostile_use_and_stop();
	HOSTILE_CHECK(count == 20);
}

static const struct hostile_case cases[] = {
	{"in_job", in_job, true},
	{"in_job_of_other_pool", in_job_of_other_pool, true},
	{"in_task", in_task, true},
	{"in_loop", in_loop, true},
	{"in_drop", in_drop, false},
	{"in_worker_begin", in_worker_begin, false},
	{"in_worker_end", in_worker_end, false},
	{"against_start_and_stop", against_start_and_stop, false},
	{"against_use", against_use, true},
	{"against_create_and_destroy", against_create_and_destroy, false},
	{"against_each_other", against_each_other, false},
	{"legacy", legacy, true},
	{"storage", storage, false},
	{"storage_in_init", storage_in_init, false},
	{"grandchildren", grandchildren, false},
	{"daemon_style", daemon_style, false},
	{"exits", exits, false},
	{"programs", programs, false},
};

HOSTILE_MAIN(cases)
