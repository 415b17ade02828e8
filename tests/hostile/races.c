/* SPDX-License-Identifier: Apache-2.0 */
/* Two operations at once: start and stop, submit and stop, destroy and finish. No job is lost, and no call hangs. */
#include "../fixtures/hostile.h"

static atomic_int over, accepted, run_count, dropped;

static int run_it(void *unused, void **result)
{
	*result = unused;
	return hostile_count(&run_count, result);
}

static void drop_it(void *unused)
{
	(void)unused;
	atomic_fetch_add(&dropped, 1);
}

/* ---- the default pool ---- */

static void small_pools(void)
{
	setenv("FILCH_WORKERS", "2", 1);
	setenv("FILCH_STACK", "1m", 1);
}

static void *start_use_stop(void *unused)
{
	for (int i = 0; i < 30; i++) {
		HOSTILE_CHECK(filch_start(NULL) == 0);
		hostile_use(NULL);
		HOSTILE_CHECK(filch_stop() == 0);
	}
	return unused;
}

/* Starts are counted: a pool exists until each thread that started it has stopped it. */
static void starts_and_stops(void)
{
	small_pools();
	hostile_threads(6, start_use_stop, NULL);
	HOSTILE_CHECK(filch_pool_workers(NULL) == 0);
}

static void *stop_often(void *unused)
{
	for (int i = 0; i < 50; i++)
		HOSTILE_CHECK(filch_stop() == 0);
	return unused;
}

static void many_stops(void)
{
	small_pools();
	for (int i = 0; i < 5; i++) {
		HOSTILE_CHECK(filch_start(NULL) == 0);
		hostile_use(NULL);
		hostile_threads(6, stop_often, NULL);
		HOSTILE_CHECK(filch_pool_workers(NULL) == 0);
	}
}

static void *submit_until_over(void *unused)
{
	while (!atomic_load(&over)) {
		struct filch_future *f = NULL;
		int err = filch_pool_submit_or_drop(NULL, run_it, drop_it, NULL, &f);

		HOSTILE_CHECK(err == 0 || (err == -ESHUTDOWN && !f));
		if (err)
			continue;
		atomic_fetch_add(&accepted, 1);
		HOSTILE_CHECK(filch_future_wait(f, NULL) == 0);
		filch_future_destroy(f);
	}
	return unused;
}

static void *compute_until_over(void *unused)
{
	while (!atomic_load(&over))
		hostile_compute();
	return unused;
}

static void *ask_until_over(void *unused)
{
	while (!atomic_load(&over)) {
		struct filch_stats stats = {.struct_size = sizeof(stats)};

		HOSTILE_CHECK(filch_pool_workers(NULL) <= 2 && filch_pool_worker_ids(NULL) <= 4 &&
			      filch_worker_id() == -1);
		HOSTILE_CHECK(filch_pool_stats(NULL, -1, &stats) == 0);
		filch_pool_keep_awake_begin(NULL);
		filch_pool_keep_awake_end(NULL);
	}
	return unused;
}

static void restart_against(void *(*other)(void *), int threads)
{
	pthread_t thread[4];

	small_pools();
	for (int i = 0; i < threads; i++)
		thread[i] = hostile_thread(other, NULL);
	for (int i = 0; i < 20; i++) {
		HOSTILE_CHECK(filch_start(NULL) == 0);
		hostile_sleep(200);
		HOSTILE_CHECK(filch_stop() == 0);
	}
	atomic_store(&over, 1);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	HOSTILE_CHECK(accepted == run_count && dropped == 0);
}

static void submit_against_stop(void)
{
	restart_against(submit_until_over, 3);
}

static void compute_against_stop(void)
{
	restart_against(compute_until_over, 3);
}

static void ask_against_stop(void)
{
	restart_against(ask_until_over, 2);
}

/* ---- pools in jobs ---- */

static int make_pool(void *unused, void **result)
{
	struct filch_pool *pool = hostile_pool(2, 1);

	(void)unused;
	for (int i = 0; i < 10; i++)
		HOSTILE_CHECK(filch_pool_submit(pool, run_it, NULL, NULL) == 0);
	HOSTILE_CHECK(filch_pool_destroy(pool) == 0);
	*result = NULL;
	return 0;
}

static void pools_in_jobs(void)
{
	hostile_start(4);
	for (int i = 0; i < 20; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, make_pool, NULL, NULL) == 0);
	hostile_use_and_stop();
	HOSTILE_CHECK(run_count == 200);
}

static struct filch_pool *left, *right;

static int wait_for_other(void *arg, void **result)
{
	intptr_t depth = (intptr_t)arg;
	struct filch_future *f = NULL;
	int err = 0;

	if (depth)
		err = filch_pool_submit(depth % 2 ? right : left, wait_for_other, (void *)(depth - 1), &f);
	HOSTILE_CHECK(err == 0 || err == -ESHUTDOWN);
	if (f)
		err = filch_future_wait(f, NULL);
	HOSTILE_CHECK(err == 0 || err == -ESHUTDOWN || err == -EDEADLK);
	filch_future_destroy(f);
	return run_it(NULL, result);
}

static void *destroy_right(void *unused)
{
	HOSTILE_CHECK(filch_pool_destroy(right) == 0);
	return unused;
}

/* Two pools whose jobs submit to each other, while one of them ends. */
static void destroy_against_other_pool(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		left = hostile_pool(1, -1);
		right = hostile_pool(1, -1);
		/* Jobs submit only down to right, because nobody may use left after its end. */
		HOSTILE_CHECK(filch_pool_submit(left, wait_for_other, (void *)1, NULL) == 0);
		HOSTILE_CHECK(filch_pool_submit(right, wait_for_other, (void *)0, NULL) == 0);
		HOSTILE_CHECK(filch_pool_destroy(left) == 0);
		thread = hostile_thread(destroy_right, NULL);
		pthread_join(thread, NULL);
	}
	HOSTILE_CHECK(run_count >= 40);
}

/* ---- futures and groups ---- */

static void free_against_finish(void)
{
	hostile_start(2);
	for (int i = 0; i < 5000; i++) {
		struct filch_future *f;

		HOSTILE_CHECK(filch_pool_submit(NULL, run_it, NULL, &f) == 0);
		if (i % 3 == 0)
			(void)filch_future_try_wait(f, NULL);
		filch_future_destroy(f);
	}
	HOSTILE_CHECK(filch_stop() == 0 && run_count == 5000);
}

static struct filch_group *_Atomic group;

static void *submit_last(void *unused)
{
	struct filch_group *g;

	for (int i = 0; i < 500; i++) {
		while (!(g = atomic_load(&group)))
			sched_yield();
		atomic_store(&group, NULL);
		HOSTILE_CHECK(filch_group_submit(g, run_it, NULL) == 0);
	}
	return unused;
}

/* A group may be destroyed when its jobs are done, even if the submit has not returned yet. */
static void destroy_against_submit(void)
{
	pthread_t thread;

	hostile_start(2);
	thread = hostile_thread(submit_last, NULL);
	for (int i = 0; i < 500; i++) {
		struct filch_group *g;

		HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
		atomic_store(&group, g);
		while (run_count <= i)
			sched_yield();
		HOSTILE_CHECK(filch_group_destroy(g) == 0);
	}
	pthread_join(thread, NULL);
	hostile_use_and_stop();
}

static int add_member(void *arg, void **result)
{
	struct filch_group *g = *(struct filch_group **)arg;

	if (atomic_fetch_add(&accepted, 1) < 300)
		HOSTILE_CHECK(filch_group_submit(g, add_member, arg) == 0);
	return run_it(NULL, result);
}

/* Members add members while the main thread waits to destroy the group. */
static void destroy_against_members(void)
{
	hostile_start(2);
	for (int i = 0; i < 10; i++) {
		struct filch_group *g;

		HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
		atomic_store(&accepted, 0);
		atomic_store(&run_count, 0);
		for (int j = 0; j < 4; j++)
			HOSTILE_CHECK(filch_group_submit(g, add_member, &g) == 0);
		HOSTILE_CHECK(filch_group_destroy(g) == 0 && run_count == 304);
	}
	hostile_use_and_stop();
}

static void *wait_for_it(void *f)
{
	void *result = NULL;

	HOSTILE_CHECK(filch_future_wait(f, &result) == 0 && result == &over);
	HOSTILE_CHECK(filch_future_wait_for(f, 0, &result) == 0 && filch_future_try_wait(f, NULL) == 0);
	return NULL;
}

static int sleep_and_echo(void *arg, void **result)
{
	hostile_sleep(500);
	return hostile_echo(arg, result);
}

static void many_waiters(void)
{
	hostile_start(2);
	for (int i = 0; i < 10; i++) {
		struct filch_future *f;

		HOSTILE_CHECK(filch_pool_submit(NULL, sleep_and_echo, &over, &f) == 0);
		hostile_threads(8, wait_for_it, f);
		filch_future_destroy(f);
	}
	hostile_use_and_stop();
}

/* ---- order ---- */

static int block_wrongly(void *unused, void **result)
{
	for (int i = 0; i < 20; i++) {
		filch_blocking_end();
		filch_blocking_begin();
		filch_blocking_begin();
		sched_yield();
		filch_blocking_end();
	}
	return run_it(unused, result);
}

static void *keep_awake_wrongly(void *unused)
{
	for (int i = 0; i < 200; i++) {
		filch_pool_keep_awake_end(NULL);
		filch_pool_keep_awake_begin(NULL);
		filch_blocking_end();
		filch_blocking_begin();
		filch_pool_keep_awake_end(NULL);
		filch_pool_keep_awake_end(NULL);
	}
	return unused;
}

/* Ends before begins, too many of either, before the start and after the stop. Afterwards the pool must sleep. */
static void wrong_order(void)
{
	struct filch_stats before = {.struct_size = sizeof(before)}, stats = {.struct_size = sizeof(stats)};

	keep_awake_wrongly(NULL);
	hostile_start(2);
	hostile_threads(4, keep_awake_wrongly, NULL);
	for (int i = 0; i < 20; i++)
		HOSTILE_CHECK(filch_pool_submit(NULL, block_wrongly, NULL, NULL) == 0);
	while (run_count < 20)
		hostile_sleep(100);
	keep_awake_wrongly(NULL);
	HOSTILE_CHECK(filch_pool_stats(NULL, -1, &before) == 0);
	do { /* both workers fall asleep again after each job; else the time limit of the case ends the loop */
		hostile_use(NULL);
		hostile_sleep(1000);
		HOSTILE_CHECK(filch_pool_stats(NULL, -1, &stats) == 0);
	} while (stats.parks < before.parks + 4);
	hostile_use_and_stop();
	keep_awake_wrongly(NULL);
}

static int use_storage(void *local, void **result)
{
	int *storage = filch_local_get(local);

	HOSTILE_CHECK(storage);
	++*storage;
	return run_it(NULL, result);
}

static void *storage_main(void *unused)
{
	for (int i = 0; i < 20; i++) {
		struct filch_local *local;
		struct filch_group *g;

		HOSTILE_CHECK(filch_local_create(&local, NULL, sizeof(int), NULL, NULL, NULL) == 0);
		HOSTILE_CHECK(filch_group_create(&g, NULL) == 0);
		for (int j = 0; j < 20; j++)
			HOSTILE_CHECK(filch_group_submit(g, use_storage, local) == 0);
		HOSTILE_CHECK(filch_group_destroy(g) == 0);
		filch_local_destroy(local);
	}
	return unused;
}

static void storage(void)
{
	hostile_start(2);
	hostile_threads(4, storage_main, NULL);
	HOSTILE_CHECK(run_count == 4 * 400);
	hostile_use_and_stop();
}

static const struct hostile_case cases[] = {
	{"starts_and_stops", starts_and_stops, false},
	{"many_stops", many_stops, false},
	{"submit_against_stop", submit_against_stop, true},
	{"compute_against_stop", compute_against_stop, true},
	{"ask_against_stop", ask_against_stop, false},
	{"pools_in_jobs", pools_in_jobs, true},
	{"destroy_against_other_pool", destroy_against_other_pool, true},
	{"free_against_finish", free_against_finish, true},
	{"destroy_against_submit", destroy_against_submit, true},
	{"destroy_against_members", destroy_against_members, true},
	{"many_waiters", many_waiters, true},
	{"wrong_order", wrong_order, false},
	{"storage", storage, true},
};

HOSTILE_MAIN(cases)
