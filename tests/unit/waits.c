/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that could go wrong: in circles, through several pools, in long chains, without workers; misused futures. */
#include "../fixtures/pool/pools.h"
#include "../fixtures/sanitizer.h"

#include <errno.h>
#include <filch/algo.h>
#include <filch/task.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* ---- circles ---- */

static struct filch_future *_Atomic circle[4];
static atomic_int circle_size, ready, told;

static int next_in_circle(void *arg, void **result)
{
	int me = (int)(intptr_t)arg, err;

	(void)result;
	atomic_fetch_add(&ready, 1);
	test_await(&ready, atomic_load(&circle_size) + 1);
	err = filch_future_wait(atomic_load(&circle[(me + 1) % atomic_load(&circle_size)]), NULL);
	if (err == -EDEADLK)
		atomic_fetch_add(&told, filch_error_message()[0] != 0);
	return err;
}

/*
 * Each job waits for the next one. At least one wait fails with -EDEADLK. Its job returns the error, and so all jobs
 * end.
 */
static void futures_in_circle(void)
{
	for (int size = 2; size <= 4; size++)
		for (int spares = -1; spares <= 4; spares += 5) {
			struct filch_pool *pool = test_pool(4, spares, NULL);
			struct filch_future *f[4];

			atomic_store(&circle_size, size);
			atomic_store(&ready, 0);
			atomic_store(&told, 0);
			for (int i = 0; i < size; i++)
				TEST_CHECK(filch_pool_submit(pool, next_in_circle, (void *)(intptr_t)i, &f[i]) == 0);
			for (int i = 0; i < size; i++)
				atomic_store(&circle[i], f[i]);
			atomic_fetch_add(&ready, 1);
			for (int i = 0; i < size; i++) {
				TEST_CHECK(filch_future_wait(f[i], NULL) == -EDEADLK);
				filch_future_destroy(f[i]);
			}
			TEST_CHECK(atomic_load(&told) >= 1);
			TEST_CHECK(filch_pool_destroy(pool) == 0);
		}
}

static struct filch_group *groups[2];

static int wait_for_other_group(void *arg, void **result)
{
	int err;

	(void)result;
	atomic_fetch_add(&ready, 1);
	test_await(&ready, 2);
	err = filch_group_wait(groups[!(intptr_t)arg]);
	return err;
}

static void groups_in_circle(void)
{
	for (int pools = 1; pools <= 2; pools++) {
		struct filch_pool *pool[2] = {test_pool(2, 0, NULL), test_pool(2, 0, NULL)};

		atomic_store(&ready, 0);
		for (int i = 0; i < 2; i++)
			TEST_CHECK(filch_group_create(&groups[i], pool[i % pools]) == 0);
		for (int i = 0; i < 2; i++)
			TEST_CHECK(filch_group_submit(groups[i], wait_for_other_group, (void *)(intptr_t)i) == 0);
		/* The wait of one member failed. The other member has the error of the first group. */
		for (int i = 0; i < 2; i++)
			TEST_CHECK(filch_group_wait(groups[i]) == -EDEADLK);
		for (int i = 0; i < 2; i++) {
			TEST_CHECK(filch_group_destroy(groups[i]) == -EDEADLK);
			TEST_CHECK(filch_pool_destroy(pool[i]) == 0);
		}
	}
}

/* ---- several pools ---- */

static struct filch_pool *pools[3];
static atomic_int strangers, stored;
static struct filch_local *local;

static int across(void *arg, void **result)
{
	intptr_t left = (intptr_t)arg;
	struct filch_future *f;
	int *mine = filch_local_get(local), err;

	(void)result;
	/* The thread may be no worker of the pool: each thread has its own storage. */
	TEST_CHECK(mine || left % 2 == 0);
	if (mine)
		atomic_fetch_add(&stored, ++*mine > 0);
	atomic_fetch_add(&strangers, filch_worker_id() < 0);
	if (!left)
		return 0;
	err = filch_pool_submit(pools[left % 2], across, (void *)(left - 1), &f);
	if (err)
		return err;
	err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	return err;
}

static void pools_wait_for_each_other(void)
{
	for (int spares = -1; spares <= 2; spares++) {
		struct filch_future *f[4];

		for (int i = 0; i < 2; i++)
			pools[i] = test_pool(2, spares, NULL);
		TEST_CHECK(filch_local_create(&local, pools[0], sizeof(int), NULL, NULL, NULL) == 0);
		for (int i = 0; i < 4; i++)
			TEST_CHECK(filch_pool_submit(pools[i % 2], across, (void *)(intptr_t)(64 + !(i % 2)), &f[i]) ==
				   0);
		for (int i = 0; i < 4; i++) {
			TEST_CHECK(filch_future_wait(f[i], NULL) == 0);
			filch_future_destroy(f[i]);
		}
		filch_local_destroy(local);
		for (int i = 0; i < 2; i++)
			TEST_CHECK(filch_pool_destroy(pools[i]) == 0);
	}
}

FILCH_TASK(int, count_up, int, n)
{
	if (n < 2)
		return n;
	FILCH_SPAWN(count_up, n / 2);
	int b = FILCH_CALL(count_up, n - n / 2);
	return FILCH_SYNC(count_up) + b;
}

static void add_part(size_t from, size_t to, void *value, void *arg)
{
	(void)arg;
	*(size_t *)value += to - from;
}

static void add_sums(void *value, const void *right, void *arg)
{
	(void)arg;
	*(size_t *)value += *(const size_t *)right;
}

/* Does everything that a job may do. */
static int work(void *arg, void **result)
{
	struct filch_reduce_options sum = {
		.struct_size = sizeof(sum), .value_size = sizeof(size_t), .fold = add_part, .combine = add_sums};
	size_t total;

	(void)result;
	atomic_fetch_add(&strangers, filch_worker_id() < 0);
	TEST_CHECK(FILCH_RUN(count_up, 1000) == 1000);
	TEST_CHECK(filch_reduce(NULL, 0, 100000, &sum, &total) == 0 && total == 100000);
	/* NULL is the pool of the job here as well. */
	TEST_CHECK(filch_pool_workers(NULL) == filch_pool_workers(arg));
	return 0;
}

/* The member is queued in a pool whose only worker waits for the group, through another pool. */
static int wait_for_group_of_second(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return filch_group_wait(groups[1]);
}

static int wait_for_job_of_second(void *arg, void **result)
{
	struct filch_future *f;
	int err;

	(void)arg;
	(void)result;
	err = filch_pool_submit(pools[0], wait_for_group_of_second, NULL, &f);
	if (err)
		return err;
	err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	return err;
}

static void stalled_group(void)
{
	struct filch_future *f;

	pools[0] = test_pool(1, -1, NULL);
	pools[1] = test_pool(1, -1, NULL);
	for (int i = 0; i < 50; i++) {
		atomic_store(&strangers, 0);
		TEST_CHECK(filch_group_create(&groups[1], pools[1]) == 0);
		TEST_CHECK(filch_pool_submit(pools[1], wait_for_job_of_second, NULL, &f) == 0);
		for (int k = 0; k < 3; k++)
			TEST_CHECK(filch_group_submit(groups[1], work, pools[1]) == 0);
		TEST_CHECK(filch_future_wait(f, NULL) == 0);
		filch_future_destroy(f);
		TEST_CHECK(filch_group_destroy(groups[1]) == 0);
	}
	for (int i = 0; i < 2; i++)
		TEST_CHECK(filch_pool_destroy(pools[i]) == 0);
}

/* The same circle through tasks: the worker sleeps in the join of a stolen task, not in a wait. */
FILCH_TASK(int, wait_in_task, int, n)
{
	struct filch_future *f;
	int err;

	if (n > 1) {
		FILCH_SPAWN(wait_in_task, n / 2);
		err = FILCH_CALL(wait_in_task, n - n / 2);
		return FILCH_SYNC(wait_in_task) + err;
	}
	err = filch_pool_submit(pools[1], work, pools[1], &f);
	if (err)
		return err;
	err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	return err;
}

static int run_tasks_that_wait(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return FILCH_RUN(wait_in_task, 16);
}

static int wait_for_tasks(void *arg, void **result)
{
	struct filch_future *f;
	int err;

	(void)result;
	err = filch_pool_submit(pools[0], run_tasks_that_wait, arg, &f);
	if (err)
		return err;
	err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	return err;
}

static void stalled_in_join(void)
{
	pools[0] = test_pool(2, -1, "chase_lev");
	pools[1] = test_pool(1, -1, NULL);
	for (int i = 0; i < 50; i++) {
		TEST_CHECK(test_job(pools[1], wait_for_tasks, NULL) == 0);
	}
	for (int i = 0; i < 2; i++)
		TEST_CHECK(filch_pool_destroy(pools[i]) == 0);
}

/* NULL is the pool that runs the job, also if the job runs in another pool beside the default pool. */
static int look_at_null(void *arg, void **result)
{
	struct filch_group *g;

	(void)result;
	TEST_CHECK(filch_pool_workers(NULL) == filch_pool_workers(arg));
	TEST_CHECK(test_job(NULL, work, arg) == 0);
	TEST_CHECK(filch_group_create(&g, NULL) == 0);
	TEST_CHECK(filch_group_submit(g, work, arg) == 0);
	TEST_CHECK(filch_group_destroy(g) == 0);
	return 0;
}

static void null_is_own_pool(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 3};

	TEST_CHECK(filch_start(&options) == 0);
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_pool *pool = test_pool(test_workers[i], 0, NULL);
		struct filch_stats before = {.struct_size = sizeof(before)}, after = before;

		TEST_CHECK(filch_pool_stats(NULL, -1, &before) == 0);
		TEST_CHECK(test_job(pool, look_at_null, pool) == 0);
		TEST_CHECK(filch_pool_stats(NULL, -1, &after) == 0 && after.jobs == before.jobs);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
	TEST_CHECK(filch_stop() == 0);
}

/* ---- chains ---- */

static int chain(void *arg, void **result)
{
	intptr_t left = (intptr_t)arg;
	struct filch_future *f;
	int err = 0;

	(void)result;
	if (!left)
		return 0;
	err = filch_pool_submit(NULL, chain, (void *)(left - 1), &f);
	if (!err)
		err = filch_future_wait(f, NULL);
	filch_future_destroy(f);
	return err;
}

static double chain_seconds(struct filch_pool *pool, intptr_t depth)
{
	struct timespec a, b;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	TEST_CHECK(test_job(pool, chain, (void *)depth) == 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
}

/*
 * Processor time must grow in proportion to the depth. If it grew with the square, 16 times the depth would take 256
 * times as long. The limit is far from both.
 */
static void long_chains(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 1, .stack = 256 << 20};
	struct filch_pool *pool;
	double shallow = 1e9, deep = 1e9;

	TEST_CHECK(filch_pool_create(&pool, &options) == 0);
	for (int i = 0; i < 5; i++) {
		/* TSan allows 65,536 nested calls. */
		double a = chain_seconds(pool, TEST_SANITIZED ? 500 : 2500);
		double b = chain_seconds(pool, TEST_SANITIZED ? 8000 : 40000);

		shallow = a < shallow ? a : shallow;
		deep = b < deep ? b : deep;
	}
	TEST_CHECK(deep < 100 * shallow + 0.05);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* ---- without workers ---- */

static int order[10000];
static int ordered;

static int note(void *arg, void **result)
{
	(void)result;
	order[ordered++] = (int)(intptr_t)arg;
	return 0;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int lock_and_note(void *arg, void **result)
{
	pthread_mutex_lock(&mutex);
	note(arg, result);
	pthread_mutex_unlock(&mutex);
	return 0;
}

static int submit_next(void *arg, void **result)
{
	intptr_t left = (intptr_t)arg;

	ordered++;
	(void)result;
	return left ? filch_pool_submit(NULL, submit_next, (void *)(left - 1), NULL) : 0;
}

static void serial_lock(struct filch_pool *pool)
{
	struct filch_future *f;

	ordered = 0;
	pthread_mutex_lock(&mutex);
	TEST_CHECK(filch_pool_submit(pool, lock_and_note, (void *)7, &f) == 0);
	pthread_mutex_unlock(&mutex);
	TEST_CHECK(filch_future_wait(f, NULL) == 0 && ordered == 1 && order[0] == 7);
	filch_future_destroy(f);
	/* A loop of tries ends. */
	TEST_CHECK(filch_pool_submit(pool, note, (void *)8, &f) == 0);
	while (filch_future_try_wait(f, NULL) == -EAGAIN)
		;
	TEST_CHECK(ordered == 2);
	filch_future_destroy(f);
}

/* A job runs at once if a thread waits for it. The other jobs run at the end, the oldest first, and none is lost. */
static void serial_order(void)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);
	int waited = 0;

	serial_lock(pool);
	ordered = 0;
	for (intptr_t i = 0; i < 3000; i++) {
		struct filch_future *f = NULL;
		bool wait = i % 3 != 0;

		TEST_CHECK(filch_pool_submit(pool, note, (void *)i, wait ? &f : NULL) == 0);
		if (wait) {
			TEST_CHECK(filch_future_wait(f, NULL) == 0 && order[ordered - 1] == i);
			filch_future_destroy(f);
			waited++;
		}
	}
	TEST_CHECK(ordered == waited);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(ordered == 3000);
	for (int i = waited; i < 3000; i++)
		TEST_CHECK(order[i] == 3 * (i - waited));
}

static void *serial_chain(void *unused)
{
	struct filch_pool *pool = test_pool(FILCH_NONE, 0, NULL);

	ordered = 0;
	TEST_CHECK(test_job(pool, submit_next, (void *)299999) == 0);
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	TEST_CHECK(ordered == 300000);
	return unused;
}

/* Each job submits the next one: this takes no stack. */
static void serial_chains(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 20);
	TEST_CHECK(!pthread_create(&thread, &attr, serial_chain, NULL));
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

static int destroy_own(void *arg, void **result)
{
	(void)result;
	return filch_pool_destroy(arg);
}

static int start_and_stop(void *arg, void **result)
{
	(void)arg;
	(void)result;
	TEST_CHECK(filch_start(NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
	return filch_stop();
}

static int hand_back(void *arg, void **result)
{
	*result = arg;
	return 0;
}

/* ---- any of several ---- */

static atomic_int doors[4];

static int until_door_opens(void *arg, void **result)
{
	*result = arg;
	test_await(&doors[(intptr_t)arg], 1);
	return (int)(intptr_t)arg;
}

static int wait_any_inside(void *arg, void **result)
{
	struct filch_future *f[3];
	size_t which = 9;

	(void)result;
	for (intptr_t i = 0; i < 3; i++)
		TEST_CHECK(filch_pool_submit(arg, hand_back, (void *)i, &f[i]) == 0);
	TEST_CHECK(filch_future_wait_any(f, 3, UINT64_MAX, &which) == 0 && which < 3);
	for (int i = 0; i < 3; i++) {
		TEST_CHECK(filch_future_wait(f[i], NULL) == 0);
		filch_future_destroy(f[i]);
	}
	return 0;
}

static void *open_door(void *n)
{
	usleep(2000);
	atomic_store(&doors[(intptr_t)n], 1);
	return NULL;
}

static void wait_any(void)
{
	struct filch_pool *pool = test_pool(4, 0, NULL);
	struct filch_future *f[4];
	pthread_t thread;
	size_t which = 9;

	TEST_CHECK(filch_future_wait_any(NULL, 1, 0, &which) == -EINVAL &&
		   !strcmp(filch_error_message(), "futures is NULL"));
	TEST_CHECK(filch_future_wait_any(f, 0, 0, &which) == -EINVAL && !strcmp(filch_error_message(), "count is 0"));
	for (int round = 0; round < 20; round++) {
		for (intptr_t i = 0; i < 4; i++) {
			atomic_store(&doors[i], 0);
			TEST_CHECK(filch_pool_submit(pool, until_door_opens, (void *)i, &f[i]) == 0);
		}
		TEST_CHECK(filch_future_wait_any(f, 4, 100000, &which) == -ETIMEDOUT && which == 9);
		TEST_CHECK(!pthread_create(&thread, NULL, open_door, (void *)(intptr_t)(round % 4)));
		TEST_CHECK(filch_future_wait_any(f, 4, UINT64_MAX, &which) == 0 && which == (size_t)round % 4);
		pthread_join(thread, NULL);
		/* Finished futures stay finished. */
		TEST_CHECK(filch_future_wait_any(f, 4, 0, NULL) == 0);
		for (int i = 0; i < 4; i++)
			atomic_store(&doors[i], 1);
		for (int i = 0; i < 4; i++) {
			TEST_CHECK(filch_future_wait(f[i], NULL) == i);
			filch_future_destroy(f[i]);
		}
		which = 9;
	}
	TEST_CHECK(filch_pool_destroy(pool) == 0);
	/* In a job: its worker runs one of the jobs if no other worker does. */
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_future *g;

		pool = test_pool(test_workers[i], -1, NULL);
		TEST_CHECK(filch_pool_submit(pool, wait_any_inside, pool, &g) == 0);
		TEST_CHECK(filch_future_wait(g, NULL) == 0);
		filch_future_destroy(g);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

/* ---- starts are counted ---- */

static void counted_starts(void)
{
	for (size_t i = 0; i < TEST_WORKERS; i++) {
		struct filch_options options = {.struct_size = sizeof(options), .workers = test_workers[i]};
		struct filch_pool *pool = test_pool(test_workers[i], 0, NULL);

		TEST_CHECK(filch_start(&options) == 0);
		TEST_CHECK(filch_start(NULL) == 0);
		TEST_CHECK(filch_start(&options) == -EALREADY && filch_error_message()[0]);
		TEST_CHECK(filch_stop() == 0);
		TEST_CHECK(test_job(NULL, start_and_stop, NULL) == -EDEADLK);
		TEST_CHECK(filch_stop() == 0);
		TEST_CHECK(filch_pool_submit(NULL, note, NULL, NULL) == -ESHUTDOWN);
		TEST_CHECK(filch_stop() == 0);
		TEST_CHECK(test_job(pool, destroy_own, pool) == -EDEADLK);
		TEST_CHECK(filch_pool_destroy(pool) == 0);
	}
}

/* ---- futures that were freed ---- */

static void free_twice(void *workers)
{
	struct filch_pool *pool = test_pool((int)(intptr_t)workers, -1, NULL);
	struct filch_future *f, *g[40];

	TEST_CHECK(filch_pool_submit(pool, hand_back, NULL, &f) == 0);
	TEST_CHECK(filch_future_wait(f, NULL) == 0);
	usleep(20000); /* until the worker has dropped its reference: before, the mistake does no harm */
	filch_future_destroy(f);
	for (intptr_t i = 0; i < 40; i++) {
		TEST_CHECK(filch_pool_submit(pool, hand_back, (void *)(i + 1), &g[i]) == 0);
		if (!i) {
			usleep(20000);
			filch_future_destroy(f);
			TEST_CHECK(filch_future_wait(f, NULL) == -EINVAL || f == g[0]);
		}
	}
	for (intptr_t i = 0; i < 40; i++) {
		void *result = NULL;

		TEST_CHECK(filch_future_wait(g[i], &result) == 0 && result == (void *)(i + 1));
		filch_future_destroy(g[i]);
	}
	TEST_CHECK(filch_pool_destroy(pool) == 0);
}

/* The mistake does no harm, or a build with assertions stops the program. */
static void freed_twice(void)
{
	for (int workers = -1; workers <= 1; workers += 2) {
		int status = test_in_child(free_twice, (void *)(intptr_t)workers);

		TEST_CHECK(status == 0 || status == -1);
	}
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"futures_in_circle", futures_in_circle},
							 {"groups_in_circle", groups_in_circle},
							 {"pools_wait", pools_wait_for_each_other},
							 {"stalled_group", stalled_group},
							 {"stalled_in_join", stalled_in_join},
							 {"null_is_own_pool", null_is_own_pool},
							 {"long_chains", long_chains},
							 {"serial_order", serial_order},
							 {"serial_chains", serial_chains},
							 {"wait_any", wait_any},
							 {"counted_starts", counted_starts},
							 {"freed_twice", freed_twice}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
