/* SPDX-License-Identifier: Apache-2.0 */
/* Deep nesting of everything that can be nested, with few workers and no spares: it ends, with the right results. */
#include "../fixtures/hostile.h"

#include <limits.h>

/* ---- tasks, loops and algorithms ---- */

FILCH_TASK(long, run_in_run, int, depth)
{
	long below;

	FILCH_SPAWN(test_fib, 6);
	below = depth ? FILCH_RUN(run_in_run, depth - 1) : 0;
	return FILCH_SYNC(test_fib) + below;
}

static void runs(void)
{
	hostile_start(2);
	for (int i = 0; i < 10; i++)
		HOSTILE_CHECK(FILCH_RUN(run_in_run, 150) == 151 * 8);
	HOSTILE_CHECK(filch_stop() == 0);
	HOSTILE_CHECK(FILCH_RUN(run_in_run, 150) == 151 * 8);
}

struct level {
	int depth;
	atomic_long *sum;
};

static void loop_body(size_t from, size_t to, void *arg)
{
	struct level *l = arg, below = {l->depth - 1, l->sum};

	for (; from < to; from++) {
		if (l->depth)
			HOSTILE_CHECK(filch_for(NULL, 0, 3, 1, loop_body, &below) == 0);
		else
			atomic_fetch_add(l->sum, 1);
	}
}

static void loops(void)
{
	atomic_long sum = 0;
	struct level top = {7, &sum};

	hostile_start(2);
	HOSTILE_CHECK(filch_for(NULL, 0, 3, 1, loop_body, &top) == 0 && sum == 6561);
	hostile_use_and_stop();
}

static int compare_with_loop(const void *a, const void *b, void *unused)
{
	atomic_long sum = 0;

	(void)unused;
	HOSTILE_CHECK(filch_for(NULL, 0, 4, 1, hostile_add, &sum) == 0 && sum == 6);
	HOSTILE_CHECK(FILCH_RUN(test_fib, 4) == 3);
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Functions that are passed to an algorithm may call any function of the library. */
static void algorithms(void)
{
	int numbers[100], stable[100];

	hostile_start(2);
	for (int i = 0; i < 100; i++)
		numbers[i] = stable[i] = i * 7919 % 100;
	HOSTILE_CHECK(filch_sort(NULL, numbers, 100, sizeof(int), compare_with_loop, NULL) == 0);
	HOSTILE_CHECK(filch_sort_stable(NULL, stable, 100, sizeof(int), compare_with_loop, NULL) == 0);
	for (int i = 0; i < 100; i++)
		HOSTILE_CHECK(numbers[i] == i && stable[i] == i);
	hostile_use_and_stop();
}

FILCH_TASK(int, one, long, number)
{
	return number >= 0;
}

FILCH_TASK(long, spawn_n, long, n)
{
	long sum = 0;

	FILCH_SPAWN_N(one, n);
	for (long i = 0; i < n; i++)
		sum += FILCH_SYNC(one);
	return sum;
}

/* Counts of 0 and less spawn nothing. */
static void spawn_n_counts(void)
{
	static const long none[] = {0, -1, -5, INT_MIN, LONG_MIN};

	hostile_start(2);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
			HOSTILE_CHECK(FILCH_RUN(spawn_n, none[i]) == 0);
		HOSTILE_CHECK(FILCH_RUN(spawn_n, 1) == 1 && FILCH_RUN(spawn_n, 63) == 63 &&
			      FILCH_RUN(spawn_n, 64) == 64);
		HOSTILE_CHECK(FILCH_RUN(spawn_n, 50000) == 50000);
		if (!pass)
			HOSTILE_CHECK(filch_stop() == 0);
	}
}

static void absurd_spawn_n_of(void *n)
{
	hostile_start(2);
	(void)FILCH_RUN(spawn_n, *(long *)n);
}

/* More tasks than any memory can take: the program crashes at once. It does not hang, and does not write elsewhere. */
static void absurd_spawn_n(void)
{
	static const long absurd[] = {1L << 40, LONG_MAX, LONG_MAX / 64 + 1};

	if (TEST_SANITIZED)
		hostile_skip("a sanitizer ends the program in its own way");
	for (size_t i = 0; i < sizeof(absurd) / sizeof(absurd[0]); i++) {
		int status = hostile_child(absurd_spawn_n_of, (void *)&absurd[i]);

		HOSTILE_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	}
}

FILCH_TASK(long, line, int, n)
{
	long rest;

	if (!n)
		return 0;
	FILCH_SPAWN(line, n - 1);
	rest = FILCH_CALL(one, n);
	return FILCH_SYNC(line) + rest;
}

/* A recursion of one line, 50,000 deep, on the default stack of a worker. TSan has 64k frames in all. */
static void recursion(void)
{
	const int deep = TEST_SANITIZED ? 5000 : 50000;

	setenv("FILCH_WORKERS", "2", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	for (int i = 0; i < 3; i++)
		HOSTILE_CHECK(FILCH_RUN(line, deep) == deep);
	hostile_use_and_stop();
}

/* ---- jobs ---- */

static int groups_below(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_group *g = NULL;

	*result = NULL;
	if (!depth)
		return 5;
	HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
	HOSTILE_CHECK(filch_group_submit(g, hostile_echo, NULL) == 0);
	HOSTILE_CHECK(filch_group_submit(g, groups_below, (void *)(depth - 1)) == 0);
	HOSTILE_CHECK(filch_group_wait(g) == 5);
	return filch_group_destroy(g);
}

/* The error of the innermost job reaches the caller through all groups. */
static void groups(void)
{
	hostile_start(2);
	HOSTILE_CHECK(hostile_job(NULL, groups_below, (void *)200) == 5);
	hostile_use_and_stop();
}

static int next_in_chain(void *arg, void **result)
{
	intptr_t left = (intptr_t)arg;

	*result = NULL;
	return left ? hostile_job(NULL, next_in_chain, (void *)(left - 1)) : 9;
}

/* Each job submits the next one and waits for it. */
static void chain(void)
{
	setenv("FILCH_WORKERS", "2", 1);
	HOSTILE_CHECK(filch_start(NULL) == 0);
	HOSTILE_CHECK(hostile_job(NULL, next_in_chain, (void *)(TEST_SANITIZED ? 3000L : 20000L)) == 9);
	hostile_use_and_stop();
}

#define LINKS 50000

static struct filch_future *links[LINKS];

static int wait_for_link(void *arg, void **result)
{
	intptr_t i = (intptr_t)arg;
	void *before = NULL;

	if (i)
		HOSTILE_CHECK(filch_future_wait(links[i - 1], &before) == 0);
	*result = (void *)((intptr_t)before + 1);
	return 0;
}

/* 50,000 futures. Each job waits for the future before. */
static void futures(void)
{
	void *result = NULL;

	hostile_start(2);
	for (intptr_t i = 0; i < LINKS; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, wait_for_link, (void *)i, &links[i]) == 0);
	HOSTILE_CHECK(filch_future_wait(links[LINKS - 1], &result) == 0 && result == (void *)LINKS);
	for (int i = 0; i < LINKS; i++)
		filch_future_destroy(links[i]);
	hostile_use_and_stop();
}

static int job_with_task(void *arg, void **result);

FILCH_TASK(int, task_with_job, int, depth)
{
	int err;

	FILCH_SPAWN(test_fib, 10);
	err = depth ? hostile_job(NULL, job_with_task, (void *)(intptr_t)(depth - 1)) : 3;
	return FILCH_SYNC(test_fib) == 55 ? err : -1;
}

static void body_with_task(size_t from, size_t to, void *answer)
{
	(void)to;
	if (from == 0)
		*(int *)answer = FILCH_RUN(task_with_job, *(int *)answer);
}

static int job_with_task(void *arg, void **result)
{
	int answer = (int)(intptr_t)arg;

	*result = NULL;
	if (answer % 2)
		return FILCH_RUN(task_with_job, answer);
	HOSTILE_CHECK(filch_for(NULL, 0, 4, 1, body_with_task, &answer) == 0);
	return answer;
}

/* Jobs wait in tasks, which wait in jobs, which wait in loops: 70 of each. */
static void jobs_in_tasks(void)
{
	hostile_start(2);
	for (int i = 0; i < 5; i++)
		HOSTILE_CHECK(hostile_job(NULL, job_with_task, (void *)70) == 3);
	hostile_use_and_stop();
}

/* ---- several pools ---- */

static struct filch_pool *pools[3];
static int pool_count;

static int next_pool(void *arg, void **result)
{
	intptr_t left = (intptr_t)arg;

	*result = NULL;
	HOSTILE_CHECK(FILCH_RUN(test_fib, 6) == 8);
	return left ? hostile_job(pools[left % pool_count], next_pool, (void *)(left - 1)) : 4;
}

static void *wait_through(void *unused)
{
	for (int i = 0; i < 2; i++)
		HOSTILE_CHECK(hostile_job(pools[0], next_pool, (void *)30) == 4);
	return unused;
}

/* Pools with one worker and no spare. Their jobs wait for each other, and several threads start such waits at once. */
static void wait_round(int count)
{
	pool_count = count;
	for (int i = 0; i < count; i++)
		pools[i] = hostile_pool(1, -1);
	hostile_threads(3, wait_through, NULL);
	for (int i = 0; i < count; i++) {
		hostile_use(pools[i]);
		HOSTILE_CHECK(filch_pool_destroy(pools[i]) == 0);
	}
}

/* Tasks that run each other's on the next pool, with spawns of their own to sync: in a circle of pools. */
FILCH_TASK(long, run_on_next, int, left)
{
	long below;

	FILCH_SPAWN(test_fib, 6);
	below = left ? FILCH_RUN_ON(pools[left % pool_count], run_on_next, left - 1) : 0;
	return FILCH_SYNC(test_fib) + below;
}

static void *run_through(void *unused)
{
	for (int i = 0; i < 2; i++)
		HOSTILE_CHECK(FILCH_RUN_ON(pools[0], run_on_next, 30) == 31 * 8);
	return unused;
}

static void run_round(int count, int workers, int spares)
{
	pool_count = count;
	for (int i = 0; i < count; i++)
		pools[i] = hostile_pool(workers, spares);
	hostile_threads(3, run_through, NULL);
	for (int i = 0; i < count; i++) {
		hostile_use(pools[i]);
		HOSTILE_CHECK(filch_pool_destroy(pools[i]) == 0);
	}
}

static void run_circle(void)
{
	run_round(2, 1, -1);
	run_round(3, 1, -1);
	run_round(2, 2, 1);
}

static void two_pools(void)
{
	wait_round(2);
}

static void three_pools(void)
{
	wait_round(3);
}

static int pool_in_job(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_pool *pool = depth % 3 ? hostile_pool(1, 0) : hostile_pool(FILCH_NONE, 0);
	int err;

	*result = NULL;
	hostile_use(pool);
	err = depth ? hostile_job(pool, pool_in_job, (void *)(depth - 1)) : 2;
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	return err;
}

/* Each job makes a pool, waits for a job of it, and destroys it. */
static void pools_in_jobs(void)
{
	hostile_start(1);
	HOSTILE_CHECK(hostile_job(NULL, pool_in_job, (void *)10) == 2);
	hostile_use_and_stop();
}

static int block_often(void *arg, void **result)
{
	for (int i = 0; i < 1000; i++)
		filch_blocking_begin();
	hostile_compute();
	HOSTILE_CHECK(hostile_job(NULL, hostile_echo, NULL) == 0);
	for (int i = 0; i < 700; i++) /* the others are forgotten, which does no harm */
		filch_blocking_end();
	return hostile_count(arg, result);
}

static void blocking(void)
{
	atomic_int count = 0;

	hostile_start(2);
	for (int i = 0; i < 20; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, block_often, &count, NULL) == 0);
	hostile_use_and_stop();
	HOSTILE_CHECK(count == 20);
}

static const struct hostile_case cases[] = {
	{"runs", runs, true},
	{"loops", loops, true},
	{"algorithms", algorithms, true},
	{"spawn_n_counts", spawn_n_counts, true},
	{"absurd_spawn_n", absurd_spawn_n, false},
	{"recursion", recursion, true},
	{"groups", groups, true},
	{"chain", chain, true},
	{"futures", futures, true},
	{"jobs_in_tasks", jobs_in_tasks, true},
	{"run_circle", run_circle, true},
	{"two_pools", two_pools, true},
	{"three_pools", three_pools, true},
	{"pools_in_jobs", pools_in_jobs, false},
	{"blocking", blocking, true},
};

HOSTILE_MAIN(cases)
